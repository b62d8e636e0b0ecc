package scene

import (
	"math"
	"slices"
	"testing"

	"mappe/shared/geo/raster"
)

func moments(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(values)))
}

// Stands have the trees per hectare that are asked for, none closer than its hard core, and heights that scatter by a tenth.
func TestStands(t *testing.T) {
	for _, stems := range []float64{200, 600, 1200} {
		s := made(t, "gate", 5, 1, func(o *Options) { o.Stems, o.Forest, o.Events = stems, 0.7, 0 })
		trees, _ := s.Owned(0, 0)
		byStand := map[uint64][]Tree{}
		for _, x := range trees {
			if !x.Understorey && x.Species != Shrub {
				byStand[x.Stand] = append(byStand[x.Stand], x)
			}
		}
		found, expected := 0.0, 0.0
		w := s.window(0, 0)
		for _, b := range s.layout.blocks(w.box()) {
			for _, p := range s.layout.leaves(b) {
				o := boxOf(s.layout.outline(p.rect))
				if p.use != woods || o.west < w.box().west || o.east > w.box().east || o.south < w.box().south || o.north > w.box().north {
					continue
				}
				list := byStand[p.id]
				inner := p.grown(-5) // ways and borders have no trees
				var heights []float64
				for _, x := range list {
					if u, v := s.layout.uv(x.Crown.X, x.Crown.Y); inner.has(u, v) {
						found++
						heights = append(heights, x.Height[0])
					}
				}
				ring := s.layout.outline(inner)
				expected += math.Abs(areaOf(ring)) / 10000 * stems
				if len(heights) > 60 {
					if mean, sd := moments(heights); math.Abs(sd/mean-0.1) > 0.03 || math.Abs(mean-s.standOf(&p).height) > 0.05*mean {
						t.Errorf("%g stems: heights of %.1f with a standard deviation of %.2f m, asked were %.1f and a tenth", stems, mean,
							sd,
							s.standOf(&p).height)
					}
				}
			}
		}
		t.Logf("%g stems: %.2f of what is expected", stems, found/expected)
		if ratio := found / expected; expected < 500 || ratio < 0.85 || ratio > 1.12 {
			t.Errorf("%g stems per hectare: %.0f trees where %.0f are expected", stems, found, expected)
		}
		closest(t, s, byStand)
	}
}

func areaOf(ring []Place) float64 {
	sum := 0.0
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		sum += (a.X-ring[0].X)*(b.Y-ring[0].Y) - (b.X-ring[0].X)*(a.Y-ring[0].Y)
	}
	return sum / 2
}

// closest looks whether trees of a stand keep their distance.
func closest(t *testing.T, s *Scene, byStand map[uint64][]Tree) {
	t.Helper()
	for _, b := range s.layout.blocks(box{4550000, 2700000, 4551000, 2701000}) {
		for _, p := range s.layout.leaves(b) {
			if p.use != woods {
				continue
			}
			list, apart := byStand[p.id], s.standOf(&p).apart
			for i := range list {
				for k := range list[:i] {
					if d := math.Hypot(list[i].Crown.X-list[k].Crown.X, list[i].Crown.Y-list[k].Crown.Y); d < apart-1e-9 {
						t.Fatalf("two trees %.2f m apart, at least %.2f is asked", d, apart)
					}
				}
			}
		}
	}
}

// The laser sees a free apex half a metre too low, as real scans do, and the surface stands above the ground by a crown where
// a tree is.
func TestCrownsInTheSurface(t *testing.T) {
	s := made(t, "gate", 6, 1, func(o *Options) {
		o.Survey.Offset, o.Survey.Tilt, o.Survey.Shift, o.Survey.Strips, o.Survey.Holes = [3]float64{}, [3][2]float64{}, [3]raster.XY{}, 0,
			0
	})
	tile := s.Tile(0, 0, 0)
	trees, _ := s.Owned(0, 0)
	var loss []float64
	low := 0
	for _, x := range trees {
		if x.Understorey || x.Dead || x.Species == Shrub || !x.Stands(0) || x.Height[0] < 8 {
			continue
		}
		col, row := int(x.Apex.X-tile.DSM.West), int(tile.DSM.North-x.Apex.Y)
		if col < 2 || row < 2 || col > Side-3 || row > Side-3 || tile.Trees[row*Side+col] != x.ID {
			continue // another crown hides it
		}
		best := math.Inf(-1)
		for r := row - 1; r <= row+1; r++ {
			for c := col - 1; c <= col+1; c++ {
				if i := r*Side + c; tile.Trees[i] == x.ID {
					best = max(best, float64(tile.DSM.Z[i]))
				}
			}
		}
		i := row*Side + col
		loss = append(loss, best-float64(tile.Ground.At(x.Crown.X, x.Crown.Y))-x.Height[0])
		if tile.DSM.Z[i]-tile.DTM.Z[i] < float32(x.Height[0]*x.CrownBase*0.5) {
			low++
		}
	}
	mean, sd := moments(loss)
	t.Logf("%d apexes: the surface is %.2f m off, standard deviation %.2f", len(loss), mean, sd)
	if len(loss) < 2000 || mean > -0.2 || mean < -0.9 || sd > 1 {
		t.Errorf("%d apexes %.2f +- %.2f m off, expected -0.5", len(loss), mean, sd)
	}
	if low > len(loss)/50 {
		t.Errorf("the surface shows no crown at %d of %d trees", low, len(loss))
	}
}

// Measuring errors are those that are asked for.
func TestNoise(t *testing.T) {
	plain := func(o *Options) { o.Survey = Survey{Open: 0.05, Wooded: 0.15} }
	tile := made(t, "gate", 7, 1, plain).Tile(0, 0, 0)
	var open, wooded, surface []float64
	for i, z := range tile.DTM.Z {
		off := float64(z - tile.Ground.Z[i])
		switch {
		case tile.Trees[i] != 0:
			wooded = append(wooded, off)
		case tile.Surface.Z[i] == tile.Ground.Z[i]:
			open, surface = append(open, off), append(surface, float64(tile.DSM.Z[i]-tile.DTM.Z[i]))
		}
	}
	if mean, sd := moments(open); math.Abs(mean) > 0.002 || math.Abs(sd-0.05) > 0.003 {
		t.Errorf("open ground: %.4f +- %.4f m, expected 0.05", mean, sd)
	}
	if mean, sd := moments(wooded); math.Abs(mean) > 0.02 || math.Abs(sd-0.15) > 0.03 {
		t.Errorf("below trees: %.4f +- %.4f m, expected 0.15", mean, sd)
	}
	if slices.Sort(surface); surface[len(surface)/2] < 0 || surface[len(surface)/2] > 0.05 {
		t.Errorf("the surface lies %.3f m above open ground", surface[len(surface)/2])
	}
	strips := map[float32]bool{}
	tile = made(t, "gate", 7, 1, func(o *Options) { o.Survey = Survey{Strips: 0.05} }).Tile(0, 0, 1)
	for i, z := range tile.DTM.Z {
		if tile.Trees[i] == 0 {
			off := math.Round(float64(z-tile.Ground.Z[i])*50) / 50 // heights are in centimetres
			if strips[float32(off)] = true; math.Abs(off) > 0.25 {
				t.Fatalf("a strip is off by %.2f m", off)
			}
		}
	}
	if len(strips) < 2 || len(strips) > 12 {
		t.Errorf("strips of %d offsets", len(strips))
	}
	shifted := made(t, "gate", 7, 1, func(o *Options) {
		o.Survey = Survey{Offset: [3]float64{0, 0.12, 0}, Tilt: [3][2]float64{2: {1e-4, -2e-4}}, Pivot: raster.XY{X: 4550500, Y: 2700500},
			Holes: 6}
	})
	a, b := shifted.Tile(0, 0, 1), shifted.Tile(0, 0, 2)
	holes := 0
	for i := range a.DTM.Z {
		if a.DTM.Z[i] != a.DTM.Z[i] {
			holes++
			continue
		}
		if d := a.DTM.Z[i] - a.Ground.Z[i] - 0.12; a.Trees[i] == 0 && math.Abs(float64(d)) > 0.006 {
			t.Fatalf("an offset of 0.12 m is off by %.3f", d)
		}
		x, y := b.DTM.Centre(i%Side, i/Side)
		if d := float64(b.DTM.Z[i]-b.Ground.Z[i]) - 1e-4*(x-4550500) + 2e-4*(y-2700500); b.Trees[i] == 0 && math.Abs(d) > 0.006 {
			t.Fatalf("a tilt is off by %.3f m", d)
		}
	}
	if holes < 50 || holes > 60_000 {
		t.Errorf("%d cells without a value", holes)
	}
}

// A shift shows at a cell what lies beside it.
func TestShift(t *testing.T) {
	s := made(t, "gate", 8, 1, func(o *Options) { o.Survey = Survey{Shift: [3]raster.XY{1: {X: 1, Y: -2}}}; o.Events = 0 })
	a, b := s.Tile(0, 0, 0), s.Tile(0, 0, 1)
	for r := 10; r < Side-10; r++ {
		for c := 10; c < Side-10; c++ {
			if i, k := r*Side+c, (r+2)*Side+c+1; b.Trees[i] == 0 && a.Trees[k] == 0 && math.Abs(float64(b.DTM.Z[i]-a.DTM.Z[k])) > 0.3 {
				t.Fatalf("row %d, column %d: %.2f, beside it %.2f", r, c, b.DTM.Z[i], a.DTM.Z[k])
			}
		}
	}
}

// A scene without changes has none in its truth, whatever the survey adds, and the same ground at all dates.
func TestOffsetsAreNoEvents(t *testing.T) {
	s := made(t, "gate", 9, 1, func(o *Options) { o.Events = 0 })
	for _, p := range Pairs {
		if e := s.Events(p[0], p[1], 0.01); len(e) > 0 {
			t.Errorf("%d events, the first %s", len(e), e[0].Type)
		}
	}
	a, b := s.Tile(0, 0, 0), s.Tile(0, 0, 2)
	if digest(a.Ground) != digest(b.Ground) {
		t.Error("the ground of the truth differs")
	}
	if o := s.Options().Survey; o.Offset[1] == 0 || o.Tilt[2][0] == 0 || o.Shift[1].X == 0 {
		t.Error("the usual survey has no offset, tilt or shift")
	}
	if slices.Equal(a.DTM.Z, b.DTM.Z) {
		t.Error("what is measured is the same")
	}
}

// volume is that of an earthwork's body by its sections: each level of the slope has the area that the shape still has there.
func volume(c *change) float64 {
	area := func(d float64) float64 {
		if c.shape.round {
			k := 1 - d/min(c.shape.a, c.shape.b)
			return math.Pi * c.shape.a * c.shape.b * k * k
		}
		return 4 * (c.shape.a - d) * (c.shape.b - d)
	}
	sum := 0.0
	const steps = 400
	for i := range steps {
		d := (float64(i) + 0.5) / steps * c.run
		sum += (smooth(0, c.run, d+c.run/steps/2) - smooth(0, c.run, d-c.run/steps/2)) * max(area(d), 0)
	}
	return sum * c.height
}

// Events of all types occur, and their volumes are those of the bodies that were planted, and those that the scans show.
func TestEvents(t *testing.T) {
	found, earthworks := map[ChangeType]int{}, 0
	for n := 10; n < 16; n++ {
		s := made(t, "gate", n, 1, func(o *Options) {
			o.Events, o.Survey = 30, Survey{Open: 0.05, Wooded: 0.15}
		})
		tile := s.tile(0, 0)
		for _, p := range Pairs[:2] {
			for _, e := range s.Events(p[0], p[1], 0.5) {
				found[e.Type]++
				sound(t, &e)
				i := slices.IndexFunc(tile.changes, func(c *change) bool { return c.id == e.ID })
				switch e.Type {
				case EarthworkFill, EarthworkDam, EarthworkCut, EarthworkTrench:
					want := volume(tile.changes[i])
					if e.Type == EarthworkCut || e.Type == EarthworkTrench {
						want = -want
					}
					if earthworks++; math.Abs(e.TerrainVolume-want) > 0.03*math.Abs(want)+1 {
						t.Errorf("seed %d: a %s of %.1f m³, its body has %.1f", n, e.Type, e.TerrainVolume, want)
					}
				}
			}
		}
	}
	t.Log(found)
	for _, k := range AllChangeTypes() {
		if found[k] == 0 {
			t.Errorf("no %s in six scenes", k)
		}
	}
	if earthworks < 10 {
		t.Errorf("only %d earthworks", earthworks)
	}
}

// A change is the same in each area that holds it, measured with what lies around the tile or with what lies around itself.
func TestEventsDoNotDependOnTheArea(t *testing.T) {
	s := made(t, "gate", 12, 1, func(o *Options) { o.Events = 30 })
	n := 0
	for _, c := range s.tile(0, 0).changes {
		at := c.at(&s.layout)
		if !s.around(0, 0).has(c.id) || at.X < 4550000 || at.X > 4551000 || at.Y < 2700000 || at.Y > 2701000 {
			continue
		}
		alone := s.thingsOf(c.held.grown(3))
		a, _ := s.measure(c, s.around(0, 0), 0, 2)
		b, _ := s.measure(c, alone, 0, 2)
		if n++; a.Area != b.Area || a.SurfaceVolume != b.SurfaceVolume || a.TerrainVolume != b.TerrainVolume || a.Trees != b.Trees {
			t.Errorf("%s: %.1f and %.1f m³, %d and %d trees", c.kind, a.SurfaceVolume, b.SurfaceVolume, a.Trees, b.Trees)
		}
	}
	if n < 10 {
		t.Errorf("only %d changes", n)
	}
}

func (t *things) has(id uint64) bool {
	return slices.ContainsFunc(t.changes, func(c *change) bool { return c.id == id })
}

// sound looks whether an event is what its type says.
func sound(t *testing.T, e *Event) {
	t.Helper()
	mean := (e.TerrainAfter - e.TerrainBefore)
	ok := true
	switch e.Type {
	case TreeFelling, ForestClearcut:
		ok = e.Trees > 0 && e.SurfaceVolume < 0
	case TreeGrowth:
		ok = e.SurfaceVolume > 0 || e.Trees > 0 // trees of it were felled
	case NewTree, VegetationGrowth, NewBuilding, UnclassifiedChange:
		ok = e.SurfaceVolume > 0
	case VegetationLoss, Demolition:
		ok = e.SurfaceVolume < 0
	case EarthworkFill, EarthworkDam:
		ok = mean > 0.3
	case EarthworkCut, EarthworkTrench, EarthworkPond:
		ok = mean < -0.3
	case EarthworkGrading:
		ok = math.Abs(mean) < 0.5
	case RoadResurfaced:
		ok = mean > 0.03 && mean < 0.21
	case SurfaceChange:
		ok = math.Abs(mean) < 0.12
	}
	if !ok || e.Area < 4 || e.Changed > e.Area || len(e.Ring) < 4 {
		t.Errorf("%s of %.0f m², %.0f of them changed: terrain %.2f m, surface volume %.1f m³, height %.1f to %.1f m, %d trees", e.Type,
			e.Area, e.Changed,
			mean, e.SurfaceVolume, e.HeightBefore, e.HeightAfter, e.Trees)
	}
}

// The difference of two scans has the volume of the truth, within what noise leaves; below
// trees it is the same over some 20 m².
func TestVolumesInTheScans(t *testing.T) {
	s := made(t, "gate", 11, 1, func(o *Options) { o.Events, o.Survey = 30, Survey{Open: 0.05, Wooded: 0.15} })
	var dtm [3]*raster.Grid
	for date := range Dates {
		dtm[date] = s.DTM(date)
	}
	trees := s.Tile(0, 0, 0).Trees
	n := 0
	for _, e := range s.Events(0, 2, LeastGrowth) {
		b := boxOf(e.Ring)
		if !e.Type.Digs() || e.Type == RoadNew || !inside(dtm[0], b) {
			continue
		}
		m := raster.MaskOf(dtm[0], []raster.Polygon{{polygon(e.Ring)}})
		sum, cells, wooded := 0.0, 0.0, 0.0
		for row := range Side {
			m.Each(row, func(from, to int) {
				for col := from; col < to; col++ {
					sum += float64(dtm[2].Z[row*Side+col] - dtm[0].Z[row*Side+col])
					if cells++; trees[row*Side+col] != 0 {
						wooded++
					}
				}
			})
		}
		if n++; math.Abs(sum-e.TerrainVolume) > 4*(0.08*math.Sqrt(cells)+0.21*math.Sqrt(20*wooded))+0.03*math.Abs(e.TerrainVolume)+2 {
			t.Errorf("%s: %.1f m³ in the scans, %.1f in the truth", e.Type, sum, e.TerrainVolume)
		}
	}
	if n < 3 {
		t.Errorf("only %d earthworks", n)
	}
}

func inside(g *raster.Grid, b box) bool {
	return b.west > g.West && b.east < g.East() && b.south > g.South() && b.north < g.North
}

func polygon(ring []Place) []raster.XY {
	var out []raster.XY
	for _, p := range ring {
		out = append(out, raster.XY(p))
	}
	return out
}

// The share of woodland is the one that is asked for, over many blocks.
func TestShareOfWoodland(t *testing.T) {
	for _, share := range []float64{0, 0.2, 0.4, 0.7, 1} {
		woodland, all := 0.0, 0.0
		for n := range 40 {
			s := made(t, "gate", n, 1, func(o *Options) { o.Forest = share })
			for i := range 20 {
				for j := range 20 {
					b := s.layout.block(i, j)
					area := (b.u1 - b.u0) * (b.v1 - b.v0)
					if all += area; b.use == woods {
						woodland += area
					}
				}
			}
		}
		if got := woodland / all; math.Abs(got-share) > 0.06 {
			t.Errorf("asked %.2f, got %.3f", share, got)
		}
	}
}
