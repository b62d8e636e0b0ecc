package world

import "math"

// line is an open polyline in metres with its bounding box, and boxes around every few of its pieces so
// that far ones are skipped.
type line struct {
	pts    []P
	lo, hi P
	chunks []chunk
}

// chunk is a run of pieces of a line: the vertices from first to last.
type chunk struct {
	first, last int
	lo, hi      P
	run         float64 // length of the line before it
}

const chunkPieces = 16

func newLine(pts []P) line {
	l := line{pts: pts, lo: pts[0], hi: pts[0]}
	run := 0.0
	for i := 0; i+1 < len(pts); i += chunkPieces {
		c := chunk{first: i, last: min(i+chunkPieces, len(pts)-1), lo: pts[i], hi: pts[i], run: run}
		for k := c.first; k <= c.last; k++ {
			c.lo = P{min(c.lo.X, pts[k].X), min(c.lo.Y, pts[k].Y)}
			c.hi = P{max(c.hi.X, pts[k].X), max(c.hi.Y, pts[k].Y)}
			if k > c.first {
				run += pts[k].dist(pts[k-1])
			}
		}
		l.lo = P{min(l.lo.X, c.lo.X), min(l.lo.Y, c.lo.Y)}
		l.hi = P{max(l.hi.X, c.hi.X), max(l.hi.Y, c.hi.Y)}
		l.chunks = append(l.chunks, c)
	}
	return l
}

// beyond says whether p lies more than d outside the box.
func beyond(p, lo, hi P, d float64) bool {
	return p.X < lo.X-d || p.X > hi.X+d || p.Y < lo.Y-d || p.Y > hi.Y+d
}

// dist is the distance of p to the line, or something larger than limit as soon as that is sure; along
// is the length of the line up to the nearest place, side is positive to the left.
func (l line) dist(p P, limit float64) (d, along, side float64) {
	d = math.Inf(1)
	if beyond(p, l.lo, l.hi, limit) {
		return d, 0, 0
	}
	for _, c := range l.chunks {
		if beyond(p, c.lo, c.hi, min(d, limit)) {
			continue
		}
		run := c.run
		for i := c.first; i < c.last; i++ {
			a, b := l.pts[i], l.pts[i+1]
			ab := b.sub(a)
			length := ab.len()
			t := min(1, max(0, p.sub(a).dot(ab)/max(ab.dot(ab), 1e-9)))
			if e := p.dist(a.add(ab.mul(t))); e < d {
				d, along, side = e, run+t*length, ab.cross(p.sub(a))
			}
			run += length
		}
	}
	return d, along, side
}

// simplify drops vertices closer than tol to the line between those kept (Douglas and Peucker).
func simplify(pts []P, tol float64) []P {
	if len(pts) < 3 {
		return pts
	}
	a, b := pts[0], pts[len(pts)-1]
	worst, at := tol, -1
	for i := 1; i+1 < len(pts); i++ {
		ab := b.sub(a)
		t := min(1, max(0, pts[i].sub(a).dot(ab)/max(ab.dot(ab), 1e-9)))
		if d := pts[i].dist(a.add(ab.mul(t))); d > worst {
			worst, at = d, i
		}
	}
	if at < 0 {
		return []P{a, b}
	}
	return append(simplify(pts[:at+1], tol), simplify(pts[at:], tol)[1:]...)
}

// offset moves a polyline to its left by d (negative: right), mitred at the bends.
func offset(pts []P, d float64) []P {
	out := make([]P, len(pts))
	for i, p := range pts {
		var n P
		switch {
		case i == 0:
			n = unit(pts[1].sub(p)).left()
		case i == len(pts)-1:
			n = unit(p.sub(pts[i-1])).left()
		default:
			a, b := unit(p.sub(pts[i-1])).left(), unit(pts[i+1].sub(p)).left()
			n = unit(a.add(b))
			n = n.mul(1 / math.Max(0.5, n.dot(a)))
		}
		out[i] = p.add(n.mul(d))
	}
	return out
}

// strip is the closed outline of a band around the line, with round or flat ends.
func strip(pts []P, half float64, roundEnds bool) []P {
	l, r := offset(pts, half), offset(pts, -half)
	ring := append([]P(nil), r...)
	ring = append(ring, end(pts[len(pts)-1], r[len(r)-1], roundEnds)...)
	for i := len(l) - 1; i >= 0; i-- {
		ring = append(ring, l[i])
	}
	return append(ring, end(pts[0], l[0], roundEnds)...)
}

// end is the half circle around c from the given side counter-clockwise, without its ends.
func end(c, from P, roundEnds bool) []P {
	if !roundEnds {
		return nil
	}
	var out []P
	for k := 1; k <= 4; k++ {
		out = append(out, c.add(from.sub(c).rotated(direction(float64(k)*math.Pi/5))))
	}
	return out
}

// wiggle is a natural-looking line from a to b: midpoints displaced at ever smaller scale.
func wiggle(a, b P, amp float64, seed uint64) []P {
	c := newChance(seed, 77)
	pts := []P{a, b}
	for step := a.dist(b); step > 90; step /= 2 {
		next := []P{pts[0]}
		for i := 0; i+1 < len(pts); i++ {
			p, q := pts[i], pts[i+1]
			n := q.sub(p).left()
			next = append(next, p.mix(q, 0.5).add(n.mul(amp*c.between(-1, 1))), q)
		}
		pts = next
	}
	return pts
}

// chaikin rounds the corners of an open line by cutting them.
func chaikin(pts []P, times int) []P {
	for ; times > 0; times-- {
		out := []P{pts[0]}
		for i := 0; i+1 < len(pts); i++ {
			out = append(out, pts[i].mix(pts[i+1], 0.25), pts[i].mix(pts[i+1], 0.75))
		}
		pts = append(out, pts[len(pts)-1])
	}
	return pts
}

// inRing is the even-odd test.
func inRing(ring []P, p P) bool {
	in := false
	a := ring[len(ring)-1]
	for _, b := range ring {
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(p.Y-a.Y)*(b.X-a.X)/(b.Y-a.Y) {
			in = !in
		}
		a = b
	}
	return in
}

// box is a rectangle around c with the long axis along d.
func box(c, d P, long, short float64) []P {
	u, v := d.mul(long/2), d.left().mul(short/2)
	return []P{c.sub(u).sub(v), c.add(u).sub(v), c.add(u).add(v), c.sub(u).add(v)}
}
