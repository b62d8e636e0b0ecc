package server

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"gopkg.in/yaml.v3"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/infra/oracles"
	"mappe/localdev/server/web"
	"mappe/localdev/server/web/webtest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/htmlpage"
)

// accepts is what browsers send when a person follows a link.
const accepts = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// bundled is a server over one KG with a bundle of the map page.
func bundled(t *testing.T) http.Handler {
	t.Helper()
	return serving(t, webtest.Bundle(t, map[string]string{"index.html": "<title>map</title>", "national.html": "<title>national</title>",
		"kg.html": "<title>kg</title>", "download.html": "<title>download</title>", "tables.html": "<title>tables</title>", "map.js": "1",
		"worker.mjs": "2", "map.css": "a{}", ".sum": "x", "notes.txt": "n"}))
}

// serving is a server over one KG with the pages of a folder.
func serving(t *testing.T, folder fs.FS) http.Handler {
	t.Helper()
	st := mem.New()
	if _, err := national.PublishSnapshots(t.Context(), st,
		kgtest.Snapshot(kgtest.Options{Code: "99003", Parcels: 8, Segments: 1, AreaKm2: 1, Seed: 3})); err != nil {
		t.Fatal(err)
	}
	h, err := New(t.Context(), Config{Store: st, Web: web.Of(folder)})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func visit(h http.Handler, method, path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path, r.RequestURI = path, path
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPathsOfTheSite(t *testing.T) {
	h := bundled(t)
	for _, c := range []struct {
		method, path, accept string
		status               int
		typ, holds, location string
	}{
		{"GET", "/", accepts, 200, htmlpage.ContentType, `href="/cadastre/docs"`, ""},
		{"GET", "/map", accepts, 200, htmlpage.ContentType, "<title>map</title>", ""},
		{"GET", "/map/", accepts, 200, htmlpage.ContentType, "<title>map</title>", ""},
		{"GET", "/map/index.html", accepts, 200, htmlpage.ContentType, "<title>map</title>", ""},
		{"GET", "/p/99003-1", accepts, 200, htmlpage.ContentType, "<title>map</title>", ""},
		{"GET", "/p/99003-1/2", accepts, 200, htmlpage.ContentType, "<title>map</title>", ""},
		{"GET", "/national", accepts, 200, htmlpage.ContentType, "<title>national</title>", ""},
		{"GET", "/national/", accepts, 200, htmlpage.ContentType, "<title>national</title>", ""},
		{"GET", "/download", accepts, 200, htmlpage.ContentType, "<title>download</title>", ""},
		{"GET", "/map/national.html", accepts, 200, htmlpage.ContentType, "<title>national</title>", ""},
		{"GET", "/kg/99003", accepts, 200, htmlpage.ContentType, "<title>kg</title>", ""},
		{"GET", "/tables", accepts, 200, htmlpage.ContentType, "<title>tables</title>", ""},
		{"GET", "/tables/", accepts, 200, htmlpage.ContentType, "<title>tables</title>", ""},
		{"GET", "/kg/", accepts, 404, htmlpage.ContentType, "Page not found", ""},
		{"GET", "/kg/99003/more", accepts, 404, htmlpage.ContentType, "Page not found", ""},
		{"GET", "/map/map.js", "*/*", 200, "text/javascript; charset=utf-8", "1", ""},
		{"GET", "/map/worker.mjs", "*/*", 200, "text/javascript; charset=utf-8", "2", ""},
		{"GET", "/pages.css", "text/css", 200, "text/css; charset=utf-8", ":root", ""},
		{"GET", "/docs", accepts, 302, "", "", "/"},
		{"GET", "/cadastre", accepts, 302, "", "", "/cadastre/"},
		{"GET", "/cadastre/", accepts, 302, "", "", "/cadastre/docs"},
		{"GET", "/context/", "*/*", 302, "", "", "/context/docs"},
		{"GET", "/workfeed/", accepts, 302, "", "", "/workfeed/docs"},
		{"GET", "/cadastre/docs/", accepts, 302, "", "", "/cadastre/docs"},
		{"GET", "/books/", accepts, 200, htmlpage.ContentType, "</html>", ""},
		{"GET", "/expander/", accepts, 200, htmlpage.ContentType, "<form", ""},
		{"GET", "/expander/", "*/*", 200, "application/json", `"service"`, ""},

		{"GET", "//", accepts, 404, htmlpage.ContentType, "Page not found", ""},
		{"GET", "//", "*/*", 404, "application/json", `"code":"not_found"`, ""},
		{"GET", "/map/../map", accepts, 404, htmlpage.ContentType, "Page not found", ""},
		{"GET", "/nothing", accepts, 404, htmlpage.ContentType, `href="/map"`, ""},
		{"GET", "/nothing", "", 404, "application/json", `"status":404`, ""},
		{"GET", "/map/missing.js", "*/*", 404, "application/json", "not_found", ""},
		{"GET", "/map/.sum", "*/*", 404, "application/json", "not_found", ""},
		{"GET", "/map/notes.txt", "*/*", 404, "application/json", "not_found", ""},
		{"GET", "/cadastre//api/v1/spatial/bbox", accepts, 404, htmlpage.ContentType, `href="/cadastre/docs"`, ""},
		{"GET", "/cadastre/nothing", accepts, 404, htmlpage.ContentType, `href="/cadastre/docs"`, ""},
		{"GET", "/cadastre/nothing", "*/*", 404, "application/json", "not_found", ""},
		{"GET", "/books/nothing", accepts, 404, htmlpage.ContentType, "Page not found", ""},
		{"GET", "/expander/nothing", accepts, 404, htmlpage.ContentType, "Page not found", ""},
	} {
		w := visit(h, c.method, c.path, c.accept)
		if w.Code != c.status || w.Header().Get("Location") != c.location || c.typ != "" && w.Header().Get("Content-Type") != c.typ ||
			!strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s %s for %q: %d %v %.200s", c.method, c.path, c.accept, w.Code, w.Header(), w.Body)
		}
	}
}

// The bytes are compressed for who takes that and plain for others, of the same text, each with a validator of its own.
func TestFilesOfTheBundleAsTheyAreSent(t *testing.T) {
	text := map[string]string{"/map": strings.Repeat("<p>map</p>", 500), "/map/map.js": strings.Repeat("let a=1;", 500)}
	folder := webtest.Bundle(t, map[string]string{"index.html": text["/map"], "map.js": text["/map/map.js"]})
	small := []byte("the same by Brotli")
	folder["map.js.br"] = &fstest.MapFile{Data: small, Mode: 0o644}
	h := serving(t, folder)
	ask := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for path, want := range text {
		tags := map[string]bool{}
		named, alone, forms := "gzip", "", 2 // of a file that is kept by gzip alone
		if path == "/map/map.js" {
			named, alone, forms = "br", "br", 3
		}
		for _, c := range []struct{ accept, coding string }{{"gzip, deflate, br, zstd", named}, {"", ""}, {"br", alone}, {"br;q=0, gzip", "gzip"},
			{"gzip;q=0", ""}, {"*", "gzip"}} {
			w := ask("GET", path, "Accept-Encoding", c.accept)
			head, body := w.Header(), w.Body.Bytes()
			if w.Code != 200 || head.Get("Content-Encoding") != c.coding || head.Get("Vary") != "Accept-Encoding" ||
				head.Get("Content-Length") != strconv.Itoa(len(body)) || head.Get("Cache-Control") != "no-cache" {
				t.Errorf("%s for %q: %d %v", path, c.accept, w.Code, head)
			}
			if packed := web.Packed(body); c.coding == "gzip" {
				var err error
				if body, err = packed.Plain(); err != nil || len(packed) >= len(body) {
					t.Errorf("%s for %q: %d bytes, %v", path, c.accept, len(packed), err)
				}
			}
			if c.coding == "br" {
				want = string(small)
			} else {
				want = text[path]
			}
			if string(body) != want {
				t.Errorf("%s for %q: %.80q", path, c.accept, body)
			}
			tag := head.Get("ETag")
			tags[tag] = true
			again := ask("GET", path, "Accept-Encoding", c.accept, "If-None-Match", tag)
			if again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("ETag") != tag || again.Header().Get("Vary") != "Accept-Encoding" ||
				again.Header().Get("Content-Security-Policy") != head.Get("Content-Security-Policy") {
				t.Errorf("%s again: %d %v", path, again.Code, again.Header())
			}
			only := ask("HEAD", path, "Accept-Encoding", c.accept)
			if only.Code != 200 || only.Body.Len() > 0 || only.Header().Get("Content-Length") != head.Get("Content-Length") ||
				only.Header().Get("ETag") != tag {
				t.Errorf("HEAD %s: %d %v", path, only.Code, only.Header())
			}
		}
		if len(tags) != forms {
			t.Errorf("%s: tags %v, want one for each of the %d forms", path, tags, forms)
		}
	}

	old := ask("GET", "/map/map.js").Header().Get("ETag")
	folder["map.js.gz"] = &fstest.MapFile{Data: webtest.Packed(t, "let a=2;")}
	if w := ask("GET", "/map/map.js", "If-None-Match", old); w.Code != 200 || w.Body.String() != "let a=2;" {
		t.Errorf("bundled again: %d %q", w.Code, w.Body)
	}
	folder["map.js.gz"] = &fstest.MapFile{Data: []byte("damaged")}
	if w := ask("GET", "/map/map.js"); w.Code != 500 || w.Header().Get("ETag") != "" {
		t.Errorf("damaged: %d %v", w.Code, w.Header())
	}
	for _, path := range []string{"/map/..%2fmap.js", "/map/%2e%2e", "/map/.gitkeep", "/map/map.js.gz"} {
		if w := ask("GET", path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// Without a bundle everything else is served, and the map's address says what is missing.
func TestAServerWithoutPages(t *testing.T) {
	h := serving(t, fstest.MapFS{".gitkeep": {}})
	for path, want := range map[string]int{"/": 200, "/map": 404, "/p/99003-1": 404, "/map/map.js": 404, "/healthz": 200} {
		if w := visit(h, "GET", path, accepts); w.Code != want || path == "/map" && !strings.Contains(w.Body.String(), "make program") {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
}

// Every page that is served keeps to a policy: no script or style that it does not name, no foreign frame.
func TestEveryPageHasItsPolicy(t *testing.T) {
	h := bundled(t)
	pages := []string{"/", "/map", "/p/99003-1", "/national", "/download", "/kg/99003", "/tables", "/map/kg.html", "/nothing", "/books/",
		"/expander/", "/workfeed/hq/work", "/books/api/projects/1/preflight/report"}
	for _, m := range (Config{}).Services(nil) {
		pages = append(pages, m.Prefix+"/docs", m.Prefix+"/nothing")
	}
	for _, page := range pages {
		w := visit(h, "GET", page, accepts)
		head, csp := w.Header(), w.Header().Get("Content-Security-Policy")
		if head.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: no nosniff", page)
		}
		if head.Get("Content-Type") != htmlpage.ContentType { // the gate of the book service answers in JSON
			if page != "/books/api/projects/1/preflight/report" || w.Code < 400 {
				t.Errorf("%s: %d %v", page, w.Code, head)
			}
			continue
		}
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: the policy lacks %s: %s", page, want, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") || head.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", page, head)
		}
		if body := w.Body.String(); strings.Contains(body, " style=\"") || strings.Contains(body, " onclick=") {
			t.Errorf("%s: a style or handler in an attribute, which the policy forbids", page)
		}
	}
}

// resources are those of template.yaml as a tree of maps; what its tags say is not needed here.
func resources(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Resources map[string]any `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Resources
}

// at walks a tree of maps; a number is the place in a list.
func at(t *testing.T, node any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, ok := node.(map[string]any)
			if !ok || m[s] == nil {
				t.Fatalf("template.yaml: %v: no %s", path, s)
			}
			node = m[s]
		case int:
			node = node.([]any)[s]
		}
	}
	return node
}

func joined(list any) string {
	var all []string
	for _, v := range list.([]any) {
		all = append(all, v.(string))
	}
	return strings.Join(all, ", ")
}

// The CDN sends what the local cloud sends.
func TestTheCDNSendsTheSameHeaders(t *testing.T) {
	r := resources(t)
	policy := func(name string) any {
		return at(t, r, name, "Properties", "ResponseHeadersPolicyConfig", "SecurityHeadersConfig")
	}
	background := &Background{Tiles: "https://${BackgroundOrigin}/{z}/{x}/{y}"}
	for i, want := range []string{"HasBackground", strings.ReplaceAll(background.policy().CSP(), "https://$", "$"), sitePolicy.CSP()} {
		if got := at(t, policy("SiteHeaders"), "ContentSecurityPolicy", "ContentSecurityPolicy", i); got != want {
			t.Errorf("the site's policy is\n%s, the local cloud's\n%s", got, want)
		}
	}
	if at(t, policy("SiteHeaders"), "FrameOptions", "FrameOption") != "DENY" {
		t.Error("the site may be framed")
	}
	for _, name := range []string{"SiteHeaders", "ArtefactHeaders", "ServiceHeaders"} {
		if got := at(t, policy(name), "StrictTransportSecurity", "AccessControlMaxAgeSec"); got != 31536000 {
			t.Errorf("%s: HSTS of %v seconds", name, got)
		}
	}
	cors := at(t, r, "ArtefactHeaders", "Properties", "ResponseHeadersPolicyConfig", "CorsConfig")
	bucket := at(t, r, "ArtefactBucket", "Properties", "CorsConfiguration", "CorsRules", 0)
	for where, pair := range map[string][2]string{
		"CDN":    {joined(at(t, cors, "AccessControlAllowHeaders", "Items")), joined(at(t, cors, "AccessControlExposeHeaders", "Items"))},
		"bucket": {joined(at(t, bucket, "AllowedHeaders")), joined(at(t, bucket, "ExposedHeaders"))},
	} {
		if pair[0] != sentToArtefacts || pair[1] != exposedOfArtefacts {
			t.Errorf("%s: CORS %v", where, pair)
		}
	}
	config := at(t, r, "Distribution", "Properties", "DistributionConfig")
	behaviours := append([]any{at(t, config, "DefaultCacheBehavior")}, at(t, config, "CacheBehaviors").([]any)...)
	for _, b := range behaviours {
		if at(t, b, "ResponseHeadersPolicyId") == nil {
			t.Errorf("%v: no policy of headers", b)
		}
	}
}

// The function of the CDN routes as the local cloud does.
func TestTheCDNRoutesTheSite(t *testing.T) {
	node := oracles.Program(t, "node")
	code := at(t, resources(t), "SitePaths", "Properties", "FunctionCode").(string)
	type asked struct {
		URI    string `json:"uri"`
		Accept string `json:"accept"`
	}
	cases := []struct {
		asked
		want string
	}{
		{asked{"/", ""}, "/"}, {asked{"/pages.css", ""}, "/pages.css"}, {asked{"/map", ""}, "/map/index.html"},
		{asked{"/map/", ""}, "/map/index.html"},
		{asked{"/p/99003-1", ""}, "/map/index.html"}, {asked{"/p/99003-1/2", ""}, "/map/index.html"},
		{asked{"/map/map.js", ""}, "/map/map.js"},
		{asked{"/map/maplibre-gl-CSR6DQCZ.js", ""}, "/map/maplibre-gl-CSR6DQCZ.js"}, {asked{"/cadastre", ""}, "302 /cadastre/"},
		{asked{"/docs", ""}, "302 /"},
		{asked{"//", ""}, "404 application/json"}, {asked{"/nothing", accepts}, "404 text/html; charset=utf-8"},
		{asked{"/map/../site", ""}, "404 application/json"},
		{asked{"/map/.sum", ""}, "404 application/json"}, {asked{"/map/hexagons-WIBANXC4.js", ""}, "/map/hexagons-WIBANXC4.js"},
		{asked{"/national", ""}, "/map/national.html"}, {asked{"/national/", ""}, "/map/national.html"},
		{asked{"/download", ""}, "/map/download.html"}, {asked{"/download/", ""}, "/map/download.html"},
		{asked{"/kg/99003", ""}, "/map/kg.html"}, {asked{"/tables", ""}, "/map/tables.html"}, {asked{"/tables/", ""}, "/map/tables.html"},
		{asked{"/kg/", ""}, "404 application/json"}, {asked{"/kg/99003/more", ""}, "404 application/json"},
	}
	for _, m := range (Config{}).Services(nil) {
		if m.Lead().Bare { // answers the prefix itself
			continue
		}
		cases = append(cases, struct {
			asked
			want string
		}{asked{m.Prefix, accepts}, "302 " + m.Prefix + "/"})
	}
	var requests []asked
	for _, c := range cases {
		requests = append(requests, c.asked)
	}
	in, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	script := code + `
const out = JSON.parse(process.argv[1]).map(({ uri, accept }) => {
  const r = handler({ request: { uri, headers: accept ? { accept: { value: accept } } : {} } });
  if (!r.statusCode) return r.uri;
  return r.statusCode + ' ' + (r.headers.location || r.headers['content-type']).value;
});
console.log(JSON.stringify(out));`
	out, err := exec.Command(node, "-e", script, string(in)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(cases) {
		t.Fatalf("%v %s", err, out)
	}
	for i, c := range cases {
		if got[i] != c.want {
			t.Errorf("%s: %s, want %s", c.URI, got[i], c.want)
		}
	}
}

// What the bundler names by its bytes is kept for good, by browsers and by the CDN, refusals and pages aside.
func TestFilesNamedByTheirBytesAreKept(t *testing.T) {
	folder := webtest.Bundle(t, map[string]string{"index.html": "<p>map</p>", "map.js": "1", "maplibre-gl-HWV3KAUC.js": "2",
		"map-chunk-9.js": "3"})
	h := serving(t, folder)
	for path, want := range map[string]string{"/map": "no-cache", "/map/map.js": "no-cache", "/map/map-chunk-9.js": "no-cache",
		"/map/maplibre-gl-HWV3KAUC.js": store.CacheImmutable, "/map/maplibre-gl-AAAAAAAA.js": ""} {
		if got := visit(h, "GET", path, "*/*").Header().Get("Cache-Control"); got != want && (want != "" || got == store.CacheImmutable) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	files, err := Site(Bundle{Pages: web.Of(folder)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if kept := f.Headers.CacheControl == store.CacheImmutable; kept != (f.Key == "map/maplibre-gl-HWV3KAUC.js") {
			t.Errorf("the CDN keeps %s: %s", f.Key, f.Headers.CacheControl)
		}
	}
}
