package clean

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// piece is a Text in a flow.
type piece struct {
	end  int  // in flow.text
	keep bool // typewriter face: its letters are meant as they are
}

// flow is the text of inlines in one string, so that a repair sees over the borders of italics and links.
// A line break is "\n", a picture is manuscript.PictureRune; notes and marks have no width.
type flow struct {
	text   string
	pieces []piece
}

func (f *flow) read(in []manuscript.Inline) {
	f.pieces = f.pieces[:0]
	if len(in) == 1 {
		if t, ok := in[0].(manuscript.Text); ok {
			f.text = t.S
			f.pieces = append(f.pieces, piece{len(t.S), t.Style.Has(manuscript.Monospace)})
			return
		}
	}
	var b strings.Builder
	f.add(&b, in)
	f.text = b.String()
}

func (f *flow) add(b *strings.Builder, in []manuscript.Inline) {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			b.WriteString(i.S)
			f.pieces = append(f.pieces, piece{b.Len(), i.Style.Has(manuscript.Monospace)})
		case manuscript.Link:
			f.add(b, i.Inlines)
		case manuscript.LineBreak:
			b.WriteByte('\n')
			f.pieces = append(f.pieces, piece{b.Len(), false})
		case manuscript.InlineImage:
			b.WriteRune(manuscript.PictureRune)
			f.pieces = append(f.pieces, piece{b.Len(), true})
		}
	}
}

// write gives the inlines with the text of out; ends are where each piece of the flow ends in it.
func write(in []manuscript.Inline, out string, ends []int) []manuscript.Inline {
	w := writer{out: out, ends: ends}
	return w.inlines(in)
}

type writer struct {
	out  string
	ends []int
	at   int
}

func (w *writer) next() string {
	s := w.out[w.at:w.ends[0]]
	w.at, w.ends = w.ends[0], w.ends[1:]
	return s
}

func (w *writer) inlines(in []manuscript.Inline) []manuscript.Inline {
	res := make([]manuscript.Inline, 0, len(in))
	for _, i := range in {
		switch t := i.(type) {
		case manuscript.Text:
			if t.S = w.next(); t.S == "" {
				continue
			}
			i = t
		case manuscript.Link:
			t.Inlines = w.inlines(t.Inlines)
			i = t
		case manuscript.LineBreak, manuscript.InlineImage:
			w.next()
		}
		res = append(res, i)
	}
	return res
}

// oneLine is a text with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// trimmed is the text of inlines without the spaces around it, invisible ones too.
func trimmed(in []manuscript.Inline) string {
	return strings.TrimFunc(manuscript.Flow(in), blank)
}

func blank(c rune) bool {
	switch {
	case c <= ' ', c == nbsp, c == '\u00ad', c == 0x3000, c == 0xfeff, c == 0x205f, c == 0x202f, c >= 0x2000 && c <= 0x200f, c == 0x2060:
		return true
	}
	return false
}

// empty says whether inlines leave nothing on paper and hold no mark that must not be lost.
func empty(in []manuscript.Inline) bool {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			if strings.TrimFunc(i.S, blank) != "" {
				return false
			}
		case manuscript.LineBreak:
		case manuscript.Link:
			if !empty(i.Inlines) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// texts calls f for every Text, in order; false stops it.
func texts(in []manuscript.Inline, f func(manuscript.Text) bool) bool {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			if !f(i) {
				return false
			}
		case manuscript.Link:
			if !texts(i.Inlines, f) {
				return false
			}
		}
	}
	return true
}

// all says whether every visible letter has one of the styles.
func all(in []manuscript.Inline, style manuscript.Style) bool {
	some := false
	return texts(in, func(t manuscript.Text) bool {
		if strings.TrimFunc(t.S, blank) == "" {
			return true
		}
		some = true
		return t.Style&style != 0
	}) && some
}

// cut splits inlines at a byte of their plain text; the byte ranges [0,at) and [from,...) are kept.
func cut(in []manuscript.Inline, at, from int) (left, right []manuscript.Inline) {
	pos := 0
	for _, i := range in {
		n := len(manuscript.Flow([]manuscript.Inline{i}))
		switch t := i.(type) {
		case manuscript.Text:
			if pos < at {
				l := t
				l.S = t.S[:min(n, at-pos)]
				left = append(left, l)
			}
			if pos+n > from {
				r := t
				r.S = t.S[max(0, from-pos):]
				right = append(right, r)
			}
		default:
			if pos < at || n == 0 && pos <= at && len(right) == 0 && from >= pos && at > 0 {
				left = append(left, i)
			} else if pos >= from {
				right = append(right, i)
			}
		}
		pos += n
	}
	return left, right
}
