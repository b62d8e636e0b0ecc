package bookindex

import (
	"strconv"
	"strings"
	"unicode"

	"mappe/shared/book/manuscript"
)

// Anchor gives every paragraph, heading, line of verse, figure and table of a book that has no anchor one: a hash of its
// section's title and its own text, with a count where a section says the same twice. Text that did not
// change keeps its anchor when the rest of the manuscript does. The book it is given is not written to.
func Anchor(b manuscript.Book) manuscript.Book {
	out := b
	out.Sections = append([]manuscript.Section(nil), b.Sections...)
	for i := range out.Sections {
		s := &out.Sections[i]
		title := manuscript.Plain(s.Title)
		if s.Number != "" && s.Label == "" { // the number is the whole title
			title = ""
		}
		a := anchorer{prefix: "p" + digest(6, s.Kind.String(), s.Number, title), seen: map[string]int{}}
		s.Blocks = a.blocks(s.Blocks)
	}
	out.Notes = append([]manuscript.Note(nil), b.Notes...)
	a := anchorer{prefix: "n", seen: map[string]int{}}
	for i := range out.Notes {
		out.Notes[i].Blocks = a.blocks(out.Notes[i].Blocks)
	}
	return out
}

type anchorer struct {
	prefix string
	seen   map[string]int
}

// name fills an anchor that is empty.
func (a *anchorer) name(anchor *string, text string) {
	if *anchor != "" {
		return
	}
	name := a.prefix + "-" + digest(10, single(text))
	if n := a.seen[name] + 1; n > 1 {
		a.seen[name] = n
		name += "-" + strconv.Itoa(n)
	} else {
		a.seen[name] = 1
	}
	*anchor = name
}

// single is a text with single spaces, none at its ends; nothing is copied where it has them.
func single(text string) string {
	space := true
	for _, c := range text {
		if unicode.IsSpace(c) && (space || c != ' ') {
			return strings.Join(strings.Fields(text), " ")
		}
		space = c == ' '
	}
	return strings.TrimSuffix(text, " ")
}

func (a *anchorer) blocks(in []manuscript.Block) []manuscript.Block {
	out := make([]manuscript.Block, len(in))
	for i, x := range in {
		out[i] = a.block(x)
	}
	return out
}

func (a *anchorer) block(x manuscript.Block) manuscript.Block {
	switch x := x.(type) {
	case *manuscript.Paragraph:
		c := *x
		a.name(&c.Anchor, manuscript.Plain(c.Inlines))
		return &c
	case *manuscript.Heading:
		c := *x
		a.name(&c.Anchor, manuscript.Plain(c.Inlines))
		return &c
	case *manuscript.Figure:
		c := *x
		a.name(&c.Anchor, "figure "+manuscript.Plain(c.Caption)+" "+c.Alt)
		return &c
	case *manuscript.Table:
		c := *x
		a.name(&c.Anchor, "table "+manuscript.Plain(c.Caption))
		c.Rows = append([]manuscript.Row(nil), c.Rows...)
		for i := range c.Rows {
			cells := append([]manuscript.Cell(nil), c.Rows[i].Cells...)
			for k := range cells {
				cells[k].Blocks = a.blocks(cells[k].Blocks)
			}
			c.Rows[i].Cells = cells
		}
		return &c
	case *manuscript.List:
		c := *x
		c.Items = append([][]manuscript.Block(nil), c.Items...)
		for i := range c.Items {
			c.Items[i] = a.blocks(c.Items[i])
		}
		return &c
	case *manuscript.Quote:
		c := *x
		c.Blocks = a.blocks(c.Blocks)
		return &c
	case *manuscript.Verse:
		c := *x
		c.Stanzas = make([][]manuscript.VerseLine, len(x.Stanzas))
		for i := range c.Stanzas {
			c.Stanzas[i] = append([]manuscript.VerseLine(nil), x.Stanzas[i]...)
			for k := range c.Stanzas[i] {
				l := &c.Stanzas[i][k]
				a.name(&l.Anchor, "verse "+manuscript.Plain(l.Inlines))
			}
		}
		return &c
	}
	return x
}

// unit is a text of the book that has an anchor, or stands behind one that has.
type unit struct {
	anchor  string
	section int // -1 for notes
	order   int // in the book
	inlines []manuscript.Inline
	heading bool
}

// units walks through an anchored book: all sections, then the notes.
func units(b manuscript.Book) []unit {
	var w walker
	for i := range b.Sections {
		w.section, w.last = i, ""
		w.blocks(b.Sections[i].Blocks)
	}
	w.section = -1
	for i := range b.Notes {
		w.last = ""
		w.blocks(b.Notes[i].Blocks)
	}
	return w.out
}

type walker struct {
	out     []unit
	section int
	last    string // anchor of the unit before, for texts that have none
}

func (w *walker) add(anchor string, in []manuscript.Inline, heading bool) {
	if anchor == "" {
		anchor = w.last
	}
	w.last = anchor
	w.out = append(w.out, unit{anchor: anchor, section: w.section, order: len(w.out), inlines: in, heading: heading})
}

func (w *walker) blocks(in []manuscript.Block) {
	for _, x := range in {
		switch x := x.(type) {
		case *manuscript.Paragraph:
			w.add(x.Anchor, x.Inlines, false)
		case *manuscript.Heading:
			w.add(x.Anchor, x.Inlines, true)
		case *manuscript.Figure:
			w.add(x.Anchor, x.Caption, false)
		case *manuscript.Table:
			w.add(x.Anchor, x.Caption, true)
			for _, r := range x.Rows {
				for _, c := range r.Cells {
					w.blocks(c.Blocks)
				}
			}
		case *manuscript.List:
			for _, item := range x.Items {
				w.blocks(item)
			}
		case *manuscript.Quote:
			w.blocks(x.Blocks)
			w.add("", x.Attribution, false)
		case *manuscript.Verse:
			for _, s := range x.Stanzas {
				for _, l := range s {
					w.add(l.Anchor, l.Inlines, false)
				}
			}
			w.add("", x.Attribution, false)
		}
	}
}
