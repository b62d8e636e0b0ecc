package change

import (
	"context"
	"math"

	"mappe/shared/geo/raster"
)

// Photos are two orthophotos, one near each date.
type Photos interface {
	// Index is the vegetation index, (near infrared - red) / (near infrared + red), over a box whose borders are whole metres:
	// cells of 1 m, NaN where nothing is known. It is asked from several goroutines.
	Index(ctx context.Context, after bool, b raster.Box) (*raster.Grid, error)
}

// What the hints of the cadastre and of orthophotos are told by.
const (
	squareOfPhotos = 500   // metres of the squares that orthophotos are read in
	vegetated      = 0.1   // index of sealed and bare ground stays below, that of grass in autumn above
	indexMoved     = 0.05  // by less an index is the same: exposure and season differ
	unbuilt        = 0.1   // share of footprints below which no building is there
	indexSteps     = 10000 // of 1: whole numbers have the same sum in every order
)

// The words of hints.
const (
	hintNoBuilding = "no building of the cadastre"
	hintBared      = "vegetation index fell: bare or built after"
	hintGreened    = "vegetation index rose: vegetated after"
	hintGreen      = "vegetated on both orthophotos"
	hintBare       = "not vegetated on either orthophoto"
)

// share is which part of a region lies in buildings of the cadastre; nil where they are not known.
func (f *finder) share(g *region) *float64 {
	if f.footprints == nil || g.n == 0 {
		return nil
	}
	n := 0
	for _, s := range g.spans {
		records := f.lines[s.row].records[s.at : s.at+s.to-s.from]
		f.footprints.Each(int(s.row), func(from, to int) {
			for x := max(from, int(s.from)); x < min(to, int(s.to)); x++ {
				if records[x-int(s.from)].flags&inSkirt == 0 {
					n++
				}
			}
		})
	}
	v := float64(n) / float64(g.n)
	if n == 0 && f.partly {
		return nil
	}
	return &v
}

// absent adds what it tells that the cadastre has no building where something was built or taken down.
func (e *Event) absent() {
	switch e.Kind {
	case NewBuilding, Demolition, Construction:
		if e.Footprint != nil && *e.Footprint < unbuilt {
			e.Evidence = append(e.Evidence, hintNoBuilding)
		}
	}
}

// indexed is the sum of an index over the cells of an event in a square.
type indexed struct{ sum, n [2]int64 }

// look gives events their vegetation index on the orthophotos, and what it tells. Squares stand at multiples of their side, so
// that nothing hangs on the area or on the order of the work.
func (f *finder) look(ctx context.Context, photos Photos, events []Event) error {
	if photos == nil || len(events) == 0 {
		return ctx.Err()
	}
	boxes := make([]raster.Box, len(events))
	for i := range events {
		boxes[i] = raster.BoxOf(events[i].Outline)
	}
	var squares []raster.Box
	var within [][]int // events of a square
	for y := floorTo(f.area.y0, squareOfPhotos); y < f.area.y1; y += squareOfPhotos {
		for x := floorTo(f.area.x0, squareOfPhotos); x < f.area.x1; x += squareOfPhotos {
			b := cells{x, y, x + squareOfPhotos, y + squareOfPhotos}.box()
			var in []int
			for i, o := range boxes {
				if o.West < b.East && o.East > b.West && o.South < b.North && o.North > b.South {
					in = append(in, i)
				}
			}
			if in != nil {
				squares, within = append(squares, b), append(within, in)
			}
		}
	}
	parts := make([][]indexed, len(squares))
	if err := each(len(squares), func(i int) (err error) {
		parts[i], err = indexIn(ctx, photos, squares[i], within[i], placed{events, boxes})
		return err
	}); err != nil {
		return err
	}
	total := make([]indexed, len(events))
	for i, part := range parts {
		for k, at := range within[i] {
			for d := range 2 {
				total[at].sum[d] += part[k].sum[d]
				total[at].n[d] += part[k].n[d]
			}
		}
	}
	for i := range events {
		events[i].IndexBefore, events[i].IndexAfter = total[i].mean(0, events[i].Area), total[i].mean(1, events[i].Area)
		events[i].seen()
	}
	return nil
}

// mean is that of a date; nil where less than half of the event is known.
func (s *indexed) mean(date int, area float64) *float64 {
	if float64(2*s.n[date]) < area || s.n[date] == 0 {
		return nil
	}
	v := float64(s.sum[date]) / float64(s.n[date]*indexSteps)
	return &v
}

// placed are events with their boxes.
type placed struct {
	events []Event
	boxes  []raster.Box
}

// indexIn sums the index of both dates over the events of a square.
func indexIn(ctx context.Context, photos Photos, b raster.Box, in []int, all placed) ([]indexed, error) {
	part := raster.Box{West: math.Inf(1), South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}
	for _, i := range in { // of the square only what has events is read
		o := all.boxes[i]
		part = raster.Box{West: min(part.West, o.West), South: min(part.South, o.South),
			East: max(part.East, o.East), North: max(part.North, o.North)}
	}
	part = raster.Box{West: max(part.West, b.West), South: max(part.South, b.South),
		East: min(part.East, b.East), North: min(part.North, b.North)}
	var grids [2]*raster.Grid
	for d := range grids {
		var err error
		if grids[d], err = photos.Index(ctx, d == 1, part.Aligned(1)); err != nil {
			return nil, err
		}
	}
	out := make([]indexed, len(in))
	for k, i := range in {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mask := raster.MaskOf(grids[0], all.events[i].Outline)
		for row := range grids[0].Rows {
			mask.Each(row, func(from, to int) {
				for d, g := range grids {
					for _, v := range g.Row(row)[from:to] {
						if v == v {
							out[k].sum[d] += int64(math.Floor(float64(float64(v)*indexSteps) + 0.5))
							out[k].n[d]++
						}
					}
				}
			})
		}
	}
	return out, nil
}

// seen adds what the vegetation index tells.
func (e *Event) seen() {
	if e.IndexBefore == nil || e.IndexAfter == nil {
		return
	}
	before, after := *e.IndexBefore, *e.IndexAfter
	hint := hintBare
	switch {
	case before >= vegetated && after < vegetated && before-after >= indexMoved:
		hint = hintBared
	case before < vegetated && after >= vegetated && after-before >= indexMoved:
		hint = hintGreened
	case before+after >= 2*vegetated:
		hint = hintGreen
	}
	e.Evidence = append(e.Evidence, hint)
}
