package changes

import (
	"context"
	"math"
	"slices"
	"time"

	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/pin"
	"mappe/functions/core/view"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
)

// hints are what is looked at beside the heights.
type hints struct {
	footprints []raster.Polygon // nil: of no KG they could be read
	gaps       view.Gaps        // KGs that could not be read
	photos     *photos          // nil: none are at hand
}

// mask says which footprints buildings were told by.
func (h *hints) mask() string {
	switch {
	case h.footprints == nil:
		return "none"
	case !h.gaps.Ready():
		return "partial"
	}
	return "cadastre"
}

// hintsFor opens what there is beside the heights of an area.
func hintsFor(ctx context.Context, s *scans.Source, q *question) (*hints, error) {
	h := &hints{}
	if q.Cadastre {
		if err := h.register(ctx, q.Area.Box()); err != nil {
			return nil, err
		}
	}
	if !q.Ortho {
		return h, nil
	}
	var err error
	h.photos, err = photosNear(ctx, s, q.Area, [2]string{q.Before, q.After})
	return h, err
}

// register reads the footprints that reach into a box from the KGs around it.
func (h *hints) register(ctx context.Context, b raster.Box) error {
	v, err := view.Of(ctx)
	if err != nil {
		return err
	}
	box := onplane.Box(b)
	for _, code := range v.KGsNear(box) {
		f, err := v.Read(ctx, code, &h.gaps)
		if err != nil {
			return pin.Fault(ctx, err)
		}
		if f == nil {
			continue
		}
		if h.footprints == nil {
			h.footprints = []raster.Polygon{}
		}
		table, err := f.Footprints()
		if err != nil {
			return pin.Fault(ctx, err)
		}
		if err := f.FootprintsInBox(box, func(i int) bool {
			h.footprints = append(h.footprints, onplane.Polygons(table[i].Geometry)...)
			return ctx.Err() == nil
		}); err != nil {
			return pin.Fault(ctx, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// photos reads the vegetation index of two orthophotos.
type photos struct {
	s  *scans.Source
	of [2]*rasters.Layer
}

// farthest is how far an orthophoto may lie from the laser scan that it is looked at for.
const farthest = 200 * 24 * time.Hour

// photosNear are the orthophotos that were taken nearest to two dates and reach into the area; nil where one of the dates has
// none within 200 days, or both have the same.
func photosNear(ctx context.Context, s *scans.Source, a *drawn.Area, dates [2]string) (*photos, error) {
	if len(s.List.Dates(rasters.Ortho)) == 0 {
		return nil, nil
	}
	all, err := s.Candidates(rasters.Ortho, "")
	if err != nil {
		return nil, err
	}
	p := &photos{s: s}
	for i, date := range dates {
		near := slices.Clone(all)
		near = slices.DeleteFunc(near, func(l *rasters.Layer) bool { return apart(l.Dataset(), date) > farthest })
		// The last is tried first: the nearest, and of two that are as near the later one.
		slices.SortStableFunc(near, func(x, y *rasters.Layer) int {
			return int(apart(y.Dataset(), date)/time.Hour - apart(x.Dataset(), date)/time.Hour)
		})
		p.of[i], err = s.NewestOf(ctx, near, scans.Wanted{Boxes: []raster.Box{a.Box()}, M2: a.M2})
		if err != nil || p.of[i] == nil {
			return nil, err
		}
	}
	if p.of[0] == p.of[1] {
		return nil, nil
	}
	return p, nil
}

// apart is how far two dates, YYYYMMDD, lie from each other; for ever where one is none.
func apart(a, b string) time.Duration {
	x, err := time.Parse("20060102", a)
	y, wrong := time.Parse("20060102", b)
	if err != nil || wrong != nil {
		return math.MaxInt64
	}
	return x.Sub(y).Abs()
}

// datasets are the dates of the two orthophotos.
func (p *photos) datasets() (out [2]*string) {
	if p == nil {
		return out
	}
	for i, l := range p.of {
		name := l.Dataset()
		out[i] = &name
	}
	return out
}

// Index is the vegetation index in cells of 1 m, of pixels that have near infrared.
func (p *photos) Index(ctx context.Context, after bool, b raster.Box) (*raster.Grid, error) {
	l := p.of[0]
	if after {
		l = p.of[1]
	}
	step := l.Step
	for 2*step <= 1+1e-9 {
		step *= 2
	}
	s, err := mosaic.Samples[uint8](ctx, p.s.Mosaic, l, b.Aligned(step), step)
	if err != nil {
		return nil, scans.Unread(ctx, "the orthophotos", err)
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
