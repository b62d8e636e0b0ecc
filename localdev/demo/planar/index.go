package planar

// index sorts edges and vertices into square cells of a dense grid.
type index struct {
	min        Pt
	cols, rows int32
	cell       int32
	edges      [][]int32
	verts      [][]int32
}

func newIndex(n *noder) *index {
	g := &index{cell: n.cell}
	if len(n.v) == 0 {
		return g
	}
	lo, hi := n.v[0], n.v[0]
	for _, p := range n.v {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	for {
		g.cols, g.rows = (hi.X-lo.X)/g.cell+1, (hi.Y-lo.Y)/g.cell+1
		if int64(g.cols)*int64(g.rows) <= 1<<20 {
			break
		}
		g.cell *= 2
	}
	g.min = lo
	g.edges = make([][]int32, g.cols*g.rows)
	g.verts = make([][]int32, g.cols*g.rows)
	for i, p := range n.v {
		c := (p.Y-lo.Y)/g.cell*g.cols + (p.X-lo.X)/g.cell
		g.verts[c] = append(g.verts[c], int32(i))
	}
	for i, e := range n.edges {
		g.walk(n.v[e.a], n.v[e.b], 0, func(c int32) { g.edges[c] = append(g.edges[c], int32(i)) })
	}
	return g
}

// walk calls f for every cell that the line from a to b, widened by pad, may touch.
func (g *index) walk(a, b Pt, pad int32, f func(int32)) {
	x0, x1 := min(a.X, b.X)-pad-g.min.X, max(a.X, b.X)+pad-g.min.X
	y0, y1 := min(a.Y, b.Y)-pad-g.min.Y, max(a.Y, b.Y)+pad-g.min.Y
	r0, r1 := max(0, y0/g.cell), min(g.rows-1, y1/g.cell)
	c0, c1 := max(0, x0/g.cell), min(g.cols-1, x1/g.cell)
	if r1-r0 < 2 || c1-c0 < 2 {
		for r := r0; r <= r1; r++ {
			for c := c0; c <= c1; c++ {
				f(r*g.cols + c)
			}
		}
		return
	}
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y) // dy is not 0: the line spans three rows
	for r := r0; r <= r1; r++ {
		lo := float64(g.min.Y+r*g.cell-pad-1-a.Y) / dy
		hi := float64(g.min.Y+(r+1)*g.cell+pad+1-a.Y) / dy
		lo, hi = max(0, min(lo, hi)), min(1, max(lo, hi))
		u, w := float64(a.X-g.min.X)+lo*dx, float64(a.X-g.min.X)+hi*dx
		k0 := max(c0, int32(min(u, w)-float64(pad)-1)/g.cell)
		k1 := min(c1, int32(max(u, w)+float64(pad)+1)/g.cell)
		for c := k0; c <= k1; c++ {
			f(r*g.cols + c)
		}
	}
}

// vertices calls f for each vertex that lies on the inside of edge i.
func (g *index) vertices(n *noder, i int32, f func(int32)) {
	e := n.edges[i]
	g.walk(n.v[e.a], n.v[e.b], int32(n.tol), func(c int32) {
		for _, v := range g.verts[c] {
			if n.near(e, v) {
				f(v)
			}
		}
	})
}

// pairs calls f for each pair of edges that share a cell, once or more often.
func (g *index) pairs(n *noder, f func(i, j int32)) {
	for _, list := range g.edges {
		for x, i := range list {
			a, b := n.v[n.edges[i].a], n.v[n.edges[i].b]
			minX, maxX, minY, maxY := min(a.X, b.X), max(a.X, b.X), min(a.Y, b.Y), max(a.Y, b.Y)
			for _, j := range list[x+1:] {
				c, d := n.v[n.edges[j].a], n.v[n.edges[j].b]
				if min(c.X, d.X) <= maxX && max(c.X, d.X) >= minX && min(c.Y, d.Y) <= maxY && max(c.Y, d.Y) >= minY {
					f(i, j)
				}
			}
		}
	}
}
