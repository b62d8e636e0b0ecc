package relief

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/pmt"
	"mappe/builders/source/terrain"
)

// drawing is the making of an archive.
type drawing struct {
	finer  terrain.Model // than the overviews of the scans
	scans  *scans        // nil: none
	others terrain.Model
	box    [4]float64
	top    uint8
	level  float32       // the mean height
	room   chan struct{} // for goroutines beside the first

	mu    sync.Mutex
	tiles []pmt.Tile
}

// heights are the pixels of a tile, the rows from north to south; NaN where nothing is known.
type heights [side * side]float32

// cover are the tiles of a zoom that the heights touch.
func (d *drawing) cover(zoom uint8) (list []pmt.ZXY) {
	x0, y0 := tileAt(d.box[0], d.box[3], zoom)
	x1, y1 := tileAt(d.box[2], d.box[1], zoom)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			list = append(list, pmt.ZXY{Z: zoom, X: x, Y: y})
		}
	}
	return list
}

// touches says whether a tile has anything of the heights.
func (d *drawing) touches(t pmt.ZXY) bool {
	x0, y0 := tileAt(d.box[0], d.box[3], t.Z)
	x1, y1 := tileAt(d.box[2], d.box[1], t.Z)
	return t.X >= x0 && t.X <= x1 && t.Y >= y0 && t.Y <= y1
}

// tileAt is the tile of a place in the web's Mercator projection.
func tileAt(lon, lat float64, zoom uint8) (x, y uint32) {
	n := math.Exp2(float64(zoom))
	phi := lat * math.Pi / 180
	at := func(v float64) uint32 { return uint32(min(max(v*n, 0), n-1)) }
	return at((lon + 180) / 360), at((1 - math.Asinh(math.Tan(phi))/math.Pi) / 2)
}

// place is the middle of a pixel.
func place(t pmt.ZXY, col, row int) (lon, lat float64) {
	n := math.Exp2(float64(t.Z)) * side
	lon = (float64(t.X)*side+float64(col)+0.5)/n*360 - 180
	lat = math.Atan(math.Sinh(math.Pi*(1-2*(float64(t.Y)*side+float64(row)+0.5)/n))) * 180 / math.Pi
	return lon, lat
}

// draw draws a tile and all below it, and gives its heights; nil where nothing is known.
func (d *drawing) draw(ctx context.Context, t pmt.ZXY) (h *heights, err error) {
	if err := ctx.Err(); err != nil || !d.touches(t) {
		return nil, err
	}
	if t.Z == d.top {
		if h, err = d.sample(ctx, t); err != nil {
			return nil, err
		}
	} else if h, err = d.below(ctx, t); err != nil {
		return nil, err
	}
	if h == nil {
		return nil, nil
	}
	body, err := encode(h, d.level)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tiles = append(d.tiles, pmt.Tile{ID: t.ID(), Content: body})
	return h, nil
}

// below draws the four tiles below one and gives their means.
func (d *drawing) below(ctx context.Context, t pmt.ZXY) (*heights, error) {
	var of [4]*heights
	g, ctx := errgroup.WithContext(ctx)
	for i := range of {
		work := func() (err error) {
			of[i], err = d.draw(ctx, pmt.ZXY{Z: t.Z + 1, X: t.X<<1 | uint32(i&1), Y: t.Y<<1 | uint32(i>>1)})
			return err
		}
		select {
		case d.room <- struct{}{}:
			g.Go(func() error { defer func() { <-d.room }(); return work() })
		default:
			if err := work(); err != nil {
				_ = g.Wait() // the first error counts
				return nil, err
			}
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var h *heights
	for i, child := range of {
		if child == nil {
			continue
		}
		if h == nil {
			h = &heights{}
			for at := range h {
				h[at] = float32(math.NaN())
			}
		}
		for row := range side / 2 {
			for col := range side / 2 {
				h[(row+i>>1*side/2)*side+col+i&1*side/2] = child.mean(2*col, 2*row)
			}
		}
	}
	return h, nil
}

// mean is that of the four pixels from one on, as far as they are known.
func (h *heights) mean(col, row int) float32 {
	sum, n := float32(0), float32(0)
	for _, at := range [4]int{row*side + col, row*side + col + 1, (row+1)*side + col, (row+1)*side + col + 1} {
		if v := h[at]; v == v {
			sum, n = sum+v, n+1
		}
	}
	return sum / n // NaN of none
}

// sample asks for the height of each pixel.
func (d *drawing) sample(ctx context.Context, t pmt.ZXY) (*heights, error) {
	around := d.scans.near(ctx, t)
	if around == nil && len(d.finer)+len(d.others) == 0 {
		return nil, nil
	}
	h, known := &heights{}, false
	for row := range side {
		for col := range side {
			v, ok := d.height(around, t, col, row)
			if !ok {
				v = math.NaN()
			}
			h[row*side+col] = float32(v)
			known = known || ok
		}
	}
	if around != nil && around.err != nil {
		return nil, around.err
	}
	if !known {
		return nil, nil
	}
	return h, nil
}

// height is that of a pixel: of a grid that is finer than the overviews of the scans, else of the newest scan, else of another grid.
func (d *drawing) height(around *near, t pmt.ZXY, col, row int) (float64, bool) {
	lon, lat := place(t, col, row)
	if h, ok := d.finer.At(lon, lat); ok {
		return h, true
	}
	if h, ok := around.at(lon, lat); ok {
		return h, true
	}
	return d.others.At(lon, lat)
}

// stepsM are the steps of a metre in which heights are kept.
const stepsM = 8

// encode is a tile as PNG.
func encode(h *heights, level float32) ([]byte, error) {
	full := *h
	full.fill(level)
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for at, v := range full {
		n := uint32(math.Round((float64(v)+32768)*stepsM)) * (256 / stepsM)
		img.SetRGBA(at%side, at/side, color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255})
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img)
	return b.Bytes(), err
}

// fill gives pixels that are not known the mean of those around that are, from these outwards and a little nearer to level
// with each step, so that the shade ends softly.
func (h *heights) fill(level float32) {
	const nearer, steps = 0.08, 60 // what is left of a difference then is 1 %
	var edge []int32
	for at, v := range h {
		if v == v {
			edge = append(edge, int32(at))
		}
	}
	for step := 0; len(edge) > 0 && step < steps; step++ {
		var next []int32
		for _, at := range edge {
			h.around(at, func(to int32, v float32) {
				if v != v {
					next = append(next, to)
				}
			})
		}
		slices.Sort(next)
		next = slices.Compact(next)
		filled := make([]float32, len(next))
		for i, at := range next {
			sum, n := float32(0), float32(0)
			h.around(at, func(_ int32, v float32) {
				if v == v {
					sum, n = sum+v, n+1
				}
			})
			filled[i] = sum/n*(1-nearer) + level*nearer
		}
		for i, at := range next {
			h[at] = filled[i]
		}
		edge = next
	}
	for at, v := range h {
		if v != v {
			h[at] = level
		}
	}
}

// around gives the up to eight pixels around one.
func (h *heights) around(at int32, each func(to int32, v float32)) {
	col, row := at%side, at/side
	for r := max(row-1, 0); r <= min(row+1, side-1); r++ {
		for c := max(col-1, 0); c <= min(col+1, side-1); c++ {
			if to := r*side + c; to != at {
				each(to, h[to])
			}
		}
	}
}
