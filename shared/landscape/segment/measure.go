package segment

import (
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// heightOffset is added to heights that are kept as whole centimetres, metres.
const heightOffset = 5

// wayKinds are the kinds of ways by their key in tallies.
var wayKinds = []string{"", "road", "path", "rail", "power", "substation", "wind_turbine", "mast", "bridge", "water"}

// measuring sums the cells of a square for its pieces.
type measuring struct {
	s     *square
	l     *Layers
	r     *relief
	in    []bool // cells that are meant
	light []float32
	use   []uint8 // index of the use of cells, from 1; nil: none known
	codes []int
	way   []uint8
	power map[float32]float64
	box   raster.Box
}

func newMeasuring(s *square, l *Layers, r *relief, box raster.Box, in []bool) *measuring {
	m := &measuring{s: s, l: l, r: r, in: in, box: box, power: map[float32]float64{}}
	if l.Red != nil && l.NIR != nil {
		m.light = brightness(l)
	}
	m.uses()
	m.ways()
	return m
}

// uses draws the parcels.
func (m *measuring) uses() {
	if len(m.l.Uses) == 0 {
		return
	}
	m.use = make([]uint8, span*span)
	g := raster.Grid{West: m.box.West, North: m.box.North, Step: 1, Cols: span, Rows: span}
	for _, u := range m.l.Uses {
		k := slices.Index(m.codes, u.Code)
		if k < 0 {
			if len(m.codes) == 255 {
				continue
			}
			k, m.codes = len(m.codes), append(m.codes, u.Code)
		}
		inside(&g, u.Polygon, func(i int) { m.use[i] = uint8(k + 1) })
	}
}

// ways draws the infrastructure: cells within half the width of a line, or of a place.
func (m *measuring) ways() {
	if len(m.l.Ways) == 0 {
		return
	}
	m.way = make([]uint8, span*span)
	for _, w := range m.l.Ways {
		k := slices.Index(wayKinds, w.Kind)
		if k < 1 {
			continue
		}
		for i := range w.Points {
			a, b := w.Points[i], w.Points[min(i+1, len(w.Points)-1)]
			m.line(a, b, w.Width/2, uint8(k))
		}
	}
}

func (m *measuring) line(a, b raster.XY, half float64, kind uint8) {
	col0, col1 := int(math.Floor(min(a.X, b.X)-half-m.box.West)), int(math.Ceil(max(a.X, b.X)+half-m.box.West))
	row0, row1 := int(math.Floor(m.box.North-max(a.Y, b.Y)-half)), int(math.Ceil(m.box.North-min(a.Y, b.Y)+half))
	dx, dy := b.X-a.X, b.Y-a.Y
	long := float64(dx*dx) + float64(dy*dy)
	for row := max(row0, 0); row < min(row1, span); row++ {
		for col := max(col0, 0); col < min(col1, span); col++ {
			px, py := m.box.West+float64(col)+0.5-a.X, m.box.North-float64(row)-0.5-a.Y
			t := 0.0
			if long > 0 {
				t = min(max((float64(px*dx)+float64(py*dy))/long, 0), 1)
			}
			ex, ey := px-float64(t*dx), py-float64(t*dy)
			if float64(ex*ex)+float64(ey*ey) <= half*half {
				m.way[row*span+col] = kind
			}
		}
	}
}

// measure sums all cells, then what needs the cells of a piece together.
func (m *measuring) measure() {
	for row := range Side {
		for col := range Side {
			at := row*Side + col
			k := m.s.labels[at]
			if k == 0 {
				continue
			}
			m.border(at, col, row, k)
			if m.in[at] {
				m.cell(&m.s.pieces[k-1], col, row)
			}
		}
	}
	m.edges()
	m.together()
}

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

// side adds what lies between two cells.
func (m *measuring) side(at, bt, i, j int, k int32) {
	o := m.s.labels[bt]
	if o == k && m.in[at] == m.in[bt] {
		return
	}
	var c contact
	c.sides, c.sum = 1, int64(m.r.level[i])+int64(m.r.level[j])
	m.between(&c.common, i, j)
	if m.in[at] {
		m.s.pieces[k-1].add(&c.common)
	}
	if o > 0 && m.in[bt] {
		m.s.pieces[o-1].add(&c.common)
	}
	if o == 0 || o == k {
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

// cell adds a cell that is meant.
func (m *measuring) cell(p *piece, col, row int) {
	x, y, i := int64(col), int64(row), (row+Halo)*span+col+Halo
	if p.cells == 0 {
		p.box = [4]int32{int32(col), int32(col + 1), int32(row), int32(row + 1)}
		p.firstCol, p.firstRow = int32(col), int32(row)
	}
	p.cells++
	m.s.cells++
	p.x, p.y, p.xx, p.xy, p.yy = p.x+x, p.y+y, p.xx+x*x, p.xy+x*y, p.yy+y*y
	p.box = [4]int32{min(p.box[0], int32(col)), max(p.box[1], int32(col+1)), min(p.box[2], int32(row)), max(p.box[3], int32(row+1))}
	p.sums[sLevel] += float64(m.r.level[i])
	if m.r.part[i]>>1 > 0 {
		p.footprint++
	}
	m.heights(p, i)
	m.surface(p, i, col, row)
	m.terrain(p, i)
	m.photo(p, i)
	m.coarse(p, i)
	m.change(p, i)
}

func (m *measuring) heights(p *piece, i int) {
	if m.r.height == nil || m.r.height[i] != m.r.height[i] {
		return
	}
	m.s.known++
	h := float64(m.r.height[i])
	s := &p.sums
	s[nHeight]++
	s[sH] += h
	s[sH2] += float64(h * h)
	s[sH3] += float64(h * h * h)
	if h > 2 {
		s[sHigh]++
	}
	p.top = greatest(p.top, h)
}

// slopeOf is the slope of a cell by Horn 1981 as rises to the east and south, and its neighbours' differences.
func slopeOf(z []float32, i int) (p, q, tri2, mean, laplace float64) {
	e := float64(z[i])
	a, b, c := float64(z[i-span-1])-e, float64(z[i-span])-e, float64(z[i-span+1])-e
	d, f := float64(z[i-1])-e, float64(z[i+1])-e
	k, h, l := float64(z[i+span-1])-e, float64(z[i+span])-e, float64(z[i+span+1])-e
	p = (c - a + l - k + 2*(f-d)) / 8
	q = (k - a + l - c + 2*(h-b)) / 8
	tri2 = float64(a*a) + float64(b*b) + float64(c*c) + float64(d*d) + float64(f*f) + float64(h*h) + float64(k*k) + float64(l*l)
	straight := b + d + f + h
	return p, q, tri2, (a + c + k + l + straight) / 8, straight
}

func (m *measuring) surface(p *piece, i, col, row int) {
	if m.l.DSM == nil {
		return
	}
	z := float64(m.l.DSM.Z[i])
	if z != z {
		return
	}
	s := &p.sums
	x, y := float64(col), float64(row)
	s[nSurface]++
	s[sZ] += z
	s[sZZ] += float64(z * z)
	s[sX] += x
	s[sY] += y
	s[sXX] += float64(x * x)
	s[sXY] += float64(x * y)
	s[sYY] += float64(y * y)
	s[sXZ] += float64(x * z)
	s[sYZ] += float64(y * z)
	gx, gy, _, _, laplace := slopeOf(m.l.DSM.Z, i)
	if g := float64(gx*gx) + float64(gy*gy); g == g {
		s[nShape]++
		s[sSurfaceSlope] += atan(math.Sqrt(g))
		s[sLaplace] += float64(laplace / 4 * (laplace / 4))
	}
}

// flatBelow is the slope below which a cell has no direction: tan 2°.
const flatBelow = 0.03492076949

func (m *measuring) terrain(p *piece, i int) {
	if m.l.DTM == nil {
		return
	}
	z := float64(m.l.DTM.Z[i])
	if z != z {
		return
	}
	s := &p.sums
	s[nGround]++
	s[sGround] += z
	p.low, p.high = least(p.low, z), greatest(p.high, z)
	gx, gy, tri2, mean, laplace := slopeOf(m.l.DTM.Z, i)
	g := float64(gx*gx) + float64(gy*gy)
	if g != g {
		return
	}
	steep := math.Sqrt(g)
	slope := atan(steep)
	long := math.Sqrt(1 + g)
	s[nSlope]++
	s[sSlope] += slope
	s[sSlope2] += float64(slope * slope)
	s[sNorth] += gy / long // descent goes to (-gx, gy), north up
	s[sEast] -= gx / long
	s[sTRI] += math.Sqrt(tri2)
	s[sTPI] -= mean
	s[sCurvature] -= laplace
	if steep < flatBelow {
		p.sectors[8]++
		return
	}
	p.sectors[sectorOf(-gx, gy)]++
}

// sectorOf is the direction of a vector: 0 north, 1 north-east, and so on.
func sectorOf(east, north float64) int {
	const eighth = 0.41421356237309503 // tan 22.5°
	ax, ay := math.Abs(east), math.Abs(north)
	switch {
	case ax <= float64(eighth*ay) && north >= 0:
		return 0
	case ax <= float64(eighth*ay):
		return 4
	case ay <= float64(eighth*ax) && east >= 0:
		return 2
	case ay <= float64(eighth*ax):
		return 6
	case east > 0 && north > 0:
		return 1
	case east > 0:
		return 3
	case north < 0:
		return 5
	}
	return 7
}

func (m *measuring) photo(p *piece, i int) {
	if m.light == nil || m.light[i] != m.light[i] || m.l.NIR.Z[i] != m.l.NIR.Z[i] {
		return
	}
	r, g, b, n := m.l.Red.Z[i], m.l.Green.Z[i], m.l.Blue.Z[i], m.l.NIR.Z[i]
	light, ndvi := float64(m.light[i]), float64(ratio(n, r))
	s := &p.sums
	s[nPhoto]++
	s[sRed] += float64(r)
	s[sGreen] += float64(g)
	s[sBlue] += float64(b)
	s[sNIR] += float64(n)
	s[sNIR2] += float64(float64(n) * float64(n))
	s[sLight] += light
	s[sLight2] += float64(light * light)
	s[sNDVI] += ndvi
	s[sNDVI2] += float64(ndvi * ndvi)
	s[sNDWI] += float64(ratio(g, n))
	s[sGNDVI] += float64(ratio(n, g))
	if light > 0 {
		s[sExcess] += float64(2*g-r-b) / float64(3*light)
	}
	if light < ShadowBelow {
		s[sDark]++
	}
}

// coarse adds the values of the cells of 10 m that the cell lies in.
func (m *measuring) coarse(p *piece, i int) {
	x, y := m.box.West+float64(i%span)+0.5, m.box.North-float64(i/span)-0.5
	s := &p.sums
	if m.l.Mean != nil {
		if v := float64(m.l.Mean.At(x, y)); v == v {
			c, q := float64(m.l.Cos.At(x, y)), float64(m.l.Sin.At(x, y))
			if c == c && q == q {
				s[nSeason]++
				s[sMean] += v
				s[sCos] += c
				s[sSin] += q
			}
		}
	}
	if m.l.VV != nil {
		if vv, vh := m.l.VV.At(x, y), m.l.VH.At(x, y); vv == vv && vh == vh {
			s[nRadar]++
			s[sVV] += m.linear(vv)
			s[sVH] += m.linear(vh)
		}
	}
}

// linear is the power of decibels between -35 and 5.
func (m *measuring) linear(db float32) float64 {
	v, ok := m.power[db]
	if !ok {
		v = exp(float64(min(max(float64(db), -35), 5) * (math.Ln10 / 10)))
		m.power[db] = v
	}
	return v
}

func (m *measuring) change(p *piece, i int) {
	if m.l.EarlierDTM == nil || m.l.EarlierDSM == nil || m.l.DTM == nil || m.l.DSM == nil {
		return
	}
	s := &p.sums
	dz, ds := m.l.DTM.Z[i]-m.l.EarlierDTM.Z[i], m.l.DSM.Z[i]-m.l.EarlierDSM.Z[i]
	if dz == dz {
		s[nTerrainChange]++
		s[sTerrainChange] += float64(dz)
	}
	if ds != ds {
		return
	}
	s[nStable]++
	if ds < 0.5 && ds > -0.5 {
		s[sStable]++
	}
	if dz == dz {
		s[nHeightChange]++
		s[sHeightChange] += float64(ds) - float64(dz)
	}
}

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
	p.lost = m.nearest(cells, m.l.Loss, t)
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
		if v := g.At(m.box.West+Halo+float64(at%Side)+0.5, m.box.North-Halo-float64(at/Side)-0.5); v == v {
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
