// Package reply puts answers on the wire and owns the conventions all data endpoints share: the
// envelope {data, meta}, output forms, paging with cursors and Link, ETag and 304, gzip, JSONP, CORS,
// licence headers, request ids. It knows nothing of parameters or routes (shared/web/endpoint does)
// and nothing of cell encoding (shared/web/format does).
//
// A body is streamed with at most 128 KB held back. An error before the first byte is an error answer;
// an error after it breaks the connection, so that a cut body never looks whole.
package reply

import (
	"context"
	"io"
	"net/http"
	"time"

	"mappe/shared/web/format"
)

// Answer is what a handler returns: *Rows, *Stream, *Document, *Bytes, *File, *Content or *Redirect.
type Answer interface{ answer() }

// Member is one named value of a JSON object. A Value of type func() any is called when it is
// written: in meta that is after the last row.
type Member struct {
	Name  string
	Value any
}

// CountRows as Rows.Total: the sequence holds every match. It is run through once to count, before
// the first byte goes out, and a second time for the page; limit and offset are applied here.
const CountRows = -1

// Rows is a list of rows, the answer of most endpoints.
type Rows struct {
	// Rows is the page the client asked for (Total is the match count), or every match (Total is
	// CountRows). Rows yields in the endpoint's documented order.
	Rows  format.Seq
	Total int
	// RowTypes are the row types that can occur, for the header of flat forms; nil means those the
	// endpoint declares.
	RowTypes []*format.RowType
	// Geometry says whether rows in plain JSON carry a member geometry.
	Geometry bool
	// Data makes the envelope's data an object that holds the rows under a name, where the
	// specification draws it so.
	Data *DataObject
	// Meta are further members of meta, Members further members beside data and meta.
	Meta, Members []Member
	// Place, where it is given, says whether more rows follow the page and where the next one begins, for its cursor: rows
	// may come and go between two pages. nil: the next page begins at the offset behind this one.
	Place func() (place string, more bool)
	// Limit is that of the page where the endpoint chose it and not the client; 0: the client's.
	Limit int
	// Name is the stem of the file name of attachments; "" means the endpoint's id.
	Name   string
	Header http.Header
	// Attribution replaces that of the generation, for rows of another year; "" keeps it.
	Attribution string
	// Done is called when the rows are not read any more, however the answer ended; nil where nobody waits for that.
	Done func()
}

// DataObject is the shape {Before..., Key: [rows], After...} of data.
type DataObject struct {
	Before []Member
	Key    string
	After  []Member
}

// Stream is a JSON object of the endpoint's own shape, written as a stream, followed by meta.
type Stream struct {
	// Write writes members (Key and value, any number) of the open object. Layout is what fields=,
	// crs= and the declared row types give, for JSON.Row.
	Write  func(j *format.JSON, l *format.Layout) error
	Meta   []Member
	Header http.Header
	// ContentType is that of the object; "" means application/json.
	ContentType string
	// Filename makes the object an attachment when set, but for JSONP.
	Filename string
	// Attribution replaces that of the generation; "" keeps it.
	Attribution string
	// Geometry says whether JSON.Row writes a member geometry.
	Geometry bool
	// Notice replaces that of the endpoint, where the request decides whose data the answer holds; nil keeps it.
	Notice *Notice
	// NoMeta leaves meta out: the shape is a contract's, and the same bytes come again.
	NoMeta bool
}

// Document is one JSON value, small enough to be held: Body as encoding/json writes it, without an
// envelope.
type Document struct {
	Body   any
	Status int // 0 means 200
	Header http.Header
}

// Bytes is a finished body.
type Bytes struct {
	ContentType string
	Body        []byte
	Filename    string // an attachment when set
	Status      int    // 0 means 200
	Header      http.Header
	// Done is called when Body is not read any more; nil where nobody waits for that.
	Done func()
}

// Drop ends an answer that is not written.
func Drop(answer Answer) {
	var done func()
	switch t := answer.(type) {
	case *Rows:
		done = t.Done
	case *Bytes:
		done = t.Done
	case *File:
		done = t.Done
	case *Content:
		done = t.Done
	}
	if done != nil {
		done()
	}
}

// File is a body that is written as it goes out, whose length nobody knows before.
type File struct {
	ContentType string
	Write       func(ctx context.Context, b *format.Buffer) error
	Filename    string // an attachment when set
	Header      http.Header
	// Done is called when the answer is over, however it ended; nil where nobody waits for that.
	Done func()
}

// Redirect sends the client elsewhere.
type Redirect struct {
	Location string
	Status   int // 302, 303, 307 or 308
	Header   http.Header
}

// CommonMeta is the shape of what every meta of a Stream has, for the descriptions of services whose licence is
// one text.
type CommonMeta struct {
	QueryTimeMs float64 `json:"query_time_ms" doc:"Milliseconds."`
	License     string  `json:"license"`
}

// DatasetMeta is the same of services that name their datasets.
type DatasetMeta struct {
	QueryTimeMs float64       `json:"query_time_ms" doc:"Milliseconds."`
	License     LicenseObject `json:"license"`
}

func (*Rows) answer()     {}
func (*Stream) answer()   {}
func (*Document) answer() {}
func (*Bytes) answer()    {}
func (*File) answer()     {}
func (*Redirect) answer() {}

// FileWriter writes rows as a file that is not made in one pass (GeoPackage). Name is the layer.
type FileWriter interface {
	WriteRows(ctx context.Context, w io.Writer, name string, l *format.Layout, rows format.Seq) error
}

// Notice is the licence and attribution an answer carries.
type Notice struct {
	License     string // "CC BY 4.0"
	LicenseURL  string
	Attribution string // "© BEV, 2026, modified"
	// Dataset names the data. Where it is set, meta.license is an object {license, license_url,
	// attribution, dataset, modified}, as the context service draws it; else it is one text.
	Dataset string
}

// String is the licence with its address and whom to name.
func (n Notice) String() string {
	s := n.License
	if n.LicenseURL != "" {
		s += " (" + n.LicenseURL + ")"
	}
	if n.Attribution != "" {
		s += ", " + n.Attribution
	}
	return s
}

// Sign sets the headers that name the licence and whom to credit. Who the notice names stands in place of whom the
// generation names.
func (n Notice) Sign(h http.Header, g *Generation) {
	if n.Attribution != "" {
		g.Attribution = n.Attribution
	}
	delete(h, "Link")
	delete(h, "X-Data-Attribution")
	if n.LicenseURL != "" {
		h["Link"] = []string{"<" + n.LicenseURL + `>; rel="license"`}
	}
	if g.Attribution != "" {
		h["X-Data-Attribution"] = []string{ASCII(g.Attribution)}
	}
}

// Generation is the state of the data a request is pinned to.
type Generation struct {
	ID          string // "" means the answers cannot be validated: no ETag, no cursor
	Attribution string // replaces Notice.Attribution when set: it names the year
	// Modified is when the data last changed; a later change has a later second. Zero: no Last-Modified.
	Modified time.Time
}
