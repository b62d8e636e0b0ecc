package mvt

import "math"

// geometry reads the command integers of one feature. The cursor must stay within lim.Reach tile widths.
func (d *decoder) geometry(b []byte, typ GeomType, extent uint32) (parts [][]Point, reason string) {
	if typ == Unknown {
		return nil, ""
	}
	g := cursor{w: wire{b: b}, near: -int64(d.lim.Reach) * int64(extent), far: int64(d.lim.Reach+1) * int64(extent)}
	for len(g.w.b) > 0 {
		first := g.command(cmdMoveTo, "MoveTo")
		if typ != Points && first != 1 && g.w.err == "" {
			g.w.fail("MoveTo with count %d: expected 1", first)
		}
		if typ == Points && len(parts) == 1 {
			g.w.fail("second MoveTo in a point feature")
		}
		start := len(d.arena)
		start = d.points(&g, first, start)
		if typ != Points && g.w.err == "" {
			rest := g.command(cmdLineTo, "LineTo")
			start = d.points(&g, rest, start)
		}
		if typ == Polygons && g.w.err == "" {
			if n := g.command(cmdClosePath, "ClosePath"); n != 1 && g.w.err == "" {
				g.w.fail("ClosePath with count %d: expected 1", n)
			}
		}
		if g.w.err != "" {
			return nil, "geometry: " + g.w.err
		}
		part := d.arena[start:len(d.arena):len(d.arena)]
		for typ == Polygons && len(part) > 1 && part[len(part)-1] == part[0] {
			part = part[:len(part)-1]
		}
		parts = append(parts, part)
	}
	return parts, ""
}

// cursor is the pen of one feature.
type cursor struct {
	w         wire
	x, y      int64
	near, far int64
}

func (g *cursor) command(id uint64, name string) int {
	c := g.w.varint()
	switch {
	case g.w.err != "":
	case c > math.MaxUint32:
		g.w.fail("command integer %d has more than 32 bits", c)
	case c&7 != id:
		g.w.fail("command %d where %s (%d) must stand", c&7, name, id)
	case c>>3 == 0:
		g.w.fail("%s with count 0", name)
	}
	return int(c >> 3)
}

// points moves the pen n times; start is where the part began in the arena, and the answer is where it
// begins now. A vertex costs at least two bytes, so n is checked before any room is made.
func (d *decoder) points(g *cursor, n, start int) int {
	if g.w.err != "" {
		return start
	}
	if n > len(g.w.b)/2 {
		g.w.fail("%d vertices announced, %d bytes left", n, len(g.w.b))
		return start
	}
	if d.vertices += n; d.vertices > d.lim.Vertices {
		g.w.fail("more than %d vertices", d.lim.Vertices)
		return start
	}
	if cap(d.arena)-len(d.arena) < n {
		// Parts already cut keep the old block; the part at hand moves into the new one.
		room := make([]Point, len(d.arena)-start, len(d.arena)-start+max(n, arenaBlock))
		copy(room, d.arena[start:])
		d.arena, start = room, 0
	}
	for ; n > 0; n-- {
		dx, dy := g.w.varint(), g.w.varint()
		if g.w.err != "" {
			return start
		}
		if dx > math.MaxUint32 || dy > math.MaxUint32 {
			g.w.fail("step (%d, %d) has more than 32 bits", dx, dy)
			return start
		}
		g.x += int64(unzigzag(uint32(dx)))
		g.y += int64(unzigzag(uint32(dy)))
		if g.x < g.near || g.x > g.far || g.y < g.near || g.y > g.far {
			g.w.fail("vertex (%d, %d) is far outside the tile: expected %d to %d", g.x, g.y, g.near, g.far)
			return start
		}
		d.arena = append(d.arena, Point{X: int32(g.x), Y: int32(g.y)})
	}
	return start
}

// arenaBlock is the room made at a time, in vertices.
const arenaBlock = 4096
