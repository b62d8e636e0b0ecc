package spatial

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"mappe/functions/core/drawn"
	"mappe/functions/core/geometry"
	"mappe/functions/core/landprices"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/picked"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var polygonParam = endpoint.Parsed("geojson",
	"The area: a GeoJSON geometry of any type or a Feature with one, percent-encoded. Addresses of more than 8,192 bytes do not pass the CDN: send larger ones by POST.", parseShape,
	endpoint.Between(2, 200_000),
	endpoint.Example(`{"type":"Polygon","coordinates":[[[13.27,47.318],[13.28,47.318],[13.275,47.325],[13.27,47.318]]]}`))

var pickedParam = endpoint.Parsed("area",
	"A named area in place of geojson: "+picked.Forms+". "+picked.Doc, picked.Parse, endpoint.Between(1, maxAreaName))

// maxAreaName bounds the name of an area, in letters.
const maxAreaName = 200

var polygonIn = endpoint.ParsedBodyIn(
	"a GeoJSON geometry of any type, or a Feature with one; or {area: NAME}, as area of the GET names one; or, for a batch, a FeatureCollection of them or {polygons: [geometry, ...], layers: [...]} with at most 500; "+
		"or a drawn or recorded file: KML, KMZ, GPX, WKT, coordinates as lon,lat;lon,lat;..., a zipped shapefile, a GeoPackage, or one of these as a file of a form",
	polygonBytes, polygonShape{}, readPolygons)

// The shapes of the bodies, for the description of the service. Members of a geometry, of a feature and of a batch
// are optional each: which of them stand there, type says.
type (
	geometryShape struct {
		Type        string          `json:"type" enum:"Point,MultiPoint,LineString,MultiLineString,Polygon,MultiPolygon,GeometryCollection,Feature"`
		Coordinates []any           `json:"coordinates,omitempty" doc:"As RFC 7946 has them: of a Polygon its rings, of a MultiPolygon its polygons; positions are [lon, lat], degrees (WGS84)."`
		Geometry    json.RawMessage `json:"geometry,omitempty" doc:"Of a Feature: a geometry; in a batch also null."`
		Geometries  []any           `json:"geometries,omitempty" doc:"Of a GeometryCollection."`
		Properties  map[string]any  `json:"properties,omitempty" doc:"Of a Feature: id, ID or fid, a text or number, names it in the answer."`
	}
	polygonShape struct {
		Type        string          `json:"type,omitempty" enum:"Point,MultiPoint,LineString,MultiLineString,Polygon,MultiPolygon,GeometryCollection,Feature,FeatureCollection"`
		Coordinates []any           `json:"coordinates,omitempty" doc:"As RFC 7946 has them: of a Polygon its rings, of a MultiPolygon its polygons; positions are [lon, lat], degrees (WGS84)."`
		Geometry    json.RawMessage `json:"geometry,omitempty" doc:"Of a Feature: a geometry."`
		Geometries  []any           `json:"geometries,omitempty" doc:"Of a GeometryCollection."`
		Properties  map[string]any  `json:"properties,omitempty" doc:"Of a Feature: id, ID or fid, a text or number, names it in the answer."`
		Features    []geometryShape `json:"features,omitempty" maxItems:"500" doc:"Of a FeatureCollection."`
		Polygons    []geometryShape `json:"polygons,omitempty" maxItems:"500" doc:"A batch without type."`
		Layers      []string        `json:"layers,omitempty" enum:"parcels,buildings" doc:"Of a batch; default parcels."`
		Area        string          `json:"area,omitempty" doc:"A named area in place of a geometry, such as kg:99101."`
	}
)

const polygonDoc = `The features of the asked layers inside the polygon, grown by buffer metres.

Order: layer as asked, KG code, order in the snapshot. "Inside" is, with relation=intersects (default), that the interiors share
area: a parcel cut by the polygon's border is found, one that only touches it is not, so that the polygon of a parcel finds that
parcel and not its neighbours. With relation=within no part of the parcel may lie outside the polygon (not together with buffer).
Address points match when the polygon holds them. Points and
lines, grown by buffer (default 0), find what they touch, borders included: the parcels along a road's axis, both parcels at a
border; relation=within finds nothing for them. Rings may run either way round and may be left open; at most 100,000
vertices. Polygons whose rings cross or overlap are rebuilt by the even-odd rule: meta.geometry_repaired and meta.warnings say so, and
where. The geometries of a collection are united.
`

const pickedDoc = `
In place of geojson, area names an area: ` + picked.Forms + `. Features of neighbours whose border another source or survey draws with other
vertices may share slivers with it: relation=within leaves them out, kg and gemeinde_code keep to KGs.
`

var polygonParams = slices.Concat([]endpoint.AnyParam{buffer, layers, rel}, owners, parcelfilter.Params,
	[]endpoint.AnyParam{attrsOnly, included, landprices.Year})

// polygonAnswer has what include tells beside data.
func polygonAnswer() endpoint.Answer {
	return endpoint.Answer{Rows: []*format.RowType{parcelShared.RowType, buildingRows.RowType, spatialquery.KGRows.RowType},
		Meta: polygonMeta{},
		Beside: struct {
			Area *areaBody `json:"area,omitempty" doc:"with include"`
		}{}}
}

// drawing is a geometry of a request; track says that it is a recorded track, which stays open.
type drawing struct {
	shape geometry.Shape
	track bool
}

// metres is by how much it is grown.
func (d drawing) metres(r *endpoint.Request) float64 {
	if d.track && !buffer.Given(r) && rel.Of(r) != within {
		return drawn.TrackBuffer
	}
	return buffer.Of(r)
}

// polygonMeta is what meta holds beside the common.
type polygonMeta struct {
	view.GapsMeta
	shapeMeta
}

// shapeMeta tells of the geometry of a request.
type shapeMeta struct {
	Repaired bool     `json:"geometry_repaired,omitempty" doc:"a polygon was not valid and is rebuilt by the even-odd rule"`
	Warnings []string `json:"warnings,omitempty" doc:"what was repaired in the drawing or read in another way, and where"`
}

// warned are the members of meta that tell of warnings.
func warned(repaired bool, warnings []string) (out []reply.Member) {
	if repaired {
		out = append(out, reply.Member{Name: "geometry_repaired", Value: true})
	}
	if len(warnings) > 0 {
		out = append(out, reply.Member{Name: "warnings", Value: warnings[:min(len(warnings), maxWarnings)]})
	}
	return out
}

// maxWarnings bounds what is told of repairs.
const maxWarnings = 20

// polygonList asks for what lies in a polygon, and with include for what is told of it as a whole.
func polygonList(d drawing, field string) rows.Prepare {
	return func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		q, err := inPolygon(r, d, field)
		if err == nil {
			err = askedOverlap(r)
		}
		if err != nil {
			return nil, err
		}
		q.In = owned(r)
		w, err := groundOf(ctx, r, d, q, newAllowance())
		if err != nil {
			return nil, err
		}
		list, err := q.Plan(ctx, v, layers.Of(r), func(l spatialquery.Layer) rows.Source {
			if l == parcels && w.has(partParcels) {
				return w.source(r)
			}
			return sourceOf(r, l)
		})
		if err != nil {
			return nil, err
		}
		list.NoGeometry = attrsOnly.Of(r)
		list.Meta = func(*rows.Query) []reply.Member { return warned(d.shape.Repaired, d.shape.Warnings) }
		if w != nil { // prices and overlays are of the generation, not of the KGs
			list.State, list.Beside = v.Generation(), w.beside
		}
		return list, nil
	}
}

func polygonGet() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/polygon", ID: "spatial_polygon", Tag: tag,
		Summary: "Features inside a polygon",
		Doc:     polygonDoc + pickedDoc + partsDoc,
		Params:  slices.Concat([]endpoint.AnyParam{polygonParam, pickedParam}, polygonParams),
		Answer:  polygonAnswer(),
		Example: "/api/v1/spatial/polygon?geojson=%7B%22type%22%3A%22Polygon%22%2C%22coordinates%22%3A%5B%5B%5B13.27%2C47.318%5D%2C%5B13.28%2C47.318%5D%2C%5B13.275%2C47.325%5D%2C%5B13.27%2C47.318%5D%5D%5D%7D&limit=10",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		switch {
		case pickedParam.Given(r) && polygonParam.Given(r):
			return nil, pickedParam.Clash(r, "either geojson or area")
		case pickedParam.Given(r):
			return pickedList(pickedParam.Of(r))(ctx, v, r)
		case !polygonParam.Given(r):
			return nil, fault.Of(fault.Missing, polygonParam.Name(), "", geometry.Expected+"; or area: "+picked.Forms)
		}
		return polygonList(drawing{shape: polygonParam.Of(r)}, polygonParam.Name())(ctx, v, r)
	})
}

// pickedList is polygonList of a named area. Its outline is of the generation, and may be that of a KG that is missing.
func pickedList(n picked.Name) rows.Prepare {
	return func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		a, err := picked.Of(ctx, v, n, pickedParam.Name())
		if err != nil {
			return nil, err
		}
		if k := a.Shape.Vertices(); k > geometry.MaxVertices {
			return nil, fault.New(fault.TooLarge, "the outline of %s has %d vertices: at most %d; name its parts", n, k,
				geometry.MaxVertices)
		}
		q, err := polygonList(drawing{shape: geometry.Shape{Polygons: a.Shape}}, pickedParam.Name())(ctx, v, r)
		if err != nil {
			return nil, err
		}
		q.State = v.Generation()
		q.Missing.Merge(a.Missing)
		return q, nil
	}
}

// polygonsAnswer is the shape of the answer to a batch, for the description of the service.
type polygonsAnswer struct {
	Results []polygonItem `json:"results"`
	Meta    struct {
		Count    int      `json:"polygon_count"`
		Features int      `json:"total_features"`
		Layers   []string `json:"layers"`
		polygonMeta
		StreamMeta
	} `json:"meta"`
}

type polygonItem struct {
	ID        any            `json:"id"`
	Parcels   []endpoint.Row `json:"parcels,omitempty"`
	Buildings []endpoint.Row `json:"buildings,omitempty"`
	Area      *areaBody      `json:"area,omitempty" doc:"with include"`
	Error     string         `json:"error,omitempty"`
}

func polygonPost() endpoint.Endpoint {
	answer := polygonAnswer()
	answer.Headers, answer.Others = view.ReadyHeaders, []endpoint.Other{{Status: http.StatusOK, Body: polygonsAnswer{}}}
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/spatial/polygon", ID: "spatial_polygon_post", Tag: tag,
		Summary: "Features inside a polygon, or inside each of up to 500 polygons",
		Doc: polygonDoc + partsDoc + `
A recorded track (GPX) whose ends lie within 25 m, or 2 % of its length, is closed to a polygon; else it is a line with 100 m on either side,
or with buffer: meta.warnings says so.

A batch answers {results: [{id, parcels[], buildings[]}], meta: {polygon_count, total_features, layers, ready, kgs_warming}}:
results in the order of the polygons, only the asked layers, rows with their polygons unless attrs_only=true. The id of an item is
its properties.id, properties.ID or properties.fid, else its number from 0; a feature with geometry null has {id, error}. layers
stand in the body; relation, buffer, the parcel filters, attrs_only, include and fields in the query; limit, offset, cursor and format are
refused. More than 200,000 features are
refused: send fewer polygons.
` + view.MissingDoc,
		Params:      polygonParams,
		Body:        polygonIn,
		Answer:      answer,
		Example:     "/api/v1/spatial/polygon?limit=10",
		ExampleBody: `{"type":"Polygon","coordinates":[[[13.27,47.318],[13.28,47.318],[13.275,47.325],[13.27,47.318]]]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := polygonIn.Of(r)
			if b.batch != nil {
				return answerBatch(ctx, r, b)
			}
			if b.named.Kind != "" {
				return rows.Answer(ctx, r, pickedList(b.named))
			}
			return rows.Answer(ctx, r, polygonList(b.one, "body"))
		},
	}
}

// inPolygon is the search of one polygon; field is what the client gave it as.
func inPolygon(r *endpoint.Request, d drawing, field string) (*spatialquery.Search, error) {
	f, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	metres := d.metres(r)
	q := &spatialquery.Search{Area: d.shape.Area(metres), Within: rel.Of(r) == within, Filter: f, Field: field}
	if metres > 0 {
		q.Field = buffer.Name()
	}
	return q, notBoth(r)
}

// notBoth refuses a buffer together with relation=within: what lies within the buffer is not known exactly.
func notBoth(r *endpoint.Request) error {
	if rel.Of(r) == within && buffer.Of(r) > 0 {
		return buffer.Clash(r, "no buffer together with relation=within")
	}
	return nil
}
