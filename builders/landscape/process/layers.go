package process

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/proximity"
	"mappe/artefacts/rasters"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/segment"
)

// enough is the share of a KG from which on a dataset covers it.
const enough = 0.95

// layers are the rasters that a KG is analysed in: of each kind the newest date that covers it, else the newest that reaches
// into it; nil where none does.
type layers struct {
	*mosaic.Mosaic
	rasters.Scans      // the date before is what changes are told against
	photo, ndvi, sar   *rasters.Layer
	photos             *mosaic.Photos // near the two scans; nil: not at hand
	cover, forest      *rasters.Layer
	missing            []string
	ways               []*proximity.Line
	mapDate, mapCredit string
	neighbours         []*kgfile.File // KGs whose footprints may reach into squares, the KG itself among them
	absent             []geom.Box     // of the KGs beside whose cadastre is not loaded
	tilesUsed          []string
	neighbourSnapshots []string
}

// credits are whom to name for the rasters, each once.
func (l *layers) credits() (out []string) {
	list := []*rasters.Layer{l.Ground, l.Top, l.photo, l.ndvi, l.sar, l.cover, l.forest}
	if l.photos != nil {
		list = append(list, l.photos.Of[:]...)
	}
	for _, of := range list {
		if of != nil && of.Attribution != "" && !slices.Contains(out, of.Attribution) {
			out = append(out, of.Attribution)
		}
	}
	return out
}

// chosen opens the layers for the area of a KG.
func chosen(ctx context.Context, v *library.View, box raster.Box, m2 float64) (*layers, error) {
	m, err := mosaic.Open(ctx, v)
	if err != nil {
		return nil, err
	}
	l := &layers{Mosaic: m}
	if err := l.heights(ctx, box, m2); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		name string
		to   **rasters.Layer
	}{{rasters.Ortho, &l.photo}, {rasters.NDVI, &l.ndvi}, {rasters.SAR, &l.sar}, {rasters.LandCover, &l.cover}, {rasters.Forest,
		&l.forest}} {
		if *of.to, err = l.newest(ctx, l.dates(of.name), box, m2); err != nil {
			return nil, err
		}
		if *of.to == nil {
			l.missing = append(l.missing, of.name)
		}
	}
	if l.EarlierGround != nil && l.Ground != nil {
		dates := [2]string{l.EarlierGround.Dataset(), l.Ground.Dataset()}
		l.photos, err = mosaic.PhotosNear(m, l.dates(rasters.Ortho), dates, func(near []*rasters.Layer) (*rasters.Layer, error) {
			return l.newest(ctx, near, box, m2)
		})
		if err != nil {
			return nil, err
		}
	}
	return l, l.used(ctx, box)
}

// dates are the layers of a name, rising by date.
func (l *layers) dates(name string) (out []*rasters.Layer) {
	for i := range l.Index.Layers {
		if l.Index.Layers[i].Layer == name {
			out = append(out, &l.Index.Layers[i])
		}
	}
	return out
}

// heights chooses the scan, of which both models are there in cells of 1 m, and the one before it that reaches into the KG.
func (l *layers) heights(ctx context.Context, box raster.Box, m2 float64) error {
	var err error
	if l.Scans, err = l.Index.Scans(l.Index.Pairs(), func(list []*rasters.Layer) (*rasters.Layer, error) {
		return l.newest(ctx, list, box, m2)
	}); err != nil {
		return err
	}
	if l.Ground == nil {
		l.missing = append(l.missing, rasters.DTM, rasters.DSM)
	}
	if l.EarlierGround == nil {
		l.missing = append(l.missing, "earlier_scan")
	}
	return nil
}

// newest is the newest of layers, which rise by date, whose tiles may cover an area, else the newest that reaches into it.
func (l *layers) newest(ctx context.Context, list []*rasters.Layer, box raster.Box, m2 float64) (*rasters.Layer, error) {
	var reaches *rasters.Layer
	for _, layer := range slices.Backward(list) {
		tiles, err := l.TilesIn(ctx, layer, box)
		if err != nil {
			return nil, err
		}
		known := 0
		for i := range tiles {
			if tiles[i].Covers(box) {
				known += tiles[i].Known
			}
		}
		if known > 0 && float64(known)*layer.Step*layer.Step >= 0.9*enough*m2 {
			return layer, nil
		}
		if known > 0 && reaches == nil {
			reaches = layer
		}
	}
	return reaches, nil
}

// used notes which tiles of the chosen layers there are around the KG: what they say is an input.
func (l *layers) used(ctx context.Context, box raster.Box) error {
	for _, layer := range l.all() {
		tiles, err := l.TilesIn(ctx, layer, box.Grown(segment.Halo))
		if err != nil {
			return err
		}
		for _, t := range tiles {
			l.tilesUsed = append(l.tilesUsed, t.Key)
		}
	}
	return nil
}

// models are the height models of the two dates: terrain and surface before, then after.
func (l *layers) models() [4]*rasters.Layer {
	return [4]*rasters.Layer{l.EarlierGround, l.EarlierTop, l.Ground, l.Top}
}

// all are the chosen layers in a fixed order.
func (l *layers) all() []*rasters.Layer {
	list := []*rasters.Layer{l.Ground, l.Top, l.EarlierGround, l.EarlierTop, l.photo, l.ndvi, l.sar, l.cover, l.forest}
	if l.photos != nil {
		list = append(list, l.photos.Of[:]...)
	}
	return slices.DeleteFunc(list, func(r *rasters.Layer) bool { return r == nil })
}

// surrounding is what is missing where the cadastre of a KG beside is not loaded.
const surrounding = "cadastre_around"

// surroundings opens the KGs around a KG, whose footprints bound its segments, and the ways of the community map.
func (l *layers) surroundings(ctx context.Context, v *library.View, box raster.Box) error {
	around := onplane.Box(box.Grown(segment.Halo))
	for _, code := range v.Register().KGsNear(around) {
		f, err := v.KG(ctx, code)
		if errors.Is(err, library.ErrCold) && !v.Warm(code) {
			// Nobody has loaded it: its buildings bound no segments. It is another input once it is there.
			if !slices.Contains(l.missing, surrounding) {
				l.missing = append(l.missing, surrounding)
			}
			l.absent = append(l.absent, v.Register().KG(code).Box)
			continue
		}
		if err != nil {
			return err
		}
		l.neighbours = append(l.neighbours, f)
		l.neighbourSnapshots = append(l.neighbourSnapshots, v.Register().KG(code).Snapshot.Key)
	}
	return l.waysIn(ctx, v, around)
}

// waysIn reads the roads and railways of the community map, cell by cell.
func (l *layers) waysIn(ctx context.Context, v *library.View, box geom.Box) error {
	key, ok := v.Artefact(proximity.Artefact)
	if !ok {
		l.missing = append(l.missing, "community_map")
		return nil
	}
	p, err := v.Parts(ctx, key, proximity.Family)
	if err != nil {
		return err
	}
	head, err := library.Head(p, proximity.DecodeHead)
	if err != nil {
		return err
	}
	l.mapDate, l.mapCredit = head.Date, head.Attribution
	for _, of := range []struct {
		grid     proximity.Grid
		category proximity.Category
	}{{proximity.Near, proximity.Road}, {proximity.Far, proximity.Rail}} {
		if err := l.waysOf(ctx, p, of.grid, proximity.OfCategory(of.category), box); err != nil {
			return err
		}
	}
	return nil
}

// mostCells bounds the cells of the map around a KG: the largest has some 400 km².
const mostCells = 4096

func (l *layers) waysOf(ctx context.Context, p *library.Parts, grid proximity.Grid, set proximity.Set, box geom.Box) error {
	var sections []int
	var ids []proximity.CellID
	for _, id := range grid.Cells(box, mostCells) {
		if i, ok := p.Find(grid.Section(id)); ok {
			sections, ids = append(sections, i), append(ids, id)
		}
	}
	if len(sections) == 0 {
		return nil
	}
	cells, err := library.Sections(ctx, p, sections, func(i int, body []byte) (*proximity.Cell, int64, error) {
		return proximity.DecodeCell(body, grid.Box(ids[slices.Index(sections, i)]))
	})
	if err != nil {
		return err
	}
	for k, c := range cells {
		for i := range c.Lines {
			b := c.Box(i) // a line of several cells counts in the one that holds the lower corner of what it shares with the box
			if set.Has(c.Lines[i].Class) && b.Intersects(box) &&
				grid.At(geom.Point{X: max(b.MinX, box.MinX), Y: max(b.MinY, box.MinY)}) == ids[k] {
				l.ways = append(l.ways, &c.Lines[i])
			}
		}
	}
	return nil
}

// fingerprint names all that the result is made of.
func (l *layers) fingerprint(snapshot, model string) string {
	h := sha256.New()
	fmt.Fprintln(h, Recipe, snapshot, model, l.missing)
	for _, list := range [][]string{l.tilesUsed, l.neighbourSnapshots} {
		fmt.Fprintln(h, len(list), list)
	}
	for _, w := range l.ways {
		fmt.Fprintln(h, w.Class.String(), w.Vertices)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// reach says whether one of layers has values in a window; a nil one has none. Of a square into which none reaches nothing is computed
// of them: of a KG on the border of a scan that is most of the work.
func (l *layers) reach(ctx context.Context, w raster.Box, layers ...*rasters.Layer) (bool, error) {
	for _, layer := range layers {
		if layer == nil {
			continue
		}
		tiles, err := l.TilesIn(ctx, layer, w)
		if err != nil || slices.ContainsFunc(tiles, func(t rasters.Tile) bool { return t.Covers(w) }) {
			return err == nil, err
		}
	}
	return false, nil
}

// window reads what is known of a square with its margin.
func (l *layers) window(ctx context.Context, w raster.Box) (*segment.Layers, error) {
	out := &segment.Layers{}
	for _, scan := range []struct {
		ground, top *rasters.Layer
		dtm, dsm    **raster.Grid
	}{{l.Ground, l.Top, &out.DTM, &out.DSM}, {l.EarlierGround, l.EarlierTop, &out.EarlierDTM, &out.EarlierDSM}} {
		there, err := l.reach(ctx, w, scan.ground, scan.top)
		if err != nil {
			return nil, err
		}
		if !there {
			continue
		}
		if *scan.dtm, err = l.Window(ctx, scan.ground, w); err != nil {
			return nil, err
		}
		if *scan.dsm, err = l.Window(ctx, scan.top, w); err != nil {
			return nil, err
		}
	}
	pictured, err := l.reach(ctx, w, l.photo)
	if err != nil {
		return nil, err
	}
	if pictured {
		step := photoStep(l.photo)
		s, err := mosaic.Samples[uint8](ctx, l.Mosaic, l.photo, w.Aligned(step), step)
		if err != nil {
			return nil, err
		}
		bands := raster.Means(s, w, s.Bands-1) // near infrared is 0 where it is not known
		out.Red, out.Green, out.Blue, out.NIR = bands[0], bands[1], bands[2], bands[3]
	}
	if err := l.coarse(ctx, w, out); err != nil {
		return nil, err
	}
	if err := l.register(w, out); err != nil {
		return nil, err
	}
	l.lanes(w, out)
	return out, nil
}

// photoStep is the side of cells of the orthophoto that are read: of its own and its overviews' the coarsest up to 1 m of which
// whole ones fit into a kilometre and into the margin.
func photoStep(l *rasters.Layer) float64 {
	step := l.Step
	whole := func(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-6 }
	for 2*step <= 1+1e-9 && whole(segment.Side/(2*step)) && whole(segment.Halo/(2*step)) {
		step *= 2
	}
	return step
}

// coarse reads the layers of satellites.
func (l *layers) coarse(ctx context.Context, w raster.Box, out *segment.Layers) error {
	for _, of := range []struct {
		from *rasters.Layer
		to   []**raster.Grid
	}{{l.ndvi, []**raster.Grid{&out.Mean, &out.Cos, &out.Sin}}, {l.sar, []**raster.Grid{&out.VV, &out.VH}},
		{l.cover, []**raster.Grid{&out.Cover}}, {l.forest, []**raster.Grid{&out.Loss}}} {
		if of.from == nil {
			continue
		}
		bands, err := l.Bands(ctx, of.from, w.Aligned(of.from.Step), of.from.Step)
		if err != nil {
			return err
		}
		for i, g := range of.to {
			*g = bands[i]
		}
	}
	return nil
}

// register takes footprints and land use around a window from the KGs.
func (l *layers) register(w raster.Box, out *segment.Layers) error {
	box := onplane.Box(w)
	for _, f := range l.neighbours {
		table, err := f.Footprints()
		if err != nil {
			return err
		}
		out.BuildingsKnown = true
		if err := f.FootprintsInBox(box, func(i int) bool {
			out.Buildings = append(out.Buildings, onplane.Polygons(table[i].Geometry)...)
			return true
		}); err != nil {
			return err
		}
		areas, err := f.LandUse()
		if err != nil {
			return err
		}
		for i := range areas {
			for _, p := range areas[i].Geometry {
				if p[0].Bounds().Intersects(box) {
					out.Uses = append(out.Uses, segment.Use{Polygon: onplane.Polygon(p), Code: int(areas[i].NS)})
				}
			}
		}
	}
	return nil
}

// lanes takes the ways around a window.
func (l *layers) lanes(w raster.Box, out *segment.Layers) {
	box := onplane.Box(w)
	for _, line := range l.ways {
		lane, ok := segment.LaneOf(line.Class.String())
		if !ok || !geom.Ring(line.Vertices).Bounds().Intersects(box) {
			continue
		}
		way := segment.Feature{Kind: lane.Kind, Width: lane.Width}
		for _, p := range line.Vertices {
			way.Points = append(way.Points, onplane.XY(p))
		}
		out.Ways = append(out.Ways, way)
	}
}
