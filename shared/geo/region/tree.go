package region

import "mappe/shared/geo/geom"

// fan is the number of children of a node.
const fan = 8

// segment is a directed edge: the interior lies to its left.
type segment struct {
	a, b geom.Point
	ring int32 // counts all rings of the polygons
}

func (s segment) box() geom.Box {
	return geom.Box{MinX: min(s.a.X, s.b.X), MinY: min(s.a.Y, s.b.Y), MaxX: max(s.a.X, s.b.X), MaxY: max(s.a.Y, s.b.Y)}
}

// tree is a box hierarchy over the edges in ring order: neighbours along a ring are neighbours in
// space, so nothing needs sorting. Level 0 has one box for each fan edges.
type tree struct {
	seg    []segment
	boxes  []geom.Box
	levels []int32 // start of each level in boxes, leaves first; one more for the end
}

func (t *tree) build(m geom.MultiPolygon) {
	t.seg = make([]segment, 0, m.Vertices())
	ring := int32(0)
	for _, p := range m {
		for _, r := range p {
			for i, b := range r {
				a := r[(i+len(r)-1)%len(r)]
				if a != b {
					t.seg = append(t.seg, segment{a, b, ring})
				}
			}
			ring++
		}
	}
	if len(t.seg) == 0 {
		return
	}
	t.levels = append(t.levels, 0)
	for i := 0; i < len(t.seg); i += fan {
		b := geom.EmptyBox
		for _, s := range t.seg[i:min(i+fan, len(t.seg))] {
			b = b.Union(s.box())
		}
		t.boxes = append(t.boxes, b)
	}
	for from := 0; ; {
		to := len(t.boxes)
		t.levels = append(t.levels, int32(to))
		if to-from <= 1 {
			return
		}
		for i := from; i < to; i += fan {
			b := geom.EmptyBox
			for _, c := range t.boxes[i:min(i+fan, to)] {
				b = b.Union(c)
			}
			t.boxes = append(t.boxes, b)
		}
		from = to
	}
}

// search appends the edges whose boxes meet b, in edge order, and says how many boxes it looked at.
func (t *tree) search(found, stack []int32, b geom.Box) ([]int32, []int32, int) {
	if len(t.boxes) == 0 {
		return found, stack, 0
	}
	looked := 0
	stack = append(stack[:0], int32(len(t.boxes)-1))
	level := len(t.levels) - 2
	lv := append(make([]int8, 0, 64), int8(level))
	for len(stack) > 0 {
		n, l := stack[len(stack)-1], lv[len(lv)-1]
		stack, lv = stack[:len(stack)-1], lv[:len(lv)-1]
		looked++
		if !t.boxes[n].Intersects(b) {
			continue
		}
		first := (n - t.levels[l]) * fan
		if l == 0 {
			last := min(first+fan, int32(len(t.seg)))
			looked += int(last - first)
			for i := first; i < last; i++ {
				if t.seg[i].box().Intersects(b) {
					found = append(found, i)
				}
			}
			continue
		}
		end := min(t.levels[l-1]+first+fan, t.levels[l])
		for c := end - 1; c >= t.levels[l-1]+first; c-- {
			stack, lv = append(stack, c), append(lv, l-1)
		}
	}
	return found, stack, looked
}
