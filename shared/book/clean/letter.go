package clean

import (
	"fmt"
	"hash/fnv"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// letters mends the text of everything in the book.
func (r *repair) letters() {
	m := &mender{lang: r.lang, log: &r.log}
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		r.log.section = sec.Called()
		sec.Title = r.title(m, sec.Title, sec.Place)
		sec.Subtitle = r.title(m, sec.Subtitle, sec.Place)
		if sec.Kind == manuscript.KindContents { // made anew
			continue
		}
		r.blocks(m, sec.Blocks)
	}
	r.log.section = ""
	for i := range r.book.Notes {
		n := &r.book.Notes[i]
		n.Blocks = append([]manuscript.Block(nil), n.Blocks...)
		r.blocks(m, trimNote(n))
	}
}

// trimNote takes empty paragraphs from a note.
func trimNote(n *manuscript.Note) []manuscript.Block {
	kept := n.Blocks[:0]
	for _, b := range n.Blocks {
		if !isEmpty(b) {
			kept = append(kept, b)
		}
	}
	n.Blocks = kept
	return kept
}

func (r *repair) title(m *mender, in []manuscript.Inline, place manuscript.Place) []manuscript.Inline {
	if len(in) == 0 {
		return nil
	}
	return m.inlines(in, place)
}

// blocks mends blocks in place; the slice is this repair's own, the blocks are not.
func (r *repair) blocks(m *mender, blocks []manuscript.Block) {
	for i, b := range blocks {
		blocks[i] = r.block(m, b)
	}
}

func (r *repair) block(m *mender, b manuscript.Block) manuscript.Block {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		one := *b
		one.Inlines = r.inlines(m, b.Inlines, b.Place)
		return &one
	case *manuscript.Heading:
		one := *b
		one.Inlines = m.inlines(b.Inlines, b.Place)
		return &one
	case *manuscript.Figure:
		one := *b
		one.Caption = r.inlines(m, b.Caption, b.Place)
		return &one
	case *manuscript.Table:
		one := *b
		one.Caption = r.inlines(m, b.Caption, b.Place)
		one.Rows = append([]manuscript.Row(nil), b.Rows...)
		for i := range one.Rows {
			cells := append([]manuscript.Cell(nil), one.Rows[i].Cells...)
			for j := range cells {
				cells[j].Blocks = append([]manuscript.Block(nil), cells[j].Blocks...)
				r.blocks(m, cells[j].Blocks)
			}
			one.Rows[i].Cells = cells
		}
		return &one
	case *manuscript.List:
		one := *b
		one.Items = append([][]manuscript.Block(nil), b.Items...)
		for i := range one.Items {
			one.Items[i] = append([]manuscript.Block(nil), one.Items[i]...)
			r.blocks(m, one.Items[i])
		}
		return &one
	case *manuscript.Quote:
		one := *b
		one.Blocks = append([]manuscript.Block(nil), b.Blocks...)
		r.blocks(m, one.Blocks)
		one.Attribution = r.inlines(m, b.Attribution, b.Place)
		return &one
	case *manuscript.Verse:
		one := *b
		one.Stanzas = append([][]manuscript.VerseLine(nil), b.Stanzas...)
		for i := range one.Stanzas {
			lines := append([]manuscript.VerseLine(nil), one.Stanzas[i]...)
			for j := range lines {
				lines[j].Inlines = r.inlines(m, lines[j].Inlines, b.Place)
			}
			one.Stanzas[i] = lines
		}
		one.Attribution = r.inlines(m, b.Attribution, b.Place)
		return &one
	}
	return b
}

func (r *repair) inlines(m *mender, in []manuscript.Inline, place manuscript.Place) []manuscript.Inline {
	if len(in) == 0 {
		return in
	}
	return m.inlines(r.emphasis(in, place, false), place)
}

// emphasis turns underlining into italic; in links it is only taken away.
func (r *repair) emphasis(in []manuscript.Inline, place manuscript.Place, link bool) []manuscript.Inline {
	out, changed, told := in, false, false
	set := func(i int, x manuscript.Inline) {
		if !changed {
			out, changed = append([]manuscript.Inline(nil), in...), true
		}
		out[i] = x
	}
	for i, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			if !x.Style.Has(manuscript.Underline) {
				told = false
				continue
			}
			x.Style &^= manuscript.Underline
			if !link {
				x.Style |= manuscript.Italic
				if !told {
					r.log.add(finding.UnderlineEmphasis, place, oneLine(x.S))
				}
				told = true
			}
			set(i, x)
		case manuscript.Link:
			if inner := r.emphasis(x.Inlines, place, true); len(inner) > 0 && &inner[0] != &x.Inlines[0] {
				x.Inlines = inner
				set(i, x)
			}
		}
	}
	return out
}

// places names the section in the place of every block and gives paragraphs, headings, figures and tables
// the anchor by which an index finds them again: it depends on their text and their section's title alone, so
// that it outlives changes elsewhere.
func (r *repair) places() {
	seen := map[string]int{}
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		title, named := sec.Called(), identity(sec, r.lang.tag)
		sec.Place.Section = title
		if sec.Kind == manuscript.KindContents { // its blocks are the caller's
			continue
		}
		anchor := func(have, text string) string {
			if have != "" {
				return have
			}
			h := fnv.New64a()
			h.Write([]byte(sec.Number + "\x00" + named + "\x00" + text))
			name := fmt.Sprintf("p%012x", h.Sum64()>>16)
			seen[name]++
			if n := seen[name]; n > 1 {
				name = fmt.Sprintf("%s-%d", name, n)
			}
			return name
		}
		for j, b := range sec.Blocks {
			switch b := b.(type) {
			case *manuscript.Paragraph: // these are copies of letters
				b.Place.Section = title
				b.Anchor = anchor(b.Anchor, manuscript.Flow(b.Inlines))
			case *manuscript.Heading:
				b.Place.Section = title
				b.Anchor = anchor(b.Anchor, manuscript.Flow(b.Inlines))
			case *manuscript.Figure:
				b.Place.Section = title
				b.Anchor = anchor(b.Anchor, manuscript.Flow(b.Caption)+b.Alt)
			case *manuscript.Table:
				b.Place.Section = title
				b.Anchor = anchor(b.Anchor, manuscript.Flow(b.Caption))
			case *manuscript.SceneBreak:
				one := *b
				one.Place.Section = title
				sec.Blocks[j] = &one
			}
		}
	}
}

// identity is the section's name in the hash of an anchor. Indexes that people have saved hold such hashes, so
// it stays as it is whatever the page and the report call the section.
func identity(sec *manuscript.Section, language string) string {
	title := manuscript.Line(sec.Title)
	german := manuscript.Base(language) == "de"
	figures := strings.Trim(sec.Number, "0123456789") == ""
	switch {
	case sec.Number == "":
		return title
	case sec.Label != "" && figures:
		return sec.Number + ". " + title
	case sec.Label != "":
		return sec.Number + " " + title
	}
	word := map[bool]string{false: "Chapter", true: "Kapitel"}[german]
	if sec.Kind == manuscript.KindPart {
		word = map[bool]string{false: "Part", true: "Teil"}[german]
	}
	if german && figures {
		return sec.Number + ". " + word
	}
	return word + " " + sec.Number
}
