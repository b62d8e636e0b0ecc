package segment

import (
	"math"
	"slices"
	"testing"

	"mappe/shared/geo/raster"
)

// scatter is a number of 0 to 1 for a place and a layer.
func scatter(x, y float64, layer uint64) float64 {
	v := (uint64(x)*2654435761 ^ uint64(y)*40503*2246822519 ^ layer*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return float64(v>>40) / (1 << 24)
}

// layered are layers of all kinds over a window: slopes and waves with noise, each known everywhere.
func layered(w raster.Box) *Layers {
	fine := func(layer uint64, of func(x, y, noise float64) float64) *raster.Grid {
		g := raster.New(w.West, w.North, 1, span, span)
		for i := range g.Z {
			x, y := g.Centre(i%span, i/span)
			g.Z[i] = float32(of(x-w.West, y-w.South, scatter(x, y, layer)))
		}
		return g
	}
	wide := w.Aligned(10)
	coarse := func(layer uint64, of func(noise float64) float64) *raster.Grid {
		g := raster.New(wide.West, wide.North, 10, int((wide.East-wide.West)/10), int((wide.North-wide.South)/10))
		for i := range g.Z {
			x, y := g.Centre(i%g.Cols, i/g.Cols)
			g.Z[i] = float32(of(scatter(x, y, layer)))
		}
		return g
	}
	terrain := func(x, y, n float64) float64 { return 600 + 0.3*x - 0.2*y + 4*math.Sin(x/9) + 0.4*n }
	colour := func(layer uint64, least float64) *raster.Grid {
		return fine(layer, func(x, _, n float64) float64 { return least + 30*math.Sin(x/5) + 40*n })
	}
	return &Layers{
		DTM: fine(1, terrain), DSM: fine(2, func(x, y, n float64) float64 { return terrain(x, y, 0.5) + 2 + 6*n + math.Cos(y/4) }),
		EarlierDTM: fine(3, func(x, y, n float64) float64 { return terrain(x, y, n) - 0.3 }),
		EarlierDSM: fine(4, func(x, y, n float64) float64 { return terrain(x, y, 0.5) + 4 + 2*n }),
		Red:        colour(5, 60), Green: colour(6, 80), Blue: colour(7, 50), NIR: colour(8, 120),
		Mean: coarse(9, func(n float64) float64 { return 0.3 + 0.4*n }), Cos: coarse(10, func(n float64) float64 { return n - 0.7 }),
		Sin: coarse(11, func(n float64) float64 { return 0.4 * n }),
		VV:  coarse(12, func(n float64) float64 { return -15 + 9*n }), VH: coarse(13, func(n float64) float64 { return -22 + 9*n }),
	}
}

// place is a cell of a window.
type place struct{ col, row int }

// cells are those of an object that were drawn by hand, with what a plain formula needs of them.
type cells struct {
	list []place
	in   map[place]bool
}

// handmade is an L with a notch and a hole.
func handmade() *cells {
	c := &cells{in: map[place]bool{}}
	for row := range 24 {
		for col := range 31 {
			if (row < 9 || col < 11+row/4) && !(row >= 3 && row < 6 && col >= 4 && col < 8) && !(row == 8 && col > 25) {
				p := place{Halo + 200 + col, Halo + 300 + row}
				c.list, c.in[p] = append(c.list, p), true
			}
		}
	}
	return c
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// central is the mean of the powers of the distances from the mean.
func central(values []float64, power float64) float64 {
	m, out := mean(values), make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Pow(v-m, power)
	}
	return mean(out)
}

// of are the values of a layer of the window's cells, fine or coarse.
func (c *cells) of(g *raster.Grid) []float64 {
	out := make([]float64, len(c.list))
	for i, p := range c.list {
		out[i] = float64(at(g, p.col, p.row))
	}
	return out
}

// at reads a grid at the middle of a cell of the window of 1 m that begins at its own corner, or within it.
func at(g *raster.Grid, col, row int) float32 {
	w := Window(4500, 2700)
	x, y := w.West+float64(col)+0.5, w.North-float64(row)-0.5
	return g.Z[int((g.North-y)/g.Step)*g.Cols+int((x-g.West)/g.Step)]
}

// by is a figure of each cell.
func (c *cells) by(of func(p place) float64) []float64 {
	out := make([]float64, len(c.list))
	for i, p := range c.list {
		out[i] = of(p)
	}
	return out
}

// pairwise makes one of two values of each cell.
func pairwise(a, b []float64, of func(a, b float64) float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = of(a[i], b[i])
	}
	return out
}

// outlined are the figures of the outline: widths of the hull are looked at in 36,000 directions.
func (c *cells) outlined() map[int]float64 {
	n, sides := float64(len(c.list)), 0.0
	var corners [][2]float64
	for _, p := range c.list {
		for _, d := range [4]place{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if !c.in[place{p.col + d.col, p.row + d.row}] {
				sides++
			}
		}
		for _, d := range [4]place{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
			corners = append(corners, [2]float64{float64(p.col + d.col), float64(p.row + d.row)})
		}
	}
	const turns = 18_000 // of half a turn
	width := make([]float64, turns)
	support := make([]float64, 2*turns)
	for k := range support {
		sin, cos := math.Sincos(math.Pi * float64(k) / turns)
		support[k] = math.Inf(-1)
		for _, p := range corners {
			support[k] = max(support[k], p[0]*cos+p[1]*sin)
		}
	}
	around, area, rectangle := 0.0, 0.0, math.Inf(1)
	for k := range width {
		width[k] = support[k] + support[k+turns]
		around += width[k] * math.Pi / turns
	}
	for k, h := range support { // of the hull: half of the integral of h² - h'²
		slope := (support[(k+1)%len(support)] - h) * turns / math.Pi
		area += (h*(h+support[(k+1)%len(support)])/2 - slope*slope) / 2 * math.Pi / turns
		if k < turns/2 {
			rectangle = min(rectangle, width[k]*width[k+turns/2])
		}
	}
	x, y := c.by(func(p place) float64 { return float64(p.col) }), c.by(func(p place) float64 { return float64(p.row) })
	mx, my := mean(x), mean(y)
	xy := mean(pairwise(x, y, func(a, b float64) float64 { return (a - mx) * (b - my) }))
	xx, yy := central(x, 2)+1.0/12, central(y, 2)+1.0/12
	trace, det := xx+yy, xx*yy-xy*xy
	major, minor := trace/2+math.Sqrt(trace*trace/4-det), trace/2-math.Sqrt(trace*trace/4-det)
	perimeter := sides * math.Pi / 4
	return map[int]float64{Area: n, Perimeter: perimeter, Compactness: 4 * math.Pi * n / (perimeter * perimeter),
		Elongation: 1 - math.Sqrt(minor/major), MajorAxis: 4 * math.Sqrt(major), Solidity: n / area, RectangleFill: n / rectangle,
		Convexity: around / perimeter, Extent: n / ((slices.Max(x) - slices.Min(x) + 1) * (slices.Max(y) - slices.Min(y) + 1))}
}

// horn is the rise of a model to the east and north by Horn 1981.
func horn(g *raster.Grid, p place) (east, north float64) {
	z := func(dc, dr int) float64 { return float64(at(g, p.col+dc, p.row+dr)) }
	east = (z(1, -1) + 2*z(1, 0) + z(1, 1) - z(-1, -1) - 2*z(-1, 0) - z(-1, 1)) / 8
	north = (z(-1, -1) + 2*z(0, -1) + z(1, -1) - z(-1, 1) - 2*z(0, 1) - z(1, 1)) / 8
	return east, north
}

func steepness(g *raster.Grid, p place) float64 {
	return math.Atan(math.Hypot(horn(g, p))) * 180 / math.Pi
}

// laplace is the sum of the four neighbours less four times the cell.
func laplace(g *raster.Grid, p place) float64 {
	z := func(dc, dr int) float64 { return float64(at(g, p.col+dc, p.row+dr)) }
	return z(1, 0) + z(-1, 0) + z(0, 1) + z(0, -1) - 4*z(0, 0)
}

// risen are the figures of the heights.
func (c *cells) risen(l *Layers) map[int]float64 {
	h := pairwise(c.of(l.DSM), c.of(l.DTM), func(top, ground float64) float64 { return top - ground })
	ranked := slices.Sorted(slices.Values(h))
	rank := func(share float64) float64 { return ranked[int(share*float64(len(ranked)-1))] }
	sd := math.Sqrt(central(h, 2))
	high := mean(pairwise(h, h, func(v, _ float64) float64 { return map[bool]float64{true: 1}[v > 2] }))
	rough := c.by(func(p place) float64 { return math.Pow(laplace(l.DSM, p)/4, 2) })
	var border []float64
	for _, p := range c.list {
		for _, d := range [4]place{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if q := (place{p.col + d.col, p.row + d.row}); !c.in[q] {
				border = append(border, (math.Hypot(horn(l.DSM, p))+math.Hypot(horn(l.DSM, q)))/2)
			}
		}
	}
	return map[int]float64{HeightMean: mean(h), HeightMax: slices.Max(h), HeightP10: rank(0.1), HeightP50: rank(0.5), HeightP90: rank(0.9),
		HeightRange: rank(0.9) - rank(0.1), HeightSD: sd, HeightSkew: central(h, 3) / (sd * sd * sd), HighShare: high,
		SurfaceSlope: mean(c.by(func(p place) float64 { return steepness(l.DSM, p) })), Roughness: math.Sqrt(mean(rough)),
		Planarity: c.offPlane(l.DSM), EdgeStrength: mean(border)}
}

// offPlane is the root mean square distance from the plane of least squares, which is found by going downhill.
func (c *cells) offPlane(g *raster.Grid) float64 {
	x, y, z := c.by(func(p place) float64 { return float64(p.col) }), c.by(func(p place) float64 { return float64(p.row) }), c.of(g)
	mx, my, mz := mean(x), mean(y), mean(z)
	var a, b float64
	for range 4000 {
		var da, db float64
		for i := range z {
			off := z[i] - mz - a*(x[i]-mx) - b*(y[i]-my)
			da, db = da+off*(x[i]-mx), db+off*(y[i]-my)
		}
		a, b = a+da/float64(len(z))/200, b+db/float64(len(z))/200
	}
	rest := make([]float64, len(z))
	for i := range z {
		rest[i] = math.Pow(z[i]-mz-a*(x[i]-mx)-b*(y[i]-my), 2)
	}
	return math.Sqrt(mean(rest))
}

// grounded are the figures of the terrain, and of what has changed.
func (c *cells) grounded(l *Layers) map[int]float64 {
	slopes := c.by(func(p place) float64 { return steepness(l.DTM, p) })
	aspect := func(p place) float64 { // of descent, from north clockwise
		east, north := horn(l.DTM, p)
		return math.Atan2(-east, -north)
	}
	eight := func(p place, of func(d float64) float64) (sum float64) {
		for dc := -1; dc <= 1; dc++ {
			for dr := -1; dr <= 1; dr++ {
				sum += of(float64(at(l.DTM, p.col+dc, p.row+dr)) - float64(at(l.DTM, p.col, p.row)))
			}
		}
		return sum
	}
	sin := func(p place) float64 { return math.Sin(steepness(l.DTM, p) * math.Pi / 180) }
	ground := pairwise(c.of(l.DTM), c.of(l.EarlierDTM), func(a, b float64) float64 { return a - b })
	top := pairwise(c.of(l.DSM), c.of(l.EarlierDSM), func(a, b float64) float64 { return a - b })
	return map[int]float64{Elevation: mean(c.of(l.DTM)), SlopeMean: mean(slopes), SlopeSD: math.Sqrt(central(slopes, 2)),
		Northness: mean(c.by(func(p place) float64 { return math.Cos(aspect(p)) * sin(p) })),
		Eastness:  mean(c.by(func(p place) float64 { return math.Sin(aspect(p)) * sin(p) })),
		TRI:       mean(c.by(func(p place) float64 { return math.Sqrt(eight(p, func(d float64) float64 { return d * d })) })),
		TPI:       mean(c.by(func(p place) float64 { return -eight(p, func(d float64) float64 { return d }) / 8 })),
		Curvature: mean(c.by(func(p place) float64 { return -laplace(l.DTM, p) })), TerrainChange: mean(ground),
		HeightChange: mean(top) - mean(ground),
		Stability:    mean(pairwise(top, top, func(d, _ float64) float64 { return map[bool]float64{true: 1}[math.Abs(d) < 0.5] }))}
}

// seen are the figures of the orthophoto and of satellites.
func (c *cells) seen(l *Layers) map[int]float64 {
	r, g, b, n := c.of(l.Red), c.of(l.Green), c.of(l.Blue), c.of(l.NIR)
	index := func(a, b float64) float64 { return (a - b) / (a + b) }
	v, light := pairwise(n, r, index), make([]float64, len(r))
	excess := make([]float64, len(r))
	for i := range light {
		light[i] = (r[i] + g[i] + b[i]) / 3
		excess[i] = (2*g[i] - r[i] - b[i]) / (r[i] + g[i] + b[i])
	}
	year, cos, sin := mean(c.of(l.Mean)), mean(c.of(l.Cos)), mean(c.of(l.Sin))
	decibels := func(g *raster.Grid) float64 {
		power := c.of(g)
		for i, v := range power {
			power[i] = math.Pow(10, v/10)
		}
		return 10 * math.Log10(mean(power))
	}
	out := map[int]float64{RedMean: mean(r), GreenMean: mean(g), BlueMean: mean(b), NIRMean: mean(n), NIRSD: math.Sqrt(central(n, 2)),
		BrightnessMean: mean(light), BrightnessSD: math.Sqrt(central(light, 2)), NDVIMean: mean(v), NDVISD: math.Sqrt(central(v, 2)),
		NDWIMean: mean(pairwise(g, n, index)), ExcessGreen: mean(excess), NDVIFused: (mean(v) + year) / 2, HarmonicMean: year,
		HarmonicAmplitude: math.Hypot(cos, sin), PhaseCos: cos / math.Hypot(cos, sin), PhaseSin: sin / math.Hypot(cos, sin),
		SARVV: decibels(l.VV), SARVH: decibels(l.VH), SARRatio: decibels(l.VV) - decibels(l.VH)}
	c.texture(l, out)
	return out
}

// texture are the figures of the matrix of grey levels, drawn whole.
func (c *cells) texture(l *Layers, out map[int]float64) {
	level := func(p place) int {
		return int((at(l.Red, p.col, p.row) + at(l.Green, p.col, p.row) + at(l.Blue, p.col, p.row)) / 3 / 8)
	}
	var counts [32][32]float64
	total := 0.0
	for _, p := range c.list {
		for dc := -1; dc <= 1; dc++ {
			for dr := -1; dr <= 1; dr++ {
				if q := (place{p.col + dc, p.row + dr}); q != p && c.in[q] {
					counts[level(p)][level(q)]++
					total++
				}
			}
		}
	}
	each := func(of func(i, j, p float64)) {
		for i := range counts {
			for j, n := range counts[i] {
				if n > 0 {
					of(float64(i), float64(j), n/total)
				}
			}
		}
	}
	var mu, variance float64
	each(func(i, _, p float64) { mu += i * p })
	each(func(i, _, p float64) { variance += (i - mu) * (i - mu) * p })
	each(func(i, j, p float64) {
		out[Entropy] -= p * math.Log2(p)
		out[Homogeneity] += p / (1 + (i-j)*(i-j))
		out[Contrast] += p * (i - j) * (i - j)
		out[Correlation] += p * (i - mu) * (j - mu) / variance
	})
}

// The 57 figures of an object that was drawn by hand are those of the formulae in Features, computed plainly cell by cell.
func TestFiguresByTheirFormulae(t *testing.T) {
	w := Window(4500, 2700)
	l, c := layered(w), handmade()
	labels := make([]int32, span*span)
	for _, p := range c.list {
		labels[p.row*span+p.col] = 1
	}
	list, err := Measured(l, 4500, 2700, labels)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d objects, %v", len(list), err)
	}
	level, _ := Gradient(l, w)
	want := map[int]float64{InnerGradient: mean(c.by(func(p place) float64 { return float64(level[p.row*span+p.col]) })) / Levels}
	for _, of := range []map[int]float64{c.outlined(), c.risen(l), c.grounded(l), c.seen(l)} {
		for figure, v := range of {
			want[figure] = v
		}
	}
	if len(want) != FeatureCount {
		t.Errorf("%d figures have a formula", len(want))
	}
	for figure, v := range want {
		got, off := float64(list[0].Row[figure]), 2e-4*max(math.Abs(v), 0.05)
		switch figure {
		case HeightP10, HeightP50, HeightP90, HeightRange:
			off = 0.011 // they are kept in centimetres
		case Planarity:
			off = 1e-3
		}
		if !(math.Abs(got-v) <= off) {
			t.Errorf("%s is %.6g, by its formula %.6g", Features[figure].Name, got, v)
		}
	}
	if o := &list[0]; o.Footprint == o.Footprint || o.HeightKnown != 1 {
		t.Errorf("%g in footprints, of which none are known; heights of %g", o.Footprint, o.HeightKnown)
	}
	l.BuildingsKnown = true
	if list, err = Measured(l, 4500, 2700, labels); err != nil || list[0].Footprint != 0 {
		t.Errorf("%g in footprints, of which there are none: %v", list[0].Footprint, err)
	}
}
