package preflight

import (
	_ "embed"
	"html"
	"strconv"
	"strings"

	"mappe/shared/book/finding"
)

//go:embed report.css
var reportCSS string

// reportPage writes the page by hand: a template engine finds members by their names at run time, which
// keeps everything that a program links in its binary.
type reportPage struct {
	Report
	strings.Builder
	t map[string]string
}

// raw is markup; text is what has to be escaped.
func (p *reportPage) raw(s ...string) {
	for _, one := range s {
		p.WriteString(one)
	}
}

func (p *reportPage) text(s string) { p.WriteString(html.EscapeString(s)) }

// tag is an element of one text; class may be empty.
func (p *reportPage) tag(name, class, text string) {
	p.raw("<", name)
	if class != "" {
		p.raw(` class="`, class, `"`)
	}
	p.raw(">")
	p.text(text)
	p.raw("</", name, ">")
}

// of are the groups of a severity.
func of(groups []shownGroup, s finding.Severity) []shownGroup {
	var some []shownGroup
	for _, g := range groups {
		if g.Severity == s.String() {
			some = append(some, g)
		}
	}
	return some
}

func (p *reportPage) head(o HTMLOptions) {
	title, shown := p.t["report"], o.Source
	if p.title != "" {
		title, shown = title+": "+p.title, p.title
	}
	p.raw("<!DOCTYPE html>\n<html lang=\"", p.Language(),
		"\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	p.tag("title", "", title)
	p.raw("\n<style>\n", reportCSS, "</style>\n</head>\n<body>\n<main>\n")
	p.tag("p", "over sans", p.t["report"])
	p.raw("\n")
	p.tag("h1", "", shown)
	file := o.Source
	if p.author != "" {
		file = p.t["by"] + " " + p.author + " · " + file
	}
	if o.Date != "" {
		file += " · " + p.t["examined"] + " " + o.Date
	}
	p.raw("\n")
	p.tag("p", "file sans", file)
	class := "verdict"
	if p.Summary.High == 0 {
		class += " good"
	}
	p.raw("\n")
	p.tag("p", class, p.verdict())
	p.raw("\n")
}

func (p *reportPage) verdict() string {
	switch {
	case p.Summary.Total == 0:
		return p.t["clean"]
	case p.Summary.High == 0:
		return p.t["ready"]
	case p.Summary.High == 1:
		return p.t["decide1"]
	}
	return strings.Replace(p.t["decide"], "%", strconv.Itoa(p.Summary.High), 1)
}

func (p *reportPage) counts() {
	p.raw("<ul class=\"counts\">\n")
	for _, c := range []struct {
		name string
		n    int
	}{{"high", p.Summary.High}, {"medium", p.Summary.Medium}, {"low", p.Summary.Low}, {"kept", p.Summary.Preserved}} {
		p.raw(`<li class="`, c.name, `"><a href="#`, c.name, `"><b>`, strconv.Itoa(c.n), "</b>")
		p.tag("span", "", p.t[c.name])
		p.raw("</a></li>\n")
	}
	p.raw("</ul>\n")
}

// first are the things to decide, with their reasons.
func (p *reportPage) first(high []shownGroup) {
	if len(high) == 0 {
		return
	}
	p.raw("<div class=\"first high\">\n")
	p.tag("h2", "", p.t["first"])
	p.raw("\n<ol>")
	for _, g := range high {
		p.raw(`<li><a href="#high-`, g.Name, `">`)
		p.text(g.Title)
		p.raw("</a>")
		if g.Count > 1 {
			p.raw(" (", strconv.Itoa(g.Count), ")")
		}
		p.text(" — " + g.Meaning)
		p.raw("</li>\n")
	}
	p.raw("</ol>\n</div>\n")
}

// list are the groups of a severity; those with a lead are folded.
func (p *reportPage) list(name string, groups []shownGroup, lead string) {
	if len(groups) == 0 {
		return
	}
	p.raw(`<h2 id="`, name, `" class="`, name, `">`)
	p.text(p.t[name])
	p.raw("</h2>\n")
	open, head, tail, end := `<section class="group `+name+` long" id="`, "", "\n", "</section>\n"
	if lead != "" {
		p.tag("p", "", lead)
		open, head, tail, end = `<details class="`+name+`" id="`, "<summary>", "</summary>\n", "</details>\n"
	}
	for _, g := range groups {
		p.raw(open, name, "-", g.Name, `">`, head, "<h3>")
		p.text(g.Title + " ")
		p.raw(`<span class="count">`, strconv.Itoa(g.Count), "</span></h3>", tail)
		p.group(g)
		p.raw(end)
	}
}

func (p *reportPage) group(g shownGroup) {
	p.tag("p", "", g.Meaning)
	p.raw("\n<dl>")
	p.tag("dt", "", p.t["does"])
	p.tag("dd", "", g.Does)
	if g.Act {
		p.tag("dt", "", p.t["fix"])
		p.tag("dd", "", g.Fix)
	}
	p.raw("</dl>\n")
	if len(g.Places) > 0 {
		p.raw(`<ul class="places">`)
		for _, at := range g.Places {
			p.place(at)
		}
		p.raw("\n</ul>")
	}
	if g.More > 0 {
		p.tag("p", "more", "+ "+strconv.Itoa(g.More)+" "+p.t["more"])
	}
}

func (p *reportPage) place(at shownPlace) {
	p.raw("\n<li>")
	if at.Where != "" {
		p.tag("span", "where", at.Where)
	}
	if at.Excerpt != "" {
		p.tag("span", "excerpt", at.Excerpt)
	}
	if at.Detail != "" {
		p.raw(" ")
		p.tag("span", "detail", at.Detail)
	}
	if at.Count > 1 {
		p.raw(" ")
		p.tag("span", "detail", strconv.Itoa(at.Count)+" "+p.t["times"])
	}
	p.raw("</li>")
}

// kept is what stays as the author made it.
func (p *reportPage) kept(groups []shownGroup) {
	if len(groups) == 0 {
		return
	}
	p.raw(`<h2 id="kept" class="kept">`)
	p.text(p.t["kept"])
	p.raw("</h2>\n")
	p.tag("p", "", p.t["keptlead"])
	p.raw("\n<ul class=\"chips\">")
	for _, g := range groups {
		p.raw("<li>")
		p.text(g.Title + " ")
		p.raw("<b>", strconv.Itoa(g.Count), "</b></li>")
	}
	p.raw("</ul>\n")
}

func (p *reportPage) bookMap() {
	p.raw(`<h2 id="map">`)
	p.text(p.t["map"])
	p.raw("</h2>\n")
	p.sentences("warn", p.t["warnings"], p.BookMap.Warnings)
	p.raw("\n<table>\n<thead><tr>")
	for _, c := range [][2]string{{"section", ""}, {"kind", ""}, {"paras", "n p"}, {"words", "n"}} {
		p.tag("th", c[1], p.t[c[0]])
	}
	p.raw("</tr></thead>\n<tbody>")
	for _, row := range p.sections() {
		p.raw("\n<tr")
		if row.Side != "" {
			p.raw(` class="`, row.Side, `"`)
		}
		p.raw("><td>")
		p.text(row.Title)
		p.raw(`<svg class="bar" aria-hidden="true"><rect height="100%" width="`, strconv.Itoa(row.Share), `%"/></svg></td>`)
		p.tag("td", "k", row.Kind)
		p.tag("td", "n p", row.Paras)
		p.tag("td", "n", row.Words)
		p.raw("</tr>")
	}
	p.raw("\n</tbody>\n</table>\n")
	p.sentences("know", p.t["notes"], p.BookMap.Notes)
	p.raw("\n")
}

func (p *reportPage) sentences(class, title string, all []string) {
	if len(all) == 0 {
		return
	}
	p.raw(`<div class="`, class, `">`)
	p.tag("h3", "", title)
	p.raw("<ul>")
	for _, s := range all {
		p.tag("li", "", s)
	}
	p.raw("</ul></div>")
}

// words says what becomes of the words of the file, and shows every one that is left out.
func (p *reportPage) words() {
	if !p.Words.Counted && len(p.Words.Removed) == 0 {
		return
	}
	p.raw(`<h2 id="words">`)
	p.text(p.t["account"])
	p.raw("</h2>\n")
	mark := pick(p.Language() == "de", ".", ",")
	if p.Words.Counted {
		var parts []string
		for _, c := range []struct {
			text string
			n    int
		}{{"in", p.Words.In}, {"set", p.Words.Set}, {"left", p.Words.Left}} {
			parts = append(parts, strings.Replace(p.t[c.text], "%", thousands(c.n, mark), 1))
		}
		p.tag("p", "", strings.Join(parts, "; ")+".")
	}
	if len(p.Words.Removed) == 0 {
		return
	}
	p.tag("p", "", p.t["leftlead"])
	p.raw(`<ul class="places">`)
	for _, r := range p.Words.Removed {
		for i, line := range strings.Split(r.Text, "\n") {
			at := shownPlace{Excerpt: line}
			if i == 0 {
				at.Where, at.Detail = where(r.Place, p.Language()), wordsOf(r.Why, p.Language()).title
			}
			p.place(at)
		}
	}
	p.raw("\n</ul>\n")
}
