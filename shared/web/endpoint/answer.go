package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"mappe/shared/web/coding"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// serve answers a request of one operation, past its gate.
func (rt *router) serve(o *operation, x *exchange, r *http.Request) {
	if o.gated != nil {
		x.served(o.pattern, "")
		o.gated.ServeHTTP(x, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
		return
	}
	rt.open(o, x, r)
}

// exchangeKey finds the exchange of a request that went through a gate.
type exchangeKey struct{}

// gate puts an operation behind its gate, which may hand it a writer of its own.
func (rt *router) gate(o *operation) {
	if o.e.Gate == nil && o.e.Dialect == nil {
		return
	}
	inner := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, same := w.(*exchange)
		if !same {
			outer := r.Context().Value(exchangeKey{}).(*exchange)
			x = &exchange{ResponseWriter: w, id: outer.id, start: outer.start}
		}
		rt.open(o, x, r)
	}))
	for _, wrap := range []func(http.Handler) http.Handler{o.e.Gate, o.e.Dialect} {
		if wrap != nil {
			inner = wrap(inner)
		}
	}
	o.gated = inner
}

func (rt *router) open(o *operation, x *exchange, r *http.Request) {
	x.page = o.e.Answer.ContentType == "text/html"
	if err := rt.answer(o, x, r); err != nil {
		rt.fail(x, r, err)
	}
}

func (rt *router) answer(o *operation, x *exchange, r *http.Request) error {
	e := o.e
	x.served(o.pattern, "")
	req, err := o.parse(r)
	if err != nil {
		return err
	}
	if e.Body != nil {
		if b := e.Body.bodySpec(); b.media != "" {
			err = b.bound(x, r)
		} else {
			err = req.readBody(x, b)
		}
		if err != nil {
			return err
		}
	}
	ctx, err := rt.generation(r.Context(), req)
	if err != nil {
		return err
	}
	if n := o.e.Notice; n != nil {
		n.Sign(x.Header(), &req.Generation)
	} else if req.Generation.ID != "" {
		rt.license(x.Header(), req.Generation.Attribution)
	}
	if req.Generation.ID != "" {
		x.served(o.pattern, req.Generation.ID)
	}
	ask := rt.ask(o, x, req)
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	if read && e.Cache != Live {
		same, err := rt.validate(ctx, o, x, req, ask)
		if err != nil {
			return err
		}
		if same {
			reply.NotModified(x, ask)
			return nil
		}
	}
	a, err := e.Serve(ctx, req)
	if err != nil {
		return err
	}
	if read && e.Cache != Live && !req.Fresh && reply.Anything(r.Header) {
		ask.Head = true
		return reply.Write(&unchanged{ResponseWriter: x}, ask, a)
	}
	return reply.Write(x, ask, a)
}

// validate sets the validators of an answer, and says whether the client's copy is the same.
func (rt *router) validate(ctx context.Context, o *operation, x *exchange, r *Request, a *reply.Ask) (same bool, err error) {
	h, own := r.HTTP.Header, ""
	if a.ETag, own, err = rt.etag(ctx, o, r, a); err != nil {
		return false, err
	}
	if o.timed(r) {
		a.ETag, own = reply.Weak(a.ETag), reply.Weak(own)
	}
	if own != "" && !r.Fresh && reply.Named(h, own) && !reply.Named(h, a.ETag) {
		a.ETag = own // the 304 names the tag that the client knows
	}
	modified, err := modified(ctx, o.e, r)
	if err != nil {
		return false, err
	}
	if !modified.IsZero() {
		x.Header().Set("Last-Modified", modified.UTC().Format(http.TimeFormat))
	}
	return !r.Fresh && (reply.Named(h, a.ETag) || unmodified(h, modified)), nil
}

// unchanged answers 304 in place of an answer that there is, for a client that asks for news of anything.
type unchanged struct {
	http.ResponseWriter
	none bool // the answer has no body for this client
}

func (u *unchanged) WriteHeader(status int) {
	if status/100 == 2 {
		u.none, status = true, http.StatusNotModified
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition", "Content-Range"} {
			u.Header().Del(name)
		}
	}
	u.ResponseWriter.WriteHeader(status)
}

func (u *unchanged) Write(b []byte) (int, error) {
	if u.none {
		return len(b), nil
	}
	return u.ResponseWriter.Write(b)
}

// generation fixes the generation the request is answered from, that of its cursor where it has one, and the row
// that the answer begins at.
func (rt *router) generation(ctx context.Context, r *Request) (context.Context, error) {
	var err error
	if rt.s.Pin != nil && r.op.e.Cache.pinned() {
		if ctx, r.Generation, err = rt.s.Pin(ctx); err != nil {
			return ctx, err
		}
	}
	given := r.common.cursor
	if given == nil || !given.Given(r) {
		return ctx, nil
	}
	c, err := reply.ParseCursor(given.Of(r), r.filters())
	if err != nil {
		return ctx, err
	}
	r.Offset, r.Place = c.Offset, c.Place
	if c.Generation == r.Generation.ID {
		return ctx, nil
	}
	if rt.s.Repin == nil {
		return ctx, reply.CursorGone(given.Of(r))
	}
	ctx, r.Generation, err = rt.s.Repin(ctx, c.Generation)
	if errors.Is(err, ErrNoGeneration) {
		return ctx, reply.CursorGone(given.Of(r))
	}
	return ctx, err
}

// modified is when the data of an answer last changed.
func modified(ctx context.Context, e *Endpoint, r *Request) (time.Time, error) {
	if e.Modified != nil {
		return e.Modified(ctx, r)
	}
	return r.Generation.Modified, nil
}

// unmodified says whether the client's copy is as new as the data. Where the client names an ETag, that
// alone decides (RFC 9110 13.1.3).
func unmodified(h http.Header, modified time.Time) bool {
	if modified.IsZero() || len(h["If-None-Match"]) > 0 || len(h["If-Modified-Since"]) == 0 {
		return false
	}
	since, err := http.ParseTime(h.Get("If-Modified-Since"))
	return err == nil && !modified.Truncate(time.Second).After(since)
}

// ask draws together what the answer's form depends on.
func (rt *router) ask(o *operation, x *exchange, r *Request) *reply.Ask {
	a := &reply.Ask{
		Format: r.Format, RowTypes: o.e.Answer.Rows, Fields: r.Fields, Limit: r.Limit, Offset: r.Offset,
		Paged: r.common.limit != nil, Coding: coding.Accepted(r.HTTP.Header), Name: o.e.ID,
		Generation: r.Generation, Head: r.HTTP.Method == http.MethodHead, Notice: rt.s.Notice,
		GeoPackage: rt.s.GeoPackage, Context: r.HTTP.Context(), Elapsed: x.elapsed(rt.s.Now),
	}
	if o.e.Notice != nil {
		a.Notice = *o.e.Notice
	}
	a.Range, a.IfRange = r.HTTP.Header.Get("Range"), r.HTTP.Header.Get("If-Range")
	if c := r.common; c.callback != nil {
		a.Callback = c.callback.Of(r)
	}
	if c := r.common; c.pretty != nil {
		a.Pretty = c.pretty.Of(r)
	}
	if c := r.common; c.crs != nil {
		a.Projection = projection(c.crs.Of(r))
	}
	if r.common.cursor != nil {
		base := rt.s.base(r.HTTP)
		a.Next = func(offset int, place string) string { return r.nextURL(base, offset, place) }
	}
	a.CacheControl = "max-age=120"
	switch {
	case o.e.Cache == Live, o.e.Method != http.MethodGet, r.common.nocache != nil && r.common.nocache.Of(r):
		a.CacheControl = "no-store"
	case o.e.Cache == Hourly:
		a.CacheControl = "max-age=3600"
	case o.e.Cache == Brief:
		a.CacheControl = "max-age=10"
	case o.e.Cache == Immutable:
		a.CacheControl = "public, max-age=31536000, immutable"
	}
	return a
}

// etag is the answer's validator: the endpoint's own, or one of software, generation and query. Each
// encoding and form has its own. plain is the endpoint's own for the bare form: clients know it from
// elsewhere too, so that it holds whatever encoding is asked for.
func (rt *router) etag(ctx context.Context, o *operation, r *Request, a *reply.Ask) (tag, plain string, err error) {
	encoding := coding.Identity
	if !o.e.Answer.Ranges && (r.Format.Compresses() || o.e.Answer.ContentType != "") {
		encoding = a.Coding
	}
	if o.e.ETag != nil {
		tag, err := o.e.ETag(ctx, r)
		if err != nil {
			return "", "", err
		}
		if tag != "" {
			form := ""
			if r.Format != format.FormJSON {
				form = "-" + string(r.Format)
			}
			plain = `"` + tag + form + `"`
			if encoding != coding.Identity {
				return `"` + tag + "-" + encoding.String() + form + `"`, plain, nil
			}
			return plain, plain, nil
		}
	}
	data := r.Generation.ID
	if data == "" {
		return "", "", nil
	}
	if o.e.Depends != nil {
		if data, err = o.e.Depends(ctx, r); err != nil || data == "" {
			return "", "", err
		}
	}
	var space [512]byte
	return reply.ETag(rt.software, data, string(r.appendIdentity(space[:0])), encoding.String()), "", nil
}

// fail answers with an error; what the client must not see is logged.
func (rt *router) fail(x *exchange, r *http.Request, err error) {
	if rt.s.Explain != nil {
		err = rt.s.Explain(r.Context(), err)
	}
	f := fault.From(err)
	if rt.s.Faults != nil {
		f = rt.s.Faults(f)
	}
	if r.Context().Err() != nil && errors.Is(err, r.Context().Err()) {
		rt.s.Log.InfoContext(r.Context(), "client left", "request_id", x.id, "method", r.Method, "path", r.URL.Path)
	} else if f.Status() >= 500 || f.Unwrap() != nil {
		rt.s.Log.Error("request failed", "request_id", x.id, "method", r.Method, "path", r.URL.Path, "error", err)
	}
	if x.begun {
		panic(http.ErrAbortHandler)
	}
	x.Header().Del("Last-Modified")
	if name := rt.callback(r); name != "" {
		reply.FaultScript(x, f, x.id, name)
		return
	}
	if x.page {
		x.Header().Add("Vary", "Accept")
		if htmlpage.Wanted(r) {
			rt.failPage(x, r, f)
			return
		}
	}
	reply.Fault(x, f, x.id)
}

// callback is the function that a script tag wants a failure passed to: browsers do not run a script whose status
// is that of a failure, so that without it a page could not tell what is wrong.
func (rt *router) callback(r *http.Request) string {
	if r.Method != http.MethodGet || !rt.scripts {
		return ""
	}
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(q["callback"]) != 1 {
		return ""
	}
	if f := format.Format(q.Get("format")); f != "" && f != format.FormJSON && f != format.FormGeoJSON {
		return "" // no script asked
	}
	name, err := parseCallback(q.Get("callback"))
	if err != nil {
		return ""
	}
	return name
}

// failPage is fail for a person who followed a link.
func (rt *router) failPage(x *exchange, r *http.Request, f *fault.Fault) {
	base := rt.s.base(r)
	htmlpage.Error{Fault: f, RequestID: x.id, Links: []htmlpage.Link{
		{Text: rt.s.Title, To: base + "/"},
		{Text: "Documentation", To: base + rt.s.docsPath()},
	}}.Write(x, r)
}

// credit is an attribution and its header, kept for the next answer.
type credit struct {
	text   string
	header []string
}

// license sets the licence headers; header values are ASCII.
func (rt *router) license(h http.Header, attribution string) {
	if rt.link != nil {
		h["Link"] = rt.link
	}
	if attribution == "" {
		if rt.notice != nil {
			h["X-Data-Attribution"] = rt.notice
		}
		return
	}
	c := rt.credit.Load()
	if c == nil || c.text != attribution {
		c = &credit{attribution, []string{reply.ASCII(attribution)}}
		rt.credit.Store(c)
	}
	h["X-Data-Attribution"] = c.header
}

// creditTime bounds how long the credit of a failure is looked for.
const creditTime = 200 * time.Millisecond

// credited names whom the data served last credits, on answers that are given without looking at the data and on failures
// too; the answer's own stands in its place. A store that is slow to say it is not waited for.
func (rt *router) credited(ctx context.Context, h http.Header) {
	if c := rt.credit.Load(); c != nil {
		h["X-Data-Attribution"] = c.header
		return
	}
	if rt.s.Pin == nil {
		return
	}
	ctx, done := context.WithTimeout(ctx, creditTime)
	defer done()
	if _, g, err := rt.s.Pin(ctx); err == nil && g.Attribution != "" {
		rt.license(h, g.Attribution)
	}
}
