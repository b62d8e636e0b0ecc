package terrain

import (
	"math"
	"runtime"
	"sync"

	"mappe/shared/geo/raster"
)

// Stats describe values: NaN where there are none.
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

// slopeBins are tenths of a degree.
const slopeBins = 901

// moments are sums that statistics are made of. Values are shifted by one of them, so that squares of heights keep their
// digits.
type moments struct {
	n        int
	shift    float64
	sum, sq  float64
	min, max float64
}

func (m *moments) add(v float64) {
	if m.n == 0 {
		m.shift, m.min, m.max = v, v, v
	}
	m.n++
	m.min, m.max = min(m.min, v), max(m.max, v)
	d := v - m.shift
	m.sum, m.sq = m.sum+d, m.sq+d*d
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

// Summarise sums the terrain of the meant cells of a grid. The grid has a margin of a cell around them, or the cells at
// its border have a height only.
func Summarise(g *raster.Grid, m *raster.Mask) *Summary {
	bands := make([]Summary, (g.Rows+band-1)/band)
	next := make(chan int, len(bands))
	for i := range bands {
		next <- i
	}
	close(next)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(bands)) {
		wait.Go(func() {
			row := NewRow(g.Cols)
			for i := range next {
				for r := i * band; r < min((i+1)*band, g.Rows); r++ {
					bands[i].add(g, m, row, r)
				}
			}
		})
	}
	wait.Wait()
	out := &Summary{}
	for i := range bands {
		out.join(&bands[i])
	}
	out.close()
	return out
}

// add sums the meant cells of a row.
func (s *Summary) add(g *raster.Grid, m *raster.Mask, row *Row, r int) {
	computed := false
	m.Each(r, func(from, to int) {
		if !computed {
			row.Compute(g, r)
			computed = true
		}
		heights := g.Row(r)
		s.Cells += to - from
		for i := from; i < to; i++ {
			z := heights[i]
			if z != z {
				continue
			}
			s.sums[0].add(float64(z))
			slope := float64(row.Slope[i])
			if slope != slope {
				continue
			}
			s.sums[1].add(slope)
			s.sums[2].add(float64(row.TRI[i]))
			s.sums[3].add(float64(row.TPI[i]))
			s.sums[4].add(float64(row.Curvature[i]))
			s.steepness[int(slope*10)]++
			s.direction(slope, float64(row.Aspect[i]))
		}
	})
}

// direction counts the aspect of a cell.
func (s *Summary) direction(slope, aspect float64) {
	if slope < flatBelow || aspect < 0 {
		s.Aspects[8]++
		return
	}
	s.Aspects[int((aspect+22.5)/45)%8]++
	sin, cos := math.Sincos(aspect / degrees)
	s.eastward += slope * sin
	s.northward += slope * cos
	s.weights += slope
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
	s.Elevation, s.Slope, s.TRI, s.TPI, s.Curvature = s.sums[0].stats(), s.sums[1].stats(), s.sums[2].stats(), s.sums[3].stats(), s.sums[4].stats()
	s.SlopeP90 = math.NaN()
	if s.Derived == 0 {
		s.AspectMean = math.NaN()
		return
	}
	for below, i := 0, 0; i < slopeBins; i++ {
		if below += s.steepness[i]; 10*below >= 9*s.Derived {
			s.SlopeP90 = min(float64(i+1)/10, s.Slope.Max)
			break
		}
	}
	most := 8
	for i, n := range s.Aspects {
		if n > s.Aspects[most] {
			most = i
		}
	}
	if 2*s.Aspects[8] > s.Derived {
		most = 8
	}
	s.AspectDominant, s.AspectMean = Sectors[most], -1
	// Directions that cancel each other out have no mean.
	if most != 8 && math.Hypot(s.eastward, s.northward) > 1e-6*s.weights {
		if s.AspectMean = math.Atan2(s.eastward, s.northward) * degrees; s.AspectMean < 0 {
			s.AspectMean += 360
		}
	}
	s.Class = ClassOf(s.TRI.Mean)
}
