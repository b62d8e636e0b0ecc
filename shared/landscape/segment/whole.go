package segment

import (
	"slices"

	"mappe/shared/geo/raster"
)

// heightOffset is added to heights that are kept as whole centimetres, metres.
const heightOffset = 5

// together measures what needs the cells of a piece at once: heights in order, hull, pairs of neighbours, tallies.
func (m *measuring) together() {
	starts := make([]int32, len(m.s.pieces)+2)
	for at, k := range m.s.labels {
		if k > 0 && m.in[at] {
			starts[k+1]++
		}
	}
	for k := 1; k < len(starts); k++ {
		starts[k] += starts[k-1]
	}
	cells := make([]int32, starts[len(starts)-1])
	fill := slices.Clone(starts)
	for at, k := range m.s.labels {
		if k > 0 && m.in[at] {
			cells[fill[k]] = int32(at)
			fill[k]++
		}
	}
	var t tallier
	for k := range m.s.pieces {
		if own := cells[starts[k+1]:starts[k+2]]; len(own) > 0 {
			m.whole(&m.s.pieces[k], int32(k+1), own, &t)
		}
	}
}

// tallier counts keys below 1,024.
type tallier struct {
	counts [1024]uint32
	seen   []uint16
}

func (t *tallier) add(key uint16) {
	if t.counts[key] == 0 {
		t.seen = append(t.seen, key)
	}
	t.counts[key]++
}

// tally gives what was counted, of keys that name gives, and begins anew.
func (t *tallier) tally() (out tally) {
	if len(t.seen) == 0 {
		return nil
	}
	slices.Sort(t.seen)
	out = make(tally, len(t.seen))
	for i, k := range t.seen {
		out[i] = count{k, t.counts[k]}
		t.counts[k] = 0
	}
	t.seen = t.seen[:0]
	return out
}

func (m *measuring) whole(p *piece, k int32, cells []int32, t *tallier) {
	p.hull = m.hull(cells)
	if m.r.height != nil {
		p.heights = make([]uint16, 0, len(cells))
		for _, at := range cells {
			if h := m.r.height[window(at)]; h == h {
				p.heights = append(p.heights, uint16(min(max(float32(h*100), -100*heightOffset), 60000)+100*heightOffset+0.5))
			}
		}
		slices.Sort(p.heights)
	}
	if m.light != nil {
		for _, at := range cells {
			m.pairsOf(int(at), k, t)
		}
		p.pairs = t.tally()
	}
	p.cover = m.nearest(cells, m.l.Cover, t)
	p.uses = keyed(cells, m.use, t)
	for i := range p.uses {
		p.uses[i].key = uint16(m.codes[p.uses[i].key-1])
	}
	slices.SortFunc(p.uses, func(a, b count) int { return int(a.key) - int(b.key) })
	p.ways = keyed(cells, m.way, t)
}

// window is a cell of the square in its window.
func window(at int32) int { return int(at/Side+Halo)*span + int(at%Side) + Halo }

// hull is that of cells, by their corners in each row.
func (m *measuring) hull(cells []int32) [][2]int64 {
	var points [][2]int64
	for i := 0; i < len(cells); {
		row, j := cells[i]/Side, i
		for j+1 < len(cells) && cells[j+1]/Side == row {
			j++
		}
		a, b, y := int64(cells[i]%Side), int64(cells[j]%Side)+1, int64(row)
		points = append(points, [2]int64{a, y}, [2]int64{a, y + 1}, [2]int64{b, y}, [2]int64{b, y + 1})
		i = j + 1
	}
	return hullOf(points)
}

// pairsOf counts the pairs of a cell and its neighbours to the east and in the south, of one piece.
func (m *measuring) pairsOf(at int, k int32, t *tallier) {
	v := m.light[window(int32(at))]
	if v != v {
		return
	}
	i := uint16(v) >> 3
	col := at % Side
	visit := func(bt int) {
		if m.s.labels[bt] != k || !m.in[bt] {
			return
		}
		if w := m.light[window(int32(bt))]; w == w {
			j := uint16(w) >> 3
			t.add(min(i, j)<<5 | max(i, j))
		}
	}
	if col+1 < Side {
		visit(at + 1)
	}
	if at+Side < Side*Side {
		if col > 0 {
			visit(at + Side - 1)
		}
		visit(at + Side)
		if col+1 < Side {
			visit(at + Side + 1)
		}
	}
}

// nearest counts the classes of a coarser grid.
func (m *measuring) nearest(cells []int32, g *raster.Grid, t *tallier) tally {
	if g == nil {
		return nil
	}
	for _, at := range cells {
		k := m.cover.at(g, int(at%Side)+Halo, int(at/Side)+Halo)
		if k < 0 {
			continue
		}
		if v := g.Z[k]; v == v {
			t.add(uint16(min(max(v, 0), 1023)))
		}
	}
	return t.tally()
}

// keyed counts the keys of cells that have one.
func keyed(cells []int32, keys []uint8, t *tallier) tally {
	if keys == nil {
		return nil
	}
	for _, at := range cells {
		if k := keys[window(at)]; k > 0 {
			t.add(uint16(k))
		}
	}
	return t.tally()
}
