package endpoint

import (
	"context"
	"net/http"
	"strings"
	"time"

	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Handler answers one request. It returns a *fault.Fault for what the client can mend; any other
// error becomes a 500 that quotes nothing.
type Handler func(ctx context.Context, r *Request) (reply.Answer, error)

// Endpoint is one operation, declared once: parsing, OpenAPI, the docs page, routing and coverage are
// derived from it.
type Endpoint struct {
	Method  string // GET also answers HEAD
	Path    string // "/api/v1/land_prices/parcel/{parcel_id}"
	ID      string // operation id, unique in its service: "spatial_bbox"
	Summary string // one line
	Doc     string // what the answer holds, its order, its limits; Markdown
	Tag     string // group in the docs: "Spatial"
	Params  []AnyParam
	Body    AnyBody // nil: no body is read
	Answer  Answer
	Cache   CacheClass
	Example string // path and query of a request that works, for the docs and the tests
	// ExampleBody is the body of that request.
	ExampleBody string
	// ETag gives the answer's identity where it is not (data, query); "" falls back. It is
	// called before Serve, and a match costs no Serve.
	ETag func(ctx context.Context, r *Request) (string, error)
	// Depends names the state of the data that the answer is made from, where that is less than the whole
	// generation: what else is published leaves the answer's ETag as it is. "" means the answer cannot be
	// validated. It is called before Serve, with the same context and request; nil: the generation.
	Depends func(ctx context.Context, r *Request) (string, error)
	// Modified is when the data of the answer last changed, where that is not the generation's; zero: not known.
	// It is called after ETag and Depends, with the same context and request.
	Modified func(ctx context.Context, r *Request) (time.Time, error)
	// Variant names what else the body depends on, where the ETag is of generation and query: the form
	// that Accept chose. nil: nothing.
	Variant func(r *Request) string
	// Gate stands before everything a request causes here, the reading of its parameters and its body
	// included: payment. It may hand the answer of the endpoint on, hold it back or replace it.
	Gate func(http.Handler) http.Handler
	// Dialect stands before the gate of an endpoint that follows a standard of its own: it may write the query anew and give failures the
	// form of that standard. What it lets through is read as any request is.
	Dialect func(http.Handler) http.Handler
	// Bearer is the token that the endpoint asks for; Bearer.Protect sets it with its gate.
	Bearer *Bearer
	// Extensions are members of the operation in openapi.json; their names start with x-.
	Extensions map[string]any
	// Notice is the licence of this answer's data where it is not that of the service; who is to be named is
	// then the Notice's too, where it says so.
	Notice *reply.Notice
	Serve  Handler
}

// Answer describes the body.
type Answer struct {
	// Rows are the row types of a list endpoint. They bring the parameters format, fields, crs and,
	// unless Page.None, limit, offset and cursor.
	Rows []*format.RowType
	Page Page
	// Body is a Go value whose type is the shape of the JSON body where it is not the plain envelope
	// of Rows; for an endpoint without Rows it is the whole body.
	Body any
	// Within is the row type that Row stands for in Body where it is not that of Rows; nil: it is.
	Within *format.RowType
	// ContentType is that of a body that is neither rows nor application/json. Beside Body it is the media type of
	// that JSON.
	ContentType string
	// Timed says whether the body of a request tells query_time_ms, so that its ETag is weak; nil: as the shapes of the
	// forms have it.
	Timed func(*Request) bool
	// Ranges says that the body is a reply.Content, of which parts may be asked for.
	Ranges bool
	// Forms are those of rows, the default first; nil: format.AllFormats(). Rows with shapes come as shapefiles too.
	Forms []format.Format
	// JSONOnly leaves out the other forms of rows (batch answers).
	JSONOnly bool
	Status   int // 0 means 200
	// Exact is a body whose bytes do not depend on how it is asked for: no callback, no pretty.
	Exact bool
	// Others are the answers beside this one: another status, another media type of the same, or another
	// form of the same media type.
	Others []Other
	// Meta and Beside are Go values whose types are the shapes of what the envelope of Rows holds beyond
	// the common: further members of meta, and members beside data and meta. For the description only.
	Meta, Beside any
	// Headers are those that not every endpoint has. For the description only.
	Headers []Header
}

// Header describes a header of an answer.
type Header struct{ Name, Doc string }

// Other describes an answer.
type Other struct {
	Status      int
	Doc         string
	ContentType string // "" means application/json
	Body        any    // a Go value whose type is the shape of a JSON body, of whatever media type; nil is any
}

// Page bounds limit=. The zero Page is the specification's: default 100, at most 100,000.
type Page struct {
	Default, Max int
	None         bool // no limit, offset and cursor: the whole answer is one page
}

// CacheClass says how an answer may be kept.
type CacheClass uint8

// The cache classes. They apply to GET; an answer to POST is not stored.
const (
	Cached    CacheClass = iota // ETag from data and query, max-age=120
	Hourly                      // ETag, max-age=3600
	Live                        // no ETag, no-store, no pinned generation
	Brief                       // ETag, max-age=10: lists that people wait for
	Immutable                   // ETag, a year: the path names the bytes, which never change
	Own                         // the endpoint's ETag, max-age=120, no pinned generation: what the program says of itself
)

// pinned says whether requests of the class are answered from a generation of the data.
func (c CacheClass) pinned() bool { return c != Live && c != Own }

// Request is a parsed request. Values are read through the parameters' handles.
type Request struct {
	HTTP          *http.Request
	Limit, Offset int
	Place         string        // of a cursor: where the page begins, as the list's last answer said; "": at Offset
	Format        format.Format // format= or Accept
	Fields        []string      // fields=, checked against the declared row types
	Fresh         bool          // nocache or Cache-Control: no-cache: memos are to be passed over
	Generation    reply.Generation
	Memo          any // what Depends has found out for Serve

	op     *operation
	values []given
	body   any
	// bodySum ties a cursor to the body it was made for: the beginning of its SHA-256; "" where there is no cursor.
	bodySum string
	common  common
}

// NoPage is the fault of a request that names a limit or an offset where its answer is not cut into pages;
// nil where it names none.
func (r *Request) NoPage(expected string) error {
	for _, p := range []*Param[int]{r.common.limit, r.common.offset} {
		if p != nil && p.Given(r) {
			return p.Clash(r, expected)
		}
	}
	if c := r.common.cursor; c != nil && c.Given(r) {
		return c.Clash(r, expected)
	}
	return nil
}

// GivesLimit says whether the client chose how many rows it wants.
func (r *Request) GivesLimit() bool { return r.common.limit != nil && r.common.limit.Given(r) }

// AsMade says that a body which was made before can be the answer: it is asked for neither as a script nor
// indented, with all fields, in degrees.
func (r *Request) AsMade() bool {
	c := &r.common
	return (c.callback == nil || !c.callback.Given(r)) && (c.pretty == nil || !c.pretty.Of(r)) &&
		len(r.Fields) == 0 && (c.crs == nil || !c.crs.Given(r) || projection(c.crs.Of(r)).Forward == nil)
}

// OnlyJSON is the fault of a request that names another form of an answer that has but one; what Accept
// would rather have is passed over.
func (r *Request) OnlyJSON(expected string) error {
	if p := r.common.format; p != nil && p.Given(r) && r.Format != format.FormJSON {
		return p.Clash(r, expected)
	}
	return nil
}

// given is one parsed parameter; its number is that of its spec in the operation.
type given struct {
	value any
	text  string // of a default its canonical spelling
	name  string // the name the client gave it under; "" where it is the default
}

// canonical is the value's one spelling. It is made when it is asked for: most answers need none.
func (g *given) canonical(s *spec) string {
	if g.name == "" {
		return g.text
	}
	return s.canon(s, g.value, g.text)
}

// lookup finds the parameter by identity; endpoints have at most some twenty.
func (r *Request) lookup(s *spec) (any, bool) {
	for i, own := range r.op.specs {
		if own == s {
			return r.values[i].value, r.values[i].name != ""
		}
	}
	return nil, false
}

// place names a parameter in faults: by its path where the body gave it.
func (r *Request) place(s *spec) string {
	for i, own := range r.op.specs {
		if own == s && strings.Contains(r.values[i].name, ".") {
			return r.values[i].name
		}
	}
	return s.name
}

func (r *Request) rawText(s *spec) string {
	for i, own := range r.op.specs {
		if own == s && r.values[i].name != "" {
			return r.values[i].text
		}
	}
	return ""
}
