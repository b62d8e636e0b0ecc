package place

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"mappe/functions/core/landprices"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/csvin"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/jsonin"
	"mappe/shared/web/reply"
)

// The limits of a batch.
const (
	maxPoints  = 1000
	batchBytes = 1 << 20
	// pointsAtOnce is how many points are looked up at the same time: each may read objects of another KG.
	pointsAtOnce = 8
)

// batchPoint is a point of a batch.
type batchPoint struct {
	id   string
	at   geom.Point
	area float64 // m²; 0 not given
	kg   austria.KGCode
}

// pointIn is a point as it is read.
type pointIn struct {
	ID   json.RawMessage `json:"id,omitempty"`
	Lon  *float64        `json:"lon"`
	Lat  *float64        `json:"lat"`
	Area *float64        `json:"area_sqm,omitempty"`
	KG   string          `json:"kg,omitempty"`
}

var pointsIn = endpoint.ParsedBody(
	"JSON {points: [{lon, lat, id?, area_sqm?, kg?}]}, or CSV (text/csv) with a header and the columns lon and lat and, where wanted, id, area_sqm, kg; 1 to 1000 points.", batchBytes,
	struct {
		Points []contextPoint `json:"points"`
	}{}, readPoints)

// contextPoint is the shape of a point, for the description of the service.
type contextPoint struct {
	ID   string  `json:"id,omitempty"`
	Lon  float64 `json:"lon"`
	Lat  float64 `json:"lat"`
	Area float64 `json:"area_sqm,omitempty"`
	KG   string  `json:"kg,omitempty"`
}

// batchMeta is the shape of meta.
type batchMeta struct {
	Total int `json:"total"`
	contextMeta
}

// contextOfPoint is the shape of its answer.
type contextOfPoint struct {
	ID string `json:"id"`
	contextShape
}

// readPoints reads a batch in either form.
func readPoints(body []byte) ([]batchPoint, error) {
	var list []pointIn
	var err error
	if csvin.Is(body) {
		list, err = readTable(body)
	} else {
		list, err = readJSONPoints(body)
	}
	if err != nil {
		return nil, err
	}
	if err := ofPoints(len(list)); err != nil {
		return nil, err
	}
	out := make([]batchPoint, len(list))
	for i := range list {
		if out[i], err = list[i].read(i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ofPoints holds the number of points to its bounds.
func ofPoints(n int) error {
	code := fault.TooLarge
	switch {
	case n == 0:
		code = fault.OutOfRange
	case n <= maxPoints:
		return nil
	}
	return fault.Of(code, "points", strconv.Itoa(n)+" points", "1 to "+strconv.Itoa(maxPoints)+" points")
}

func readJSONPoints(body []byte) ([]pointIn, error) {
	var in struct {
		Points []pointIn `json:"points"`
	}
	err := jsonin.Decode(body, &in)
	return in.Points, err
}

// readTable reads a table with columns lon and lat, and others where they are given.
func readTable(body []byte) ([]pointIn, error) {
	t, err := csvin.Read(body)
	if err != nil {
		return nil, csvin.Fault(err)
	}
	lon, lat, id, area, kg := t.Column("lon"), t.Column("lat"), t.Column("id"), t.Column("area_sqm"), t.Column("kg")
	if lon < 0 || lat < 0 {
		return nil, fault.Of(fault.Missing, "header", t.Header(), "columns lon and lat, and where wanted id, area_sqm, kg")
	}
	var list []pointIn
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) || len(list) > maxPoints { // too many: the caller says so
			return list, nil
		}
		if err != nil {
			return nil, csvin.Fault(err)
		}
		var p pointIn
		for _, f := range []struct {
			name   string
			column int
			to     **float64
		}{{"lon", lon, &p.Lon}, {"lat", lat, &p.Lat}, {"area_sqm", area, &p.Area}} {
			text := row.Cell(f.column)
			if text == "" {
				continue
			}
			v, err := t.Number(text)
			if err != nil {
				return nil, fault.BadValue("points["+strconv.Itoa(len(list))+"]."+f.name, text, "a number")
			}
			*f.to = &v
		}
		p.KG = row.Cell(kg)
		if id >= 0 {
			p.ID, _ = json.Marshal(row[id]) // a text
		}
		list = append(list, p)
	}
}

// read checks the i-th point.
func (p *pointIn) read(i int) (out batchPoint, err error) {
	bad := func(member string, v any, expected string) error {
		text, _ := json.Marshal(v) // numbers and texts
		return fault.BadValue("points["+strconv.Itoa(i)+"]."+member, string(text), expected)
	}
	for _, axis := range []struct {
		name string
		v    *float64
		most float64
	}{{"lon", p.Lon, 180}, {"lat", p.Lat, 90}} {
		expected := fmt.Sprintf("degrees (WGS84) from -%g to %g", axis.most, axis.most)
		if axis.v == nil {
			return out, fault.Of(fault.Missing, "points["+strconv.Itoa(i)+"]."+axis.name, "", expected)
		}
		if !(*axis.v >= -axis.most && *axis.v <= axis.most) {
			return out, fault.BadValue("points["+strconv.Itoa(i)+"]."+axis.name, strconv.FormatFloat(*axis.v, 'g', -1, 64), expected)
		}
	}
	ok := false
	if out.at, ok = geom.PointAt(*p.Lon, *p.Lat); !ok {
		return out, fault.BadValue("points["+strconv.Itoa(i)+"]", strconv.FormatFloat(*p.Lon, 'g', -1, 64)+","+strconv.FormatFloat(*p.Lat,
			'g', -1, 64), "a place on the globe")
	}
	if austria.Swapped(*p.Lon, *p.Lat) {
		return out, bad("lon", *p.Lon, "a longitude: lon and lat look swapped, "+austria.Where)
	}
	if p.Area != nil {
		if out.area = *p.Area; !(out.area >= 0.01 && out.area <= maxArea) {
			return out, fault.BadValue("points["+strconv.Itoa(i)+"].area_sqm", strconv.FormatFloat(out.area, 'g', -1, 64),
				"m² from 0.01 to 1000000000")
		}
	}
	if p.KG != "" {
		if out.kg, err = austria.ParseKGCode(p.KG); err != nil {
			return out, bad("kg", p.KG, "a KG code, 1 to 5 digits")
		}
	}
	out.id = strconv.Itoa(i)
	if len(p.ID) > 0 && string(p.ID) != "null" {
		switch c := p.ID[0]; {
		case c == '"':
			err = json.Unmarshal(p.ID, &out.id)
		case c == '-' || c >= '0' && c <= '9':
			out.id = string(p.ID) // a number
		default:
			return out, fault.BadValue("points["+strconv.Itoa(i)+"].id", string(p.ID), "a text or a number")
		}
		if len(out.id) > 200 {
			return out, bad("id", fault.Shorten(out.id), "an id of at most 200 bytes")
		}
	}
	return out, err
}

// batchParams are the options of all points.
var batchParams = slices.Concat([]endpoint.AnyParam{include}, landprices.DescribedParams(),
	[]endpoint.AnyParam{contextRadius, toponymLayers, toponymCode, contextNames, legalContext, legalType, legalLaw, batchFormat})

// formatJSON and formatCSV are the forms of a batch.
const (
	formatJSON batchForm = "json"
	formatCSV  batchForm = "csv"
)

type batchForm string

var batchFormat = endpoint.Enum("format",
	"Form of the answer. csv: a table, a row for each point, a column for each member; where it is absent, a table is answered with a table.", []batchForm{formatJSON, formatCSV})

func (s *service) contextPost() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/context", ID: "context_batch", Tag: "Context",
		Summary: "What surrounds up to 1,000 places",
		Doc: `data[] holds the blocks of each point as GET /context gives them, with its id, in the order of the points. The options in the query
hold for all points; area_sqm and kg are those of a point. meta.license is the strictest of all. A table (text/csv) is answered with a table:
its members are columns (osm.dist_road_m), lists are counted and their names joined, numbers of a list parted by blanks (ne.lu.lu).
` + contextDoc,
		Params: batchParams,
		Body:   pointsIn,
		Answer: endpoint.Answer{Body: struct {
			Data []contextOfPoint `json:"data"`
			Meta batchMeta        `json:"meta"`
		}{}, Others: []endpoint.Other{{Status: 200, Doc: "The table, with format=csv.", ContentType: "text/csv"}}},
		Example:     "/api/v1/context?include=municipality,osm",
		ExampleBody: `{"points":[{"id":"a","lon":13.2742,"lat":47.3208,"area_sqm":800}]}`,
		Serve:       s.batch,
	}
}

func (s *service) batch(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	points, opt := pointsIn.Of(r), optionsOf(r)
	answers := make([]*answer, len(points))
	all := &answer{}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(pointsAtOnce)
	for i := range points {
		g.Go(func() (err error) {
			p := &points[i]
			answers[i], err = s.answer(gctx, &question{v: v, opt: opt, at: p.at, area: p.area, kg: p.kg})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i := range answers {
		for k, source := range answers[i].sources {
			if !slices.Contains(all.sources, source) {
				all.sources, all.notices = append(all.sources, source), append(all.notices, answers[i].notices[k])
			}
		}
	}
	if form := batchFormat.Of(r); form == formatCSV || form == "" && strings.HasPrefix(r.HTTP.Header.Get("Content-Type"), "text/csv") {
		return table(points, opt.include, answers, all)
	}
	return &reply.Stream{Notice: strictest(all.notices), Meta: []reply.Member{{Name: "total", Value: len(points)},
		{Name: "licenses", Value: all.licences()}},
		Write: func(j *format.JSON, _ *format.Layout) error {
			j.Key("data")
			j.Array()
			for i, a := range answers {
				j.Object()
				j.Member("id", points[i].id)
				a.write(j)
				j.EndObject()
			}
			j.EndArray()
			return j.Err()
		}}, nil
}
