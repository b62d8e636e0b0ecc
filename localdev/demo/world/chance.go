package world

import "math"

// chance is a small fixed generator (splitmix64): the same seed gives the same world on every machine.
type chance struct{ s uint64 }

func newChance(seed ...uint64) *chance {
	c := &chance{0x6d61707065}
	for _, v := range seed {
		c.s ^= v * 0x9e3779b97f4a7c15
		c.next()
	}
	return c
}

func (c *chance) next() uint64 {
	c.s += 0x9e3779b97f4a7c15
	z := c.s
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// unit is in [0, 1).
func (c *chance) unit() float64 { return float64(c.next()>>11) / (1 << 53) }

// between is in [a, b).
func (c *chance) between(a, b float64) float64 { return a + (b-a)*c.unit() }

// below is in [0, n).
func (c *chance) below(n int) int { return int(c.next() % uint64(n)) }

// noise is smooth value noise in [-1, 1] with features of the given size in metres.
func noise(p P, size float64, seed uint64) float64 {
	x, y := p.X/size, p.Y/size
	fx, fy := math.Floor(x), math.Floor(y)
	u, v := x-fx, y-fy
	u, v = u*u*u*(u*(u*6-15)+10), v*v*v*(v*(v*6-15)+10)
	ix, iy := int64(fx), int64(fy)
	a := lattice(ix, iy, seed)*(1-u) + lattice(ix+1, iy, seed)*u
	b := lattice(ix, iy+1, seed)*(1-u) + lattice(ix+1, iy+1, seed)*u
	return a*(1-v) + b*v
}

func lattice(x, y int64, seed uint64) float64 {
	h := uint64(x)*0x8da6b343 ^ uint64(y)*0xd8163841 ^ seed*0xcb1ab31f
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32) * 0x94d049bb133111eb
	return float64((h^h>>31)>>11)/(1<<52) - 1
}
