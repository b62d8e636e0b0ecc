package htmlpage

import (
	_ "embed"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mappe/shared/web/fault"
)

// Style is the style sheet of plain pages: the index, the pages to try endpoints, errors.
//
//go:embed style.css
var Style string

// Link is an entry below the text of an error page.
type Link struct{ Text, To string }

// Error is an error as a person reads it.
type Error struct {
	Fault     *fault.Fault
	RequestID string // "" leaves it out
	Links     []Link // where to go on
}

// titles are the headings of the statuses that pages answer with; other statuses have the standard's words.
var titles = map[int]string{
	http.StatusNotFound:            "Page not found",
	http.StatusInternalServerError: "Something went wrong",
	http.StatusServiceUnavailable:  "Not available at the moment",
	http.StatusUnauthorized:        "Sign in first",
}

// Write sends the page. It must come before the first byte of another answer. The headers that describe an
// answer that was prepared before are taken off.
func (e Error) Write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for _, name := range []string{"ETag", "Last-Modified", "Content-Encoding", "Content-Disposition", "Content-Crs", "Server-Timing"} {
		h.Del(name)
	}
	for name, values := range errorHeader {
		h[name] = values
	}
	h.Set("Content-Type", ContentType)
	h.Set("Cache-Control", "no-store")
	if after := e.Fault.RetryAfter; after > 0 {
		h.Set("Retry-After", strconv.Itoa(int((after+time.Second-1)/time.Second)))
	}
	if len(e.Fault.Allow) > 0 {
		h.Set("Allow", strings.Join(e.Fault.Allow, ", "))
	}
	body := e.page()
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.Fault.Status())
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(body)) // the client's own doing when it stops reading
	}
}

var errorHeader = Policy{Styles: []string{Style}, Images: []string{"data:"}}.Header()

func (e Error) page() string {
	status := e.Fault.Status()
	title := titles[status]
	if title == "" {
		title = http.StatusText(status)
	}
	var b strings.Builder
	b.WriteString(Head(title, Style))
	b.WriteString("<main>\n<p class=\"soft\">" + strconv.Itoa(status) + "</p>\n<h1>" + html.EscapeString(title) + "</h1>\n")
	b.WriteString("<p>" + html.EscapeString(sentence(e.Fault.Message)) + "</p>\n")
	if len(e.Links) > 0 {
		b.WriteString("<ul class=\"links\">\n")
		for _, l := range e.Links {
			b.WriteString("<li><a href=\"" + html.EscapeString(l.To) + "\">" + html.EscapeString(l.Text) + "</a></li>\n")
		}
		b.WriteString("</ul>\n")
	}
	if e.RequestID != "" {
		b.WriteString("<p class=\"soft\">Request <code>" + html.EscapeString(e.RequestID) + "</code></p>\n")
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return b.String()
}

// Head is the beginning of a plain page in English up to its body, with one style sheet in it.
func Head(title, style string) string { return HeadIn("en", title, style) }

// HeadIn is Head in a language, by its code: "de".
func HeadIn(lang, title, style string) string {
	return `<!doctype html>
<html lang="` + html.EscapeString(lang) + `">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>` + html.EscapeString(title) + `</title>
<link rel="icon" href="data:,">
<style>` + style + `</style>
</head>
<body>
`
}

// sentence is a message with a capital and a full stop: messages of programs begin small and end open.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if c := s[0]; c >= 'a' && c <= 'z' {
		s = string(c-'a'+'A') + s[1:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	return s
}
