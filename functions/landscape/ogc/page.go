package ogc

import (
	_ "embed"
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

//go:embed page.css
var ownCSS string

var (
	style  = htmlpage.Style + ownCSS
	policy = htmlpage.Policy{Styles: []string{style}, Images: []string{"data:"}}
)

// The forms of documents.
const (
	formJSON = "json"
	formHTML = "html"
)

var form = endpoint.Enum("f", "json or html. Where it is absent, the Accept header chooses; json is the default.",
	[]string{formJSON, formHTML})

// paged says whether a request wants a page.
func paged(r *endpoint.Request) bool {
	if form.Given(r) {
		return form.Of(r) == formHTML
	}
	return htmlpage.Wanted(r.HTTP)
}

// variant tells the forms that Accept chooses apart.
func variant(r *endpoint.Request) string {
	if paged(r) {
		return formHTML
	}
	return formJSON
}

// pageOr declares an answer that is JSON or a page.
func pageOr(body any, others ...endpoint.Other) endpoint.Answer {
	return endpoint.Answer{Body: body, Exact: true, Others: append([]endpoint.Other{{Status: http.StatusOK, Doc: "The same as a page.",
		ContentType: "text/html"}}, others...)}
}

// page puts a page together.
type page struct{ strings.Builder }

// newPage begins a page, with links to those above it.
func newPage(title string, above ...link) *page {
	p := &page{}
	p.WriteString(htmlpage.Head(title, style))
	if len(above) > 0 {
		p.WriteString("<nav>")
		for i, s := range above {
			if i > 0 {
				p.WriteString(" › ")
			}
			p.link(s)
		}
		p.WriteString("</nav>\n")
	}
	p.WriteString("<main>\n<h1>" + html.EscapeString(title) + "</h1>\n")
	return p
}

// link writes a link; of a document of the service it is that of its page.
func (p *page) link(l link) {
	to := l.Href
	if l.Type == plain {
		to += "?f=" + formHTML
	}
	p.WriteString(`<a href="` + html.EscapeString(to) + `">` + html.EscapeString(l.Title) + "</a>")
}

func (p *page) paragraph(class, text string) {
	p.WriteString(`<p class="` + class + `">` + html.EscapeString(text) + "</p>\n")
}

// row writes a row of a table; the first cell is its heading.
func (p *page) row(cells ...string) {
	p.WriteString("<tr>")
	for i, c := range cells {
		if i == 0 {
			p.WriteString(`<th scope="row">` + html.EscapeString(c) + "</th>")
			continue
		}
		p.WriteString("<td>" + html.EscapeString(c) + "</td>")
	}
	p.WriteString("</tr>\n")
}

// table begins a table of columns.
func (p *page) table(columns ...string) {
	p.WriteString("<div class=\"wide\"><table>\n<tr>")
	for _, c := range columns {
		p.WriteString(`<th scope="col">` + html.EscapeString(c) + "</th>")
	}
	p.WriteString("</tr>\n")
}

func (p *page) endTable() { p.WriteString("</table></div>\n") }

// answer is the finished page; a live one is kept by nobody.
func (p *page) answer(live bool) *reply.Bytes {
	p.WriteString("</main>\n</body>\n</html>\n")
	h := policy.Header()
	if live {
		h["Cache-Control"], h["Etag"] = []string{"no-store"}, nil
	}
	return &reply.Bytes{ContentType: htmlpage.ContentType, Body: []byte(p.String()), Header: h}
}

// up are the pages above.
func up(base string, more ...link) []link {
	return append([]link{{base + "/ogc", "up", plain, "Landscape"}}, more...)
}

func (b *landing) page() reply.Answer {
	p := newPage(b.Title)
	p.paragraph("lead", b.Description)
	p.WriteString("<ul class=\"links\">\n")
	for _, l := range b.Links {
		if l.Rel != "self" && l.Rel != "alternate" {
			p.WriteString("<li>")
			p.link(l)
			p.WriteString("</li>\n")
		}
	}
	p.WriteString("</ul>\n")
	return p.answer(false)
}

func conformancePage(base string) reply.Answer {
	p := newPage("Conformance classes", up(base)...)
	p.WriteString("<ul>\n")
	for _, c := range classes {
		p.WriteString("<li><code>" + html.EscapeString(c) + "</code></li>\n")
	}
	p.WriteString("</ul>\n")
	return p.answer(false)
}

func (b *processList) page(base string) reply.Answer {
	p := newPage("Processes", up(base)...)
	for i := range b.Processes {
		of := &b.Processes[i]
		p.WriteString("<section>\n<h2>")
		p.link(link{base + "/ogc/processes/" + of.ID, "", plain, of.Title})
		p.WriteString("</h2>\n")
		p.paragraph("soft", of.Description)
		p.WriteString("</section>\n")
	}
	return p.answer(false)
}

// page shows a process with its inputs, those that it cannot do without first.
func (d *description) page(base string) reply.Answer {
	p := newPage(d.Title, up(base, link{base + "/ogc/processes", "up", plain, "Processes"})...)
	p.paragraph("lead", d.Description)
	p.WriteString("<h2>Inputs</h2>\n")
	p.table("Name", "Required", "Values", "What")
	names := slices.SortedFunc(maps.Keys(d.Inputs), func(a, b string) int {
		if x, y := d.Inputs[a].MinOccurs, d.Inputs[b].MinOccurs; x != y {
			return y - x
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		in := d.Inputs[name]
		required := "no"
		if in.MinOccurs > 0 {
			required = "yes"
		}
		p.row(name, required, values(in.Schema), in.Description)
	}
	p.endTable()
	p.WriteString("<h2>How to run it</h2>\n")
	p.paragraph("soft", "POST the inputs as JSON. With the header Prefer: respond-async the answer is a job.")
	p.WriteString("<pre>POST " + html.EscapeString(base+"/ogc/processes/"+d.ID+"/execution") + "\n{\"inputs\": {…}}</pre>\n")
	return p.answer(false)
}

// values says in short which values a schema takes.
func values(schema json.RawMessage) string {
	var s struct {
		Type             any
		Enum             []any
		Minimum, Maximum *float64
		Default          any
		ContentMediaType string
		Items            *struct{ Enum []any }
	}
	if json.Unmarshal(schema, &s) != nil {
		return ""
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	text := s.ContentMediaType
	if name, ok := s.Type.(string); ok && text == "" {
		text = name
	}
	if s.Items != nil {
		s.Enum = s.Items.Enum
	}
	if len(s.Enum) > 0 {
		var names []string
		for _, v := range s.Enum {
			if b, err := json.Marshal(v); err == nil {
				names = append(names, strings.Trim(string(b), `"`))
			}
		}
		text = strings.Join(names, ", ")
	}
	if s.Minimum != nil && s.Maximum != nil {
		text += ", " + number(*s.Minimum) + " to " + number(*s.Maximum)
	}
	if b, err := json.Marshal(s.Default); err == nil && s.Default != nil {
		text += "; default " + strings.Trim(string(b), `"`)
	}
	return text
}

// when is a time as a person reads it.
func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// page shows a job.
func (s *statusInfo) page(base string) reply.Answer {
	p := newPage("Job "+s.JobID, up(base, link{base + "/ogc/jobs", "up", plain, "Jobs"})...)
	p.paragraph("lead", s.Status)
	p.table("Of the job", "")
	p.row("Process", s.ProcessID)
	if s.Message != "" {
		p.row("Step", s.Message)
	}
	if s.Progress != nil {
		p.row("Progress", strconv.Itoa(*s.Progress)+" %")
	}
	p.row("Created", when(s.Created))
	if s.Finished != nil {
		p.row("Finished", when(*s.Finished))
	}
	p.endTable()
	p.WriteString("<ul class=\"links\">\n")
	for _, l := range s.Links {
		if l.Rel != "self" {
			p.WriteString("<li>")
			p.link(l)
			p.WriteString("</li>\n")
		}
	}
	p.WriteString("</ul>\n")
	if s.Finished == nil {
		p.paragraph("soft", "Load this page again to see how far it is.")
	}
	return p.answer(true)
}

// page lists the jobs whose results everybody may see.
func (b *jobList) page(base string) reply.Answer {
	p := newPage("Jobs", up(base)...)
	if len(b.Jobs) == 0 {
		p.paragraph("lead", "There is no job that everybody may see.")
		return p.answer(true)
	}
	p.table("Job", "Process", "State", "Created", "Result")
	for i := range b.Jobs {
		j := &b.Jobs[i]
		p.WriteString(`<tr><th scope="row">`)
		p.link(link{base + "/ogc/jobs/" + j.JobID, "", plain, j.JobID})
		p.WriteString("</th>")
		for _, text := range []string{j.ProcessID, j.Status, when(j.Created)} {
			p.WriteString("<td>" + html.EscapeString(text) + "</td>")
		}
		p.WriteString("<td>")
		for _, l := range j.Links {
			if l.Rel == rel+"results" {
				p.link(l)
			}
		}
		p.WriteString("</td></tr>\n")
	}
	p.endTable()
	return p.answer(true)
}
