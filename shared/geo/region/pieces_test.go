package region

import (
	"errors"
	"slices"
	"testing"

	"mappe/shared/geo/geom"
)

// Contacts divide an edge into pieces from its beginning to its end, whichever way it runs and in whatever
// order they were found; one found twice divides once.
func TestPieces(t *testing.T) {
	for _, end := range []geom.Point{{X: 80}, {X: 80, Y: 80}, {Y: 80}, {X: -80, Y: 80}, {X: -80}, {X: -80, Y: -80}, {Y: -80},
		{X: 80, Y: -80}, {X: 80, Y: 40}, {X: -40, Y: 80}} {
		e := geom.Edge{B: end}
		on := func(eighths int32) geom.Point { return geom.Point{X: end.X / 8 * eighths, Y: end.Y / 8 * eighths} }
		middle := func(from, to int32) geom.Mid { return geom.Middle(on(from), on(to)) }
		for _, c := range []struct {
			at   []int32
			want []geom.Mid
		}{
			{nil, []geom.Mid{middle(0, 8)}},
			{[]int32{5}, []geom.Mid{middle(0, 5), middle(5, 8)}},
			{[]int32{6, 1, 3}, []geom.Mid{middle(0, 1), middle(1, 3), middle(3, 6), middle(6, 8)}},
			{[]int32{3, 6, 3}, []geom.Mid{middle(0, 3), middle(3, 6), middle(6, 8)}},
			{[]int32{8, 0, 4}, []geom.Mid{middle(0, 4), middle(4, 8)}},
		} {
			var found []contact
			for _, k := range c.at {
				found = append(found, contact{at: on(k)})
			}
			var got []geom.Mid
			pieces(e, found, func(m geom.Mid) { got = append(got, m) })
			if !slices.Equal(got, c.want) {
				t.Errorf("to %v, contacts at %v eighths: want %v, got %v", end, c.at, c.want, got)
			}
		}
	}
}

// An area answers until its work is used up to the last; then it says so, and every question has counted.
func TestWorkIsBounded(t *testing.T) {
	square := geom.MultiPolygon{{ring(0, 0, 100, 0, 100, 100, 0, 100)}}
	other := geom.MultiPolygon{{ring(50, 50, 150, 50, 150, 150, 50, 150)}}
	ask := map[string]func(a *Area) bool{
		"holds": func(a *Area) bool { return a.holds(geom.Point{X: 50, Y: 50}) },
		"place": func(a *Area) bool { return a.place(geom.Mid{X: 100, Y: 100}) == geom.Inside },
		"search": func(a *Area) bool {
			a.search(geom.Box{MinX: -1, MinY: -1, MaxX: 101, MaxY: 101})
			return len(a.cand) == 4
		},
		"overlaps": func(a *Area) bool { return a.Overlaps(other, other.Bounds()) },
	}
	for name, yes := range ask {
		a := Of(square)
		if !yes(a) || a.work <= 0 || a.Err() != nil {
			t.Errorf("%s: want yes and some work, got work %d, %v", name, a.work, a.Err())
		}
		once := a.work
		if yes(a); a.work <= once {
			t.Errorf("%s: a second question did not count: %d, then %d", name, once, a.work)
		}
		if name == "overlaps" {
			continue // it is several of the others, of which the last may be refused
		}
		a.work = MaxWork
		if a.Err() != nil || !yes(a) {
			t.Errorf("%s: want an answer with the last of the work", name)
		}
		if !errors.Is(a.Err(), ErrWork) {
			t.Errorf("%s: want ErrWork once the work is used up, got %v", name, a.Err())
		}
		if a.work = MaxWork + 1; yes(a) || a.work != MaxWork+1 {
			t.Errorf("%s: want no answer and no work after the bound, got work %d", name, a.work)
		}
	}
}
