package scene

import (
	"math"
)

// canvas is what stands on the ground of a window on a date: without error at the middles of its cells, and as the pulses
// of a laser scan see it.
type canvas struct {
	*ground
	s     *Scene
	date  int
	top   []float32 // highest surface at the middle of a cell, metres above the Adriatic
	first []float32 // highest first return of a cell
	class []Class
	tree  []int32 // index of the tree that is seen, in things.trees; -1: none
	pulse []uint64
}

// maxPulses is how many pulses of the laser a cell of 1 m² has at most.
const maxPulses = 12

// pattern are the places of the pulses of a cell, metres from its south-western corner.
type pattern struct {
	n    int
	x, y [maxPulses]float64
}

// patterns are drawn once: a cell takes one of them. The number of pulses is 1 to 12, eight on average.
var patterns = func() (out [2048]pattern) {
	d := dice(0x70756c73)
	for i := range out {
		p := &out[i]
		p.n = 1
		for p.n < maxPulses && d.is(0.93) {
			p.n++
		}
		for k := range p.n {
			p.x[k], p.y[k] = d.f(), d.f()
		}
	}
	return out
}()

// paint makes the canvas of a window, with cars, bales and scaffolds or without.
func (s *Scene) paint(w window, date int, t *things, traffic bool) *canvas {
	g := s.groundOf(w, date, t.changes)
	n := g.cols * g.rows
	c := &canvas{ground: g, s: s, date: date, top: make([]float32, n), first: make([]float32, n), class: make([]Class, n),
		tree: make([]int32, n), pulse: make([]uint64, n)}
	c.cover()
	for _, x := range t.changes {
		if date >= x.when && x.held.meets(g.box()) {
			c.remade(x)
		}
	}
	for i := range t.trees {
		if x := &t.trees[i]; x.Stands(date) {
			c.crown(x, int32(i))
		}
	}
	for i := range t.buildings {
		if b := &t.buildings[i]; b.Stands(date) {
			c.house(b)
		}
	}
	var about []piece
	if traffic {
		about = s.traffic(g.box().grown(8), date, t)
	}
	for _, list := range [2][]piece{t.pieces, about} {
		for i := range list {
			if p := &list[i]; date >= p.from && date < p.until {
				c.put(p)
			}
		}
	}
	for i := range t.wires {
		c.hang(&t.wires[i])
	}
	return c
}

// cover lays the ground and its low growth.
func (c *canvas) cover() {
	f := finder{l: &c.s.layout}
	for row := range c.rows {
		for col := range c.cols {
			i := row*c.cols + col
			u, v := c.u[i], c.v[i]
			class, low := c.s.cover(f.at(u, v), u, v, c.date)
			k := key(c.s.seed+uint64(c.date), forPulses, c.col0+col, c.row0-row)
			c.pulse[i], c.class[i], c.tree[i] = k, class, -1
			c.top[i] = float32(c.z[i] + low)
			c.first[i] = c.top[i]
			if class == Bridge {
				deck := c.deck(col, row)
				c.top[i], c.first[i] = deck, deck
			} else if low > 0.3 {
				// Leaves let most pulses through to some depth; the highest return of few is below their tips.
				c.first[i] = float32(c.z[i] + float64(low*(0.75+float64(0.25*unit(mix(k))))))
			}
		}
	}
}

// deck is the height of a bridge: that of the way on its banks.
func (c *canvas) deck(col, row int) float32 {
	z := math.Inf(-1)
	for d := -5; d <= 5; d++ {
		if r := row + d; r >= 0 && r < c.rows {
			z = max(z, c.z[r*c.cols+col])
		}
		if k := col + d; k >= 0 && k < c.cols {
			z = max(z, c.z[row*c.cols+k])
		}
	}
	return float32(z)
}

// remade covers the ground that a change has made.
func (c *canvas) remade(x *change) {
	col0, row0, col1, row1 := c.span(x.held)
	for row := row0; row < row1; row++ {
		for col := col0; col < col1; col++ {
			i := row*c.cols + col
			d := x.shape.depth(c.x(col), c.y(row), c.u[i], c.v[i])
			if d <= 0 || x.kind == RoadWidened && d < bank {
				continue
			}
			class, bare, kept := x.cover(d)
			if kept {
				continue
			}
			if c.class[i] = class; bare {
				c.top[i] = float32(c.z[i])
				c.first[i] = c.top[i]
			}
		}
	}
}

// crownForm is a crown on a date, prepared for its cells.
type crownForm struct {
	cx, cy, lx, ly   float64 // middle; how far the apex lies beside it
	xx, xy, yy       float64 // (d/r)² = xx·dx² + xy·dx·dy + yy·dy²
	base, height     float64 // of the trunk's foot above the Adriatic; of the tree
	bare             float64 // 1 - share of the crown's base
	px, py, lessened float64 // second leader: where it stands, and its height as a share
	twin             bool
	profile          *[profileSteps + 1]float32
}

func (t *Tree) form(date int, base float64) crownForm {
	r := t.Radius[date]
	a, b := 1/(r*t.Stretch), t.Stretch/r
	a, b = float64(a*a), float64(b*b)
	ax, ay := t.AxisX, t.AxisY
	f := crownForm{cx: t.Crown.X, cy: t.Crown.Y, lx: t.Apex.X - t.Crown.X, ly: t.Apex.Y - t.Crown.Y, base: base, height: t.Height[date],
		bare: 1 - t.CrownBase, profile: t.profile,
		xx: float64(a*ax*ax) + float64(b*ay*ay), yy: float64(a*ay*ay) + float64(b*ax*ax), xy: 2 * (a - b) * ax * ay, twin: t.DoubleLeader}
	if f.twin {
		f.px, f.py, f.lessened = -ay*r*0.4, ax*r*0.4, 0.97
	}
	return f
}

// share is (d/r)² of a place.
func (f *crownForm) share(dx, dy float64) float64 {
	return float64(f.xx*dx*dx) + float64(f.xy*dx*dy) + float64(f.yy*dy*dy)
}

// surface is the height of the crown's surface above the Adriatic; inside is false beside it.
func (f *crownForm) surface(x, y float64) (z float64, inside bool) {
	dx, dy := x-f.cx, y-f.cy
	q := f.share(dx, dy)
	if q >= 1 {
		return 0, false
	}
	if f.lx != 0 {
		k := 1 - math.Sqrt(q)
		q = min(f.share(dx-float64(f.lx*k), dy-float64(f.ly*k)), 1)
	}
	h := 1 - float64(f.bare*float64(f.profile[int(q*profileSteps)]))
	if f.twin {
		if p := f.share(dx-f.px, dy-f.py); p < 1 {
			h = max(h, f.lessened*(1-float64(f.bare*float64(f.profile[int(p*profileSteps)]))))
		}
	}
	return f.base + float64(f.height*h), true
}

// crown draws a tree. Of the pulses on its crown 45 % are thrown back by its surface, the others from deeper.
func (c *canvas) crown(t *Tree, index int32) {
	r := float64(t.Radius[c.date] * t.Stretch)
	col0, row0, col1, row1 := c.span(box{t.Crown.X - r, t.Crown.Y - r, t.Crown.X + r, t.Crown.Y + r})
	if col0 >= col1 || row0 >= row1 {
		return
	}
	f := t.form(c.date, c.near(t.Crown))
	class := TreeClass
	switch {
	case t.hedge:
		class = Hedge
	case t.Species == Shrub:
		class = ShrubClass
	}
	depth := 0.12 * f.bare * f.height
	hits := uint64(14) // of 32
	if t.Dead {
		hits = 5
	}
	for row := row0; row < row1; row++ {
		y := c.y(row)
		for col := col0; col < col1; col++ {
			i, x := row*c.cols+col, c.x(col)
			k := mix(t.ID ^ c.pulse[i])
			lobes := lobe(t.ID, x-f.cx, y-f.cy, r)
			if z, inside := f.surface(x, y); inside && float32(z+lobes) > c.top[i] {
				c.top[i] = float32(z + lobes)
				if c.tree[i] = index; f.height > 0.5 && c.class[i] != Orchard {
					c.class[i] = class
				}
			}
			p := &patterns[c.pulse[i]>>53]
			for n := range p.n {
				z, inside := f.surface(x-0.5+p.x[n], y-0.5+p.y[n])
				if !inside {
					continue
				}
				bits := k >> (5 * n) & 31
				if bits >= hits {
					if t.Dead && bits > 16 {
						continue // through to the ground
					}
					z -= float64(depth * float64(bits-hits) / 32)
				}
				c.first[i] = max(c.first[i], float32(z+lobes))
			}
		}
	}
}

// near is the ground at a place in or beside the window.
func (c *canvas) near(p Place) float64 {
	col := min(max(int(math.Floor(c.col(p.X))), 0), c.cols-1)
	row := min(max(int(math.Floor(c.row(p.Y))), 0), c.rows-1)
	return c.z[row*c.cols+col]
}

// lobe is the unevenness of a crown in metres, of branches 2 m apart, none at the apex.
func lobe(id uint64, dx, dy, r float64) float64 {
	const apart = 2.1
	x, y := dx/apart, dy/apart
	fi, fj := math.Floor(x), math.Floor(y)
	i, j := uint64(int(fi)), uint64(int(fj))
	at := func(i, j uint64) float64 {
		return unit((id^i*0x9e3779b97f4a7c15^j*0xd1b54a32d192ed03)*0xbf58476d1ce4e5b9) - 0.5
	}
	x, y = x-fi, y-fj
	n := lerp(lerp(at(i, j), at(i+1, j), x), lerp(at(i, j+1), at(i+1, j+1), x), y)
	return 0.9 * n * min(r/4, 1) * min(dot(dx, dy, dx, dy)/2, 1)
}

// house draws a building: walls to the eaves, a roof, and on it chimney and dormer.
func (c *canvas) house(b *Building) {
	f := shape{c: b.At, ax: b.AxisX, ay: b.AxisY, a: b.A, b: b.B}
	col0, row0, col1, row1 := c.span(f.box(nil))
	class := RoofClass
	switch b.Use {
	case "greenhouse":
		class = Greenhouse
	case "shell":
		class = BuildingSite
	}
	for row := row0; row < row1; row++ {
		for col := col0; col < col1; col++ {
			i, x, y := row*c.cols+col, c.x(col), c.y(row)
			if z, inside := b.surface(x, y); inside {
				c.top[i], c.class[i], c.tree[i] = max(c.top[i], float32(z)), class, -1
			}
			p := &patterns[c.pulse[i]>>53]
			for n := range p.n {
				if z, inside := b.surface(x-0.5+p.x[n], y-0.5+p.y[n]); inside {
					c.first[i] = max(c.first[i], float32(z))
				}
			}
		}
	}
}

// surface is the height of a roof above the Adriatic.
func (b *Building) surface(x, y float64) (z float64, inside bool) {
	dx, dy := x-b.At.X, y-b.At.Y
	la, lb := math.Abs(dot(dx, dy, b.AxisX, b.AxisY)), dot(dx, dy, -b.AxisY, b.AxisX)
	across := math.Abs(lb)
	if la > b.A || across > b.B {
		return 0, false
	}
	in := b.B - across
	if b.Roof == Hip {
		in = min(in, b.A-la)
	}
	z = b.Eaves + float64((b.Ridge-b.Eaves)*in/b.B)
	if b.Use == "house" {
		if b.Roof != Flat && la < 1.4 && lb > 0.25*b.B && lb < 0.75*b.B && b.ID%4 == 0 {
			z = max(z, b.Eaves+float64(0.8*(b.Ridge-b.Eaves))) // a dormer
		}
		if math.Abs(la-float64(0.4*b.A)) < 0.4 && math.Abs(lb-float64(0.2*b.B)) < 0.4 && b.ID%3 > 0 {
			z = b.Ridge + 0.9
		}
	}
	return b.base + z, true
}

// put draws a small thing.
func (c *canvas) put(p *piece) {
	col0, row0, col1, row1 := c.span(p.shape.box(nil))
	for row := row0; row < row1; row++ {
		for col := col0; col < col1; col++ {
			i, x, y := row*c.cols+col, c.x(col), c.y(row)
			k := mix(p.id ^ c.pulse[i])
			z := float32(c.z[i] + p.height - float64(p.rough*unit(k)))
			if p.shape.depth(x, y, 0, 0) > 0 && z > c.top[i] {
				c.top[i], c.tree[i] = z, -1
				if p.class != unclassified {
					c.class[i] = p.class
				}
			}
			q := &patterns[c.pulse[i]>>53]
			for n := range q.n {
				if k = mix(k); unit(k) >= p.porous && p.shape.depth(x-0.5+q.x[n], y-0.5+q.y[n], 0, 0) > 0 {
					c.first[i] = max(c.first[i], z)
				}
			}
		}
	}
}

// hang draws a wire, which few pulses hit.
func (c *canvas) hang(w *wire) {
	b := boxOf([]Place{w.a, w.b}).grown(1)
	if !b.meets(c.box()) {
		return
	}
	long := length(w.b.X-w.a.X, w.b.Y-w.a.Y)
	for at := 0.25; at < long; at += 0.5 {
		t := at / long
		x, y := lerp(w.a.X, w.b.X, t), lerp(w.a.Y, w.b.Y, t)
		col, row := int(math.Floor(c.col(x))), int(math.Floor(c.row(y)))
		if col < 0 || row < 0 || col >= c.cols || row >= c.rows {
			continue
		}
		i := row*c.cols + col
		z := float32(lerp(w.za, w.zb, t) - float64(4*w.sag*t*(1-t)))
		if k := mix(c.pulse[i] ^ uint64(int64(w.za*1024))); k%16 < 5 {
			c.first[i] = max(c.first[i], z)
		}
	}
}
