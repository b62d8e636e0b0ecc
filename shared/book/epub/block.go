package epub

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// maxDepth bounds quotations in lists in quotations; what is deeper is written without them.
const maxDepth = 40

// blocks writes blocks one below the other.
func (p *page) blocks(list []manuscript.Block, depth int) {
	for _, b := range list {
		p.block(b, depth)
	}
}

// block writes a block; one that shows nothing is left out.
func (p *page) block(x manuscript.Block, depth int) {
	if !shows(x) {
		return
	}
	if depth >= maxDepth {
		p.flat(x)
		return
	}
	switch x := x.(type) {
	case *manuscript.Paragraph:
		p.paragraph(x)
	case *manuscript.Heading:
		p.flush()
		name := "h" + strconv.Itoa(min(max(x.Level, 1), 5)+1)
		p.start(name, "id", p.anchor(x.Anchor))
		p.inlines(x.Inlines)
		p.line()
	case *manuscript.SceneBreak:
		p.flush()
		if mark := strings.TrimSpace(p.k.spec.SceneMark); mark != "" {
			p.element("p", mark, "class", "scene", "role", "separator", "aria-label", p.k.word.scene)
		} else {
			p.empty("hr", "class", "gap")
			p.text("\n")
		}
	case *manuscript.PageBreak:
		p.empty("hr", "class", "page")
		p.text("\n")
	case *manuscript.Figure:
		p.figure(x)
	case *manuscript.Table:
		p.table(x, depth+1)
	case *manuscript.List:
		p.list(x, depth+1)
	case *manuscript.Verse:
		p.verse(x)
	case *manuscript.Quote:
		p.quote(x, depth+1)
	case *manuscript.Code:
		p.start("pre")
		p.start("code")
		p.letter(strings.Join(x.Lines, "\n"))
		p.end()
		p.line()
	}
}

// flat writes what is nested too deep: what holds blocks is left out around them.
func (p *page) flat(x manuscript.Block) {
	switch x := x.(type) {
	case *manuscript.Quote:
		p.blocks(x.Blocks, maxDepth)
		p.attribution(x.Attribution)
	case *manuscript.List:
		for _, item := range x.Items {
			p.blocks(item, maxDepth)
		}
	case *manuscript.Table:
		for _, r := range x.Rows {
			for _, c := range r.Cells {
				p.blocks(c.Blocks, maxDepth)
			}
		}
	default:
		p.block(x, 0) // holds none
	}
}

// shows says whether a block has anything to see.
func shows(x manuscript.Block) bool {
	switch x := x.(type) {
	case *manuscript.Paragraph:
		return visible(x.Inlines)
	case *manuscript.Heading:
		return visible(x.Inlines)
	case *manuscript.SceneBreak, *manuscript.PageBreak:
		return true
	case *manuscript.Figure:
		return x.Image >= 0 || visible(x.Caption)
	case *manuscript.Table:
		for _, r := range x.Rows {
			if len(r.Cells) > 0 {
				return true
			}
		}
	case *manuscript.List:
		for _, item := range x.Items {
			if showsAny(item) {
				return true
			}
		}
	case *manuscript.Verse:
		for _, s := range x.Stanzas {
			for _, l := range s {
				if visible(l.Inlines) {
					return true
				}
			}
		}
	case *manuscript.Quote:
		return showsAny(x.Blocks) || visible(x.Attribution)
	case *manuscript.Code:
		return len(x.Lines) > 0
	}
	return false
}

func showsAny(list []manuscript.Block) bool {
	for _, b := range list {
		if shows(b) {
			return true
		}
	}
	return false
}

// paragraph writes running text.
func (p *page) paragraph(x *manuscript.Paragraph) {
	var class []string
	switch x.Role {
	case manuscript.RoleFirst:
		class = append(class, "first")
	case manuscript.RoleAttribution:
		class = append(class, "attribution")
	case manuscript.RoleCentered, manuscript.RoleTitle, manuscript.RoleSubtitle, manuscript.RoleAuthor:
		class = append(class, "center")
	case manuscript.RoleFlushRight:
		class = append(class, "right")
	}
	if name := p.onTitlePage(x); name != "" {
		class = append(class, name)
	}
	switch x.Align {
	case manuscript.AlignCenter:
		class = append(class, "center")
	case manuscript.AlignRight:
		class = append(class, "right")
	case manuscript.AlignLeft:
		class = append(class, "left")
	}
	if p.opening {
		p.opening = false
		switch {
		case len(class) > 0 && class[0] != "first":
		case x.DropCap || p.k.spec.FirstLine == spec.FirstDropCap:
			class = append(class, "drop")
		case p.k.spec.FirstLine == spec.FirstSmallCaps:
			class = append(class, "lead")
		}
	}
	p.start("p", "id", p.anchor(x.Anchor), "class", strings.Join(slices.Compact(class), " "))
	p.inlines(x.Inlines)
	p.line()
}

// onTitlePage is what the style sheet calls a line of the author's own title page, "" for any other.
func (p *page) onTitlePage(x *manuscript.Paragraph) string {
	if p.section < 0 || p.k.src.Sections[p.section].Kind != manuscript.KindTitlePage {
		return ""
	}
	switch {
	case x.Role == manuscript.RoleTitle, x.Role == manuscript.RoleBody && strings.EqualFold(manuscript.Line(x.Inlines), p.k.title()):
		return "title"
	case x.Role == manuscript.RoleSubtitle:
		return "subtitle"
	case x.Role == manuscript.RoleAuthor:
		return "author"
	}
	return ""
}

// figure writes a picture with its caption.
func (p *page) figure(x *manuscript.Figure) {
	path := p.k.image(x.Image)
	if path == "" && !visible(x.Caption) {
		return
	}
	p.flush()
	p.start("figure", "id", p.anchor(x.Anchor))
	if path != "" {
		alt := strings.TrimSpace(x.Alt)
		p.k.pictures++
		p.k.alts = p.k.alts && alt != ""
		p.empty("img", "src", path, "alt", alt, "style", p.k.width(x.WidthMM))
	}
	if visible(x.Caption) {
		p.start("figcaption")
		p.inlines(x.Caption)
		p.end()
	}
	p.line()
}

// width is how wide a picture is set: its share of the print book's measure.
func (k *book) width(mm float64) string {
	measure := k.spec.Trim.WidthMM - 38 // margins of 19 mm, the default's
	if mm <= 0 || measure < 20 || mm >= measure {
		return ""
	}
	return fmt.Sprintf("width:%d%%", max(int(mm*100/measure+0.5), 5))
}

// list writes a list; an item of one paragraph is written without one.
func (p *page) list(x *manuscript.List, depth int) {
	name, start, kind := "ul", "", ""
	if x.Ordered {
		name = "ol"
		if x.Start != 1 {
			start = strconv.Itoa(x.Start)
		}
		kind = map[string]string{"lower-alpha": "a", "upper-alpha": "A", "lower-roman": "i", "upper-roman": "I"}[x.Format]
	}
	p.start(name, "start", start, "type", kind)
	p.text("\n")
	for _, item := range x.Items {
		p.start("li")
		p.cell(item, depth)
		p.line()
	}
	p.line()
}

// cell writes what stands in an item or a cell: one paragraph as its text.
func (p *page) cell(list []manuscript.Block, depth int) {
	if len(list) > 0 {
		if x, ok := list[0].(*manuscript.Paragraph); ok && (len(list) == 1 || !hasParagraph(list[1:])) {
			p.target(x.Anchor)
			p.inlines(x.Inlines)
			list = list[1:]
		}
	}
	p.blocks(list, depth)
}

func hasParagraph(list []manuscript.Block) bool {
	for _, b := range list {
		if _, ok := b.(*manuscript.Paragraph); ok {
			return true
		}
	}
	return false
}

// verse writes lines that are not run together; CSS moves in what a line goes on with.
func (p *page) verse(x *manuscript.Verse) {
	p.start("div", "class", "verse")
	p.text("\n")
	for _, stanza := range x.Stanzas {
		lines := 0
		for _, l := range stanza {
			if visible(l.Inlines) {
				lines++
			}
		}
		if lines == 0 {
			continue
		}
		p.start("p")
		for i, l := range stanza {
			class := "line"
			if l.Indent > 0 {
				class += " in" + strconv.Itoa(min(l.Indent, 4))
			}
			if i > 0 {
				p.empty("br")
			}
			p.start("span", "class", class)
			p.inlines(l.Inlines)
			p.end()
		}
		p.line()
	}
	p.attribution(x.Attribution)
	p.line()
}

func (p *page) attribution(in []manuscript.Inline) {
	if !visible(in) {
		return
	}
	p.start("p", "class", "attribution")
	p.inlines(in)
	p.line()
}

// quote writes a quotation or an epigraph.
func (p *page) quote(x *manuscript.Quote, depth int) {
	if x.Epigraph {
		p.start("blockquote", "epub:type", "epigraph", "class", "epigraph")
	} else {
		p.start("blockquote")
	}
	p.text("\n")
	opening := p.opening
	p.opening = false
	p.blocks(x.Blocks, depth)
	p.opening = opening && x.Epigraph
	p.attribution(x.Attribution)
	p.line()
}
