package kg

import (
	"cmp"
	"slices"
)

// orient turns the rings of one feature piece to the winding of the format (exteriors positive) and says
// what it found. Tiles of the first format version may turn every ring the other way: the first ring
// tells. Rings that do not fit the rule that holes follow their exterior are nested anew by depth.
func orient(rings [][]pt) (turned, inverted bool) {
	var outer box
	var outerArea int64
	for i, r := range rings {
		a := area2(r)
		if a == 0 {
			continue // a sliver of cutting: it says nothing
		}
		if outerArea == 0 && a < 0 {
			turned = true
			for _, q := range rings[i:] {
				reverse(q)
			}
			a = -a
		}
		if a > 0 {
			outer, outerArea = boxOf(r), a
		} else if -a > outerArea || !outer.holds(boxOf(r)) {
			inverted = true
		}
	}
	if inverted {
		turnByDepth(rings)
	}
	return turned, inverted
}

// turnByDepth makes rings inside an even number of larger rings exteriors and the others holes.
func turnByDepth(rings [][]pt) {
	areas, boxes := make([]int64, len(rings)), make([]box, len(rings))
	for i, r := range rings {
		areas[i], boxes[i] = abs64(area2(r)), boxOf(r)
	}
	for i, r := range rings {
		depth := 0
		for j, o := range rings {
			if areas[j] > areas[i] && boxes[j].holds(boxes[i]) && within(r, o) {
				depth++
			}
		}
		if (area2(r) > 0) != (depth%2 == 0) {
			reverse(r)
		}
	}
}

// polygon is an exterior ring and its holes on the grid.
type polygon [][]pt

// nest sorts rings into polygons by their winding: each hole goes to the smallest exterior that holds it.
// Holes without an exterior become exteriors, so that no ring is lost, and are counted. Exteriors keep
// the order of their smallest vertex; every ring starts at its smallest vertex.
func nest(rings [][]pt) (polys []polygon, orphans int) {
	type outer struct {
		ring []pt
		box  box
		area int64
		poly int
	}
	var outers []outer
	var holes [][]pt
	for _, r := range rings {
		if area2(r) < 0 {
			holes = append(holes, startLow(r))
		} else {
			outers = append(outers, outer{ring: startLow(r)})
		}
	}
	slices.SortFunc(outers, func(a, b outer) int { return compareRings(a.ring, b.ring) })
	slices.SortFunc(holes, compareRings)
	for i := range outers {
		o := &outers[i]
		o.box, o.area, o.poly = boxOf(o.ring), area2(o.ring), i
		polys = append(polys, polygon{o.ring})
	}
	if len(holes) == 0 {
		return polys, 0
	}
	slices.SortStableFunc(outers, func(a, b outer) int { return cmp.Compare(a.area, b.area) })
	for _, h := range holes {
		b, a, found := boxOf(h), -area2(h), false
		first, _ := slices.BinarySearchFunc(outers, a, func(o outer, a int64) int { return cmp.Compare(o.area, a+1) })
		for _, o := range outers[first:] {
			if o.box.holds(b) && within(h, o.ring) {
				polys[o.poly] = append(polys[o.poly], h)
				found = true
				break
			}
		}
		if !found {
			orphans++
			reverse(h)
			polys = append(polys, polygon{startLow(h)})
		}
	}
	return polys, orphans
}

// startLow rotates a ring so that it starts at its lowest vertex (by row, then column).
func startLow(r []pt) []pt {
	k := 0
	for i, p := range r {
		if p.y < r[k].y || p.y == r[k].y && p.x < r[k].x {
			k = i
		}
	}
	if k == 0 {
		return r
	}
	out := make([]pt, 0, len(r))
	return append(append(out, r[k:]...), r[:k]...)
}

func comparePts(a, b pt) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) }

func compareRings(a, b []pt) int { return slices.CompareFunc(a, b, comparePts) }

// splitAtRepeats cuts a ring that passes a vertex more than once into loops that pass each once. Loops
// without area fall away.
func splitAtRepeats(r []pt, out [][]pt) [][]pt {
	at := make(map[pt]int, len(r))
	stack := make([]pt, 0, len(r))
	for _, p := range r {
		if k, ok := at[p]; ok {
			loop := slices.Clone(stack[k:])
			for _, q := range loop[1:] {
				delete(at, q)
			}
			stack = stack[:k+1]
			if len(loop) >= 3 && area2(loop) != 0 {
				out = append(out, loop)
			}
			continue
		}
		at[p] = len(stack)
		stack = append(stack, p)
	}
	if len(stack) >= 3 && area2(stack) != 0 {
		out = append(out, stack)
	}
	return out
}

// repeats says whether the ring passes a vertex more than once.
func repeats(r []pt) bool {
	if len(r) <= 24 {
		for i, p := range r {
			for _, q := range r[:i] {
				if p == q {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[pt]struct{}, len(r))
	for _, p := range r {
		if _, ok := seen[p]; ok {
			return true
		}
		seen[p] = struct{}{}
	}
	return false
}
