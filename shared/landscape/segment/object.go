package segment

import (
	"math"

	"mappe/shared/landscape/terrain"
)

// Object is a part of the land that is one thing.
type Object struct {
	Label                    int32 // in Land.Labels
	Row                      Row
	X, Y                     float64 // middle of its first cell from the north, then from the west, in EPSG:3035: it names the object
	West, South, East, North float64 // box of its cells
	Elevated                 bool    // most of it stands 0.3 m above the ground or more
	ElevationMin             float64 // metres; NaN: unknown
	ElevationMax             float64
	Aspect                   float64 // mean direction of descent in degrees, -1 flat, NaN unknown
	Sector                   string  // dominant direction: N ... NW, flat; "" unknown
	GNDVI                    float64 // mean of (nir - green) / (nir + green)
	Shadow                   float64 // share of cells with a brightness below ShadowBelow
	EdgeContrast             float64 // mean difference of the brightness across its border
	HeightKnown              float64 // share of cells with a height above ground
	Footprint                float64 // share of cells in footprints; NaN where none are known
	Cover                    int     // land cover that most cells have; 0: unknown
	Use                      int     // code of the land register that most cells have; 0: unknown
	Way                      string  // kind of way that most cells on ways lie on; "": none
	WayShare                 float64 // of the cells that lie on it
}

// ShadowBelow is the brightness below which a cell of an orthophoto counts as shadow.
const ShadowBelow = 45

// object measures a piece whose columns and rows are counted from a corner.
func (p *piece) object(west, north float64) Object {
	var f Row
	for i := range f {
		f[i] = float32(math.NaN())
	}
	p.outline(&f)
	p.relief(&f)
	p.ground(&f)
	p.photo(&f)
	p.satellite(&f)
	p.texture(&f)
	s := &p.sums
	per := func(sum, n int) float64 { return s[sum] / s[n] }
	f[HeightChange] = float32(per(sHeightChange, nHeightChange))
	f[TerrainChange] = float32(per(sTerrainChange, nTerrainChange))
	f[Stability] = float32(per(sStable, nStable))
	n := float64(p.cells)
	o := Object{Row: f, X: west + float64(p.firstCol) + 0.5, Y: north - float64(p.firstRow) - 0.5, West: west + float64(p.box[0]),
		East: west + float64(p.box[1]), North: north - float64(p.box[2]), South: north - float64(p.box[3]), Elevated: p.part&1 == 1,
		ElevationMin: p.low, ElevationMax: p.high, GNDVI: per(sGNDVI, nPhoto), Shadow: per(sDark, nPhoto),
		EdgeContrast: p.contrast / float64(p.contrastN),
		HeightKnown:  s[nHeight] / n, Footprint: float64(p.footprint) / float64(p.mapped)}
	o.Aspect, o.Sector = p.aspect()
	cover, _ := p.cover.most()
	use, _ := p.uses.most()
	o.Cover, o.Use = int(cover), int(use)
	if way, on := p.ways.most(); on > 0 {
		o.Way, o.WayShare = wayKinds[way], float64(on)/n
	}
	return o
}

func (p *piece) outline(f *Row) {
	n := float64(p.cells)
	perimeter := float64(p.border) * (math.Pi / 4)
	f[Area], f[Perimeter] = float32(n), float32(perimeter)
	f[Compactness] = float32(min(float64(4*math.Pi*n)/float64(perimeter*perimeter), 1))
	// Second moments of the cells' middles, and of a cell of 1 m itself: 1/12. Numerators are whole numbers.
	moment := func(ab, a, b int64) float64 { return (float64(ab) - float64(float64(a)/n*float64(b))) / n }
	const cell = 1.0 / 12
	xx, xy, yy := moment(p.xx, p.x, p.x)+cell, moment(p.xy, p.x, p.y), moment(p.yy, p.y, p.y)+cell
	half, diff := float64((xx+yy)/2), (xx-yy)/2
	root := math.Sqrt(float64(diff*diff) + float64(xy*xy))
	f[Elongation] = float32(1 - math.Sqrt(max(half-root, 0)/(half+root)))
	f[MajorAxis] = float32(4 * math.Sqrt(half+root))
	area, round, rectangle := hullFigures(p.hull)
	f[Solidity], f[RectangleFill], f[Convexity] = float32(min(n/area, 1)), float32(min(n/rectangle, 1)), float32(min(round/perimeter, 1))
	f[Extent] = float32(n / (float64(p.box[1]-p.box[0]) * float64(p.box[3]-p.box[2])))
}

// relief are the figures of the surface.
func (p *piece) relief(f *Row) {
	s := &p.sums
	if n := s[nHeight]; n > 0 {
		mean := s[sH] / n
		variance := max(s[sH2]/n-float64(mean*mean), 0)
		sd := math.Sqrt(variance)
		f[HeightMean], f[HeightMax], f[HeightSD], f[HighShare] = float32(mean), float32(p.top), float32(sd), float32(s[sHigh]/n)
		at := func(share float64) float64 {
			return float64(p.heights[int(float64(share*float64(len(p.heights)-1)))])/100 - heightOffset
		}
		p10, p90 := at(0.1), at(0.9)
		f[HeightP10], f[HeightP50], f[HeightP90], f[HeightRange] = float32(p10), float32(at(0.5)), float32(p90), float32(p90-p10)
		f[HeightSkew] = 0
		if sd >= 0.01 {
			third := s[sH3]/n - float64(3*mean*s[sH2]/n) + float64(2*mean*mean*mean)
			f[HeightSkew] = float32(third / float64(sd*sd*sd))
		}
	}
	if n := s[nShape]; n > 0 {
		f[SurfaceSlope] = float32(s[sSurfaceSlope] / n)
		f[Roughness] = float32(math.Sqrt(s[sLaplace] / n))
	}
	f[Planarity] = float32(p.planarity())
	f[EdgeStrength] = float32(p.edge / float64(p.edgeN))
	f[InnerGradient] = float32(s[sLevel] / (float64(p.cells) * levels))
}

// planarity is the root mean square distance of the surface from its plane of least squares, along the vertical.
func (p *piece) planarity() float64 {
	s := &p.sums
	n := s[nSurface]
	if n < 3 {
		return math.NaN()
	}
	co := func(ab, a, b int) float64 { return s[ab]/n - float64(s[a]/n*(s[b]/n)) }
	xx, xy, yy := co(sXX, sX, sX), co(sXY, sX, sY), co(sYY, sY, sY)
	xz, yz, zz := co(sXZ, sX, sZ), co(sYZ, sY, sZ), co(sZZ, sZ, sZ)
	det := float64(xx*yy) - float64(xy*xy)
	if det < 1e-9 {
		return math.NaN()
	}
	a, b := (float64(xz*yy)-float64(yz*xy))/det, (float64(yz*xx)-float64(xz*xy))/det
	return math.Sqrt(max(zz-float64(a*xz)-float64(b*yz), 0))
}

// ground are the figures of the terrain.
func (p *piece) ground(f *Row) {
	s := &p.sums
	if s[nGround] > 0 {
		f[Elevation] = float32(s[sGround] / s[nGround])
	}
	n := s[nSlope]
	if n == 0 {
		return
	}
	mean := s[sSlope] / n
	f[SlopeMean], f[SlopeSD] = float32(mean), float32(math.Sqrt(max(s[sSlope2]/n-float64(mean*mean), 0)))
	f[Northness], f[Eastness] = float32(s[sNorth]/n), float32(s[sEast]/n)
	f[TRI], f[TPI], f[Curvature] = float32(s[sTRI]/n), float32(s[sTPI]/n), float32(s[sCurvature]/n)
}

// aspect is the mean direction of descent, each cell by the sine of its slope, and the sector of most cells.
func (p *piece) aspect() (mean float64, sector string) {
	total := int64(0)
	for _, n := range p.sectors {
		total += n
	}
	if total == 0 {
		return math.NaN(), ""
	}
	if 2*p.sectors[8] > total {
		return -1, terrain.Sectors[8]
	}
	most := 0
	for i, n := range p.sectors[:8] {
		if n > p.sectors[most] {
			most = i
		}
	}
	east, north := p.sums[sEast], p.sums[sNorth]
	if math.Abs(east)+math.Abs(north) < float64(1e-6*p.sums[nSlope]) {
		return -1, terrain.Sectors[most]
	}
	return direction(east, north), terrain.Sectors[most]
}

func (p *piece) photo(f *Row) {
	s := &p.sums
	n := s[nPhoto]
	if n == 0 {
		return
	}
	sd := func(sum, square int) float32 {
		mean := s[sum] / n
		return float32(math.Sqrt(max(s[square]/n-float64(mean*mean), 0)))
	}
	for at, sum := range map[int]int{RedMean: sRed, GreenMean: sGreen, BlueMean: sBlue, NIRMean: sNIR, BrightnessMean: sLight,
		NDVIMean: sNDVI, NDWIMean: sNDWI, ExcessGreen: sExcess} {
		f[at] = float32(s[sum] / n)
	}
	f[NIRSD], f[BrightnessSD], f[NDVISD] = sd(sNIR, sNIR2), sd(sLight, sLight2), sd(sNDVI, sNDVI2)
	f[NDVIFused] = f[NDVIMean]
}

func (p *piece) satellite(f *Row) {
	s := &p.sums
	if n := s[nSeason]; n > 0 {
		mean, c, v := s[sMean]/n, s[sCos]/n, s[sSin]/n
		amplitude := math.Sqrt(float64(c*c) + float64(v*v))
		f[HarmonicMean], f[HarmonicAmplitude], f[PhaseCos], f[PhaseSin] = float32(mean), float32(amplitude), 0, 0
		if amplitude >= 0.001 {
			f[PhaseCos], f[PhaseSin] = float32(c/amplitude), float32(v/amplitude)
		}
		if f[NDVIFused] = float32(mean); s[nPhoto] > 0 {
			f[NDVIFused] = float32((mean + s[sNDVI]/s[nPhoto]) / 2)
		}
	}
	if n := s[nRadar]; n > 0 {
		decibels := func(power float64) float64 { return float64(ln(max(power, 1e-9)) * (10 / math.Ln10)) }
		vv, vh := decibels(s[sVV]/n), decibels(s[sVH]/n)
		f[SARVV], f[SARVH], f[SARRatio] = float32(vv), float32(vh), float32(vv-vh)
	}
}

// texture are the figures of pairs of neighbours.
func (p *piece) texture(f *Row) {
	total := 2 * p.pairs.total() // each pair counts both ways
	if total == 0 {
		return
	}
	n := float64(total)
	var entropy, homogeneity, contrast, mean, square, product float64
	for _, c := range p.pairs {
		i, j, k := float64(c.key>>5), float64(c.key&31), float64(2*c.n)
		if c.key>>5 == c.key&31 {
			entropy += float64(k * log2(int64(2*c.n)))
		} else { // two cells of the symmetric matrix with half of the counts each
			entropy += float64(k * log2(int64(c.n)))
		}
		d := float64((i - j) * (i - j))
		homogeneity += k / (1 + d)
		contrast += float64(k * d)
		mean += float64(k * (i + j) / 2)
		square += float64(k * (float64(i*i) + float64(j*j)) / 2)
		product += float64(k * i * j)
	}
	mean /= n
	variance := square/n - float64(mean*mean)
	f[Entropy] = float32(max(log2(total)-entropy/n, 0))
	f[Homogeneity], f[Contrast], f[Correlation] = float32(homogeneity/n), float32(contrast/n), 1
	if variance >= 1e-9 {
		f[Correlation] = float32((product/n - float64(mean*mean)) / variance)
	}
}
