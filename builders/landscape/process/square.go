package process

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/classifier"
	"mappe/artefacts/kgfile"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
	"mappe/shared/landscape/change"
	"mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
)

// area is a KG as it is analysed.
type area struct {
	file    *kgfile.File
	parcels []kgfile.Parcel
	prints  []kgfile.Footprint
	outline []raster.Polygon // EPSG:3035
	box     raster.Box
	m2      float64
	planes  [][]raster.Polygon // of the parcels
	boxes   []raster.Box
	model   *classifier.OfSegments // nil: the rules tell all
	layers  *layers
	traced  onplane.Neighbours
}

// areaOf prepares a KG.
func areaOf(f *kgfile.File) (*area, error) {
	a := &area{file: f}
	var err error
	if a.parcels, err = f.Parcels(); err != nil {
		return nil, err
	}
	if a.prints, err = f.Footprints(); err != nil {
		return nil, err
	}
	outline, err := f.Outline()
	if err != nil {
		return nil, err
	}
	a.outline, a.m2 = onplane.Polygons(outline), f.KG().TotalAreaSqm
	a.box = raster.BoxOf(a.outline)
	a.planes, a.boxes = make([][]raster.Polygon, len(a.parcels)), make([]raster.Box, len(a.parcels))
	for i := range a.parcels {
		a.planes[i] = onplane.Polygons(a.parcels[i].Geometry)
		a.boxes[i] = raster.BoxOf(a.planes[i])
	}
	return a, nil
}

// part is what was found in a square: sums, and things that belong to it alone. All parts of a KG folded in their order give its
// result, whatever order they were made in.
type part struct {
	E, N      int // kilometres of the south-western corner
	Cells     int // of the KG
	Known     int // of them, those with heights
	Terrain   relief
	Objects   []object
	Trees     []tree
	Parcels   []parcelPart // by rising number
	Buildings []building   // whose point on the surface lies in the square
	Events    []event
	Change    changed
	Loss      map[int]int // cells of the forest layer by year
	Samples   []sample
	Vertices  []vertex // heights at the vertices of parcels that lie in the square
}

// relief are sums of the terrain that can be added up.
type relief struct {
	Cells, Known, Derived int
	Min, Max, Sum         float64
	Slope, Steepest       float64 // sum of degrees, greatest
	TRI, TPI              float64 // sums of metres
	Aspects               [9]int
	East, North           float64 // sum of directions of cells that are not flat
}

// reliefOf are the sums of the terrain of an area.
func reliefOf(t *terrain.Relief) (r relief) {
	known, derived := t.Known(), t.Derived()
	r.Cells, r.Known, r.Derived, r.Aspects = t.Cells, known, derived, t.Aspects
	if known > 0 {
		s := t.Elevation()
		r.Min, r.Max, r.Sum = s.Min, s.Max, float64(s.Mean*float64(known))
	}
	if n := float64(derived); n > 0 {
		slope := t.Slope()
		r.Slope, r.Steepest, r.TRI, r.TPI = float64(slope.Mean*n), slope.Max, float64(t.TRI()*n), float64(t.TPI()*n)
	}
	if sloping := derived - t.Aspects[8]; sloping > 0 {
		if mean := t.AspectMean(); mean >= 0 {
			sin, cos := math.Sincos(mean * math.Pi / 180)
			r.East, r.North = float64(sin*float64(sloping)), float64(cos*float64(sloping))
		}
	}
	return r
}

// add adds the terrain of another part.
func (r *relief) add(o *relief) {
	if o.Known > 0 {
		if r.Known == 0 {
			r.Min, r.Max = o.Min, o.Max
		}
		r.Min, r.Max = min(r.Min, o.Min), max(r.Max, o.Max)
	}
	r.Cells, r.Known, r.Derived = r.Cells+o.Cells, r.Known+o.Known, r.Derived+o.Derived
	r.Sum, r.Slope, r.TRI, r.TPI, r.Steepest = r.Sum+o.Sum, r.Slope+o.Slope, r.TRI+o.TRI, r.TPI+o.TPI, max(r.Steepest, o.Steepest)
	r.East, r.North = r.East+o.East, r.North+o.North
	for i, n := range o.Aspects {
		r.Aspects[i] += n
	}
}

// over is a sum over so many cells; NaN over none.
func over(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

func (r *relief) elevation() (least, mean, most float64) {
	if r.Known == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return r.Min, r.Sum / float64(r.Known), r.Max
}

func (r *relief) steepest() float64 {
	if r.Derived == 0 {
		return math.NaN()
	}
	return r.Steepest
}

// aspect is the dominant and the mean direction of descent; "" and NaN where nothing is known.
func (r *relief) aspect() (dominant string, mean float64) {
	if r.Derived == 0 {
		return "", math.NaN()
	}
	if 2*r.Aspects[8] > r.Derived {
		return terrain.Sectors[8], -1
	}
	most := 0
	for i, n := range r.Aspects[:8] {
		if n > r.Aspects[most] {
			most = i
		}
	}
	mean = -1
	if math.Abs(r.East)+math.Abs(r.North) > 1e-6*float64(r.Derived) {
		if mean = math.Atan2(r.East, r.North) * 180 / math.Pi; mean < 0 {
			mean += 360
		}
	}
	return terrain.Sectors[most], mean
}

// class is the ruggedness; "" where nothing is known.
func (r *relief) class() string {
	if r.Derived == 0 {
		return ""
	}
	return terrain.ClassOf(r.TRI / float64(r.Derived))
}

// object is a segment.
type object struct {
	segment.Object
	segment.Answer
	Parcel  int32 // that most of its cells lie in; -1: none
	At      geom.Point
	Outline geom.MultiPolygon
}

// tree is a tree of the newest scan.
type tree struct {
	canopy.Tree
	Parcel  int32
	At      geom.Point
	Segment int     // place of the segment that its apex lies in, in the part's list; -1: none
	segment *object // the same after the fold; nil: none
}

// event is a change between the two scans.
type event struct {
	change.Event
	At geom.Point
}

// changed are sums over what has changed.
type changed struct {
	Known          int     // cells with heights of both scans
	Net, Disturbed float64 // m³
}

// sample is a height of the terrain on a grid of places.
type sample struct {
	At geom.Point
	Z  float64
}

// sampleStep is how many metres lie between samples: a heightfield has cells of 20 m and more.
const sampleStep = 20

// work is a square in work.
type work struct {
	*area
	box     raster.Box
	window  raster.Box
	in      *segment.Layers
	meant   []raster.Polygon // the KG in the square
	mask    *raster.Mask     // of the window's cells
	owner   []int32          // of the window's cells: parcel; -1: none
	heights *raster.Grid     // of what stands on the ground; nil: not known
	labels  []int32          // of the window's cells: number of the segment from 1; 0: none
	part    *part
}

// squares are those that a KG has cells in, by the kilometres of their south-western corners: from the north, then the west.
func (a *area) squares() [][2]int {
	box := a.box.Aligned(1)
	grid := raster.Grid{West: box.West, North: box.North, Step: 1, Cols: int(box.East - box.West), Rows: int(box.North - box.South)}
	return segment.Squares(box, raster.MaskOf(&grid, a.outline))
}

// square analyses a square of 1 km.
func (a *area) square(ctx context.Context, e, n int) (*part, error) {
	w := &work{area: a, part: &part{E: e, N: n, Loss: map[int]int{}}, window: segment.Window(e, n)}
	w.box = w.window.Grown(-segment.Halo)
	w.meant = raster.Clipped(a.outline, w.box)
	var err error
	if w.in, err = a.layers.window(ctx, w.window); err != nil {
		return nil, err
	}
	grid := &raster.Grid{West: w.window.West, North: w.window.North, Step: 1, Cols: int(w.window.East - w.window.West),
		Rows: int(w.window.North - w.window.South)}
	w.mask = raster.MaskOf(grid, w.meant)
	w.part.Cells = w.mask.Count()
	w.own(grid)
	if w.in.DTM != nil {
		w.ground()
	}
	for _, step := range []func(context.Context) error{w.segments, w.trees, w.changes} {
		if err := step(ctx); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	w.buildings()
	w.losses()
	w.vertices()
	w.ofParcels()
	return w.part, nil
}

// own says which parcel each cell of the square lies in: that of its centre, the first where parcels overlap.
func (w *work) own(grid *raster.Grid) {
	w.owner = make([]int32, grid.Cols*grid.Rows)
	for i := range w.owner {
		w.owner[i] = -1
	}
	for i, box := range w.boxes {
		if !box.Overlaps(w.box) {
			continue
		}
		at := &raster.Grid{Step: 1}
		b := common(box.Aligned(1), w.box)
		at.West, at.North, at.Cols, at.Rows = b.West, b.North, int(b.East-b.West), int(b.North-b.South)
		if at.Cols < 1 || at.Rows < 1 {
			continue
		}
		c0, r0 := int(at.West-grid.West), int(grid.North-at.North)
		m := raster.MaskOf(at, w.planes[i])
		for row := range at.Rows {
			m.Each(row, func(from, to int) {
				for c := from; c < to; c++ {
					if k := (r0+row)*grid.Cols + c0 + c; w.owner[k] < 0 {
						w.owner[k] = int32(i)
					}
				}
			})
		}
	}
}

func common(a, b raster.Box) raster.Box {
	return raster.Box{West: max(a.West, b.West), South: max(a.South, b.South), East: min(a.East, b.East), North: min(a.North, b.North)}
}

// each calls f with the cells of the KG in the square.
func (w *work) each(f func(cell int)) {
	for row := range w.mask.Rows {
		w.mask.Each(row, func(from, to int) {
			for c := from; c < to; c++ {
				f(row*w.mask.Cols + c)
			}
		})
	}
}

// ground measures heights above the terrain and takes samples of it.
func (w *work) ground() {
	w.heights = &raster.Grid{West: w.window.West, North: w.window.North, Step: 1, Cols: w.in.DTM.Cols, Rows: w.in.DTM.Rows,
		Z: make([]float32, len(w.in.DTM.Z))}
	for i, z := range w.in.DTM.Z {
		w.heights.Z[i] = w.in.DSM.Z[i] - z
	}
	w.each(func(i int) {
		if h := w.heights.Z[i]; h == h {
			w.part.Known++
		}
	})
	const first = segment.Halo + sampleStep/2
	for row := first; row < segment.Halo+segment.Side; row += sampleStep {
		for col := first; col < segment.Halo+segment.Side; col += sampleStep {
			if z := w.in.DTM.Z[row*w.in.DTM.Cols+col]; z == z && w.mask.Has(col, row) {
				x, y := w.in.DTM.Centre(col, row)
				w.part.Samples = append(w.part.Samples, sample{onplane.Degrees(raster.XY{X: x, Y: y}), float64(z)})
			}
		}
	}
}

// segments divides the square and tells what its parts are. Objects end at the border of the square.
func (w *work) segments(ctx context.Context) error {
	if w.in.DTM == nil && w.in.Red == nil || len(w.meant) == 0 {
		return nil
	}
	l, err := segment.Divide(ctx, w.meant, segment.Default(), func(context.Context, raster.Box) (*segment.Layers, error) {
		return w.in, nil
	},
		func(ctx context.Context) error { return ctx.Err() })
	if err != nil {
		return err
	}
	var tells segment.Classifier
	if w.model != nil {
		tells = w.model
	}
	told := segment.Classify(l.Objects, tells)
	outlines := l.Partition()
	w.part.Objects = make([]object, 0, len(l.Objects))
	for i := range l.Objects {
		o := object{Object: l.Objects[i], Answer: told[i], Parcel: -1, At: onplane.Degrees(raster.XY{X: l.Objects[i].X, Y: l.Objects[i].Y})}
		o.Outline = w.traced.Turned(l.Outline(outlines, &o.Object))
		w.part.Objects = append(w.part.Objects, o)
	}
	w.overlay(l, w.part.Objects)
	return nil
}

// trees finds the trees whose apexes lie in the KG.
func (w *work) trees(ctx context.Context) error {
	if w.in.DSM == nil {
		return nil
	}
	// Nothing beyond the margin of a search changes a tree: where little of the square is the KG's, little is looked at.
	around := w.mask.Bounds()
	if around[0] == around[1] {
		return nil
	}
	box := raster.Box{West: w.window.West + float64(around[0]), East: w.window.West + float64(around[1]),
		North: w.window.North - float64(around[2]), South: w.window.North - float64(around[3])}
	near := common(box.Grown(canopy.Halo), w.window)
	l := canopy.Layers{DTM: w.in.DTM.Part(near), DSM: w.in.DSM.Part(near), Buildings: w.in.Buildings,
		BuildingsKnown: w.in.BuildingsKnown}
	if w.in.Red != nil {
		l.Photo = canopy.Bands{w.in.Red.Part(near), w.in.Green.Part(near), w.in.Blue.Part(near), w.in.NIR.Part(near)}
	}
	p := canopy.Default()
	p.Fused = l.Photo != nil
	west, north := int(near.West-w.window.West), int(w.window.North-near.North)
	for _, t := range canopy.Find(l, box, p) {
		t.Col, t.Row = west+t.Col, north+t.Row
		if !w.mask.Has(t.Col, t.Row) || t.Class.Rejected() || t.Likelihood < leastLikely {
			continue
		}
		at := t.Row*w.mask.Cols + t.Col
		t.Cells = nil
		found := tree{Tree: t, Parcel: w.owner[at], At: onplane.Degrees(raster.XY{X: t.X, Y: t.Y}), Segment: -1}
		if w.labels != nil && w.labels[at] > 0 {
			found.Segment = int(w.labels[at]) - 1
		}
		w.part.Trees = append(w.part.Trees, found)
	}
	return ctx.Err()
}

// leastLikely is the likelihood from which on a crown is a tree, as in the service's default.
const leastLikely = 0.35

// changes finds what has changed since the scan before, with the hints of the cadastre and of orthophotos that the service looks at.
func (w *work) changes(ctx context.Context) error {
	if w.in.EarlierDTM == nil || w.in.DTM == nil || len(w.meant) == 0 {
		return nil
	}
	o := change.Options{MinChange: 1, Partly: slices.ContainsFunc(w.layers.absent, onplane.Box(w.box).Intersects)}
	if w.in.BuildingsKnown {
		o.Footprints = append([]raster.Polygon{}, w.in.Buildings...)
	}
	if w.layers.photos != nil {
		o.Photos = w.layers.photos
	}
	found, err := change.Find(ctx, &scans{w.layers, w.window, w.in}, w.meant, o)
	if err != nil {
		return err
	}
	w.part.Change.Known = found.Known
	for i := range found.Events {
		e := event{found.Events[i], onplane.Degrees(raster.XY{X: found.Events[i].X, Y: found.Events[i].Y})}
		w.part.Change.Net += e.SurfaceVolume
		w.part.Change.Disturbed += math.Abs(e.TerrainVolume)
		w.part.Events = append(w.part.Events, e)
	}
	return nil
}

// scans reads the models of two dates: of a square what was read of it, of the land around what is asked for.
type scans struct {
	*layers
	window raster.Box
	in     *segment.Layers
}

func (s *scans) Window(ctx context.Context, l change.Layer, b raster.Box) (*raster.Grid, error) {
	if s.window.Holds(b) {
		of := [...]*raster.Grid{change.TerrainBefore: s.in.EarlierDTM, change.SurfaceBefore: s.in.EarlierDSM,
			change.TerrainAfter: s.in.DTM, change.SurfaceAfter: s.in.DSM}
		return of[l].Part(b), nil
	}
	of := [...]int{change.TerrainBefore: 0, change.SurfaceBefore: 1, change.TerrainAfter: 2, change.SurfaceAfter: 3}
	return s.layers.Window(ctx, s.models()[of[l]], b)
}

// Below is as far as is asked: of a square all is held.
func (s *scans) Below(float64) float64 { return math.Inf(-1) }

// losses counts the cells of the forest layer by the year of their loss.
func (w *work) losses() {
	g := w.in.Loss
	if g == nil {
		return
	}
	for i, z := range g.Z {
		if !(z > 0) {
			continue
		}
		x, y := g.Centre(i%g.Cols, i/g.Cols)
		col, row := int(math.Floor(x-w.window.West)), int(math.Floor(w.window.North-y))
		if col < 0 || row < 0 || col >= w.mask.Cols || row >= w.mask.Rows || !w.mask.Has(col, row) {
			continue
		}
		year := 2000 + int(z)
		w.part.Loss[year]++
		if p := w.owner[row*w.mask.Cols+col]; p >= 0 {
			w.parcel(p).lost(year)
		}
	}
}

// parcel is the part of a parcel that lies in the square.
func (w *work) parcel(i int32) *parcelPart {
	at, ok := slices.BinarySearchFunc(w.part.Parcels, i, func(p parcelPart, i int32) int { return int(p.Number - i) })
	if !ok {
		w.part.Parcels = slices.Insert(w.part.Parcels, at, parcelPart{Number: i})
	}
	return &w.part.Parcels[at]
}
