package spatial

import (
	"context"
	"slices"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/geometry"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	kgFilterPolygon = endpoint.Parsed("geojson",
		"Only KGs whose bounding box shares area with this polygon too: GeoJSON Polygon, MultiPolygon or Feature, percent-encoded. Addresses of more than 8,192 bytes do not pass the CDN: send larger polygons by POST.", parseShape, endpoint.Between(2, 200_000))
	exactOutlines = endpoint.Bool("exact",
		"true tests the KG's outline (simplified within the register's tolerance) in place of its bounding box.", endpoint.Default("false"))
	onePolygonIn = endpoint.ParsedBody(geometry.Expected, polygonBytes, geometryShape{}, readOneShape)
)

const kgsDoc = `KGs in code order. data is {kg_codes[], kgs[], bbox}: kg_codes and kgs are the same page of rows, bbox is
[west, south, east, north] of the search area. A KG matches when its bounding box shares area with the search area, as the
contract says: a superset of the KGs whose land does; exact=true tests the outline instead. Geographic forms draw the outline. A polygon
whose rings cross is rebuilt by the even-odd rule: meta.geometry_repaired and meta.warnings say so, and where.
`

// kgsAnswer is the shape of the answer, for the description of the service.
type kgsAnswer struct {
	Data struct {
		Codes []string       `json:"kg_codes"`
		KGs   []endpoint.Row `json:"kgs"`
		BBox  [4]float64     `json:"bbox"`
	} `json:"data"`
	Meta struct {
		Total  int    `json:"total"`
		Limit  int    `json:"limit"`
		Offset int    `json:"offset"`
		Format string `json:"format"`
		StreamMeta
		shapeMeta
	} `json:"meta"`
}

func kgsGet() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/kgs", ID: "spatial_kgs", Tag: tag,
		Summary: "KGs in a box",
		Doc:     kgsDoc,
		Params:  slices.Concat(sides.Params(), []endpoint.AnyParam{buffer, kgFilterPolygon, exactOutlines}),
		Answer:  endpoint.Answer{Rows: []*format.RowType{kgListRows.RowType}, Body: kgsAnswer{}},
		Example: "/api/v1/spatial/kgs?west=13.2&south=47.2&east=13.4&north=47.4",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return "", err
			}
			found, err := kgsAsked(v, r)
			if err != nil {
				return "", err
			}
			r.Memo = found
			return v.Depends(found.codes()), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			found, ok := r.Memo.(*kgsFound)
			if !ok {
				if found, err = kgsAsked(v, r); err != nil {
					return nil, err
				}
			}
			return kgList(v, r, found)
		},
	}
}

func kgsPost() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/spatial/kgs", ID: "spatial_kgs_post", Tag: tag,
		Summary:     "KGs that a polygon reaches into",
		Doc:         kgsDoc,
		Params:      []endpoint.AnyParam{exactOutlines},
		Body:        onePolygonIn,
		Answer:      endpoint.Answer{Rows: []*format.RowType{kgListRows.RowType}, Body: kgsAnswer{}},
		Example:     "/api/v1/spatial/kgs",
		ExampleBody: `{"type":"Polygon","coordinates":[[[13.27,47.318],[13.28,47.318],[13.275,47.325],[13.27,47.318]]]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			s := onePolygonIn.Of(r)
			found, err := findKGs(v, []*region.Area{s.Area(0)}, exactOutlines.Of(r), "body")
			if err != nil {
				return nil, err
			}
			found.shape = s
			return kgList(v, r, found)
		},
	}
}

// kgsFound are the KGs of an answer and the box that was searched.
type kgsFound struct {
	kgs   []*register.KG
	box   geom.Box
	shape geometry.Shape // the polygon of the request
}

func (f *kgsFound) codes() []austria.KGCode {
	codes := make([]austria.KGCode, len(f.kgs))
	for i, k := range f.kgs {
		codes[i] = k.Code
	}
	return codes
}

// kgsAsked finds the KGs of a GET request.
func kgsAsked(v *view.View, r *endpoint.Request) (*kgsFound, error) {
	b, err := sides.Of(r)
	if err != nil {
		return nil, err
	}
	tests := []*region.Area{spatialquery.Box(b, buffer.Of(r))}
	var s geometry.Shape
	if kgFilterPolygon.Given(r) {
		s = kgFilterPolygon.Of(r)
		tests = append(tests, s.Area(buffer.Of(r)))
	}
	found, err := findKGs(v, tests, exactOutlines.Of(r), kgFilterPolygon.Name())
	if err == nil {
		found.shape = s
	}
	return found, err
}

// findKGs finds the KGs that pass every test; field is what the client gave the polygon as.
func findKGs(v *view.View, tests []*region.Area, exact bool, field string) (*kgsFound, error) {
	reg := v.Register()
	found := &kgsFound{box: tests[0].Box()}
next:
	for _, code := range reg.KGsInBox(found.box) {
		k := reg.KG(code)
		for _, a := range tests {
			m, box := spatialquery.BoxPolygon(k.Box), k.Box
			if exact {
				m = reg.Outline(code)
				box = m.Bounds()
			}
			if !a.Overlaps(m, box) {
				continue next
			}
		}
		found.kgs = append(found.kgs, k)
	}
	for _, a := range tests {
		if err := a.Err(); err != nil {
			return nil, spatialquery.Fault(field, err)
		}
	}
	return found, nil
}

// kgList answers with a page of the KGs found.
func kgList(v *view.View, r *endpoint.Request, all *kgsFound) (reply.Answer, error) {
	found := endpoint.Paged(r, all.kgs)
	codes := make([]austria.KGCode, len(found))
	for i, k := range found {
		codes[i] = k.Code
	}
	return &reply.Rows{
		Total: len(all.kgs),
		Rows: func(yield func(format.Row, error) bool) {
			row := kgListRows.Record()
			row.Item.Register = v.Register()
			for _, k := range found {
				row.Item.KG = k
				if !yield(row, nil) {
					return
				}
			}
		},
		Geometry: slices.Contains(r.Fields, "geometry"),
		Meta:     warned(all.shape.Repaired, all.shape.Warnings),
		Data: &reply.DataObject{
			Before: []reply.Member{{Name: "kg_codes", Value: codes}},
			Key:    "kgs",
			After:  []reply.Member{{Name: "bbox", Value: format.RawJSON(string(rowschema.AppendBox(nil, all.box)))}},
		},
	}, nil
}
