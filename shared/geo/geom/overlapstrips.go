package geom

// Areas are summed strip by strip from so many edges of the larger cover on, or from so many pairs: below that laying the strips out
// costs more than it spares.
const (
	stripsFrom = 1 << 16
	manyEdges  = 1 << 10
)

// perStrip bounds how often an edge stands in strips, in the mean.
const perStrip = 8

// strips are the edges of a cover by stretches of x of one width.
type strips struct {
	cover *Cover
	width float64
	from  []int32 // where in edges each strip begins, and the end
	edges []int32
}

// at is the strip of an x, held to those that there are.
func (s *strips) at(x float64) int {
	i := int((x - s.cover.minX) / s.width)
	return max(0, min(i, len(s.from)-2))
}

// begin is where a strip begins; the last one ends at the cover's own end.
func (s *strips) begin(i int) float64 {
	if i == len(s.from)-1 {
		return s.cover.maxX
	}
	return s.cover.minX + float64(i)*s.width
}

// newStrips lays a cover out: about one strip for two edges, fewer where edges are long.
func newStrips(c *Cover) *strips {
	for n := max(1, len(c.edges)/2); ; n /= 4 {
		n = max(1, n)
		s := &strips{cover: c, width: (c.maxX - c.minX) / float64(n), from: make([]int32, n+1)}
		total := 0
		for i := range c.edges {
			total += s.at(c.edges[i].x1) - s.at(c.edges[i].x0) + 1
		}
		if total > perStrip*len(c.edges) && n > 1 {
			continue
		}
		counts := make([]int32, n)
		for i := range c.edges {
			for k := s.at(c.edges[i].x0); k <= s.at(c.edges[i].x1); k++ {
				counts[k]++
			}
		}
		for k, m := range counts {
			s.from[k+1] = s.from[k] + m
		}
		s.edges = make([]int32, total)
		copy(counts, s.from[:n])
		for i := range c.edges {
			for k := s.at(c.edges[i].x0); k <= s.at(c.edges[i].x1); k++ {
				s.edges[counts[k]] = int32(i)
				counts[k]++
			}
		}
		return s
	}
}

// CommonWithin is Common for covers of many edges: strip by strip, so that an edge meets those of its own stretch of x alone. The
// larger cover is laid out once, for all that are held against it, so that one of many edges is not walked through for each of
// many small ones; covers are then not for several goroutines. work is how many edges and pairs of edges may be looked at; it is
// counted down, and ok is false where it did not last. The sum is that of Common but for the order of its summands, which is the same
// for the same covers.
func (c *Cover) CommonWithin(o *Cover, work *int64) (area float64, ok bool) {
	if len(c.edges) > len(o.edges) {
		c, o = o, c
	}
	if c.apart(o) {
		return 0, true
	}
	if pairs := int64(len(c.edges)) * int64(len(o.edges)); pairs < stripsFrom && len(o.edges) < manyEdges {
		*work -= pairs
		return c.Common(o), *work >= 0
	}
	if o.laid == nil {
		*work -= int64(len(o.edges))
		o.laid = newStrips(o)
	}
	in := c.laidFor()
	*work -= int64(len(c.edges))
	sum := 0.0
	first, last := o.laid.at(c.minX), o.laid.at(c.maxX)
	for k := first; k <= last; k++ {
		list := o.laid.edges[o.laid.from[k]:o.laid.from[k+1]]
		if *work -= int64(len(list)); *work < 0 {
			return 0, false
		}
		for _, j := range list {
			g := &o.edges[j]
			if g.x1 <= c.minX || g.x0 >= c.maxX || (g.y0 <= c.minY && g.y1 <= c.minY) || max(o.laid.at(g.x0), first) != k {
				continue // an edge is looked at in the first of its strips
			}
			part, looked := in.under(g)
			if *work -= looked; *work < 0 {
				return 0, false
			}
			sum += float64(g.sign * part)
		}
	}
	return max(0, sum), true
}

// unlaidEdges is the number of edges up to which a cover is one strip: laying it out costs more than looking at all.
const unlaidEdges = 64

// laidFor is a cover in strips, for edges of another.
func (c *Cover) laidFor() *strips {
	switch {
	case c.laid != nil:
		return c.laid
	case len(c.edges) > unlaidEdges:
		c.laid = newStrips(c)
		return c.laid
	}
	s := &strips{cover: c, width: c.maxX - c.minX, from: []int32{0, int32(len(c.edges))}, edges: make([]int32, len(c.edges))}
	for i := range s.edges {
		s.edges[i] = int32(i)
	}
	return s
}

// under is the sum over the cover's edges of the strips below both them and g.
func (s *strips) under(g *coverEdge) (part float64, looked int64) {
	c := s.cover
	for k := s.at(g.x0); k <= s.at(g.x1); k++ {
		lo, hi := max(g.x0, s.begin(k)), min(g.x1, s.begin(k+1))
		of := s.edges[s.from[k]:s.from[k+1]]
		looked += int64(len(of)) + 1
		for _, i := range of {
			f := &c.edges[i]
			if l, r := max(f.x0, lo), min(f.x1, hi); l < r {
				part += float64(f.sign * below(f, g, l, r, c.minY))
			}
		}
	}
	return part, looked
}
