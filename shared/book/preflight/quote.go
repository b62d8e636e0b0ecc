package preflight

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// quoteWatch follows double quotation marks from paragraph to paragraph.
//
// A quotation may run over several paragraphs: in English each of them opens again and only the last closes,
// in German often only the first opens. So what a paragraph leaves open is no fault where the next one goes
// on with it; a short speech left open before another speech is one.
type quoteWatch struct {
	open    bool // the paragraph before has left a quotation open
	long    bool // and much of it stands behind the mark
	place   manuscript.Place
	excerpt string
	// before are the paragraphs in front of this one that have opened a quotation at their beginning and left it
	// open, one behind the other: those of a letter, if the last of them closes.
	before []finding.Finding
}

func (w *quoteWatch) reset() { *w = quoteWatch{} }

// minSpeech is how many words stand behind a mark whose quotation goes on in the next paragraph.
const minSpeech = 30

// letter is how many paragraphs in a row open a quotation and leave it open in a letter that somebody reads out.
// One alone before a whole speech is a speech whose mark was forgotten.
const letter = 2

// end tells of a quotation that was left open.
func (w *quoteWatch) end(x *exam) {
	for _, f := range w.before {
		x.tell(f)
	}
	w.before = nil
	if w.open {
		x.add(finding.UnmatchedQuotes, w.place, w.excerpt, "")
		w.open = false
	}
}

// Marks that open and close, by language. In German “ closes; in English it opens.
func (x *exam) opensQuote(c rune, before, after rune) (open, shut bool) {
	switch c {
	case '„':
		return true, false
	case '”':
		return false, true
	case '“':
		return x.lang != "de", x.lang == "de"
	case '»', '«':
		if x.lang == "fr" {
			return c == '«', c == '»'
		}
		// »so« or «so»: by where the word stands.
		if unicode.IsLetter(after) || unicode.IsDigit(after) || after == '…' || after == '›' || after == '‹' || after == '¿' {
			return !unicode.IsLetter(before), unicode.IsLetter(before)
		}
		return false, true
	}
	return false, false
}

// quoteMarks are the quotation marks of a paragraph, counted; positions are bytes of its text.
type quoteMarks struct {
	depth      int  // how many are open at its end
	last       int  // the last that opens, -1 where none does
	fault      int  // the first that cannot be matched, -1 where all can
	opensFirst bool // the first mark opens, at the beginning of the paragraph
	shutFirst  bool // the first mark closes
}

// quoteMarks counts the marks of a text; open says that a quotation of an earlier paragraph may end in it.
func (x *exam) quoteMarks(text string, open bool) quoteMarks {
	m := quoteMarks{last: -1, fault: -1}
	first := true // no mark was seen
	var before rune
	for i, c := range text {
		if c < utf8.RuneSelf {
			before = c
			continue
		}
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
		opens, shuts := x.opensQuote(c, before, after)
		before = c
		switch {
		case opens:
			m.opensFirst = m.opensFirst || first && i <= 3
			if m.depth > 0 && m.fault < 0 { // a second opens before the first has closed
				m.fault = m.last
			} else {
				m.depth++
			}
			m.last = i
		case shuts:
			m.shutFirst = m.shutFirst || first
			if m.depth > 0 {
				m.depth--
			} else if m.fault < 0 && !(first && open) {
				m.fault = i
			}
		default:
			continue
		}
		first = false
	}
	return m
}

// paragraph looks at the quotation marks of the next paragraph.
func (w *quoteWatch) paragraph(x *exam, text string, place manuscript.Place) {
	if !strings.ContainsAny(text, "“”„»«") {
		w.end(x)
		return
	}
	m, goesOn := x.quoteMarks(text, w.open), false
	switch {
	case w.open && (m.shutFirst || m.opensFirst && w.long): // it goes on here
		w.open, goesOn = false, true
	case w.open && m.opensFirst && m.fault < 0:
		w.open = false
		w.before = append(w.before, finding.New(finding.UnmatchedQuotes, w.place, w.excerpt))
	case w.open:
		w.end(x)
	}
	if m.depth == 0 && m.fault < 0 {
		if len(w.before) < letter {
			w.end(x)
		}
		w.before = nil
	}
	if m.fault >= 0 {
		w.end(x)
		x.add(finding.UnmatchedQuotes, place, clean.Around(text, m.fault), "")
		return
	}
	if m.depth > 0 {
		w.open, w.place, w.excerpt = true, place, clean.Around(text, m.last)
		w.long = goesOn || strings.Count(text[m.last:], " ") >= minSpeech
	}
}
