package kg

import "testing"

// Edges meet where they cross, whichever rings they are of. An end inside the other edge is a meeting within
// one ring only: rings may touch each other. Edges that share an end, or lie apart, do not meet.
func TestMeet(t *testing.T) {
	e := edge{a: pt{0, 0}, b: pt{100, 0}}
	for _, c := range []struct {
		name  string
		a, b  pt
		same  bool // ring
		want  bool
		place pt
	}{
		{"crossing", pt{40, -10}, pt{40, 10}, true, true, pt{40, 0}},
		{"crossing the other way", pt{40, 10}, pt{40, -10}, true, true, pt{40, 0}},
		{"crossing another ring", pt{40, -10}, pt{40, 10}, false, true, pt{40, 0}},
		{"crossing between pixels", pt{40, -1}, pt{41, 2}, false, true, pt{40, 0}},
		{"beginning inside", pt{40, 0}, pt{40, 10}, true, true, pt{40, 0}},
		{"ending inside", pt{40, 10}, pt{40, 0}, true, true, pt{40, 0}},
		{"touching another ring", pt{40, 0}, pt{40, 10}, false, false, pt{}},
		{"sharing an end", pt{100, 0}, pt{40, 10}, true, false, pt{}},
		{"sharing a beginning", pt{0, 0}, pt{40, 10}, true, false, pt{}},
		{"above", pt{40, 1}, pt{60, 10}, true, false, pt{}},
		{"beyond the end", pt{120, -10}, pt{120, 10}, true, false, pt{}},
		{"on the line, beyond the end", pt{120, 0}, pt{130, 5}, true, false, pt{}},
		{"on the line, before the beginning", pt{-10, 5}, pt{-20, 0}, true, false, pt{}},
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
