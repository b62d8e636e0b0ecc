package changes

import (
	"context"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/memory"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/change"
	"mappe/shared/web/fault"
)

// result is what was found, and in what.
type result struct {
	*change.Result
	*hints
	models [4]*rasters.Layer // in the order of change.Layer
}

// run finds what has changed in an area. progress is told the step and which share of it is done; the work ends between two
// squares of 1 km when the context does, some hundred milliseconds later. A fault is the answer.
func run(ctx context.Context, s *scans.Source, shares memory.Shares, q *question, progress *tasks.Progress) (*result, error) {
	a := q.Area
	models, err := modelsOf(s.List, q)
	if err != nil {
		return nil, err
	}
	need := bytesOf(a.Box())
	if q.Ortho {
		need += photoBytes
	}
	release, err := shares.Take(ctx, need)
	if err != nil {
		return nil, err
	}
	defer release()
	tell := func(step string, fraction float64) { _ = progress.Tell(ctx, step, fraction) } // that the work has to end ctx says
	h, err := hintsFor(ctx, s, q)
	if err != nil {
		return nil, err
	}
	o := change.Options{MinChange: q.Least, Progress: tell, Footprints: h.footprints, Partly: !h.gaps.Ready()}
	if h.photos != nil {
		o.Photos = h.photos
	}
	found, err := change.Find(ctx, &source{s, models}, a.Polygons, o)
	if err != nil {
		return nil, generation.FaultOf(ctx, "the height models", err)
	}
	if found.Known == 0 {
		return nil, fault.New(fault.NotFound, "no place of the area has heights of both dates: /layers says where there are some")
	}
	return &result{found, h, models}, nil
}

// modelsOf are the four models of two dates, all in cells of 1 m.
func modelsOf(list *rasters.Index, q *question) (out [4]*rasters.Layer, err error) {
	dates := slices.DeleteFunc(list.Dates(rasters.DTM), func(d string) bool { return list.Find(rasters.DSM, d) == nil })
	if len(dates) == 0 {
		return out, fault.New(fault.NotFound, "no date with a terrain and a surface model is published")
	}
	for _, d := range [2][2]string{{"date_a", q.Before}, {"date_b", q.After}} {
		if !slices.Contains(dates, d[1]) {
			return out, fault.BadValue(d[0], d[1], "a date of which both models are published: "+strings.Join(dates, ", "))
		}
	}
	switch {
	case q.Before == q.After:
		return out, fault.BadValue("date_b", q.After, "a date after date_a: what is compared with itself has not changed")
	case q.Before > q.After:
		return out, fault.BadValue("date_a", q.Before, "a date before date_b, "+q.After+": ask with the two dates exchanged")
	}
	out = [4]*rasters.Layer{change.TerrainBefore: list.Find(rasters.DTM, q.Before), change.SurfaceBefore: list.Find(rasters.DSM, q.Before),
		change.TerrainAfter: list.Find(rasters.DTM, q.After), change.SurfaceAfter: list.Find(rasters.DSM, q.After)}
	for _, l := range out {
		if l.Step != 1 {
			return out, fault.BadValue("dates", l.Dataset(), "dates whose models have cells of 1 m: the "+l.Layer+" of this one has others")
		}
	}
	return out, nil
}

// source reads the models by windows.
type source struct {
	*scans.Source
	models [4]*rasters.Layer
}

func (s *source) Window(ctx context.Context, l change.Layer, b raster.Box) (*raster.Grid, error) {
	return s.Source.Window(ctx, s.models[l], b)
}

// blockRows are those of the blocks that rasters are stored in.
const blockRows = 512

// Below is where the next row of blocks of whole tiles ends.
func (s *source) Below(north float64) float64 {
	const side = rasters.HeightKm * 1000
	top := math.Ceil(north/side) * side
	return max(top-(math.Floor((top-north)/blockRows)+1)*blockRows, top-side)
}

// photoBytes is about what the orthophotos take of the squares that are looked at at the same time.
const photoBytes = 24 << 20

// bytesOf is about what the comparison of a box takes: rows of the four models and of what is derived of them, the squares
// that are worked at the same time, what is held of a small area, and what is kept of
// changed cells, of which a third of an area has been the most.
func bytesOf(b raster.Box) int64 {
	const (
		row     = 16 * 2 // bytes of a cell of rows that are held, as read and derived
		rows    = 1100   // rows that are held
		once    = 5e6    // cells up to which an area is held as it is read
		squares = 20 << 20
		kept    = 12 // bytes of a cell of the area
	)
	w, h := b.East-b.West, b.North-b.South
	need := w*min(h, rows)*row + w*h*kept + squares
	if w*h < once {
		need += 16 * w * h
	}
	return int64(need)
}
