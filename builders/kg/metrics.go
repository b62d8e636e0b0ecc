package kg

import (
	"maps"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// dominant is the code with the largest area, else with the most symbols; the lower code wins a tie.
func dominant(areas []kgfile.CodeArea, counts []kgfile.CodeCount) austria.LandUse {
	var code austria.LandUse
	most := 0.0
	for _, a := range areas {
		if a.Sqm > most {
			code, most = a.Code, a.Sqm
		}
	}
	if code != 0 {
		return code
	}
	n := 0
	for _, c := range counts {
		if c.N > n {
			code, n = c.Code, c.N
		}
	}
	return code
}

// sums adds up areas and symbols per code.
type sums struct {
	areas  map[austria.LandUse]float64
	counts map[austria.LandUse]int
}

func newSums() sums { return sums{map[austria.LandUse]float64{}, map[austria.LandUse]int{}} }

func (s sums) add(p *kgfile.Parcel) {
	for _, a := range p.UseAreas {
		s.areas[a.Code] += a.Sqm
	}
	for _, c := range p.SymbolCounts {
		s.counts[c.Code] += c.N
	}
}

func (s sums) lists() ([]kgfile.CodeArea, []kgfile.CodeCount) {
	var areas []kgfile.CodeArea
	for _, c := range slices.Sorted(maps.Keys(s.areas)) {
		areas = append(areas, kgfile.CodeArea{Code: c, Sqm: s.areas[c]})
	}
	return areas, sortedCounts(s.counts)
}

// measure fills in the counts and metrics of the KG.
func measure(s *kgfile.Snapshot) {
	k := &s.KG
	k.ParcelCount, k.BuildingCount, k.FootprintCount = len(s.Parcels), len(s.Buildings), len(s.Footprints)
	k.LandUseCount = len(s.LandUse) + len(s.Symbols)
	k.EZCount = len(s.Folios)
	use := newSums()
	var parcelAreas []float64
	var far, compact mean
	inFolio := 0
	for i := range s.Parcels {
		p := &s.Parcels[i]
		k.TotalAreaSqm += p.AreaSqm
		parcelAreas = append(parcelAreas, p.AreaSqm)
		use.add(p)
		if p.FootprintCount > 0 && p.AreaSqm > 0 {
			far.add(p.FAR)
		}
		if p.AreaSqm > 0 {
			compact.add(p.Compactness)
		}
		if p.EZ != 0 {
			inFolio++
		}
	}
	var footAreas []float64
	for i := range s.Footprints {
		k.TotalFootprintAreaSqm += s.Footprints[i].AreaSqm
		footAreas = append(footAreas, s.Footprints[i].AreaSqm)
	}
	areas, counts := use.lists()
	k.DominantLandUse = dominant(areas, counts)
	k.LandUseDiversity = shannon(areas)
	k.AvgFAR, k.AvgCompactness = far.value(), compact.value()
	k.MedianParcelAreaSqm, k.FootprintMedianAreaSqm = median(parcelAreas), median(footAreas)
	k.AvgNNDistanceM = neighbourDistance(s.Footprints)
	if k.EZCount > 0 {
		k.AvgParcelsPerEZ = float64(inFolio) / float64(k.EZCount)
	}
	if k.TotalAreaSqm > 0 {
		k.BuildingDensity = float64(k.FootprintCount) / (k.TotalAreaSqm / 1e6)
		k.BuiltUpRatio = k.TotalFootprintAreaSqm / k.TotalAreaSqm
	}
	k.Typology = typology(k)
}

// typology is the settlement type, from footprints per km² or the share of the area under footprints,
// whichever says more:
//
//	urban          from 800 per km² or 12 %
//	suburban       from 250 per km² or 4 %
//	rural_settled  from 40 per km² or 0.8 %
//	rural_agrarian everything else
func typology(k *kgfile.KG) kgfile.Typology {
	d, r := k.BuildingDensity, k.BuiltUpRatio
	switch {
	case !(k.TotalAreaSqm > 0):
		return kgfile.TypologyUnknown
	case d >= 800 || r >= 0.12:
		return kgfile.Urban
	case d >= 250 || r >= 0.04:
		return kgfile.Suburban
	case d >= 40 || r >= 0.008:
		return kgfile.RuralSettled
	}
	return kgfile.RuralAgrarian
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

// value is 0 of nothing.
func (m *mean) value() float64 {
	if m.n == 0 {
		return 0
	}
	return m.sum / float64(m.n)
}

// median is NaN of nothing.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	m := len(v) / 2
	if len(v)%2 == 1 {
		return v[m]
	}
	return (v[m-1] + v[m]) / 2
}

// shannon is the entropy of the shares of the codes, natural logarithm.
func shannon(areas []kgfile.CodeArea) float64 {
	total := 0.0
	for _, a := range areas {
		total += a.Sqm
	}
	h := 0.0
	for _, a := range areas {
		if p := a.Sqm / total; p > 0 {
			h -= float64(p * math.Log(p))
		}
	}
	return max(0, h)
}

// neighbourDistance is the mean distance, in metres, from the centroid of a footprint to the nearest
// other one; NaN below two. Centroids are filed in a grid of about one a cell and searched in growing
// squares of cells.
func neighbourDistance(feet []kgfile.Footprint) float64 {
	n := len(feet)
	if n < 2 {
		return math.NaN()
	}
	box := geom.EmptyBox
	for i := range feet {
		box = box.Extend(feet[i].Centroid)
	}
	plane := crs.Around(box.Center())
	type xy struct{ x, y float64 }
	at := make([]xy, n)
	lo, hi := xy{math.Inf(1), math.Inf(1)}, xy{math.Inf(-1), math.Inf(-1)}
	for i := range feet {
		x, y := plane.Project(feet[i].Centroid)
		at[i] = xy{x, y}
		lo, hi = xy{min(lo.x, x), min(lo.y, y)}, xy{max(hi.x, x), max(hi.y, y)}
	}
	side := max(1, math.Sqrt((hi.x-lo.x)*(hi.y-lo.y)/float64(n)), (hi.x-lo.x)/4096, (hi.y-lo.y)/4096)
	cols, rows := int((hi.x-lo.x)/side)+1, int((hi.y-lo.y)/side)+1
	cells := make([][]int32, cols*rows)
	cellOf := func(p xy) (int, int) { return int((p.x - lo.x) / side), int((p.y - lo.y) / side) }
	for i, p := range at {
		x, y := cellOf(p)
		cells[y*cols+x] = append(cells[y*cols+x], int32(i))
	}
	var m mean
	for i, p := range at {
		cx, cy := cellOf(p)
		best := math.Inf(1)
		// After the square of cells k steps away, everything nearer than k cells has been seen.
		for k := 0; k <= max(cols, rows) && best > float64(k-1)*side; k++ {
			for y := max(0, cy-k); y <= min(rows-1, cy+k); y++ {
				step := 1
				if y != cy-k && y != cy+k {
					step = 2 * k // only the square's western and eastern cells
				}
				for x := cx - k; x <= cx+k; x += max(1, step) {
					if x < 0 || x >= cols {
						continue
					}
					for _, j := range cells[y*cols+x] {
						if int(j) != i {
							best = min(best, math.Hypot(at[j].x-p.x, at[j].y-p.y))
						}
					}
				}
			}
		}
		m.add(best)
	}
	return m.value()
}
