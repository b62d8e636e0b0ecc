//go:build cgo

package hexgrid

import (
	"math/rand/v2"
	"slices"
	"testing"

	h3 "github.com/uber/h3-go/v4"

	"mappe/infra/oracles"
)

func TestHierarchyIsH3s(t *testing.T) {
	judge := func(c Cell) {
		j := h3.Cell(c)
		for res := range c.Resolution() + 1 {
			got, err := c.Parent(res)
			want, _ := j.Parent(res)
			pos, err2 := c.ChildPos(res)
			judged, _ := j.ChildPos(res)
			back, err3 := got.ChildAt(pos, c.Resolution())
			if err != nil || err2 != nil || err3 != nil || got != Cell(want) || pos != judged || back != c {
				t.Fatalf("%v: parent %v, H3 %v; child %d, H3 %d; back %v", c, got, want, pos, judged, back)
			}
		}
		for res := c.Resolution(); res <= min(c.Resolution()+2, MaxResolution); res++ {
			want, _ := j.Children(res)
			got := slices.Collect(c.Children(res))
			if !slices.EqualFunc(got, want, func(a Cell, b h3.Cell) bool { return a == Cell(b) }) {
				t.Fatalf("%v: children %v, H3 %v", c, got, want)
			}
			centre, err := c.CenterChild(res)
			if judged, _ := j.CenterChild(res); err != nil || centre != Cell(judged) {
				t.Fatalf("%v: centre child %v, H3 %v", c, centre, judged)
			}
		}
	}
	aroundPentagons(t, judge)
	rnd := rand.New(rand.NewPCG(7, 1))
	for range oracles.Rounds(t, 100) {
		for res := range MaxResolution + 1 {
			c, err := LatLngToCell(anywhere(rnd), res)
			if err != nil {
				t.Fatal(err)
			}
			judge(c)
		}
	}
}
