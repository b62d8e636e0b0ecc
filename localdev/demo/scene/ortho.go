package scene

import (
	"math"

	"mappe/shared/geo/crs"
)

// Series of orthophotos.
type Series struct {
	Date    string
	SouthUp bool    // its files begin in the south
	state   int     // index of the laser date that shows the same state of the land
	sun     float64 // direction to the sun, in turns from east against the clock
	rise    float64 // tangent of its height
	leaves  float64 // of broadleaves, 0 to 1
	green   float64 // of grass and crops
}

// SeriesOf the survey office, as the landscape service knows them.
var SeriesOf = [4]Series{
	{Date: "20220128", SouthUp: true, state: 0, sun: 0.72, rise: 0.42, leaves: 0, green: 0.35},
	{Date: "20221027", state: 0, sun: 0.71, rise: 0.55, leaves: 0.55, green: 0.6},
	{Date: "20240625", state: 2, sun: 0.68, rise: 1.8, leaves: 1, green: 1},
	{Date: "20250415", state: 2, sun: 0.7, rise: 1.1, leaves: 0.3, green: 0.8},
}

// Ortho is a tile of a series in the plane of its strip of the survey office (EPSG:31254, 31255 or 31256): the cells of the
// tile, 0 around them.
type Ortho struct{ RGB, NIR *Bytes }

// colour is red, green, blue and near infrared, 0 to 255.
type colour [4]float64

// colours of classes in sunlight, in full green.
var colours = [256]colour{
	unclassified: {150, 140, 140, 140}, ShrubClass: {80, 105, 60, 155}, Grass: {98, 124, 72, 165}, Hedge: {72, 98, 55, 160},
	Water:      {42, 58, 66, 26},
	Greenhouse: {190, 200, 205, 190}, Mast: {120, 120, 120, 115}, Road: {124, 124, 127, 118}, Path: {168, 160, 142, 160},
	Parking: {140, 139, 140, 134},
	Bridge:  {132, 131, 130, 124}, Crop: {110, 132, 66, 178}, Orchard: {100, 125, 74, 165}, Vineyard: {118, 124, 78, 150},
	Garden:   {100, 125, 78, 160},
	BareSoil: {146, 122, 98, 132}, Rock: {162, 159, 152, 152}, Excavation: {152, 126, 98, 135}, FillClass: {160, 135, 108, 142},
	TreeLoss:     {132, 118, 88, 135},
	BuildingSite: {165, 156, 142, 155},
}

// withered is what plants look like without green.
var withered = colour{128, 116, 88, 128}

// roofColours are tiles, old tiles, slate, sheet and gravel.
var roofColours = [5]colour{{168, 94, 72, 118}, {134, 84, 70, 102}, {96, 98, 104, 96}, {172, 176, 180, 172}, {148, 144, 136, 142}}

// crownColours are those of species, in leaf and without.
var crownColours = [5][2]colour{Spruce: {{46, 72, 46, 118}, {46, 70, 46, 112}}, Larch: {{74, 98, 54, 145}, {112, 100, 76, 105}},
	Pine: {{60, 82, 56, 122}, {60, 82, 56, 118}}, Beech: {{76, 108, 54, 176}, {108, 98, 84, 100}},
	Shrub: {{80, 106, 58, 158}, {106, 98, 78, 108}}}

// dead is a crown without needles or leaves.
var dead = colour{124, 116, 108, 112}

// photo is what an orthophoto of a tile is made of.
type photo struct {
	s        *Scene
	of       *Series
	index    int
	things   *things
	coarse   *canvas // cells of 1 m, some way beyond the tile
	shadow   []bool
	per      int // pixels a metre
	dx, dy   float64
	lx, ly   float64 // direction to the sun
	pieces   []piece
	seed     uint64
	pix      []uint8 // red, green, blue, near infrared of the tile in EPSG:3035
	side     int     // pixels
	col, row int
}

// beyond is how far around a tile things are drawn that cast shadows into it, metres.
const beyond = 40

// Ortho is the orthophoto of a tile with so many pixels a metre: 5, 2 or 1. It takes 200 MB at 5.
func (s *Scene) Ortho(col, row, series, per int) *Ortho {
	p := &photo{s: s, of: &SeriesOf[series], index: series, things: s.tile(col, row), per: per, seed: s.seed ^ uint64(series+11)<<40,
		side: Side * per, col: col, row: row}
	d := dice(key(p.seed, forGain, 0, 0))
	ax, ay := direction(d.f())
	off := d.between(0.5, 1) // what orthophotos and laser scans are apart
	p.dx, p.dy = math.Floor(ax*off*1024)/1024, math.Floor(ay*off*1024)/1024
	p.lx, p.ly = direction(p.of.sun)
	w := s.window(col, row)
	p.coarse = s.paint(w.grown(beyond), p.of.state, p.things, false)
	p.pieces = append(s.traffic(w.box().grown(8), 7+series, p.things), p.things.pieces...)
	p.shade()
	p.pix = make([]uint8, p.side*p.side*4)
	const part = 100 // metres of a square that is drawn at a time
	for r := 0; r < Side; r += part {
		for c := 0; c < Side; c += part {
			p.draw(c*per, r*per, part*per)
		}
	}
	return p.strip()
}

// shade finds the cells of 1 m that lie in the shadow of others.
func (p *photo) shade() {
	c := p.coarse
	p.shadow = make([]bool, len(c.top))
	for row := range c.rows {
		for col := range c.cols {
			i := row*c.cols + col
			for k := 1.0; k < beyond; k++ {
				x, y := int(float64(col)+0.5+float64(k*p.lx)), int(float64(row)+0.5-float64(k*p.ly))
				if x < 0 || y < 0 || x >= c.cols || y >= c.rows {
					break
				}
				if float64(c.top[y*c.cols+x])-float64(c.top[i]) > float64(k*p.of.rise)+0.4 {
					p.shadow[i] = true
					break
				}
			}
		}
	}
}

// sheet is a square that is drawn.
type sheet struct {
	window
	u, v  []float64
	top   []float64
	base  []colour
	light []float64 // of the surface's slope; 1 is flat
}

// draw draws a square of pixels.
func (p *photo) draw(col, row, n int) {
	w := p.s.window(p.col, p.row)
	f := sheet{window: window{perMetre: p.per, col0: w.col0*p.per + col, row0: (w.row0+1)*p.per - 1 - row, cols: n, rows: n, dx: p.dx,
		dy: p.dy}}
	f.u, f.v = p.s.layout.bends(&f.window)
	f.top, f.base, f.light = make([]float64, n*n), make([]colour, n*n), make([]float64, n*n)
	p.ground(&f)
	p.crowns(&f)
	p.roofs(&f)
	p.expose(&f, col, row)
}

// ground draws what lies on the ground.
func (p *photo) ground(f *sheet) {
	find := finder{l: &p.s.layout}
	c := p.coarse
	var changes []*change
	for _, x := range p.things.changes {
		if p.of.state >= x.when && x.held.meets(f.box()) {
			changes = append(changes, x)
		}
	}
	for row := range f.rows {
		y := f.y(row)
		for col := range f.cols {
			i, x := row*f.cols+col, f.x(col)
			u, v := f.u[i], f.v[i]
			leaf := find.at(u, v)
			class, low := p.s.cover(leaf, u, v, p.of.state)
			for _, k := range changes {
				d := k.shape.depth(x, y, u, v)
				if d > 0 && (k.kind != RoadWidened || d >= bank) {
					if now, _, kept := k.cover(d); !kept {
						class, low = now, 0
					}
				}
			}
			at := c.cell(x, y)
			f.top[i] = c.z[at] + low
			k := colours[class]
			switch class {
			case Grass, Crop, Orchard, Vineyard, Garden:
				green := p.of.green * (0.75 + float64(0.25*unit(leaf.id)))
				for b := range k {
					k[b] = lerp(withered[b], k[b], green)
				}
			}
			f.base[i] = k
			gx, gy := float64(c.z[at+1]-c.z[at-1])/2, float64(c.z[at-c.cols]-c.z[at+c.cols])/2
			f.light[i] = 1 - float64(0.5*dot(gx, gy, p.lx, p.ly))
		}
	}
}

// cell is the cell of a place, at least one from the border.
func (c *canvas) cell(x, y float64) int {
	col := min(max(int(c.col(x)), 1), c.cols-2)
	row := min(max(int(c.row(y)), 1), c.rows-2)
	return row*c.cols + col
}

// crowns draws the trees.
func (p *photo) crowns(f *sheet) {
	area := f.box()
	for i := range p.things.trees {
		t := &p.things.trees[i]
		if !t.Stands(p.of.state) || !area.grown(12).has(t.Crown.X, t.Crown.Y) {
			continue
		}
		r := t.Radius[p.of.state]
		wide := float64(r * t.Stretch)
		form := t.form(p.of.state, p.coarse.near(t.Crown))
		k, bareness := crownColours[t.Species][0], 1-p.of.leaves
		for b := range k {
			if k[b] = lerp(k[b], crownColours[t.Species][1][b], bareness); t.Dead {
				k[b] = dead[b]
			}
			k[b] *= 0.88 + float64(0.24*unit(mix(t.ID))) // no two are alike
		}
		col0, row0, col1, row1 := f.span(box{t.Crown.X - wide, t.Crown.Y - wide, t.Crown.X + wide, t.Crown.Y + wide})
		for row := row0; row < row1; row++ {
			y := f.y(row)
			for col := col0; col < col1; col++ {
				j, x := row*f.cols+col, f.x(col)
				z, inside := form.surface(x, y)
				if !inside || z <= f.top[j] {
					continue
				}
				f.top[j], f.base[j] = z, k
				f.light[j] = 1 + float64(0.42*dot(x-t.Apex.X, y-t.Apex.Y, p.lx, p.ly)/r)
			}
		}
	}
}

// roofs draws buildings and small things.
func (p *photo) roofs(f *sheet) {
	area := f.box()
	for i := range p.things.buildings {
		b := &p.things.buildings[i]
		o := shape{c: b.At, ax: b.AxisX, ay: b.AxisY, a: b.A, b: b.B}
		if !b.Stands(p.of.state) || !o.box(nil).meets(area) {
			continue
		}
		k := roofColours[b.ID>>7%4]
		switch {
		case b.Use == "greenhouse":
			k = colours[Greenhouse]
		case b.Use == "shell":
			k = colours[BuildingSite]
		case b.Roof == Flat:
			k = roofColours[3+b.ID>>7%2]
		}
		col0, row0, col1, row1 := f.span(o.box(nil))
		for row := row0; row < row1; row++ {
			for col := col0; col < col1; col++ {
				j, x, y := row*f.cols+col, f.x(col), f.y(row)
				z, inside := b.surface(x, y)
				if !inside {
					continue
				}
				f.top[j], f.base[j], f.light[j] = z, k, 1
				if side := dot(x-b.At.X, y-b.At.Y, -b.AxisY, b.AxisX); b.Roof != Flat {
					lit := 0.22 * dot(-b.AxisY, b.AxisX, p.lx, p.ly)
					if side < 0 {
						lit = -lit
					}
					f.light[j] = 1 + lit
				}
			}
		}
	}
	for i := range p.pieces {
		q := &p.pieces[i]
		if q.name == "mast" || q.name == "crane" || q.name == "scaffold" || q.name == "stack" && p.of.state < q.from ||
			!q.shape.box(nil).meets(area) {
			continue
		}
		grey := 60 + float64(150*unit(mix(q.id)))
		k := colour{grey, grey * (0.8 + float64(0.2*unit(mix(q.id^1)))), grey * (0.8 + float64(0.2*unit(mix(q.id^2)))), grey * 0.9}
		col0, row0, col1, row1 := f.span(q.shape.box(nil))
		for row := row0; row < row1; row++ {
			for col := col0; col < col1; col++ {
				if j, x, y := row*f.cols+col, f.x(col), f.y(row); q.shape.depth(x, y, 0, 0) > 0 {
					f.top[j], f.base[j], f.light[j] = p.coarse.z[p.coarse.cell(x, y)]+q.height, k, 1
				}
			}
		}
	}
}

// expose makes grey values: light, shadow, texture, gain of the mosaic's pictures.
func (p *photo) expose(f *sheet, col0, row0 int) {
	const seam = 640 // metres between seams of the mosaic
	sx, sy := direction(unit(key(p.seed, forGain, 1, 0)))
	texture := octave{p.seed, forTexture, 3, 0.12}.over(&f.window)
	patches := octave{p.s.seed, forTexture, 24, 0.14}.over(&f.window)
	grain := make([]float64, f.cols)
	for row := range f.rows {
		y := f.y(row)
		clear(grain)
		texture.add(grain, y)
		patches.add(grain, y)
		for col := range f.cols {
			i, x := row*f.cols+col, f.x(col)
			light := f.light[i]
			if at := p.coarse.cell(x, y); p.shadow[at] && f.top[i] < float64(p.coarse.top[at])+1.5 {
				light = 0.42
			}
			k := key(p.seed, forTexture, f.col0+col, f.row0-row)
			strip := int(math.Floor(dot(x, y, sx, sy) / seam))
			light *= (1 + grain[col] + float64(0.035*normal(k))) * lerp(0.9, 1.1, unit(key(p.seed, forGain, strip, 2)))
			out := p.pix[((row0+row)*p.side+col0+col)*4:]
			for b := range 4 {
				out[b] = uint8(min(max(f.base[i][b]*light, 1), 255)) // 0 is no value
			}
		}
	}
}

// stripOf is the survey office's strip of a longitude: borders are those between its meridians.
func stripOf(lon float64) crs.System {
	switch {
	case lon < 11.5+1.0/3:
		return crs.GaussKruegerWest
	case lon < 14.5+1.0/3:
		return crs.GaussKruegerMid
	}
	return crs.GaussKruegerEast
}

// strip brings the tile into the plane of its strip, by the nearest pixel.
func (p *photo) strip() *Ortho {
	w := p.s.window(p.col, p.row)
	west, south := float64(w.col0), float64(w.row0+1-Side)
	lon, _ := crs.LAEA.Inverse(west+Side/2, south+Side/2)
	system := stripOf(lon)
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, k := range [4][2]float64{{0, 0}, {Side, 0}, {0, Side}, {Side, Side}} {
		x, y := system.Forward(crs.LAEA.Inverse(west+k[0], south+k[1]))
		b = box{min(b.west, x), min(b.south, y), max(b.east, x), max(b.north, y)}
	}
	b = box{math.Floor(b.west), math.Floor(b.south), math.Ceil(b.east), math.Ceil(b.north)}
	step := 1 / float64(p.per)
	cols, rows := int(b.east-b.west)*p.per, int(b.north-b.south)*p.per
	picture := func(bands int) *Bytes {
		return &Bytes{West: b.west, North: b.north, Step: step, Cols: cols, Rows: rows, Bands: bands, Pix: make([]uint8, cols*rows*bands),
			EPSG: int(system), NoData: 0, SouthUp: p.of.SouthUp}
	}
	o := &Ortho{picture(3), picture(1)}
	net := newNet(b, system, west, south)
	for row := range rows {
		y := (float64(row) + 0.5) * step // from the north
		for col := range cols {
			px, py := net.at((float64(col)+0.5)*step, y)
			c, r := int(math.Floor(px*float64(p.per))), p.side-1-int(math.Floor(py*float64(p.per)))
			if c < 0 || r < 0 || c >= p.side || r >= p.side {
				continue
			}
			from, at := (r*p.side+c)*4, row*cols+col
			copy(o.RGB.Pix[at*3:at*3+3], p.pix[from:])
			o.NIR.Pix[at] = p.pix[from+3]
		}
	}
	return o
}

// net gives the places in the tile of places in a strip: between nodes 50 m apart, where the projections are asked. Rounded
// to a quarter of a millimetre, nodes are the same on every processor.
type net struct {
	cols int
	x, y []float64
}

const netStep = 50

func newNet(b box, system crs.System, west, south float64) *net {
	n := &net{cols: int((b.east-b.west)/netStep) + 2}
	rows := int((b.north-b.south)/netStep) + 2
	for row := range rows {
		for col := range n.cols {
			x, y := crs.LAEA.Forward(system.Inverse(b.west+float64(col*netStep), b.north-float64(row*netStep)))
			n.x, n.y = append(n.x, math.Floor((x-west)*4096)/4096), append(n.y, math.Floor((y-south)*4096)/4096)
		}
	}
	return n
}

// at is the place of one that lies so far to the east and to the south in the strip's box.
func (n *net) at(east, south float64) (x, y float64) {
	s, t := east/netStep, south/netStep
	i, j := int(s), int(t)
	s, t = s-float64(i), t-float64(j)
	k := j*n.cols + i
	x = lerp(lerp(n.x[k], n.x[k+1], s), lerp(n.x[k+n.cols], n.x[k+n.cols+1], s), t)
	y = lerp(lerp(n.y[k], n.y[k+1], s), lerp(n.y[k+n.cols], n.y[k+n.cols+1], s), t)
	return x, y
}
