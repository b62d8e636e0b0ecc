package endpoint

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"mappe/shared/geo/crs"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// maxPairs bounds the number of parameters read from one query.
const maxPairs = 200

// pair is one name=value of a query, decoded.
type pair struct{ name, value string }

// splitQuery decodes a query. Unlike net/url it refuses what is not percent-encoded UTF-8 instead of
// passing over it.
func splitQuery(raw string) ([]pair, error) {
	if raw == "" {
		return nil, nil
	}
	if n := strings.Count(raw, "&"); n >= maxPairs {
		return nil, fault.New(fault.Malformed, "the query holds %d parameters: expected at most %d", n+1, maxPairs)
	}
	var pairs []pair
	for _, part := range strings.Split(raw, "&") {
		if part == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || !utf8.ValidString(name) {
			return nil, fault.Of(fault.Malformed, rawName, rawValue, "a name in percent-encoded UTF-8")
		}
		value, err := url.QueryUnescape(rawValue)
		if err != nil || !utf8.ValidString(value) {
			return nil, fault.Of(fault.Malformed, name, rawValue, "a value in percent-encoded UTF-8, encoded once")
		}
		pairs = append(pairs, pair{name, value})
	}
	return pairs, nil
}

// parse reads path values and query into a Request. All faults of single parameters are reported in
// one answer.
func (o *operation) parse(r *http.Request) (*Request, error) {
	pairs, err := splitQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	req := &Request{HTTP: r, op: o, common: o.common, values: slices.Clone(o.defaults)}
	var faults []*fault.Fault
	named := make([]string, len(o.specs)) // the name each parameter was given under
	read := func(i int, name, text string) {
		s := o.specs[i]
		v, canon, err := s.read(s, text)
		if err != nil {
			f := fault.From(err)
			faults = append(faults, f)
			return
		}
		req.values[i] = given{s, v, canon, text, true}
	}
	for i, s := range o.specs {
		if o.path[i] {
			named[i] = s.name
			read(i, s.name, r.PathValue(s.name))
		}
	}
	for _, p := range pairs {
		i, ok := o.byName[p.name]
		if !ok || o.path[i] {
			faults = append(faults, fault.UnknownName(p.name, p.value, o.names))
			continue
		}
		if named[i] != "" {
			expected := "it once"
			if named[i] != p.name {
				expected = "either " + named[i] + " or " + p.name + ": both name the same parameter"
			}
			faults = append(faults, fault.Of(fault.Duplicate, p.name, p.value, expected))
			continue
		}
		named[i] = p.name
		read(i, p.name, p.value)
	}
	for i, s := range o.specs {
		if s.required && named[i] == "" {
			faults = append(faults, fault.Of(fault.Missing, s.name, "", s.expected()))
		}
	}
	if len(faults) > 0 {
		return nil, joined(faults)
	}
	return req, req.settle()
}

// joined is one fault for several: the first one's code and message, everyone's details.
func joined(faults []*fault.Fault) error {
	first := faults[0]
	if len(faults) == 1 {
		return first
	}
	out := *first
	out.Details = nil
	var messages []string
	for i, f := range faults {
		if i == 10 {
			break
		}
		messages = append(messages, f.Message)
		out.Details = append(out.Details, f.Details...)
	}
	out.Message = strings.Join(messages, "; ")
	return &out
}

// expected says what a parameter takes, for the fault of its absence.
func (s *spec) expected() string {
	switch {
	case len(s.enum) > 0 && s.list:
		return "a comma list of " + strings.Join(s.enum, ", ")
	case len(s.enum) > 0:
		return "one of " + strings.Join(s.enum, ", ")
	case s.typ == "number":
		return "a number" + s.bounds()
	case s.typ == "integer":
		return "a whole number" + s.bounds()
	case s.typ == "boolean":
		return "true, false, 1, 0, yes or no"
	case s.example != "":
		return "a value such as " + s.example
	}
	return "a value"
}

// settle draws the common parameters together: form, page, fields.
func (r *Request) settle() error {
	c, e := r.common, r.op.e
	r.Format = format.FormJSON
	if c.format != nil {
		if c.format.Given(r) {
			r.Format = c.format.Of(r)
		} else {
			r.Format = reply.AcceptedForm(r.HTTP.Header, format.AllFormats())
		}
	}
	if c.callback != nil && c.callback.Given(r) && r.Format != format.FormJSON && r.Format != format.FormGeoJSON {
		return fault.Of(fault.Conflict, "callback", c.callback.Of(r), "no callback with format="+string(r.Format)+": JSONP carries json and geojson")
	}
	if c.crs != nil && r.Format == format.FormParquet && c.crs.Of(r) != crs.WGS84 {
		return fault.Of(fault.Conflict, "crs", c.crs.Of(r).String(), "EPSG:4326 with format=parquet")
	}
	if c.fields != nil && c.fields.Given(r) {
		r.Fields = c.fields.Of(r)
		if err := format.CheckFields(r.Fields, e.Answer.Rows...); err != nil {
			return err
		}
	}
	if c.limit != nil {
		r.Limit, r.Offset = c.limit.Of(r), c.offset.Of(r)
	}
	if c.cursor != nil && c.cursor.Given(r) && c.offset.Given(r) {
		return fault.Of(fault.Conflict, "cursor", c.cursor.Of(r), "either cursor or offset")
	}
	r.Fresh = strings.Contains(strings.ToLower(r.HTTP.Header.Get("Cache-Control")), "no-cache") || (c.nocache != nil && c.nocache.Of(r))
	return nil
}

// filters is the canonical text of what selects the rows: path values and own parameters, not the
// page and not the form.
func (r *Request) filters() string {
	var b strings.Builder
	b.WriteString(r.op.e.ID)
	for _, i := range r.op.sorted {
		if v := r.values[i]; v.s != nil && !v.s.hidden {
			b.WriteString("\x00" + v.s.name + "=" + v.canon)
		}
	}
	return b.String()
}

// identity is the canonical text of everything the body depends on, beside data and encoding.
func (r *Request) identity() string {
	var b strings.Builder
	b.WriteString(r.filters())
	for _, i := range r.op.sorted {
		v := r.values[i]
		if v.s == nil || !v.s.hidden || v.s.name == "nocache" || v.s.name == "cursor" || v.s.name == "offset" || v.s.name == "format" {
			continue
		}
		b.WriteString("\x00" + v.s.name + "=" + v.canon)
	}
	b.WriteString("\x00format=" + string(r.Format))
	b.WriteString("\x00offset=" + number(float64(r.Offset)))
	return b.String()
}

// nextURL is the same request with a cursor in place of offset.
func (r *Request) nextURL(prefix string, offset int) string {
	cursor := reply.Cursor{Generation: r.Generation.ID, Filters: r.filters(), Offset: offset}.String()
	var q []string
	for _, part := range strings.Split(r.HTTP.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name != "" && name != "cursor" && name != "offset" {
			q = append(q, part)
		}
	}
	q = append(q, "cursor="+cursor)
	return prefix + r.HTTP.URL.EscapedPath() + "?" + strings.Join(q, "&")
}
