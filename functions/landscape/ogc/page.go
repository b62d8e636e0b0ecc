package ogc

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

// top is the landing page.
func top(base string) ogcapi.Link {
	return ogcapi.Link{Href: base + "/ogc", Rel: "up", Type: plain, Title: "Landscape"}
}

func (b *landing) page() reply.Answer {
	p := ogcapi.NewPage(b.Title)
	p.Paragraph("lead", b.Description)
	p.Links(b.Links, "self", "alternate")
	return p.Answer(nil)
}

func (b *processList) page(base string) reply.Answer {
	p := ogcapi.NewPage("Processes", top(base))
	for i := range b.Processes {
		of := &b.Processes[i]
		p.WriteString("<section>\n<h2>")
		p.Link(ogcapi.Link{Href: base + "/ogc/processes/" + of.ID, Type: plain, Title: of.Title})
		p.WriteString("</h2>\n")
		p.Paragraph("soft", of.Description)
		p.WriteString("</section>\n")
	}
	return p.Answer(nil)
}

// page shows a process with its inputs, those that it cannot do without first.
func (d *description) page(base string) reply.Answer {
	p := ogcapi.NewPage(d.Title, top(base), ogcapi.Link{Href: base + "/ogc/processes", Rel: "up", Type: plain, Title: "Processes"})
	p.Paragraph("lead", d.Description)
	p.WriteString("<h2>Inputs</h2>\n")
	p.Table("Name", "Required", "Values", "What")
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
		p.Row(name, required, values(in.Schema), in.Description)
	}
	p.EndTable()
	p.WriteString("<h2>How to run it</h2>\n")
	p.Paragraph("soft", "POST the inputs as JSON. With the header Prefer: respond-async the answer is a job.")
	p.WriteString("<pre>POST " + html.EscapeString(base+"/ogc/processes/"+d.ID+"/execution") + "\n{\"inputs\": {…}}</pre>\n")
	return p.Answer(nil)
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

// changing are the headers of a page that changes while it is read: nobody keeps it.
var changing = http.Header{"Cache-Control": {"no-store"}, "Etag": nil}

// page shows a job.
func (s *statusInfo) page(base string) reply.Answer {
	p := ogcapi.NewPage("Job "+s.JobID, top(base), ogcapi.Link{Href: base + "/ogc/jobs", Rel: "up", Type: plain, Title: "Jobs"})
	p.Paragraph("lead", s.Status)
	p.Table("Of the job", "")
	p.Row("Process", s.ProcessID)
	if s.Message != "" {
		p.Row("Step", s.Message)
	}
	if s.Progress != nil {
		p.Row("Progress", strconv.Itoa(*s.Progress)+" %")
	}
	p.Row("Created", when(s.Created))
	if s.Finished != nil {
		p.Row("Finished", when(*s.Finished))
	}
	p.EndTable()
	p.Links(s.Links, "self")
	if s.Finished == nil {
		p.Paragraph("soft", "Load this page again to see how far it is.")
	}
	return p.Answer(changing)
}

// page lists the jobs whose results everybody may see.
func (b *jobList) page(base string) reply.Answer {
	p := ogcapi.NewPage("Jobs", top(base))
	if len(b.Jobs) == 0 {
		p.Paragraph("lead", "There is no job that everybody may see.")
		return p.Answer(changing)
	}
	p.Table("Job", "Process", "State", "Created", "Result")
	for i := range b.Jobs {
		j := &b.Jobs[i]
		p.WriteString("<tr>")
		p.Cell(true, func() { p.Link(ogcapi.Link{Href: base + "/ogc/jobs/" + j.JobID, Type: plain, Title: j.JobID}) })
		for _, text := range []string{j.ProcessID, j.Status, when(j.Created)} {
			p.Cell(false, func() { p.Text(text) })
		}
		p.Cell(false, func() {
			for _, l := range j.Links {
				if l.Rel == rel+"results" {
					p.Link(l)
				}
			}
		})
		p.WriteString("</tr>\n")
	}
	p.EndTable()
	return p.Answer(changing)
}
