package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// setter sets the text of one book in one design.
type setter struct {
	d       *design
	book    *manuscript.Book
	shaper  *line.Shaper
	lang    string // of the section
	links   []string
	marks   []mark // by the numbers lines report, from 1
	current int    // index in Book.Sections, of the one that is set
	count   int    // notes of the section so far
	later   []mark // notes that stand at the end of the book
	report  *Report
	wants   map[string][]want // places of the index by their anchors
	inNote  bool
	stopped func() error // the reason to give up; asked at every paragraph
	proof   bool
	noted   map[string]bool // places of the index that are in notes

	folios map[string]string // of targets that the text refers to by page, as the book came out before
	shown  map[string]string // what is shown of them now
}

// mark is something without width in a line.
type mark struct {
	note    int // index in Book.Notes and 1 more; 0 without a note
	section int // the reference stands in
	number  int
	target  string
	entry   string // of an index mark: its term and subject

	image   int // index in Book.Images and 1 more, of a picture in a line
	height  Unit
	alt     string
	unknown rune // a character that no face has
	size    Unit
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
			if err := s.inlines(out, s.pageNumber(x), inner); err != nil {
				return err
			}
		case manuscript.LineBreak:
			if n := len(*out); n > 0 {
				(*out)[n-1].Break = true
			}
		case manuscript.Target:
			*out = append(*out, line.Piece{Mark: s.mark(mark{target: x.Name})})
		case manuscript.InlineImage:
			s.picture(out, x)
		case manuscript.IndexMark:
			if len(s.wants) > 0 {
				*out = append(*out, line.Piece{Mark: s.mark(mark{entry: entryKey(x.Term, x.Sub)})})
			}
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
	t := visual(known(x.S))
	if k.style.Has(manuscript.AllCaps) {
		t = strings.ToUpper(strings.ReplaceAll(t, "ß", "SS")) // as CSS and DIN 5008 have it
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
		if slices.Contains(missing, c) {
			if use = ost.Font.Has(c); !use {
				s.miss(c)
				if s.proof {
					flush(i)
					if err := s.unknown(out, c, k); err != nil {
						return err
					}
					start = i + utf8.RuneLen(c)
					continue
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

// stand says how characters are written that faces lack but others show as well.
var stand = strings.NewReplacer("⸻", "———", "⸺", "——", "―", "—", "‐", "-", "‒", "–", "\u200b", "", "\u2060", "", "\ufeff", "",
	"\u200e", "", "\u200f", "", "\u2028", " ", "\u2029", " ", "\u2000", "\u2002", "\u2001", "\u2003")

// known puts them in place of the others.
func known(s string) string {
	for _, c := range s {
		if c >= 0x2000 {
			return stand.Replace(s)
		}
	}
	return s
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
	if x.Note < 0 || x.Note >= len(s.book.Notes) || s.inNote { // a note has none of its own
		return nil
	}
	s.count++
	k.style = k.style&^(manuscript.Subscript|manuscript.SmallCaps) | manuscript.Superscript
	st, err := s.d.style(k)
	if err != nil {
		return err
	}
	*out = append(*out, line.Piece{Text: strconv.Itoa(s.count), Style: st,
		Mark: s.mark(mark{note: x.Note + 1, number: s.count, section: s.current})})
	return nil
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
