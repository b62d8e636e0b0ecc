package segment

import (
	"context"
	"encoding/binary"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"mappe/shared/geo/raster"
)

// Figures are what is known of an area that is divided, beside its objects.
type Figures struct {
	West, North float64 // of the north-western cell's corner, EPSG:3035
	Cols, Rows  int
	Cells       int // of the area
	Known       int // of them, those with a height above ground
	Found       int // of them, those in objects
	Squares     map[Method]int
	Used        [gradients]bool // layers that the gradient was made of somewhere
}

// Land is an area divided into objects, all of which are held.
type Land struct {
	Figures
	Labels  []int32  // of the cells from the north, rows from the west: the object's; 0: outside of the area, or nothing is known
	Objects []Object // by label - 1, from the north, then from the west
}

// Source gives the layers of a window; it is called for several at a time.
type Source func(ctx context.Context, window raster.Box) (*Layers, error)

// Workers is how many squares are in work at a time, at most: a square takes some 200 MB.
const Workers = 4

// Divide is Survey of an area that is small enough to be held: what it takes grows by some 8 MB a km².
func Divide(ctx context.Context, area []raster.Polygon, p Params, source Source, done func(ctx context.Context) error) (*Land, error) {
	d, err := Survey(ctx, area, p, Course{source, &held{}, done})
	if err != nil {
		return nil, err
	}
	return d.land()
}

// Course is what a survey takes from and gives to as it goes.
type Course struct {
	Source Source
	Store  Store
	Done   func(ctx context.Context) error // called when a square is done
}

// Survey divides an area, polygons in EPSG:3035, into objects, which are put into a store. An error of the course or of the context
// ends the work. A cell belongs to the area where its centre does.
func Survey(ctx context.Context, area []raster.Polygon, p Params, c Course) (*Division, error) {
	box := raster.BoxOf(area).Aligned(1)
	grid := raster.Grid{West: box.West, North: box.North, Step: 1, Cols: int(box.East - box.West), Rows: int(box.North - box.South)}
	meant := raster.MaskOf(&grid, area)
	w := work{p: p, land: &Figures{West: box.West, North: box.North, Cols: grid.Cols, Rows: grid.Rows, Cells: meant.Count(),
		Squares: map[Method]int{}}, meant: meant, store: writer{to: c.Store}}
	at := Squares(box, meant)
	w.squares = make([]*square, len(at))
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(min(runtime.GOMAXPROCS(0), Workers))
	for i, en := range at {
		g.Go(func() error {
			if inner.Err() != nil {
				return context.Cause(inner)
			}
			l, err := c.Source(inner, Window(en[0], en[1]))
			if err != nil {
				return err
			}
			if inner.Err() != nil {
				return context.Cause(inner)
			}
			if w.squares[i], err = w.square(l, en); err != nil {
				return err
			}
			return c.Done(inner)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	d, err := w.stitch()
	if err != nil {
		return nil, err
	}
	return d, ctx.Err()
}

// Squares are the squares, by the kilometres of their south-western corners, with cells of an area: from the north, then the
// west.
func Squares(box raster.Box, meant *raster.Mask) (out [][2]int) {
	for n := int(math.Ceil(box.North/Side)) - 1; float64(n+1)*Side > box.South; n-- {
		for e := int(math.Floor(box.West / Side)); float64(e)*Side < box.East; e++ {
			if touches(meant, int(float64(float64(e)*Side)-box.West), int(box.North-float64(float64(n+1)*Side))) {
				out = append(out, [2]int{e, n})
			}
		}
	}
	return out
}

// touches says whether a cell of the square that begins at a column and row is meant.
func touches(meant *raster.Mask, c0, q0 int) (any bool) {
	for q := max(q0, 0); q < min(q0+Side, meant.Rows) && !any; q++ {
		meant.Each(q, func(from, to int) { any = any || from < c0+Side && to > c0 })
	}
	return any
}

// work is the division of an area.
type work struct {
	p       Params
	land    *Figures
	meant   *raster.Mask
	store   writer
	squares []*square
	first   []int32 // number before the pieces of each square
	parent  []int32 // of pieces
	size    []int64 // of roots, in cells, meant or not
}

// square divides a square and keeps its labels where they are meant, by the numbers of its own pieces.
func (w *work) square(l *Layers, en [2]int) (*square, error) {
	c0, q0 := int(float64(float64(en[0])*Side)-w.land.West), int(w.land.North-float64(float64(en[1]+1)*Side))
	s, err := squareOf(l, en, w.p, meantIn(w.meant, c0, q0))
	if err != nil {
		return nil, err
	}
	row := make([]int32, Side)
	for i := range Side {
		clear(row)
		if q := q0 + i; q >= 0 && q < w.land.Rows {
			w.meant.Each(q, func(from, to int) {
				if from, to = max(from-c0, 0), min(to-c0, Side); from < to {
					copy(row[from:to], s.labels[i*Side+from:i*Side+to])
				}
			})
		}
		s.kept.add(row)
	}
	s.labels = nil
	s.kept.clip()
	return s, w.lay(s)
}

// meantIn are the cells of a square that are meant; the mask's column and row of its first cell are c0 and q0.
func meantIn(meant *raster.Mask, c0, q0 int) []bool {
	in := make([]bool, Side*Side)
	for row := range Side {
		if q := q0 + row; q >= 0 && q < meant.Rows {
			meant.Each(q, func(from, to int) {
				for c := max(from, c0); c < min(to, c0+Side); c++ {
					in[row*Side+c-c0] = true
				}
			})
		}
	}
	return in
}

// lay puts into the store what is not needed before all squares are done: the objects that are made, and of pieces that others
// may join the heights, of which there is one for each cell.
func (w *work) lay(s *square) error {
	b := make([]byte, 0, len(s.made)*recordBytes)
	for i := range s.made {
		b = s.made[i].append(b)
	}
	for i := range s.pieces {
		if p := &s.pieces[i]; p.body != nil {
			p.heightsAt, p.heightsN = int64(len(b)), len(p.heights)
			for _, h := range p.heights {
				b = binary.LittleEndian.AppendUint16(b, h)
			}
			p.heights = nil
		}
	}
	at, err := w.store.put(b)
	if err != nil {
		return err
	}
	for i := range s.pieces {
		switch p := &s.pieces[i]; {
		case p.made > 0:
			p.made = at + (p.made-1)*recordBytes + 1
		case p.body != nil:
			p.heightsAt += at
		}
	}
	s.made = nil
	return nil
}
