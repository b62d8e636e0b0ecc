package serve

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"mappe/shared/cloud/clientlimit"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// The rates of template.yaml: that of most services, and that of the place context and of the tools that ask it.
var (
	usualRate   = clientlimit.Rate{PerSecond: 20, Burst: 60}
	contextRate = clientlimit.Rate{PerSecond: 5, Burst: 60}
)

// limited holds each client address to the rate of the service that it asks (the cells of the context have a function
// and a rate of their own), other paths than the artefacts', which the
// CDN serves by itself.
func limited(h http.Handler, most, ofContext clientlimit.Rate) http.Handler {
	usual, cells, place := clientlimit.New(most), clientlimit.New(most), clientlimit.New(ofContext)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/artefacts/") || r.Method == http.MethodOptions { // a preflight costs nothing
			h.ServeHTTP(w, r)
			return
		}
		l := usual
		switch {
		case strings.HasPrefix(r.URL.Path, "/context/api/v1/ne"):
			l = cells
		case strings.HasPrefix(r.URL.Path, "/context/"), r.URL.Path == "/mcp", strings.HasPrefix(r.URL.Path, "/mcp/"):
			l = place
		}
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
