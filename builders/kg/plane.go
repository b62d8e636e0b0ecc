package kg

import "math"

// distance is how far p lies from the segment a-b, in pixels.
func distance(p, a, b pt) float64 {
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	px, py := float64(p.X)-float64(a.X), float64(p.Y)-float64(a.Y)
	l := dx*dx + dy*dy
	if l == 0 {
		return math.Hypot(px, py)
	}
	t := max(0, min(1, (px*dx+py*dy)/l))
	return math.Hypot(px-t*dx, py-t*dy)
}

// dot is the dot product of a-b and c-d; the sign says whether they run the same way.
func dot(a, b, c, d pt) int64 {
	return (int64(b.X)-int64(a.X))*(int64(d.X)-int64(c.X)) + (int64(b.Y)-int64(a.Y))*(int64(d.Y)-int64(c.Y))
}

// turn is twice the area of the triangle a, b, c: positive when it runs clockwise on the screen (y down).
func turn(a, b, c pt) int64 {
	return (int64(b.X)-int64(a.X))*(int64(c.Y)-int64(a.Y)) - (int64(b.Y)-int64(a.Y))*(int64(c.X)-int64(a.X))
}

// area2 is twice the signed area of a ring: positive for an exterior ring in tile space.
func area2(r []pt) int64 {
	if len(r) < 3 {
		return 0
	}
	var sum int64
	for i := 1; i+1 < len(r); i++ {
		sum += turn(r[0], r[i], r[i+1])
	}
	return sum
}

func abs64(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

// tidy removes repeated vertices and spikes (a, b, a), which hold no area. It works in place.
func tidy(r []pt) []pt {
	out := r[:0]
	for _, p := range r {
		out = append(out, p)
		for n := len(out); n >= 2; n = len(out) {
			if out[n-1] == out[n-2] {
				out = out[:n-1]
			} else if n >= 3 && out[n-1] == out[n-3] {
				out = out[:n-2]
			} else {
				break
			}
		}
	}
	for n := len(out); n >= 2; n = len(out) {
		switch {
		case out[n-1] == out[0]:
			out = out[:n-1]
		case n >= 3 && out[n-1] == out[1]: // the spike's tip is the first vertex
			out = out[1 : n-1 : n-1]
		case n >= 3 && out[n-2] == out[0]: // the spike's tip is the last vertex
			out = out[:n-2]
		default:
			return out
		}
	}
	return out
}

// unrepeat removes repeated neighbours only, in place.
func unrepeat(r []pt) []pt {
	out := r[:0]
	for _, p := range r {
		if len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	for len(out) > 1 && out[len(out)-1] == out[0] {
		out = out[:len(out)-1]
	}
	return out
}

func reverse(r []pt) {
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
}

// place says where a point stands to a ring; coordinates are doubled so that midpoints are exact.
type place int8

const (
	outside place = iota
	onBorder
	inside
)

func locate2(x2, y2 int64, r []pt) place {
	in := false
	a := r[len(r)-1]
	for _, b := range r {
		ax, ay, bx, by := 2*int64(a.X), 2*int64(a.Y), 2*int64(b.X), 2*int64(b.Y)
		a = b
		if (y2 < ay && y2 < by) || (y2 > ay && y2 > by) || (x2 > ax && x2 > bx) {
			continue
		}
		t := (bx-ax)*(y2-ay) - (by-ay)*(x2-ax)
		if t == 0 && min(ax, bx) <= x2 && x2 <= max(ax, bx) && min(ay, by) <= y2 && y2 <= max(ay, by) {
			return onBorder
		}
		if (ay > y2) != (by > y2) && (t > 0) == (by > ay) {
			in = !in
		}
	}
	if in {
		return inside
	}
	return outside
}

// within says whether ring r lies inside ring o, judged by the first of its edges whose middle is not on
// o's border. Rings that coincide are not within each other.
func within(r, o []pt) bool {
	a := r[len(r)-1]
	for _, b := range r {
		switch locate2(int64(a.X)+int64(b.X), int64(a.Y)+int64(b.Y), o) {
		case inside:
			return true
		case outside:
			return false
		}
		a = b
	}
	return false
}
