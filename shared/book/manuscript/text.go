package manuscript

import (
	"iter"
	"strings"
)

// PictureRune stands for a picture in the text Flow gives.
const PictureRune = '\uFFFC'

// Plain is what inlines say to a reader: their letters and those of links as they stand, a line break as a
// space. Note references, pictures, index marks and targets say nothing.
func Plain(in []Inline) string { return spoken(in, ' ', false) }

// Line is Plain in one line: single spaces, none at the ends.
func Line(in []Inline) string { return strings.Join(strings.Fields(Plain(in)), " ") }

// Flow is Plain with what else takes room in a line: a line break is "\n", a picture PictureRune.
func Flow(in []Inline) string { return spoken(in, '\n', true) }

func spoken(in []Inline, lineBreak byte, pictures bool) string {
	if len(in) == 1 { // most paragraphs: nothing to copy
		if t, ok := in[0].(Text); ok {
			return t.S
		}
	}
	var b strings.Builder
	speak(&b, in, lineBreak, pictures)
	return b.String()
}

func speak(b *strings.Builder, in []Inline, lineBreak byte, pictures bool) {
	for _, x := range in {
		switch x := x.(type) {
		case Text:
			b.WriteString(x.S)
		case Link:
			speak(b, x.Inlines, lineBreak, pictures)
		case LineBreak:
			b.WriteByte(lineBreak)
		case InlineImage:
			if pictures {
				b.WriteRune(PictureRune)
			}
		}
	}
}

// Passages gives the inlines of everything in blocks that says something, in reading order and whatever it
// stands in: paragraphs, headings, lines of verse, attributions, captions, cells; a line of code is one
// Text in a typewriter face. A table's caption comes before its rows, an attribution after what it belongs to.
func Passages(blocks []Block) iter.Seq[[]Inline] {
	return func(yield func([]Inline) bool) { passages(blocks, yield) }
}

func passages(blocks []Block, yield func([]Inline) bool) bool {
	for _, b := range blocks {
		if !passagesOf(b, yield) {
			return false
		}
	}
	return true
}

func passagesOf(b Block, yield func([]Inline) bool) bool {
	switch b := b.(type) {
	case *Paragraph:
		return yield(b.Inlines)
	case *Heading:
		return yield(b.Inlines)
	case *Figure:
		return len(b.Caption) == 0 || yield(b.Caption)
	case *Table:
		if len(b.Caption) > 0 && !yield(b.Caption) {
			return false
		}
		for _, r := range b.Rows {
			for _, c := range r.Cells {
				if !passages(c.Blocks, yield) {
					return false
				}
			}
		}
	case *List:
		for _, item := range b.Items {
			if !passages(item, yield) {
				return false
			}
		}
	case *Quote:
		return passages(b.Blocks, yield) && (len(b.Attribution) == 0 || yield(b.Attribution))
	case *Verse:
		for _, stanza := range b.Stanzas {
			for _, l := range stanza {
				if !yield(l.Inlines) {
					return false
				}
			}
		}
		return len(b.Attribution) == 0 || yield(b.Attribution)
	case *Code:
		for _, l := range b.Lines {
			if !yield([]Inline{Text{S: l, Style: Monospace}}) {
				return false
			}
		}
	}
	return true
}
