package place

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	artefact "mappe/artefacts/toponyms"
	registers "mappe/functions/core/area"
	"mappe/functions/core/search"
	"mappe/functions/core/toponyms"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// The bounds of a search around a place, in metres.
const (
	maxRadius    = 2000
	maxFarRadius = 100_000
)

var (
	toponymRadius = endpoint.Float("radius", "How far from the point.", endpoint.Between(1, maxRadius), endpoint.Default("500"),
		endpoint.Unit("m"))
	toponymLayers = endpoint.ParsedList("layer", "Only these layers, as a comma list: "+strings.Join(layerNames(), ", ")+".",
		artefact.ParseLayer, endpoint.Between(1, 7), endpoint.Example("ried"))
	toponymCode  = endpoint.Int("f_code", "Only names of this code.", endpoint.Between(1, 99_999), endpoint.Example("7302"))
	toponymQuery = endpoint.String("q", "The name, in any spelling.", endpoint.Required, endpoint.Between(1, 200),
		endpoint.Example("Sonnleiten"))
	toponymKG     = params.KG("kg", "Only names in this KG")
	toponymIn     = registers.Gemeinde("gemeinde", "Only names in this municipality")
	toponymBezirk = registers.District("district", "Only names in this district")
	toponymState  = registers.State("state", "Only names in this state")
	toponymNear   = params.Point("near", "Only names around this point")
	toponymFar    = endpoint.Float("radius", "How far from the point of near.", endpoint.Between(1, maxFarRadius),
		endpoint.Default("10000"), endpoint.Unit("m"))
	toponymBox   = params.Box("Only names in this box:", endpoint.Example("13.2,47.2,13.4,47.4"))
	toponymScore = endpoint.Float("min_score", "The least score of a match.", endpoint.Between(artefact.LeastScore, 1),
		endpoint.Default("0.55"))
	toponymID = endpoint.String("id", "Id of the name.", endpoint.Between(1, 64),
		endpoint.Example("99999999-0000-4000-8000-000000000001"))
	pathKG = params.KG("kg_code", "The KG")
)

// nameFilter reads layer and f_code.
func nameFilter(r *endpoint.Request) toponyms.Filter {
	f := toponyms.All
	if toponymLayers.Given(r) {
		f.Layers = artefact.SetOf(toponymLayers.Of(r)...)
	}
	f.Code = toponymCode.Of(r)
	return f
}

// openNames are the names of a request.
func openNames(ctx context.Context) (*view.View, *toponyms.Names, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	n, err := toponyms.Of(ctx, v.View)
	if err == nil && n == nil {
		err = fault.New(fault.Unavailable, "geographical names are not published in this generation of the data")
	}
	return v, n, err
}

// namesMeta is what meta says beside the common.
type namesMeta struct {
	Stichtag string `json:"stichtag" doc:"Date of the names."`
}

// namePage is a page of names.
func namePage(r *endpoint.Request, v *view.View, n *toponyms.Names, list []toponyms.Found) *reply.Rows {
	page := endpoint.Paged(r, list)
	return &reply.Rows{Total: len(list), Rows: sequence(v, n, page), Geometry: r.Format != format.FormJSON, Attribution: n.Attribution,
		Meta: []reply.Member{{Name: "stichtag", Value: n.Stichtag}}}
}

const nameDoc = `
Names are placed within some 50 m. Plain JSON rows carry lon and lat; the geographic forms draw points.`

func toponymsNear() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/toponyms/near", ID: "toponyms_near",
		Summary: "Geographical names around a point, nearest first",
		Doc:     `Names within the radius that pass layer and f_code, by distance, then id.` + nameDoc,
		Params:  append(position.Params(), toponymRadius, toponymLayers, toponymCode),
		Answer:  endpoint.Answer{Rows: []*format.RowType{toponymRows.RowType}, Meta: namesMeta{}},
		Example: "/api/v1/toponyms/near?lon=13.2742&lat=47.3208&radius=2000",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			at, err := position.Of(r)
			if err != nil {
				return nil, err
			}
			v, n, err := openNames(ctx)
			if err != nil {
				return nil, err
			}
			list, err := n.Near(ctx, at, toponymRadius.Of(r), nameFilter(r))
			if err != nil {
				return nil, err
			}
			return namePage(r, v, n, list), nil
		},
	}
}

func toponymsSearch() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/toponyms/search", ID: "toponyms_search",
		Summary: "Geographical names by spelling",
		Doc: `Names that are spelled like q, in any of their spellings, variants and languages, and that pass every filter given. score is 1.0
where they are the same but for capitals, umlauts, hyphens and the like; else the trigrams that both have by the trigrams that either has, each word
with two blanks before and one behind it, as in pg_trgm, and at least min_score (0.55). Order: score, field names (ried) first, layer, name. near
chooses names within radius of a point and adds distance_m.` + nameDoc,
		Params: []endpoint.AnyParam{toponymQuery, toponymLayers, toponymKG, toponymIn, toponymBezirk, toponymState, toponymNear, toponymFar,
			toponymBox, toponymScore},
		Answer: endpoint.Answer{Rows: []*format.RowType{toponymRows.RowType}, Meta: namesMeta{}}, Example: "/api/v1/toponyms/search?q=Quettenach",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if toponymFar.Given(r) && !toponymNear.Given(r) {
				return nil, toponymFar.Clash(r, "it together with near")
			}
			v, n, err := openNames(ctx)
			if err != nil {
				return nil, err
			}
			list, total, err := searchNames(ctx, v, n, r)
			if err != nil {
				return nil, err
			}
			a := namePage(r, v, n, nil)
			a.Total, a.Rows = total, sequence(v, n, list)
			return a, nil
		},
	}
}

// searchNames gives a page of matches and how many there are.
func searchNames(ctx context.Context, v *view.View, n *toponyms.Names, r *endpoint.Request) ([]toponyms.Found, int, error) {
	s, err := n.Search(ctx)
	if err != nil {
		return nil, 0, err
	}
	ruler := crs.RulerAt(toponymNear.Of(r))
	passes, err := spots(v, r)
	if err != nil {
		return nil, 0, err
	}
	matches := s.Find(toponymQuery.Of(r), toponymScore.Of(r), func(e *artefact.Entry) bool {
		return passes(e) && (!toponymNear.Given(r) || ruler.Distance(e.At) <= toponymFar.Of(r))
	})
	list, err := named(ctx, n, endpoint.Paged(r, matches))
	if err == nil && toponymNear.Given(r) {
		for i := range list {
			list[i].Metres = ruler.Distance(list[i].At)
		}
	}
	return list, len(matches), err
}

// spots tests where a name lies against the filters of a request.
func spots(v *view.View, r *endpoint.Request) (func(*artefact.Entry) bool, error) {
	layers := artefact.AllNames
	if toponymLayers.Given(r) {
		layers = artefact.SetOf(toponymLayers.Of(r)...)
	}
	gemeinden, err := registers.Municipalities.Among(v.Register(), r, toponymIn)
	if err != nil {
		return nil, err
	}
	districts, err := registers.Districts.Among(v.Register(), r, toponymBezirk)
	if err != nil {
		return nil, err
	}
	within := toponymBox.Of(r).Grid()
	regional := toponymIn.Given(r) || toponymBezirk.Given(r) || toponymState.Given(r)
	return func(e *artefact.Entry) bool {
		if !layers.Has(e.Layer) || toponymKG.Given(r) && e.KG != toponymKG.Of(r) || toponymBox.Given(r) && !within.Contains(e.At) {
			return false
		}
		if !regional {
			return true
		}
		if e.KG == "" {
			return false
		}
		k := v.Register().KG(e.KG)
		return k != nil && gemeinden.Has(string(k.GemeindeCode)) && districts.Has(string(k.DistrictCode)) &&
			(!toponymState.Given(r) || k.State() == toponymState.Of(r))
	}, nil
}

// named completes matches from their cells.
func named(ctx context.Context, n *toponyms.Names, matches []artefact.Match) ([]toponyms.Found, error) {
	numbers := make([]int, len(matches))
	for i := range matches {
		numbers[i] = matches[i].Number
	}
	names, err := n.Numbers(ctx, numbers)
	if err != nil {
		return nil, err
	}
	list := make([]toponyms.Found, len(names))
	for i := range names {
		list[i] = toponyms.Found{Name: names[i], Metres: math.NaN(), Score: matches[i].Score}
	}
	return list, nil
}

func toponymByID() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/toponyms/{id}", ID: "toponym",
		Summary: "One geographical name",
		Doc:     `data is the name. 404 where no name has the id. It does not say in which parcel the name lies.`,
		Params:  []endpoint.AnyParam{toponymID},
		Answer: endpoint.Answer{Rows: []*format.RowType{toponymRows.RowType}, Page: endpoint.Page{None: true}, JSONOnly: true,
			Body: struct {
				Data endpoint.Row `json:"data"`
				Meta licenceMeta  `json:"meta"`
			}{}},
		Example: "/api/v1/toponyms/99999999-0000-4000-8000-000000000001",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, n, err := openNames(ctx)
			if err != nil {
				return nil, err
			}
			x, err := n.ByID(ctx, toponymID.Of(r))
			if err != nil {
				return nil, err
			}
			if x == nil {
				return nil, fault.New(fault.NotFound, "there is no geographical name %s", fault.Shorten(toponymID.Of(r)))
			}
			row := toponymRows.Record()
			row.Item = toponymRow{toponyms.Found{Name: x, Metres: math.NaN(), Score: math.NaN()}, v.Register(), n.Stichtag}
			return &reply.Stream{Attribution: n.Attribution, Write: func(j *format.JSON, l *format.Layout) error {
				j.Key("data")
				j.Row(row, l)
				return j.Err()
			}}, nil
		},
	}
}

func toponymsOfKG() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg_code}/toponyms", ID: "kg_toponyms",
		Summary: "Geographical names in a KG, field names first",
		Doc:     `Names in the KG: field names (ried) first, then by layer, name and id. 404 where there is no such KG.` + nameDoc,
		Params:  []endpoint.AnyParam{pathKG, toponymLayers},
		Answer:  endpoint.Answer{Rows: []*format.RowType{toponymRows.RowType}, Meta: namesMeta{}},
		Example: "/api/v1/kg/99101/toponyms",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, n, err := openNames(ctx)
			if err != nil {
				return nil, err
			}
			k, err := view.Known(v.View, pathKG.Of(r))
			if err != nil {
				return nil, err
			}
			f := toponyms.All
			if toponymLayers.Given(r) {
				f.Layers = artefact.SetOf(toponymLayers.Of(r)...)
			}
			list, err := n.InKG(ctx, k.Code, f)
			if err != nil {
				return nil, err
			}
			return namePage(r, v, n, list), nil
		},
	}
}

type toponymCounts struct {
	Stichtag string             `json:"stichtag"`
	Total    int                `json:"total"`
	Layers   map[string]int     `json:"layers" doc:"names per layer"`
	Codes    []toponymCodeCount `json:"f_codes" doc:"names per layer and code, in their order"`
	Accuracy int                `json:"positional_accuracy_m"`
}

type toponymCodeCount struct {
	Layer string `json:"layer"`
	Code  *int   `json:"f_code"`
	Name  string `json:"f_name"`
	N     int    `json:"count"`
}

func toponymsStats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/toponyms/stats", ID: "toponyms_stats",
		Summary: "Geographical names in numbers",
		Doc:     `data {stichtag, total, layers, f_codes[], positional_accuracy_m}: names per layer, and per code with what it means.`,
		Answer: endpoint.Answer{Body: struct {
			Data toponymCounts `json:"data"`
			Meta licenceMeta   `json:"meta"`
		}{}},
		Example: "/api/v1/toponyms/stats",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			_, n, err := openNames(ctx)
			if err != nil {
				return nil, err
			}
			counts, err := n.Stats(ctx)
			if err != nil {
				return nil, err
			}
			c := toponymCounts{Stichtag: n.Stichtag, Total: n.Total, Layers: map[string]int{}, Codes: []toponymCodeCount{},
				Accuracy: accuracy}
			for _, l := range artefact.AllLayers() {
				c.Layers[l.String()] = 0
			}
			for i := range counts {
				x := &counts[i]
				c.Layers[x.Layer.String()] += x.N
				row := toponymCodeCount{x.Layer.String(), nil, x.Feature, x.N}
				if x.Code > 0 {
					row.Code = &x.Code
				}
				c.Codes = append(c.Codes, row)
			}
			a := data(c)
			a.Attribution = n.Attribution
			return a, nil
		},
	}
}

// The parameters of the names in /context.
var (
	contextRadius = endpoint.Float("radius_m", "How far names are looked for.", endpoint.Between(1, maxRadius), endpoint.Default("500"),
		endpoint.Unit("m"))
	contextNames = endpoint.Int("limit", "Names in the answer at most.", endpoint.Between(1, 50), endpoint.Default("20"))
)

// toponymsBlock are the names around a place.
type toponymsBlock struct {
	Radius float64           `json:"radius_m"`
	Total  int               `json:"total"`
	Rows   []json.RawMessage `json:"rows"`
}

var toponymLayout = format.NewLayout(nil, toponymRows.RowType)

func (q *question) toponyms(ctx context.Context) (any, string, error) {
	n, err := toponyms.Of(ctx, q.v.View)
	if err != nil || n == nil {
		return nil, notPublished, err
	}
	list, err := n.Near(ctx, q.at, q.opt.radius, q.opt.names)
	if err != nil {
		return nil, "", err
	}
	q.attribution[toponymsName] = n.Attribution
	b := &toponymsBlock{Radius: q.opt.radius, Total: len(list), Rows: []json.RawMessage{}}
	for row := range sequence(q.v, n, list[:min(len(list), q.opt.most)]) {
		var body bytes.Buffer
		buf := format.NewBuffer(&body)
		format.NewJSON(buf, false).Row(row, toponymLayout)
		err := buf.Flush()
		buf.Close()
		if err != nil {
			return nil, "", err
		}
		b.Rows = append(b.Rows, body.Bytes())
	}
	return b, "", nil
}

// lookUpNames finds geographical names as rows of the lookup, under the licence of the names.
func lookUpNames(ctx context.Context, q search.Question) (*reply.Stream, error) {
	v, n, err := openNames(ctx)
	if err != nil {
		return nil, err
	}
	s, err := n.Search(ctx)
	if err != nil {
		return nil, err
	}
	matches := s.Find(q.Text, artefact.LeastScore, func(*artefact.Entry) bool { return true })
	list, err := named(ctx, n, matches[:min(len(matches), q.Limit)])
	if err != nil {
		return nil, err
	}
	out := []search.Place{}
	for i := range list {
		p := search.Place{Type: typeToponym, Code: list[i].ID, Name: list[i].Name.Name, PLZ: []austria.PLZ{},
			Location: search.LocationOf(list[i].At)}
		if k := v.Register().KG(list[i].KG); list[i].KG != "" && k != nil {
			number, _ := strconv.Atoi(string(k.Code)) // five digits
			p.GemeindeCode, p.GemeindeName, p.KGCode, p.KGNumber = k.GemeindeCode, k.GemeindeName, &k.Code, &number
		}
		out = append(out, p)
	}
	a := lookedUp(out)
	a.Notice, a.Attribution = &noticeToponyms, n.Attribution
	return a, nil
}
