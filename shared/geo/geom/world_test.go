package geom

import (
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"
)

// flatPlane is a plane of one metre per grid unit, for tests of exact properties.
func flatPlane(p Point) (x, y float64) { return float64(p.X), float64(p.Y) }

// tessellation cuts a square into n by n cells with shared, jittered corners and a bend in each side, so
// that cells are concave and every border belongs to exactly two cells.
func tessellation(rnd *rand.Rand, n int, cell int32, origin Point) []Polygon {
	j := func() int32 { return int32(rnd.IntN(int(cell)/2)) - cell/4 }
	corner := make([][]Point, n+1)
	right, up := make([][]Point, n+1), make([][]Point, n+1) // bends of the sides that start at a corner
	for y := range n + 1 {
		for x := range n + 1 {
			at := Point{origin.X + int32(x)*cell, origin.Y + int32(y)*cell}
			c := at
			if x > 0 && x < n {
				c.X += j()
			}
			if y > 0 && y < n {
				c.Y += j()
			}
			r, u := Point{at.X + cell/2, at.Y}, Point{at.X, at.Y + cell/2}
			if y > 0 && y < n {
				r.Y += j()
			}
			if x > 0 && x < n {
				u.X += j()
			}
			corner[y] = append(corner[y], c)
			right[y], up[y] = append(right[y], r), append(up[y], u)
		}
	}
	var out []Polygon
	for y := range n {
		for x := range n {
			r := Ring{corner[y][x], right[y][x], corner[y][x+1], up[y][x+1], corner[y+1][x+1], right[y+1][x], corner[y+1][x], up[y][x]}
			out = append(out, Polygon{r})
		}
	}
	return out
}

// valid leaves out the few cells whose jitter made them cross themselves.
func valid(ps []Polygon) bool {
	for _, p := range ps {
		if len((MultiPolygon{p}).Check()) > 0 {
			return false
		}
	}
	return true
}

// starRing is a ring around a centre with random radii: it never crosses itself, in whatever shape.
func starRing(rnd *rand.Rand, c Point, n int, radius float64) Ring {
	var r Ring
	for i := range n {
		a := 2 * math.Pi * (float64(i) + 0.8*rnd.Float64()) / float64(n)
		d := radius * (0.3 + 0.7*rnd.Float64())
		r = append(r, Point{c.X + int32(d*math.Cos(a)), c.Y + int32(d*math.Sin(a))})
	}
	return r
}

// blob is a valid polygon with holes: a star with small stars near its centre left out.
func blob(rnd *rand.Rand, c Point, n int, radius float64) Polygon {
	p := Polygon{starRing(rnd, c, n, radius)}
	for k := range rnd.IntN(3) {
		h := starRing(rnd, Point{c.X + int32(float64(k-1)*radius*0.1), c.Y}, 6, radius*0.045)
		h.Orient(false)
		p = append(p, h)
	}
	p[0].Orient(true)
	return p
}

func drawRand(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
}

func drawPoint(t *rapid.T) Point {
	small := rapid.Bool().Draw(t, "small")
	if small {
		return Point{rapid.Int32Range(-4, 4).Draw(t, "x"), rapid.Int32Range(-4, 4).Draw(t, "y")}
	}
	return Point{rapid.Int32().Draw(t, "x"), rapid.Int32().Draw(t, "y")}
}

func drawRing(t *rapid.T, n int) Ring {
	var r Ring
	for range rapid.IntRange(0, n).Draw(t, "n") {
		r = append(r, drawPoint(t))
	}
	return r
}
