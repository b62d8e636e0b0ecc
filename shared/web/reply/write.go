package reply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/shared/web/coding"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// Ask is the form of answer a request asked for.
type Ask struct {
	Format        format.Format
	RowTypes      []*format.RowType // declared row types
	Fields        []string
	Projection    format.Projection
	Limit, Offset int
	Paged         bool
	Callback      string // JSONP, "" for none
	Pretty        bool
	Coding        coding.Coding // that the client would have
	Name          string        // stem of attachment names
	Generation    Generation
	ETag          string
	CacheControl  string
	Head          bool
	// Range and IfRange are the headers by which a part of a Content is asked for.
	Range, IfRange string
	// Next makes the URL of the page at an offset, or a place; nil where there is no paging.
	Next func(offset int, place string) string
	// Elapsed is the time since the request came in.
	Elapsed    func() time.Duration
	Notice     Notice
	GeoPackage FileWriter
	Context    context.Context // of the request; nil: one that never ends
}

func (a *Ask) context() context.Context {
	if a.Context == nil {
		return context.Background()
	}
	return a.Context
}

// Write puts an answer on the wire. An error it returns came before the first byte: the caller can
// still answer it. Later errors break the connection by panic(http.ErrAbortHandler).
func Write(w http.ResponseWriter, a *Ask, answer Answer) error {
	switch t := answer.(type) {
	case *Rows:
		if t.Done != nil {
			defer t.Done()
		}
		a.credit(w.Header(), t.Attribution)
		return writeRows(w, a, t)
	case *Stream:
		if t.Notice != nil {
			a.Notice = *t.Notice
			a.Notice.Sign(w.Header(), &a.Generation)
		}
		a.credit(w.Header(), t.Attribution)
		return writeStream(w, a, t)
	case *Document:
		return writeDocument(w, a, t)
	case *Bytes:
		return writeBytes(w, a, t)
	case *File:
		return writeFile(w, a, t)
	case *Content:
		return writeContent(w, a, t)
	case *Redirect:
		a.headers(w.Header(), t.Header)
		w.Header().Set("Location", t.Location)
		w.WriteHeader(t.Status)
		return nil
	}
	return fmt.Errorf("a handler gave %T, which is no answer", answer)
}

// credit names others than the generation does.
func (a *Ask) credit(h http.Header, attribution string) {
	if attribution != "" {
		a.Generation.Attribution = attribution
		h["X-Data-Attribution"] = []string{ASCII(attribution)}
	}
}

// Header values that all answers share; nobody writes to them.
var (
	vary    = []string{"Accept-Encoding, Accept"}
	nosniff = []string{"nosniff"}
	wgs84   = []string{format.Projection{}.URI()}
)

// headers sets what every answer with a validator carries.
func (a *Ask) headers(h http.Header, extra http.Header) {
	if a.ETag != "" {
		h["Etag"] = []string{a.ETag}
	}
	if a.CacheControl != "" {
		h["Cache-Control"] = []string{a.CacheControl}
	}
	if v := h["Vary"]; len(v) == 0 {
		h["Vary"] = vary
	} else {
		h["Vary"] = append(slices.Clip(v), vary...)
	}
	for k, v := range extra {
		h[http.CanonicalHeaderKey(k)] = v
	}
}

// NotModified answers a conditional request whose validator still holds.
func NotModified(w http.ResponseWriter, a *Ask) {
	a.headers(w.Header(), nil)
	w.WriteHeader(http.StatusNotModified)
}

// start begins the body: content headers, status, encoding.
func (a *Ask) start(w http.ResponseWriter, contentType string, compress bool, status int) *body {
	if a.Callback != "" {
		contentType = "application/javascript; charset=utf-8"
	}
	h := w.Header()
	h["Content-Type"] = []string{contentType}
	h["X-Content-Type-Options"] = nosniff
	var timing [40]byte
	h["Server-Timing"] = []string{string(strconv.AppendFloat(append(timing[:0], "query;dur="...), millis(a.Elapsed()), 'f', -1, 64))}
	b := &body{w: w, status: status, head: a.Head}
	if a.Coding != coding.Identity && compress {
		w.Header().Set("Content-Encoding", a.Coding.String())
		b.coding = a.Coding
	}
	b.Buffer = format.NewBuffer(b)
	return b
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// json runs a body that is one JSON document, inside the JSONP call where one was asked for.
func (a *Ask) json(w http.ResponseWriter, contentType string, status int, write func(j *format.JSON) error) error {
	b := a.start(w, contentType, true, status)
	defer b.close()
	if a.Head {
		return b.end(nil)
	}
	if a.Callback != "" {
		b.Buffer.Write([]byte("/**/" + a.Callback + "("))
	}
	err := write(format.NewJSON(b.Buffer, a.Pretty))
	if a.Callback != "" {
		b.Buffer.Write([]byte(");"))
	} else {
		b.Buffer.Write([]byte("\n"))
	}
	return b.end(err)
}

func writeStream(w http.ResponseWriter, a *Ask, t *Stream) error {
	a.headers(w.Header(), t.Header)
	l := format.NewLayout(a.Fields, a.RowTypes...)
	l.Geometry, l.Projection = t.Geometry, a.Projection
	if t.Geometry {
		w.Header().Set("Content-Crs", l.Projection.URI())
	}
	if t.Filename != "" && a.Callback == "" {
		w.Header().Set("Content-Disposition", disposition(t.Filename))
	}
	return a.json(w, cmp.Or(t.ContentType, "application/json"), http.StatusOK, func(j *format.JSON) error {
		j.Object()
		if err := t.Write(j, l); err != nil {
			return err
		}
		if !t.NoMeta {
			j.Key("meta")
			j.Object()
			writeMembers(j, t.Meta)
			a.meta(j)
			j.EndObject()
		}
		j.EndObject()
		return nil
	})
}

func writeDocument(w http.ResponseWriter, a *Ask, t *Document) error {
	a.headers(w.Header(), t.Header)
	return a.json(w, "application/json", t.Status, func(j *format.JSON) error {
		j.Any(t.Body)
		return j.Err()
	})
}

func writeBytes(w http.ResponseWriter, a *Ask, t *Bytes) error {
	if t.Done != nil {
		defer t.Done()
	}
	a.headers(w.Header(), t.Header)
	if t.Filename != "" {
		w.Header().Set("Content-Disposition", disposition(t.Filename))
	}
	if t.Status == http.StatusNoContent {
		w.WriteHeader(t.Status)
		return nil
	}
	b := a.start(w, t.ContentType, compressible(t.ContentType), cmp.Or(t.Status, http.StatusOK))
	defer b.close()
	if a.Head {
		return b.end(nil)
	}
	b.whole(t.Body)
	return nil
}

func writeFile(w http.ResponseWriter, a *Ask, t *File) error {
	if t.Done != nil {
		defer t.Done()
	}
	a.headers(w.Header(), t.Header)
	if t.Filename != "" {
		w.Header().Set("Content-Disposition", disposition(t.Filename))
	}
	b := a.start(w, t.ContentType, compressible(t.ContentType), http.StatusOK)
	defer b.close()
	if a.Head {
		return b.end(nil)
	}
	return b.end(t.Write(a.context(), b.Buffer))
}

func compressible(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.Contains(contentType, "json") || strings.Contains(contentType, "xml")
}

// meta writes the members of meta every envelope has.
func (a *Ask) meta(j *format.JSON) {
	j.Key("query_time_ms")
	j.Value(format.Float(millis(a.Elapsed()), 3))
	j.Key("license")
	if n := a.Notice; n.Dataset != "" {
		j.Any(LicenseObject{n.License, n.LicenseURL, a.attribution(), n.Dataset, true})
		return
	}
	j.String(a.license())
}

// LicenseObject is meta.license of services whose endpoints differ in their sources.
type LicenseObject struct {
	License     string `json:"license"`
	LicenseURL  string `json:"license_url"`
	Attribution string `json:"attribution"`
	Dataset     string `json:"dataset"`
	Modified    bool   `json:"modified"`
}

// license is the licence and who is to be named.
func (a *Ask) license() string {
	who := a.attribution()
	if who == "" {
		return a.Notice.License
	}
	return a.Notice.License + ", " + who
}

func (a *Ask) attribution() string {
	if a.Generation.Attribution != "" {
		return a.Generation.Attribution
	}
	return a.Notice.Attribution
}

func writeMembers(j *format.JSON, members []Member) {
	for _, m := range members {
		v := m.Value
		if f, ok := v.(func() any); ok {
			v = f()
		}
		if fv, ok := v.(format.Value); ok {
			j.Key(m.Name)
			j.Value(fv)
			continue
		}
		j.Member(m.Name, v)
	}
}

// Fault writes an error answer. It must come before the first byte of another answer.
func Fault(w http.ResponseWriter, f *fault.Fault, requestID string) {
	writeFault(w, f, "application/json", f.Status(), f.JSON(requestID))
}

// FaultScript passes an error to the function that a script tag names (JSONP). Its HTTP status is 200, for a browser
// runs no other script; the status of the fault is in the body.
func FaultScript(w http.ResponseWriter, f *fault.Fault, requestID, callback string) {
	body := slices.Concat([]byte("/**/"+callback+"("), bytes.TrimSpace(f.JSON(requestID)), []byte(");\n"))
	writeFault(w, f, "application/javascript; charset=utf-8", http.StatusOK, body)
}

func writeFault(w http.ResponseWriter, f *fault.Fault, contentType string, status int, body []byte) {
	h := w.Header()
	for _, name := range []string{"ETag", "Content-Encoding", "Content-Disposition", "Content-Length", "Content-Crs", "Server-Timing"} {
		h.Del(name)
	}
	h["Link"] = slices.DeleteFunc(h.Values("Link"), func(l string) bool { return strings.Contains(l, `rel="next"`) })
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if len(f.Allow) > 0 {
		h.Set("Allow", strings.Join(f.Allow, ", "))
	}
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((f.RetryAfter+time.Second-1)/time.Second)))
	}
	if f.Code == fault.UnsatisfiableRange {
		h.Set("Content-Range", "bytes */"+strconv.FormatInt(f.Size, 10))
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

// errClient marks a failed write to the client: nobody is left to answer.
var errClient = errors.New("the client went away")
