package docx

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
)

// item makes the item of a paragraph of text.
func (f *flow) item(in []manuscript.Inline, drop bool) item {
	p := &f.p
	it := item{inlines: in, use: p.style.use, dropCap: drop, size: p.size, place: p.place}
	align := p.props.align
	if align == "" {
		align = p.style.align
	}
	switch align {
	case "center":
		it.align = manuscript.AlignCenter
	case "right", "end":
		it.align = manuscript.AlignRight
	}
	it.role = it.use.Use.Role()
	if t := manuscript.Line(in); it.role == manuscript.RoleTitle && t != "" && f.top {
		f.r.titles = append(f.r.titles, t)
	}
	left, right := p.style.left, p.style.right
	if p.props.hasLeft {
		left, right = p.props.left, p.props.right
	}
	const third = 480 // twips, a third of an inch
	it.quoted = left >= third && right >= third && it.align == manuscript.AlignNone
	it.steps = min(max(left, 0)/360, 8)
	if id, lvl := f.numbering(); id != "" && !p.numbered && !source.Blank(in) {
		p.numbered = true
		it.list = f.r.numbers.item(id, lvl)
		if it.list.label != "" {
			it.inlines = append([]manuscript.Inline{manuscript.Text{S: it.list.label + " "}}, it.inlines...)
		}
	}
	it.follow = it.list.goes || it.list.label != "" || p.style.name == "List Paragraph" || it.use.Use == stylename.ListContinued
	return it
}

// numbering is the list the paragraph belongs to and its level; "" for none.
func (f *flow) numbering() (id string, level int) {
	p := &f.p
	id, level = p.style.numID, p.style.level
	if p.props.hasNum {
		id = p.props.numID
	}
	if p.props.numLevel >= 0 {
		level = p.props.numLevel
	}
	if id == "0" {
		id = ""
	}
	return id, max(level, 0)
}

// heading makes a section or a heading below one.
func (f *flow) heading(level int, in []manuscript.Inline) {
	number, label := "", ""
	if id, lvl := f.numbering(); id != "" {
		number, label = f.r.numbers.heading(id, lvl)
	}
	in = source.Trim(in)
	if level == 1 {
		f.flush()
		if len(in) == 0 && label != "" {
			in, label = []manuscript.Inline{manuscript.Text{S: label}}, ""
		}
		h := source.Head{Number: number, Label: manuscript.TrimLabel(label), Title: in, Place: f.p.place}
		if f.p.style.use.Use == stylename.Heading {
			h.Kind = f.p.style.use.Kind
		}
		f.r.sections.Begin(h)
		return
	}
	if label != "" {
		in = append([]manuscript.Inline{manuscript.Text{S: label + " "}}, in...)
	}
	f.push(item{block: &manuscript.Heading{Level: level - 1, Inlines: in, Place: f.p.place}})
}

// flush groups the items so far and puts them into the section that is open.
func (f *flow) flush() {
	items := f.items
	f.items, f.pages = nil, 0
	if !f.top {
		return
	}
	for i := 0; i < len(items); {
		n := i
		kind := items[i].use.Kind
		text := items[i].use.Use == stylename.SectionText
		for n < len(items) && (items[n].use.Use == stylename.SectionText) == text && (!text || items[n].use.Kind == kind) {
			n++
		}
		open, untitled := f.r.sections.Kind()
		switch {
		case text:
			f.r.sections.Begin(source.Head{Kind: kind, Place: items[i].place})
		case untitled && open != manuscript.KindOther:
			f.r.sections.Begin(source.Head{Place: items[i].place})
		}
		rest := items[i:n]
		if len(rest) > 0 && rest[0].use.Use == stylename.SectionSubtitle && rest[0].block == nil && f.r.sections.Subtitle(rest[0].inlines) {
			rest = rest[1:]
		}
		f.r.sections.Add(group(rest)...)
		i = n
	}
}
