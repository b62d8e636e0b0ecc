package change_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/change"
)

// models are the heights of a scene between two of its dates.
type models [4]*raster.Grid

// modelsOf are those of two dates.
func modelsOf(s *scene.Scene, from, to int) *models {
	return &models{s.DTM(from), s.DSM(from), s.DTM(to), s.DSM(to)}
}

func (m *models) Window(_ context.Context, l change.Layer, b raster.Box) (*raster.Grid, error) {
	g, err := raster.Over(b, 1)
	if err != nil {
		return nil, err
	}
	return g, g.Paste(m[l])
}

func (m *models) Below(north float64) float64 { return north - 512 }

// made is a scene of a set's seed, altered.
func made(t testing.TB, set string, n, km2 int, alter func(*scene.Options)) *scene.Scene {
	t.Helper()
	seed, err := scene.Seed(set, "", n)
	if err != nil {
		t.Fatal(err)
	}
	o := scene.Default(seed, km2)
	if alter != nil {
		alter(&o)
	}
	s, err := scene.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// whole is the area of a scene.
func whole(s *scene.Scene) []raster.Polygon {
	return boxed(s.Bounds())
}

func boxed(b raster.Box) []raster.Polygon {
	return []raster.Polygon{{{{X: b.West, Y: b.North}, {X: b.East, Y: b.North}, {X: b.East, Y: b.South}, {X: b.West, Y: b.South}}}}
}

// pair is an event of the truth with the one that was found for it.
type pair struct{ truth, found int }

// overlap is a pair that may be one, with its share of both together.
type overlap struct {
	pair
	share float64
}

// before orders overlaps: one of the right type goes first, then the greater one.
func before(truth []scene.Event, found []change.Event, a, b *overlap) bool {
	ra, rb := truth[a.truth].Type.String() == found[a.found].Kind.String(), truth[b.truth].Type.String() == found[b.found].Kind.String()
	if ra != rb {
		return ra
	}
	if a.share != b.share {
		return a.share > b.share
	}
	return a.truth*1000+a.found < b.truth*1000+b.found
}

// matched pairs what was found with the truth, greedily by overlap: a pair needs half of the smaller one in common and a
// fifth of both together. Types do not count here.
func matched(b raster.Box, truth []scene.Event, found []change.Event) (pairs []pair) {
	g := &raster.Grid{West: b.West, North: b.North, Step: 1, Cols: int(b.East - b.West), Rows: int(b.North - b.South)}
	owner := make([][]int32, g.Cols*g.Rows)
	size := make([]int, len(truth))
	for i := range truth {
		var ring []raster.XY
		for _, p := range truth[i].Ring {
			ring = append(ring, raster.XY(p))
		}
		m := raster.MaskOf(g, []raster.Polygon{{ring}})
		size[i] = m.Count()
		for row := range g.Rows {
			m.Each(row, func(from, to int) {
				for c := from; c < to; c++ {
					owner[row*g.Cols+c] = append(owner[row*g.Cols+c], int32(i))
				}
			})
		}
	}
	var all []overlap
	for k := range found {
		common := map[int32]int{}
		m := raster.MaskOf(g, found[k].Outline)
		for row := range g.Rows {
			m.Each(row, func(from, to int) {
				for c := from; c < to; c++ {
					for _, i := range owner[row*g.Cols+c] {
						common[i]++
					}
				}
			})
		}
		n := m.Count()
		for i, c := range common {
			share := float64(c) / float64(n+size[i]-c)
			if 2*c >= min(n, size[i]) && share >= 0.2 {
				all = append(all, overlap{pair{int(i), k}, share})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return before(truth, found, &all[i], &all[j]) })
	usedT, usedF := map[int]bool{}, map[int]bool{}
	for _, o := range all {
		if !usedT[o.truth] && !usedF[o.found] {
			usedT[o.truth], usedF[o.found] = true, true
			pairs = append(pairs, o.pair)
		}
	}
	return pairs
}

// score counts by type.
type score map[string]*[3]int // right, found that do not exist, missed

func (s score) at(k string) *[3]int {
	if s[k] == nil {
		s[k] = &[3]int{}
	}
	return s[k]
}

func (s score) f1(k string) float64 {
	v := s[k]
	if v == nil || v[0] == 0 {
		return 0
	}
	return 2 * float64(v[0]) / float64(2*v[0]+v[1]+v[2])
}

// macro is the mean over the types that the truth has.
func (s score) macro() float64 {
	sum, n := 0.0, 0
	for _, k := range change.AllTypes() {
		if v := s[k.String()]; v != nil && v[0]+v[2] > 0 {
			sum += s.f1(k.String())
			n++
		}
	}
	return sum / math.Max(float64(n), 1)
}

func (s score) String() string {
	var b strings.Builder
	for _, k := range change.AllTypes() {
		v := s.at(k.String())
		fmt.Fprintf(&b, "%-20s right %3d  false %3d  missed %3d  F1 %.2f\n", k, v[0], v[1], v[2], s.f1(k.String()))
	}
	fmt.Fprintf(&b, "macro-F1 %.3f", s.macro())
	return b.String()
}

// add counts a scene.
func (s score) add(b raster.Box, truth []scene.Event, found []change.Event, tell func(string, ...any)) []pair {
	pairs := matched(b, truth, found)
	usedT, usedF := map[int]bool{}, map[int]bool{}
	for _, p := range pairs {
		usedT[p.truth], usedF[p.found] = true, true
		want, got := truth[p.truth].Type.String(), found[p.found].Kind.String()
		if want == got {
			s.at(want)[0]++
			continue
		}
		s.at(want)[2]++
		s.at(got)[1]++
		tell("WRONG %s as %s: truth %s; found %s", want, got, ofTruth(&truth[p.truth]), ofFound(&found[p.found]))
	}
	for i := range truth {
		if !usedT[i] && within(b, truth[i].Ring) {
			s.at(truth[i].Type.String())[2]++
			tell("MISSED %s: %s", truth[i].Type, ofTruth(&truth[i]))
		}
	}
	for i := range found {
		if !usedF[i] && within(b.Grown(-4), ring(found[i].Outline)) {
			s.at(found[i].Kind.String())[1]++
			tell("FALSE %s: %s", found[i].Kind, ofFound(&found[i]))
		}
	}
	return pairs
}

// within says whether all places lie in a box: what reaches over the border of a scene is only counted where it is matched.
func within(b raster.Box, places []scene.Place) bool {
	return !slices.ContainsFunc(places, func(p scene.Place) bool {
		return p.X < b.West || p.Y < b.South || p.X > b.East || p.Y > b.North
	})
}

func ring(polygons []raster.Polygon) (out []scene.Place) {
	for _, p := range polygons {
		for _, v := range p[0] {
			out = append(out, scene.Place(v))
		}
	}
	return out
}

func ofTruth(e *scene.Event) string {
	x, y := 0.0, 0.0
	for _, p := range e.Ring {
		x, y = x+p.X/float64(len(e.Ring)), y+p.Y/float64(len(e.Ring))
	}
	return fmt.Sprintf("at %.0f,%.0f area %.0f changed %.0f terrain %.1f surface %.1f m³, height %.1f to %.1f, %d trees",
		x, y, e.Area, e.Changed, e.TerrainVolume, e.SurfaceVolume, e.HeightBefore, e.HeightAfter, e.Trees)
}

func ofFound(e *change.Event) string {
	return fmt.Sprintf("at %.0f,%.0f area %.0f change %.2f terrain %.1f surface %.1f m³, height %.1f to %.1f %v",
		e.X, e.Y, e.Area, e.Change, e.TerrainVolume, e.SurfaceVolume, e.HeightBefore, e.HeightAfter, e.Evidence)
}

// inside are the events whose middles lie within a box.
func inside(b raster.Box, all []scene.Event) []scene.Event {
	return slices.DeleteFunc(slices.Clone(all), func(e scene.Event) bool {
		x, y := 0.0, 0.0
		for _, p := range e.Ring {
			x, y = x+p.X/float64(len(e.Ring)), y+p.Y/float64(len(e.Ring))
		}
		return x < b.West || y < b.South || x > b.East || y > b.North
	})
}
