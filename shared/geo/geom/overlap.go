package geom

// Cover is a multipolygon prepared for areas shared with others, in a plane. The area of A∩B is summed
// over all pairs of an edge of A and an edge of B that share a stretch of x: with the edges' signs, the
// strips below both edges add up to exactly the common area, because the sum of the signs of the edges
// above a point is 1 inside and 0 outside. No crossing is searched for and no case is special, so borders
// that run together, touch or nearly touch cost no robustness; the price is time in proportion to the
// product of the edge counts within the common stretch.
type Cover struct {
	edges                  []coverEdge
	minX, minY, maxX, maxY float64
	laid                   *strips // nil until it is asked for
}

// coverEdge goes from x0 to x1, x0 < x1, with sign +1 where the area lies below it and -1 above.
type coverEdge struct{ x0, y0, x1, y1, sign float64 }

// NewCover projects m. Rings count as exterior and holes by their place, whatever way they turn.
func NewCover(m MultiPolygon, to Projection) *Cover {
	c := &Cover{}
	first := true
	for _, p := range m {
		for i, r := range p {
			if len(r) < 3 {
				continue
			}
			role := 1.0
			if (r.Area2().Sign() > 0) != (i == 0) {
				role = -1
			}
			px, py := to(r[len(r)-1])
			for _, v := range r {
				x, y := to(v)
				if first {
					c.minX, c.maxX, c.minY, c.maxY, first = x, x, y, y, false
				}
				c.minX, c.maxX = min(c.minX, x), max(c.maxX, x)
				c.minY, c.maxY = min(c.minY, y), max(c.maxY, y)
				if x < px {
					c.edges = append(c.edges, coverEdge{x, y, px, py, role})
				} else if x > px {
					c.edges = append(c.edges, coverEdge{px, py, x, y, -role})
				}
				px, py = x, y
			}
		}
	}
	return c
}

// Area is the multipolygon's own area.
func (c *Cover) Area() float64 {
	a := 0.0
	for _, e := range c.edges {
		a += float64(e.sign * (e.x1 - e.x0) * ((e.y0 - c.minY) + (e.y1 - c.minY)))
	}
	return a / 2
}

// apart says whether the boxes of two covers share no area.
func (c *Cover) apart(o *Cover) bool {
	return len(c.edges) == 0 || len(o.edges) == 0 || c.maxX <= o.minX || o.maxX <= c.minX || c.maxY <= o.minY || o.maxY <= c.minY
}

// Common is the area that both cover.
func (c *Cover) Common(o *Cover) float64 {
	if len(c.edges) > len(o.edges) {
		c, o = o, c
	}
	if c.apart(o) {
		return 0
	}
	sum := 0.0
	base := c.minY // any base does; this one keeps the summands small
	for j := range o.edges {
		g := &o.edges[j]
		// Below all of c the strips of c's edges cancel out.
		if g.x1 <= c.minX || g.x0 >= c.maxX || (g.y0 <= c.minY && g.y1 <= c.minY) {
			continue
		}
		part := 0.0
		for i := range c.edges {
			f := &c.edges[i]
			l, r := max(f.x0, g.x0), min(f.x1, g.x1)
			if l >= r {
				continue
			}
			part += float64(f.sign * below(f, g, l, r, base))
		}
		sum += float64(g.sign * part)
	}
	return max(0, sum)
}

// below is the integral over l..r of the lower of the two edges' heights above the base.
func below(f, g *coverEdge, l, r, base float64) float64 {
	fl, fr := f.at(l)-base, f.at(r)-base
	gl, gr := g.at(l)-base, g.at(r)-base
	w := r - l
	dl, dr := gl-fl, gr-fr
	switch {
	case dl >= 0 && dr >= 0:
		return float64(w * (fl + fr) / 2)
	case dl <= 0 && dr <= 0:
		return float64(w * (gl + gr) / 2)
	}
	t := dl / (dl - dr)
	m := fl + float64(t*(fr-fl))
	if dl > 0 {
		return float64(w*t*(fl+m)/2) + float64(w*(1-t)*(m+gr)/2)
	}
	return float64(w*t*(gl+m)/2) + float64(w*(1-t)*(m+fr)/2)
}

func (e *coverEdge) at(x float64) float64 {
	if x == e.x1 {
		return e.y1
	}
	return e.y0 + float64((x-e.x0)/(e.x1-e.x0)*(e.y1-e.y0))
}

// CommonArea is the area in the plane that both multipolygons cover.
func CommonArea(a, b MultiPolygon, to Projection) float64 {
	if !a.Bounds().Intersects(b.Bounds()) {
		return 0
	}
	return NewCover(a, to).Common(NewCover(b, to))
}
