package hexgrid

// maxCrossed bounds the edges of the icosahedron that GridDistance follows a way over.
const maxCrossed = 5

// GridDistance is the number of steps between two cells of one resolution. It fails with ErrTooFar where
// more than five edges of the icosahedron lie between them. H3 tells less: it refuses cells whose base
// cells are not neighbours and many beside a pentagon.
func (c Cell) GridDistance(o Cell) (int, error) {
	if err := checkPair(c, o); err != nil {
		return 0, err
	}
	w := way{to: o.faceIJ(), odd: classIII(c.Resolution()), best: -1}
	w.from(c.faceIJ(), -1, 0)
	if w.best < 0 {
		return 0, ErrTooFar
	}
	return int(w.best), nil
}

// way looks for the shortest way to a position. On faces laid flat in a row the steps between two positions
// are the largest of three differences, if the way keeps to the faces: if it crosses the edges between
// them, the gates.
type way struct {
	to    faceIJ
	gates [maxCrossed][2]coordIJ
	odd   bool
	best  int32
}

// from tries the rows of faces that start with those crossed before and go on over the face of p; it is
// stated in positions of that face wherever it lies, and the gates are too.
func (w *way) from(p faceIJ, back, crossed int) {
	if p.face == w.to.face {
		w.straight(p.at, w.gates[:crossed])
		return
	}
	if crossed == maxCrossed {
		return
	}
	gates := w.gates
	for edge := range 3 {
		if edge == back {
			continue
		}
		next, f := p, &faceNeighbors[p.face][edge]
		next.cross(edge)
		corner := [2]coordIJ{vertices[edge].times(p.unit), vertices[(edge+1)%3].times(p.unit)}
		for k := range crossed + 1 {
			gate := corner
			if k < crossed {
				gate = gates[k]
			}
			for end := range gate {
				w.gates[k][end] = gate[end].turnedBy(uint(f.turn)).add(f.move.times(p.unit))
			}
		}
		w.from(next, edgeTo(next.face, p.face), crossed+1)
	}
	w.gates = gates
}

// straight keeps the steps from a position to the end of the way if one of the shortest ways passes all
// gates: the straight line or one that turns once.
func (w *way) straight(a coordIJ, gates [][2]coordIJ) {
	b := w.to.at
	d := b.sub(a)
	steps := d
	if w.odd {
		steps = d.upII()
	}
	n := steps.steps()
	if w.best >= 0 && n >= w.best {
		return
	}
	for _, turn := range d.turns(w.odd) {
		mid, ok := a.add(turn), true
		for _, g := range gates {
			ok = ok && (meets(a, mid, g) || meets(mid, b, g))
		}
		if ok {
			w.best = n
			return
		}
	}
}

// steps is the distance of a position from the origin.
func (s coordIJ) steps() int32 {
	return max(s.i, -s.i, s.j, -s.j, s.i-s.j, s.j-s.i)
}

// turns are where the ways along two directions from the origin to the position turn, and the origin
// itself for the straight way.
func (s coordIJ) turns(odd bool) [3]coordIJ {
	if odd {
		s = s.upII()
	}
	var corner coordIJ
	switch {
	case s.i >= 0 && s.j >= 0, s.i <= 0 && s.j <= 0: // along the nearer axis and the diagonal between
		m := min(max(s.i, -s.i), max(s.j, -s.j))
		if s.i < 0 || s.j < 0 {
			m = -m
		}
		corner = coordIJ{m, m}
	default: // along both axes
		corner = coordIJ{s.i, 0}
	}
	other := s.sub(corner)
	if odd {
		corner, other = corner.downII(), other.downII()
	}
	return [3]coordIJ{{}, corner, other}
}

// meets says whether the line from a to b meets a gate.
func meets(a, b coordIJ, gate [2]coordIJ) bool {
	side := func(a, b, p coordIJ) int64 {
		return int64(b.i-a.i)*int64(p.j-a.j) - int64(b.j-a.j)*int64(p.i-a.i)
	}
	opposite := func(m, n int64) bool { return m >= 0 && n <= 0 || m <= 0 && n >= 0 }
	return opposite(side(a, b, gate[0]), side(a, b, gate[1])) && opposite(side(gate[0], gate[1], a), side(gate[0], gate[1], b))
}
