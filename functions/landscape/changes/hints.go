package changes

import (
	"context"

	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
)

// hints are what is looked at beside the heights.
type hints struct {
	footprints []raster.Polygon // nil: of no KG they could be read
	gaps       view.Missing     // KGs that could not be read
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
			return generation.Fault(ctx, err)
		}
		if f == nil {
			continue
		}
		if h.footprints == nil {
			h.footprints = []raster.Polygon{}
		}
		table, err := f.Footprints()
		if err != nil {
			return generation.Fault(ctx, err)
		}
		if err := f.FootprintsInBox(box, func(i int) bool {
			h.footprints = append(h.footprints, onplane.Polygons(table[i].Geometry)...)
			return ctx.Err() == nil
		}); err != nil {
			return generation.Fault(ctx, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// photos reads the vegetation index of two orthophotos.
type photos struct{ *mosaic.Photos }

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
	p, err := mosaic.PhotosNear(s.Mosaic, all, dates, func(near []*rasters.Layer) (*rasters.Layer, error) {
		return s.NewestOf(ctx, near, scans.Wanted{Boxes: []raster.Box{a.Box()}, M2: a.M2})
	})
	if err != nil || p == nil {
		return nil, err
	}
	return &photos{p}, nil
}

// datasets are the dates of the two orthophotos.
func (p *photos) datasets() (out [2]*string) {
	if p == nil {
		return out
	}
	for i, l := range p.Of {
		name := l.Dataset()
		out[i] = &name
	}
	return out
}

// Index implements change.Photos.
func (p *photos) Index(ctx context.Context, after bool, b raster.Box) (*raster.Grid, error) {
	g, err := p.Photos.Index(ctx, after, b)
	if err != nil {
		return nil, generation.FaultOf(ctx, "the orthophotos", err)
	}
	return g, nil
}
