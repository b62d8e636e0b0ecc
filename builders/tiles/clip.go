package tiles

import "mappe/shared/geo/mvt"

// pen turns rings of the top grid into rings of one tile. Its buffers are reused from tile to tile: the
// rings of a tile live until the next reset.
type pen struct {
	arena []mvt.Point
	rings [][]mvt.Point
	a, b  []mvt.Point
}

func (p *pen) reset() {
	p.arena = p.arena[:0]
	p.rings = p.rings[:0]
}

// parts is an empty list with room for n rings, cut from a block.
func (p *pen) parts(n int) [][]mvt.Point {
	if cap(p.rings)-len(p.rings) < n {
		p.rings = make([][]mvt.Point, 0, max(1<<11, n))
	}
	at := len(p.rings)
	p.rings = p.rings[:at+n]
	return p.rings[at : at : at+n]
}

// keep copies a ring into the arena. A full arena is left to the rings it holds and a new one is begun.
func (p *pen) keep(ring []mvt.Point) []mvt.Point {
	if cap(p.arena)-len(p.arena) < len(ring) {
		p.arena = make([]mvt.Point, 0, max(1<<14, len(ring)))
	}
	at := len(p.arena)
	p.arena = append(p.arena, ring...)
	return p.arena[at:len(p.arena):len(p.arena)]
}

// polygon appends the rings of one polygon as the tile at (x, y) of a zoom shows them: the exterior with
// positive area, the holes with negative area. inside says that no clipping is needed.
func (p *pen) polygon(parts [][]mvt.Point, rings polygon, by uint8, x, y int32, inside bool) [][]mvt.Point {
	start, sum := len(parts), int64(0)
	for i, ring := range rings {
		r := p.place(ring, by, x, y)
		if !inside {
			r = p.clip(r)
		}
		area := mvt.Area2(r)
		if area == 0 {
			if i == 0 {
				return parts
			}
			continue
		}
		kept := p.keep(r)
		if (i == 0) != (area > 0) {
			reverse(kept)
			area = -area
		}
		sum += area
		parts = append(parts, kept)
	}
	if sum <= 0 { // the holes cover all of the exterior that this tile shows
		return parts[:start]
	}
	return parts
}

// place shifts a ring to the zoom, moves it to the tile's corner and drops repeated pixels.
func (p *pen) place(ring []mvt.Point, by uint8, x, y int32) []mvt.Point {
	p.a = p.a[:0]
	for _, v := range ring {
		v = shift(v, by)
		v.X -= x
		v.Y -= y
		p.a = appendNew(p.a, v)
	}
	return trim(p.a)
}

func appendNew(r []mvt.Point, v mvt.Point) []mvt.Point {
	if len(r) > 0 && r[len(r)-1] == v {
		return r
	}
	return append(r, v)
}

func trim(r []mvt.Point) []mvt.Point {
	for len(r) > 1 && r[0] == r[len(r)-1] {
		r = r[:len(r)-1]
	}
	return r
}

func reverse(r []mvt.Point) {
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
}

// The edges of a tile with its buffer.
const (
	near = -Buffer
	far  = Extent + Buffer
)

// clip cuts a ring to the tile with its buffer, one edge after another (Sutherland and Hodgman). A
// concave ring may come out with edges that lie on each other along the cut: outside the visible tile.
func (p *pen) clip(r []mvt.Point) []mvt.Point {
	for _, edge := range [...]struct {
		y    bool
		sign int32 // +1 keeps what lies above the limit, -1 what lies below
		at   int32
	}{{false, 1, near}, {false, -1, far}, {true, 1, near}, {true, -1, far}} {
		if len(r) == 0 {
			return r
		}
		dist := func(v mvt.Point) int32 {
			c := v.X
			if edge.y {
				c = v.Y
			}
			return (c - edge.at) * edge.sign
		}
		out := p.b[:0]
		last := r[len(r)-1]
		lastIn := dist(last) >= 0
		for _, v := range r {
			in := dist(v) >= 0
			if in != lastIn {
				out = appendNew(out, cross(last, v, edge.at, edge.y))
			}
			if in {
				out = appendNew(out, v)
			}
			last, lastIn = v, in
		}
		p.b = p.a[:0]
		p.a = out
		r = trim(out)
	}
	return r
}

// cross is the pixel where an edge meets a limit. Both directions of an edge give the same pixel, so two
// neighbours are cut at the same place.
func cross(a, b mvt.Point, at int32, y bool) mvt.Point {
	if y {
		q := cross(mvt.Point{X: a.Y, Y: a.X}, mvt.Point{X: b.Y, Y: b.X}, at, false)
		return mvt.Point{X: q.Y, Y: q.X}
	}
	if a.X > b.X {
		a, b = b, a
	}
	d := int64(b.X) - int64(a.X) // positive: the ends lie on different sides
	n := (int64(b.Y)-int64(a.Y))*(int64(at)-int64(a.X))*2 + d
	q := n / (2 * d)
	if n%(2*d) < 0 {
		q--
	}
	return mvt.Point{X: at, Y: a.Y + int32(q)}
}
