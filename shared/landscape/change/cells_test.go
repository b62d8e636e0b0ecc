package change

import "testing"

// The steep steps of a quarry, of which a shift that is a little wrong makes strips that are higher or lower, were not
// resurfaced; a road that is as much higher was.
func TestStepsAreNotResurfaced(t *testing.T) {
	for _, c := range []struct {
		name  string
		slope int32 // mm a metre
		want  bool
	}{{"steps", 2000, false}, {"a road", 100, true}} {
		w := &bench{}
		w.size(cells{0, 0, 100, 100})
		for i := range w.t {
			row := int32(i / 100)
			w.t[i], w.d[i], w.a[i], w.b[i], w.known[i] = -c.slope*min(max(row-45, 0), 10), 0, 10, 10, true
			if row < 40 || row >= 60 {
				w.a[i], w.b[i] = 120, 120 // grass
			}
			if row >= 45 && row < 55 {
				w.d[i] = 110
			}
		}
		w.classify(&limits{open: 70, wooded: 120, change: 1000, lag: 56})
		n := 0
		for _, k := range w.class {
			if k == slight {
				n++
			}
		}
		if (n > 200) != c.want {
			t.Errorf("%s: %d cells are resurfaced", c.name, n)
		}
	}
	if got := limitsOf(&Registration{ShiftError: [2]float64{0.01, 0.026}}, 1).lag; got != 56 {
		t.Errorf("a shift wrong by 10 and 26 mm: %d mm a metre", got)
	}
}
