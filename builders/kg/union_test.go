package kg

import (
	"errors"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"
)

// A shape over a missing tile, with a hole: the pieces are united with and without the overlay, and the hole
// stays a hole.
func TestPiecesKeepTheirHoles(t *testing.T) {
	at := func(x, y int32) pt { return pt{X: x, Y: y} }
	views := []view{
		// The western tile shows the exterior cut at its buffer and the hole whole; the eastern one is missing.
		{tile: square{0, 0}, rings: [][]pt{
			{at(100, 100), at(4176, 100), at(4176, 3000), at(100, 3000)},
			{at(3000, 1000), at(3000, 2000), at(4176, 2000), at(4176, 1000)},
		}},
		{tile: square{0, 1}, rings: nil},
	}
	sum := func(rings [][]pt) (a int64) {
		for _, r := range rings {
			a += area2(r)
		}
		return a / 2
	}
	want := int64(4076*2900 - 1176*1000)
	for name, overlay := range map[string]func(outer, holes []sf.Geometry) (sf.Geometry, error){
		"overlay": overlay,
		"no overlay": func([]sf.Geometry, []sf.Geometry) (sf.Geometry, error) {
			return sf.Geometry{}, errors.New("broken for the test")
		},
	} {
		d := newDissolver(4096)
		d.overlay = overlay
		rings := d.run(views)
		if len(d.failed) == 0 {
			t.Fatal("the test has no piece that stays open")
		}
		rings = append(rings, d.unite(func(s square) bool { return d.missing[s] })...)
		if got := sum(rings); got != want || d.apart != 0 {
			t.Errorf("%s: want %d square pixels, got %d: %v", name, want, got, rings)
		}
	}
}
