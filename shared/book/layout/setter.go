package layout

import (
	"strconv"
	"strings"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// setter sets the text of one book in one design.
type setter struct {
	d      *design
	book   *manuscript.Book
	shaper *line.Shaper
	lang   string // of the section
	links  []string
	marks  []mark // by the numbers lines report, from 1
	count  int    // notes of the section so far
	later  []mark // notes that stand at the end of the book
	report *Report
}

// mark is something without width in a line.
type mark struct {
	note   int // index in Book.Notes and 1 more; 0 is none
	number int
	target string
}

func (s *setter) mark(m mark) int {
	s.marks = append(s.marks, m)
	return len(s.marks)
}

// pieces turns inlines into pieces of one type style each.
func (s *setter) pieces(in []manuscript.Inline, k styleKey) ([]line.Piece, error) {
	var out []line.Piece
	err := s.inlines(&out, in, k)
	return out, err
}

func (s *setter) inlines(out *[]line.Piece, in []manuscript.Inline, k styleKey) error {
	for _, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			if err := s.text(out, x, k); err != nil {
				return err
			}
		case manuscript.NoteRef:
			if err := s.noteRef(out, x, k); err != nil {
				return err
			}
		case manuscript.Link:
			inner := k
			s.links = append(s.links, x.Href)
			inner.link = len(s.links)
			if err := s.inlines(out, x.Inlines, inner); err != nil {
				return err
			}
		case manuscript.LineBreak:
			if n := len(*out); n > 0 {
				(*out)[n-1].Break = true
			}
		case manuscript.Target:
			*out = append(*out, line.Piece{Mark: s.mark(mark{target: x.Name})})
		}
	}
	return nil
}

// text adds a text; characters the face does not have are set from the other one, where it has them.
func (s *setter) text(out *[]line.Piece, x manuscript.Text, k styleKey) error {
	k.style |= x.Style
	if x.Language != "" {
		k.lang = x.Language
	}
	t := x.S
	if k.style.Has(manuscript.AllCaps) {
		t = strings.ToUpper(t)
	}
	st, err := s.d.style(k)
	if err != nil {
		return err
	}
	if missing := st.Font.Missing(t); len(missing) > 0 {
		return s.fallback(out, t, k, st, missing)
	}
	*out = append(*out, line.Piece{Text: t, Style: st})
	return nil
}

// fallback cuts a text where characters are missing.
func (s *setter) fallback(out *[]line.Piece, t string, k styleKey, st *line.Style, missing []rune) error {
	other := k
	other.face = s.d.otherFace()
	ost, err := s.d.style(other)
	if err != nil {
		return err
	}
	start, inOther := 0, false
	flush := func(end int) {
		if end > start {
			p := line.Piece{Text: t[start:end], Style: st}
			if inOther {
				p.Style = ost
			}
			*out = append(*out, p)
			start = end
		}
	}
	for i, c := range t {
		use := false
		for _, m := range missing {
			if m == c {
				if use = ost.Font.Has(c); !use {
					s.miss(c)
				}
			}
		}
		if use != inOther {
			flush(i)
			inOther = use
		}
	}
	flush(len(t))
	return nil
}

func (s *setter) miss(c rune) {
	for _, m := range s.report.Missing {
		if m == c {
			return
		}
	}
	s.report.Missing = append(s.report.Missing, c)
}

// noteRef adds a note's number.
func (s *setter) noteRef(out *[]line.Piece, x manuscript.NoteRef, k styleKey) error {
	if x.Note < 0 || x.Note >= len(s.book.Notes) {
		return nil
	}
	s.count++
	k.style = k.style&^(manuscript.Subscript|manuscript.SmallCaps) | manuscript.Superscript
	st, err := s.d.style(k)
	if err != nil {
		return err
	}
	*out = append(*out, line.Piece{Text: strconv.Itoa(s.count), Style: st, Mark: s.mark(mark{note: x.Note + 1, number: s.count})})
	return nil
}

// plain is the text of inlines.
func plain(in []manuscript.Inline) string {
	var b strings.Builder
	for _, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			b.WriteString(x.S)
		case manuscript.Link:
			b.WriteString(plain(x.Inlines))
		case manuscript.LineBreak:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// footnotes says whether a note stands at the foot of the page.
func (s *setter) footnotes(n *manuscript.Note) bool {
	switch s.d.spec.Notes {
	case spec.NotesFoot:
		return true
	case spec.NotesEnd:
		return false
	}
	return !n.Endnote
}
