package segment

import (
	"math"

	"mappe/shared/geo/raster"
)

// levels are the steps of the fused gradient.
const levels = 4096

// groundBelow is the height in metres below which a cell is ground.
const groundBelow = 0.3

// The weights of the layers in the fused gradient, and the least spread that each is scaled by: what varies less is noise.
const (
	ofHeight = iota
	ofTop
	ofGreen
	ofLight
	gradients
)

var (
	weights = [gradients]float32{ofHeight: 0.4, ofTop: 0.2, ofGreen: 0.25, ofLight: 0.15}
	floors  = [gradients]float32{ofHeight: 0.1, ofTop: 0.1, ofGreen: 0.01, ofLight: 1}
	// Fused names the layers of the gradient in answers.
	Fused = [gradients]string{"height", "surface", "ndvi", "brightness"}
)

// sobel is the length of the gradient of a layer by Sobel, a cell: that of a plane that rises by 1 a cell is 1. It is NaN
// at the border and beside a cell without a value; rim is what a cell with a value beside one without gets instead.
func sobel(z []float32, cols, rows int, rim float32) []float32 {
	out := make([]float32, len(z))
	nan := float32(math.NaN())
	for i := range cols {
		out[i], out[len(out)-1-i] = nan, nan
	}
	for row := 1; row < rows-1; row++ {
		north, mid, south := z[(row-1)*cols:][:cols], z[row*cols:][:cols], z[(row+1)*cols:][:cols]
		to := out[row*cols:][:cols]
		to[0], to[cols-1] = nan, nan
		for i := 1; i < cols-1; i++ {
			// Sums and a doubling: nothing that a processor could fuse changes a bit of them.
			gx := (north[i+1] - north[i-1]) + (south[i+1] - south[i-1]) + 2*(mid[i+1]-mid[i-1])
			gy := (south[i-1] - north[i-1]) + (south[i+1] - north[i+1]) + 2*(south[i]-north[i])
			g := float32(math.Sqrt(float64(float64(gx)*float64(gx))+float64(float64(gy)*float64(gy)))) / 8
			if g != g && mid[i] == mid[i] {
				g = rim
			}
			to[i] = g
		}
	}
	return out
}

// spread is the 98th percentile of values, within 0.8 %, at least floor.
func spread(g []float32, floor float32) float32 {
	var counts [1 << 16]int32
	n := int32(0)
	for _, v := range g {
		if v == v && v < math.MaxFloat32 {
			counts[math.Float32bits(v)>>16]++
			n++
		}
	}
	rest := n / 50
	for i := len(counts) - 1; i > 0; i-- {
		if rest -= counts[i]; rest < 0 {
			return max(math.Float32frombits(uint32(i)<<16), floor)
		}
	}
	return floor
}

// relief is what is seen of a window's cells: of each the gradient and where it may not be merged.
type relief struct {
	cols, rows int
	level      []uint16  // fused gradient, 0 to levels-1
	top        []float32 // gradient of the surface in metres a cell; NaN beside unknown
	height     []float32 // of the surface above the terrain; NaN: unknown
	light      []float32 // brightness of the orthophoto; nil without one
	part       []int32   // 2·footprint + 1 where elevated; -1: nothing is known of the cell
	used       [gradients]bool
	spreads    [gradients]float32
}

// reliefOf fuses the gradients of a window. A hole in the heights has a rim as steep as the steepest: water that throws
// nothing back is an object.
func reliefOf(l *Layers, box raster.Box) *relief {
	cols, rows := int(box.East-box.West), int(box.North-box.South)
	r := &relief{cols: cols, rows: rows, height: heightOf(l)}
	var layers [gradients][]float32
	inf := float32(math.Inf(1))
	if r.height != nil {
		layers[ofHeight] = sobel(r.height, cols, rows, inf)
		r.top = sobel(l.DSM.Z, cols, rows, float32(math.NaN()))
		layers[ofTop] = r.top
	}
	if l.Red != nil && l.NIR != nil {
		layers[ofGreen] = sobel(greenness(l), cols, rows, float32(math.NaN()))
		r.light = brightness(l)
		layers[ofLight] = sobel(r.light, cols, rows, float32(math.NaN()))
	}
	r.fuse(layers)
	r.divide(l, box)
	return r
}

func (r *relief) fuse(layers [gradients][]float32) {
	n := r.cols * r.rows
	r.level = make([]uint16, n)
	var by [gradients]float32
	for k, g := range layers {
		if g != nil {
			r.used[k], r.spreads[k] = true, spread(g, floors[k])
			by[k] = 1 / r.spreads[k]
		}
	}
	sum, weight := make([]float32, r.cols), make([]float32, r.cols)
	for from := 0; from < n; from += r.cols {
		clear(sum)
		clear(weight)
		for k, g := range layers {
			if g == nil {
				continue
			}
			w, scale := weights[k], by[k]
			for i, v := range g[from : from+r.cols] {
				if v == v {
					steep := float32(v * scale)
					if steep > 1 {
						steep = 1
					}
					sum[i] += float32(w * steep)
					weight[i] += w
				}
			}
		}
		for i, w := range weight {
			if w > 0 {
				r.level[from+i] = uint16(min(float32(sum[i]/w*levels), levels-1))
			}
		}
	}
}

// divide says which cells may never be in one object, and where nothing is known.
func (r *relief) divide(l *Layers, box raster.Box) {
	r.part = make([]int32, r.cols*r.rows)
	known := func(g *raster.Grid, i int) bool { return g != nil && g.Z[i] == g.Z[i] }
	for i := range r.part {
		switch {
		case r.height != nil && r.height[i] >= groundBelow:
			r.part[i] = 1
		case !known(l.DTM, i) && !known(l.DSM, i) && !known(l.Red, i):
			r.part[i] = -1
		}
	}
	g := raster.Grid{West: box.West, North: box.North, Step: 1, Cols: r.cols, Rows: r.rows}
	for k, b := range l.Buildings {
		if !raster.BoxOf([]raster.Polygon{b}).Overlaps(box) {
			continue
		}
		inside(&g, b, func(i int) {
			if r.part[i] >= 0 {
				r.part[i] = r.part[i]&1 | int32(k+1)<<1
			}
		})
	}
}

// inside calls f with the cells whose centres lie in a polygon.
func inside(g *raster.Grid, p raster.Polygon, f func(i int)) {
	b := raster.BoxOf([]raster.Polygon{p}).Aligned(1)
	b = raster.Box{West: max(b.West, g.West), South: max(b.South, g.South()), East: min(b.East, g.East()), North: min(b.North, g.North)}
	if b.West >= b.East || b.South >= b.North {
		return
	}
	part := raster.Grid{West: b.West, North: b.North, Step: 1, Cols: int(b.East - b.West), Rows: int(b.North - b.South)}
	m := raster.MaskOf(&part, []raster.Polygon{p})
	col0, row0 := int(b.West-g.West), int(g.North-b.North)
	for row := range part.Rows {
		m.Each(row, func(from, to int) {
			for col := from; col < to; col++ {
				f((row0+row)*g.Cols + col0 + col)
			}
		})
	}
}

// heightOf is the height of the surface above the terrain; nil where one of the models is not at hand.
func heightOf(l *Layers) []float32 {
	if l.DTM == nil || l.DSM == nil {
		return nil
	}
	out := make([]float32, len(l.DSM.Z))
	for i, z := range l.DSM.Z {
		out[i] = z - l.DTM.Z[i]
	}
	return out
}

// greenness is the vegetation index of an orthophoto.
func greenness(l *Layers) []float32 {
	out := make([]float32, len(l.Red.Z))
	for i, r := range l.Red.Z {
		out[i] = ratio(l.NIR.Z[i], r)
	}
	return out
}

// ratio is (a - b) / (a + b); 0 where both are.
func ratio(a, b float32) float32 {
	if a+b == 0 {
		return 0
	}
	return (a - b) / (a + b)
}

// brightness is the mean of red, green and blue.
func brightness(l *Layers) []float32 {
	out := make([]float32, len(l.Red.Z))
	for i, r := range l.Red.Z {
		out[i] = (r + l.Green.Z[i] + l.Blue.Z[i]) / 3
	}
	return out
}
