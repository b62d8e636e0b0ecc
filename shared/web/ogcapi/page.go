package ogcapi

import (
	_ "embed"
	"html"
	"net/http"
	"slices"
	"strings"

	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

//go:embed page.css
var ownCSS string

var (
	style  = htmlpage.Style + ownCSS
	policy = htmlpage.Policy{Styles: []string{style}, Images: []string{"data:"}}
)

// Page puts a page together. What is not a method's text is written as it is.
type Page struct{ strings.Builder }

// NewPage begins a page, with links to those above it.
func NewPage(title string, above ...Link) *Page {
	p := &Page{}
	p.WriteString(htmlpage.Head(title, style))
	if len(above) > 0 {
		p.WriteString("<nav>")
		for i, l := range above {
			if i > 0 {
				p.WriteString(" › ")
			}
			p.Link(l)
		}
		p.WriteString("</nav>\n")
	}
	p.WriteString("<main>\n<h1>")
	p.Text(title)
	p.WriteString("</h1>\n")
	return p
}

// Text writes a text.
func (p *Page) Text(s string) { p.WriteString(html.EscapeString(s)) }

// Link writes a link by its address and its title. A document that has a page beside it, which its type JSON says, is linked by its page.
func (p *Page) Link(l Link) {
	to := l.Href
	if l.Type == JSON {
		to += "?f=" + string(FormHTML)
	}
	p.WriteString(`<a href="` + html.EscapeString(to) + `">` + html.EscapeString(l.Title) + "</a>")
}

// Links lists links, but for those of some relations.
func (p *Page) Links(list []Link, but ...string) {
	p.WriteString("<ul class=\"links\">\n")
	for _, l := range list {
		if !slices.Contains(but, l.Rel) {
			p.WriteString("<li>")
			p.Link(l)
			p.WriteString("</li>\n")
		}
	}
	p.WriteString("</ul>\n")
}

// Paragraph writes a paragraph of a class: lead, soft.
func (p *Page) Paragraph(class, text string) {
	p.WriteString(`<p class="` + class + `">` + html.EscapeString(text) + "</p>\n")
}

// Table begins a table of columns.
func (p *Page) Table(columns ...string) { p.table("", columns) }

// Rows begins a table of columns with many rows of short texts, which are not broken into lines.
func (p *Page) Rows(columns ...string) { p.table(` class="rows"`, columns) }

func (p *Page) table(class string, columns []string) {
	p.WriteString("<div class=\"wide\"><table" + class + ">\n<tr>")
	for _, c := range columns {
		p.WriteString(`<th scope="col">` + html.EscapeString(c) + "</th>")
	}
	p.WriteString("</tr>\n")
}

// Row writes a row of texts; the first is its heading.
func (p *Page) Row(cells ...string) {
	p.WriteString("<tr>")
	for i, c := range cells {
		p.Cell(i == 0, func() { p.Text(c) })
	}
	p.WriteString("</tr>\n")
}

// Cell writes a cell of a row, which heads the row or not.
func (p *Page) Cell(heads bool, content func()) {
	begin, end := "<td>", "</td>"
	if heads {
		begin, end = `<th scope="row">`, "</th>"
	}
	p.WriteString(begin)
	content()
	p.WriteString(end)
}

// EndTable ends a table.
func (p *Page) EndTable() { p.WriteString("</table></div>\n") }

// Term writes a term of a list of definitions.
func (p *Page) Term(name, text string) {
	p.WriteString("<dt>" + html.EscapeString(name) + "</dt><dd>" + html.EscapeString(text) + "</dd>\n")
}

// Answer is the finished page, with more headers; of one without values the page has none.
func (p *Page) Answer(header http.Header) *reply.Bytes {
	p.WriteString("</main>\n</body>\n</html>\n")
	h := policy.Header()
	for name, values := range header {
		h[name] = values
	}
	return &reply.Bytes{ContentType: htmlpage.ContentType, Body: []byte(p.String()), Header: h}
}

// ConformancePage is the page of the conformance classes.
func ConformancePage(classes []string, above Link) *reply.Bytes {
	p := NewPage("Conformance classes", above)
	p.WriteString("<ul>\n")
	for _, c := range classes {
		p.WriteString("<li><code>")
		p.Text(c)
		p.WriteString("</code></li>\n")
	}
	p.WriteString("</ul>\n")
	return p.Answer(nil)
}
