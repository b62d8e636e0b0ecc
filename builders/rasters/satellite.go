package rasters

import (
	"context"
	"math"
	"strconv"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	source "mappe/builders/source/rasters"
	"mappe/shared/geo/raster"
)

// What values the files of a layer have.
var satelliteValues = map[string]values{
	rasters.NDVI: {lowest: -1, highest: 1}, rasters.SAR: {lowest: -60, highest: 30},
	rasters.LandCover: {lowest: 1, highest: 254, nearest: true}, rasters.Forest: {lowest: 0, highest: 254, nearest: true},
}

// satelliteOf makes the file of a tile of a layer that satellites saw: the whole square on the grid of 10 m.
func satelliteOf(ctx context.Context, l *rasters.Layer, t *rasters.Tile, over []*source.File) ([]byte, error) {
	box := t.Box()
	parts := map[string]*raster.Grid{}
	for _, f := range over {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g := parts[f.Part]
		if g == nil {
			var err error
			if g, err = raster.Over(box, l.Step); err != nil {
				return nil, err
			}
			parts[f.Part] = g
		}
		if err := lay(g, f, satelliteValues[l.Layer]); err != nil {
			return nil, &damaged{f, err}
		}
	}
	switch l.Layer {
	case rasters.NDVI:
		s, err := raster.SamplesOver[int16](box, l.Step, len(l.Bands))
		if err != nil {
			return nil, err
		}
		harmonics(s, parts)
		return written(l, t, s)
	case rasters.SAR:
		s, err := raster.SamplesOver[int16](box, l.Step, len(l.Bands))
		if err != nil {
			return nil, err
		}
		bands(s, l, parts)
		return written(l, t, s)
	}
	s, err := raster.SamplesOver[uint8](box, l.Step, len(l.Bands))
	if err != nil {
		return nil, err
	}
	if l.Layer == rasters.LandCover {
		parts[l.Bands[0].Name] = parts[""]
	}
	bands(s, l, parts)
	return written(l, t, s)
}

// bands sets each band of samples to the values of its part, divided by the band's scale.
func bands[T raster.Sample](s *raster.Samples[T], l *rasters.Layer, parts map[string]*raster.Grid) {
	for b, band := range l.Bands {
		g := parts[band.Name]
		scale := band.Scale
		if scale == 0 {
			scale = 1
		}
		for i := range s.Cols * s.Rows {
			v := *l.NoData
			if g != nil && g.Z[i] == g.Z[i] {
				v = math.Round(float64(g.Z[i]) / scale)
			}
			s.Pix[i*s.Bands+b] = T(v)
		}
	}
}

// written counts what is known in a tile and makes its file.
func written[T raster.Sample](l *rasters.Layer, t *rasters.Tile, s *raster.Samples[T]) ([]byte, error) {
	none := T(*l.NoData)
	known := func(row, col int) bool {
		for _, v := range s.Row(row)[col*s.Bands:][:s.Bands] {
			if v != none {
				return true
			}
		}
		return false
	}
	t.Known = 0
	for row := range s.Rows {
		for col := range s.Cols {
			if known(row, col) {
				t.Known++
			}
		}
	}
	if t.Known == 0 {
		return nil, nil
	}
	t.Cover = rasters.CoverBy(*t, s.Grid(), func(row int, tell func(col int)) {
		for col := range s.Cols {
			if known(row, col) {
				tell(col)
			}
		}
	})
	o := cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG, NoData: l.NoData, Classes: l.Classes(),
		Colours: l.Layer == rasters.Ortho, About: about(l)}
	scale := l.Bands[0].Scale
	for _, b := range l.Bands {
		o.Names = append(o.Names, b.Name)
		if b.Scale != scale {
			scale = 0 // bands of several scales: the index alone says them
		}
	}
	o.Unit, o.Scale = l.Bands[0].Unit, scale
	if l.Layer == rasters.Forest {
		o.Unit = ""
	}
	return cog.EncodeSamples(s, o)
}

// leastMonths is how many months a curve takes: three numbers and something to judge them by.
const leastMonths = 5

// wave are cosines of the middles of the months, 15°, 45° ..., written out so that they are the same on every processor.
var wave = func() (c [12]float64) {
	const c15, c45, c75 = 0.9659258262890683, 0.7071067811865476, 0.25881904510252074
	return [12]float64{c15, c45, c75, -c75, -c45, -c15, -c15, -c45, -c75, c75, c45, c15}
}()

// harmonics fits v(t) = mean + cos·cos(2πt) + sin·sin(2πt) to the months of each cell by least squares, t the part of the
// year that has passed. With fewer months than leastMonths, or with months that do not tell the three apart, mean is theirs alone.
func harmonics(s *raster.Samples[int16], parts map[string]*raster.Grid) {
	const none = -32768
	var grids [12]*raster.Grid
	for part, g := range parts {
		if m, err := strconv.Atoi(part); err == nil && m >= 1 && m <= 12 {
			grids[m-1] = g
		}
	}
	for i := range s.Cols * s.Rows {
		var months [12]float64
		n := 0
		for m, g := range grids {
			months[m] = math.NaN()
			if g != nil && g.Z[i] == g.Z[i] {
				months[m] = float64(g.Z[i])
				n++
			}
		}
		out := s.Pix[i*s.Bands:][:s.Bands]
		if n == 0 {
			for b := range out {
				out[b] = none
			}
			continue
		}
		f := fit(&months, n)
		for b, v := range [4]float64{f.mean, f.cos, f.sin, f.residual} {
			out[b] = none
			if v == v {
				out[b] = int16(math.Round(min(max(v*1e4, -32767), 32767)))
			}
		}
		out[4] = int16(n)
	}
}

// curve is the course of a year; NaN: not known.
type curve struct{ mean, cos, sin, residual float64 }

// fit solves the normal equations. Products are rounded before they are added, so that every processor gives the same.
func fit(months *[12]float64, n int) curve {
	nan := math.NaN()
	var c, s, cc, cs, ss, v, vc, vs float64
	for m, y := range months {
		if y != y {
			continue
		}
		a, b := wave[m], wave[(m+9)%12] // sin x is cos(x - 90°)
		c, s = c+a, s+b
		cc, cs, ss = cc+float64(a*a), cs+float64(a*b), ss+float64(b*b)
		v, vc, vs = v+y, vc+float64(y*a), vs+float64(y*b)
	}
	k := float64(n)
	flat := curve{v / k, nan, nan, nan}
	if n < leastMonths {
		return flat
	}
	det3 := func(a, b, c, d, e, f, g, h, i float64) float64 {
		return float64(a*(float64(e*i)-float64(f*h))) - float64(b*(float64(d*i)-float64(f*g))) + float64(c*(float64(d*h)-float64(e*g)))
	}
	d := det3(k, c, s, c, cc, cs, s, cs, ss)
	if d < 0.02*float64(k*k)*k { // months of half a year: of twelve it is a quarter of k³
		return flat
	}
	f := curve{mean: det3(v, c, s, vc, cc, cs, vs, cs, ss) / d, cos: det3(k, v, s, c, vc, cs, s, vs, ss) / d, sin: det3(k, c, v, c,
		cc, vc, s, cs, vs) / d}
	sum := 0.0
	for m, y := range months {
		if y == y {
			e := y - f.mean - float64(f.cos*wave[m]) - float64(f.sin*wave[(m+9)%12])
			sum += float64(e * e)
		}
	}
	f.residual = math.Sqrt(sum / (k - 3))
	return f
}
