package landscape

import (
	"fmt"
	"math"
	"unsafe"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/outline"
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/segment"
)

// Entries of lists and bytes of outlines are more than one for each stored byte at most by this.
const (
	manyBase = 1 << 12
	manyPer  = 24
)

var powers = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// steps is a number as it is stored: 0 where it is missing.
func (c *Column[T]) steps(v float64) (uint64, error) {
	if v != v {
		return 0, nil
	}
	q := math.Round(v * powers[c.Decimals])
	if !(math.Abs(q) < 1<<52) {
		return 0, fmt.Errorf("%s: %g cannot be stored", c.Name, v)
	}
	return column.Zig(int64(q)) + 1, nil
}

func (c *Column[T]) value(u uint64) float64 {
	if u == 0 {
		return math.NaN()
	}
	return float64(column.Unzig(u-1)) / powers[c.Decimals]
}

// Round is a number as it is after it was stored.
func (c *Column[T]) Round(v float64) float64 {
	if v != v {
		return v
	}
	return math.Round(v*powers[c.Decimals]) / powers[c.Decimals]
}

func put[T any](w *column.Writer, rows []T, columns Columns[T]) {
	for i := range columns {
		columns[i].put(w, rows)
	}
}

func (c *Column[T]) put(w *column.Writer, rows []T) {
	each := func(of func(*T) uint64) {
		v := make([]uint64, len(rows))
		for i := range rows {
			v[i] = of(&rows[i])
		}
		w.Ints(v)
	}
	switch c.Type {
	case Number, Count:
		each(func(t *T) uint64 {
			u, err := c.steps(c.get(t))
			if err != nil {
				w.Fail("%v", err)
			}
			return u
		})
	case Text:
		column.Texts(w, rows, func(t *T) string { return *c.text(t) })
	case Flag:
		each(func(t *T) uint64 {
			if *c.flag(t) {
				return 1
			}
			return 0
		})
	case Type:
		each(func(t *T) uint64 { return uint64(*c.code(t)) })
	case Place:
		putPlaces(w, len(rows), func(i int) geom.Point { return *c.place(&rows[i]) })
	case Bounds:
		putPlaces(w, len(rows), func(i int) geom.Point { b := c.bounds(&rows[i]); return geom.Point{X: b.MinX, Y: b.MinY} })
		putPlaces(w, len(rows), func(i int) geom.Point { b := c.bounds(&rows[i]); return geom.Point{X: b.MaxX, Y: b.MaxY} })
	}
}

// putPlaces writes places by their differences to the one before.
func putPlaces(w *column.Writer, n int, of func(i int) geom.Point) {
	x, y := make([]int64, n), make([]int64, n)
	last := geom.Point{}
	for i := range n {
		p := of(i)
		x[i], y[i] = int64(p.X)-int64(last.X), int64(p.Y)-int64(last.Y)
		last = p
	}
	w.Signed(x)
	w.Signed(y)
}

func get[T any](r *column.Reader, rows []T, columns Columns[T]) {
	for i := range columns {
		columns[i].read(r, rows)
	}
}

func (c *Column[T]) read(r *column.Reader, rows []T) {
	switch n := len(rows); c.Type {
	case Number, Count:
		for i, u := range column.Ints[uint64](r, n) {
			if u > 1<<53 {
				r.Fail("%s of row %d: %d steps", c.Name, i, u)
				return
			}
			c.set(&rows[i], c.value(u))
		}
	case Text:
		r.EachText(n, func(i int, s string) { *c.text(&rows[i]) = s })
	case Flag:
		for i, u := range column.Ints[uint8](r, n) {
			*c.flag(&rows[i]) = u != 0
		}
	case Type:
		for i, u := range column.Ints[uint8](r, n) {
			*c.code(&rows[i]) = segment.Type(u)
		}
	case Place:
		readPlaces(r, n, func(i int, p geom.Point) { *c.place(&rows[i]) = p })
	case Bounds:
		readPlaces(r, n, func(i int, p geom.Point) { b := c.bounds(&rows[i]); b.MinX, b.MinY = p.X, p.Y })
		readPlaces(r, n, func(i int, p geom.Point) { b := c.bounds(&rows[i]); b.MaxX, b.MaxY = p.X, p.Y })
	}
}

func readPlaces(r *column.Reader, n int, set func(i int, p geom.Point)) {
	x, y := column.Ints[uint64](r, n), column.Ints[uint64](r, n)
	p := geom.Point{}
	for i := range x {
		p.X, p.Y = int32(int64(p.X)+column.Unzig(x[i])), int32(int64(p.Y)+column.Unzig(y[i]))
		set(i, p)
	}
}

// list is the rows of a U that each T has.
type list[T any] struct {
	put  func(w *column.Writer, rows []T)
	read func(r *column.Reader, rows []T) int64 // bytes of memory
}

func listOf[T, U any](at func(*T) *[]U, columns Columns[U]) list[T] {
	return list[T]{
		put: func(w *column.Writer, rows []T) {
			sizes := make([]uint64, len(rows))
			var all []U
			for i := range rows {
				l := *at(&rows[i])
				sizes[i], all = uint64(len(l)), append(all, l...)
			}
			w.Many(len(all), manyBase, manyPer)
			w.Ints(sizes)
			put(w, all, columns)
		},
		read: func(r *column.Reader, rows []T) int64 {
			total := r.Many(manyBase, manyPer)
			ends := column.Ends(r, column.Ints[uint32](r, len(rows)), total)
			if r.Err != nil {
				return 0
			}
			all := make([]U, total)
			get(r, all, columns)
			from := uint32(0)
			for i := range rows {
				if ends[i] > from {
					*at(&rows[i]) = all[from:ends[i]:ends[i]]
				}
				from = ends[i]
			}
			return int64(total) * int64(unsafe.Sizeof(*new(U)))
		},
	}
}

// outlines are geometries; those without one are nil.
func outlines[T any](at func(*T) *geom.MultiPolygon) list[T] {
	return list[T]{
		put: func(w *column.Writer, rows []T) {
			box := geom.EmptyBox
			for i := range rows {
				box = box.Union(at(&rows[i]).Bounds())
			}
			lengths := make([]uint64, len(rows))
			var all []byte
			for i := range rows {
				n := len(all)
				if g := *at(&rows[i]); len(g) > 0 {
					all = outline.Append(all, g, box)
				}
				lengths[i] = uint64(len(all) - n)
			}
			w.Signed([]int64{int64(box.MinX), int64(box.MinY)})
			w.Many(len(all), manyBase, manyPer)
			w.Ints(lengths)
			w.Frame(all)
		},
		read: func(r *column.Reader, rows []T) int64 {
			corner := column.Ints[uint64](r, 2)
			box := geom.Box{MinX: int32(column.Unzig(corner[0])), MinY: int32(column.Unzig(corner[1]))}
			total := r.Many(manyBase, manyPer)
			ends := column.Ends(r, column.Ints[uint32](r, len(rows)), total)
			all := r.Frame(total)
			if r.Err != nil {
				return 0
			}
			from, cost := uint32(0), int64(0)
			for i := range rows {
				if ends[i] == from {
					continue
				}
				g := outline.Parse(all[from:ends[i]], box)
				if g == nil {
					r.Fail("row %d has no outline", i)
					return 0
				}
				*at(&rows[i]), from = g, ends[i]
				cost += 96 + 8*int64(g.Vertices())
			}
			return cost
		},
	}
}
