package segment

import (
	"context"
	"encoding/json"
	"slices"

	"mappe/functions/core/drawn"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/core/view"
	"mappe/functions/landscape/classes"
	"mappe/functions/landscape/scans"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	dataset = params.Date("dataset", "Date of the laser scan as YYYYMMDD; where none is given the newest whose tiles cover the "+
		"area, else the newest that touches it.")
	minSize = endpoint.Float("min_object_size", "What is smaller joins the neighbour that it differs least from.",
		endpoint.Between(1, 10000), endpoint.Default("30"), endpoint.Unit("m²"))
	felzScale = endpoint.Float("felz_scale", "Where heights are missing: the larger, the larger objects are. The unit is that of "+
		"scikit-image: k of Felzenszwalb & Huttenlocher is 1/255 of it, for colours from 0 to 1.", endpoint.Between(1, 10000),
		endpoint.Default("150"))
	threshold = endpoint.Float("rag_threshold", "Neighbours are merged while the mean gradient along their border, 0 to 1, is below "+
		"it.", endpoint.Between(0, 1), endpoint.Default("0.12"))
	useOrtho = endpoint.Bool("include_ortho", "Whether the newest orthophoto is looked at, where there is one.", endpoint.Default("true"))
	useTime  = endpoint.Bool("include_temporal", "Whether the scan is compared with the one before it: for height_change, dtm_change "+
		"and temporal_stability, and the types that they tell.", endpoint.Default("true"))
	satellites = endpoint.Bool("include_copernicus", "Whether vegetation index over the year, radar and land cover of satellites are "+
		"looked at, where there are some.", endpoint.Default("true"))
	cadastre = endpoint.Bool("include_cadastre", "Whether footprints of the cadastre bound objects and tell roofs, and its land use "+
		"tells gardens and vineyards.", endpoint.Default("true"))
	hansen = endpoint.Bool("include_hansen", "Whether the global forest change is asked for: layers_missing names it if it does not cover the area. "+
		"No type and no property is made of it.", endpoint.Default("true"))
	explain = endpoint.Bool("explain", "Adds to each segment the rule that fired, what rules and model say, and the features that "+
		"spoke most for what the model says.", endpoint.Default("false"))
	types  = endpoint.Strings("types", "Only segments of these types, as a comma list of "+list(typeNames())+".")
	groups = endpoint.Strings("groups",
		"Only segments of types that are members of one of these groups, as a comma list of "+list(groupNames())+".")
)

// forms are those of the answer: it is a FeatureCollection where nothing else is asked for.
var forms = []format.Format{format.FormGeoJSON, format.FormJSON, format.FormCSV, format.FormGeoPackage, format.FormKML,
	format.FormGeoJSONSeq, format.FormNDJSON, format.FormParquet}

// segmentMeta is what meta says beyond the common.
type segmentMeta struct {
	Dataset          *string        `json:"dataset" doc:"date of the laser scan; null where heights are missing"`
	Earlier          *string        `json:"earlier_dataset" doc:"date of the earlier scan that it was compared with; null without one"`
	Ortho            *string        `json:"ortho" doc:"date of the orthophoto; null if none was used"`
	Coverage         *float64       `json:"coverage" doc:"share of the area that has heights"`
	Found            *float64       `json:"segmented" doc:"share of the area in segments"`
	Methods          map[string]int `json:"methods" doc:"squares of 1 km by how they were divided: watershed, felzenszwalb"`
	Gradient         []string       `json:"gradient_layers" doc:"layers that the gradient was fused of: height, surface, ndvi, brightness"`
	Missing          []string       `json:"layers_missing" doc:"layers that were asked for and are not available"`
	Model            *classes.About `json:"model" doc:"trained model that told types; null: the rules told them alone"`
	Mask             string         `json:"building_mask" enum:"cadastre,partial,none" doc:"which footprints bounded segments"`
	Infrastructure   *string        `json:"infrastructure" doc:"licence of the map from which ways are known; null without one"`
	Parameters       map[string]any `json:"parameters" doc:"as they were used"`
	GeometryRepaired bool           `json:"geometry_repaired"`
	Warnings         []string       `json:"warnings"`
	view.GapsMeta
}

// segmentBeside is what stands beside features and meta.
type segmentBeside struct {
	Summary map[string]typeSummary `json:"summary" doc:"by type, those that occur"`
}

type typeSummary struct {
	Count      int      `json:"count"`
	Area       *float64 `json:"area_sqm"`
	Confidence *float64 `json:"confidence_mean"`
}

func (e *service) segment() endpoint.Endpoint {
	body := drawn.AreaBody(e.memory)
	return e.task().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/segment", ID: "segment", Tag: tag,
		Summary: "The objects of an area by type",
		Doc: `The area divided into segments, each with its type, outline, and what was measured of it. Segments follow edges in heights,
vegetation index and brightness (marker watershed apart for ground and what stands on it, then merging of regions); a footprint's edge bounds
them always. Where heights are missing they are those of Felzenszwalb & Huttenlocher in the colours of the orthophoto: meta.methods says so. The
type is told by a trained model where it is at least half sure, else by rules (classifier_source); meta.model is null where rules told all. A
segment is the same in every answer, but that the border of the area cuts it. The figures of a layer that is missing are null, and
meta.layers_missing names it. summary counts by type, before types and groups choose. A geometry that is not valid is repaired:
meta.geometry_repaired and meta.warnings say so.
An area with more than 250,000 segments is refused.`,
		Params: []endpoint.AnyParam{dataset, minSize, felzScale, threshold, useOrtho, useTime, satellites, cadastre, hansen,
			types, groups, explain},
		Body: body,
		Answer: endpoint.Answer{Rows: []*format.RowType{explained.RowType}, Forms: forms, Page: endpoint.Page{None: true},
			Meta: segmentMeta{}, Beside: segmentBeside{}, Headers: view.ReadyHeaders},
		Example:     "/api/v1/segment",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*question, error) {
		q := &question{Area: body.Of(r), Dataset: dataset.Of(r), MinSize: minSize.Of(r), FelzScale: felzScale.Of(r),
			Threshold: threshold.Of(r), Ortho: useOrtho.Of(r),
			Temporal: useTime.Of(r), Copernicus: satellites.Of(r), Cadastre: cadastre.Of(r), Hansen: hansen.Of(r), Explain: explain.Of(r)}
		var err error
		if q.Types, err = named("types", types.Of(r), typeNames()); err != nil {
			return nil, err
		}
		q.Groups, err = named("groups", groups.Of(r), groupNames())
		return q, err
	})
}

// question is what is asked of an area.
type question struct {
	Area       *drawn.Area `json:"area"`
	Dataset    string      `json:"dataset,omitempty"` // "" for the newest
	MinSize    float64     `json:"min_object_size"`
	FelzScale  float64     `json:"felz_scale"`
	Threshold  float64     `json:"rag_threshold"`
	Ortho      bool        `json:"include_ortho,omitempty"`
	Temporal   bool        `json:"include_temporal,omitempty"`
	Copernicus bool        `json:"include_copernicus,omitempty"`
	Cadastre   bool        `json:"include_cadastre,omitempty"`
	Hansen     bool        `json:"include_hansen,omitempty"`
	Explain    bool        `json:"explain,omitempty"`
	Types      []string    `json:"types,omitempty"`
	Groups     []string    `json:"groups,omitempty"`
}

func (q *question) place() json.RawMessage {
	f := drawn.Feature{Polygons: q.Area.Geometry}
	return f.GeoJSON()
}

// keeps says whether segments of a type are asked for.
func (q *question) keeps(t land.Type) bool {
	if len(q.Types) > 0 && !slices.Contains(q.Types, t.String()) {
		return false
	}
	return len(q.Groups) == 0 || slices.ContainsFunc(q.Groups, func(name string) bool {
		g, err := land.ParseGroup(name)
		return err == nil && t.In(g)
	})
}

// task are the segments of an area, at once or in the background.
func (e *service) task() *tasks.Task[question] {
	return &tasks.Task[question]{Name: "segment", State: scans.StateWithCadastre, Place: (*question).place,
		Layer: shares.Layer{Type: "type", Height: []string{"height_max_m"}, Style: style},
		Run: func(ctx context.Context, q *question, p *tasks.Progress) (reply.Answer, error) {
			got, err := e.divide(ctx, q, p)
			if err != nil {
				return nil, err
			}
			return got.answer(q), nil
		}}
}
