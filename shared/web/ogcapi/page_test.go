package ogcapi

import (
	"net/http"
	"strings"
	"testing"
)

// What comes from data is text and stays text, wherever it stands.
func TestTextsAreEscaped(t *testing.T) {
	const evil = `<script>"'&`
	p := NewPage(evil, Link{Href: "/a" + evil, Title: evil})
	p.Paragraph("soft", evil)
	p.Links([]Link{{Href: evil, Title: evil}})
	p.Table(evil)
	p.Row(evil, evil)
	p.EndTable()
	p.Rows(evil)
	p.EndTable()
	p.Term(evil, evil)
	for _, b := range []string{string(p.Answer(nil).Body), string(ConformancePage([]string{evil}, Link{Title: evil}).Body)} {
		if strings.Contains(b, "<script>") || strings.Contains(b, `"'`) || !strings.HasSuffix(b, "</html>\n") {
			t.Errorf("%s", b)
		}
	}
}

// A document is linked by its page, whatever else by its address; relations that are not meant are left out.
func TestLinks(t *testing.T) {
	p := NewPage("Title", Link{Href: "/ogc", Type: JSON, Title: "Above"}, Link{Href: "/ogc/b?f=html", Title: "Near"})
	p.Links([]Link{{Href: "/self", Rel: "self", Title: "Self"}, {Href: "/docs", Rel: "service-doc", Type: "text/html", Title: "Docs"},
		{Href: "/list", Rel: "data", Type: JSON, Title: "List"}}, "self")
	body := string(p.Answer(nil).Body)
	for _, want := range []string{`<nav><a href="/ogc?f=html">Above</a> › <a href="/ogc/b?f=html">Near</a></nav>`, "<h1>Title</h1>",
		`<li><a href="/docs">Docs</a></li>`, `<li><a href="/list?f=html">List</a></li>`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if strings.Contains(body, "Self") {
		t.Errorf("a link that is not meant:\n%s", body)
	}
}

// A table has a heading for each column, a row one of its own; its cells are in order.
func TestTables(t *testing.T) {
	p := NewPage("Title")
	p.Table("Name", "Value")
	p.Row("area", "12 m²")
	p.EndTable()
	p.Rows("id")
	p.EndTable()
	for _, want := range []string{"<table>\n<tr><th scope=\"col\">Name</th><th scope=\"col\">Value</th></tr>\n" +
		"<tr><th scope=\"row\">area</th><td>12 m²</td></tr>\n</table>", `<table class="rows">`} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %s in\n%s", want, p.String())
		}
	}
}

// A page takes the headers of its answer beside those of its policy, and is without those that have no values.
func TestAnswer(t *testing.T) {
	h := NewPage("Title").Answer(http.Header{"Cache-Control": {"no-store"}, "Etag": nil}).Header
	if h.Get("Cache-Control") != "no-store" || h.Get("Etag") != "" || !strings.Contains(h.Get("Content-Security-Policy"), "style-src") {
		t.Errorf("%v", h)
	}
}
