package layout

import (
	"fmt"
	"strings"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/layout/line"
)

// want is a place of the index whose page has to be known.
type want struct {
	name      string // of the target that is put there
	term, sub string
	end       bool // the end of a range
}

// wants are the places of an index by the anchors of their paragraphs.
func wants(entries []bookindex.Entry) map[string][]want {
	out := map[string][]want{}
	for i, e := range entries {
		if !e.Keep {
			continue
		}
		for k, l := range e.Locators {
			out[l.Anchor] = append(out[l.Anchor], want{name: placeName(i, k, false), term: e.Term, sub: e.Sub})
			if l.EndAnchor != "" {
				out[l.EndAnchor] = append(out[l.EndAnchor], want{name: placeName(i, k, true), end: true})
			}
		}
	}
	return out
}

// placeName is the target of a locator of an entry.
func placeName(entry, locator int, end bool) string {
	return fmt.Sprintf("\x00place %d %d %t", entry, locator, end)
}

// anchored puts the targets of a paragraph into its pieces: its anchor in front, the index's places at the
// author's mark, at the first mention of the term, or in front as well. A range ends behind the last word.
func (s *setter) anchored(pieces []line.Piece, anchor string) []line.Piece {
	if anchor == "" {
		return pieces
	}
	for _, w := range s.wants[anchor] {
		if s.inNote {
			s.noted[w.name] = true
		}
		m := line.Piece{Mark: s.mark(mark{target: w.name})}
		if w.end {
			pieces = append(pieces, m)
			continue
		}
		pieces = s.mention(pieces, w, m)
	}
	return append([]line.Piece{{Mark: s.mark(mark{target: anchor})}}, pieces...)
}

// mention puts a mark at the place an entry means.
func (s *setter) mention(pieces []line.Piece, w want, m line.Piece) []line.Piece {
	insert := func(at int, p ...line.Piece) []line.Piece {
		return append(pieces[:at:at], append(p, pieces[at:]...)...)
	}
	for i, p := range pieces {
		if p.Mark > 0 && p.Text == "" && s.marks[p.Mark-1].entry == entryKey(w.term, w.sub) {
			return insert(i, m)
		}
	}
	surname, _, _ := strings.Cut(w.term, ",")
	for _, word := range []string{w.sub, w.term, surname} {
		if word == "" {
			continue
		}
		for i, p := range pieces {
			at := strings.Index(p.Text, word)
			if at < 0 {
				if low := strings.ToLower(p.Text); len(low) == len(p.Text) {
					at = strings.Index(low, strings.ToLower(word))
				}
			}
			if at < 0 {
				continue
			}
			at = strings.LastIndexAny(p.Text[:at], " \u00a0\u2009\u202f") + 1
			for at > 0 && at < len(p.Text) && p.Text[at]&0xc0 == 0x80 { // behind the space, whichever it was
				at++
			}
			if at == 0 {
				return insert(i, m)
			}
			front, back := p, p
			front.Text, front.Break, back.Text, back.Mark = p.Text[:at], false, p.Text[at:], 0
			pieces[i] = back
			return insert(i, front, m)
		}
	}
	return insert(0, m)
}

// entryKey tells the marks of the author apart.
func entryKey(term, sub string) string {
	return strings.Join(strings.Fields(term), " ") + "\x00" + strings.Join(strings.Fields(sub), " ")
}
