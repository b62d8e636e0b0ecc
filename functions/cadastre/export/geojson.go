package export

import (
	"context"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/view"
	"mappe/shared/web/coding"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const geoJSONType = "application/geo+json"

var includeGeometry = endpoint.Bool("include_geometry",
	"false draws every feature as a point: its centroid, of land use a point on its surface.", endpoint.Default("true"))

const geoJSONDoc = `Every feature of the area. One layer is a FeatureCollection (application/geo+json); several are one object with a FeatureCollection
under the name of each layer (application/json). Parcels carry buildings_on_parcel, landuse_on_parcel and landuse_summary. meta
stands beside the features, behind them where the answer is written for the request: assembly_versions is the stamp of each KG,
features the number of features by layer.

The parcels of one KG, asked for by a client that takes gzip and without fields, crs, pretty or callback, are the file that was written
when the KG was published: an ETag for its content, parts by Range, and Content-Encoding: gzip whatever coding is preferred.
Features stand in the order of layers, KG code and the KG's own order. Where several KGs are asked, a feature that two of them have
is written once, with the smaller KG code.

` + jobDoc

func (d Deps) geoJSON() endpoint.Endpoint {
	wanted := func(r *endpoint.Request) want {
		asked := layers.Of(r)
		return want{
			form: keys.GeoJSON, size: sizeOf(asked, !includeGeometry.Of(r)), job: asJob.Of(r), jobs: d.Queue != nil,
			asMade: !asJob.Of(r) && r.AsMade() && includeGeometry.Of(r) && slices.Equal(asked, []layer{parcels}) &&
				coding.Takes(r.HTTP.Header, coding.Gzip),
		}
	}
	return view.Versioned(validated(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/geojson", ID: "export_geojson", Tag: tag,
		Summary: "Whole KGs as GeoJSON",
		Doc:     geoJSONDoc + area.Doc + view.MissingDoc,
		Params:  append(slices.Clip(area.Params), layers, includeGeometry, asJob),
		Answer: endpoint.Answer{
			Rows: rowTypes, JSONOnly: true, Page: endpoint.Page{None: true}, Body: layersBody{}, Headers: view.ReadyHeaders,
			Others: append(jobAnswers(), []endpoint.Other{
				{Status: 200, ContentType: geoJSONType, Body: collectionBody{}},
				{Status: 206, Doc: "The part of a stored answer that Range asked for; Content-Range says which.", ContentType: geoJSONType},
				{Status: 416, Doc: "The part that Range asked for begins behind the end of the stored answer."},
			}...),
		},
		Example: "/api/v1/export/geojson?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := prepared(ctx, r, wanted(r))
			if err != nil {
				return nil, err
			}
			if p.stored != nil {
				return p.content(geoJSONType, "gzip", p.filename(".geojson")), nil
			}
			if p.job {
				o := p.order(r, keys.GeoJSON)
				o.shape = shapeOf(r)
				return d.take(ctx, r, p, o)
			}
			return p.collections(ctx, shapeOf(r)), nil
		},
	}, wanted))
}

// shape is what a GeoJSON holds of its KGs.
type shape struct {
	Layers []layer  `json:"layers,omitempty"`
	Points bool     `json:"points,omitempty"`
	Fields []string `json:"fields,omitempty"`
	WKT    bool     `json:"wkt,omitempty"` // of tables
}

func shapeOf(r *endpoint.Request) shape {
	return shape{Layers: layers.Of(r), Points: !includeGeometry.Of(r), Fields: r.Fields}
}

// collections streams the layers.
func (p *plan) collections(ctx context.Context, s shape) *reply.Stream {
	asked, points := s.Layers, s.Points
	counts := map[layer]*int{}
	for _, l := range asked {
		counts[l] = new(int)
	}
	stream := &reply.Stream{
		Geometry: true, ContentType: pick(len(asked) == 1, geoJSONType, ""),
		Filename: p.filename(pick(len(asked) == 1, ".geojson", ".json")),
		Write: func(j *format.JSON, declared *format.Layout) error {
			for _, l := range asked {
				write := func() error {
					t := l.tables(points)
					return p.collection(ctx, j, t, counts[l], layoutOf(t, s.Fields, declared.Projection))
				}
				if len(asked) == 1 {
					return write()
				}
				j.Key(string(l))
				j.Object()
				if err := write(); err != nil {
					return err
				}
				j.EndObject()
			}
			return nil
		},
		Meta: []reply.Member{
			{Name: "layers", Value: asked}, {Name: "kg_codes", Value: p.codes()}, {Name: "assembly_versions", Value: p.assembly},
			{Name: "features", Value: func() any { return counts }}, // counted by then
			{Name: "license_url", Value: rowschema.LicenseURL}, {Name: "changes", Value: rowschema.Changes},
		},
	}
	return p.gaps.MarkStream(stream)
}

// layoutOf is how the rows of tables are written, in a projection.
func layoutOf(tables []table, fields []string, at format.Projection) *format.Layout {
	var drawn []*format.RowType
	for _, t := range tables {
		drawn = append(drawn, t.RowType())
	}
	l := format.NewLayout(fields, drawn...)
	l.Projection = at
	return l
}

// collection writes the members of a FeatureCollection, and counts its features.
func (p *plan) collection(ctx context.Context, j *format.JSON, tables []table, count *int, l *format.Layout) error {
	j.Key("type")
	j.String("FeatureCollection")
	if at := l.Projection; at.Forward != nil {
		j.Key("crs")
		j.Value(format.RawJSON(`{"type":"name","properties":{"name":"` + at.URN() + `"}}`))
	}
	*count = 0
	j.Key("features")
	return j.Features(func(yield func(format.Row, error) bool) {
		for _, t := range tables {
			for r, err := range p.rows(ctx, t, count) {
				if !yield(r, err) {
					return
				}
			}
		}
	}, l)
}

// The shapes of the answers, for the description of the service.
type (
	featureBody struct {
		Type       string       `json:"type"`
		ID         any          `json:"id,omitempty"`
		Geometry   any          `json:"geometry"`
		Properties endpoint.Row `json:"properties"`
	}
	metaBody struct {
		AssemblyVersions map[string]string    `json:"assembly_versions"`
		License          string               `json:"license"`
		LicenseURL       string               `json:"license_url"`
		Changes          string               `json:"changes"`
		Layers           []string             `json:"layers,omitempty"`
		KGCodes          []string             `json:"kg_codes,omitempty"`
		Features         map[string]int       `json:"features,omitempty"`
		Ready            *bool                `json:"ready,omitempty"`
		Warming          []string             `json:"kgs_warming,omitempty"`
		Unavailable      []string             `json:"kgs_unavailable,omitempty"`
		WarmingCount     *int                 `json:"kgs_warming_count,omitempty"`
		UnavailableCount *int                 `json:"kgs_unavailable_count,omitempty"`
		Reasons          *view.MissingReasons `json:"missing_by_reason,omitempty" doc:"Where ready is false: how many KGs are missing for which reason."`
		All              string               `json:"missing_url,omitempty" doc:"Where a list is cut: the address that lists all KGs that cannot be read."`
		QueryTimeMs      *float64             `json:"query_time_ms,omitempty"`
		KGCode           string               `json:"kg_code,omitempty" doc:"of a stored answer, as what follows"`
		KGName           string               `json:"kg_name,omitempty"`
		Stichtag         string               `json:"stichtag,omitempty"`
		Attribution      string               `json:"attribution,omitempty"`
		IngestGeneration string               `json:"ingest_generation,omitempty"`
		ParcelCount      *int                 `json:"parcel_count,omitempty"`
		view.VersionMeta
	}
	collectionBody struct {
		Type     string        `json:"type"`
		CRS      any           `json:"crs,omitempty"`
		Features []featureBody `json:"features"`
		Meta     metaBody      `json:"meta"`
	}
	layerBody struct {
		Type     string        `json:"type"`
		CRS      any           `json:"crs,omitempty"`
		Features []featureBody `json:"features"`
	}
	layersBody struct {
		Parcels         *layerBody `json:"parcels,omitempty"`
		Buildings       *layerBody `json:"buildings,omitempty"`
		Footprints      *layerBody `json:"building_footprints,omitempty"`
		Labels          *layerBody `json:"labels,omitempty"`
		LandUse         *layerBody `json:"landuse,omitempty"`
		LandUsePolygons *layerBody `json:"landuse_polygons,omitempty"`
		LandUsePoints   *layerBody `json:"landuse_points,omitempty"`
		Meta            metaBody   `json:"meta"`
	}
)
