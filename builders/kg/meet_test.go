package kg

import "testing"

// Edges meet where they cross, whichever rings they are of. An end inside the other edge is a meeting within
// one ring only: rings may touch each other. Edges that share an end, or lie apart, do not meet.
func TestMeet(t *testing.T) {
	e := edge{a: pt{X: 0, Y: 0}, b: pt{X: 100, Y: 0}}
	for _, c := range []struct {
		name  string
		a, b  pt
		same  bool // ring
		want  bool
		place pt
	}{
		{"crossing", pt{X: 40, Y: -10}, pt{X: 40, Y: 10}, true, true, pt{X: 40, Y: 0}},
		{"crossing the other way", pt{X: 40, Y: 10}, pt{X: 40, Y: -10}, true, true, pt{X: 40, Y: 0}},
		{"crossing another ring", pt{X: 40, Y: -10}, pt{X: 40, Y: 10}, false, true, pt{X: 40, Y: 0}},
		{"crossing between pixels", pt{X: 40, Y: -1}, pt{X: 41, Y: 2}, false, true, pt{X: 40, Y: 0}},
		{"beginning inside", pt{X: 40, Y: 0}, pt{X: 40, Y: 10}, true, true, pt{X: 40, Y: 0}},
		{"ending inside", pt{X: 40, Y: 10}, pt{X: 40, Y: 0}, true, true, pt{X: 40, Y: 0}},
		{"touching another ring", pt{X: 40, Y: 0}, pt{X: 40, Y: 10}, false, false, pt{}},
		{"sharing an end", pt{X: 100, Y: 0}, pt{X: 40, Y: 10}, true, false, pt{}},
		{"sharing a beginning", pt{X: 0, Y: 0}, pt{X: 40, Y: 10}, true, false, pt{}},
		{"above", pt{X: 40, Y: 1}, pt{X: 60, Y: 10}, true, false, pt{}},
		{"beyond the end", pt{X: 120, Y: -10}, pt{X: 120, Y: 10}, true, false, pt{}},
		{"on the line, beyond the end", pt{X: 120, Y: 0}, pt{X: 130, Y: 5}, true, false, pt{}},
		{"on the line, before the beginning", pt{X: -10, Y: 5}, pt{X: -20, Y: 0}, true, false, pt{}},
	} {
		f := edge{a: c.a, b: c.b, ring: 1}
		if c.same {
			f.ring = e.ring
		}
		for _, pair := range [][2]*edge{{&e, &f}, {&f, &e}} {
			if at, met := meet(pair[0], pair[1]); met != c.want || at != c.place {
				t.Errorf("%s: want %t at %v, got %t at %v", c.name, c.want, c.place, met, at)
			}
		}
	}
}
