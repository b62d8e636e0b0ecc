package segment

import (
	"context"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/proximity"
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
	rasters.Scans
	photo   *rasters.Layer
	ndvi    *rasters.Layer
	sar     *rasters.Layer
	cover   *rasters.Layer
	forest  *rasters.Layer // nothing is read of it: answers say whether it is there
	ways    *proximity.Nearby
	missing []string

	mu    sync.Mutex
	gaps  view.Missing
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
	if out.Ground == nil && out.photo == nil {
		return nil, fault.New(fault.NotFound, "no height model and no orthophoto reaches into the area: /layers says where there are some")
	}
	if out.ways, err = proximity.Of(ctx, v.View); err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return out, nil
}

// heights chooses the scan: of those with both models in cells of 1 m the newest that may cover the area, else the newest
// that reaches into it; and the one before it, chosen alike.
func (q *search) heights(ctx context.Context) error {
	allowed := q.s.List.Pairs()
	if d := q.q.Dataset; d != "" {
		var dates []string
		for _, l := range allowed {
			dates = append(dates, l.Dataset())
		}
		i := slices.Index(dates, d)
		switch {
		case len(dates) == 0:
			return fault.BadValue("dataset", d, "no date: none with a terrain and a surface model in cells of 1 m is published")
		case i < 0:
			return fault.BadValue("dataset", d, "a date of which both models are published in cells of 1 m: "+strings.Join(dates, ", "))
		}
		allowed = allowed[i : i+1]
	}
	var err error
	if q.Scans, err = q.s.List.Scans(allowed, func(list []*rasters.Layer) (*rasters.Layer, error) {
		return q.s.NewestOf(ctx, list, q.wanted())
	}); err != nil {
		return err
	}
	switch {
	case q.Ground == nil:
		q.missing = append(q.missing, rasters.DTM, rasters.DSM)
	case !q.q.Temporal:
		q.EarlierGround, q.EarlierTop = nil, nil
	case q.EarlierGround == nil:
		q.missing = append(q.missing, "earlier_scan")
	}
	return nil
}
