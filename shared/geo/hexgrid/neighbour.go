package hexgrid

// sum is what two digits of one resolution add up to: a digit and the digit to carry to the resolution
// above.
type sum struct{ digit, carry uint8 }

// sector is one of the five faces around a pentagon: where the pentagon lies on it and the digit that
// points into the face.
type sector struct {
	face, inner uint8
	at          coordIJ
}

// step is the neighbour in the direction of a digit, in the directions of the cell's base cell. False
// where the way leaves them: over the border of the base cell, or round the middle of a pentagon.
func (c Cell) step(digit uint8) (Cell, bool) {
	res := c.Resolution()
	pentagon := isPentagonBase[c.BaseCell()]
	for r := res; r > 0; r-- {
		shift := 3 * (MaxResolution - r)
		s := steps[r&1][c>>shift&7][digit]
		c = c&^(7<<shift) | Cell(s.digit)<<shift
		if digit = s.carry; digit == 0 {
			return c, !pentagon || uint64(c)&digitsMask>>(shift+3) != 0
		}
	}
	return 0, false
}

// neighbours appends the neighbours, counter-clockwise; six, or five of a pentagon.
func (c Cell) neighbours(b []Cell) []Cell {
	n := len(b)
	for _, digit := range counterClockwise {
		next, ok := c.step(uint8(digit))
		if !ok {
			return c.neighboursOnFaces(b[:n])
		}
		b = append(b, next)
	}
	return b
}

// neighboursOnFaces is neighbours by the positions on the faces of the icosahedron.
func (c Cell) neighboursOnFaces(b []Cell) []Cell {
	res, base := c.Resolution(), c.BaseCell()
	if isPentagonBase[base] && c.path() == 0 {
		for _, s := range sectors[pentagonNumber[base]] {
			at := s.at.times(evenUnit(res))
			if classIII(res) {
				at = at.upII()
			}
			b = append(b, index(int(s.face), at.add(digitAt[s.inner]), res))
		}
		return b
	}
	from := c.faceIJ()
	for _, digit := range counterClockwise {
		b = append(b, from.stepped(digit, res))
	}
	return b
}

// stepped is the cell one step from a position of a resolution.
func (p faceIJ) stepped(digit, res int) Cell {
	d := digitAt[digit]
	if classIII(res) {
		d = d.downII()
	}
	p.at = p.at.add(d)
	p.toOwnFace()
	if classIII(res) {
		p.at = p.at.upII()
	}
	return index(p.face, p.at, res)
}

// Neighbours are the cells that share a side with the cell: six, five of a pentagon.
func (c Cell) Neighbours() ([]Cell, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return c.neighbours(make([]Cell, 0, 6)), nil
}

// IsNeighbor says whether two cells of one resolution share a side.
func (c Cell) IsNeighbor(o Cell) (bool, error) {
	if err := checkPair(c, o); err != nil {
		return false, err
	}
	var room [6]Cell
	for _, n := range c.neighbours(room[:0]) {
		if n == o {
			return true, nil
		}
	}
	return false, nil
}
