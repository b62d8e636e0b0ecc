package terrain

import (
	"math"
	"runtime"
	"sync"

	"mappe/shared/geo/raster"
)

// Stats describe values: NaN if no value is known.
type Stats struct{ Mean, Min, Max, SD float64 }

// Sectors name the eight directions from north clockwise, and flat ground.
var Sectors = [9]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW", "flat"}

// flatBelow is the slope in degrees below which a cell counts as flat: its direction is noise.
const flatBelow = 2

// Summary is the terrain of an area.
type Summary struct {
	Cells                        int   // that are meant
	Known                        int   // of them, those with a height
	Derived                      int   // of them, those with neighbours all around
	Elevation                    Stats // metres
	Slope                        Stats // degrees
	SlopeP90                     float64
	TRI, TPI                     Stats // metres
	Curvature                    Stats // 1/m
	AspectMean                   float64
	Aspects                      [9]int // cells by sector
	AspectDominant               string
	Class                        string
	steepness                    [slopeBins]int
	sums                         [5]moments
	eastward, northward, weights float64
}

// slopeBins are hundredths of a degree, 0 to 90.
const (
	slopeBins = 9001
	perDegree = 100
)

// moments are sums that statistics are made of. Values are shifted by one of them, so that squares of heights keep their
// digits.
type moments struct {
	n        int
	shift    float64
	sum, sq  float64
	min, max float64
}

// add takes the values that are known. Comparisons instead of min and max, which look for NaN and signs of zeros once more.
func (m *moments) add(values []float32) {
	for m.n == 0 && len(values) > 0 {
		if v := float64(values[0]); v == v {
			*m = moments{shift: v, min: v, max: v}
			break
		}
		values = values[1:]
	}
	t := *m
	for _, z := range values {
		if z != z {
			continue
		}
		v := float64(z)
		if v < t.min {
			t.min = v
		}
		if v > t.max {
			t.max = v
		}
		d := v - t.shift
		t.n++
		t.sum += d
		t.sq += d * d
	}
	*m = t
}

// join adds those of another part.
func (m *moments) join(o *moments) {
	if o.n == 0 {
		return
	}
	if m.n == 0 {
		*m = *o
		return
	}
	d := o.shift - m.shift
	m.sq += o.sq + 2*d*o.sum + float64(o.n)*d*d
	m.sum += o.sum + float64(o.n)*d
	m.n += o.n
	m.min, m.max = min(m.min, o.min), max(m.max, o.max)
}

func (m *moments) stats() Stats {
	if m.n == 0 {
		return Stats{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	n := float64(m.n)
	mean := m.sum / n
	return Stats{m.shift + mean, m.min, m.max, math.Sqrt(max(m.sq/n-mean*mean, 0))}
}

// band is how many rows are summed at a time: their sums are joined in their order, so that the result does not depend
// on the number of processors.
const band = 128

// Sum sums the terrain of an area that comes in strips, from the north: no more than one of them is held.
type Sum struct{ all Summary }

// Add sums the meant cells of the rows from one up to another one of a grid; the rows beside them, where there are any,
// are the margin of the strip.
func (s *Sum) Add(g *raster.Grid, m *raster.Mask, from, to int) {
	bands := make([]Summary, (to-from+band-1)/band)
	next := make(chan int, len(bands))
	for i := range bands {
		next <- i
	}
	close(next)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(bands)) {
		wait.Go(func() {
			row := newGradients(g.Cols)
			for i := range next {
				for r := from + i*band; r < min(from+(i+1)*band, to); r++ {
					bands[i].add(g, m, row, r)
				}
			}
		})
	}
	wait.Wait()
	for i := range bands {
		s.all.join(&bands[i])
	}
}

// Summary is the terrain of the cells that were added.
func (s *Sum) Summary() *Summary {
	out := s.all
	out.close()
	return &out
}

// add sums the meant cells of a row.
func (s *Summary) add(g *raster.Grid, m *raster.Mask, row *gradients, r int) {
	m.Each(r, func(from, to int) {
		s.Cells += to - from
		s.sums[0].add(g.Row(r)[from:to])
		if r == 0 || r == g.Rows-1 {
			return
		}
		if from, to = max(from, 1), min(to, g.Cols-1); from >= to {
			return
		}
		row.compute(g, r, from, to)
		for i, values := range [4][]float32{row.slope, row.tri, row.tpi, row.curvature} {
			s.sums[1+i].add(values[from:to])
		}
		s.directions(row, from, to)
	})
}

// directions counts slopes by tenths of a degree and aspects by sector. The direction of the steepest descent is (-p, q);
// its sector follows from comparisons, without its angle.
func (s *Summary) directions(row *gradients, from, to int) {
	for i := from; i < to; i++ {
		slope := float64(row.slope[i])
		if slope != slope {
			continue
		}
		s.steepness[min(int(slope*perDegree), slopeBins-1)]++
		if slope < flatBelow {
			s.Aspects[8]++
			continue
		}
		east, north := -row.p[i], row.q[i]
		s.Aspects[SectorOf(east, north)]++
		by := slope / row.steep[i]
		s.eastward += by * east
		s.northward += by * north
		s.weights += slope
	}
}

// SectorOf is the sector of 45 degrees that a vector lies in: 0 north, 1 north-east, and so on. It follows from
// comparisons, without an angle.
func SectorOf(east, north float64) int {
	const eighth = 0.41421356237309503 // tan 22.5°
	ax, ay := math.Abs(east), math.Abs(north)
	switch {
	case ax <= eighth*ay && north >= 0:
		return 0
	case ax <= eighth*ay:
		return 4
	case ay <= eighth*ax && east >= 0:
		return 2
	case ay <= eighth*ax:
		return 6
	case east > 0 && north > 0:
		return 1
	case east > 0:
		return 3
	case north < 0:
		return 5
	}
	return 7
}

// gradients are what a summary needs of the cells of a row, in the terms of the package; p and q are the rises to the east
// and to the south, steep their length.
type gradients struct {
	slope, tri, tpi, curvature []float32
	p, q, steep                []float64
	rises                      *Rises
}

func newGradients(cols int) *gradients {
	r := &gradients{rises: NewRises(cols)}
	for _, v := range []*[]float32{&r.slope, &r.tri, &r.tpi, &r.curvature} {
		*v = make([]float32, cols)
	}
	for _, v := range []*[]float64{&r.p, &r.q, &r.steep} {
		*v = make([]float64, cols)
	}
	return r
}

// compute fills the cells from a column up to another one; neither is at the border of the grid.
func (r *gradients) compute(g *raster.Grid, row, from, to int) {
	r.rises.Fill(g.Row(row-1), g.Row(row), g.Row(row+1), from, to)
	eighth, quarter := 1/(8*g.Step), 1/(g.Step*g.Step)
	for i := from; i < to; i++ {
		p, q := r.rises.East[i]*eighth, r.rises.South[i]*eighth
		steep := math.Sqrt(float64(p*p) + float64(q*q))
		r.p[i], r.q[i], r.steep[i] = p, q, steep
		r.slope[i] = float32(math.Atan(steep) * degrees)
		r.tri[i] = float32(math.Sqrt(r.rises.Squares[i]))
		r.tpi[i] = float32(-r.rises.All[i] / 8)
		r.curvature[i] = float32(-r.rises.Straight[i] * quarter)
		if r.tpi[i] != r.tpi[i] { // curvature looks at four neighbours only
			r.curvature[i] = nan
		}
	}
}

func (s *Summary) join(o *Summary) {
	s.Cells += o.Cells
	for i := range s.sums {
		s.sums[i].join(&o.sums[i])
	}
	for i, n := range o.steepness {
		s.steepness[i] += n
	}
	for i, n := range o.Aspects {
		s.Aspects[i] += n
	}
	s.eastward, s.northward, s.weights = s.eastward+o.eastward, s.northward+o.northward, s.weights+o.weights
}

// close makes the statistics of the sums.
func (s *Summary) close() {
	s.Known, s.Derived = s.sums[0].n, s.sums[1].n
	s.Elevation, s.Slope, s.TRI, s.TPI, s.Curvature = s.sums[0].stats(), s.sums[1].stats(), s.sums[2].stats(), s.sums[3].stats(),
		s.sums[4].stats()
	s.SlopeP90 = math.NaN()
	if s.Derived == 0 {
		s.AspectMean = math.NaN()
		return
	}
	s.SlopeP90 = s.slopeAt(0.9)
	most, mean := aspectOf(&s.Aspects, s.Derived, s.eastward, s.northward, s.weights)
	s.AspectDominant, s.AspectMean = Sectors[most], mean
	s.Class = ClassOf(s.TRI.Mean)
}

// aspectOf is the dominant sector and the mean direction of cells: flat where most cells are, else the direction that most of the
// others have. Directions that cancel each other out have no mean, which is -1.
func aspectOf(aspects *[9]int, derived int, eastward, northward, weights float64) (most int, mean float64) {
	most = 8
	if 2*aspects[8] <= derived {
		most = 0
		for i, n := range aspects[:8] {
			if n > aspects[most] {
				most = i
			}
		}
	}
	mean = -1
	if most != 8 && math.Hypot(eastward, northward) > 1e-6*weights {
		if mean = math.Atan2(eastward, northward) * degrees; mean < 0 {
			mean += 360
		}
	}
	return most, mean
}

// slopeAt is a quantile of the slopes: within its hundredth of a degree as far along as its rank is.
func (s *Summary) slopeAt(share float64) float64 {
	rank := share * float64(s.Derived-1)
	below := 0
	for i, n := range s.steepness {
		if n > 0 && rank < float64(below+n) {
			at := (float64(i) + (rank-float64(below)+0.5)/float64(n)) / perDegree
			return min(max(at, s.Slope.Min), s.Slope.Max)
		}
		below += n
	}
	return s.Slope.Max
}

// Slopes gives the slope of the cells of a row in degrees, NaN where one has none; out has as many places as the grid has
// columns. A row at the border of the grid has no slopes.
func Slopes(g *raster.Grid, row int, out []float32) {
	for i := range out {
		out[i] = nan
	}
	if row < 1 || row >= g.Rows-1 || g.Cols < 3 {
		return
	}
	r := newGradients(g.Cols)
	r.compute(g, row, 1, g.Cols-1)
	for i := 1; i < g.Cols-1; i++ {
		if r.tri[i] == r.tri[i] { // all eight neighbours are known, and the cell
			out[i] = r.slope[i]
		}
	}
}
