package overlays

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/functions/core/overlay"
	"mappe/functions/core/view"
	"mappe/shared/spelling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	name    = endpoint.String("q", "A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name.", endpoint.Between(1, 200), endpoint.Example("Lorfach"))
	holding = params.At("contains_lon", "contains_lat", "of a point: only what holds it")
)

const plainDoc = `
Plain JSON rows carry the outline only where fields names geometry; the geographic forms draw it.`

// opened are the view and the overlays of a request.
func opened(ctx context.Context) (*view.View, *overlay.Overlays, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	return v, overlay.Of(v.View), nil
}

// named tests names against q=; every name passes where it is not given.
func named(r *endpoint.Request) func(string) bool {
	if !name.Given(r) {
		return func(string) bool { return true }
	}
	key := spelling.Compact(spelling.Fold(name.Of(r)))
	return func(s string) bool { return strings.Contains(spelling.Compact(spelling.Fold(s)), key) }
}

// drawn says whether the answer draws outlines: plain JSON does where fields names geometry.
func drawn(r *endpoint.Request) bool { return slices.Contains(r.Fields, "geometry") }

// shapes is a layer that rows are drawn from.
type shapes struct {
	overlays *overlay.Overlays
	layer    overlays.Layer
	needed   bool
}

// chunk is how many shapes are read at once.
const chunk = 16

// page streams a page of rows of a layer; set points the item at the i-th of found.
func page[T any](ctx context.Context, r *endpoint.Request, from shapes, s *format.Schema[T], found []int, set func(item *T, i int, shape *overlays.Shape)) *reply.Rows {
	lo, hi := r.Span(len(found))
	return &reply.Rows{
		Total: len(found), Kinds: []*format.Kind{s.Kind}, Geometry: from.needed,
		Rows: func(yield func(format.Row, error) bool) {
			row := s.Record()
			for at := lo; at < hi; at += chunk {
				part := found[at:min(at+chunk, hi)]
				list := make([]*overlays.Shape, len(part))
				if from.needed {
					var err error
					if list, err = from.overlays.Shapes(ctx, from.layer, part); err != nil {
						yield(nil, err)
						return
					}
				}
				for i := range part {
					set(&row.Item, at+i, list[i])
					if !yield(row, nil) {
						return
					}
				}
			}
		},
	}
}

// geographic says whether the form of the answer draws outlines whatever fields says.
func geographic(r *endpoint.Request) bool {
	return r.Format != format.FormJSON || drawn(r)
}
