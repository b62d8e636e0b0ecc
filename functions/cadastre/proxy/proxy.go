package proxy

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"mappe/functions/core"
	"mappe/functions/core/overlays"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// proxied are the paths of the cadastre that the proxy reaches; one that ends with a slash stands for all below it.
var proxied = []string{"/natura2000/stats", "/natura2000/search", "/natura2000/point", "/natura2000/site/", "/natura2000/site_parcels/",
	"/natura2000/parcel/", "/natura2000/kg/",
	"/legal/search", "/search/protected_area"}

func parseProxied(text string) (string, error) {
	path := "/" + strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "/"), "api/v1/"), "/")
	for _, p := range proxied {
		if below := strings.HasSuffix(p, "/"); below && strings.HasPrefix(path, p) && len(path) > len(p) || !below && path == p {
			return path, nil
		}
	}
	return "", errors.New("one of " + strings.Join(proxied, ", ") + ", where a slash at the end is followed by a code")
}

var proxyPath = endpoint.Parsed("path",
	"Path of the cadastre's endpoint: natura2000/{stats,search,point}, natura2000/site/{code}, natura2000/site_parcels/{code}, natura2000/parcel/{kg}/{gnr}, natura2000/kg/{kg}, legal/search or search/protected_area.",
	parseProxied, endpoint.Required, endpoint.Example("natura2000/site/AT3299001"))

// proxy hands a request on to the families that answer it in the cadastre, in this process.
type proxy struct {
	handler func() (http.Handler, error)
	params  []endpoint.AnyParam
	passed  []*endpoint.Param[string]
	names   []string
}

func newProxy(d core.Deps) *proxy {
	service := overlays.New(d)
	p := &proxy{handler: sync.OnceValues(service.Handler), params: []endpoint.AnyParam{proxyPath}}
	taken := map[string]bool{"path": true, "callback": true, "pretty": true, "nocache": true}
	for _, e := range service.Endpoints {
		inputs, err := e.Inputs()
		if err != nil {
			panic(err) // the declarations are wrong, which the tests of the cadastre would have told
		}
		for _, in := range inputs {
			if in.InPath || taken[in.Name] {
				continue
			}
			taken[in.Name] = true
			param := endpoint.String(in.Name, "Handed on: as the cadastre's endpoint has it.", endpoint.Between(0, 1000))
			p.params, p.passed, p.names = append(p.params, param), append(p.passed, param), append(p.names, in.Name)
		}
	}
	return p
}

func (p *proxy) endpoint() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/cadastre/proxy", ID: "cadastre_proxy", Tag: tag,
		Summary: "Further answers of the cadastre",
		Doc: `What the cadastre answers at path with the other parameters, status and body unchanged: Natura 2000 statistics, sites,
points, parcels and KGs, protected areas, laws that name parcels.`,
		Params:  p.params,
		Answer:  endpoint.Answer{Body: map[string]any{}, Timed: func(*endpoint.Request) bool { return true }},
		Example: "/api/v1/cadastre/proxy?path=natura2000/search",
		Notice:  &core.Notice,
		Serve:   p.serve,
	}
}

func (p *proxy) serve(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	query := url.Values{}
	for i, param := range p.passed {
		if param.Given(r) {
			query.Set(p.names[i], param.Of(r))
		}
	}
	h, err := p.handler()
	if err != nil {
		return nil, err
	}
	path := "/api/v1" + proxyPath.Of(r)
	in, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://cadastre", nil)
	if err != nil {
		return nil, err
	}
	// The path as it was written: a parcel number may hold an escaped slash.
	plain, err := url.PathUnescape(path)
	if err != nil {
		return nil, fault.BadValue("path", proxyPath.Of(r), "a path whose escapes are right")
	}
	in.URL = &url.URL{Scheme: "http", Host: "cadastre", Path: plain, RawPath: path, RawQuery: query.Encode()}
	in.RequestURI = in.URL.RequestURI()
	in.Header.Set("Accept-Encoding", "identity")
	w := &responseBuffer{header: http.Header{}}
	h.ServeHTTP(w, in)
	if w.Len() > maxProxied {
		return nil, fault.New(fault.TooLarge, "the answer is larger than %d MB: ask the cadastre itself, or for fewer rows", maxProxied>>20)
	}
	out := &reply.Bytes{ContentType: w.header.Get("Content-Type"), Body: w.Bytes(), Status: w.status, Header: http.Header{}}
	for _, name := range []string{"X-Data-Ready", "Retry-After", "Content-Disposition"} {
		if v := w.header.Values(name); len(v) > 0 {
			out.Header[name] = v
		}
	}
	return out, nil
}

// maxProxied bounds an answer that is handed on.
const maxProxied = 20 << 20

// responseBuffer is an answer in memory; what goes beyond its bound is left out.
type responseBuffer struct {
	bytes.Buffer
	header http.Header
	status int
}

// Header are the headers.
func (w *responseBuffer) Header() http.Header { return w.header }

// WriteHeader takes the status.
func (w *responseBuffer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write takes bytes.
func (w *responseBuffer) Write(b []byte) (int, error) {
	if w.Len() <= maxProxied {
		w.Buffer.Write(b)
	}
	return len(b), nil
}
