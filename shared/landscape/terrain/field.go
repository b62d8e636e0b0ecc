package terrain

import (
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// Field is the terrain of a grid for areas that overlap: the figures of a cell are computed when the first area asks for them, and
// kept, 28 bytes a cell. It is not safe for concurrent use.
type Field struct {
	g               *raster.Grid
	row             *gradients
	spans           [][2]int // by row, the columns that are known, from one up to another one
	slope, tri, tpi []float32
	p, q            []float64
	bands           []Relief // of the area that is summed
}

// NewField has nothing computed yet.
func NewField(g *raster.Grid) *Field {
	n := g.Cols * g.Rows
	return &Field{g: g, row: newGradients(g.Cols), spans: make([][2]int, g.Rows), slope: make([]float32, n), tri: make([]float32, n),
		tpi: make([]float32, n), p: make([]float64, n), q: make([]float64, n)}
}

// Relief is the part of a Summary that sums of neighbouring areas are made of.
type Relief struct {
	Cells                        int
	Aspects                      [9]int
	elevation, slope             moments
	tri, tpi                     average
	eastward, northward, weights float64
}

// Known are the cells with a height, Derived those with neighbours all around.
func (r *Relief) Known() int   { return r.elevation.n }
func (r *Relief) Derived() int { return r.slope.n }

// Elevation and Slope describe the cells, TRI and TPI are the means of theirs, AspectMean is the mean direction of descent: as in a
// Summary.
func (r *Relief) Elevation() Stats { return r.elevation.stats() }
func (r *Relief) Slope() Stats     { return r.slope.stats() }
func (r *Relief) TRI() float64     { return r.tri.mean() }
func (r *Relief) TPI() float64     { return r.tpi.mean() }

func (r *Relief) AspectMean() float64 {
	if r.Derived() == 0 {
		return math.NaN()
	}
	_, mean := aspectOf(&r.Aspects, r.Derived(), r.eastward, r.northward, r.weights)
	return mean
}

// average is what of moments a mean is made of, in the same steps.
type average struct {
	n          int
	shift, sum float64
}

func (a *average) add(values []float32) {
	for a.n == 0 && len(values) > 0 {
		if v := float64(values[0]); v == v {
			*a = average{shift: v}
			break
		}
		values = values[1:]
	}
	t := *a
	for _, v := range values {
		if v == v {
			t.n++
			t.sum += float64(v) - t.shift
		}
	}
	*a = t
}

func (a *average) join(o *average) {
	if o.n == 0 {
		return
	}
	if a.n == 0 {
		*a = *o
		return
	}
	d := o.shift - a.shift
	a.sum += o.sum + float64(o.n)*d
	a.n += o.n
}

// mean is NaN of nothing.
func (a *average) mean() float64 { return a.shift + a.sum/float64(a.n) }

// Relief sums the meant cells of an area whose mask begins at a column and row of the grid. Its numbers are those that Summarise gives
// of that part of the grid, bit for bit: rows are summed in the same bands.
func (f *Field) Relief(m *raster.Mask, col0, row0 int) *Relief {
	n := (m.Rows + band - 1) / band
	f.bands = slices.Grow(f.bands[:0], n)[:n]
	clear(f.bands)
	for row := range m.Rows {
		to := &f.bands[row/band]
		m.Each(row, func(from, end int) { f.add(to, row0+row, col0+from, col0+end) })
	}
	var all Relief
	for i := range f.bands {
		all.join(&f.bands[i])
	}
	return &all
}

// add sums the cells of a row.
func (f *Field) add(r *Relief, row, from, to int) {
	r.Cells += to - from
	r.elevation.add(f.g.Row(row)[from:to])
	if row == 0 || row == f.g.Rows-1 {
		return
	}
	if from, to = max(from, 1), min(to, f.g.Cols-1); from >= to {
		return
	}
	f.know(row, from, to)
	at := row * f.g.Cols
	from, to = at+from, at+to
	r.slope.add(f.slope[from:to])
	r.tri.add(f.tri[from:to])
	r.tpi.add(f.tpi[from:to])
	p, q := f.p[from:to], f.q[from:to]
	for i, v := range f.slope[from:to] {
		slope := float64(v)
		if slope != slope {
			continue
		}
		if slope < flatBelow {
			r.Aspects[8]++
			continue
		}
		east, north := -p[i], q[i]
		r.Aspects[SectorOf(east, north)]++
		by := slope / math.Sqrt(float64(p[i]*p[i])+float64(q[i]*q[i]))
		r.eastward += by * east
		r.northward += by * north
		r.weights += slope
	}
}

// know computes the cells of a row that are not known yet; those between them and the known ones become known too.
func (f *Field) know(row, from, to int) {
	s := &f.spans[row]
	if s[0] == s[1] {
		f.compute(row, from, to)
		*s = [2]int{from, to}
		return
	}
	if from < s[0] {
		f.compute(row, from, s[0])
		s[0] = from
	}
	if to > s[1] {
		f.compute(row, s[1], to)
		s[1] = to
	}
}

func (f *Field) compute(row, from, to int) {
	f.row.compute(f.g, row, from, to)
	at := row * f.g.Cols
	copy(f.slope[at+from:], f.row.slope[from:to])
	copy(f.tri[at+from:], f.row.tri[from:to])
	copy(f.tpi[at+from:], f.row.tpi[from:to])
	copy(f.p[at+from:], f.row.p[from:to])
	copy(f.q[at+from:], f.row.q[from:to])
}

func (r *Relief) join(o *Relief) {
	r.Cells += o.Cells
	r.elevation.join(&o.elevation)
	r.slope.join(&o.slope)
	r.tri.join(&o.tri)
	r.tpi.join(&o.tpi)
	for i, n := range o.Aspects {
		r.Aspects[i] += n
	}
	r.eastward, r.northward, r.weights = r.eastward+o.eastward, r.northward+o.northward, r.weights+o.weights
}
