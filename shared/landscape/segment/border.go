package segment

import (
	"math"
	"slices"
)

// border adds the sides of a cell to the east and south; those at the border of the square are added when squares meet.
func (m *measuring) border(at, col, row int, k int32) {
	i := (row+Halo)*span + col + Halo
	if col+1 < Side {
		m.side(at, at+1, i, i+1, k)
	}
	if row+1 < Side {
		m.side(at, at+Side, i, i+span, k)
	}
}

// side adds what lies between two cells, one of which may be in no piece.
func (m *measuring) side(at, bt, i, j int, k int32) {
	o := m.s.labels[bt]
	if o == k && (k == 0 || m.in[at] == m.in[bt]) {
		return
	}
	var c contact
	c.sides, c.sum = 1, int64(m.r.level[i])+int64(m.r.level[j])
	m.between(&c.common, i, j)
	if k > 0 && m.in[at] {
		m.s.pieces[k-1].add(&c.common)
	}
	if o > 0 && m.in[bt] {
		m.s.pieces[o-1].add(&c.common)
	}
	if k == 0 || o == 0 || o == k {
		return
	}
	if !m.in[at] || !m.in[bt] {
		c.common = common{}
	}
	c.with = o
	m.s.pieces[k-1].touch(&c)
	c.with = k
	m.s.pieces[o-1].touch(&c)
}

// between measures the side between two cells of the window.
func (m *measuring) between(c *common, i, j int) {
	c.border = 1
	if m.r.top != nil {
		if g := (m.r.top[i] + m.r.top[j]) / 2; g == g {
			c.edge, c.edgeN = float64(g), 1
		}
	}
	if m.light != nil {
		if d := m.light[i] - m.light[j]; d == d {
			c.contrast, c.contrastN = math.Abs(float64(d)), 1
		}
	}
}

// touch keeps what a piece at the border of a square has in common with another one.
func (p *piece) touch(c *contact) {
	if !p.seam {
		return
	}
	if p.last >= len(p.neighbours) || p.neighbours[p.last].with != c.with {
		p.last = slices.IndexFunc(p.neighbours, func(x contact) bool { return x.with == c.with })
		if p.last < 0 {
			p.last = len(p.neighbours)
			p.neighbours = append(p.neighbours, contact{with: c.with})
		}
	}
	x := &p.neighbours[p.last]
	x.sides, x.sum = x.sides+c.sides, x.sum+c.sum
	x.add(&c.common)
}

// edges adds the sides of the area's border that lie on the border of the square's cells: beyond it nothing is meant. What
// is beyond the square is settled when squares meet.
func (m *measuring) edges() {
	for side := range m.s.meant {
		m.s.meant[side], m.s.top[side], m.s.light[side] = make([]bool, Side), make([]float32, Side), make([]float32, Side)
		for i := range Side {
			in, _ := borderCells(side, i)
			at := (in/span-Halo)*Side + in%span - Halo
			m.s.meant[side][i] = m.in[at]
			m.s.top[side][i], m.s.light[side][i] = float32(math.NaN()), float32(math.NaN())
			if m.r.top != nil {
				m.s.top[side][i] = m.r.top[in]
			}
			if m.light != nil {
				m.s.light[side][i] = m.light[in]
			}
		}
	}
}
