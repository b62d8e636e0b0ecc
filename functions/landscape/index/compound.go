package index

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/landscape"
	place "mappe/functions/core/area"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/jsonin"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// typeFilter asks for a type that the model is sure of, and for an area of it. A type that the model did not judge is sure of
// nothing.
type typeFilter struct {
	Type          land.Type
	MinConfidence float64
	MinArea       float64
}

func (f typeFilter) passes(e *landscape.Entry) bool {
	l := coverOf(e, f.Type)
	if l == nil || l.AreaSqm < f.MinArea {
		return false
	}
	if f.MinConfidence <= 0 {
		return true
	}
	s := sureOf(e, f.Type)
	return s != nil && s.RFMean >= f.MinConfidence
}

// coverFilter asks for what a KG has of a type.
type coverFilter struct {
	Type                       land.Type
	MinArea, MinFraction       float64
	MinHeight, MaxHeight       float64
	boundedBelow, boundedAbove bool
}

func (f coverFilter) passes(e *landscape.Entry) bool {
	l := coverOf(e, f.Type)
	return l != nil && l.AreaSqm >= f.MinArea && l.Fraction >= f.MinFraction && (!f.boundedBelow || l.HeightMean >= f.MinHeight) &&
		(!f.boundedAbove || l.HeightMean <= f.MaxHeight)
}

// parsedType reads the notation type:number:number; what is left out is 0.
func parsedType(text, form string) (t land.Type, v [2]float64, err error) {
	fields := strings.Split(text, ":")
	if len(fields) > 3 {
		return t, v, errors.New(form)
	}
	if t, err = land.ParseType(strings.TrimSpace(fields[0])); err != nil {
		return t, v, errors.New(form + ", where type is one of " + strings.Join(landscape.TypeNames(), ", ") + fault.DidYouMean(fields[0],
			landscape.TypeNames()))
	}
	for i, f := range fields[1:] {
		if f == "" {
			continue
		}
		if v[i], err = strconv.ParseFloat(f, 64); err != nil || !(v[i] >= 0) {
			return t, v, errors.New(form + ", where numbers are 0 or more")
		}
	}
	return t, v, nil
}

const (
	typeForm  = "type:min_confidence:min_area_sqm"
	coverForm = "type:min_area_sqm:min_fraction"
)

// typeObject and coverObject are the filters as JSON.
type typeObject struct {
	Type          string  `json:"type"`
	MinConfidence float64 `json:"min_confidence,omitempty"`
	MinArea       float64 `json:"min_area_sqm,omitempty"`
}

type coverObject struct {
	Type        string   `json:"type"`
	MinArea     float64  `json:"min_area_sqm,omitempty"`
	MinFraction float64  `json:"min_fraction,omitempty"`
	MinHeight   *float64 `json:"min_height_mean,omitempty"`
	MaxHeight   *float64 `json:"max_height_mean,omitempty"`
}

// bounds of a filter that is given as JSON.
func checked(name string, v float64) error {
	if v < 0 {
		return errors.New(name + ": 0 or more")
	}
	return nil
}

func parseTypeFilter(text string) (f typeFilter, err error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		t, v, err := parsedType(text, typeForm)
		return typeFilter{t, v[0], v[1]}, err
	}
	var o typeObject
	if err := jsonin.Decode([]byte(text), &o); err != nil {
		return f, err
	}
	t, err := land.ParseType(o.Type)
	if err != nil {
		return f, errors.New("a type of objects: one of " + strings.Join(landscape.TypeNames(), ", "))
	}
	return typeFilter{t, o.MinConfidence, o.MinArea}, errors.Join(checked("min_confidence", o.MinConfidence),
		checked("min_area_sqm", o.MinArea))
}

func parseCoverFilter(text string) (f coverFilter, err error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		t, v, err := parsedType(text, coverForm)
		return coverFilter{Type: t, MinArea: v[0], MinFraction: v[1]}, err
	}
	var o coverObject
	if err := jsonin.Decode([]byte(text), &o); err != nil {
		return f, err
	}
	t, err := land.ParseType(o.Type)
	if err != nil {
		return f, errors.New("a type of objects: one of " + strings.Join(landscape.TypeNames(), ", "))
	}
	f = coverFilter{Type: t, MinArea: o.MinArea, MinFraction: o.MinFraction}
	if o.MinHeight != nil {
		f.MinHeight, f.boundedBelow = *o.MinHeight, true
	}
	if o.MaxHeight != nil {
		f.MaxHeight, f.boundedAbove = *o.MaxHeight, true
	}
	return f, errors.Join(checked("min_area_sqm", o.MinArea), checked("min_fraction", o.MinFraction))
}

const maxFilters = 50

// The parameters of compound.
var (
	cBox      = params.Box("Only KGs whose box meets this one.")
	cState    = place.State("state", "Only KGs of this state")
	cDistrict = place.District("district", "Only KGs of this district")
	cGemeinde = place.Gemeinde("gemeinde", "Only KGs of this municipality")
	cProcess  = endpoint.Bool("processed_only", "true leaves out KGs that were not processed.", endpoint.Default("false"))
	cTypes    = endpoint.ParsedList("type_filters",
		"Filters "+typeForm+", with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass.",
		parseTypeFilter, endpoint.Example("tree:0.6:10000"), endpoint.Repeated, endpoint.Between(1, maxFilters),
		endpoint.Objects(typeObject{}))
	cCovers = endpoint.ParsedList("landcover_filters",
		"Filters "+coverForm+", with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass.",
		parseCoverFilter, endpoint.Example("tree:0:0.3"), endpoint.Repeated, endpoint.Between(1, maxFilters),
		endpoint.Objects(coverObject{}))
	cSort = endpoint.Enum("sort", "Column that KGs are ordered by; those without a value stand last, and those alike by code.", sortNames(),
		endpoint.Default("kg_code"))
	cDir = endpoint.Enum("sort_dir", "Direction of the order.", []direction{rising, falling}, endpoint.Default("asc"))
)

func sortNames() (out []string) {
	for i := range landscape.RecordColumns {
		if c := &landscape.RecordColumns[i]; c.Numeric() || c.Type == landscape.Text {
			out = append(out, c.Name)
		}
	}
	return out
}

// textList is a filter by the values of a column of text.
type textList struct {
	param  *endpoint.Param[[]string]
	column *landscape.Column[landscape.Record]
}

// span is a range of a numeric column.
type span struct {
	low, high *endpoint.Param[float64]
	column    *landscape.Column[landscape.Record]
}

var textLists = func() (out []textList) {
	for _, f := range []struct{ name, column string }{{"aspect", "aspect_dominant"}, {"dominant_type", "dominant_type"},
		{"phenology", "phenology_dominant"},
		{"quality_grade", "quality_grade"}, {"terrain_class", "terrain_class"}} {
		c := landscape.RecordColumns.Find(f.column)
		out = append(out, textList{endpoint.EnumList(f.name, "Only KGs with one of these values of "+f.column+", with commas between.",
			c.Enum), c})
	}
	return out
}()

var spans = func() (out []span) {
	for i := range landscape.RecordColumns {
		if c := &landscape.RecordColumns[i]; c.Numeric() {
			bound := func(side, word string) *endpoint.Param[float64] {
				return endpoint.Float(side+c.Name, c.Name+" "+word+".", endpoint.Unit(c.Unit), endpoint.Between(-1e15, 1e15))
			}
			out = append(out, span{bound("min_", "at least"), bound("max_", "at most"), c})
		}
	}
	return out
}()

const compoundDoc = `The KGs that pass all filters, as index records. Every numeric column of the record has the bounds min_<column> and max_<column>; a
KG without the figure passes no bound of it. aspect, dominant_type, phenology, quality_grade and terrain_class are lists of values. type_filters and
landcover_filters may be given in either notation, in the address and in the body. POST takes the same names as members of a JSON object.`

// compoundBody is what POST reads: parameters as members, the page among them.
type compoundBody struct {
	params map[string]json.RawMessage
	text   string // of the whole, for the background
}

func (b *compoundBody) held() endpoint.Held { return endpoint.Held{Members: b.params} }

func parseCompound(b []byte) (*compoundBody, error) {
	params, err := endpoint.Beside(jsonin.New(b), nil, nil)
	return &compoundBody{params: params, text: withoutTask(b)}, err
}

// withoutTask is a body without what makes it a task, in one spelling.
func withoutTask(b []byte) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(b, &members) != nil {
		return ""
	}
	delete(members, qAsync.Name())
	delete(members, qTask.Name())
	out, _ := json.Marshal(members) // they were read
	return string(out)
}

// compoundMost is how many rows a page has at most.
const compoundMost = 1000

var compoundIn = endpoint.ParsedBody(
	"The parameters as members of an object, limit and offset too; type_filters and landcover_filters are arrays of objects or texts.",
	1<<20, struct{}{}, parseCompound).Carrying("", (*compoundBody).held).Paging()

// compoundParams are the filters on KGs and their order.
func compoundParams() []endpoint.AnyParam {
	ps := []endpoint.AnyParam{cBox, cState, cDistrict, cGemeinde, cProcess, cTypes, cCovers, cSort, cDir}
	for _, l := range textLists {
		ps = append(ps, l.param)
	}
	for _, b := range spans {
		ps = append(ps, b.low, b.high)
	}
	return ps
}

func (s *service) compound(method string) endpoint.Endpoint {
	ps := compoundParams()
	e := endpoint.Endpoint{
		Method: method, Path: "/api/v1/query/compound", ID: "query_compound", Tag: tag, Summary: "KGs that pass several filters",
		Doc: compoundDoc, Params: ps,
		Answer: endpoint.Answer{Rows: []*format.RowType{kgRows.RowType}, JSONOnly: true,
			Page: endpoint.Page{Default: 50, Max: compoundMost}, Body: listedKGs{}},
		Example: "/api/v1/query/compound?processed_only=false&sort=total_area_sqm&sort_dir=desc",
		Serve:   s.filter,
	}
	if method == "POST" {
		e.ID, e.Summary = "query_compound_post", "KGs that pass several filters, as JSON"
		e.Body = compoundIn
		e.Example, e.ExampleBody = "/api/v1/query/compound", `{"sort":"total_area_sqm","sort_dir":"desc","limit":5}`
	}
	return s.background(e, func(r *endpoint.Request) error { _, err := (*country)(nil).conditions(r); return err },
		func(r *endpoint.Request) string {
			if method == http.MethodPost {
				return compoundIn.Of(r).text
			}
			return ""
		})
}

// test is a condition of a KG.
type test func(e *landscape.Entry) bool

func (s *service) filter(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	c, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	tests, err := c.conditions(r)
	if err != nil {
		return nil, err
	}
	by, up := landscape.RecordColumns.Find(cSort.Of(r)), cDir.Of(r) == rising
	list, total := c.passing(tests, by, up, r.Offset+r.Limit)
	return someHits(r, kgRows, total, list), nil
}

// passing are the first most of the KGs that pass all tests, in the order of a column, and how many pass.
func (c *country) passing(tests []test, by *landscape.Column[landscape.Record], up bool, most int) (list []hit, total int) {
	passes := func(e *landscape.Entry) bool {
		for _, t := range tests {
			if !t(e) {
				return false
			}
		}
		return true
	}
	var places []int32
	if by.Numeric() {
		places, total = first(len(c.entries), most, func(i int) (v float64, ok bool) {
			e := &c.entries[i]
			if ok = passes(e); ok {
				v = by.Number(&e.Record)
			}
			return v, ok
		}, numbers(up))
	} else {
		places, total = first(len(c.entries), most, func(i int) (v string, ok bool) {
			e := &c.entries[i]
			if ok = passes(e); ok {
				v = by.Text(&e.Record)
			}
			return v, ok
		}, texts(up))
	}
	list = make([]hit, len(places))
	for i, at := range places {
		list[i].e = &c.entries[at]
	}
	return list, total
}

// conditions are the filters of a request on KGs.
func (c *country) conditions(r *endpoint.Request) (tests []test, err error) {
	if cProcess.Of(r) {
		tests = append(tests, func(e *landscape.Entry) bool { return e.Processed })
	}
	if cBox.Given(r) {
		box := cBox.Of(r).Grid()
		tests = append(tests, func(e *landscape.Entry) bool { return e.BBox.Intersects(box) })
	}
	in, err := c.within(r, cState, cDistrict, cGemeinde)
	if err != nil {
		return nil, err
	}
	if cState.Given(r) || cDistrict.Given(r) || cGemeinde.Given(r) {
		tests = append(tests, in)
	}
	for _, l := range textLists {
		if l.param.Given(r) {
			values, column := l.param.Of(r), l.column
			tests = append(tests, func(e *landscape.Entry) bool { return slices.Contains(values, column.Text(&e.Record)) })
		}
	}
	for _, b := range spans {
		column := b.column
		if b.low.Given(r) {
			least := b.low.Of(r)
			tests = append(tests, func(e *landscape.Entry) bool { return column.Number(&e.Record) >= least })
		}
		if b.high.Given(r) {
			most := b.high.Of(r)
			tests = append(tests, func(e *landscape.Entry) bool { return column.Number(&e.Record) <= most })
		}
	}
	for _, f := range cTypes.Of(r) {
		tests = append(tests, f.passes)
	}
	for _, f := range cCovers.Of(r) {
		tests = append(tests, f.passes)
	}
	return tests, nil
}
