package endpoint

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"mappe/shared/web/fault"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// accepts is what browsers send when a person follows a link.
const accepts = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// pageService has a page that can fail beside the endpoints of the tests.
func pageService(t *testing.T) http.Handler {
	t.Helper()
	s := testService()
	s.Endpoints = append(s.Endpoints, Endpoint{
		Method: "GET", Path: "/page", ID: "page", Answer: Answer{ContentType: "text/html"}, Cache: Live,
		Serve: func(context.Context, *Request) (reply.Answer, error) {
			return nil, fault.New(fault.NotFound, "there is no <report>")
		},
	})
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return Mount("/test", h)
}

// A person who follows a wrong link reads a page, a program the error it knows; a wrong parameter of an
// endpoint that answers data is the same for both.
func TestErrorsForPeopleAndPrograms(t *testing.T) {
	h := pageService(t)
	for _, c := range []struct {
		name, method, url, accept string
		status                    int
		page                      bool
	}{
		{"wrong path, person", "GET", "/test/api/v1/plaices", accepts, 404, true},
		{"wrong path, person, head", "HEAD", "/test/api/v1/plaices", accepts, 404, true},
		{"wrong path, program", "GET", "/test/api/v1/plaices", "*/*", 404, false},
		{"wrong path, nothing said", "GET", "/test/api/v1/plaices", "", 404, false},
		{"wrong path, sent", "POST", "/test/api/v1/plaices", accepts, 404, false},
		{"two slashes, person", "GET", "/test//", accepts, 404, true},
		{"a page that fails, person", "GET", "/test/page", accepts, 404, true},
		{"a page that fails, program", "GET", "/test/page", "application/json", 404, false},
		{"wrong parameter of a page, person", "GET", "/test/page?x=1", accepts, 400, true},
		{"wrong parameter of data, person", "GET", "/test/api/v1/places?x=1", accepts, 400, false},
	} {
		w := do(h, c.method, c.url, "", "Accept", c.accept)
		typ := "application/json"
		if c.page {
			typ = htmlpage.ContentType
		}
		if w.Code != c.status || w.Header().Get("Content-Type") != typ || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", c.name, w.Code, w.Header())
		}
		if c.page && (w.Header().Get("X-Frame-Options") != "DENY" || w.Header().Get("Content-Security-Policy") == "") {
			t.Errorf("%s: no policy: %v", c.name, w.Header())
		}
		if strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept") != (c.page || c.status == 404) {
			t.Errorf("%s: Vary %v", c.name, w.Header().Values("Vary"))
		}
	}
	page := get(h, "/test/api/v1/plaices", "Accept", accepts).Body.String()
	for _, want := range []string{"Page not found", "/api/v1/places", `<a href="/test/docs">`, `<a href="/test/">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	if page := get(h, "/test/page", "Accept", accepts).Body.String(); !strings.Contains(page, "There is no &lt;report&gt;.") {
		t.Error(page)
	}
}

// Who asks for the service itself is led to its docs, unless it has a page of its own.
func TestTheRootLeadsToTheDocs(t *testing.T) {
	h := pageService(t)
	for _, c := range []struct{ method, url string }{{"GET", "/test/"}, {"HEAD", "/test/"}, {"GET", "/test/docs/"}} {
		w := do(h, c.method, c.url, "")
		if w.Code != http.StatusFound || w.Header().Get("Location") != "/test/docs" {
			t.Errorf("%s %s: %d to %q", c.method, c.url, w.Code, w.Header().Get("Location"))
		}
	}
	if w := get(h, "/test/docs"); w.Code != 200 {
		t.Errorf("the docs: %d", w.Code)
	}
	s := testService()
	s.Endpoints = append(s.Endpoints, Endpoint{Method: "GET", Path: "/", ID: "root", Cache: Live, Answer: Answer{Body: struct{}{}},
		Serve: func(context.Context, *Request) (reply.Answer, error) { return &reply.Document{Body: "own"}, nil }})
	own, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	if w := get(own, "/"); w.Code != 200 || !strings.Contains(w.Body.String(), "own") {
		t.Errorf("a root of its own: %d %s", w.Code, w.Body)
	}
}

// The page may run its own script and ask its own service, and nothing else.
func TestDocsPolicy(t *testing.T) {
	w := get(handler(t), "/docs")
	want := htmlpage.Policy{Scripts: []string{docsScript}, Styles: []string{docsStyle()}, Connect: []string{"'self'"},
		Images: []string{"data:"}}.CSP()
	if got := w.Header().Get("Content-Security-Policy"); got != want || strings.Contains(got, "unsafe") ||
		w.Header().Get("X-Frame-Options") != "DENY" {
		t.Errorf("%v", w.Header())
	}
	if !strings.Contains(w.Body.String(), "<script>"+docsScript+"</script>") ||
		!strings.Contains(w.Body.String(), "<style>"+docsStyle()+"</style>") {
		t.Error("the policy names other texts than the page holds")
	}
	if got := docsPolicy("https://cadastre.example/v1").CSP(); !strings.Contains(got, "connect-src 'self' https://cadastre.example;") {
		t.Errorf("a service of another host: %s", got)
	}
}
