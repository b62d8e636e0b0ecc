package readertest

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// Sound fails a test where a book breaks the rules of the model: indices within bounds, texts in NFC
// without control characters, spans of at least 1.
func Sound(t testing.TB, b manuscript.Book, found []finding.Finding) {
	t.Helper()
	s := sound{t, &b}
	for i := range b.Sections {
		s.inlines(b.Sections[i].Title)
		s.inlines(b.Sections[i].Subtitle)
		s.blocks(b.Sections[i].Blocks)
	}
	for i := range b.Notes {
		s.blocks(b.Notes[i].Blocks)
	}
	for _, m := range b.Images {
		if m.Width < 1 || m.Height < 1 || len(m.Bytes) == 0 {
			t.Errorf("picture %q of %d by %d", m.Name, m.Width, m.Height)
		}
	}
	for _, f := range found {
		if f.Count < 1 || utf8.RuneCountInString(f.Excerpt) > finding.MaxExcerpt || !utf8.ValidString(f.Excerpt) ||
			!utf8.ValidString(f.Detail) {
			t.Errorf("finding %v of %d: %q %q", f.Type, f.Count, f.Excerpt, f.Detail)
		}
	}
}

type sound struct {
	t testing.TB
	b *manuscript.Book
}

func (s sound) text(x string) {
	if !utf8.ValidString(x) || !norm.NFC.IsNormalString(x) {
		s.t.Errorf("%q is no NFC", x)
	}
	for _, c := range x {
		if c < ' ' && c != '\t' || c >= 0x7f && c < 0xa0 {
			s.t.Errorf("%q holds a control character", x)
			return
		}
	}
}

func (s sound) inlines(in []manuscript.Inline) {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			if i.S == "" {
				s.t.Error("an empty text")
			}
			s.text(i.S)
		case manuscript.NoteRef:
			if i.Note < 0 || i.Note >= len(s.b.Notes) {
				s.t.Errorf("note %d of %d", i.Note, len(s.b.Notes))
			}
		case manuscript.InlineImage:
			if i.Image < 0 || i.Image >= len(s.b.Images) {
				s.t.Errorf("picture %d of %d", i.Image, len(s.b.Images))
			}
			s.text(i.Alt)
		case manuscript.Link:
			s.text(i.Href)
			s.inlines(i.Inlines)
		case manuscript.IndexMark:
			if i.Term == "" {
				s.t.Error("an index entry without a term")
			}
		}
	}
}

func (s sound) blocks(list []manuscript.Block) {
	for _, b := range list {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			s.inlines(b.Inlines)
		case *manuscript.Heading:
			if b.Level < 1 || b.Level > 9 {
				s.t.Errorf("a heading of level %d", b.Level)
			}
			s.inlines(b.Inlines)
		case *manuscript.Figure:
			if b.Image < -1 || b.Image >= len(s.b.Images) {
				s.t.Errorf("picture %d of %d", b.Image, len(s.b.Images))
			}
			s.inlines(b.Caption)
		case *manuscript.Table:
			if len(b.Rows) == 0 || b.HeadRows >= len(b.Rows)+1 {
				s.t.Errorf("a table of %d rows, %d of them heads", len(b.Rows), b.HeadRows)
			}
			s.inlines(b.Caption)
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					if c.ColSpan < 1 || c.RowSpan < 1 || c.ColSpan > 1000 {
						s.t.Errorf("a cell that spans %d by %d", c.ColSpan, c.RowSpan)
					}
					s.blocks(c.Blocks)
				}
			}
		case *manuscript.List:
			if len(b.Items) == 0 {
				s.t.Error("a list without items")
			}
			for _, it := range b.Items {
				s.blocks(it)
			}
		case *manuscript.Quote:
			s.inlines(b.Attribution)
			s.blocks(b.Blocks)
		case *manuscript.Verse:
			for _, st := range b.Stanzas {
				for _, l := range st {
					if l.Indent < 0 {
						s.t.Errorf("a line of verse indented by %d", l.Indent)
					}
					s.inlines(l.Inlines)
				}
			}
		}
	}
}
