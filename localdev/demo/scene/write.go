package scene

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"mappe/artefacts/cog"
	"mappe/shared/geo/raster"
)

// Files of a scene: layers in the forms that sources have, below rasters/, and truth/, which no builder and no function reads.
//
//	rasters/DATE/ALS_DTM_CRS3035_scene.tif, ALS_DSM_CRS3035_scene.tif   float32, metres, deflate
//	rasters/ortho/SERIES/scene_N…E…_Mosaik_RGB.tif, …_NIR.tif           uint8, 0 is no value, in EPSG:31254, 31255 or 31256
//	rasters/satellite/YEAR/NDVI_MM.tif, SAR_VV.tif, SAR_VH.tif          float32, 10 m; radar in dB
//	rasters/satellite/YEAR/LANDCOVER.tif, FOREST_LOSS_YEAR.tif          uint8, 10 and 30 m; losses of the last year alone
//	rasters/credits.json   whom to name for the layers of satellites: nobody saw this land
//	vectors/parcels.geojson, buildings.geojson, infrastructure.geojson
//	truth/scene.json       options, and what the survey adds
//	truth/trees.csv        trees with heights and crown radii of the three dates
//	truth/buildings.geojson, events.geojson
//	truth/passing.geojson  cars, bales and scaffolds, which are no events
//	truth/classes_DATE.tif uint8, codes of the landscape service
//	truth/crowns_DATE.tif  float32, number of the tree that is seen: its row in trees.csv, the first is 1; NaN: none
//
// Coordinates are metres, but for orthophotos in EPSG:3035, which each file names.

// Writer writes files below a directory.
type Writer struct {
	Dir      string
	Progress func(step string, done, total int) // is told each step before it starts; nil is silent
	Pixels   int                                // of orthophotos a metre: 5, 2 or 1; 0: none are written
	Files    int                                // written
	Bytes    int64
}

func (w *Writer) file(name string, b []byte) error {
	p := filepath.Join(w.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	w.Files++
	w.Bytes += int64(len(b))
	return os.WriteFile(p, b, 0o644)
}

// step is a part of the work.
type step struct {
	name string
	do   func(*Scene) error
}

// owned are the folders of a scene.
var owned = [...]string{"rasters", "vectors", "truth"}

// marker is in every directory that a scene was written to, from the first step on.
const marker = "truth/scene.json"

// prepare removes an earlier scene, or a part of one. A directory with other sources is refused: made-up land would be
// taken for theirs.
func (w *Writer) prepare() error {
	_, err := os.Stat(filepath.Join(w.Dir, marker))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ours := err == nil
	for _, name := range owned {
		p := filepath.Join(w.Dir, name)
		if _, err := os.Lstat(p); !ours && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: the directory holds sources that are no scene; choose another", p)
		}
	}
	for _, name := range owned[:2] {
		if err := os.RemoveAll(filepath.Join(w.Dir, name)); err != nil {
			return err
		}
	}
	return w.file(marker, nil)
}

// Write writes a scene instead of one that the directory holds; its other files stay.
func (w *Writer) Write(ctx context.Context, s *Scene) error {
	if err := w.prepare(); err != nil {
		return err
	}
	var steps []step
	for date := range Dates {
		steps = append(steps, step{"laser scan " + Dates[date], func(s *Scene) error { return w.scan(s, date) }})
	}
	steps = append(steps, step{"satellite layers", w.satellite}, step{"cadastre and infrastructure", w.vectors}, step{"truth", w.truth})
	for series := range SeriesOf {
		for row := range s.opt.Rows * min(w.Pixels, 1) {
			for col := range s.opt.Cols {
				name := fmt.Sprintf("orthophoto %s, tile %d of %d", SeriesOf[series].Date, row*s.opt.Cols+col+1, s.opt.Cols*s.opt.Rows)
				steps = append(steps, step{name, func(s *Scene) error { return w.ortho(s, col, row, series) }})
			}
		}
	}
	for i, p := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.Progress != nil {
			w.Progress(p.name, i, len(steps))
		}
		if err := p.do(s); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// scan writes the layers of 1 m of a date.
func (w *Writer) scan(s *Scene, date int) error {
	b := s.Bounds()
	cols, rows := s.opt.Cols*Side, s.opt.Rows*Side
	dtm, dsm, crowns := raster.New(b.West, b.North, 1, cols, rows), raster.New(b.West, b.North, 1, cols, rows),
		raster.New(b.West, b.North, 1, cols, rows)
	classes := &Bytes{West: b.West, North: b.North, Step: 1, Cols: cols, Rows: rows, Bands: 1, Pix: make([]uint8, cols*rows), EPSG: 3035,
		NoData: -1}
	number := s.numbers()
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			t := s.Tile(col, row, date)
			for r := range Side {
				at := ((s.opt.Rows-1-row)*Side+r)*cols + col*Side
				copy(dtm.Z[at:], t.DTM.Row(r))
				copy(dsm.Z[at:], t.DSM.Row(r))
				for c := range Side {
					classes.Pix[at+c] = uint8(t.Classes[r*Side+c])
					if n := number[t.Trees[r*Side+c]]; n > 0 {
						crowns.Z[at+c] = float32(n)
					}
				}
			}
		}
	}
	for name, g := range map[string]*raster.Grid{"rasters/%s/ALS_DTM_CRS3035_scene.tif": dtm, "rasters/%s/ALS_DSM_CRS3035_scene.tif": dsm,
		"truth/crowns_%s.tif": crowns} {
		o := cog.Options{Packing: cog.Deflate, EPSG: 3035, Unit: "m", About: map[string]string{"SOURCE": "made-up demonstration data"}}
		if g == crowns {
			o.Unit = ""
		}
		b, err := cog.Encode(g, o)
		if err != nil {
			return err
		}
		if err := w.file(fmt.Sprintf(name, Dates[date]), b); err != nil {
			return err
		}
	}
	return w.picture("truth/classes_"+Dates[date]+".tif", classes)
}

// ortho writes a tile of a series, named by the kilometres of its south-western corner.
func (w *Writer) ortho(s *Scene, col, row, series int) error {
	o := s.Ortho(col, row, series, w.Pixels)
	name := fmt.Sprintf("rasters/ortho/%s/scene_N%dE%d_Mosaik_", SeriesOf[series].Date, s.opt.North+row, s.opt.East+col)
	if err := w.picture(name+"RGB.tif", o.RGB); err != nil {
		return err
	}
	return w.picture(name+"NIR.tif", o.NIR)
}

func (w *Writer) picture(name string, p *Bytes) error {
	b, err := p.Encode()
	if err != nil {
		return err
	}
	return w.file(name, b)
}

// numbers count the trees of the scene from 1 in the order of trees.csv.
func (s *Scene) numbers() map[uint64]int {
	out := map[uint64]int{}
	s.eachTree(func(t *Tree) { out[t.ID] = len(out) + 1 })
	return out
}

func (s *Scene) eachTree(f func(*Tree)) {
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			trees, _ := s.Owned(col, row)
			for i := range trees {
				f(&trees[i])
			}
		}
	}
}

// truth writes what is known.
func (w *Writer) truth(s *Scene) error {
	about, err := json.MarshalIndent(map[string]any{"options": s.opt, "dates": Dates, "crs": "EPSG:3035", "least_growth_m": LeastGrowth},
		"", "  ")
	if err != nil {
		return err
	}
	if err := w.file(marker, append(about, '\n')); err != nil {
		return err
	}
	if err := w.file("truth/trees.csv", s.treeTable()); err != nil {
		return err
	}
	var buildings, events, passing collection
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			_, list := s.Owned(col, row)
			for i := range list {
				b := &list[i]
				buildings.polygon(b.Ring(),
					fmt.Sprintf(`"id":"%016x","use":%q,"roof":%q,"eaves_m":%.2f,"ridge_m":%.2f,"from":%d,"until":%d,"registered":%t`,
						b.ID, b.Use, b.Roof, b.Eaves, b.Ridge, b.From, b.Until, b.Registered))
			}
		}
	}
	for date := range Dates {
		for i := range s.opt.Cols * s.opt.Rows {
			for _, p := range s.Passing(i%s.opt.Cols, i/s.opt.Cols, date) {
				passing.polygon(p.Ring, fmt.Sprintf(`"kind":%q,"date":%q,"height_m":%.2f`, p.Kind, Dates[date], p.Height))
			}
		}
	}
	for _, p := range Pairs {
		for _, e := range s.Events(p[0], p[1], LeastGrowth) {
			events.polygon(e.Ring,
				fmt.Sprintf(`"id":"%016x","type":%q,"date_a":%q,"date_b":%q,"area_m2":%.0f,"changed_m2":%.0f,"terrain_volume_m3":%.2f,`+
					`"surface_volume_m3":%.2f,"terrain_before_m":%.3f,"terrain_after_m":%.3f,"height_before_m":%.2f,"height_after_m":%.2f,"trees":%d`,
					e.ID, e.Type, Dates[p[0]], Dates[p[1]], e.Area, e.Changed, e.TerrainVolume, e.SurfaceVolume, e.TerrainBefore,
					e.TerrainAfter,
					e.HeightBefore, e.HeightAfter, e.Trees))
		}
	}
	if err := w.file("truth/buildings.geojson", buildings.bytes()); err != nil {
		return err
	}
	if err := w.file("truth/passing.geojson", passing.bytes()); err != nil {
		return err
	}
	return w.file("truth/events.geojson", events.bytes())
}

// satellite writes the layers of 10 m of the years of the dates, and forest loss.
func (w *Writer) satellite(s *Scene) error {
	for date := range Dates {
		bands, prior := map[string]*raster.Grid{}, (*Bytes)(nil)
		for row := range s.opt.Rows {
			for col := range s.opt.Cols {
				t := s.Satellite(col, row, date)
				parts := map[string]*raster.Grid{"SAR_VV": t.VV, "SAR_VH": t.VH}
				for month, g := range t.NDVI {
					parts[fmt.Sprintf("NDVI_%02d", month+1)] = g
				}
				for name, g := range parts {
					if bands[name] == nil {
						b := s.Bounds()
						bands[name] = raster.New(b.West, b.North, g.Step, s.opt.Cols*g.Cols, s.opt.Rows*g.Rows)
					}
					if err := bands[name].Paste(g); err != nil {
						return err
					}
				}
				prior = s.joined(prior, t.Prior, col, row)
			}
		}
		for name, g := range bands {
			o := cog.Options{Packing: cog.Deflate, EPSG: 3035}
			if name[:3] == "SAR" {
				o.Unit = "dB"
			}
			b, err := cog.Encode(g, o)
			if err != nil {
				return err
			}
			if err := w.file("rasters/satellite/"+Dates[date][:4]+"/"+name+".tif", b); err != nil {
				return err
			}
		}
		if err := w.picture("rasters/satellite/"+Dates[date][:4]+"/LANDCOVER.tif", prior); err != nil {
			return err
		}
	}
	if err := w.file("rasters/credits.json", credits()); err != nil {
		return err
	}
	last := Dates[len(Dates)-1][:4]
	return w.picture("rasters/satellite/"+last+"/FOREST_LOSS_YEAR.tif", s.ForestLoss())
}

// credits names nobody who has never seen the scene.
func credits() []byte {
	all := map[string]map[string]string{}
	for _, layer := range []string{"ndvi", "sar", "landcover", "forest"} {
		all[layer] = map[string]string{"attribution": "made-up demonstration data", "license": "CC BY 4.0",
			"license_url": "https://creativecommons.org/licenses/by/4.0/"}
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err) // of texts alone
	}
	return append(b, '\n')
}

// joined puts a tile into the whole scene.
func (s *Scene) joined(all, part *Bytes, col, row int) *Bytes {
	if all == nil {
		b, p := s.Bounds(), *part
		all = &p
		all.West, all.North, all.Cols, all.Rows = b.West, b.North, part.Cols*s.opt.Cols, part.Rows*s.opt.Rows
		all.Pix = make([]uint8, all.Cols*all.Rows)
	}
	for r := range part.Rows {
		copy(all.Pix[((s.opt.Rows-1-row)*part.Rows+r)*all.Cols+col*part.Cols:], part.Pix[r*part.Cols:(r+1)*part.Cols])
	}
	return all
}

// treeTable are the trees as CSV.
func (s *Scene) treeTable() []byte {
	b := []byte("number,id,apex_x,apex_y,crown_x,crown_y,height_1,height_2,height_3,radius_1,radius_2,radius_3," +
		"species,understorey,dead,leaning,double,stand\n")
	n := 0
	s.eachTree(func(t *Tree) {
		n++
		b = fmt.Appendf(b, "%d,%016x", n, t.ID)
		for _, v := range [...]float64{t.Apex.X, t.Apex.Y, t.Crown.X, t.Crown.Y, t.Height[0], t.Height[1], t.Height[2], t.Radius[0],
			t.Radius[1], t.Radius[2]} {
			b = strconv.AppendFloat(append(b, ','), v, 'f', 2, 64)
		}
		b = append(append(b, ','), t.Species.String()...)
		for _, v := range [...]bool{t.Understorey, t.Dead, t.Leaning, t.DoubleLeader} {
			b = strconv.AppendBool(append(b, ','), v)
		}
		b = fmt.Appendf(b, ",%016x\n", t.Stand)
	})
	return b
}
