package hexgrid

// corners are the positions of a cell's corners beside its centre, counter-clockwise, in thirds of a step.
var corners = [6]coordIJ{{2, 1}, {1, 2}, {-1, 1}, {-2, -1}, {-1, -2}, {1, -1}}

// Boundary is the cell's border, counter-clockwise, without a repeated last position: six corners, five of
// a pentagon, and for odd resolutions the positions where a side crosses an edge of the icosahedron, since
// it bends there. At most ten positions.
func (c Cell) Boundary() ([]LatLng, error) { return c.AppendBoundary(make([]LatLng, 0, 7)) }

// AppendBoundary appends Boundary to b.
func (c Cell) AppendBoundary(b []LatLng) ([]LatLng, error) {
	if err := c.check(); err != nil {
		return b, err
	}
	var room [10]vec
	border, _ := c.border(room[:0])
	for _, v := range border {
		b = append(b, v.latLng())
	}
	return b, nil
}

// border appends the corners and bends of the cell as positions in space. Bit n of bends says that the nth
// of them is a bend.
func (c Cell) border(b []vec) (border []vec, bends uint) {
	centre := c.faceIJ()
	odd := classIII(c.Resolution())
	n := 6
	if isPentagonBase[c.BaseCell()] && c.path() == 0 {
		n = 5
	}
	var ends [6]faceIJ
	for k := range n {
		d := corners[k]
		if odd {
			d = d.downII()
		}
		p := faceIJ{centre.face, centre.at.times(3).add(d), 3 * centre.unit}
		p.toOwnFace()
		ends[k] = p
	}
	for k := range n {
		p := &ends[k]
		b = append(b, p.vec())
		if q := &ends[(k+1)%n]; odd && q.face != p.face {
			if bend, ok := bend(p, q); ok {
				bends |= 1 << len(b)
				b = append(b, bend)
			}
		}
	}
	return b, bends
}

// bend is the position where the line from p to q on another face crosses the edge between them; none
// where one of the two lies on it.
func bend(p, q *faceIJ) (vec, bool) {
	edge := edgeTo(p.face, q.face)
	far := *q
	far.cross(edgeTo(q.face, p.face))
	limit, from, to := 2*p.unit, p.at.beyond(edge), far.at.beyond(edge)
	if from >= limit || to <= limit {
		return vec{}, false
	}
	t, s := float64(limit-from)/float64(to-from), 1/float64(p.unit)
	i := float64(p.at.i) + float64(t*float64(far.at.i-p.at.i))
	j := float64(p.at.j) + float64(t*float64(far.at.j-p.at.j))
	return faces[p.face].on(i*s, j*s), true
}

// edgeTo is the edge of a face to one beside it.
func edgeTo(face, beside int) int {
	for edge := range edgeKI {
		if int(faceNeighbors[face][edge].face) == beside {
			return edge
		}
	}
	return edgeKI
}
