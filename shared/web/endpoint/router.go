package endpoint

import (
	"errors"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// router answers the requests of one service: what is common to all answers happens here, once.
type router struct {
	s        *Service
	mux      *http.ServeMux
	crossing *http.ServeMux      // the paths that cross one of mux: /things/{id}/parts beside /things/new/{name}
	crossed  map[string]bool     // those paths
	methods  map[string][]string // per path pattern
	paths    []string
	fixed    map[route]*operation // operations whose path holds no values: found without the mux
	link     []string             // header values that all answers share; nobody writes to them
	notice   []string
	software string                 // part of every ETag
	scripts  bool                   // some endpoint answers script tags (JSONP)
	credit   atomic.Pointer[credit] // of the generation served last

	api       huma.API
	described [2]atomic.Pointer[description] // in English, in German
}

// route is a method and a path without values.
type route struct{ method, path string }

func (rt *router) add(method, path string) {
	if rt.methods[path] == nil {
		rt.crossed[path] = slices.ContainsFunc(rt.paths, func(q string) bool { return !rt.crossed[q] && crosses(q, path) })
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
	rt.muxOf(e.Path).HandleFunc(e.Method+" "+exactly(e.Path), func(w http.ResponseWriter, r *http.Request) {
		rt.serve(o, w.(*exchange), r)
	})
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

// leads sends who asks for the service itself, or for its docs with a slash, to the docs.
func (rt *router) leads() {
	docs := rt.s.docsPath()
	redirect := func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange)
		if r.URL.RawPath != "" { // ServeMux takes /%2F for a slash
			rt.lost(x, r)
			return
		}
		x.served("GET "+r.URL.Path, "")
		x.Header().Set("Cache-Control", "max-age=120")
		x.Header().Set("Location", rt.s.base(r)+docs)
		x.WriteHeader(http.StatusFound)
	}
	rt.mux.HandleFunc("GET "+docs+"/{$}", redirect)
	if !slices.Contains(rt.methods["/"], http.MethodGet) {
		rt.mux.HandleFunc("GET /{$}", redirect)
	}
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
			f := fault.New(fault.MethodNotAllowed, "method %s is not allowed: expected one of %s", fault.Shorten(r.Method),
				strings.Join(allow, ", "))
			f.Allow = allow
			rt.fail(x, r, f)
		}
		for _, pattern := range rt.others(p) {
			rt.muxOf(p).HandleFunc(pattern, other)
		}
	}
	rt.mux.Handle("/", rt.crossing)
	rt.crossing.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { rt.lost(w.(*exchange), r) })
}

// muxOf is the mux that has a path.
func (rt *router) muxOf(path string) *http.ServeMux {
	if rt.crossed[path] {
		return rt.crossing
	}
	return rt.mux
}

// crosses says whether two patterns take a path in common and each takes one that the other does not. ServeMux refuses
// two such patterns; here the one declared first takes what is common.
func crosses(p, q string) bool {
	a, b := strings.Split(p, "/"), strings.Split(q, "/")
	if len(a) != len(b) {
		return false
	}
	var pWider, qWider bool
	for i := range a {
		switch pValue, qValue := strings.HasPrefix(a[i], "{"), strings.HasPrefix(b[i], "{"); {
		case pValue && !qValue:
			pWider = true
		case qValue && !pValue:
			qWider = true
		case !pValue && a[i] != b[i]:
			return false
		}
	}
	return pWider && qWider
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
	x.page = true
	f := fault.Missed("endpoint", r.URL.Path)
	f.Message += fault.DidYouMean(r.URL.Path, rt.paths)
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
var exposed = []string{"ETag, Link, Content-Crs, Content-Disposition, Retry-After, Server-Timing, X-Data-Attribution, X-Data-Ready, X-Data-Version, X-NE-Dict, X-NE-Frames, X-NE-KGs, X-NE-Layers, X-NE-Missing, X-NE-Pending-KGs, X-NE-Rows, X-Request-Id, X-KG-Universe-Hash, X-KG-Universe-Peer-Agree, PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE"}

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
	if rt.notice == nil {
		rt.credited(r.Context(), h)
	}
	defer rt.recovered(x, r)
	if r.URL.RawPath == "" {
		if o := rt.fixed[route{r.Method, r.URL.Path}]; o != nil {
			rt.serve(o, x, r)
			return
		}
	}
	// ServeMux redirects unclean paths; here they name nothing. Slashes inside a value are %2F and
	// stay, because patterns are matched on the escaped path.
	if p := r.URL.EscapedPath(); p == "" || p[0] != '/' || strings.Contains(p, "//") || path.Clean(p) != strings.TrimSuffix(p, "/") &&
		p != "/" {
		rt.lost(x, r)
		return
	}
	rt.mux.ServeHTTP(x, r)
}

// recovered ends a request whose handler panicked: with an answer where none has begun, else by cutting it.
func (rt *router) recovered(x *exchange, r *http.Request) {
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
	rt.s.Log.Error("panic", "request_id", x.id, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	if x.begun {
		panic(http.ErrAbortHandler)
	}
	reply.Fault(x, fault.From(errors.New("panic")), x.id)
}
