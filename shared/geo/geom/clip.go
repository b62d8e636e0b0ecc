package geom

import (
	"cmp"
	"slices"
)

// Clip is the part of the multipolygon inside the closed box. Vertices of the border are grid points on
// the box's edges, rounded half up along the edge, so that an edge shared by two polygons is cut at the
// same point in both. No bridges run along the box where the polygon is in several pieces. Geometry that
// lies in the box as a whole is returned as it is, not copied; rings of cut polygons come back oriented
// (exterior counter-clockwise). Vertices outside are never moved in, so self-crossing input stays as
// crossing as it was.
func (m MultiPolygon) Clip(b Box) MultiPolygon {
	var out MultiPolygon
	for _, p := range m {
		out = append(out, p.Clip(b)...)
	}
	return out
}

// Clip is MultiPolygon.Clip of one polygon.
func (p Polygon) Clip(b Box) MultiPolygon {
	pb := EmptyBox
	for _, r := range p { // holes too: nothing says that they lie inside
		pb = pb.Union(r.Bounds())
	}
	if b.Empty() || !b.Intersects(pb) {
		return nil
	}
	if b.Holds(pb) {
		return MultiPolygon{p}
	}
	rings := []Ring(p)
	for _, h := range [...]half{{false, int64(b.MaxX), 1}, {false, int64(b.MinX), -1}, {true, int64(b.MaxY), 1},
		{true, int64(b.MinY), -1}} {
		rings = h.clip(rings)
	}
	var simple []Ring
	for _, r := range rings {
		for _, s := range splitPinches(r) {
			if s = s.Clean(); s != nil {
				simple = append(simple, s)
			}
		}
	}
	return nest(simple)
}

// half is the half-plane where sense*(u-limit) < 0; u is X, or Y when swap is set, v the other.
type half struct {
	swap  bool
	limit int64
	sense int64
}

func (h half) uv(p Point) (u, v int64) {
	if h.swap {
		return int64(p.Y), int64(p.X)
	}
	return int64(p.X), int64(p.Y)
}

// inside is strict: a vertex on the line counts as outside, so that edges along the line fall away and
// come back as links between the cuts.
func (h half) inside(p Point) bool { u, _ := h.uv(p); return h.sense*(u-h.limit) < 0 }

// cut is the point where the line cuts the edge a-b, which crosses or ends on it.
func (h half) cut(a, b Point) Point {
	au, av := h.uv(a)
	bu, bv := h.uv(b)
	if au > bu {
		au, av, bu, bv = bu, bv, au, av
	}
	// floor(x + 1/2) with x = (bv-av)(limit-au)/(bu-au): doubled to stay in integers.
	d := (mulDivFloor(2*(bv-av), h.limit-au, bu-au) + 1) >> 1
	if h.swap {
		return Point{int32(av + d), int32(h.limit)}
	}
	return Point{int32(h.limit), int32(av + d)}
}

// chain is a stretch of a ring inside the half-plane with its two cuts.
type chain struct {
	pts  Ring
	next int
	used bool
}

type cutEnd struct {
	v     int64
	chain int
	exit  bool
}

// clip cuts the rings at the line and links the cuts along it. By the even-odd rule the cuts sorted along
// the line bound the stretches inside in pairs. Links run on the line, so the signed area does not
// depend on the pairing: malformed rings give odd shapes but no wrong area.
func (h half) clip(rings []Ring) []Ring {
	var out []Ring
	var chains []chain
	var ends []cutEnd
	for _, r := range rings {
		first := -1
		for i := range r {
			if !h.inside(r[i]) {
				first = i
				break
			}
		}
		if first < 0 {
			out = append(out, r)
			continue
		}
		n := len(r)
		open := false
		prev := r[first]
		for k := 1; k <= n; k++ {
			p := r[(first+k)%n]
			switch in := h.inside(p); {
			case in && !open:
				c := h.cut(prev, p)
				_, v := h.uv(c)
				ends = append(ends, cutEnd{v, len(chains), false})
				chains = append(chains, chain{pts: Ring{c, p}})
				open = true
			case in:
				at := &chains[len(chains)-1]
				at.pts = append(at.pts, p)
			case open:
				at := &chains[len(chains)-1]
				c := h.cut(prev, p)
				at.pts = append(at.pts, c)
				_, v := h.uv(c)
				ends = append(ends, cutEnd{v, len(chains) - 1, true})
				open = false
			}
			prev = p
		}
	}
	if len(chains) == 0 {
		return out
	}
	link(chains, ends)
	for i := range chains {
		if chains[i].used {
			continue
		}
		var r Ring
		for j := i; !chains[j].used; j = chains[j].next {
			chains[j].used = true
			r = append(r, chains[j].pts...)
		}
		out = append(out, r)
	}
	return out
}

// link sets each chain's next by pairing the sorted cuts.
func link(chains []chain, ends []cutEnd) {
	slices.SortStableFunc(ends, func(a, b cutEnd) int { return cmp.Compare(a.v, b.v) })
	paired := true
	for i := 0; i+1 < len(ends); i += 2 {
		if ends[i].exit == ends[i+1].exit {
			// Cuts at one place have no order of their own: take one of the other kind.
			for j := i + 2; j < len(ends) && ends[j].v == ends[i+1].v; j++ {
				if ends[j].exit != ends[i].exit {
					ends[i+1], ends[j] = ends[j], ends[i+1]
					break
				}
			}
		}
		paired = paired && ends[i].exit != ends[i+1].exit
	}
	if !paired { // not a valid polygon: any pairing of exits with entries closes the rings
		var in, ex []cutEnd
		for _, e := range ends {
			if e.exit {
				ex = append(ex, e)
			} else {
				in = append(in, e)
			}
		}
		for i := range ex {
			chains[ex[i].chain].next = in[i].chain
		}
		return
	}
	for i := 0; i+1 < len(ends); i += 2 {
		a, b := ends[i], ends[i+1]
		if !a.exit {
			a, b = b, a
		}
		chains[a.chain].next = b.chain
	}
}

// splitPinches cuts a ring that passes a vertex several times into rings that do not.
func splitPinches(r Ring) []Ring {
	sorted := slices.Clone(r)
	slices.SortFunc(sorted, Point.Compare)
	if n := len(sorted); len(slices.Compact(sorted)) == n {
		return []Ring{r}
	}
	var out []Ring
	at := make(map[Point]int, len(r))
	var stack Ring
	for _, p := range r {
		if i, seen := at[p]; seen {
			if len(stack)-i >= 3 {
				out = append(out, slices.Clone(stack[i:]))
			}
			for _, q := range stack[i+1:] {
				delete(at, q)
			}
			stack = stack[:i+1]
			continue
		}
		at[p] = len(stack)
		stack = append(stack, p)
	}
	if len(stack) >= 3 {
		out = append(out, stack)
	}
	return out
}

// nest makes polygons of rings that do not cross: rings at an even depth are exteriors, the others
// holes of the ring around them. Rings are turned in place; each must enclose some area.
func nest(rings []Ring) MultiPolygon {
	switch len(rings) {
	case 0:
		return nil
	case 1:
		rings[0].Orient(true)
		return MultiPolygon{Polygon{rings[0]}}
	}
	type node struct {
		ring   Ring
		area   float64
		box    Box
		parent int
		depth  int
		out    int
	}
	ns := make([]node, len(rings))
	for i, r := range rings {
		a := r.Area2().Float()
		ns[i] = node{ring: r, area: max(a, -a), box: r.Bounds(), parent: -1}
	}
	slices.SortStableFunc(ns, func(a, b node) int { return cmp.Compare(b.area, a.area) })
	var out MultiPolygon
	for i := range ns {
		n := &ns[i]
		for j := i - 1; j >= 0; j-- { // the smallest ring around it comes first
			if ns[j].box.Holds(n.box) && n.ring.within(ns[j].ring) {
				n.parent, n.depth = j, ns[j].depth+1
				break
			}
		}
		if n.depth%2 == 0 {
			n.ring.Orient(true)
			n.out = len(out)
			out = append(out, Polygon{n.ring})
		} else {
			n.ring.Orient(false)
			o := ns[n.parent].out
			out[o] = append(out[o], n.ring)
		}
	}
	return out
}
