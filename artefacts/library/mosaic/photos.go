package mosaic

import (
	"context"
	"math"
	"slices"
	"time"

	"mappe/artefacts/rasters"
	"mappe/shared/geo/raster"
)

// Photos are two orthophotos, one near each of two laser scans, whose vegetation index tells what has changed between them
// (change.Photos).
type Photos struct {
	m  *Mosaic
	Of [2]*rasters.Layer
}

// farthest is how far an orthophoto may lie from the laser scan that it is looked at for.
const farthest = 200 * 24 * time.Hour

// PhotosNear are the orthophotos that were taken nearest to two dates, YYYYMMDD, of all that there are, rising; nil where one of the
// dates has none within 200 days, or both have the same. newest gives of some the last that covers the area, else the last that
// reaches into it; nil where none does. The errors are its own.
func PhotosNear(m *Mosaic, all []*rasters.Layer, dates [2]string, newest func([]*rasters.Layer) (*rasters.Layer, error)) (*Photos, error) {
	p := &Photos{m: m}
	for i, date := range dates {
		near := slices.DeleteFunc(slices.Clone(all), func(l *rasters.Layer) bool { return apart(l.Dataset(), date) > farthest })
		// The last is tried first: the nearest, and of two that are as near the later one.
		slices.SortStableFunc(near, func(x, y *rasters.Layer) int {
			return int(apart(y.Dataset(), date)/time.Hour - apart(x.Dataset(), date)/time.Hour)
		})
		if len(near) == 0 {
			return nil, nil
		}
		var err error
		if p.Of[i], err = newest(near); err != nil || p.Of[i] == nil {
			return nil, err
		}
	}
	if p.Of[0] == p.Of[1] {
		return nil, nil
	}
	return p, nil
}

// apart is how far two dates, YYYYMMDD, lie from each other; for ever where one of them is not a date.
func apart(a, b string) time.Duration {
	x, err := time.Parse("20060102", a)
	y, wrong := time.Parse("20060102", b)
	if err != nil || wrong != nil {
		return math.MaxInt64
	}
	return x.Sub(y).Abs()
}

// Index is the vegetation index of one of the two in cells of 1 m, of pixels that have near infrared. The errors are those of
// Samples.
func (p *Photos) Index(ctx context.Context, after bool, b raster.Box) (*raster.Grid, error) {
	l := p.Of[0]
	if after {
		l = p.Of[1]
	}
	step := l.Step
	for 2*step <= 1+1e-9 {
		step *= 2
	}
	s, err := Samples[uint8](ctx, p.m, l, b.Aligned(step), step)
	if err != nil {
		return nil, err
	}
	bands := raster.Means(s, b, 3)
	red, nir := bands[0], bands[3]
	for i, n := range nir.Z {
		r := red.Z[i]
		if sum := n + r; sum > 0 {
			red.Z[i] = (n - r) / sum
		} else {
			red.Z[i] = float32(math.NaN())
		}
	}
	return red, nil
}
