package serve

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"mappe/functions/family"
	"mappe/shared/cloud/clientlimit"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// usualRate is the rate of template.yaml for most functions.
var usualRate = clientlimit.Rate{PerSecond: 20, Burst: 60}

// rateOf is the rate of a family's function in template.yaml: the place context publishes one of its own, which the tools
// for models, that ask it, share.
func rateOf(name string) clientlimit.Rate {
	switch name {
	case "context-place", "context-info", "mcp":
		return clientlimit.Rate{PerSecond: 5, Burst: 60}
	}
	return usualRate
}

// limited holds each client address to the rates of the functions that it asks: as in the cloud each function counts for
// itself. Artefacts and pages, which the CDN serves by itself there, and preflights cost nothing.
func limited(h http.Handler, services []family.Service, rate func(name string) clientlimit.Rate) http.Handler {
	limits := map[string]*clientlimit.Limiter{}
	byPrefix := map[string]family.Service{}
	for _, s := range services {
		byPrefix[s.Prefix] = s
		for _, m := range s.Members {
			limits[m.Name] = clientlimit.New(rate(m.Name))
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		s, ok := byPrefix["/"+first]
		if !ok || r.Method == http.MethodOptions {
			h.ServeHTTP(w, r)
			return
		}
		l := limits[s.For(endpoint.PlainPath(r.URL.EscapedPath())).Name]
		client, _ := netip.ParseAddrPort(r.RemoteAddr) // one that cannot be read is not limited
		if wait := l.Take(client.Addr(), time.Now()); wait > 0 {
			for name, value := range l.Headers(wait) {
				w.Header().Set(name, value)
			}
			w.Header().Set("Access-Control-Allow-Origin", "*") // a page of another origin may read why
			w.Header().Set("Access-Control-Expose-Headers", "*")
			reply.Fault(w, fault.Retry(fault.RateLimited, wait, "%s", l.Message(wait)), r.Header.Get("X-Request-Id"))
			return
		}
		h.ServeHTTP(w, r)
	})
}
