package raster

import (
	"math"
	"slices"
)

// XY is a place in the plane.
type XY struct{ X, Y float64 }

// Polygon are rings, outer and holes in any order: what an odd number of them holds is inside. Rings need not be closed.
type Polygon [][]XY

// BoxOf is the box of polygons.
func BoxOf(polygons []Polygon) Box {
	b := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range polygons {
		for _, r := range p {
			for _, v := range r {
				b = Box{min(b.West, v.X), min(b.South, v.Y), max(b.East, v.X), max(b.North, v.Y)}
			}
		}
	}
	return b
}

// Mask says of each cell of a grid whether it is meant.
type Mask struct {
	Cols, Rows int
	runs       [][]run // by row, rising, apart
}

// run are the cells from a column up to another one.
type run struct{ from, to int }

// MaskOf are the cells whose centres lie inside one of the polygons, as GDAL rasterises them.
func MaskOf(g *Grid, polygons []Polygon) *Mask {
	m := &Mask{Cols: g.Cols, Rows: g.Rows, runs: make([][]run, g.Rows)}
	crossings := make([][]float64, g.Rows)
	for _, p := range polygons {
		first, last := g.rowsOf(p)
		for row := first; row < last; row++ {
			crossings[row] = crossings[row][:0]
		}
		for _, r := range p {
			for i, a := range r {
				g.cross(crossings, a, r[(i+1)%len(r)])
			}
		}
		for row := first; row < last; row++ {
			xs := crossings[row]
			slices.Sort(xs)
			for i := 0; i+1 < len(xs); i += 2 {
				// The centres from xs[i] up to, not including, xs[i+1]: a border between two polygons counts once.
				from, to := int(math.Ceil((xs[i]-g.West)/g.Step-0.5)), int(math.Ceil((xs[i+1]-g.West)/g.Step-0.5))
				if from, to = max(from, 0), min(to, g.Cols); from < to {
					m.runs[row] = append(m.runs[row], run{from, to})
				}
			}
		}
	}
	for row := range m.runs {
		m.runs[row] = joined(m.runs[row])
	}
	return m
}

// rowsOf are the rows, from one up to another one, whose centres a polygon may hold.
func (g *Grid) rowsOf(p Polygon) (first, last int) {
	b := BoxOf([]Polygon{p})
	if !(b.South <= b.North) {
		return 0, 0 // no vertex
	}
	at := func(y float64) int { return int(min(max(math.Ceil((g.North-y)/g.Step-0.5), 0), float64(g.Rows))) }
	return at(b.North), at(b.South)
}

// cross notes where an edge crosses the lines through the centres of rows.
func (g *Grid) cross(crossings [][]float64, a, b XY) {
	if a.Y == b.Y {
		return
	}
	if a.Y < b.Y {
		a, b = b, a // a is the northern end
	}
	first, last := int(math.Ceil((g.North-a.Y)/g.Step-0.5)), int(math.Ceil((g.North-b.Y)/g.Step-0.5))
	for row := max(first, 0); row < min(last, g.Rows); row++ {
		y := g.North - float64((float64(row)+0.5)*g.Step)
		crossings[row] = append(crossings[row], a.X+float64((b.X-a.X)*((a.Y-y)/(a.Y-b.Y))))
	}
}

// joined are runs by rising column without overlaps.
func joined(runs []run) []run {
	if len(runs) < 2 {
		return runs
	}
	slices.SortFunc(runs, func(a, b run) int { return a.from - b.from })
	out := runs[:1]
	for _, r := range runs[1:] {
		if last := &out[len(out)-1]; r.from <= last.to {
			last.to = max(last.to, r.to)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// Each calls f with the runs of meant cells of a row.
func (m *Mask) Each(row int, f func(from, to int)) {
	for _, r := range m.runs[row] {
		f(r.from, r.to)
	}
}

// Bounds are the columns and the rows of the meant cells, each from one up to another one; all are 0 where no cell is meant.
func (m *Mask) Bounds() (b [4]int) {
	for row, runs := range m.runs {
		if len(runs) == 0 {
			continue
		}
		from, to := runs[0].from, runs[len(runs)-1].to
		if b[1] == 0 {
			b = [4]int{from, to, row, row + 1}
		}
		b = [4]int{min(b[0], from), max(b[1], to), b[2], row + 1}
	}
	return b
}

// Count is the number of meant cells.
func (m *Mask) Count() int {
	n := 0
	for _, runs := range m.runs {
		for _, r := range runs {
			n += r.to - r.from
		}
	}
	return n
}

// Has says whether a cell is meant.
func (m *Mask) Has(col, row int) bool {
	runs := m.runs[row]
	for len(runs) > 4 { // the area of a comb has hundreds in a row
		if half := len(runs) / 2; col < runs[half].from {
			runs = runs[:half]
		} else {
			runs = runs[half:]
		}
	}
	for _, r := range runs {
		if col >= r.from && col < r.to {
			return true
		}
	}
	return false
}

// Keep leaves the cells whose centres lie inside one of the polygons; nothing is known of the others then.
func (g *Grid) Keep(polygons []Polygon) {
	m := MaskOf(g, polygons)
	nan := float32(math.NaN())
	for row := range g.Rows {
		line, at := g.Row(row), 0
		m.Each(row, func(from, to int) {
			for ; at < from; at++ {
				line[at] = nan
			}
			at = to
		})
		for ; at < g.Cols; at++ {
			line[at] = nan
		}
	}
}
