package products

import (
	"bufio"
	"context"
	"errors"
	"math"
	"os"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/spool"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/terrain"
	"mappe/shared/web/gpkg"
)

// layer is a raster of a KG.
type layer struct {
	name, title, unit string
	step              float64
	date              string
	classes           bool
	quantum           float64 // of the coverage in the full GeoPackage
	ramp              *ramp   // of its preview; nil: none
	// read gives a window, whose borders are multiples of the step; cells outside the KG are cut out behind it.
	read func(ctx context.Context, b raster.Box) (*raster.Grid, error)
}

// layers are the rasters of a KG that there are.
func (s *Source) layers() (out []*layer) {
	window := func(l *rasters.Layer) func(context.Context, raster.Box) (*raster.Grid, error) {
		return func(ctx context.Context, b raster.Box) (*raster.Grid, error) { return s.Rasters.Window(ctx, l, b) }
	}
	if g := s.Ground; g != nil {
		out = append(out,
			&layer{name: "dtm", title: "Terrain above the Adriatic", unit: "m", step: g.Step, date: g.Date, quantum: 0.01, ramp: &heights,
				read: window(g)},
			&layer{name: "slope", title: "Slope of the terrain (Horn 1981)", unit: "°", step: g.Step, date: g.Date, quantum: 0.01,
				ramp: &steepness,
				read: s.slope})
		if s.Surface != nil {
			out = append(out,
				&layer{name: "dsm", title: "Surface above the Adriatic", unit: "m", step: g.Step, date: g.Date, quantum: 0.01,
					read: window(s.Surface)},
				&layer{name: "ndsm", title: "Height above the terrain", unit: "m", step: g.Step, date: g.Date, quantum: 0.01, ramp: &canopy,
					read: s.above})
		}
	}
	band := func(name, title, unit string, of *rasters.Layer, n int, quantum float64, r *ramp) {
		if of == nil {
			return
		}
		classes := rasters.LayerTypeOf(of.Layer).Classes
		out = append(out, &layer{name: name, title: title, unit: unit, step: of.Step, date: of.Date, classes: classes, quantum: quantum,
			ramp: r,
			read: func(ctx context.Context, b raster.Box) (*raster.Grid, error) {
				bands, err := s.Rasters.Bands(ctx, of, b, of.Step)
				if err != nil {
					return nil, err
				}
				return bands[n], nil
			}})
	}
	band("ndvi", "Mean vegetation index of the year", "", s.NDVI, 0, 0.0001, &greenness)
	band("sar-vv", "Radar backscatter, VV", "dB", s.SAR, 0, 0.01, nil)
	band("sar-vh", "Radar backscatter, VH", "dB", s.SAR, 1, 0.01, nil)
	band("landcover", "Land cover by satellites: 10 trees, 20 shrubs, 30 grass, 40 crops, 50 built, 60 bare, 70 snow, 80 water, 90 wetland",
		"", s.Cover, 0, 1, nil)
	band("forest-loss", "Year in which forest was lost, less 2000; 0: none", "", s.Forest, 0, 1, nil)
	return out
}

// above is what stands on the ground, to the centimetre.
func (s *Source) above(ctx context.Context, b raster.Box) (*raster.Grid, error) {
	top, err := s.Rasters.Window(ctx, s.Surface, b)
	if err != nil {
		return nil, err
	}
	ground, err := s.Rasters.Window(ctx, s.Ground, b)
	if err != nil {
		return nil, err
	}
	out := &raster.Grid{West: top.West, North: top.North, Step: top.Step, Cols: top.Cols, Rows: top.Rows, Z: make([]float32, len(top.Z))}
	for i, z := range top.Z { // what was read belongs to the library
		out.Z[i] = float32(math.Round(float64(z-ground.Z[i])*100) / 100)
	}
	return out, nil
}

func (s *Source) slope(ctx context.Context, b raster.Box) (*raster.Grid, error) {
	g, err := s.Rasters.Window(ctx, s.Ground, b.Grown(s.Ground.Step))
	if err != nil {
		return nil, err
	}
	out := raster.New(b.West, b.North, g.Step, g.Cols-2, g.Rows-2)
	line := make([]float32, g.Cols)
	for row := range out.Rows {
		terrain.Slopes(g, row+1, line)
		for i, v := range line[1 : g.Cols-1] {
			out.Z[row*out.Cols+i] = float32(math.Round(float64(v)*100) / 100)
		}
	}
	return out, nil
}

// strip is how many rows are worked on at once: a row of tiles of the file.
const strip = 512

// grid is where the cells of a layer lie, without values.
func (w *workshop) grid(l *layer) *raster.Grid {
	b := raster.BoxOf(w.Outline).Aligned(l.step)
	return &raster.Grid{West: b.West, North: b.North, Step: l.step, Cols: int(math.Round((b.East - b.West) / l.step)),
		Rows: int(math.Round((b.North - b.South) / l.step))}
}

// each gives the rows of a layer from the north, strip by strip, cut to the KG.
func (w *workshop) each(ctx context.Context, l *layer, f func(*raster.Grid) error) error {
	at := w.grid(l)
	for row := 0; row < at.Rows; row += strip {
		n := min(strip, at.Rows-row)
		north := at.North - float64(row)*at.Step
		g, err := l.read(ctx, raster.Box{West: at.West, East: at.East(), North: north, South: north - float64(n)*at.Step})
		if err != nil {
			return err
		}
		own := *g
		own.Z = append([]float32(nil), g.Z...)
		own.Keep(w.Outline)
		if err := f(&own); err != nil {
			return err
		}
	}
	return nil
}

// geotiff writes a layer as a cloud optimised GeoTIFF.
func (w *workshop) geotiff(ctx context.Context, l *layer, path string) (err error) {
	tiles, err := spool.NewFile(w.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tiles.Close()) }()
	out, err := cog.NewWriter[float32](w.grid(l), 1, cog.Options{Packing: cog.Deflate, EPSG: rasters.EPSG, Unit: l.unit, Classes: l.classes,
		About: w.about(l.title, l.date)}, tiles)
	if err != nil {
		return err
	}
	if err := w.each(ctx, l, func(g *raster.Grid) error { return out.Write(g.Z) }); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 1<<20)
	_, err = out.Close(b)
	return errors.Join(err, b.Flush(), f.Close())
}

// about is what a GeoTIFF says of itself.
func (w *workshop) about(title, date string) map[string]string {
	return map[string]string{"TIFFTAG_IMAGEDESCRIPTION": title + ", KG " + string(w.Row.Code) + " " + w.Row.Name,
		"TIFFTAG_COPYRIGHT": w.credit(landprocess.Analysis), "ACQUISITION_DATE": date}
}

// rasterFiles are the GeoTIFFs.
func (w *workshop) rasterFiles() (out []product) {
	for _, l := range w.rasters {
		g := w.grid(l)
		about := map[string]any{"data_type": "float32", "nodata": "nan", "gsd": l.step, "proj:shape": []int{g.Rows, g.Cols},
			"proj:transform": []float64{g.Step, 0, g.West, 0, -g.Step, g.North}}
		if l.unit != "" {
			about["unit"] = l.unit
		}
		out = append(out, product{name: l.name + ".tif", title: l.title, set: landprocess.Analysis, roles: []string{"data"}, about: about,
			make: func(ctx context.Context, path string) error { return w.geotiff(ctx, l, path) }})
	}
	return out
}

// opened is a GeoTIFF that was made.
type opened struct {
	*cog.File
	in *os.File
	// The strip that was read last.
	level, row int
	rows       *raster.Grid
}

func (w *workshop) open(ctx context.Context, l *layer) (*opened, error) {
	in, err := w.local(ctx, l.name+".tif")
	if err != nil {
		return nil, err
	}
	info, err := in.Stat()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	f, err := cog.Open(in, info.Size())
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &opened{File: f, in: in}, nil
}

// window reads a window of a level, a strip as wide as the image at once: tiles of a strip are asked for one after the other.
func (o *opened) window(_ context.Context, w gpkg.Window) ([]float32, error) {
	if o.rows == nil || o.level != w.Level || o.row != w.Row || o.rows.Rows != w.Rows {
		im := &o.Images[w.Level]
		g, err := o.Read(o.in, im, 0, cog.Window{Col: 0, Row: w.Row, Cols: im.Width, Rows: w.Rows})
		if err != nil {
			return nil, err
		}
		o.level, o.row, o.rows = w.Level, w.Row, g
	}
	out := make([]float32, 0, w.Cols*w.Rows)
	for r := range w.Rows {
		out = append(out, o.rows.Row(r)[w.Col:w.Col+w.Cols]...)
	}
	return out, nil
}

// pyramid is where the cells of the file lie.
func (o *opened) pyramid() gpkg.Pyramid {
	im := &o.Images[0]
	return gpkg.Pyramid{EPSG: rasters.EPSG, West: o.West, North: o.North, Step: o.StepX, Cols: im.Width, Rows: im.Height,
		Levels: len(o.Images)}
}

// coverages are the rasters of the full GeoPackage, read from the GeoTIFFs.
func (w *workshop) coverages(ctx context.Context) (list []gpkg.Coverage, closing func(), err error) {
	var files []*opened
	closing = func() {
		for _, f := range files {
			f.in.Close() // read only
		}
	}
	for _, l := range w.rasters {
		o, err := w.open(ctx, l)
		if err != nil {
			closing()
			return nil, nil, err
		}
		files = append(files, o)
		list = append(list, gpkg.Coverage{Name: gpkg.Word(l.name),
			Description: l.title + ", " + l.date + ". " + w.credit(landprocess.Analysis),
			Pyramid:     o.pyramid(), Unit: l.unit, Field: l.title, Quantum: l.quantum, Read: o.window})
	}
	return list, closing, nil
}
