package overlays

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/spelling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	name = endpoint.String("q", "A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name.",
		endpoint.Between(1, 200), endpoint.Example("Lorfach"))
	holding = params.At("contains_lon", "contains_lat", "of a point: only what holds it")
)

const plainDoc = `
Plain JSON rows carry the outline only where fields names geometry; the geographic forms draw it.`

// opened are the view and the overlays of a request.
func opened(ctx context.Context) (*view.View, *overlayindex.Overlays, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	return v, overlayindex.Of(v.View), nil
}

// named tests names against q=; every name passes where it is not given, none one without a letter or digit.
func named(r *endpoint.Request) func(string) bool {
	if !name.Given(r) {
		return func(string) bool { return true }
	}
	key := spelling.Compact(spelling.Fold(name.Of(r)))
	return func(s string) bool { return key != "" && strings.Contains(spelling.Compact(spelling.Fold(s)), key) }
}

// outlined says whether the answer draws outlines: plain JSON does where fields names geometry.
func outlined(r *endpoint.Request) bool { return slices.Contains(r.Fields, "geometry") }

// shapes is a layer that rows are drawn from.
type shapes struct {
	overlays *overlayindex.Overlays
	layer    overlays.Layer
	needed   bool // in the answer
}

// chunk is how many shapes are read at once.
const chunk = 16

// listing are rows of a layer that a request found, and how they are told.
type listing[T any] struct {
	schema *format.Schema[T]
	found  []int
	set    func(item *T, i int, shape *overlays.Shape) // points the item at the i-th of found
}

// page streams the page of the rows that is asked for.
func (l listing[T]) page(ctx context.Context, r *endpoint.Request, from shapes) *reply.Rows {
	lo, hi := r.Span(len(l.found))
	return &reply.Rows{
		Total: len(l.found), RowTypes: []*format.RowType{l.schema.RowType}, Geometry: from.needed,
		Rows: func(yield func(format.Row, error) bool) {
			row := l.schema.Record()
			for at := lo; at < hi; at += chunk {
				part := l.found[at:min(at+chunk, hi)]
				list := make([]*overlays.Shape, len(part))
				if from.needed {
					var err error
					if list, err = from.overlays.Shapes(ctx, from.layer, part); err != nil {
						yield(nil, err)
						return
					}
				}
				for i := range part {
					l.set(&row.Item, at+i, list[i])
					if !yield(row, nil) {
						return
					}
				}
			}
		},
	}
}

// overlapping are those of the rows that share area with a place, in their order or by what they share, with what that is; all of
// them without a place.
func (from shapes) overlapping(ctx context.Context, p *place, found []int, sorted bool) ([]int, map[int]rowschema.Overlap, error) {
	if p == nil {
		return found, nil, nil
	}
	box, err := from.overlays.Boxes(ctx, from.layer)
	if err != nil {
		return nil, nil, err
	}
	near := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return !box(i).Intersects(p.box) })
	shared := map[int]rowschema.Overlap{}
	for part := range slices.Chunk(near, chunk) {
		list, err := from.overlays.Shapes(ctx, from.layer, part)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
		for i, s := range list {
			in, ok, err := p.of(s)
			if err != nil {
				return nil, nil, err
			}
			if ok {
				shared[part[i]] = in
			}
		}
	}
	near = slices.DeleteFunc(near, func(i int) bool { return !shared[i].Asked })
	if sorted {
		slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(shared[b].Sqm, shared[a].Sqm) })
	}
	return near, shared, nil
}

// kindFor is the schema of rows with what they share with a place, that without where none was asked for.
func kindFor[T any](p *place, plain, found *format.Schema[T]) *format.Schema[T] {
	if p == nil {
		return plain
	}
	return found
}

// placedIn says in an answer what its place is.
func placedIn(a *reply.Rows, p *place) *reply.Rows {
	if p == nil {
		return (&view.Missing{}).Mark(a) // no KG is read for it
	}
	a.Meta = append(a.Meta, reply.Member{Name: "place", Value: p.placed})
	return p.gaps.Mark(a)
}

func rounded(v float64) float64 { return math.Round(v*100) / 100 }

// geographic says whether the form of the answer draws outlines whatever fields says.
func geographic(r *endpoint.Request) bool {
	return r.Format != format.FormJSON || outlined(r)
}
