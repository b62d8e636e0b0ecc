package ogc

import (
	"fmt"
	"net/url"
	"strconv"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

// top is the landing page.
func top(base string) ogcapi.Link {
	return ogcapi.Link{Href: base + "/ogc", Type: ogcapi.JSON, Title: "Austrian cadastre"}
}

// list is the page of the collections.
func list(base string) ogcapi.Link {
	return ogcapi.Link{Href: base + "/ogc/collections", Type: ogcapi.JSON, Title: "Collections"}
}

// to is a link to an address as it is.
func to(href, title string) ogcapi.Link { return ogcapi.Link{Href: href, Title: title} }

func landingPage(body landing) reply.Answer {
	p := ogcapi.NewPage(body.Title)
	p.Paragraph("lead", body.Description)
	p.Links(body.Links, "self", "alternate")
	p.Paragraph("soft", "Open the address of this page in QGIS as “WFS / OGC API – Features”, or in GDAL as OAPIF:"+body.Links[0].Href+".")
	return p.Answer(nil)
}

func collectionsPage(base string, body collectionsDoc) reply.Answer {
	p := ogcapi.NewPage("Collections", top(base))
	for _, c := range body.Collections {
		p.WriteString("<section>\n<h2>")
		p.Link(to(base+"/ogc/collections/"+c.ID+"?f=html", c.Title))
		p.WriteString("</h2>\n")
		p.Paragraph("soft", c.Description)
		p.WriteString("<p>")
		p.Link(to(base+"/ogc/collections/"+c.ID+"/items?f=html", "Browse its features"))
		p.WriteString("</p>\n</section>\n")
	}
	return p.Answer(nil)
}

func collectionPage(base string, c *collection, body collectionDoc) reply.Answer {
	p := ogcapi.NewPage(c.title, top(base), list(base))
	p.Paragraph("lead", c.doc)
	p.WriteString("<p>")
	p.Link(to(base+"/ogc/collections/"+c.id+"/items?f=html", "Browse its features"))
	p.WriteString(" · ")
	p.Link(to(base+"/ogc/collections/"+c.id+"/items", "GeoJSON"))
	p.WriteString("</p>\n<dl>\n")
	if body.Extent != nil {
		b := body.Extent.Spatial.BBox[0]
		p.Term("Extent", fmt.Sprintf("%.4f, %.4f to %.4f, %.4f", b[0], b[1], b[2], b[3]))
	}
	p.Term("Source", body.Attribution)
	p.WriteString("</dl>\n<h2>Columns</h2>\n")
	p.Table("Name", "Unit", "What")
	for i := range c.rowType.Columns {
		column := &c.rowType.Columns[i]
		p.Row(column.Name, column.Unit, column.Doc)
	}
	p.EndTable()
	return p.Answer(nil)
}

// shownColumns bounds the columns of a table for people.
const shownColumns = 10

// html is the page of features as a table.
func (l *listing) html() (reply.Answer, error) {
	base := l.s.Base(l.r)
	path := base + "/ogc/collections/" + l.c.id
	p := ogcapi.NewPage(l.c.title, top(base), list(base), to(path+"?f=html", l.c.title))
	offset, _ := window(l.r)
	p.Paragraph("lead", summary(offset, l.returned(), l.page.Total))
	if !l.gaps.Ready() {
		p.Paragraph("soft", "KGs are missing from this page: they are being loaded, or cannot be read.")
	}
	l.pager(p)
	names := make([]string, min(shownColumns, len(l.c.rowType.Columns)))
	for i := range names {
		names[i] = l.c.rowType.Columns[i].Name
	}
	p.Rows(names...)
	for row, err := range l.rows {
		if err != nil {
			return nil, err
		}
		p.WriteString("<tr>")
		for i := range names {
			p.Cell(i == 0, func() {
				if text := shown(row.Value(i)); i == 0 {
					p.Link(to(path+"/items/"+url.PathEscape(text)+"?f=html", text))
				} else {
					p.Text(text)
				}
			})
		}
		p.WriteString("</tr>\n")
	}
	p.EndTable()
	l.pager(p)
	return p.Answer(l.gaps.Header()), nil
}

// summary says which features a page shows.
func summary(offset, n, total int) string {
	if n == 0 {
		return fmt.Sprintf("No features here, %d match.", total)
	}
	return fmt.Sprintf("Features %d to %d of %d.", offset+1, offset+n, total)
}

// pager links the pages before and behind.
func (l *listing) pager(p *ogcapi.Page) {
	p.WriteString("<p class=\"pages\">")
	for _, k := range linksOf(l.links(), "prev", "next") {
		u, err := url.Parse(k.Href)
		if err != nil {
			continue
		}
		q := u.Query()
		q.Set("f", string(ogcapi.FormHTML))
		u.RawQuery = q.Encode()
		p.Link(to(u.String(), k.Title))
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
		p := ogcapi.NewPage(id, top(base), list(base),
			to(path+"?f=html", c.title), to(path+"/items?f=html", "Features"))
		p.WriteString("<p>")
		p.Link(to(path+"/items/"+url.PathEscape(id)+"?f=json", "GeoJSON"))
		p.WriteString("</p>\n<dl>\n")
		for i := range c.rowType.Columns {
			column := &c.rowType.Columns[i]
			text := shown(row.Value(i))
			if column.Unit != "" && text != "–" {
				text += " " + column.Unit
			}
			p.Term(column.Name, text)
		}
		p.WriteString("</dl>\n")
		return p.Answer(nil), nil
	}
	return nil, notFound(c, "")
}
