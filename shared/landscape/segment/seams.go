package segment

import (
	"cmp"
	"math"
	"slices"
)

// seam is what two pieces of neighbouring squares have in common.
type seam struct {
	a, b         int32
	agree, sides int64
	sum          int64
	common                // between cells that are meant
	only         [2]int64 // sides of a and of b beyond which the other's cell is not meant
}

// stitch makes objects of the pieces of all squares.
func (w *work) stitch() (*Division, error) {
	total := int32(0)
	at := map[[2]int]int{}
	for i, s := range w.squares {
		w.first = append(w.first, total)
		total += int32(len(s.pieces))
		at[[2]int{s.east, s.north}] = i
		if s.cells > 0 {
			w.land.Squares[s.method]++
		}
		w.land.Known += s.known
		for k, used := range s.used {
			w.land.Used[k] = w.land.Used[k] || used
		}
	}
	w.parent, w.size = make([]int32, total), make([]int64, total)
	for i, s := range w.squares {
		for k := range s.pieces {
			n := w.first[i] + int32(k)
			w.parent[n], w.size[n] = n, s.pieces[k].all
		}
	}
	var seams []seam
	for i, s := range w.squares {
		if j, ok := at[[2]int{s.east + 1, s.north}]; ok {
			seams = append(seams, w.meet(i, j, eastSide, westSide)...)
		} else {
			w.alone(i, eastSide)
		}
		if j, ok := at[[2]int{s.east, s.north - 1}]; ok {
			seams = append(seams, w.meet(i, j, southSide, northSide)...)
		} else {
			w.alone(i, southSide)
		}
		if _, ok := at[[2]int{s.east - 1, s.north}]; !ok {
			w.alone(i, westSide)
		}
		if _, ok := at[[2]int{s.east, s.north + 1}]; !ok {
			w.alone(i, northSide)
		}
	}
	for i := range seams {
		if m := &seams[i]; 2*m.agree > m.sides {
			w.unite(m.a, m.b)
		}
	}
	w.slivers(seams)
	w.settle(seams)
	return w.gather()
}

// alone closes the border of a square that has no neighbour.
func (w *work) alone(i, side int) {
	s := w.squares[i]
	for k, label := range s.inner[side] {
		if label > 0 && s.meant[side][k] {
			p := &s.pieces[label-1]
			p.border++
		}
	}
}

// meet compares two squares along the border between them.
func (w *work) meet(i, j, sideI, sideJ int) []seam {
	a, b := w.squares[i], w.squares[j]
	found := map[[2]int32]int{}
	var out []seam
	for k := range Side {
		la, lb := a.inner[sideI][k], b.inner[sideJ][k]
		if la == 0 || lb == 0 {
			if la > 0 && a.meant[sideI][k] {
				a.pieces[la-1].border++
			}
			if lb > 0 && b.meant[sideJ][k] {
				b.pieces[lb-1].border++
			}
			continue
		}
		key := [2]int32{w.first[i] + la - 1, w.first[j] + lb - 1}
		n, ok := found[key]
		if !ok {
			n = len(out)
			found[key] = n
			out = append(out, seam{a: key[0], b: key[1]})
		}
		m := &out[n]
		m.sides++
		m.sum += int64(a.levels[sideI][k]) + int64(b.levels[sideJ][k])
		// Each of the two squares takes the cell beyond for its own: then both are parts of one object.
		if a.outer[sideI][k] == la && b.outer[sideJ][k] == lb {
			m.agree++
		}
		edge, contrast := float64((a.top[sideI][k]+b.top[sideJ][k])/2), math.Abs(float64(a.light[sideI][k]-b.light[sideJ][k]))
		m.add(a.meant[sideI][k], b.meant[sideJ][k], edge, contrast)
	}
	return out
}

// add notes a side between two cells.
func (m *seam) add(inA, inB bool, edge, contrast float64) {
	switch {
	case inA && inB:
		m.border++
		if edge == edge {
			m.edge, m.edgeN = m.edge+edge, m.edgeN+1
		}
		if contrast == contrast {
			m.contrast, m.contrastN = m.contrast+contrast, m.contrastN+1
		}
	case inA:
		m.only[0]++
	case inB:
		m.only[1]++
	}
}

// slivers joins what the border of squares has cut off, and is smaller than the least size, to the neighbour with the
// weakest border, the smallest first.
func (w *work) slivers(seams []seam) {
	beside := map[int32][]int{}
	for i := range seams {
		beside[seams[i].a] = append(beside[seams[i].a], i)
		beside[seams[i].b] = append(beside[seams[i].b], i)
	}
	members := map[int32][]int32{}
	var small []int32
	for n := range w.parent {
		if r := w.root(int32(n)); float64(w.size[r]) < w.p.MinSize && len(beside[int32(n)]) > 0 {
			small = append(small, r)
		}
	}
	slices.Sort(small)
	small = slices.Compact(small)
	for n := range w.parent {
		if r := w.root(int32(n)); float64(w.size[r]) < w.p.MinSize {
			members[r] = append(members[r], int32(n))
		}
	}
	slices.SortStableFunc(small, func(a, b int32) int { return cmp.Compare(w.size[a], w.size[b]) })
	for _, r := range small {
		if w.root(r) != r || float64(w.size[r]) >= w.p.MinSize {
			continue // others have joined it
		}
		if to := w.weakest(r, members[r], beside, seams); to >= 0 {
			both := append(members[r], members[to]...)
			w.unite(r, to)
			members[w.root(r)] = both
		}
	}
}

// weakest is the piece to which a sliver is given; -1: none may have it.
func (w *work) weakest(r int32, members []int32, beside map[int32][]int, seams []seam) int32 {
	type shared struct{ sides, sum int64 }
	all := map[int32]shared{}
	mine := w.piece(r).part>>1 > 0
	add := func(with int32, sides, sum int64) {
		if k := w.root(with); k != r && (w.piece(with).part>>1 > 0) == mine {
			all[k] = shared{all[k].sides + sides, all[k].sum + sum}
		}
	}
	for _, n := range members {
		first := w.first[w.of(n)]
		for _, c := range w.piece(n).neighbours {
			add(first+c.with-1, c.sides, c.sum)
		}
		for _, i := range beside[n] {
			m := &seams[i]
			add(m.a+m.b-n, m.sides, m.sum)
		}
	}
	best := int32(-1)
	for with, c := range all { // the order does not matter: ties are broken by the number
		if best < 0 {
			best = with
			continue
		}
		b := all[best]
		if l, r := c.sum*b.sides, b.sum*c.sides; l < r || l == r && with < best {
			best = with
		}
	}
	return best
}

// settle adds to pieces what lies between objects on the border of squares, and takes away what lies within one object.
func (w *work) settle(seams []seam) {
	for i := range seams {
		m := &seams[i]
		a, b := w.piece(m.a), w.piece(m.b)
		a.border += m.only[0]
		b.border += m.only[1]
		if w.root(m.a) != w.root(m.b) {
			a.common.add(&m.common)
			b.common.add(&m.common)
		}
	}
	for i, s := range w.squares {
		for k := range s.pieces {
			p := &s.pieces[k]
			if p.body == nil {
				continue
			}
			for _, c := range p.neighbours {
				n := w.first[i] + c.with - 1
				if w.root(n) != w.root(w.first[i]+int32(k)) {
					continue
				}
				p.common.remove(&c.common)
				if o := w.piece(n); !o.seam && o.body != nil { // it keeps no list of its own
					o.common.remove(&c.common)
				}
			}
		}
	}
}

func (w *work) root(i int32) int32 {
	for w.parent[i] != i {
		w.parent[i] = w.parent[w.parent[i]]
		i = w.parent[i]
	}
	return i
}

// unite makes one object of two; the lesser number stands for it.
func (w *work) unite(a, b int32) {
	a, b = w.root(a), w.root(b)
	if a == b {
		return
	}
	if b < a {
		a, b = b, a
	}
	w.parent[b] = a
	w.size[a] += w.size[b]
}

// of is the number of the square of a piece.
func (w *work) of(i int32) int {
	at, _ := slices.BinarySearch(w.first, i+1)
	return at - 1
}

func (w *work) piece(i int32) *piece {
	at := w.of(i)
	return &w.squares[at].pieces[i-w.first[at]]
}
