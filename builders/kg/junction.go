package kg

import (
	"cmp"
	"slices"
)

// junctionTol is how far, in pixels, a corner may stand off a neighbour's border to be taken for a corner
// on that border: both were rounded to the grid, each by up to half a pixel diagonal.
const junctionTol = 1.5

// A border is a directed edge of parcel number area.
type border struct {
	a, b pt
	area int32
}

func less(p, q pt) bool { return comparePts(p, q) < 0 }

// free lists the borders that no other border runs against, and that is what is left when all shared
// borders cancel. The list is in the order of the areas and their rings.
func free(areas [][]polygon) []border {
	// Each edge is filed under its lower end; the two directions of a shared border meet there.
	n := 0
	for _, polys := range areas {
		for _, p := range polys {
			for _, r := range p {
				n += len(r)
			}
		}
	}
	type filed struct {
		lo, hi pt
		up     bool // runs lo -> hi
		index  int32
	}
	all := make([]border, 0, n)
	list := make([]filed, 0, n)
	for k, polys := range areas {
		for _, p := range polys {
			for _, r := range p {
				a := r[len(r)-1]
				for _, b := range r {
					f := filed{a, b, true, int32(len(all))}
					if less(b, a) {
						f.lo, f.hi, f.up = b, a, false
					}
					list = append(list, f)
					all = append(all, border{a, b, int32(k)})
					a = b
				}
			}
		}
	}
	slices.SortFunc(list, func(p, q filed) int {
		return cmp.Or(comparePts(p.lo, q.lo), comparePts(p.hi, q.hi), cmp.Compare(p.index, q.index))
	})
	var keep []int32
	for i := 0; i < len(list); {
		j := i
		var up, down []int32
		for ; j < len(list) && list[j].lo == list[i].lo && list[j].hi == list[i].hi; j++ {
			if list[j].up {
				up = append(up, list[j].index)
			} else {
				down = append(down, list[j].index)
			}
		}
		m := min(len(up), len(down))
		keep = append(append(keep, up[m:]...), down[m:]...)
		i = j
	}
	slices.Sort(keep)
	out := make([]border, len(keep))
	for i, k := range keep {
		out[i] = all[k]
	}
	return out
}

// cell of the lookup of corners, in pixels.
const cornerCell = 128

// joinCorners sets the corners of neighbours into the borders they stand on (T-junctions), so that both
// sides of a border have the same vertices. Only borders without a counterpart are looked at, and only a
// corner whose own free border runs against this one along a stretch. It says how many vertices were set.
func joinCorners(areas [][]polygon) int {
	open := free(areas)
	ends := map[pt][]int32{} // corner of a grid cell -> free borders that start or end in the cell
	cell := func(p pt) pt { return pt{X: p.X &^ (cornerCell - 1), Y: p.Y &^ (cornerCell - 1)} }
	for i, o := range open {
		ends[cell(o.a)] = append(ends[cell(o.a)], int32(i))
		if cell(o.b) != cell(o.a) {
			ends[cell(o.b)] = append(ends[cell(o.b)], int32(i))
		}
	}
	insert := map[border][]pt{}
	count, left := 0, maxPairs
	for _, o := range open {
		var on []pt
		visitCells(o.a, o.b, func(c pt) {
			if left -= len(ends[c]); left < 0 {
				return
			}
			for _, k := range ends[c] {
				f := open[k]
				if f.area == o.area || dot(o.a, o.b, f.a, f.b) >= 0 {
					continue
				}
				for _, u := range [...]pt{f.a, f.b} {
					if cell(u) == c && standsOn(u, o) && runsAlong(f, o) {
						on = append(on, u)
					}
				}
			}
		})
		if left < 0 {
			break
		}
		if len(on) == 0 {
			continue
		}
		slices.SortFunc(on, func(p, q pt) int {
			return cmp.Or(cmp.Compare(dot(o.a, o.b, o.a, p), dot(o.a, o.b, o.a, q)), comparePts(p, q))
		})
		on = slices.Compact(on)
		insert[o] = on
		count += len(on)
	}
	if count == 0 {
		return 0
	}
	for k, polys := range areas {
		for _, p := range polys {
			for i, r := range p {
				p[i] = setCorners(r, int32(k), insert)
			}
		}
	}
	return count
}

func setCorners(r []pt, area int32, insert map[border][]pt) []pt {
	var out []pt
	for i, a := range r {
		on := insert[border{a, r[(i+1)%len(r)], area}]
		if len(on) > 0 && out == nil {
			out = append(make([]pt, 0, len(r)+len(on)), r[:i]...)
		}
		if out != nil {
			out = append(append(out, a), on...)
		}
	}
	if out == nil {
		return r
	}
	return out
}

// standsOn says whether u lies on the border between its ends.
func standsOn(u pt, o border) bool {
	return u != o.a && u != o.b && dot(o.a, o.b, o.a, u) > 0 && dot(o.a, o.b, u, o.b) > 0 && distance(u, o.a, o.b) <= junctionTol
}

// runsAlong says whether f and o follow each other along a stretch: of each, the end that lies beside the
// other is close to it.
func runsAlong(f, o border) bool {
	near := 0
	for _, c := range [...]struct {
		u pt
		o border
	}{{f.a, o}, {f.b, o}, {o.a, f}, {o.b, f}} {
		if dot(c.o.a, c.o.b, c.o.a, c.u) < 0 || dot(c.o.a, c.o.b, c.u, c.o.b) < 0 {
			continue // beyond the other's ends
		}
		if distance(c.u, c.o.a, c.o.b) > junctionTol {
			return false
		}
		near++
	}
	return near >= 2
}

// visitCells visits the cells that may hold a point near the line a-b: row by row, those under the stretch
// of the line within the row.
func visitCells(a, b pt, visit func(pt)) {
	const pad = 2
	if a.Y > b.Y {
		a, b = b, a
	}
	slope := 0.0
	if a.Y != b.Y {
		slope = float64(b.X-a.X) / float64(b.Y-a.Y)
	}
	for y := (a.Y - pad) &^ (cornerCell - 1); y <= b.Y+pad; y += cornerCell {
		xa, xb := float64(a.X), float64(b.X)
		if slope != 0 {
			xa = float64(a.X) + slope*float64(max(a.Y, y-pad)-a.Y)
			xb = float64(a.X) + slope*float64(min(b.Y, y+cornerCell+pad)-a.Y)
		}
		end := int32(max(xa, xb)) + pad + 1
		for x := (int32(min(xa, xb)) - pad - 1) &^ (cornerCell - 1); x <= end; x += cornerCell {
			visit(pt{X: x, Y: y})
		}
	}
}

// outlineOf is the union of areas: what is left when shared borders cancel, linked to rings. At a vertex
// where several rings meet, the walk turns so that rings do not cross.
func outlineOf(areas [][]polygon) []polygon {
	open := free(areas)
	slices.SortFunc(open, func(p, q border) int { return cmp.Or(comparePts(p.a, q.a), comparePts(p.b, q.b)) })
	used := make([]bool, len(open))
	from := func(p pt) int {
		i, _ := slices.BinarySearchFunc(open, p, func(o border, p pt) int { return comparePts(o.a, p) })
		return i
	}
	var rings [][]pt
	for i := range open {
		if used[i] {
			continue
		}
		var ring []pt
		for k := i; k >= 0; {
			used[k] = true
			o := open[k]
			ring = append(ring, o.a)
			if o.b == open[i].a {
				break
			}
			next := -1
			for j := from(o.b); j < len(open) && open[j].a == o.b; j++ {
				if !used[j] && (next < 0 || sharper(o, open[j].b, open[next].b)) {
					next = j
				}
			}
			k = next
		}
		rings = append(rings, ring)
	}
	polys, _, _ := shape(rings)
	return polys
}

// sharper says whether leaving o towards p turns further to the outside of the area than towards q:
// the area lies to the right on the screen (positive rings run clockwise), so the walk keeps right.
func sharper(o border, p, q pt) bool {
	tp, tq := turn(o.a, o.b, p), turn(o.a, o.b, q)
	if (tp > 0) != (tq > 0) {
		return tp > 0
	}
	return turn(o.b, p, q) < 0
}
