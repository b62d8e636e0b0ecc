package segment

import (
	"math"
	"slices"
)

// The sums that figures are made of, over the cells that have the value: of each the first is the count.
const (
	nHeight = iota
	sH
	sH2
	sH3
	sHigh
	nSurface // cells with a surface; x, y from the corner of the square
	sZ
	sZZ
	sX
	sY
	sXX
	sXY
	sYY
	sXZ
	sYZ
	nShape // with a slope of the surface
	sSurfaceSlope
	sLaplace
	nGround
	sGround
	nSlope
	sSlope
	sSlope2
	sNorth
	sEast
	sTRI
	sTPI
	sCurvature
	nPhoto
	sRed
	sGreen
	sBlue
	sNIR
	sNIR2
	sLight
	sLight2
	sNDVI
	sNDVI2
	sNDWI
	sExcess
	sGNDVI
	sDark
	nSeason
	sMean
	sCos
	sSin
	nRadar
	sVV
	sVH
	nHeightChange
	sHeightChange
	nTerrainChange
	sTerrainChange
	nStable
	sStable
	sLevel
	sumCount
)

// piece is a part of an object in one square, or what several of them sum to.
type piece struct {
	cells    int64 // that are meant
	all      int64 // all cells of the square, meant or not
	part     int32
	col, row int16 // of its first cell that is meant, in its square, where it has no body
	seam     bool  // it touches the border of its square
	made     int64 // where in the store its object stands, in bytes from 1, where nothing can join it any more: its body is gone; 0: it can
	*body
}

// body is what is summed of a piece.
type body struct {
	x, y, xx, xy, yy   int64 // of columns and rows from the corner of the square
	common                   // along the border
	sums               [sumCount]float64
	low, high          float64 // terrain
	top                float64 // greatest height above ground
	sectors            [9]int64
	box                [4]int32 // columns and rows of the square: from, to
	hull               [][2]int64
	heights            []uint16 // above ground in centimetres + 500, rising; nil while they stand in the store
	heightsAt          int64    // where there
	heightsN           int
	pairs              tally // of levels of brightness, 32·i + j
	cover, uses        tally
	ways               tally
	footprint, mapped  int64 // cells in footprints, and those of which it is known whether they are
	neighbours         []contact
	last               int // of them, that was touched
	firstCol, firstRow int32
}

// common is what is measured along a border.
type common struct {
	border           int64 // sides of cells
	edge, contrast   float64
	edgeN, contrastN int64
}

func (c *common) add(o *common) {
	c.border, c.edgeN, c.contrastN = c.border+o.border, c.edgeN+o.edgeN, c.contrastN+o.contrastN
	c.edge, c.contrast = c.edge+o.edge, c.contrast+o.contrast
}

func (c *common) remove(o *common) {
	c.border, c.edgeN, c.contrastN = c.border-o.border, c.edgeN-o.edgeN, c.contrastN-o.contrastN
	c.edge, c.contrast = c.edge-o.edge, c.contrast-o.contrast
}

// contact is what a piece at the border of a square has in common with another piece of the square.
type contact struct {
	with       int32
	sides, sum int64 // of all cells: sides, and the levels on both sides of them
	common           // of cells that are meant on both sides
}

// tally counts by key, keys rising.
type tally []count

type count struct {
	key uint16
	n   uint32
}

// total is the sum of all counts, most the key that has most of them, the least of several.
func (t tally) total() (n int64) {
	for _, c := range t {
		n += int64(c.n)
	}
	return n
}

func (t tally) most() (key uint16, n uint32) {
	for _, c := range t {
		if c.n > n {
			key, n = c.key, c.n
		}
	}
	return key, n
}

// plus is the sum of two.
func (t tally) plus(o tally) tally {
	if len(o) == 0 {
		return t
	}
	out := make(tally, 0, len(t)+len(o))
	for len(t) > 0 && len(o) > 0 {
		switch {
		case t[0].key < o[0].key:
			out, t = append(out, t[0]), t[1:]
		case t[0].key > o[0].key:
			out, o = append(out, o[0]), o[1:]
		default:
			out = append(out, count{t[0].key, t[0].n + o[0].n})
			t, o = t[1:], o[1:]
		}
	}
	return append(append(out, t...), o...)
}

// moved is a piece whose columns and rows are counted from another corner, so many metres to the west and north.
func (p *piece) moved(dx, dy int64) {
	n := p.cells
	p.xx += 2*dx*p.x + n*dx*dx
	p.xy += dx*p.y + dy*p.x + n*dx*dy
	p.yy += 2*dy*p.y + n*dy*dy
	p.x, p.y = p.x+n*dx, p.y+n*dy
	s := &p.sums
	fx, fy := float64(dx), float64(dy)
	s[sXX] += float64(2*fx*s[sX]) + float64(s[nSurface]*fx*fx)
	s[sXY] += float64(fx*s[sY]) + float64(fy*s[sX]) + float64(s[nSurface]*fx*fy)
	s[sYY] += float64(2*fy*s[sY]) + float64(s[nSurface]*fy*fy)
	s[sXZ] += float64(fx * s[sZ])
	s[sYZ] += float64(fy * s[sZ])
	s[sX] += float64(s[nSurface] * fx)
	s[sY] += float64(s[nSurface] * fy)
	p.box = [4]int32{p.box[0] + int32(dx), p.box[1] + int32(dx), p.box[2] + int32(dy), p.box[3] + int32(dy)}
	p.firstCol, p.firstRow = p.firstCol+int32(dx), p.firstRow+int32(dy)
	for i := range p.hull {
		p.hull[i][0] += dx
		p.hull[i][1] += dy
	}
}

// join adds a piece whose columns and rows are counted from the same corner.
func (p *piece) join(o *piece) {
	if o.cells == 0 {
		return
	}
	if p.cells == 0 {
		*p = *o
		return
	}
	if p.part&1 != o.part&1 && o.cells > p.cells {
		p.part = o.part
	}
	if o.firstRow < p.firstRow || o.firstRow == p.firstRow && o.firstCol < p.firstCol {
		p.firstRow, p.firstCol = o.firstRow, o.firstCol
	}
	p.cells += o.cells
	p.x, p.y, p.xx, p.xy, p.yy = p.x+o.x, p.y+o.y, p.xx+o.xx, p.xy+o.xy, p.yy+o.yy
	p.common.add(&o.common)
	for i := range p.sums {
		p.sums[i] += o.sums[i]
	}
	p.low, p.high, p.top = least(p.low, o.low), greatest(p.high, o.high), greatest(p.top, o.top)
	for i := range p.sectors {
		p.sectors[i] += o.sectors[i]
	}
	p.box = [4]int32{min(p.box[0], o.box[0]), max(p.box[1], o.box[1]), min(p.box[2], o.box[2]), max(p.box[3], o.box[3])}
	p.hull = hullOf(append(slices.Clone(p.hull), o.hull...))
	p.heights = merged(p.heights, o.heights)
	p.pairs, p.cover, p.uses, p.ways = p.pairs.plus(o.pairs), p.cover.plus(o.cover), p.uses.plus(o.uses), p.ways.plus(o.ways)
	p.footprint, p.mapped = p.footprint+o.footprint, p.mapped+o.mapped
}

// least and greatest pass over what is not known.
func least(a, b float64) float64 {
	if a != a || b < a {
		return b
	}
	return a
}

func greatest(a, b float64) float64 {
	if a != a || b > a {
		return b
	}
	return a
}

// merged are two rising lists as one.
func merged(a, b []uint16) []uint16 {
	out := make([]uint16, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// hullOf is the convex hull of places, counter-clockwise from the least (Andrew 1979). It reorders them.
func hullOf(points [][2]int64) [][2]int64 {
	slices.SortFunc(points, func(a, b [2]int64) int {
		if a[0] != b[0] {
			return int(a[0] - b[0])
		}
		return int(a[1] - b[1])
	})
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	out := make([][2]int64, 0, 16)
	half := func(from int, p [2]int64) {
		for len(out) >= from+2 {
			a, b := out[len(out)-2], out[len(out)-1]
			if (b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) > 0 {
				break
			}
			out = out[:len(out)-1]
		}
		out = append(out, p)
	}
	for _, p := range points {
		half(0, p)
	}
	from := len(out) - 1
	for i := len(points) - 2; i >= 0; i-- {
		half(from, points[i])
	}
	return out[:len(out)-1]
}

// hullFigures are area and perimeter of a hull, and the area of the least rectangle around it.
func hullFigures(hull [][2]int64) (area, perimeter, rectangle float64) {
	twice := int64(0)
	rectangle = math.Inf(1)
	for i, a := range hull {
		b := hull[(i+1)%len(hull)]
		twice += a[0]*b[1] - a[1]*b[0]
		ex, ey := b[0]-a[0], b[1]-a[1]
		long := ex*ex + ey*ey
		perimeter += math.Sqrt(float64(long))
		var along, across [2]int64 // least and greatest
		for k, p := range hull {
			u, v := (p[0]-a[0])*ex+(p[1]-a[1])*ey, (p[1]-a[1])*ex-(p[0]-a[0])*ey
			if k == 0 {
				along, across = [2]int64{u, u}, [2]int64{v, v}
			}
			along, across = [2]int64{min(along[0], u), max(along[1], u)}, [2]int64{min(across[0], v), max(across[1], v)}
		}
		rectangle = min(rectangle, float64(along[1]-along[0])*float64(across[1]-across[0])/float64(long))
	}
	return math.Abs(float64(twice)) / 2, perimeter, rectangle
}
