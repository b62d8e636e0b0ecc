package workfeed

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"time"

	"mappe/functions/workfeed/worklog"
)

// view is what the page shows. It is written without html/template, which alone would make the function's
// program a quarter larger.
type view struct {
	prefix string
	query  query
	page   worklog.Page
	later  bool // it is not the first page
}

// markup is HTML under construction. Every value that is put into it is escaped; values stand in texts and
// in attributes with double quotes only.
type markup struct{ bytes.Buffer }

func (m *markup) put(form string, values ...any) {
	for i, v := range values {
		values[i] = html.EscapeString(fmt.Sprint(v))
	}
	fmt.Fprintf(&m.Buffer, form, values...)
}

func (v *view) home() string { return v.prefix + "/hq/work" }

// narrowed is the page with one more filter.
func (v *view) narrowed(name, value string) string {
	values := v.query.values()
	values.Set(name, value)
	return address(v.home(), values)
}

func (v *view) feed(f form) string {
	values := v.query.values()
	if f != formJSON {
		values.Set("format", string(f))
	}
	return address(v.prefix+"/work/feed", values)
}

func (v *view) older() string {
	if !v.page.More {
		return ""
	}
	return address(v.home(), v.query.next(v.page))
}

func (v *view) html() []byte {
	m := &markup{}
	d := document{query: v.query}
	m.put(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<meta name="description" content="%s">
<link rel="icon" href="data:,">
`, d.title(), feedDescription)
	for _, f := range []struct {
		form form
		name string
	}{{formJSONFeed, "JSON Feed"}, {formAtom, "Atom"}, {formJSON, "JSON"}} {
		m.put(`<link rel="alternate" type="%s" title="%s (%s)" href="%s">`+"\n", mediaTypes[f.form], d.title(), f.name, v.feed(f.form))
	}
	if next := v.older(); next != "" {
		m.put(`<link rel="next" href="%s">`+"\n", next)
	}
	m.WriteString("<style>" + pageCSS + "</style></head><body>\n") // as it is: the policy has its hash
	m.put(`<header><h1>Completed work</h1>
<p class="lead">Finished tasks, newest first. Times are UTC.</p></header>
`)
	v.form(m)
	m.put("<main>\n")
	v.days(m)
	m.put("</main>\n")
	v.pages(m)
	m.put("</body></html>\n")
	return m.Bytes()
}

func (v *view) form(m *markup) {
	since := ""
	if !v.query.since.IsZero() {
		since = v.query.since.Format(time.DateOnly)
	}
	m.put(`<form method="get" action="%s" role="search">
<label>Board<input name="board" value="%s" maxlength="100" autocomplete="off"></label>
<label>Assignee<input name="assignee" value="%s" maxlength="100" autocomplete="off"></label>
<label>Tag<input name="tag" value="%s" maxlength="42" autocomplete="off"></label>
<label>Since<input name="since" type="date" value="%s"></label>
`, v.home(), v.query.filter.Board, v.query.filter.Assignee, v.query.filter.Tag, since)
	if v.query.limit != defaultLimit {
		m.put(`<input type="hidden" name="limit" value="%s">`+"\n", strconv.Itoa(v.query.limit))
	}
	m.put("<button>Show</button>\n</form>\n")
}

// days lists the entries under their days.
func (v *view) days(m *markup) {
	filtered := len(v.query.values()) > 0
	if filtered {
		m.put(`<p><a href="%s">Show everything</a></p>`+"\n", v.home())
	}
	if len(v.page.Entries) == 0 {
		switch {
		case filtered:
			m.put("<p>No entry matches these filters.</p>\n")
		case v.later:
			m.put("<p>No older entries.</p>\n")
		default:
			m.put("<p>Nothing has been completed yet.</p>\n")
		}
		return
	}
	open := ""
	for i := range v.page.Entries {
		e := &v.page.Entries[i]
		if date := e.CompletedAt.Format(time.DateOnly); date != open {
			if open != "" {
				m.put("</section>\n")
			}
			open = date
			m.put(`<section><h2><time datetime="%s">%s</time></h2>`+"\n", date, e.CompletedAt.Format("Monday, 2 January 2006"))
		}
		v.entry(m, e)
	}
	m.put("</section>\n")
}

func (v *view) entry(m *markup, e *worklog.Entry) {
	m.put(`<article id="%s">`+"\n<h3>", e.ID)
	if e.Tag != "" {
		m.put(`<a class="tag" href="%s"><bdi>%s</bdi></a>`, v.narrowed("tag", e.Tag), e.Tag)
	}
	m.put("<bdi>%s</bdi></h3>\n", worklog.Untagged(e.Title))
	if e.Summary != "" {
		m.put(`<p class="summary" dir="auto">%s</p>`+"\n", e.Summary)
	}
	m.put(`<p class="facts"><time datetime="%s">%s</time> <a href="%s"><bdi>%s</bdi></a>`, instant(e.CompletedAt),
		e.CompletedAt.Format("15:04"), v.narrowed("board", e.Board), e.Board)
	if e.Assignee != "" {
		m.put(` <a href="%s"><bdi>%s</bdi></a>`, v.narrowed("assignee", e.Assignee), e.Assignee)
	}
	m.put(" <span><bdi>%s</bdi></span></p>\n</article>\n", e.TaskID)
}

func (v *view) pages(m *markup) {
	m.put(`<nav aria-label="Pages">`)
	if v.later {
		m.put(`<a class="go" href="%s">Newest</a>`+"\n", address(v.home(), v.query.values()))
	}
	if next := v.older(); next != "" {
		m.put(`<a class="go" rel="next" href="%s">Older</a>`+"\n", next)
	}
	m.put(`<span><a href="%s">JSON Feed</a>, <a href="%s">Atom</a>, <a href="%s">JSON</a>, <a href="%s">API</a></span></nav>`+"\n",
		v.feed(formJSONFeed), v.feed(formAtom), v.feed(formJSON), v.prefix+"/docs")
}
