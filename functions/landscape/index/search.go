package index

import (
	"context"

	"mappe/artefacts/landscape"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	bKG   = params.KG("kg", "Only buildings of this KG")
	bRoof = endpoint.Enum("roof_type", "Only roofs of this form.", landscape.RoofTypes)
)

// builtSpans are the ranges of buildings.
var builtSpans = func() (out []struct {
	low, high *endpoint.Param[float64]
	column    int // of the numeric columns
}) {
	for _, f := range []struct{ name, column, unit string }{{"height", "max_height_m", "m"}, {"stories", "stories_est", ""},
		{"area", "footprint_area_sqm", "m²"}} {
		bound := func(side, word string) *endpoint.Param[float64] {
			return endpoint.Float(side+f.name, f.column+" "+word+".", endpoint.Unit(f.unit), endpoint.Between(0, 1e9))
		}
		at := -1
		for i, c := range landscape.Built.Columns.Numbers() {
			if c.Name == f.column {
				at = i
			}
		}
		out = append(out, struct {
			low, high *endpoint.Param[float64]
			column    int
		}{bound("min_", "at least"), bound("max_", "at most"), at})
	}
	return out
}()

func (s *service) search() endpoint.Endpoint {
	ps := []endpoint.AnyParam{bKG, bRoof}
	for _, b := range builtSpans {
		ps = append(ps, b.low, b.high)
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/buildings/search", ID: "buildings_search", Tag: tag,
		Summary: "Buildings by height, storeys, roof and area",
		Doc: `Buildings of processed KGs that pass all filters, by KG, then from the north-west. A building whose figure is not known passes no bound of it. KGs whose
buildings cannot pass are not read; a search of the country without kg reads the others.`,
		Params: ps, Answer: endpoint.Answer{Rows: []*format.Kind{builtRows.Kind}, JSONOnly: true,
			Page: endpoint.Page{Default: 500, Max: 5000}, Body: listedFound{}},
		Example: "/api/v1/buildings/search?min_height=5",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			if bKG.Given(r) {
				if _, err := c.need(bKG.Of(r)); err != nil {
					return nil, err
				}
			}
			return c.buildings(ctx, r)
		},
	}
}

// wanted are the bounds of a request by numeric column.
type wanted struct {
	column    int
	low, high *float64
}

func wantedOf(r *endpoint.Request) (out []wanted) {
	for _, b := range builtSpans {
		w := wanted{column: b.column}
		if b.low.Given(r) {
			v := b.low.Of(r)
			w.low = &v
		}
		if b.high.Given(r) {
			v := b.high.Of(r)
			w.high = &v
		}
		if w.low != nil || w.high != nil {
			out = append(out, w)
		}
	}
	return out
}

// may says whether a thing of a KG can pass.
func (w wanted) may(r *landscape.Range) bool {
	b := r.Bounds[w.column]
	return b[0] == b[0] && (w.low == nil || b[1] >= *w.low) && (w.high == nil || b[0] <= *w.high)
}

func (w wanted) passes(v float64) bool {
	return v == v && (w.low == nil || v >= *w.low) && (w.high == nil || v <= *w.high)
}

func (c *country) buildings(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	var shown []landscape.Top[landscape.Building]
	total := 0
	bounds := wantedOf(r)
	numbers := landscape.Built.Columns.Numbers()
	err := c.eachKG(ctx, func(k *landscape.Range) bool {
		if bKG.Given(r) && k.Code != bKG.Of(r) {
			return false
		}
		for _, w := range bounds {
			if !w.may(k) {
				return false
			}
		}
		return true
	}, func(code austria.KGCode, list []landscape.Building) {
	next:
		for i := range list {
			b := &list[i]
			if bRoof.Given(r) && b.RoofType != bRoof.Of(r) {
				continue
			}
			for _, w := range bounds {
				if !w.passes(numbers[w.column].Number(b)) {
					continue next
				}
			}
			if total >= r.Offset && len(shown) < r.Limit {
				shown = append(shown, landscape.Top[landscape.Building]{KG: code, Item: *b})
			}
			total++
		}
	})
	if err != nil {
		return nil, err
	}
	return write(r, builtRows, total, shown, func(item, of *landscape.Top[landscape.Building]) { *item = *of }), nil
}

// together is how many KGs are read at once.
const together = 64

// eachKG reads the buildings of the KGs that may have some.
func (c *country) eachKG(ctx context.Context, may func(*landscape.Range) bool,
	each func(code austria.KGCode, list []landscape.Building)) error {
	if c.parts == nil {
		return nil
	}
	all, err := section(ctx, c.parts, landscape.Built.RangeSection(), func(b []byte) ([]landscape.Range, int64, error) {
		return landscape.DecodeRanges(landscape.Built, b)
	})
	if err != nil {
		return unread(ctx, "the ranges of buildings", err)
	}
	var codes []austria.KGCode
	for i := range all {
		if may(&all[i]) {
			codes = append(codes, all[i].Code)
		}
	}
	for from := 0; from < len(codes); from += together {
		part := codes[from:min(from+together, len(codes))]
		lists, err := sectionsOf(ctx, c.parts, landscape.Built, part)
		if err != nil {
			return unread(ctx, "the buildings of the country", err)
		}
		for i := range part {
			each(part[i], lists[i])
		}
	}
	return nil
}
