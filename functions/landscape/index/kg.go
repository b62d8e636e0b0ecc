package index

import (
	"context"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	kgPath    = params.KG("kg_code", "The KG", endpoint.Required)
	indexOnly = endpoint.Bool("index_only", "true answers the record of the index alone, without the lists.", endpoint.Default("false"))
	within    = params.Box("Only what lies in this box.")
	variant   = endpoint.Enum("variant", "Product whose layers are named.", []string{"light", "full"}, endpoint.Default("light"))
)

type coverBody struct {
	Type       string   `json:"object_type"`
	Area       *float64 `json:"area_sqm"`
	Fraction   *float64 `json:"fraction"`
	Objects    *float64 `json:"n_objects"`
	HeightMin  *float64 `json:"height_min"`
	HeightMax  *float64 `json:"height_max"`
	HeightMean *float64 `json:"height_mean"`
	HeightP90  *float64 `json:"height_p90"`
}

type lossBody struct {
	Year   *float64 `json:"loss_year"`
	Pixels *float64 `json:"loss_pixels"`
}

type sureBody struct {
	Type     string   `json:"object_type"`
	Mean     *float64 `json:"rf_mean_confidence"`
	Min      *float64 `json:"rf_min_confidence"`
	Count    *float64 `json:"rf_count"`
	Diverged *float64 `json:"diverged_count"`
}

type pairBody struct {
	RFType string   `json:"rf_type"`
	Final  string   `json:"final_type"`
	Count  *float64 `json:"count"`
}

// linksBody says where the products of a KG are; null until they are uploaded.
type linksBody struct {
	JSON  *string `json:"json"`
	Light *string `json:"light_gpkg"`
	Full  *string `json:"full_gpkg"`
	Self  string  `json:"self"`
}

// kgBody is the answer of a KG, beside the columns of its record.
type kgBody struct {
	endpoint.Open                    // the columns of the record, as the rows of /query have them
	Landcover      []coverBody       `json:"landcover,omitempty"`
	HansenLoss     []lossBody        `json:"hansen_loss,omitempty"`
	Classification []sureBody        `json:"classification,omitempty"`
	Divergence     []pairBody        `json:"divergence,omitempty"`
	Links          linksBody         `json:"_links"`
	Meta           reply.DatasetMeta `json:"meta"`
}

func coversOf(list []landscape.Landcover) []coverBody {
	out := make([]coverBody, len(list))
	for i, l := range list {
		out[i] = coverBody{l.Type.String(), rounded(l.AreaSqm, 0), rounded(l.Fraction, 6), rounded(l.Objects, 0),
			rounded(l.HeightMin, 2), rounded(l.HeightMax, 2), rounded(l.HeightMean, 2), rounded(l.HeightP90M, 2)}
	}
	return out
}

func suresOf(list []landscape.Classification) []sureBody {
	out := make([]sureBody, len(list))
	for i, c := range list {
		out[i] = sureBody{c.Type.String(), rounded(c.RFMean, 4), rounded(c.RFMin, 4), rounded(c.RFCount, 0), rounded(c.DivergedCount, 0)}
	}
	return out
}

func lossesOf(list []landscape.HansenLoss) []lossBody {
	out := make([]lossBody, len(list))
	for i, l := range list {
		out[i] = lossBody{rounded(l.Year, 0), rounded(l.Pixels, 0)}
	}
	return out
}

func pairsOf(list []landscape.Divergence) []pairBody {
	out := make([]pairBody, len(list))
	for i, d := range list {
		out[i] = pairBody{d.RFType.String(), d.FinalType.String(), rounded(d.Count, 0)}
	}
	return out
}

func link(url string) *string {
	if url == "" {
		return nil
	}
	return &url
}

func (s *service) kg() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg_code}", ID: "landscape_kg", Tag: tag, Summary: "What was found on a KG",
		Doc: `The record of the KG, and of a processed one what it has of each type of objects, the forest that it lost, how sure the model is and where its
types and the final ones differ. _links names the products in the research repository; they are null until uploaded. A KG that was not processed is
answered with what the cadastre knows, processed false and empty lists.`,
		Params: []endpoint.AnyParam{kgPath, indexOnly}, Answer: endpoint.Answer{Body: kgBody{}}, Example: "/api/v1/kg/09902",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			e, err := c.need(kgPath.Of(r))
			if err != nil {
				return nil, err
			}
			self := endpoint.Prefix(r.HTTP) + "/api/v1/kg/" + e.KGCode
			return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
				writeRecord(j, &e.Record)
				if !indexOnly.Of(r) {
					writeLists(j, &e.Summary)
				}
				j.Member("_links", linksBody{link(e.JSONURL), link(e.LightURL), link(e.FullURL), self})
				return nil
			}}, nil
		},
	}
}

func writeLists(j *format.JSON, s *landscape.Summary) {
	j.Member("landcover", coversOf(s.Landcover))
	j.Member("hansen_loss", lossesOf(s.HansenLoss))
	j.Member("classification", suresOf(s.Classification))
	j.Member("divergence", pairsOf(s.Divergence))
}

// part declares a list of the things of a KG in a box.
type part[T any] struct {
	path, id, summary, doc string
	body                   any // the shape of the list
	layer                  *landscape.Layer[T]
	rows                   *format.Schema[T]
	at                     func(*T) geom.Box
	page                   endpoint.Page
	params                 []endpoint.AnyParam
	passes                 func(r *endpoint.Request) func(*T) bool
	ways                   ways
}

func (p part[T]) endpoint(s *service) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg_code}/" + p.path, ID: p.id, Tag: tag, Summary: p.summary,
		Doc:     p.doc + " A KG that was not processed is 404 with processed false.",
		Params:  append([]endpoint.AnyParam{kgPath, within}, p.params...),
		Answer:  endpoint.Answer{Rows: []*format.RowType{p.rows.RowType}, JSONOnly: true, Page: p.page, Body: p.body},
		Example: "/api/v1/kg/09902/" + p.path,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			f, err := c.file(ctx, kgPath.Of(r))
			if err != nil {
				return nil, err
			}
			a, err := p.answer(ctx, r, f)
			if err != nil {
				return nil, err
			}
			return credited(ctx, c, a, p.ways)
		},
	}
}

// answer reads the sections that the page or the filter needs: of a list without a filter those of its page alone.
func (p part[T]) answer(ctx context.Context, r *endpoint.Request, f *file) (reply.Answer, error) {
	var test func(*T) bool
	if p.passes != nil {
		test = p.passes(r)
	}
	if !within.Given(r) && test == nil {
		return p.plain(ctx, r, f)
	}
	meets := func(geom.Box) bool { return true }
	if within.Given(r) {
		box := within.Of(r).Grid()
		meets = box.Intersects
	}
	var shown []T
	total := 0
	err := eachRow(ctx, f, p.layer, func(c landscape.Chunk) bool { return meets(c.Box) }, func(row *T) {
		if !meets(p.at(row)) || test != nil && !test(row) {
			return
		}
		if total >= r.Offset && len(shown) < r.Limit {
			shown = append(shown, *row)
		}
		total++
	})
	if err != nil {
		return nil, err
	}
	return write(r, p.rows, total, shown, func(item, of *T) { *item = *of }), nil
}

func (p part[T]) plain(ctx context.Context, r *endpoint.Request, f *file) (reply.Answer, error) {
	total := f.h.Rows(p.layer.Name)
	from, to := r.Span(total)
	at, skipped := 0, -1
	got, err := rows(ctx, f, p.layer, func(c landscape.Chunk) bool {
		begins := at
		at += c.Rows
		wanted := begins < to && at > from
		if wanted && skipped < 0 {
			skipped = begins
		}
		return wanted
	})
	if err != nil {
		return nil, err
	}
	list := slices.Concat(got...)
	if skipped >= 0 {
		list = list[from-skipped : to-skipped]
	}
	return write(r, p.rows, total, list, func(item, of *T) { *item = *of }), nil
}

func boxOf(m geom.MultiPolygon, at geom.Point) geom.Box {
	if len(m) > 0 {
		return m.Bounds()
	}
	return geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}
}
