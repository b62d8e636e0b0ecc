package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// shapes turns paragraphs into what they are: lists, verse, figures with captions, quotations with their
// authors; and says which begin after a gap.
func (r *repair) shapes(sec *manuscript.Section) {
	r.log.section = sec.Called()
	sec.Blocks = r.lists(sec.Blocks)
	out := make([]manuscript.Block, 0, len(sec.Blocks))
	for _, b := range sec.Blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			out = r.paragraph(out, b, sec.Kind)
		case *manuscript.Quote:
			out = append(out, attributed(b))
		default:
			out = append(out, b)
		}
	}
	sec.Blocks = captions(out)
	begins(sec.Blocks)
}

// paragraph adds a paragraph as what it is.
func (r *repair) paragraph(out []manuscript.Block, p *manuscript.Paragraph, kind manuscript.SectionKind) []manuscript.Block {
	if f := lonePicture(p); f != nil {
		return append(out, f)
	}
	breaks := 0
	for _, i := range p.Inlines {
		if _, ok := i.(manuscript.LineBreak); ok {
			breaks++
		}
	}
	if breaks == 0 {
		return append(out, p)
	}
	if verseLines(p) > 0 && !all(p.Inlines, manuscript.Monospace) {
		stanza := stanzaOf(p)
		if n := len(out); n > 0 {
			if v, ok := out[n-1].(*manuscript.Verse); ok && len(v.Attribution) == 0 {
				joined := *v
				joined.Stanzas = append(append([][]manuscript.VerseLine(nil), v.Stanzas...), stanza)
				out[n-1] = &joined
				return out
			}
		}
		return append(out, &manuscript.Verse{Stanzas: [][]manuscript.VerseLine{stanza}, Place: p.Place})
	}
	if kind.Front() || !running(p) || p.Role > manuscript.RoleFirst || all(p.Inlines, manuscript.Monospace) {
		return append(out, p)
	}
	return append(out, r.softReturns(p)...)
}

// lonePicture is the figure of a paragraph that holds one picture and nothing else.
func lonePicture(p *manuscript.Paragraph) *manuscript.Figure {
	var f *manuscript.Figure
	for _, i := range p.Inlines {
		switch i := i.(type) {
		case manuscript.InlineImage:
			if f != nil {
				return nil
			}
			f = &manuscript.Figure{Image: i.Image, Alt: i.Alt, Place: p.Place, Anchor: p.Anchor}
		case manuscript.Text:
			if strings.TrimFunc(i.S, blank) != "" {
				return nil
			}
		case manuscript.LineBreak, manuscript.Target:
		default:
			return nil
		}
	}
	return f
}

// A verse has at least this many lines of at most this many characters.
const (
	minVerse     = 3
	maxVerseLine = 62
)

// verseLines is how many lines a paragraph has that reads like verse, 0 where it is prose: its lines are
// short and of like length, begin with capitals or are moved in, and do not end at the same width as prose does.
func verseLines(p *manuscript.Paragraph) int {
	if len(p.Inlines) < 2 || p.Align == manuscript.AlignRight {
		return 0
	}
	lines := strings.Split(strings.TrimFunc(manuscript.Flow(p.Inlines), blank), "\n")
	if len(lines) < minVerse {
		return 0
	}
	capitals, sum, speech := 0, 0, 0
	for _, l := range lines {
		l = strings.TrimFunc(l, blank)
		n := utf8.RuneCountInString(l)
		if n > maxVerseLine {
			return 0
		}
		sum += n
		first, _ := utf8.DecodeRuneInString(l)
		last, _ := utf8.DecodeLastRuneInString(l)
		if startsBig(l) || n == 0 {
			capitals++
		}
		if strings.ContainsRune("“„»«\"–", first) && strings.ContainsRune("”“«»\".!?", last) {
			speech++
		}
	}
	if sum/len(lines) > 52 || speech*2 > len(lines) || capitals*10 < len(lines)*7 {
		return 0
	}
	return len(lines)
}

// stanzaOf is the lines of a paragraph with the steps they are moved in.
func stanzaOf(p *manuscript.Paragraph) []manuscript.VerseLine {
	var stanza []manuscript.VerseLine
	var line []manuscript.Inline
	flush := func() {
		in, steps := outdent(line)
		if !empty(in) || len(stanza) > 0 {
			stanza = append(stanza, manuscript.VerseLine{Inlines: in, Indent: steps})
		}
		line = nil
	}
	for _, i := range p.Inlines {
		if _, ok := i.(manuscript.LineBreak); ok {
			flush()
			continue
		}
		line = append(line, i)
	}
	flush()
	for n := len(stanza); n > 0 && empty(stanza[n-1].Inlines); n = len(stanza) {
		stanza = stanza[:n-1]
	}
	return stanza
}

// outdent takes spaces and tabs from the start of a line and counts them as steps.
func outdent(in []manuscript.Inline) ([]manuscript.Inline, int) {
	if len(in) == 0 {
		return in, 0
	}
	t, ok := in[0].(manuscript.Text)
	if !ok {
		return in, 0
	}
	rest := strings.TrimLeft(t.S, " \t\u00a0\u2003")
	steps := 0
	for _, c := range t.S[:len(t.S)-len(rest)] {
		steps++
		if c == '\t' || c == 0x2003 {
			steps += 3
		}
	}
	if steps == 0 {
		return in, 0
	}
	out := append([]manuscript.Inline(nil), in...)
	t.S = rest
	out[0] = t
	return out, min((steps+2)/4, 6)
}

// softReturns mends line breaks in prose: a space, or the end of the paragraph where a sentence ends.
func (r *repair) softReturns(p *manuscript.Paragraph) []manuscript.Block {
	var out []manuscript.Block
	cur := *p
	cur.Inlines = nil
	anchor := p.Anchor
	flush := func() {
		if !empty(cur.Inlines) {
			one := cur
			one.Anchor = anchor
			anchor = ""
			out = append(out, &one)
		}
		cur.Inlines = nil
	}
	for n, i := range p.Inlines {
		if _, ok := i.(manuscript.LineBreak); !ok {
			cur.Inlines = append(cur.Inlines, i)
			continue
		}
		before, after := trimmed(cur.Inlines), strings.TrimLeftFunc(manuscript.Flow(p.Inlines[n+1:]), blank)
		if before == "" || after == "" { // at the paragraph's edge
			r.log.add(finding.SoftReturn, p.Place, before+after)
			continue
		}
		r.log.add(finding.SoftReturn, p.Place, Around(before+" "+after, len(before)))
		last, _ := utf8.DecodeLastRuneInString(before)
		if strings.ContainsRune(".!?…”“\"«»:", last) && startsBig(after) {
			flush()
			continue
		}
		cur.Inlines = append(cur.Inlines, manuscript.Text{S: " "})
	}
	flush()
	return out
}

// attributed finds the author below a quotation.
func attributed(q *manuscript.Quote) *manuscript.Quote {
	n := len(q.Blocks)
	if n < 2 || len(q.Attribution) > 0 {
		return q
	}
	p, ok := q.Blocks[n-1].(*manuscript.Paragraph)
	if !ok {
		return q
	}
	t := trimmed(p.Inlines)
	first, _ := utf8.DecodeRuneInString(t)
	if p.Role != manuscript.RoleAttribution && !(isDash(first) && utf8.RuneCountInString(t) <= maxHeading) {
		return q
	}
	one := *q
	one.Blocks, one.Attribution = q.Blocks[:n-1:n-1], p.Inlines
	return &one
}

// captions gives figures and tables the caption that stands beside them.
func captions(blocks []manuscript.Block) []manuscript.Block {
	out := blocks[:0]
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		next := func() *manuscript.Paragraph {
			if i+1 < len(blocks) {
				if p, ok := blocks[i+1].(*manuscript.Paragraph); ok {
					return p
				}
			}
			return nil
		}
		switch x := b.(type) {
		case *manuscript.Figure:
			if p := next(); p != nil && len(x.Caption) == 0 && isCaption(p, true) {
				one := *x
				one.Caption = p.Inlines
				b = &one
				i++
			}
		case *manuscript.Table:
			if n := len(out); n > 0 && len(x.Caption) == 0 {
				if p, ok := out[n-1].(*manuscript.Paragraph); ok && isCaption(p, false) {
					one := *x
					one.Caption = p.Inlines
					out, b = out[:n-1], &one
					break
				}
			}
			if p := next(); p != nil && len(x.Caption) == 0 && isCaption(p, false) {
				one := *x
				one.Caption = p.Inlines
				b = &one
				i++
			}
		}
		out = append(out, b)
	}
	return out
}

// isCaption says whether a paragraph begins as captions do ("Figure 3", "Abb. 1", "Tabelle 2").
func isCaption(p *manuscript.Paragraph, figure bool) bool {
	t := trimmed(p.Inlines)
	if utf8.RuneCountInString(t) > 400 || p.Role == manuscript.RoleAttribution {
		return false
	}
	first, end := word(t, 0)
	second, _ := word(t, end)
	switch strings.ToLower(strings.TrimRight(first, ".:")) {
	case "figure", "fig", "abbildung", "abb", "bild", "illustration", "plate", "tafel", "photo", "foto", "map", "karte":
		return figure && (strings.HasSuffix(first, ":") || second != "" && (unicode.IsDigit(rune(second[0])) ||
			value(strings.TrimRight(second, ".:")) > 0))
	case "table", "tabelle", "tab", "tableau":
		return !figure && (strings.HasSuffix(first, ":") || second != "" && (unicode.IsDigit(rune(second[0])) ||
			value(strings.TrimRight(second, ".:")) > 0))
	}
	return figure && utf8.RuneCountInString(t) <= 160 && (p.Align == manuscript.AlignCenter || p.Role == manuscript.RoleCentered) &&
		all(p.Inlines, manuscript.Italic)
}

// begins marks the paragraphs that follow a heading or a gap: they are not indented.
func begins(blocks []manuscript.Block) {
	first := true
	for i, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			if first && b.Role == manuscript.RoleBody && b.Align != manuscript.AlignCenter && b.Align != manuscript.AlignRight {
				one := *b
				one.Role = manuscript.RoleFirst
				blocks[i] = &one
			}
			first = false
		case *manuscript.Heading, *manuscript.SceneBreak:
			first = true
		default:
			first = false
		}
	}
}

func words(blocks []manuscript.Block) (n int) {
	for _, b := range blocks {
		if p, ok := b.(*manuscript.Paragraph); ok {
			n += strings.Count(manuscript.Flow(p.Inlines), " ") + 1
		}
	}
	return n
}
