package ne

import (
	"fmt"

	"mappe/artefacts/ne"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/hexgrid"
)

// hexagon is a cell in the plane, beside the origin of its chunk.
type hexagon struct {
	cell   hexgrid.Cell
	ring   []pt
	sides  []side
	box    rect
	area2  float64 // twice its area in mm²
	whole2 int64   // the same, as the sum of parts is compared with it
	m2     float64 // ne.CellArea, of vertices that are not rounded
}

// node is a cell of resolution 9, 10 or 11 with the box of all cells of resolution 12 below it.
type node struct {
	box      rect
	from, to int // of the cells of resolution 12
	below    []node
}

// chunk is the cells below one of resolution 9 in the plane. Everything in it depends on the cell alone, so that a
// border cell has the same numbers whichever KG it is computed for.
type chunk struct {
	cell   hexgrid.Cell
	x0, y0 float64   // origin
	cells  []hexagon // resolution 12, rising
	units  []hexagon // resolution 10, rising
	root   node
	box    rect // of all cells, in the plane itself
}

func newHexagon(c hexgrid.Cell, x0, y0 float64, room []hexgrid.LatLng) (hexagon, error) {
	border, err := c.AppendBoundary(room[:0])
	if err != nil {
		return hexagon{}, err
	}
	h := hexagon{cell: c, ring: make([]pt, len(border)), sides: make([]side, len(border)), box: emptyRect}
	var area ne.PlaneArea
	for i, p := range border {
		x, y := crs.LAEA.Forward(p.Lng, p.Lat)
		area.Add(x, y)
		q := millimetres(x, y)
		h.ring[i] = pt{q.x - x0, q.y - y0}
		h.box = h.box.extend(h.ring[i])
	}
	for i, p := range h.ring {
		q := h.ring[(i+1)%len(h.ring)]
		h.sides[i] = side{p, pt{q.x - p.x, q.y - p.y}}
	}
	h.area2 = area2(h.ring)
	h.whole2, h.m2 = int64(h.area2), area.M2()
	if h.area2 <= 0 {
		return h, fmt.Errorf("cell %s has no area", c)
	}
	return h, nil
}

func newChunk(c hexgrid.Cell) (*chunk, error) {
	centre, err := c.LatLng()
	if err != nil {
		return nil, err
	}
	o := planarOf(centre)
	k := &chunk{cell: c, x0: o.x, y0: o.y, cells: make([]hexagon, 0, ne.ChunkCells)}
	room := make([]hexgrid.LatLng, 0, 10)
	for u := range c.Children(ne.KRes) {
		h, err := newHexagon(u, k.x0, k.y0, room)
		if err != nil {
			return nil, err
		}
		k.units = append(k.units, h)
	}
	if k.root, err = k.grow(c, room); err != nil {
		return nil, err
	}
	all := k.root.box
	for i := range k.units {
		all = all.union(k.units[i].box)
	}
	k.box = all.shifted(-k.x0, -k.y0)
	return k, nil
}

// grow adds the cells below one.
func (k *chunk) grow(c hexgrid.Cell, room []hexgrid.LatLng) (node, error) {
	n := node{box: emptyRect, from: len(k.cells)}
	res := c.Resolution() + 1
	for child := range c.Children(res) {
		if res == ne.LURes {
			h, err := newHexagon(child, k.x0, k.y0, room)
			if err != nil {
				return n, err
			}
			k.cells = append(k.cells, h)
			n.box = n.box.union(h.box)
			continue
		}
		b, err := k.grow(child, room)
		if err != nil {
			return n, err
		}
		n.below = append(n.below, b)
		n.box = n.box.union(b.box)
	}
	n.to = len(k.cells)
	return n, nil
}

// visitor is told the area that a ring shares with a cell, twice and signed, in mm² rounded to whole ones.
type visitor func(cell int, shared2 int64)

// overlay has visit see every cell of resolution 12 that a ring shares area with. The ring is cut to the boxes of ever
// smaller groups of cells, which keeps it short; a box that it fills is filled below too.
func (k *chunk) overlay(c *clipper, ring []pt, visit visitor) { k.descend(c, &k.root, 0, ring, visit) }

func (k *chunk) descend(c *clipper, n *node, level int, ring []pt, visit visitor) {
	b := bounds(ring)
	if !n.box.meets(b) {
		return
	}
	if !n.box.holds(b) {
		if ring = c.within(level, n.box, ring); len(ring) < 3 {
			return
		}
	}
	if full := area2(ring); full == 2*n.box.area() || full == -2*n.box.area() {
		k.fill(n.from, n.to, full > 0, visit)
		return
	}
	for i := range n.below {
		k.descend(c, &n.below[i], level+1, ring, visit)
	}
	if n.below != nil {
		return
	}
	for i := n.from; i < n.to; i++ {
		h := &k.cells[i]
		b := bounds(ring)
		if !h.box.meets(b) {
			continue
		}
		if a := round(area2(c.to(h.sides, ring))); a != 0 {
			visit(i, a)
		}
	}
}

// fill tells the whole of cells.
func (k *chunk) fill(from, to int, positive bool, visit visitor) {
	for i := from; i < to; i++ {
		a := k.cells[i].whole2
		if !positive {
			a = -a
		}
		visit(i, a)
	}
}

// along has visit see every cell of resolution 12 that a segment runs through, with the share of its length there.
func (k *chunk) along(n *node, u, v pt, visit func(cell int, share float64)) {
	b := emptyRect.extend(u).extend(v)
	if !n.box.meets(b) {
		return
	}
	for i := range n.below {
		k.along(&n.below[i], u, v, visit)
	}
	if n.below != nil {
		return
	}
	for i := n.from; i < n.to; i++ {
		h := &k.cells[i]
		if !h.box.meets(b) {
			continue
		}
		if t0, t1 := stretch(h.sides, u, v); t0 < t1 {
			visit(i, t1-t0)
		}
	}
}

// round is to the nearest whole number, halves up.
func round(v float64) int64 {
	if v < 0 {
		return -round(-v)
	}
	return int64(v + 0.5)
}
