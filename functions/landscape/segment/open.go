package segment

import (
	"context"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/rasters"
	"mappe/functions/core/nearby"
	"mappe/functions/core/pin"
	"mappe/functions/core/tasks"
	"mappe/functions/core/view"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
	"mappe/shared/web/fault"
)

// search is a question about segments, in work.
type search struct {
	s        *scans.Source
	v        *view.View
	q        *question
	progress *tasks.Progress
	ground   *rasters.Layer // nil: no heights
	top      *rasters.Layer
	earlier  [2]*rasters.Layer // terrain and surface of the date that is compared; nil: none
	photo    *rasters.Layer
	ndvi     *rasters.Layer
	sar      *rasters.Layer
	cover    *rasters.Layer
	forest   *rasters.Layer
	ways     *nearby.Nearby
	missing  []string

	mu    sync.Mutex
	gaps  view.Gaps
	known bool // of some KG the footprints were read
	used  bool // some way of the community map lies there
}

// wanted is where layers are looked for.
func (q *search) wanted() scans.Wanted {
	return scans.Wanted{Boxes: []raster.Box{q.q.Area.Box()}, M2: q.q.Area.M2}
}

// open chooses the layers.
func (e *service) open(ctx context.Context, q *question, p *tasks.Progress) (*search, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	out := &search{s: s, v: v, q: q, progress: p}
	if err := out.heights(ctx); err != nil {
		return nil, err
	}
	for _, l := range []struct {
		name   string
		wanted bool
		to     **rasters.Layer
	}{{rasters.Ortho, q.Ortho, &out.photo}, {rasters.NDVI, q.Copernicus, &out.ndvi}, {rasters.SAR, q.Copernicus, &out.sar},
		{rasters.LandCover, q.Copernicus, &out.cover},
		{rasters.Forest, q.Hansen, &out.forest}} {
		if !l.wanted {
			continue
		}
		if *l.to, err = s.Newest(ctx, l.name, out.wanted()); err != nil {
			return nil, err
		}
		if *l.to == nil {
			out.missing = append(out.missing, l.name)
		}
	}
	if out.ground == nil && out.photo == nil {
		return nil, fault.New(fault.NotFound, "no height model and no orthophoto reaches into the area: /layers says where there are some")
	}
	if out.ways, err = nearby.Of(ctx, v.View); err != nil {
		return nil, pin.Fault(ctx, err)
	}
	return out, nil
}

// heights chooses the scan: of those with both models in cells of 1 m the newest that may cover the area, else the newest
// that reaches into it; and the earliest one before it.
func (q *search) heights(ctx context.Context) error {
	var dates []string
	var grounds []*rasters.Layer
	for i := range q.s.List.Layers {
		l := &q.s.List.Layers[i]
		if l.Layer == rasters.DTM && q.surface(l) != nil {
			dates, grounds = append(dates, l.Dataset()), append(grounds, l)
		}
	}
	chosen := grounds
	if d := q.q.Dataset; d != "" {
		i := slices.Index(dates, d)
		if i < 0 {
			if len(dates) == 0 {
				return fault.BadValue("dataset", d, "no date: none with a terrain and a surface model in cells of 1 m is published")
			}
			return fault.BadValue("dataset", d, "a date of which both models are published in cells of 1 m: "+strings.Join(dates, ", "))
		}
		chosen = grounds[i : i+1]
	}
	var err error
	if q.ground, err = q.s.NewestOf(ctx, chosen, q.wanted()); err != nil {
		return err
	}
	if q.ground == nil {
		q.missing = append(q.missing, rasters.DTM, rasters.DSM)
		return nil
	}
	q.top = q.surface(q.ground)
	if q.q.Temporal {
		if first := grounds[0]; first.Dataset() < q.ground.Dataset() {
			q.earlier = [2]*rasters.Layer{first, q.surface(first)}
		} else {
			q.missing = append(q.missing, "earlier_scan")
		}
	}
	return nil
}

// surface is the surface model of the date of a terrain model, both in cells of 1 m; nil where there is none.
func (q *search) surface(ground *rasters.Layer) *rasters.Layer {
	if l := q.s.List.Find(rasters.DSM, ground.Dataset()); l != nil && l.Step == 1 && ground.Step == 1 {
		return l
	}
	return nil
}
