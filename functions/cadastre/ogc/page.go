package ogc

import (
	_ "embed"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

//go:embed page.css
var ownCSS string

var (
	style  = htmlpage.Style + ownCSS
	policy = htmlpage.Policy{Styles: []string{style}, Images: []string{"data:"}}
)

func acceptsPage(r *http.Request) bool { return htmlpage.Wanted(r) }

// page puts a page together.
type page struct{ strings.Builder }

// step is a page above this one.
type step struct{ name, to string }

func newPage(title string, above ...step) *page {
	p := &page{}
	p.WriteString(htmlpage.Head(title, style))
	if len(above) > 0 {
		p.WriteString("<nav>")
		for i, s := range above {
			if i > 0 {
				p.WriteString(" › ")
			}
			p.link(s.to, s.name)
		}
		p.WriteString("</nav>\n")
	}
	p.WriteString("<main>\n<h1>" + html.EscapeString(title) + "</h1>\n")
	return p
}

func (p *page) link(to, text string) {
	p.WriteString(`<a href="` + html.EscapeString(to) + `">` + html.EscapeString(text) + "</a>")
}

func (p *page) paragraph(class, text string) {
	p.WriteString(`<p class="` + class + `">` + html.EscapeString(text) + "</p>\n")
}

// answer is the finished page.
func (p *page) answer(header http.Header) *reply.Bytes {
	p.WriteString("</main>\n</body>\n</html>\n")
	h := policy.Header()
	for name, values := range header {
		h[name] = values
	}
	return &reply.Bytes{ContentType: htmlpage.ContentType, Body: []byte(p.String()), Header: h}
}

func landingPage(body landing) reply.Answer {
	p := newPage(body.Title)
	p.paragraph("lead", body.Description)
	p.WriteString("<ul class=\"links\">\n")
	for _, l := range body.Links {
		if l.Rel == "self" || l.Rel == "alternate" {
			continue
		}
		p.WriteString("<li>")
		p.link(asPage(l), l.Title)
		p.WriteString("</li>\n")
	}
	p.WriteString("</ul>\n")
	p.paragraph("soft", "Open the address of this page in QGIS as “WFS / OGC API – Features”, or in GDAL as OAPIF:"+body.Links[0].Href+".")
	return p.answer(nil)
}

// asPage is the address of the page that a link has beside its JSON.
func asPage(l link) string {
	if l.Type == "application/json" {
		return l.Href + "?f=html"
	}
	return l.Href
}

func conformancePage(base string) reply.Answer {
	p := newPage("Conformance classes", step{"Austrian cadastre", base + "/ogc?f=html"})
	p.WriteString("<ul>\n")
	for _, c := range classes {
		p.WriteString("<li><code>" + html.EscapeString(c) + "</code></li>\n")
	}
	p.WriteString("</ul>\n")
	return p.answer(nil)
}

func collectionsPage(base string, body collectionsDoc) reply.Answer {
	p := newPage("Collections", step{"Austrian cadastre", base + "/ogc?f=html"})
	for _, c := range body.Collections {
		p.WriteString("<section>\n<h2>")
		p.link(base+"/ogc/collections/"+c.ID+"?f=html", c.Title)
		p.WriteString("</h2>\n")
		p.paragraph("soft", c.Description)
		p.WriteString("<p>")
		p.link(base+"/ogc/collections/"+c.ID+"/items?f=html", "Browse its features")
		p.WriteString("</p>\n</section>\n")
	}
	return p.answer(nil)
}

func collectionPage(base string, c *collection, body collectionDoc) reply.Answer {
	p := newPage(c.title, step{"Austrian cadastre", base + "/ogc?f=html"}, step{"Collections", base + "/ogc/collections?f=html"})
	p.paragraph("lead", c.doc)
	p.WriteString("<p>")
	p.link(base+"/ogc/collections/"+c.id+"/items?f=html", "Browse its features")
	p.WriteString(" · ")
	p.link(base+"/ogc/collections/"+c.id+"/items", "GeoJSON")
	p.WriteString("</p>\n<dl>\n")
	if body.Extent != nil {
		b := body.Extent.Spatial.BBox[0]
		p.WriteString(fmt.Sprintf("<dt>Extent</dt><dd>%.4f, %.4f to %.4f, %.4f</dd>\n", b[0], b[1], b[2], b[3]))
	}
	p.WriteString("<dt>Source</dt><dd>" + html.EscapeString(body.Attribution) +
		"</dd>\n</dl>\n<h2>Columns</h2>\n<div class=\"wide\"><table>\n<tr><th>Name</th><th>Unit</th><th>What</th></tr>\n")
	for i := range c.kind.Columns {
		column := &c.kind.Columns[i]
		p.WriteString("<tr><td><code>" + html.EscapeString(column.Name) + "</code></td><td>" + html.EscapeString(column.Unit) +
			"</td><td>" + html.EscapeString(column.Doc) + "</td></tr>\n")
	}
	p.WriteString("</table></div>\n")
	return p.answer(nil)
}

// shownColumns bounds the columns of a table for people.
const shownColumns = 10

// html is the page of features as a table.
func (l *listing) html() (reply.Answer, error) {
	base := l.s.Base(l.r)
	path := base + "/ogc/collections/" + l.c.id
	p := newPage(l.c.title, step{"Austrian cadastre", base + "/ogc?f=html"}, step{"Collections", base + "/ogc/collections?f=html"},
		step{l.c.title, path + "?f=html"})
	offset, _ := window(l.r)
	p.paragraph("lead", summary(offset, l.returned(), l.page.Total))
	if !l.gaps.Ready() {
		p.paragraph("soft", "KGs are missing from this page: they are being loaded, or cannot be read.")
	}
	l.pager(p)
	p.WriteString("<div class=\"wide\"><table>\n<tr>")
	columns := l.c.kind.Columns[:min(shownColumns, len(l.c.kind.Columns))]
	for i := range columns {
		p.WriteString("<th>" + html.EscapeString(columns[i].Name) + "</th>")
	}
	p.WriteString("</tr>\n")
	for row, err := range l.rows {
		if err != nil {
			return nil, err
		}
		p.WriteString("<tr>")
		for i := range columns {
			p.WriteString("<td>")
			if text := shown(row.Value(i)); i == 0 {
				p.link(path+"/items/"+url.PathEscape(text)+"?f=html", text)
			} else {
				p.WriteString(html.EscapeString(text))
			}
			p.WriteString("</td>")
		}
		p.WriteString("</tr>\n")
	}
	p.WriteString("</table></div>\n")
	l.pager(p)
	return p.answer(l.gaps.Header()), nil
}

// summary says which features a page shows.
func summary(offset, n, total int) string {
	if n == 0 {
		return fmt.Sprintf("No features here, %d match.", total)
	}
	return fmt.Sprintf("Features %d to %d of %d.", offset+1, offset+n, total)
}

// pager links the pages before and behind.
func (l *listing) pager(p *page) {
	p.WriteString("<p class=\"pages\">")
	for _, k := range linksOf(l.links(), "prev", "next") {
		u, err := url.Parse(k.Href)
		if err != nil {
			continue
		}
		q := u.Query()
		q.Set("f", string(formHTML))
		u.RawQuery = q.Encode()
		p.link(u.String(), k.Title)
	}
	p.WriteString("</p>\n")
}

// shown is a value as a person reads it.
func shown(v format.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	if n, ok := v.Float64(); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return "–"
}

// featurePage shows one feature.
func (s *service) featurePage(c *collection, r *endpoint.Request, rows format.Seq) (reply.Answer, error) {
	base := s.Base(r)
	path := base + "/ogc/collections/" + c.id
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		id := shown(row.Value(0))
		p := newPage(id, step{"Austrian cadastre", base + "/ogc?f=html"}, step{"Collections", base + "/ogc/collections?f=html"},
			step{c.title, path + "?f=html"}, step{"Features", path + "/items?f=html"})
		p.WriteString("<p>")
		p.link(path+"/items/"+url.PathEscape(id)+"?f=json", "GeoJSON")
		p.WriteString("</p>\n<dl>\n")
		for i := range c.kind.Columns {
			column := &c.kind.Columns[i]
			text := shown(row.Value(i))
			if column.Unit != "" && text != "–" {
				text += " " + column.Unit
			}
			p.WriteString("<dt>" + html.EscapeString(column.Name) + "</dt><dd>" + html.EscapeString(text) + "</dd>\n")
		}
		p.WriteString("</dl>\n")
		return p.answer(nil), nil
	}
	return nil, notFound(c, "")
}
