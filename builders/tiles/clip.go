package tiles

import (
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// pen turns rings of the top grid into rings of one tile. Its buffers are reused from tile to tile: the
// rings of a tile live until the next reset.
type pen struct {
	arena []mvt.Point
	rings [][]mvt.Point
	ring  []mvt.Point // of place
	clip  geom.Bridger
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

// corner is where a tile of a zoom begins: by is the zooms below the top grid, x and y are pixels of its own.
type corner struct {
	by   uint8
	x, y int32
}

// polygon appends the rings of one polygon as a tile shows them: the exterior with positive area, the holes with
// negative area. inside says that no clipping is needed.
func (p *pen) polygon(parts [][]mvt.Point, rings polygon, at corner, inside bool) [][]mvt.Point {
	start, sum := len(parts), int64(0)
	for i, ring := range rings {
		r := p.place(ring, at.by, at.x, at.y)
		if !inside {
			r = p.clip.Clip(r, shown)
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
	p.ring = p.ring[:0]
	for _, v := range ring {
		v = shift(v, by)
		v.X -= x
		v.Y -= y
		p.ring = appendNew(p.ring, v)
	}
	return trim(p.ring)
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

// shown is the tile with its buffer.
var shown = geom.Box{MinX: -Buffer, MinY: -Buffer, MaxX: Extent + Buffer, MaxY: Extent + Buffer}
