package analysis

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/functions/core/drawn"
	"mappe/functions/core/generation"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
)

// relief is what the two models say of a feature: no height is kept, only what comes of all of them.
type relief struct {
	places           int // that were looked up: points, places along lines, cells
	single           bool
	dtm, dsm, height spread
}

// spread is least, sum and greatest of values that are known.
type spread struct {
	n             int
	min, max, sum float64
}

func (s *spread) add(v float64) {
	switch {
	case v != v:
		return
	case s.n == 0:
		s.min, s.max = v, v
	case v < s.min:
		s.min = v
	case v > s.max:
		s.max = v
	}
	s.n++
	s.sum += v
}

// mean, least and greatest are NaN where nothing is known.
func (s *spread) of() (least, mean, most float64) {
	if s.n == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return s.min, s.sum / float64(s.n), s.max
}

// add takes up a place with its height in both models.
func (r *relief) add(below, above float32) {
	r.places++
	r.dtm.add(float64(below))
	r.dsm.add(float64(above))
	r.height.add(float64(above) - float64(below))
}

// addTo adds the heights to the properties of the feature.
func (r *relief) addTo(to map[string]any) {
	_, dtm, _ := r.dtm.of()
	_, dsm, _ := r.dsm.of()
	_, height, _ := r.height.of()
	if r.single || r.places == 0 {
		to["dtm_m"], to["dsm_m"], to["height_m"] = scans.Round(dtm, 2), scans.Round(dsm, 2), scans.Round(height, 2)
		return
	}
	for name, s := range map[string]*spread{"dtm": &r.dtm, "dsm": &r.dsm, "height": &r.height} {
		least, mean, most := s.of()
		if name != "height" {
			to[name+"_min_m"] = scans.Round(least, 2)
		}
		to[name+"_mean_m"], to[name+"_max_m"] = scans.Round(mean, 2), scans.Round(most, 2)
	}
}

// sites are the places in EPSG:3035 whose heights are asked for.
type sites struct {
	points   []raster.XY
	polygons []raster.Polygon
	single   bool // one point alone
}

func (s *sites) empty() bool { return len(s.points) == 0 && len(s.polygons) == 0 }

func (s *sites) box() raster.Box {
	return raster.BoxOf(append([]raster.Polygon{{s.points}}, s.polygons...))
}

// The places along lines.
const (
	maxSamples    = 200_000   // of a feature
	maxAllSamples = 2_000_000 // of a request
)

// lengthOf is the length of lines in metres.
func lengthOf(lines [][]geom.Point) float64 {
	length := 0.0
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			a, b := onplane.XY(l[i-1]), onplane.XY(l[i])
			length += math.Hypot(b.X-a.X, b.Y-a.Y)
		}
	}
	return length
}

// sitesOf are the points of a feature, its areas, and the places along its lines so many metres apart, more where they are
// very long; 0: their vertices alone.
func sitesOf(f *drawn.Feature, step float64) (s sites) {
	s.single = len(f.Points) == 1 && len(f.Lines) == 0 && len(f.Polygons) == 0
	for _, p := range f.Points {
		s.points = append(s.points, onplane.XY(p))
	}
	if step > 0 {
		step = max(step, lengthOf(f.Lines)/maxSamples)
	}
	for _, l := range f.Lines {
		for i, p := range l {
			b := onplane.XY(p)
			if i > 0 && step > 0 {
				a := onplane.XY(l[i-1])
				for d, n := 1, int(math.Hypot(b.X-a.X, b.Y-a.Y)/step); d <= n; d++ {
					t := float64(d) / float64(n+1)
					s.points = append(s.points, raster.XY{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
				}
			}
			s.points = append(s.points, b)
		}
	}
	s.polygons = onplane.Polygons(f.Polygons)
	return s
}

// wholeOf is the box that is read of sites.
func wholeOf(s sites, step float64) raster.Box { return s.box().Grown(step).Aligned(step) }

// strips is how many strips are read of sites.
func (m *models) strips(s sites) (n int) {
	if s.empty() {
		return 0
	}
	for range stripsOf(wholeOf(s, m.dtm.Step), m.dtm.Step) {
		n++
	}
	return n
}

// relief sums the heights at the points and of the cells of the polygons, strip by strip.
func (m *models) relief(ctx context.Context, s sites) (relief, error) {
	r := relief{single: s.single}
	if s.empty() {
		return r, nil
	}
	slices.SortStableFunc(s.points, func(a, b raster.XY) int { return cmp.Compare(b.Y, a.Y) }) // from the north, as strips come
	step := m.dtm.Step
	box := s.box()
	whole := wholeOf(s, step)
	rest := s.points
	for part := range stripsOf(whole, step) {
		south := part.box.North - float64(part.to)*step
		n := 0
		for n < len(rest) && rest[n].Y >= south { // all in the last one: the box is larger by a step
			n++
		}
		if err := m.strip(ctx, &r, part, sites{points: rest[:n], polygons: s.polygons}); err != nil {
			return r, err
		}
		rest = rest[n:]
		if err := m.progress.Add(ctx, 1); err != nil {
			return r, err
		}
	}
	if r.places == 0 { // an area smaller than a cell
		middle := raster.XY{X: (box.West + box.East) / 2, Y: (box.South + box.North) / 2}
		return m.relief(ctx, sites{points: []raster.XY{middle}})
	}
	return r, nil
}

// strip adds the places that lie in a strip.
func (m *models) strip(ctx context.Context, to *relief, part strip, s sites) error {
	box := part.box
	if len(s.polygons) == 0 {
		if len(s.points) == 0 {
			return nil
		}
		// Along a line that crosses the box from corner to corner little of a strip is asked for.
		narrow := raster.BoxOf([]raster.Polygon{{s.points}}).Grown(m.dtm.Step).Aligned(m.dtm.Step)
		box.West, box.East = max(box.West, narrow.West), min(box.East, narrow.East)
	}
	below, err := m.Window(ctx, m.dtm, box)
	if err != nil {
		return generation.FaultOf(ctx, "the height model", err)
	}
	above := &raster.Grid{West: below.West, North: below.North, Step: below.Step} // of nothing
	if m.dsm != nil {
		if above, err = m.Window(ctx, m.dsm, box); err != nil {
			return generation.FaultOf(ctx, "the height model", err)
		}
	}
	for _, p := range s.points {
		to.add(below.Bilinear(p.X, p.Y), above.Bilinear(p.X, p.Y))
	}
	if len(s.polygons) > 0 {
		to.cells(below, above, part, raster.MaskOf(below, s.polygons))
	}
	return nil
}

// cells adds the meant cells of a strip.
func (r *relief) cells(below, above *raster.Grid, part strip, m *raster.Mask) {
	nan := float32(math.NaN())
	for row := part.from; row < part.to; row++ {
		ground := below.Row(row)
		var surface []float32
		if above.Rows > 0 {
			surface = above.Row(row)
		}
		m.Each(row, func(from, to int) {
			for i := from; i < to; i++ {
				if surface != nil {
					r.add(ground[i], surface[i])
				} else {
					r.add(ground[i], nan)
				}
			}
		})
	}
}
