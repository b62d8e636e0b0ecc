package kg

import (
	"cmp"
	"slices"

	"mappe/shared/geo/geom"
)

// orient turns the rings of one feature piece to the winding of the format (exteriors positive) and says
// what it found. Tiles of the first format version may turn every ring the other way: the first ring
// tells. Rings that do not fit the rule that holes follow their exterior are nested anew by depth.
func orient(rings [][]pt) (turned, inverted bool) {
	var outer geom.Box
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
			outer, outerArea = geom.Ring(r).Bounds(), a
		} else if -a > outerArea || !outer.Holds(geom.Ring(r).Bounds()) {
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
	areas, boxes := make([]int64, len(rings)), make([]geom.Box, len(rings))
	for i, r := range rings {
		areas[i], boxes[i] = abs64(area2(r)), geom.Ring(r).Bounds()
	}
	for i, r := range rings {
		depth := 0
		for j, o := range rings {
			if areas[j] > areas[i] && boxes[j].Holds(boxes[i]) && within(r, o) {
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
		box  geom.Box
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
		o.box, o.area, o.poly = geom.Ring(o.ring).Bounds(), area2(o.ring), i
		polys = append(polys, polygon{o.ring})
	}
	if len(holes) == 0 {
		return polys, 0
	}
	slices.SortStableFunc(outers, func(a, b outer) int { return cmp.Compare(a.area, b.area) })
	for _, h := range holes {
		b, a, found := geom.Ring(h).Bounds(), -area2(h), false
		first, _ := slices.BinarySearchFunc(outers, a, func(o outer, a int64) int { return cmp.Compare(o.area, a+1) })
		for _, o := range outers[first:] {
			if o.box.Holds(b) && within(h, o.ring) {
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
		if p.Y < r[k].Y || p.Y == r[k].Y && p.X < r[k].X {
			k = i
		}
	}
	if k == 0 {
		return r
	}
	out := make([]pt, 0, len(r))
	return append(append(out, r[k:]...), r[:k]...)
}

func comparePts(a, b pt) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) }

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
