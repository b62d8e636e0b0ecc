package htmlpage

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/shared/web/fault"
)

// The hash of nothing is that of FIPS 180-4.
func TestHash(t *testing.T) {
	if got, want := Hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

func TestPolicy(t *testing.T) {
	const empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
	for _, c := range []struct {
		name   string
		policy Policy
		csp    string
	}{
		{"nothing", Policy{}, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		{"texts", Policy{Scripts: []string{""}, Styles: []string{""}, Connect: []string{"'self'"}},
			"default-src 'none'; script-src " + empty + "; style-src " + empty +
				"; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		{"files", Policy{Files: true, Images: []string{"data:", "blob:"}},
			"default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		{"form", Policy{Forms: true}, "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
	} {
		h := c.policy.Header()
		if got := h.Get("Content-Security-Policy"); got != c.csp {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.csp)
		}
		if h.Get("X-Frame-Options") != "DENY" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", c.name, h)
		}
	}
}

func TestStyleOf(t *testing.T) {
	for page, want := range map[string]string{"<style>a{}</style><style>b{}</style>": "a{}", "<style>a{}": "", "none": "",
		"<style></style>": ""} {
		if got := StyleOf(page); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// What a person's browser sends for a link, and what programs and scripts send.
func TestWanted(t *testing.T) {
	const link = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	for _, c := range []struct {
		method, accept string
		want           bool
	}{
		{"GET", link, true}, {"HEAD", link, true}, {"POST", link, false}, {"GET", "*/*", false}, {"GET", "", false},
		{"GET", "application/json", false}, {"GET", "application/json, text/html;q=0.5", false}, {"GET", "text/html", true},
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		if c.accept != "" {
			r.Header.Set("Accept", c.accept)
		}
		if got := Wanted(r); got != c.want {
			t.Errorf("%s %q: %v", c.method, c.accept, got)
		}
	}
}

func TestErrorPage(t *testing.T) {
	f := fault.Retry(fault.Unavailable, 1500*time.Millisecond, "the <store> is away")
	w := httptest.NewRecorder()
	w.Header().Set("ETag", `"of another answer"`)
	Error{Fault: f, RequestID: "id-7", Links: []Link{{"All & more", `/a"b`}}}.Write(w, httptest.NewRequest("GET", "/", nil))
	h := w.Header()
	if w.Code != http.StatusServiceUnavailable || h.Get("Content-Type") != ContentType || h.Get("ETag") != "" ||
		h.Get("Retry-After") != "2" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, h)
	}
	if csp := h.Get("Content-Security-Policy"); !strings.Contains(csp, Hash(StyleOf(w.Body.String()))) || strings.Contains(csp, "unsafe") {
		t.Errorf("policy %s", csp)
	}
	for _, want := range []string{"<h1>Not available at the moment</h1>", "<p>The &lt;store&gt; is away.</p>",
		`<a href="/a&#34;b">All &amp; more</a>`, "id-7"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page lacks %s:\n%s", want, w.Body)
		}
	}
	head := httptest.NewRecorder()
	Error{Fault: f}.Write(head, httptest.NewRequest("HEAD", "/", nil))
	if head.Body.Len() != 0 || head.Code != http.StatusServiceUnavailable {
		t.Errorf("HEAD: %d %q", head.Code, head.Body)
	}
}

// A reader of German has the page in German; what only a service can say stays English and is marked so.
func TestErrorPageInGerman(t *testing.T) {
	page := func(e Error, address, accepts string) string {
		r, w := httptest.NewRequest("GET", address, nil), httptest.NewRecorder()
		r.Header.Set("Accept-Language", accepts)
		e.Write(w, r)
		if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept-Language") {
			t.Errorf("%s: Vary %v", address, w.Header().Values("Vary"))
		}
		return w.Body.String()
	}
	plain := Error{Fault: fault.Missed("page", "/a"), RequestID: "id-7", Links: []Link{{"Map", "/map"}, {"Own", "/own"}}}
	told := plain
	told.German = "hier gibt es keine Seite /a"
	for _, c := range []struct {
		e               Error
		address, accept string
		want            []string
	}{
		{told, "/a", "de-AT,de;q=0.9,en;q=0.8", []string{`<html lang="de">`,
			"<h1>Seite nicht gefunden</h1>", "<p>Hier gibt es keine Seite /a.</p>",
			">Karte<", ">Own<", "Anfrage <code>id-7"}},
		{plain, "/a?lang=de", "en", []string{`<html lang="de">`, `<p lang="en">There is no page /a.</p>`}},
		{told, "/a?lang=en", "de", []string{`<html lang="en">`, "<h1>Page not found</h1>", "<p>There is no page /a.</p>", ">Map<"}},
		{told, "/a", "fr, en;q=0.5, de;q=0.4", []string{`<html lang="en">`}},
		{told, "/a", "", []string{`<html lang="en">`}},
		{told, "/a?lang=xx", "de;q=x, de", []string{`<html lang="de">`}},
	} {
		body := page(c.e, c.address, c.accept)
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s, %q: the page lacks %s:\n%s", c.address, c.accept, want, body)
			}
		}
	}
}
