package rasters

import (
	"context"
	"math"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	source "mappe/builders/source/rasters"
	"mappe/shared/geo/raster"
)

// photoOf makes the file of a tile of orthophotos: the whole square. A cell has a value where the colours or the near
// infrared of a file have one; 0 is no value, and black that is known is 1.
func photoOf(ctx context.Context, l *rasters.Layer, t *rasters.Tile, over []*source.File) ([]byte, error) {
	out, err := raster.SamplesOver[uint8](t.Box(), l.Step, len(l.Bands))
	if err != nil {
		return nil, err
	}
	for _, f := range over {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := develop(out, f, l.Resampling == rasters.BilinearMean); err != nil {
			return nil, &damaged{f, err}
		}
	}
	return written(l, t, out)
}

// picture is the part of a file around a tile.
type picture struct {
	raster.Samples[uint8]
	bands    []int // of the picture, for each band that is set
	to       int   // first band that is set
	col, row int   // of its north-western pixel in the file
}

// develop lays a file over a tile; means is whether a cell is the mean of four places.
func develop(out *raster.Samples[uint8], f *source.File, means bool) error {
	in, _, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close() // read only
	s := sheet{f: f, in: in, im: &f.Head.Images[0]}
	g := out.Grid()
	k := s.knotsOf(g, 0, g.Rows)
	w, ok := s.windowOf(&k)
	if !ok {
		return nil
	}
	p, err := s.picture(w)
	if err != nil || p == nil {
		return err
	}
	switch f.Part {
	case source.RGB:
		p.bands = []int{0, 1, 2}
	case source.RGBI:
		p.bands = []int{0, 1, 2, 3}
	default: // near infrared
		p.bands, p.to = []int{0}, 3
	}
	p.lay(out, &k, means)
	return nil
}

// picture reads a window; nil where nothing in it is known. What is not known is 0 in all bands then.
func (s *sheet) picture(w cog.Window) (*picture, error) {
	pix, err := cog.ReadSamples[uint8](s.f.Head, s.in, s.im, w)
	if err != nil {
		return nil, err
	}
	if err := s.f.Head.Blank(s.in, pix, w); err != nil {
		return nil, err
	}
	for _, v := range pix.Pix {
		if v != 0 {
			return &picture{Samples: *pix, col: w.Col, row: w.Row}, nil
		}
	}
	return nil, nil
}

// lay sets the cells of a tile that the picture has.
func (p *picture) lay(out *raster.Samples[uint8], k *knots, means bool) {
	offsets := [][2]float64{{0.5, 0.5}}
	if means {
		offsets = [][2]float64{{0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}}
	}
	n := len(p.bands)
	sums := make([]int32, out.Cols*n)
	counts := make([]uint8, out.Cols)
	for row := range out.Rows {
		clear(sums)
		clear(counts)
		for _, o := range offsets {
			p.sampleRow(sums, counts, k, row, o)
		}
		line := out.Row(row)
		for col, c := range counts {
			if c == 0 {
				continue
			}
			cell, sum := line[col*out.Bands+p.to:], sums[col*n:]
			for b := range n {
				cell[b] = uint8(max((sum[b]+int32(c)*one/2)/(int32(c)*one), 1))
			}
		}
	}
}

// one is the weight of a sample: weights of the four pixels around a place are multiples of 1/256 in both directions.
const one = 1 << 16

// sampleRow adds the picture's values at a place in each cell of a row.
func (p *picture) sampleRow(sums []int32, counts []uint8, k *knots, row int, at [2]float64) {
	n, stride := len(p.bands), p.Cols*p.Bands
	for from := 0; from < len(counts); from += knot {
		end := min(from+knot, len(counts))
		// Between two knots the places lie on a straight line.
		u0, v0 := (at[0]-0.5)/knot, (float64(row%knot)+at[1]-0.5)/knot
		x, y := k.between(from/knot, row/knot, u0, v0)
		x1, y1 := k.between(from/knot, row/knot, u0+1, v0)
		dx, dy := (x1-x)/knot, (y1-y)/knot
		x, y = x-float64(p.col)-0.5, y-float64(p.row)-0.5
		for col := from; col < end; col++ {
			px, py := x+float64(float64(col-from)*dx), y+float64(float64(col-from)*dy)
			c, r := int(math.Floor(px)), int(math.Floor(py))
			if c < -1 || r < -1 || c >= p.Cols || r >= p.Rows {
				continue
			}
			u, v := int32((px-float64(c))*256), int32((py-float64(r))*256)
			if c < 0 || r < 0 || c+1 >= p.Cols || r+1 >= p.Rows {
				p.nearest(sums, counts, col, px, py)
				continue
			}
			a := p.Pix[r*stride+c*p.Bands:]
			b := a[p.Bands:]
			d := a[stride:]
			e := d[p.Bands:]
			if !known(a, n) || !known(b, n) || !known(d, n) || !known(e, n) {
				p.nearest(sums, counts, col, px, py)
				continue
			}
			w00, w10, w01, w11 := (256-u)*(256-v), u*(256-v), (256-u)*v, u*v
			sum := sums[col*n:][:n]
			for i := range sum {
				sum[i] += int32(a[i])*w00 + int32(b[i])*w10 + int32(d[i])*w01 + int32(e[i])*w11
			}
			counts[col]++
		}
	}
}

// known says whether a pixel has a value.
func known(pixel []uint8, n int) bool {
	for _, v := range pixel[:n] {
		if v != 0 {
			return true
		}
	}
	return false
}

// nearest adds the pixel that a place lies in, if it is known.
func (p *picture) nearest(sums []int32, counts []uint8, col int, x, y float64) {
	c, r := int(math.Floor(x+0.5)), int(math.Floor(y+0.5))
	if c < 0 || r < 0 || c >= p.Cols || r >= p.Rows {
		return
	}
	n := len(p.bands)
	pixel := p.Pix[(r*p.Cols+c)*p.Bands:]
	if !known(pixel, n) {
		return
	}
	for i := range n {
		sums[col*n+i] += int32(pixel[i]) * one
	}
	counts[col]++
}
