package overlays

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	near = params.At("near_lon", "near_lat", "of a point: the order is by distance from it")
)

const protectedDoc = `Protected areas that pass every filter given, all without one. The order is that of name, then of the source; with
near_lon and near_lat that of the distance to the area, 0 inside.` + placeDoc + plainDoc

// placeExample is a piece of the floodplain of the demonstration country, for the description of endpoints.
const placeExample = `{"type":"Polygon","coordinates":[[[13.27,47.318],[13.28,47.318],[13.275,47.325],[13.27,47.318]]]}`

var protectedParams = slices.Concat([]endpoint.AnyParam{name}, near.Params(), holding.Params(), inPlace)

func protectedAnswer() endpoint.Answer {
	return endpoint.Answer{Rows: []*format.RowType{rowschema.ProtectedAreaFound.RowType}, Meta: placeMeta{}, Headers: view.ReadyHeaders}
}

// ProtectedArea lists protected areas; the context service has it too.
func ProtectedArea() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/protected_area", ID: "search_protected_area", Tag: tag,
		Summary: "Protected areas by name and place",
		Doc:     protectedDoc,
		Params:  protectedParams,
		Answer:  protectedAnswer(),
		Example: "/api/v1/search/protected_area?q=Lorfach",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return protectedList(ctx, r, nil)
		},
	}
}

func protectedPost(body endpoint.AnyBody, of func(*endpoint.Request) *Area) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/search/protected_area", ID: "search_protected_area_post", Tag: tag,
		Summary:     "Protected areas in an area",
		Doc:         protectedDoc,
		Params:      protectedParams,
		Body:        body,
		Answer:      protectedAnswer(),
		Example:     "/api/v1/search/protected_area",
		ExampleBody: placeExample,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return protectedList(ctx, r, of(r))
		},
	}
}

func protectedList(ctx context.Context, r *endpoint.Request, a *Area) (reply.Answer, error) {
	v, o, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	in, err := holding.Of(r)
	if err != nil {
		return nil, err
	}
	from, err := near.Of(r)
	if err != nil {
		return nil, err
	}
	areas, err := o.Areas(ctx)
	if err != nil {
		return nil, err
	}
	p, err := placeOf(ctx, v, r, a)
	if err != nil {
		return nil, err
	}
	outlines := shapes{o, overlays.AreaShapes, geographic(r)}
	found, err := outlines.among(ctx, len(areas), in, holding.Given(r))
	if err != nil {
		return nil, err
	}
	passes := named(r)
	found = slices.DeleteFunc(found, func(i int) bool { return !passes(areas[i].Name) })
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(areas[a].Name, areas[b].Name), cmp.Compare(a, b)) })
	found, shared, err := outlines.overlapping(ctx, p, found, sortBy.Given(r))
	if err != nil {
		return nil, err
	}
	distances := map[int]float64{}
	if near.Given(r) {
		if sortBy.Given(r) {
			return nil, sortBy.Clash(r, "either sort or near_lon and near_lat")
		}
		if distances, err = outlines.byDistance(ctx, found, areas, from, r.Offset+r.Limit); err != nil {
			return nil, err
		}
	}
	rows := listing[rowschema.AreaRow]{kindFor(p, rowschema.ProtectedArea, rowschema.ProtectedAreaFound), found,
		func(item *rowschema.AreaRow, i int, s *overlays.Shape) {
			item.A, item.Shape, item.DistanceM, item.In = &areas[found[i]], s, math.NaN(), shared[found[i]]
			if d, ok := distances[found[i]]; ok {
				item.DistanceM = d
			}
		}}
	return placedIn(rows.page(ctx, r, outlines), p), nil
}

// among are the n rows of a layer, those that hold a point where one is asked for.
func (from shapes) among(ctx context.Context, n int, p geom.Point, holds bool) ([]int, error) {
	if holds {
		return from.overlays.At(ctx, from.layer, p)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// byDistance orders areas by their distance from a point, exactly as far as the first n go, and gives the distances
// that it measured. The distance to a box is never more than that to what lies in it: areas whose box is farther
// than the n-th are not read.
func (from shapes) byDistance(ctx context.Context, found []int, areas []overlays.Area, p geom.Point, n int) (map[int]float64, error) {
	ruler := crs.RulerAt(p)
	box := func(i int) float64 { return ruler.ToBox(areas[i].Box) }
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(box(a), box(b)), cmp.Compare(a, b)) })
	at := map[int]float64{}
	var measured []float64 // rising
	done := 0
	for ; done < len(found); done += chunk {
		if len(measured) >= n && n > 0 && measured[n-1] <= box(found[done]) {
			break
		}
		part := found[done:min(done+chunk, len(found))]
		list, err := from.overlays.Shapes(ctx, from.layer, part)
		if err != nil {
			return nil, err
		}
		for i, s := range list {
			d := 0.0
			if !s.Contains(p) {
				d = ruler.ToFeature(s.Geometry)
			}
			at[part[i]] = d
			measured = append(measured, d)
		}
		slices.Sort(measured)
	}
	first := found[:min(done, len(found))]
	slices.SortFunc(first, func(a, b int) int { return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(a, b)) })
	return at, nil
}
