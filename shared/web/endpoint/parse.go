package endpoint

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
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
	pairs := make([]pair, 0, strings.Count(raw, "&")+1)
	for part := range strings.SplitSeq(raw, "&") {
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
	read := func(i int, name, text string) {
		s := o.specs[i]
		req.values[i].name = name
		v, err := s.read(s, text)
		if err != nil {
			f := fault.From(err)
			faults = append(faults, f)
			return
		}
		req.values[i].value, req.values[i].text = v, text
	}
	for i, s := range o.specs {
		if o.path[i] {
			read(i, s.name, r.PathValue(s.name))
		}
	}
	for _, p := range pairs {
		i, ok := o.byName[p.name]
		if !ok || o.path[i] {
			faults = append(faults, fault.UnknownName(p.name, p.value, o.names))
			continue
		}
		first := req.values[i].name
		if s := o.specs[i]; first != "" && s.repeated {
			read(i, first, req.values[i].text+","+p.value)
			continue
		}
		if first != "" {
			expected := "it once"
			if first != p.name {
				expected = "either " + first + " or " + p.name + ": both name the same parameter"
			}
			faults = append(faults, fault.Of(fault.Duplicate, p.name, p.value, expected))
			continue
		}
		read(i, p.name, p.value)
	}
	if o.e.Body == nil || o.e.Body.bodySpec().carried == nil {
		faults = append(faults, req.missing()...)
	}
	if len(faults) > 0 {
		return nil, joined(faults)
	}
	return req, req.settle()
}

// missing are the faults of required parameters that are not given.
func (r *Request) missing() (faults []*fault.Fault) {
	for i, s := range r.op.specs {
		if s.required && r.values[i].name == "" {
			faults = append(faults, fault.Of(fault.Missing, s.name, "", s.expected()))
		}
	}
	return faults
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
	c := &r.common
	r.Format = format.FormJSON
	if c.format != nil {
		if c.format.Given(r) {
			r.Format = c.format.Of(r)
		} else {
			r.Format = reply.AcceptedForm(r.HTTP.Header, r.op.accepted)
		}
	}
	if c.callback != nil && c.callback.Given(r) && r.Format != format.FormJSON && r.Format != format.FormGeoJSON {
		return fault.Of(fault.Conflict, "callback", c.callback.Of(r),
			"no callback with format="+string(r.Format)+": JSONP carries json and geojson")
	}
	if c.crs != nil && (r.Format == format.FormParquet || r.Format == format.FormKML) && c.crs.Of(r) != crs.WGS84 {
		return fault.Of(fault.Conflict, "crs", c.crs.Of(r).String(), "EPSG:4326 with format="+string(r.Format))
	}
	if c.fields != nil && c.fields.Given(r) {
		r.Fields = c.fields.Of(r)
		if err := format.CheckNames(r.Fields, r.op.fields); err != nil {
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
func (r *Request) filters() string { return string(r.appendFilters(nil)) }

func (r *Request) appendFilters(b []byte) []byte {
	b = append(b, r.op.e.ID...)
	for _, i := range r.op.sorted {
		if s := r.op.specs[i]; !s.hidden {
			b = r.values[i].append(b, s)
		}
	}
	if r.bodySum != "" {
		b = append(append(b, "\x00body="...), r.bodySum...)
	}
	return b
}

// append writes a parameter of a canonical text.
func (g *given) append(b []byte, s *spec) []byte {
	b = append(append(append(b, 0), s.name...), '=')
	return append(b, g.canonical(s)...)
}

// appendIdentity writes the canonical text of everything the body depends on, beside data and encoding.
func (r *Request) appendIdentity(b []byte) []byte {
	b = r.appendFilters(b)
	for _, i := range r.op.sorted {
		s := r.op.specs[i]
		if !s.hidden || s.name == "nocache" || s.name == "cursor" || s.name == "offset" || s.name == "format" {
			continue
		}
		b = r.values[i].append(b, s)
	}
	if v := r.op.e.Variant; v != nil {
		b = append(append(b, "\x00variant="...), v(r)...)
	}
	b = append(append(b, "\x00format="...), r.Format...)
	b = strconv.AppendInt(append(b, "\x00offset="...), int64(r.Offset), 10)
	return append(append(b, "\x00place="...), r.Place...)
}

// nextURL is the same request with a cursor in place of offset.
func (r *Request) nextURL(prefix string, offset int, place string) string {
	cursor := reply.Cursor{Generation: r.Generation.ID, Filters: r.filters(), Offset: offset, Place: place}.String()
	var q []string
	for _, part := range strings.Split(r.HTTP.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name != "" && name != "cursor" && name != "offset" {
			q = append(q, part)
		}
	}
	q = append(q, "cursor="+cursor)
	return prefix + r.HTTP.URL.EscapedPath() + "?" + quoted(strings.Join(q, "&"))
}

// quoted percent-encodes what a client may write bare in a query but a Link header cannot carry: it would
// end the address there.
func quoted(query string) string {
	const digits = "0123456789ABCDEF"
	bare := func(c byte) bool { return c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 }
	at := 0
	for at < len(query) && !bare(query[at]) {
		at++
	}
	if at == len(query) { // nearly all are so
		return query
	}
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; bare(c) {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
