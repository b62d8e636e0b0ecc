package canopy

import (
	"iter"
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// canopyFrom is the height in metres from which on a cell is canopy, as the described service has it.
const canopyFrom = 2.0

// Ground is what of an area is canopy, summed window by window.
type Ground struct {
	Cells   int   // of the area
	Known   int   // of them, those with heights
	Canopy  int   // of these, those at least 2 m high that are no building
	Stand   int   // cells of which half of the 11 x 11 around is canopy
	Gaps    int   // of them, those below 2 m
	Profile []int // canopy cells by 2 m of height
}

// Merge adds the sums of another window.
func (g *Ground) Merge(o *Ground) {
	g.Cells, g.Known, g.Canopy, g.Stand, g.Gaps = g.Cells+o.Cells, g.Known+o.Known, g.Canopy+o.Canopy, g.Stand+o.Stand, g.Gaps+o.Gaps
	for len(g.Profile) < len(o.Profile) {
		g.Profile = append(g.Profile, 0)
	}
	for i, n := range o.Profile {
		g.Profile[i] += n
	}
}

// gapReach is half of the window that tells a stand from open land.
const gapReach = 5

// AddTo sums the cells of the window that is laid whose middles lie in the area and in a box. Windows reach gapReach around the
// box.
func (f *Finder) AddTo(g *Ground, area *raster.Mask, within raster.Box) {
	m := &f.m
	w := m.cols + 1
	f.sums = sized(f.sums, w*(m.rows+1), true)
	sums := corners{f.sums, w}
	canopy := func(cell int) bool {
		return m.raw[cell] >= canopyFrom && (m.buildings == nil || !m.buildings[cell])
	}
	for row := range m.rows {
		n := int32(0)
		for col := range m.cols {
			if canopy(row*m.cols + col) {
				n++
			}
			f.sums[(row+1)*w+col+1] = f.sums[row*w+col+1] + n
		}
	}
	for row := range m.rows {
		area.Each(row, func(from, to int) {
			for col := from; col < to; col++ {
				x, y := m.DSM.Centre(col, row)
				if x < within.West || x >= within.East || y < within.South || y >= within.North {
					continue
				}
				g.cell(m, sums, col, row, canopy(row*m.cols+col))
			}
		})
	}
}

// corners are the numbers of canopy cells north-west of the corners of cells, by row and column; the first ones have none.
type corners struct {
	sums []int32
	cols int
}

// within is how many there are in columns from x0 and rows from y0 up to x1 and y1.
func (c corners) within(x0, y0, x1, y1 int) int {
	return int(c.sums[y1*c.cols+x1] - c.sums[y0*c.cols+x1] - c.sums[y1*c.cols+x0] + c.sums[y0*c.cols+x0])
}

func (g *Ground) cell(m *model, c corners, col, row int, canopy bool) {
	g.Cells++
	h := m.raw[row*m.cols+col]
	if h < 0 {
		return
	}
	g.Known++
	if canopy {
		g.Canopy++
		bin := int(h / 2)
		for len(g.Profile) <= bin {
			g.Profile = append(g.Profile, 0)
		}
		g.Profile[bin]++
	}
	x0, x1 := max(col-gapReach, 0), min(col+gapReach+1, m.cols)
	y0, y1 := max(row-gapReach, 0), min(row+gapReach+1, m.rows)
	if 2*c.within(x0, y0, x1, y1) >= (x1-x0)*(y1-y0) {
		if g.Stand++; h < canopyFrom {
			g.Gaps++
		}
	}
}

// Summary are the figures of the trees of an area. NaN if the area has no trees.
type Summary struct {
	Trees, Edge                int
	AreaHa, CanopyHa           float64
	StemsCanopy, StemsTotal    float64 // trees a hectare
	Mean, P50, P90, P95, P99   float64 // heights, metres
	Max, Dominant, Top100      float64
	CrownArea                  float64 // m²
	CoverCanopy, CoverTotal    float64 // percent
	Histogram                  []int   // trees by 2 m of height
	Profile                    []float64
	GapFraction                float64
	Leaves, Vitalities         map[string]int
	SpeciesHints, Surfaces     map[string]int
	Sources                    map[string]int
	VolumeM3, VolumePerHectare float64
}

// Basis is the area that dominant heights are counted over.
type Basis string

// The bases: where there is canopy, or all of the area.
const (
	OfCanopy Basis = "canopy"
	OfTotal  Basis = "total"
)

// Summarise sums up trees: those that touch the edge of what is known are counted, and left out of heights.
func Summarise(trees iter.Seq[*Tree], g *Ground, basis Basis) Summary {
	s := Summary{AreaHa: float64(g.Cells) / 1e4, CanopyHa: float64(g.Canopy) / 1e4,
		Leaves: map[string]int{}, Vitalities: map[string]int{}, SpeciesHints: map[string]int{}, Surfaces: map[string]int{},
		Sources: map[string]int{}}
	var heights []float64
	sum := 0.0
	for t := range trees {
		s.Trees++
		if t.Edge {
			s.Edge++
		}
		heights = append(heights, t.Height)
		sum += t.Height
		s.CrownArea += t.CrownArea
		s.VolumeM3 += t.Volume
		s.Leaves[string(t.Leaf)]++
		s.Vitalities[string(t.Vitality)]++
		s.SpeciesHints[string(t.Species)]++
		s.Surfaces[string(t.Class)]++
		s.Sources[string(t.Source)]++
		bin := int(t.Height / 2)
		for len(s.Histogram) <= bin {
			s.Histogram = append(s.Histogram, 0)
		}
		s.Histogram[bin]++
	}
	s.StemsCanopy, s.StemsTotal = over(float64(s.Trees), s.CanopyHa), over(float64(s.Trees), s.AreaHa)
	s.CoverCanopy, s.CoverTotal = 100*over(s.CrownArea, s.CanopyHa*1e4), 100*over(s.CrownArea, s.AreaHa*1e4)
	s.CoverCanopy = min(s.CoverCanopy, 100)
	s.VolumePerHectare = over(s.VolumeM3, s.AreaHa)
	s.GapFraction = over(float64(g.Gaps), float64(g.Stand))
	for _, n := range g.Profile {
		s.Profile = append(s.Profile, over(float64(n), float64(g.Canopy)))
	}
	slices.Sort(heights)
	s.Mean = over(sum, float64(len(heights)))
	s.P50, s.P90, s.P95, s.P99, s.Max = quantile(heights, 0.5), quantile(heights, 0.9), quantile(heights, 0.95), quantile(heights, 0.99),
		quantile(heights, 1)
	ha := s.CanopyHa
	if basis == OfTotal {
		ha = s.AreaHa
	}
	s.Dominant = highest(heights, max(int(math.Round(100*ha)), 1))
	s.Top100 = highest(heights, 100)
	return s
}

func over(a, b float64) float64 {
	if b <= 0 {
		return math.NaN()
	}
	return a / b
}

// quantile is the value of a rising list that so many of it do not exceed, between neighbours by distance.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := float64(q * float64(len(sorted)-1))
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

// highest is the mean of the n last of a rising list.
func highest(sorted []float64, n int) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	last := sorted[max(len(sorted)-n, 0):]
	sum := 0.0
	for _, v := range last {
		sum += v
	}
	return sum / float64(len(last))
}
