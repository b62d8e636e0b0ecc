package world

import "math"

// The reach of the made-up country in metres from the origin.
const (
	west, east   = -5900.0, 5900.0
	south, north = -4750.0, 4650.0
)

// stream is a running water with its bed's half width.
type stream struct {
	name string
	line line
	half func(along float64) float64
	main bool
}

// riverOffset is the river's distance north of the valley's middle: wide bends and small ones.
func riverOffset(x float64) float64 {
	return 105*math.Sin(x/330) + 48*math.Sin(x/151+2) + 12*math.Sin(x/61)
}

func riverAt(x float64) P { return P{x, axis(x) + riverOffset(x)} }

// buildWater lays the river, the side valley's brook and the hill streams.
func (w *World) buildWater() {
	var pts []P
	for x := west - 300; x <= east+300; x += 11 {
		pts = append(pts, riverAt(x))
	}
	w.river = stream{riverName, newLine(pts), func(a float64) float64 { return 13 + 3*math.Sin(a/270) + 1.5*math.Sin(a/83) }, true}
	pts = nil
	for y := -4300.0; y <= axis(2300); y += 18 {
		x := sideAxis(y) - 60 + 38*math.Sin(y/190) + 14*math.Sin(y/77)
		pts = append(pts, P{x, y})
	}
	pts = append(pts, riverAt(sideAxis(pts[len(pts)-1].Y)-20))
	w.streams = append(w.streams, stream{brookName, newLine(simplify(pts, 0.3)), func(float64) float64 { return 3.6 }, false})
	for i, s := range []struct{ x, top float64 }{
		{-5050, 3300}, {-3150, 3700}, {-1560, 3000}, {-150, 3900}, {1650, 3500}, {3150, 3800}, {4700, 3300},
		{-4550, -3300}, {-2700, -3500}, {-700, -3100}, {4500, -3100},
	} {
		w.streams = append(w.streams, w.hillStream(i, s.x, s.top))
	}
}

// hillStream runs down the slope from a spring at offset top to the river.
func (w *World) hillStream(i int, x, top float64) stream {
	var pts []P
	seed := uint64(100 + i)
	for t := top; ; t -= math.Copysign(22, top) {
		px := x + 150*noise(P{t, 0}, 700, seed) + 34*noise(P{t, 50}, 160, seed)
		p := P{px, axis(px) + t}
		if (t-riverOffset(px))*math.Copysign(1, top) < 5 {
			pts = append(pts, riverAt(px))
			break
		}
		pts = append(pts, p)
	}
	return stream{streamNames[i], newLine(simplify(pts, 0.5)), func(float64) float64 { return 2.4 }, false}
}

// bank is the closed outline of the water's bed.
func (s stream) bank() []P {
	pts := s.line.pts
	var l, r []P
	run := 0.0
	for i := range pts {
		if i > 0 {
			run += pts[i].dist(pts[i-1])
		}
		a, b := pts[max(0, i-1)], pts[min(len(pts)-1, i+1)]
		n := unit(b.sub(a)).left().mul(s.half(run))
		l, r = append(l, pts[i].add(n)), append(r, pts[i].sub(n))
	}
	for i := len(l) - 1; i >= 0; i-- {
		r = append(r, l[i])
	}
	return r
}

// holds says whether p lies in the bed.
func (s stream) holds(p P) bool {
	d, along, _ := s.line.dist(p, 20)
	return d < s.half(along)
}
