package trees

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/library"
	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/core/view"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
	"mappe/shared/web/fault"
)

const (
	// side is that of the squares in metres that an area is searched in, anchored at its multiples.
	side = 1000
	// mostTrees bounds an answer.
	mostTrees = 100_000
	// squareBytes is about what the search in a square takes, photoBytes what the orthophoto of it does; treeBytes what is held of
	// a tree, which stands in a file.
	squareBytes = 80 << 20
	photoBytes  = 120 << 20
	treeBytes   = 100
	// passing is the area in m² from which on rasters are read once and kept for as long as the squares beside them need them: the
	// memory of a search is the same from there on, and the cache stays with the others.
	passing   = 2e6
	roomBytes = 96 << 20
)

// search is a question about trees, in work.
type search struct {
	s        *scans.Source
	v        *view.View
	area     *drawn.Area
	params   canopy.Params
	cadastre bool // footprints are asked for
	photo    *rasters.Layer
	seedStep string // metres that the orthophoto is read in; "" is its own
	progress *tasks.Progress
	finders  *finders
	room     *library.Room // for the rasters of a large area; nil of a small one
	list     []raster.Box  // squares; nil until they are asked for

	mu     sync.Mutex
	gaps   view.Missing
	known  bool // of some KG the footprints were read
	ground canopy.Ground
}

// found is a tree of the area.
type found struct {
	canopy.Tree
	Name    string
	Outline outline
}

func (f *found) place() place { return place{x: f.X, y: f.Y} }

// open begins a search of what is asked of an area.
func (e *service) open(ctx context.Context, a *drawn.Area, of *asked, progress *tasks.Progress) (*search, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	q := &search{s: s, v: v, area: a, params: of.canopy(), cadastre: of.Cadastre, progress: progress, finders: &finders{}}
	if a.M2 > passing {
		q.room = library.NewRoom(roomBytes)
	}
	if of.Ortho {
		q.photo, err = s.Newest(ctx, rasters.Ortho, q.wanted())
	}
	return q, err
}

// wanted is where datasets are looked for.
func (q *search) wanted() scans.Wanted {
	return scans.Wanted{Boxes: []raster.Box{q.area.Box()}, M2: q.area.M2}
}

// anew is the search with nothing found yet, for another date.
func (q *search) anew() *search {
	return &search{s: q.s, v: q.v, area: q.area, params: q.params, cadastre: q.cadastre, photo: q.photo, seedStep: q.seedStep,
		progress: q.progress, finders: q.finders, room: q.room, list: q.list}
}

// grounds are the terrain models of the dates, rising, of which the surface is published too: of all, or of the one that the
// parameter of a name gives.
func (q *search) grounds(name, date string) ([]*rasters.Layer, error) {
	var dates []string
	var out []*rasters.Layer
	for i := range q.s.List.Layers {
		l := &q.s.List.Layers[i]
		if l.Layer != rasters.DTM || q.surface(l) == nil {
			continue
		}
		dates = append(dates, l.Dataset())
		if date == "" || date == l.Dataset() {
			out = append(out, l)
		}
	}
	switch {
	case len(dates) == 0:
		return nil, fault.New(fault.NotFound, "no date with a terrain and a surface model in cells of 1 m is published")
	case len(out) == 0:
		return nil, fault.BadValue(name, date, "a date of which both models are published in cells of 1 m: "+strings.Join(dates, ", "))
	}
	return out, nil
}

// surface is the surface model of the date of a terrain model, both in cells of 1 m; nil if the date has no surface model.
func (q *search) surface(ground *rasters.Layer) *rasters.Layer {
	if l := q.s.List.Find(rasters.DSM, ground.Dataset()); l != nil && l.Step == 1 && ground.Step == 1 {
		return l
	}
	return nil
}

// squares are the parts of the area that lie in squares of 1 km, as the boxes of its cells there, from the north, then the west. One
// at least: of an area that holds the middle of no cell one cell of its box.
func (q *search) squares() []raster.Box {
	if q.list != nil {
		return q.list
	}
	b := q.area.Box().Aligned(1)
	for north := math.Ceil(b.North/side) * side; north > b.South; north -= side {
		band := raster.Box{West: b.West, South: max(north-side, b.South), East: b.East, North: min(north, b.North)}
		rows := raster.Grid{West: band.West, North: band.North, Step: 1, Cols: int(band.East - band.West),
			Rows: int(band.North - band.South)}
		meant := raster.MaskOf(&rows, q.area.Polygons)
		for west := math.Floor(b.West/side) * side; west < b.East; west += side {
			if part, any := cellsWithin(&rows, meant, max(west, b.West), min(west+side, b.East)); any {
				q.list = append(q.list, part)
			}
		}
	}
	if q.list == nil {
		q.list = []raster.Box{{West: b.West, South: b.North - 1, East: b.West + 1, North: b.North}}
	}
	return q.list
}

// cellsWithin is the box of the cells of a mask between two meridians of the plane.
func cellsWithin(g *raster.Grid, meant *raster.Mask, west, east float64) (b raster.Box, any bool) {
	left, right := int(west-g.West), int(east-g.West)
	c0, c1, r0, r1 := right, left, g.Rows, 0
	for row := range g.Rows {
		meant.Each(row, func(from, to int) {
			if from, to = max(from, left), min(to, right); from < to {
				c0, c1, r0, r1 = min(c0, from), max(c1, to), min(r0, row), row+1
			}
		})
	}
	return raster.Box{West: g.West + float64(c0), South: g.North - float64(r1), East: g.West + float64(c1), North: g.North - float64(r0)},
		c0 < c1
}

// each works on the squares, some at a time, and keeps in order what they give. The caller closes it.
func each[T any](ctx context.Context, q *search, step string, of func(*T) place, work func(ctx context.Context,
	square raster.Box) ([]T, error)) (_ *kept[T], err error) {
	squares := q.squares()
	if err := q.progress.Step(ctx, step, len(squares)); err != nil {
		return nil, err
	}
	out, err := newKept(of)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.close())
		}
	}()
	defer q.forget()
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(min(runtime.GOMAXPROCS(0), 4))
	for _, square := range squares {
		g.Go(func() error {
			if inner.Err() != nil {
				return context.Cause(inner)
			}
			part, err := work(inner, square)
			if err != nil {
				return err
			}
			q.mu.Lock()
			err = out.add(part)
			q.mu.Unlock()
			if err != nil {
				return err
			}
			return q.progress.Add(inner, 1)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out.sort()
	return out, nil
}

// forget gives back the room that squares are searched in: what was found is written long after the last of them.
func (q *search) forget() {
	q.finders.forget()
	if q.room != nil {
		q.room = library.NewRoom(roomBytes)
	}
}

// bytes is about what a search takes while it is worked on, and what its result does until it is written.
func (q *search) bytes(dates int) (working, held int64) {
	one := dates * squareBytes
	if q.photo != nil {
		one += photoBytes
	}
	cells, list := 0.0, slices.Clone(q.squares())
	slices.SortFunc(list, func(a, b raster.Box) int { return cmp.Compare(cellsAround(b), cellsAround(a)) })
	for _, square := range list[:min(len(list), runtime.GOMAXPROCS(0), 4)] {
		cells += cellsAround(square)
	}
	working = int64(cells / squareCells * float64(one))
	if q.room != nil {
		working += roomBytes
	}
	return working, int64(min(q.area.M2*0.06, mostTrees) * treeBytes)
}

// squareCells are the cells of a whole square with the margin that it is read with.
const squareCells = (side + 2*canopy.Halo) * (side + 2*canopy.Halo)

// cellsAround are the cells that are read for a part of a square.
func cellsAround(b raster.Box) float64 {
	b = b.Grown(canopy.Halo)
	return (b.East - b.West) * (b.North - b.South)
}

// layers reads what trees are found in around a square.
func (q *search) layers(ctx context.Context, square raster.Box, ground *rasters.Layer) (l canopy.Layers, err error) {
	b := square.Grown(canopy.Halo)
	ctx = q.reading(ctx)
	if l, err = q.heights(ctx, b, ground); err != nil {
		return l, err
	}
	if q.photo != nil {
		step := q.photoStep()
		pixels, err := mosaic.Samples[uint8](ctx, q.s.Mosaic, q.photo, b.Aligned(step), step)
		if err != nil {
			return l, generation.FaultOf(ctx, "the orthophoto", err)
		}
		l.Photo = photoOf(q.photo, pixels)
	}
	if q.cadastre {
		l.Buildings, l.BuildingsKnown, err = q.footprints(ctx, b)
	}
	return l, err
}

// reading is the context under which rasters are read.
func (q *search) reading(ctx context.Context) context.Context {
	if q.room == nil {
		return ctx
	}
	return q.room.In(ctx)
}

// heights reads the two models of a date in a box.
func (q *search) heights(ctx context.Context, b raster.Box, ground *rasters.Layer) (l canopy.Layers, err error) {
	ctx = q.reading(ctx)
	if l.DTM, err = q.s.Window(ctx, ground, b); err == nil {
		l.DSM, err = q.s.Window(ctx, q.surface(ground), b)
	}
	if err != nil {
		return l, generation.FaultOf(ctx, "the height models", err)
	}
	return l, nil
}

// photoStep is the side of the cells that the orthophoto is read in: of its own and its overviews' the coarsest that is no
// coarser than what is asked for, else its own.
func (q *search) photoStep() float64 {
	wanted, err := strconv.ParseFloat(q.seedStep, 64)
	step := q.photo.Step
	for err == nil && 2*step <= wanted+1e-9 {
		step *= 2
	}
	return step
}

// footprints are the buildings that reach into a box; known is false where no KG around it could be read.
func (q *search) footprints(ctx context.Context, b raster.Box) (out []raster.Polygon, known bool, err error) {
	box := onplane.Box(b)
	for _, code := range q.v.KGsNear(box) {
		var gaps view.Missing
		f, err := q.v.Read(ctx, code, &gaps)
		if err != nil {
			return nil, false, generation.Fault(ctx, err)
		}
		if f == nil {
			q.mu.Lock()
			q.gaps.Merge(gaps)
			q.mu.Unlock()
			continue
		}
		known = true
		q.mu.Lock()
		q.known = true
		q.mu.Unlock()
		table, err := f.Footprints()
		if err != nil {
			return nil, false, generation.Fault(ctx, err)
		}
		if err := f.FootprintsInBox(box, func(i int) bool {
			for _, p := range table[i].Geometry {
				out = append(out, onplane.Polygon(p))
			}
			return true
		}); err != nil {
			return nil, false, generation.Fault(ctx, err)
		}
	}
	return out, known, nil
}

// trees are those of the area on a date, by row from the north, then from the west. keep says which classes stay.
func (q *search) trees(ctx context.Context, ground *rasters.Layer, outlines bool, keep func(*canopy.Tree) bool,
	note func(*canopy.Tree)) (*kept[found], error) {
	return each(ctx, q, "finding trees", (*found).place, func(ctx context.Context, square raster.Box) ([]found, error) {
		l, err := q.layers(ctx, square, ground)
		if err != nil {
			return nil, err
		}
		f := q.finders.take()
		defer q.finders.give(f)
		f.On(l)
		mask := raster.MaskOf(l.DSM, q.area.Polygons)
		var sum canopy.Ground
		f.AddTo(&sum, mask, square)
		list := f.Find(square, q.params)
		q.mu.Lock()
		q.ground.Merge(&sum)
		q.mu.Unlock()
		var part []found
		for i := range list {
			t := &list[i]
			if !mask.Has(t.Col, t.Row) {
				continue
			}
			if !keep(t) {
				q.mu.Lock()
				note(t)
				q.mu.Unlock()
				continue
			}
			part = append(part, found{Tree: *t, Name: t.ID(), Outline: shape(t, l.DSM, outlines)})
			last := &part[len(part)-1]
			last.Edge = last.Edge || leaves(t, mask, l.DSM.Cols)
			last.Cells = nil
		}
		return part, nil
	})
}

// leaves says whether a crown reaches over the border of the area.
func leaves(t *canopy.Tree, mask *raster.Mask, cols int) bool {
	return slices.ContainsFunc(t.Cells, func(cell int32) bool { return !mask.Has(int(cell)%cols, int(cell)/cols) })
}

// shape is the outline of a crown in degrees; nil where points are asked for.
func shape(t *canopy.Tree, g *raster.Grid, outlines bool) outline {
	if !outlines {
		return nil
	}
	return outline(onplane.Turned(t.Outline(g)))
}

// covered is how much of the area has heights.
func (q *search) covered() scans.Coverage {
	return scans.Coverage{Cells: q.ground.Cells, Known: q.ground.Known}
}

// warnings say what is missing; the fault of an area of which nothing is known is the answer.
func (q *search) warnings(l *rasters.Layer) ([]string, error) {
	c := q.covered()
	if c.Known == 0 {
		return nil, fault.New(fault.NotFound, "no place of the area has heights of %s: /layers says where there are some", l.Date)
	}
	out := c.Warnings(l)
	if q.cadastre && q.mask() != "cadastre" {
		out = append(out, "footprints of buildings are not known everywhere: roofs may be taken for trees")
	}
	return out, nil
}

// mask says which footprints buildings were told by.
func (q *search) mask() string {
	switch {
	case !q.cadastre || !q.known:
		return "none"
	case !q.gaps.Ready():
		return "partial"
	}
	return "cadastre"
}
