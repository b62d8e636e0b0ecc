package clean

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// chunk is what stands between two gaps before the first chapter.
type chunk struct {
	blocks []manuscript.Block
	texts  []string
	words  int
	cut    bool // a page break stands before it
	kind   manuscript.SectionKind
	known  bool
}

// front makes sections of the pages before the first heading: title, copyright, dedication, epigraph.
func (r *repair) front() {
	var out []manuscript.Section
	leading := true
	for i := range r.book.Sections {
		sec := r.book.Sections[i]
		untitled := len(sec.Title) == 0 && sec.Number == "" && sec.Kind == manuscript.KindOther
		switch {
		case !leading && untitled && (len(out[len(out)-1].Title) > 0 || out[len(out)-1].Number != ""): // an empty heading begins nothing
			last := &out[len(out)-1]
			r.log.section = last.Called()
			r.log.add(finding.EmptyHeading, sec.Place, textOf(sec.Blocks))
			last.Blocks = append(last.Blocks[:len(last.Blocks):len(last.Blocks)], sec.Blocks...)
		case leading && untitled:
			out = r.pages(out, i)
		default:
			leading = leading && len(sec.Title) == 0 && sec.Number == ""
			out = append(out, sec)
		}
	}
	r.book.Sections = out
}

// pages adds the sections that section i, which has no title and stands before the first heading, holds. Where the
// book has no other section, what nobody knows is its text.
func (r *repair) pages(out []manuscript.Section, i int) []manuscript.Section {
	first, only := r.book.Sections[i], len(r.book.Sections) == 1
	chunks := r.contentsTogether(chunksOf(first.Blocks), i)
	from := len(out)
	rest := first
	rest.Blocks = nil
	pending := false // the text of the book has begun
	for i := range chunks {
		c := &chunks[i]
		if c.words == 0 {
			if len(out) > from && !pending {
				out[len(out)-1].Blocks = append(out[len(out)-1].Blocks, c.blocks...)
			} else {
				rest.Blocks = append(rest.Blocks, c.blocks...)
			}
			continue
		}
		if !pending {
			c.kind, c.known = r.frontKind(*c, out, i)
		}
		if only && (pending || !c.known) {
			pending = true
			rest.Blocks = append(rest.Blocks, c.blocks...)
			continue
		}
		if !c.known {
			if n := len(out); n == from || out[n-1].Kind != manuscript.KindOther || c.cut {
				out = append(out, manuscript.Section{Language: first.Language, Place: placeOf(c.blocks, first.Place)})
			}
			last := &out[len(out)-1]
			last.Blocks = append(append(last.Blocks, rest.Blocks...), c.blocks...)
			rest.Blocks = nil
			continue
		}
		if n := len(out); n > from && out[n-1].Kind == c.kind && (!c.cut || c.kind != manuscript.KindTitlePage) {
			out[n-1].Blocks = append(out[n-1].Blocks, c.blocks...)
			continue
		} else if n > 0 && c.kind == manuscript.KindTitlePage && out[n-1].Kind == c.kind {
			if r.repeatsTitle(&out[n-1], c.texts...) {
				out[n-1].Kind = manuscript.KindHalfTitle
			}
		}
		out = append(out, manuscript.Section{Kind: c.kind, Language: first.Language, Place: placeOf(c.blocks, first.Place),
			Blocks: append(rest.Blocks, c.blocks...)})
		rest.Blocks = nil
	}
	r.tellPages(out[from:])
	switch n := len(out); {
	case hasText(rest.Blocks):
		out = append(out, rest)
	case n > from:
		out[n-1].Blocks = append(out[n-1].Blocks, rest.Blocks...)
	}
	return out
}

// tellPages reads the title page among the pages of the front matter and tells of those whose kind is not known.
func (r *repair) tellPages(pages []manuscript.Section) {
	for i := range pages {
		r.log.section = ""
		switch sec := &pages[i]; sec.Kind {
		case manuscript.KindTitlePage:
			r.titlePage(sec)
		case manuscript.KindOther:
			r.log.add(finding.FrontMatterUnclear, sec.Place, textOf(sec.Blocks))
		}
	}
}

func placeOf(blocks []manuscript.Block, none manuscript.Place) manuscript.Place {
	for _, b := range blocks {
		if p, ok := b.(*manuscript.Paragraph); ok && !empty(p.Inlines) {
			return p.Place
		}
	}
	return none
}

func textOf(blocks []manuscript.Block) string {
	var b strings.Builder
	for _, x := range blocks {
		if p, ok := x.(*manuscript.Paragraph); ok && b.Len() < 400 {
			b.WriteString(manuscript.Flow(p.Inlines) + " ")
		}
	}
	return oneLine(b.String())
}

// chunksOf cuts blocks at page breaks and empty paragraphs.
func chunksOf(blocks []manuscript.Block) []chunk {
	var all []chunk
	cur := chunk{}
	flush := func() {
		if len(cur.blocks) > 0 {
			all = append(all, cur)
		}
		cur = chunk{}
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.PageBreak:
			flush()
			cur.cut = true
			cur.blocks = append(cur.blocks, b)
			continue
		case *manuscript.Paragraph:
			if empty(b.Inlines) {
				if cur.words > 0 {
					flush()
				}
				cur.blocks = append(cur.blocks, b)
				continue
			}
			t := trimmed(b.Inlines)
			cur.texts = append(cur.texts, t)
			cur.words += strings.Count(t, " ") + 1
		case *manuscript.Quote:
			for _, x := range b.Blocks {
				if p, ok := x.(*manuscript.Paragraph); ok {
					cur.texts = append(cur.texts, trimmed(p.Inlines))
					cur.words += strings.Count(manuscript.Flow(p.Inlines), " ") + 1
				}
			}
			cur.texts = append(cur.texts, "— "+trimmed(b.Attribution))
		default:
			cur.words++
		}
		cur.blocks = append(cur.blocks, b)
	}
	flush()
	return all
}

// frontKind says what a chunk before the first chapter is, from its words and its form.
func (r *repair) frontKind(c chunk, before []manuscript.Section, i int) (manuscript.SectionKind, bool) {
	if len(c.texts) == 0 {
		return 0, false
	}
	first, last := c.texts[0], c.texts[len(c.texts)-1]
	if imprint(c) {
		return manuscript.KindCopyright, true
	}
	k, named := kindOf(first)
	if r.isContents(c.texts, i, named && k == manuscript.KindContents) {
		return manuscript.KindContents, true
	}
	if named && k.Front() && k != manuscript.KindTitlePage && k != manuscript.KindContents {
		return k, true
	}
	previous := manuscript.KindOther
	if len(before) > 0 {
		previous = before[len(before)-1].Kind
	}
	for _, b := range c.blocks {
		if p, ok := b.(*manuscript.Paragraph); ok && p.Role >= manuscript.RoleTitle {
			return manuscript.KindTitlePage, true
		}
	}
	if r.book.Meta.Title != "" && strings.EqualFold(first, r.book.Meta.Title) && c.words < 40 {
		return manuscript.KindTitlePage, true
	}
	if c.words <= 40 && dedicates(first) {
		return manuscript.KindDedication, true
	}
	if c.words <= 120 && quotation(c) {
		return manuscript.KindEpigraph, true
	}
	if previous == manuscript.KindCopyright && !c.cut && c.words < 60 {
		return manuscript.KindCopyright, true
	}
	short := c.words <= 30 && !c.table() && !(named && k != manuscript.KindTitlePage)
	for _, t := range c.texts {
		end, _ := utf8.DecodeLastRuneInString(t)
		short = short && utf8.RuneCountInString(t) <= maxHeading && !strings.ContainsRune(",;:", end) && (end != '.' || c.words < 6)
	}
	if short && (len(before) == 0 || previous == manuscript.KindTitlePage) && (len(before) > 0 || len(r.book.Sections) > 1 ||
		c.centered() || c.looks()) {
		return manuscript.KindTitlePage, true
	}
	if k, ok := kindOf(last); ok && k.Front() && len(c.texts) == 1 {
		return k, true
	}
	return 0, false
}

// table says whether lines of a chunk have columns: a number or a word stands apart at their end.
func (c chunk) table() bool {
	n := 0
	for _, t := range c.texts {
		if strings.ContainsAny(t, "\t…") || strings.Contains(t, "..") || strings.Contains(t, ". .") {
			n++
		}
	}
	return n > 1
}

// Marks of an imprint. Those that a story may say as well have to begin a line of a short page.
var (
	imprintAnywhere = []string{"©", "(c) 1", "(c) 2", "isbn", "all rights reserved", "alle rechte vorbehalten", "tous droits réservés"}
	imprintInFront  = []string{"copyright", "impressum", "first published", "first edition", "erstausgabe", "printed in", "gedruckt in"}
)

const (
	mostImprint = 400 // words
	mostLine    = 120 // characters of a line that one of imprintInFront begins
)

// imprint says whether a chunk is a copyright page.
func imprint(c chunk) bool {
	if c.words >= mostImprint {
		return false
	}
	for _, t := range c.texts {
		low := strings.ToLower(t)
		if slices.ContainsFunc(imprintAnywhere, func(m string) bool { return strings.Contains(low, m) }) {
			return true
		}
		if utf8.RuneCountInString(t) <= mostLine && slices.ContainsFunc(imprintInFront,
			func(m string) bool { return strings.HasPrefix(low, m) }) {
			return true
		}
	}
	return false
}

// contentsTogether makes one chunk of a table of contents that empty paragraphs divide: its heading and the lines
// behind it.
func (r *repair) contentsTogether(chunks []chunk, but int) []chunk {
	for i := 0; i < len(chunks); i++ {
		if len(chunks[i].texts) == 0 {
			continue
		}
		if k, ok := kindOf(chunks[i].texts[0]); !ok || k != manuscript.KindContents {
			continue
		}
		whole, end := chunks[i], 0
		for j := i + 1; j < len(chunks) && (!chunks[j].cut || end == 0); j++ {
			whole = whole.and(chunks[j])
			if r.isContents(whole.texts, but, true) {
				end = j
				chunks[i], whole = whole, whole.and(chunk{})
			} else if end > 0 || len(whole.texts) > 2 {
				break
			}
		}
		if end > 0 {
			chunks = append(chunks[:i+1:i+1], chunks[end+1:]...)
		}
	}
	return chunks
}

// and is a chunk with what follows it.
func (c chunk) and(d chunk) chunk {
	c.blocks = append(c.blocks[:len(c.blocks):len(c.blocks)], d.blocks...)
	c.texts = append(c.texts[:len(c.texts):len(c.texts)], d.texts...)
	c.words += d.words
	return c
}

// dedicates says whether a line begins as dedications do.
func dedicates(s string) bool {
	low := strings.ToLower(strings.TrimLeft(s, "“„\"»«"))
	for _, lead := range []string{"for ", "to ", "in memory of", "in loving memory", "dedicated to", "für ", "meine", "dem andenken",
		"zum gedenken", "in erinnerung", "in memoriam", "gewidmet", "pour ", "à la mémoire", "à "} {
		if strings.HasPrefix(low, lead) {
			return true
		}
	}
	return false
}

// quotation says whether a chunk is words of another: a quotation with its author below it.
func quotation(c chunk) bool {
	last := c.texts[len(c.texts)-1]
	r, _ := utf8.DecodeRuneInString(last)
	if len(c.texts) > 1 && (isDash(r) || strings.HasPrefix(last, "--")) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(c.texts[0])
	return strings.ContainsRune("“„»«\"", first) && c.words <= 60
}

func (c chunk) centered() bool {
	for _, b := range c.blocks {
		if p, ok := b.(*manuscript.Paragraph); ok && !empty(p.Inlines) && p.Align != manuscript.AlignCenter &&
			p.Role != manuscript.RoleCentered {
			return false
		}
	}
	return true
}

func (c chunk) looks() bool {
	for _, b := range c.blocks {
		if p, ok := b.(*manuscript.Paragraph); ok && !empty(p.Inlines) {
			return looksHeading(p)
		}
	}
	return false
}

// titlePage gives the lines of a title page their roles and learns title and author from them.
func (r *repair) titlePage(sec *manuscript.Section) {
	var lines []int
	for i, b := range sec.Blocks {
		if p, ok := b.(*manuscript.Paragraph); ok && !empty(p.Inlines) {
			lines = append(lines, i)
		}
	}
	roles := false
	for _, i := range lines {
		roles = roles || sec.Blocks[i].(*manuscript.Paragraph).Role >= manuscript.RoleTitle
	}
	for n, i := range lines {
		p := *sec.Blocks[i].(*manuscript.Paragraph)
		t := trimmed(p.Inlines)
		low := strings.ToLower(t)
		by := strings.HasPrefix(low, "by ") || strings.HasPrefix(low, "von ") || low == "by" || low == "von" ||
			strings.EqualFold(t, r.book.Meta.Author)
		switch {
		case p.Role >= manuscript.RoleTitle:
		case by:
			p.Role = manuscript.RoleAuthor
		case roles:
			p.Role = manuscript.RoleCentered
		case n == 0 && len(lines) > 1 && r.book.Meta.Title != "" && !strings.EqualFold(t, r.book.Meta.Title) &&
			strings.EqualFold(trimmed(sec.Blocks[lines[1]].(*manuscript.Paragraph).Inlines), r.book.Meta.Title):
			p.Role = manuscript.RoleAuthor
		case n == 0 || strings.EqualFold(t, r.book.Meta.Title):
			p.Role = manuscript.RoleTitle
		default:
			p.Role = manuscript.RoleCentered
		}
		if p.Role == manuscript.RoleTitle || p.Role == manuscript.RoleAuthor || p.Role == manuscript.RoleSubtitle {
			p.Inlines = unstyled(p.Inlines)
		}
		m := &r.book.Meta
		switch {
		case p.Role == manuscript.RoleTitle && m.Title == "":
			m.Title = oneLine(t)
		case p.Role == manuscript.RoleSubtitle && m.Subtitle == "":
			m.Subtitle = oneLine(t)
		case p.Role == manuscript.RoleAuthor && m.Author == "":
			for _, lead := range []string{"by ", "von "} {
				if strings.HasPrefix(low, lead) {
					t = t[len(lead):]
				}
			}
			m.Author = oneLine(t)
		}
		sec.Blocks[i] = &p
	}
}
