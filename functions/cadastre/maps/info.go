package maps

import (
	"context"
	"encoding/json"
	"html"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/rowschema"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// infoType is the form of what is told of a pixel.
type infoType string

// The forms.
const (
	infoJSON infoType = "application/json"
	infoText infoType = "text/plain"
	infoHTML infoType = "text/html"
)

// told is a feature that stands at a pixel.
type told struct {
	layer layer
	names []string
	at    map[string]any
}

func (s *service) getFeatureInfo(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, err := pictureOf(r)
	if err != nil {
		return nil, err
	}
	if err := need(r, getFeatureInfo, pAsked); err != nil {
		return nil, err
	}
	col, row := pI, pJ
	if old(r) || !pI.Given(r) && pX.Given(r) {
		col, row = pX, pY
	}
	if err := need(r, getFeatureInfo, col, row); err != nil {
		return nil, err
	}
	if col.Of(r) >= v.w {
		return nil, col.Bad(r, "a column below the width "+strconv.Itoa(v.w))
	}
	if row.Of(r) >= v.h {
		return nil, row.Bad(r, "a row below the height "+strconv.Itoa(v.h))
	}
	return tell(ctx, r, question{v, col.Of(r), row.Of(r), pAsked.Of(r), pCount.Of(r), pInfo.Of(r), locale{}})
}

// question is which features are asked for: those at a pixel of a picture, of some layers, so many of each at most.
type question struct {
	picture
	col, row int
	layers   []layer
	most     int
	as       infoType
	in       locale // of sentences; JSON is for programs and English
}

// tell answers a question: the same by each service.
func tell(ctx context.Context, r *endpoint.Request, q question) (_ reply.Answer, err error) {
	if q.as != infoJSON {
		if q.in, err = localeOf(r); err != nil {
			return nil, err
		}
	}
	var list []told
	var gaps view.Missing
	lon, lat := q.degrees(float64(q.col)+0.5, float64(q.row)+0.5)
	if at, ok := geom.PointAt(lon, lat); ok && !math.IsNaN(lon) && !math.IsNaN(lat) {
		layers := drawn(q.layers)
		over, err := overAt(ctx, at, layers, q.most)
		if err != nil {
			return nil, err
		}
		q.layers = layers
		below, err := themesAt(ctx, at, q, &gaps)
		if err != nil {
			return nil, err
		}
		if layers = slices.DeleteFunc(layers, func(l layer) bool { return l.over() || l.theme() }); len(layers) > 0 {
			if list, err = toldAt(ctx, at, layers, q.most, &gaps); err != nil {
				return nil, err
			}
		}
		list = slices.Concat(over, list, below)
	}
	answer := &reply.Bytes{Header: http.Header{}}
	switch q.as {
	case infoJSON:
		answer.ContentType = string(infoJSON)
		answer.Body, err = jsonInfo(list, &gaps, r.Generation.Attribution)
	case infoHTML:
		answer.ContentType, answer.Body = "text/html; charset=utf-8", []byte(q.in.htmlInfo(list, &gaps))
		answer.Header = policy.Header()
	default:
		answer.ContentType, answer.Body = "text/plain; charset=utf-8", []byte(q.in.textInfo(list, &gaps))
	}
	if q.as != infoJSON {
		maps.Copy(answer.Header, q.in.header())
	}
	maps.Copy(answer.Header, gaps.Header())
	return answer, err
}

// toldAt are the features of layers at a point, the uppermost layer first; at most so many of each. The gaps are the KGs that the point may
// lie in and that have no snapshot, where none of the others holds it.
func toldAt(ctx context.Context, at geom.Point, layers []layer, most int, gaps *view.Missing) (list []told, err error) {
	a, err := view.TilesOf(ctx)
	if err != nil {
		return nil, err
	}
	g := mvt.Grid{Z: a.Header.MaxZoom, Extent: mvt.DefaultExtent}
	x, y := g.Snap(at)
	id := g.Tile(x, y)
	t, err := decoded(ctx, a, id)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, unbuiltAt(ctx, at, gaps)
	}
	spot := mvt.Point{X: int32(x - int64(id.X)*mvt.DefaultExtent), Y: int32(y - int64(id.Y)*mvt.DefaultExtent)}
	outlines := t.Layer(string(kgs))
	if outlines == nil || !slices.ContainsFunc(outlines.Features, func(f mvt.Feature) bool { return inside(&f, spot, scale(outlines)) }) {
		if err := unbuiltAt(ctx, at, gaps); err != nil {
			return nil, err
		}
	}
	for _, d := range slices.Backward(all) {
		l := t.Layer(string(d.layer))
		if l == nil || d.layer == labels || !slices.Contains(layers, d.layer) {
			continue // a number is the parcel's
		}
		n := 0
		for i := range l.Features {
			if n < most && inside(&l.Features[i], spot, scale(l)) {
				list = append(list, describe(d.layer, l, &l.Features[i]))
				n++
			}
		}
	}
	return list, nil
}

// unbuiltAt notes the KGs without a snapshot that a point may lie in: the tiles have nothing of them.
func unbuiltAt(ctx context.Context, at geom.Point, gaps *view.Missing) error {
	v, err := view.Of(ctx)
	if err != nil {
		return err
	}
	var asking view.WarmupBudget
	for _, code := range v.Candidates(at) {
		if !v.Warm(code) {
			asking.Note(ctx, v, code, gaps)
		}
	}
	return nil
}

// inside says whether a position lies in a feature's area: by the even-odd rule.
func inside(f *mvt.Feature, at mvt.Point, scale float32) bool {
	if f.Type != mvt.Polygons {
		return false
	}
	odd := false
	x, y := float64(at.X)/float64(scale)+0.25, float64(at.Y)/float64(scale)+0.25 // beside every vertex
	for _, ring := range f.Parts {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			if (float64(p.Y) > y) != (float64(q.Y) > y) &&
				x < float64(p.X)+(y-float64(p.Y))*(float64(q.X)-float64(p.X))/(float64(q.Y)-float64(p.Y)) {
				odd = !odd
			}
		}
	}
	return odd
}

// describe is a feature with its values, and what its land-use code means.
func describe(of layer, l *mvt.Layer, f *mvt.Feature) told {
	t := told{layer: of, at: map[string]any{}}
	put := func(name string, v any) {
		if _, known := t.at[name]; !known {
			t.names = append(t.names, name)
		}
		t.at[name] = v
	}
	for i := 0; i+1 < len(f.Tags); i += 2 {
		name, v := l.Keys[f.Tags[i]], l.Values[f.Tags[i+1]]
		if n, ok := v.Float64(); ok {
			put(name, n)
		} else {
			put(name, v.Text())
		}
	}
	if n, ok := t.at["ns"].(float64); of == landUse && ok {
		use := austria.LandUse(uint8(n))
		put("type_name", use.Name())
		if row, ok := use.Row(); ok {
			put("type_name_en", row.English)
		}
	}
	return t
}

// infoBody is a feature collection without shapes, what is missing from it, and who is to be named.
type infoBody struct {
	Type        string           `json:"type"`
	Features    []infoFeature    `json:"features"`
	Ready       bool             `json:"ready"`
	Warming     []austria.KGCode `json:"kgs_warming"`
	Unavailable []austria.KGCode `json:"kgs_unavailable"`
	Attribution string           `json:"attribution,omitempty"`
	License     string           `json:"license"`
}

type infoFeature struct {
	Type       string         `json:"type"`
	ID         string         `json:"id"`
	Geometry   any            `json:"geometry"`
	Properties map[string]any `json:"properties"`
}

func jsonInfo(found []told, gaps *view.Missing, attribution string) ([]byte, error) {
	body := infoBody{Type: "FeatureCollection", Features: []infoFeature{}, Ready: gaps.Ready(), Warming: gaps.Warming(),
		Unavailable: gaps.Unavailable(), Attribution: attribution, License: rowschema.License}
	for i, t := range found {
		body.Features = append(body.Features, infoFeature{Type: "Feature", ID: string(t.layer) + "." + strconv.Itoa(i+1), Properties: t.at})
	}
	return json.Marshal(body)
}

// remarks are sentences about what is missing, and about a place where nothing stands.
func (in locale) remarks(found []told, gaps *view.Missing) (list []string) {
	for _, code := range gaps.Warming() {
		list = append(list, in.says("KG {kg} is being loaded ({why}): ask again in some seconds.", "{kg}", string(code),
			"{why}", in.of(gaps.Why(code).String())))
	}
	for _, code := range gaps.Unavailable() {
		list = append(list, in.says("KG {kg} is missing here ({why}).", "{kg}", string(code), "{why}", in.of(gaps.Why(code).String())))
	}
	if len(list) == 0 && len(found) == 0 {
		list = append(list, in.of("Nothing stands here."))
	}
	return list
}

// shown is a value as a person reads it.
func (in locale) shown(v any) string {
	if n, ok := v.(float64); ok {
		return in.number(n, -1)
	}
	text, _ := v.(string)
	return text
}

// textInfo has numbers with a decimal point in every language: programs read the lines, too.
func (in locale) textInfo(found []told, gaps *view.Missing) string {
	var b strings.Builder
	for _, remark := range in.remarks(found, gaps) {
		b.WriteString(remark + "\n")
	}
	for _, t := range found {
		b.WriteString(in.of(t.layer.describedAs().title) + "\n")
		for _, name := range t.names {
			b.WriteString("  " + name + " = " + locale{}.shown(t.at[name]) + "\n")
		}
	}
	return b.String()
}

// policy lets the page do nothing but show itself.
var policy = htmlpage.Policy{Images: []string{"data:"}}

func (in locale) htmlInfo(found []told, gaps *view.Missing) string {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"" + in.code() + "\"><head><meta charset=\"utf-8\"><title>" +
		html.EscapeString(in.of("Features")) + "</title><link rel=\"icon\" href=\"data:,\"></head><body>\n")
	for _, remark := range in.remarks(found, gaps) {
		b.WriteString("<p>" + html.EscapeString(remark) + "</p>\n")
	}
	for _, t := range found {
		b.WriteString("<h2>" + html.EscapeString(in.of(t.layer.describedAs().title)) + "</h2>\n<table>\n")
		for _, name := range t.names {
			b.WriteString("<tr><th>" + html.EscapeString(name) + "</th><td>" + html.EscapeString(in.shown(t.at[name])) + "</td></tr>\n")
		}
		b.WriteString("</table>\n")
	}
	b.WriteString("</body></html>\n")
	return b.String()
}
