package geom

import "slices"

// Inside is a point on the surface, for labels and nearest-neighbour work: the middle of the widest
// span of a horizontal line through the largest part. It is guaranteed that m.Contains of it, and where
// the shape is at least two grid units wide there it lies off the border. False when no grid point lies
// inside (a sliver thinner than the grid, or no area): then it is the first vertex.
func (m MultiPolygon) Inside() (Point, bool) {
	big := m.Largest()
	if p, ok := big.inside(); ok {
		return p, true
	}
	for _, p := range m {
		if q, ok := p.inside(); ok {
			return q, true
		}
	}
	for _, p := range m {
		for _, r := range p {
			if len(r) > 0 {
				return r[0], false
			}
		}
	}
	return Point{}, false
}

// insideRows bounds the rows tried below the first one for slivers.
const insideRows = 256

func (p Polygon) inside() (Point, bool) {
	if len(p) == 0 || len(p[0]) < 3 {
		return Point{}, false
	}
	ys := make([]int32, 0, 64)
	for _, r := range p {
		for _, v := range r {
			ys = append(ys, v.Y)
		}
	}
	slices.Sort(ys)
	ys = slices.Compact(ys)
	mid := p[0].Bounds().Center().Y
	// Rows half way between two vertex rows miss every vertex; the one next to the middle comes first,
	// then the others outwards. The half-open rule lets a vertex row itself serve when all gaps are 1.
	at, _ := slices.BinarySearch(ys, mid)
	at = max(1, min(at, len(ys)-1))
	var xs []int32
	for k := 0; k < min(2*len(ys), insideRows); k++ {
		i := at + (k+1)/2*(1-2*(k&1))
		if i < 1 || i >= len(ys) {
			continue
		}
		y := int32((int64(ys[i-1]) + int64(ys[i])) >> 1)
		xs = p.crossings(y, xs[:0])
		if q, ok := widest(xs, y); ok {
			return q, true
		}
	}
	// A shape of few units: every row, or the rows at and above the vertices where it is tall.
	b := p[0].Bounds()
	if int64(b.MaxY)-int64(b.MinY) <= insideRows {
		ys = ys[:0]
		for y := int64(b.MinY); y < int64(b.MaxY); y++ {
			ys = append(ys, int32(y))
		}
	}
	for _, y := range ys[:min(len(ys), insideRows)] {
		xs = p.crossings(y, xs[:0])
		if q, ok := widest(xs, y); ok {
			return q, true
		}
	}
	return Point{}, false
}

// within says whether ring r lies in ring o, for rings that do not cross. A sliver without a grid point
// inside is judged by a vertex off o's border, or by the mean of its vertices.
func (r Ring) within(o Ring) bool {
	if !o.Bounds().Holds(r.Bounds()) {
		return false // it lies around o, whose inside may hold a point of its own
	}
	if p, ok := (Polygon{r}).inside(); ok {
		return o.Contains(p)
	}
	var x, y float64
	for _, v := range r {
		if !(Polygon{o}).onBorder(v) {
			return o.Contains(v)
		}
		x, y = x+float64(v.X), y+float64(v.Y)
	}
	x, y = x/float64(len(r)), y/float64(len(r))
	in := false
	for i, b := range o {
		a := o[(i+len(o)-1)%len(o)]
		ay, by := float64(a.Y), float64(b.Y)
		if (ay > y) != (by > y) && x < float64(a.X)+(y-ay)/(by-ay)*(float64(b.X)-float64(a.X)) {
			in = !in
		}
	}
	return in
}

// crossings are the X of the row's crossings, rounded up and sorted: a grid point on the row is inside
// exactly when an odd number of them is greater than its X, which is Contains.
func (p Polygon) crossings(y int32, xs []int32) []int32 {
	for _, r := range p {
		if len(r) == 0 {
			continue
		}
		a := r[len(r)-1]
		for _, b := range r {
			if (a.Y > y) != (b.Y > y) {
				lo, hi := a, b
				if lo.Y > hi.Y {
					lo, hi = hi, lo
				}
				// ceil(v) = -floor(-v)
				d := -mulDivFloor(int64(lo.X)-int64(hi.X), int64(y)-int64(lo.Y), int64(hi.Y)-int64(lo.Y))
				xs = append(xs, int32(int64(lo.X)+d))
			}
			a = b
		}
	}
	slices.Sort(xs)
	return xs
}

// widest is the middle of the widest span between odd and even crossings.
func widest(xs []int32, y int32) (Point, bool) {
	var best int64
	var at Point
	for i := 0; i+1 < len(xs); i += 2 {
		if w := int64(xs[i+1]) - int64(xs[i]); w > best {
			best = w
			at = Point{int32(int64(xs[i]) + w/2), y}
		}
	}
	return at, best > 0
}

func (p Polygon) onBorder(q Point) bool {
	for _, r := range p {
		for i, v := range r {
			if onSegment(q, v, r[(i+1)%len(r)]) {
				return true
			}
		}
	}
	return false
}
