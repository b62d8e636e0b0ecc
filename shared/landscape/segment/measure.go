package segment

import (
	"math"

	"mappe/shared/geo/raster"
	"mappe/shared/landscape/terrain"
)

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
	box   raster.Box
	// Where the cells of the window lie in the layers of satellites.
	season, radar, cover lattice
	power                [2][]float64 // of the cells of VV and VH, 0: not computed
	// Of the row that is summed, by columns of the window.
	top, ground *terrain.Rises
}

func newMeasuring(s *square, l *Layers, r *relief, box raster.Box, in []bool) *measuring {
	m := &measuring{s: s, l: l, r: r, in: in, light: r.light, box: box, season: latticeOf(l.Mean, box), radar: latticeOf(l.VV, box),
		cover: latticeOf(l.Cover, box), top: terrain.NewRises(span), ground: terrain.NewRises(span)}
	if l.VV != nil {
		m.power = [2][]float64{make([]float64, len(l.VV.Z)), make([]float64, len(l.VV.Z))}
	}
	m.uses()
	m.ways()
	return m
}

// measure sums all cells, then what needs the cells of a piece together.
func (m *measuring) measure() {
	for row := range Side {
		m.rises(row)
		for col := range Side {
			at := row*Side + col
			k := m.s.labels[at]
			m.border(at, col, row, k)
			if k > 0 && m.in[at] {
				m.cell(&m.s.pieces[k-1], col, row)
			}
		}
	}
	m.edges()
	m.together()
}

// rises computes those of the surface and of the terrain of a row.
func (m *measuring) rises(row int) {
	for _, of := range []struct {
		g *raster.Grid
		r *terrain.Rises
	}{{m.l.DSM, m.top}, {m.l.DTM, m.ground}} {
		if of.g != nil {
			of.r.Fill(of.g.Row(row+Halo-1), of.g.Row(row+Halo), of.g.Row(row+Halo+1), Halo, Halo+Side)
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
	if m.l.BuildingsKnown || len(m.l.Buildings) > 0 {
		p.mapped++
	}
	m.heights(p, i)
	m.surface(p, i, col, row)
	m.terrain(p, i, col)
	m.photo(p, i)
	m.coarse(p, col+Halo, row+Halo)
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
	r := m.top
	gx, gy := r.East[col+Halo]/8, r.South[col+Halo]/8
	if g := float64(gx*gx) + float64(gy*gy); g == g {
		s[nShape]++
		s[sSurfaceSlope] += atan(math.Sqrt(g))
		s[sLaplace] += float64(r.Straight[col+Halo] / 4 * (r.Straight[col+Halo] / 4))
	}
}

// flatBelow is the slope below which a cell has no direction: tan 2°.
const flatBelow = 0.03492076949

func (m *measuring) terrain(p *piece, i, col int) {
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
	r := m.ground
	gx, gy := r.East[col+Halo]/8, r.South[col+Halo]/8
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
	s[sTRI] += math.Sqrt(r.Squares[col+Halo])
	s[sTPI] -= float64(r.All[col+Halo] / 8)
	s[sCurvature] -= r.Straight[col+Halo]
	if steep < flatBelow {
		p.sectors[8]++
		return
	}
	p.sectors[terrain.SectorOf(-gx, gy)]++
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

// lattice says in which column and row of a coarser grid the columns and rows of a window lie; -1: beside it.
type lattice struct{ col, row []int32 }

// latticeOf is that of the middles of a window's cells; a nil grid has none.
func latticeOf(g *raster.Grid, box raster.Box) (l lattice) {
	if g == nil {
		return l
	}
	place := func(v float64, n int) int32 {
		if i := int(math.Floor(v / g.Step)); i >= 0 && i < n {
			return int32(i)
		}
		return -1
	}
	l = lattice{make([]int32, int(box.East-box.West)), make([]int32, int(box.North-box.South))}
	for i := range l.col {
		l.col[i] = place(box.West+float64(i)+0.5-g.West, g.Cols)
	}
	for i := range l.row {
		l.row[i] = place(g.North-(box.North-float64(i)-0.5), g.Rows)
	}
	return l
}

// at is the cell of a grid that a cell of the window lies in; -1: beside it.
func (l *lattice) at(g *raster.Grid, col, row int) int {
	c, r := l.col[col], l.row[row]
	if c < 0 || r < 0 {
		return -1
	}
	return int(r)*g.Cols + int(c)
}

// coarse adds the values of the cells of 10 m that a cell of the window lies in.
func (m *measuring) coarse(p *piece, col, row int) {
	s := &p.sums
	if m.l.Mean != nil {
		if k := m.season.at(m.l.Mean, col, row); k >= 0 {
			v, c, q := float64(m.l.Mean.Z[k]), float64(m.l.Cos.Z[k]), float64(m.l.Sin.Z[k])
			if v == v && c == c && q == q {
				s[nSeason]++
				s[sMean] += v
				s[sCos] += c
				s[sSin] += q
			}
		}
	}
	if m.l.VV != nil {
		if k := m.radar.at(m.l.VV, col, row); k >= 0 {
			if vv, vh := m.l.VV.Z[k], m.l.VH.Z[k]; vv == vv && vh == vh {
				s[nRadar]++
				s[sVV] += linear(&m.power[0][k], vv)
				s[sVH] += linear(&m.power[1][k], vh)
			}
		}
	}
}

// linear is the power of decibels between -35 and 5, which is kept.
func linear(kept *float64, db float32) float64 {
	if *kept == 0 {
		*kept = exp(float64(min(max(float64(db), -35), 5) * (math.Ln10 / 10)))
	}
	return *kept
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
