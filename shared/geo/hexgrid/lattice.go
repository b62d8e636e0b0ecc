package hexgrid

// Positions on a face are integers (i, j) on axes at 0° and 120°; the third axis of H3's ijk coordinates,
// at 240°, is -(i+j). A cell's distance to its neighbours is 1. Grids of even resolution (class II) have
// their axes on the face's; those of odd resolution (class III) are turned by 19.1° to them, which the
// matrices below do: each maps a cell to its centre child.

// The digits: bits for the axes i, j and k.
const (
	digitK  = 1
	digitI  = 4
	digitIK = 5
)

// digitAt is the position of a digit's cell beside the centre child.
var digitAt = [8]coordIJ{1: {-1, -1}, 2: {0, 1}, 3: {-1, 0}, 4: {1, 0}, 5: {0, -1}, 6: {1, 1}}

// counterClockwise are the digits around a cell, from the i axis.
var counterClockwise = [6]int{4, 6, 2, 3, 1, 5}

// coordIJ is a position on a face's grid.
type coordIJ struct{ i, j int32 }

func (s coordIJ) add(o coordIJ) coordIJ { return coordIJ{s.i + o.i, s.j + o.j} }
func (s coordIJ) sub(o coordIJ) coordIJ { return coordIJ{s.i - o.i, s.j - o.j} }
func (s coordIJ) times(n int32) coordIJ { return coordIJ{s.i * n, s.j * n} }
func (s coordIJ) downIII() coordIJ      { return coordIJ{2*s.i + s.j, 3*s.j - s.i} } // to an odd resolution
func (s coordIJ) downII() coordIJ       { return coordIJ{3*s.i - s.j, s.i + 2*s.j} } // to an even resolution
func (s coordIJ) turned() coordIJ       { return coordIJ{s.i - s.j, s.i} }           // by 60° counter-clockwise
func (s coordIJ) turnedBy(n uint) coordIJ { // by n times 60°
	for ; n > 0; n-- {
		s = s.turned()
	}
	return s
}

// seventh divides a multiple of 7 by it: the factor is the inverse of 7 modulo 2^32.
func seventh(n int32) int32 {
	var inverse uint32 = 0xB6DB6DB7
	return int32(uint32(n) * inverse)
}

// upIII and upII are the inverses of downIII and downII for positions of centre children.
func (s coordIJ) upIII() coordIJ { return coordIJ{seventh(3*s.i - s.j), seventh(s.i + 2*s.j)} }
func (s coordIJ) upII() coordIJ  { return coordIJ{seventh(2*s.i + s.j), seventh(3*s.j - s.i)} }

// A position's digit follows from one sum modulo 7, in which all positions of centre children are 0.
var (
	digitIII = [7]uint8{0, 4, 2, 6, 1, 5, 3} // of i+2j
	digitII  = [7]uint8{0, 4, 1, 5, 2, 6, 3} // of i+4j
)

// manySevens makes the sums positive: positions are below 2^25.
const manySevens = 7 << 27

// parent gives the position of the cell above and the digit below it, for a position of a resolution of
// class III or II.
func (s coordIJ) parent(odd bool) (coordIJ, uint64) {
	if odd {
		d := digitIII[uint32(s.i+2*s.j+manySevens)%7]
		return s.sub(digitAt[d]).upIII(), uint64(d)
	}
	d := digitII[uint32(s.i+4*s.j+manySevens)%7]
	return s.sub(digitAt[d]).upII(), uint64(d)
}

// descend follows the digits of a path, of res of them, from a cell of resolution 0.
func (s coordIJ) descend(path uint64, res int) coordIJ {
	for r := 1; r <= res; r++ {
		if d := path >> (3 * (res - r)) & 7; classIII(r) {
			s = s.downIII().add(digitAt[d])
		} else {
			s = s.downII().add(digitAt[d])
		}
	}
	return s
}

// ascend is the inverse of descend: the position at resolution 0 and the path from there.
func (s coordIJ) ascend(res int) (coordIJ, uint64) {
	var path uint64
	for r := res; r > 0; r-- {
		up, d := s.parent(classIII(r))
		path |= d << (3 * (res - r))
		s = up
	}
	return s, path
}

// turn turns all digits of a path by n times 60° counter-clockwise. Half a turn exchanges the axes that a
// digit has with those that it lacks; a third of a turn moves i to j, j to k, k to i.
func turn(path uint64, n uint8) uint64 {
	if n&1 != 0 {
		set := (path | path>>1 | path>>2) & ones
		path ^= set * 7
	}
	for range [6]uint8{0, 2, 1, 0, 2, 1}[n] {
		path = path>>1&(3*ones) | path&ones<<2
	}
	return path
}

// beyond is how far the position lies towards an edge of the face, which is the line i+j = m, j-2i = m or
// i-2j = m; m is 2 at resolution 0 and 7 times as much two resolutions further.
func (s coordIJ) beyond(edge int) int32 {
	switch edge {
	case edgeIJ:
		return s.i + s.j
	case edgeJK:
		return s.j - 2*s.i
	}
	return s.i - 2*s.j
}

// farthest is the edge that the position lies farthest towards.
func (s coordIJ) farthest() int {
	switch {
	case s.i >= 0 && s.j >= 0:
		return edgeIJ
	case s.j > s.i:
		return edgeJK
	}
	return edgeKI
}

// The edges of a face by the axes beside them.
const (
	edgeIJ = iota
	edgeJK
	edgeKI
)

// vertices are the corners of a face at the ends of its axes i, j and k, at resolution 0. The edges run
// between them: IJ from the first to the second, and so on.
var vertices = [3]coordIJ{{2, 0}, {0, 2}, {-2, -2}}

// faceNeighbor says how positions of a face are stated on the one beyond an edge: turned by turn times 60°
// counter-clockwise, then moved, the move in units of resolution 0.
type faceNeighbor struct {
	face uint8
	turn uint8
	move coordIJ
}

// faceIJ is a position stated in the grid of a face, of an even resolution or a multiple of one; unit is the
// length of a step of resolution 0 in it.
type faceIJ struct {
	face int
	at   coordIJ
	unit int32
}

// toOwnFace moves a position to the face that it lies on; those on an edge stay where they are.
func (p *faceIJ) toOwnFace() {
	for {
		edge := p.at.farthest()
		if p.at.beyond(edge) <= 2*p.unit {
			return
		}
		p.cross(edge)
	}
}

// cross states the position in those of the face beyond an edge.
func (p *faceIJ) cross(edge int) {
	f := &faceNeighbors[p.face][edge]
	p.at = p.at.turnedBy(uint(f.turn)).add(f.move.times(p.unit))
	p.face = int(f.face)
}
