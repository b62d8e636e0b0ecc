package endpoint

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// router answers the requests of one service: what is common to all answers happens here, once.
type router struct {
	s        *Service
	mux      *http.ServeMux
	methods  map[string][]string // per path pattern
	paths    []string
	fixed    map[route]*operation // operations whose path holds no values: found without the mux
	link     []string             // header values that all answers share; nobody writes to them
	notice   []string
	software string                 // part of every ETag
	credit   atomic.Pointer[credit] // of the generation served last
}

// route is a method and a path without values.
type route struct{ method, path string }

// credit is an attribution and its header, kept for the next answer.
type credit struct {
	text   string
	header []string
}

// exchange is one request being answered: the ResponseWriter that knows its request id, its start
// and whether the answer has begun.
type exchange struct {
	http.ResponseWriter
	id    string
	start time.Time
	begun bool
}

func (x *exchange) WriteHeader(status int) {
	x.begun = true
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	x.begun = true
	return x.ResponseWriter.Write(p)
}

// accessLog is what the ResponseWriter of a server that keeps an access log has beside: it is told the
// pattern of the operation that answers, and the generation of the data once that is known.
type accessLog interface {
	Served(route, generation string)
}

func (x *exchange) served(route, generation string) {
	if log, ok := x.ResponseWriter.(accessLog); ok {
		log.Served(route, generation)
	}
}

// Unwrap lets http.ResponseController reach the server's writer.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (rt *router) add(method, path string) {
	if rt.methods[path] == nil {
		rt.paths = append(rt.paths, path)
	}
	rt.methods[path] = append(rt.methods[path], method)
	if method == http.MethodGet {
		rt.methods[path] = append(rt.methods[path], http.MethodHead)
	}
}

// route routes an operation. Where its path holds values the mux finds it.
func (rt *router) route(o *operation) {
	e := o.e
	o.pattern = e.Method + " " + e.Path
	rt.gate(o)
	rt.mux.HandleFunc(e.Method+" "+exactly(e.Path), func(w http.ResponseWriter, r *http.Request) { rt.serve(o, w.(*exchange), r) })
	if strings.ContainsAny(e.Path, "{}") || strings.HasSuffix(e.Path, "/") && e.Path != "/" {
		return
	}
	rt.fixed[route{e.Method, e.Path}] = o
	if e.Method == http.MethodGet {
		rt.fixed[route{http.MethodHead, e.Path}] = o
	}
}

// exactly is the mux's pattern of a path: a bare slash would match everything.
func exactly(path string) string {
	if path == "/" {
		return "/{$}"
	}
	return path
}

// own routes a GET of the service's own.
func (rt *router) own(path string, serve func(*exchange, *http.Request) error) {
	if slices.Contains(rt.methods[path], http.MethodGet) {
		return // the service declares an endpoint of this path itself
	}
	rt.add(http.MethodGet, path)
	rt.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange)
		x.served("GET "+path, "")
		if err := serve(x, r); err != nil {
			rt.fail(x, r, err)
		}
	})
}

// finish adds what answers for wrong methods and wrong paths.
func (rt *router) finish() {
	slices.Sort(rt.paths)
	for _, p := range rt.paths {
		allow := append(slices.Clone(rt.methods[p]), http.MethodOptions)
		slices.Sort(allow)
		allow = slices.Compact(allow)
		other := func(w http.ResponseWriter, r *http.Request) {
			x := w.(*exchange)
			if r.Method == http.MethodOptions {
				preflight(x, allow)
				return
			}
			f := fault.New(fault.MethodNotAllowed, "method %s does not work here: expected one of %s", fault.Shorten(r.Method), strings.Join(allow, ", "))
			f.Allow = allow
			rt.fail(x, r, f)
		}
		for _, pattern := range rt.others(p) {
			rt.mux.HandleFunc(pattern, other)
		}
	}
	rt.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { rt.lost(w.(*exchange), r) })
}

// others are the patterns of a path's remaining methods: one for all, or, where a pattern with values takes
// the path too (/books/upload beside GET /books/{id}), one each, because the mux could not tell which of
// the two is meant.
func (rt *router) others(p string) []string {
	if !slices.ContainsFunc(rt.paths, func(q string) bool { return q != p && takes(q, p) }) {
		return []string{exactly(p)}
	}
	var each []string
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		if !slices.Contains(rt.methods[p], m) {
			each = append(each, m+" "+exactly(p))
		}
	}
	return each
}

// takes says whether every path of pattern p is one of pattern q.
func takes(q, p string) bool {
	general, special := strings.Split(q, "/"), strings.Split(p, "/")
	if len(general) != len(special) {
		return false
	}
	for i, g := range general {
		if g != special[i] && !strings.HasPrefix(g, "{") {
			return false
		}
	}
	return true
}

func (rt *router) lost(x *exchange, r *http.Request) {
	f := fault.Missed("endpoint", r.URL.Path)
	if n := fault.Nearest(r.URL.Path, rt.paths); n != "" {
		f.Message += "; did you mean " + n + "?"
	}
	rt.fail(x, r, f)
}

func preflight(x *exchange, allow []string) {
	h := x.Header()
	h.Set("Allow", strings.Join(allow, ", "))
	h.Set("Access-Control-Allow-Methods", strings.Join(allow, ", "))
	h.Set("Access-Control-Allow-Headers", "*, Authorization")
	h.Set("Access-Control-Max-Age", "86400")
	x.WriteHeader(http.StatusNoContent)
}

// exposed are the headers scripts of other origins may read.
var exposed = []string{"ETag, Link, Content-Crs, Content-Disposition, Retry-After, Server-Timing, X-Data-Attribution, X-Data-Version, X-Request-Id, X-KG-Universe-Hash, X-KG-Universe-Peer-Agree, PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE"}

var anyOrigin = []string{"*"}

func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{ResponseWriter: w, start: rt.s.Now(), id: requestID(r.Header.Get("X-Request-Id"))}
	if x.id == "" {
		x.id = rt.s.NewID()
	}
	h := w.Header()
	h["X-Request-Id"] = []string{x.id}
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposed
	rt.license(h, "")
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if b, ok := p.(reply.Broken); ok {
			level := slog.LevelError
			if b.Client() || r.Context().Err() != nil { // nobody waits for the rest
				level = slog.LevelInfo
			}
			rt.s.Log.Log(r.Context(), level, "answer cut", "request_id", x.id, "path", r.URL.Path, "bytes", b.Bytes, "error", b.Err)
			panic(http.ErrAbortHandler)
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		rt.s.Log.Error("panic", "request_id", x.id, "path", r.URL.Path, "panic", p)
		if x.begun {
			panic(http.ErrAbortHandler)
		}
		reply.Fault(x, fault.From(errors.New("panic")), x.id)
	}()
	if r.URL.RawPath == "" {
		if o := rt.fixed[route{r.Method, r.URL.Path}]; o != nil {
			rt.serve(o, x, r)
			return
		}
	}
	// ServeMux redirects unclean paths; here they name nothing. Slashes inside a value are %2F and
	// stay, because patterns are matched on the escaped path.
	if p := r.URL.EscapedPath(); p == "" || p[0] != '/' || strings.Contains(p, "//") || path.Clean(p) != strings.TrimSuffix(p, "/") && p != "/" {
		rt.lost(x, r)
		return
	}
	rt.mux.ServeHTTP(x, r)
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

// requestID takes a client's id when it is harmless.
func requestID(s string) string {
	if len(s) > 64 {
		return ""
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return ""
		}
	}
	return s
}

// fail answers with an error; what the client must not see is logged.
func (rt *router) fail(x *exchange, r *http.Request, err error) {
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
	reply.Fault(x, f, x.id)
}

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
	if o.e.Gate == nil {
		return
	}
	o.gated = o.e.Gate(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, same := w.(*exchange)
		if !same {
			outer := r.Context().Value(exchangeKey{}).(*exchange)
			x = &exchange{ResponseWriter: w, id: outer.id, start: outer.start}
		}
		rt.open(o, x, r)
	}))
}

func (rt *router) open(o *operation, x *exchange, r *http.Request) {
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
			req.body, err = readBody(x, r, b)
		}
		if err != nil {
			return err
		}
	}
	ctx := r.Context()
	if rt.s.Pin != nil && e.Cache != Live {
		if ctx, req.Generation, err = rt.s.Pin(ctx); err != nil {
			return err
		}
		rt.license(x.Header(), req.Generation.Attribution)
		x.served(o.pattern, req.Generation.ID)
	}
	if c := req.common; c.cursor != nil && c.cursor.Given(req) {
		if req.Offset, err = reply.ParseCursor(c.cursor.Of(req), req.Generation.ID, req.filters()); err != nil {
			return err
		}
	}
	ask := rt.ask(o, x, req)
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	if read && e.Cache != Live {
		if ask.ETag, err = rt.etag(ctx, o, req, ask); err != nil {
			return err
		}
		if m := req.Generation.Modified; !m.IsZero() {
			x.Header().Set("Last-Modified", m.UTC().Format(http.TimeFormat))
		}
		if !req.Fresh && (reply.Matches(r.Header, ask.ETag) || unmodified(r.Header, req.Generation.Modified)) {
			reply.NotModified(x, ask)
			return nil
		}
	}
	a, err := e.Serve(ctx, req)
	if err != nil {
		return err
	}
	return reply.Write(x, ask, a)
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
		Format: r.Format, Kinds: o.e.Answer.Rows, Fields: r.Fields, Limit: r.Limit, Offset: r.Offset,
		Paged: r.common.limit != nil, Gzip: reply.AcceptsGzip(r.HTTP.Header), Name: o.e.ID,
		Generation: r.Generation, Head: r.HTTP.Method == http.MethodHead, Notice: rt.s.Notice,
		GeoPackage: rt.s.GeoPackage, Context: r.HTTP.Context(), Elapsed: func() time.Duration { return rt.s.Now().Sub(x.start) },
	}
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
		a.Next = func(offset int) string { return r.nextURL(base, offset) }
	}
	a.CacheControl = "max-age=120"
	switch {
	case o.e.Cache == Live, o.e.Method != http.MethodGet, r.common.nocache != nil && r.common.nocache.Of(r):
		a.CacheControl = "no-store"
	case o.e.Cache == Hourly:
		a.CacheControl = "max-age=3600"
	case o.e.Cache == Brief:
		a.CacheControl = "max-age=10"
	}
	return a
}

// etag is the answer's validator: the endpoint's own, or one of software, generation and query. Each
// encoding and form has its own.
func (rt *router) etag(ctx context.Context, o *operation, r *Request, a *reply.Ask) (string, error) {
	encoding := "identity"
	if a.Gzip && (r.Format.Compresses() || o.e.Answer.ContentType != "") {
		encoding = "gzip"
	}
	if o.e.ETag != nil {
		tag, err := o.e.ETag(ctx, r)
		if err != nil {
			return "", err
		}
		if tag != "" {
			if encoding == "gzip" {
				tag += "-gzip"
			}
			if r.Format != format.FormJSON {
				tag += "-" + string(r.Format)
			}
			return `"` + tag + `"`, nil
		}
	}
	if r.Generation.ID == "" {
		return "", nil
	}
	var space [512]byte
	return reply.ETag(rt.software, r.Generation.ID, string(r.appendIdentity(space[:0])), encoding), nil
}
