// Package htmlpage is what the HTML pages of this project have in common: the headers that keep a page to
// what it needs, the style sheet of plain pages, and the page that tells a person of an error. Each service
// and the local cloud use it; what a page says is theirs.
package htmlpage

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"mappe/shared/web/reply"
)

// ContentType is the media type of every page.
const ContentType = "text/html; charset=utf-8"

// Policy is what a page may do. The zero value shows text without style and loads nothing.
type Policy struct {
	// Scripts and Styles are the texts of the elements that stand in the page; each is named by its hash.
	Scripts, Styles []string
	// Files lets the page load scripts, style sheets and workers of its own origin.
	Files bool
	// Connect are the origins that scripts may ask: "'self'", "https://bucket.example".
	Connect []string
	// Images are the sources of pictures: "data:", "blob:", "'self'".
	Images []string
	// Forms lets a form be sent to the page's own origin.
	Forms bool
}

// CSP is the value of Content-Security-Policy.
func (p Policy) CSP() string {
	var b strings.Builder
	b.WriteString("default-src 'none'")
	put := func(directive string, sources ...string) {
		if len(sources) > 0 {
			b.WriteString("; " + directive + " " + strings.Join(sources, " "))
		}
	}
	put("script-src", p.sources(p.Scripts)...)
	put("style-src", p.sources(p.Styles)...)
	if p.Files {
		put("worker-src", "'self'")
	}
	put("connect-src", p.Connect...)
	put("img-src", p.Images...)
	put("base-uri", "'none'")
	put("form-action", p.forms())
	put("frame-ancestors", "'none'")
	return b.String()
}

func (p Policy) sources(texts []string) []string {
	var s []string
	if p.Files {
		s = append(s, "'self'")
	}
	for _, t := range texts {
		s = append(s, "'"+Hash(t)+"'")
	}
	return s
}

func (p Policy) forms() string {
	if p.Forms {
		return "'self'"
	}
	return "'none'"
}

// Header are the headers of a page. No page shows it in a frame: X-Frame-Options repeats frame-ancestors for browsers that do not know it.
func (p Policy) Header() http.Header {
	return http.Header{
		"Content-Security-Policy": {p.CSP()},
		"Referrer-Policy":         {"no-referrer"},
		"X-Content-Type-Options":  {"nosniff"},
		"X-Frame-Options":         {"DENY"},
	}
}

// Hash is the source expression by which a policy names a script or a style sheet that stands in the page:
// sha256- and its sum.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// StyleOf is the text of the first style element of a page, "" without one: for a page that was written
// elsewhere and is served as it is.
func StyleOf(page string) string {
	_, rest, found := strings.Cut(page, "<style>")
	text, _, closed := strings.Cut(rest, "</style>")
	if !found || !closed {
		return ""
	}
	return text
}

// Wanted says whether a request would rather have a page than JSON: what browsers ask for when a person
// follows a link, and programs do not.
func Wanted(r *http.Request) bool {
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	return read && reply.AcceptedType(r.Header, "application/json", "text/html") == "text/html"
}
