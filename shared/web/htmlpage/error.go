package htmlpage

import (
	"cmp"
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
	// German is the message for readers of German; "": the fault's, marked as English.
	German string
}

// titles are the headings of the statuses that pages answer with; other statuses have the standard's words.
var titles = map[int]string{
	http.StatusNotFound:            "Page not found",
	http.StatusInternalServerError: "Something went wrong",
	http.StatusServiceUnavailable:  "Not available at the moment",
	http.StatusUnauthorized:        "Sign in first",
}

// words are the German of titles and of the links that pages have in common.
var words = map[string]string{
	"Page not found":              "Seite nicht gefunden",
	"Something went wrong":        "Etwas ist schiefgegangen",
	"Not available at the moment": "Im Augenblick nicht verfügbar",
	"Sign in first":               "Zuerst anmelden",
	"Bad Request":                 "Die Anfrage ist nicht verständlich",
	"Method Not Allowed":          "Diese Methode gibt es hier nicht",
	"Request Entity Too Large":    "Die Anfrage ist zu groß",
	"Too Many Requests":           "Zu viele Anfragen",
	"Forbidden":                   "Nicht erlaubt",
	"Conflict":                    "Das widerspricht dem, was da ist",
	"All services":                "Alle Dienste",
	"Map":                         "Karte",
	"Documentation":               "Dokumentation",
	"Request":                     "Anfrage",
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
	h.Add("Vary", "Accept-Language")
	body := e.page(german(r))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.Fault.Status())
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(body)) // the client's own doing when it stops reading
	}
}

var errorHeader = Policy{Styles: []string{Style}, Images: []string{"data:"}}.Header()

func (e Error) page(german bool) string {
	status := e.Fault.Status()
	title := titles[status]
	if title == "" {
		title = http.StatusText(status)
	}
	lang, said, message := "en", func(text string) string { return text }, "<p>"+html.EscapeString(sentence(e.Fault.Message))+"</p>\n"
	if german {
		lang, said = "de", func(text string) string { return cmp.Or(words[text], text) }
		message = "<p lang=\"en\">" + message[len("<p>"):]
		if e.German != "" {
			message = "<p>" + html.EscapeString(sentence(e.German)) + "</p>\n"
		}
	}
	title = said(title)
	var b strings.Builder
	b.WriteString(HeadIn(lang, title, Style))
	b.WriteString("<main>\n<p class=\"soft\">" + strconv.Itoa(status) + "</p>\n<h1>" + html.EscapeString(title) + "</h1>\n")
	b.WriteString(message)
	if len(e.Links) > 0 {
		b.WriteString("<ul class=\"links\">\n")
		for _, l := range e.Links {
			b.WriteString("<li><a href=\"" + html.EscapeString(l.To) + "\">" + html.EscapeString(said(l.Text)) + "</a></li>\n")
		}
		b.WriteString("</ul>\n")
	}
	if e.RequestID != "" {
		b.WriteString("<p class=\"soft\">" + said("Request") + " <code>" + html.EscapeString(e.RequestID) + "</code></p>\n")
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
