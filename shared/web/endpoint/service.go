package endpoint

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Service is one HTTP service: its endpoints under one base URL.
type Service struct {
	System      string // name in the coverage table: "cadastre"
	Title       string
	Version     string // version of the software; part of every ETag
	Build       string // build of the software where Version does not tell; part of every ETag too
	Description string
	// BaseURL is what stands before the paths of the endpoints in the outside world
	// ("https://cadastre.example", "/cadastre"); "" where the service owns its host, or where Mount
	// tells it.
	BaseURL string
	// DocsPath is the path of the page to try the endpoints; "" means /docs.
	DocsPath string
	// German are files of sentences (shared/web/catalogue) from which openapi.json is given in German; none: it is English only.
	German    []string
	Endpoints []Endpoint
	// Described are endpoints of the same base URL that another function answers: they are described
	// in openapi.json and on the page, but not routed, and need no handler.
	Described []Endpoint
	Notice    reply.Notice
	// Pin fixes the data generation a request is answered from; the handler finds it in the context.
	// Live endpoints are not pinned. nil: answers have no generation, and so no ETag.
	Pin func(ctx context.Context) (context.Context, reply.Generation, error)
	// Repin exchanges the pinned generation for the one that a cursor was made in: a walk sees one state of
	// the data from its first page to its last. ErrNoGeneration says that it is not kept any more. nil: such
	// cursors are refused.
	Repin      func(ctx context.Context, generation string) (context.Context, reply.Generation, error)
	GeoPackage reply.FileWriter // nil: format=gpkg is refused
	// Explain makes faults of errors of what the endpoints read, where a client can be told more than that the service failed.
	// nil: it is told nothing.
	Explain func(context.Context, error) error
	// Faults gives a fault the service's own form (fault.Fault.Errors) before it is sent, and FaultBody is
	// a Go value of that form for openapi.json. nil: the form of fault.Schema.
	Faults    func(*fault.Fault) *fault.Fault
	FaultBody any
	Now       func() time.Time // nil: time.Now
	NewID     func() string    // request ids; nil: random
	Log       *slog.Logger     // nil: silent
}

// ErrNoGeneration is what Repin gives for a generation that is not kept any more.
var ErrNoGeneration = errors.New("the generation is not kept any more")

// Route is one routed operation.
type Route struct{ System, Method, Path string }

// Routes lists the operations of the service, openapi.json and the docs page among them.
func (s *Service) Routes() []Route {
	routes := []Route{{s.System, "GET", "/openapi.json"}, {s.System, "GET", s.docsPath()}}
	for _, e := range s.Endpoints {
		routes = append(routes, Route{s.System, e.Method, e.Path})
	}
	return routes
}

func (s *Service) docsPath() string {
	if s.DocsPath == "" {
		return "/docs"
	}
	return s.DocsPath
}

// Handler checks the declarations and routes them.
func (s *Service) Handler() (h http.Handler, err error) {
	defer func() { // ServeMux and the schema registry refuse clashing declarations by panic
		if p := recover(); p != nil {
			h, err = nil, fmt.Errorf("service %s: %v", s.System, p)
		}
	}()
	rt := &router{s: s.withDefaults(), mux: http.NewServeMux(), crossing: http.NewServeMux(), crossed: map[string]bool{},
		methods: map[string][]string{}, fixed: map[route]*operation{}, software: s.Version + s.Build}
	if n := rt.s.Notice; n.LicenseURL != "" {
		rt.link = []string{"<" + n.LicenseURL + `>; rel="license"`}
	}
	if a := rt.s.Notice.Attribution; a != "" {
		rt.notice = []string{reply.ASCII(a)}
	}
	api, ops, err := rt.s.describe(rt.mux, rt.s.own(rt))
	if err != nil {
		return nil, err
	}
	for _, o := range ops {
		rt.add(o.e.Method, o.e.Path)
		rt.route(o)
		rt.scripts = rt.scripts || o.common.callback != nil
	}
	rt.api = api
	rt.leads()
	rt.finish()
	return rt, nil
}

func (s *Service) withDefaults() *Service {
	c := *s
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = func() string {
			var b [8]byte
			var text [16]byte
			binary.BigEndian.PutUint64(b[:], rand.Uint64()) // names a line of the log, guards nothing
			hex.Encode(text[:], b[:])
			return string(text[:])
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &c
}

type mountKey struct{}

// Mount puts a service under a prefix ("/cadastre"): the prefix is taken off the path, and the links
// the service writes carry it.
func Mount(prefix string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u := plainURL(r.URL)
		path, ok := strings.CutPrefix(u.Path, prefix)
		raw, rawOK := strings.CutPrefix(u.RawPath, prefix)
		if !ok || u.RawPath != "" && !rawOK {
			http.NotFound(w, r)
			return
		}
		m := &mounted{Context: r.Context(), prefix: prefix, url: *u}
		if path == "" { // the prefix itself is the service's "/"
			path = "/"
		}
		m.url.Path, m.url.RawPath = path, raw
		in := r.WithContext(m)
		in.URL = &m.url
		h.ServeHTTP(w, in)
	})
}

// mounted is the context of a request below a prefix, and its address there.
type mounted struct {
	context.Context
	prefix string
	url    url.URL
}

// Value knows the prefix beside what the request's own context holds.
func (m *mounted) Value(key any) any {
	if key == (mountKey{}) {
		return m.prefix
	}
	return m.Context.Value(key)
}

// base is what stands before the paths of this request's service.
func (s *Service) base(r *http.Request) string {
	if p, ok := r.Context().Value(mountKey{}).(string); ok {
		return p
	}
	return s.BaseURL
}

// Prefix is what Mount took off the path of a request, "" where the service owns its host.
func Prefix(r *http.Request) string {
	p, _ := r.Context().Value(mountKey{}).(string)
	return p
}

// Origin is the scheme and the host that a request was sent to, "http://127.0.0.1:8080". Only the connection tells
// them: anybody can write X-Forwarded-Proto and Host, so no header is asked. (funcurl's requests have no
// connection of their own: for them it says TLS and the domain name of the function.)
func Origin(r *http.Request) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		host = at.String()
	}
	return scheme + "://" + host
}

// Address is where a request was sent to, "http://host/cadastre": that of the service where no proxy changes
// the host.
func Address(r *http.Request) string { return Origin(r) + Prefix(r) }

// Base is what stands before the paths of a service in the outside world: its public address where that is known, else where the
// request was sent to. Links that clients follow or harvest as they are begin with it.
func Base(public string, r *http.Request) string {
	if public != "" {
		return public
	}
	return Address(r)
}
