package clean

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
)

// spaceRun is a row of spaces: where it ends and how many it has of each sort.
type spaceRun struct{ end, tabs, hard, plain int }

// spaceRun reads the row of spaces that begins at i. Characters without width between spaces belong to it.
func (m *mender) spaceRun(i int) spaceRun {
	r := spaceRun{end: i}
	for r.end < len(m.s) {
		c, w := utf8.DecodeRuneInString(m.s[r.end:])
		switch {
		case !isSpace(c):
			if !zeroWidth(c) || r.end == i || !isSpace(m.next(r.end)) {
				return r
			}
			m.note(finding.ZeroWidth, r.end)
		case c == '\t':
			r.tabs++
		case c == nbsp || c == 0x202f:
			r.hard++
		default:
			r.plain++
		}
		r.end += w
	}
	return r
}

// spaces mends the spaces that begin at i and says where they end.
func (m *mender) spaces(i int) int {
	s, run := m.s, m.spaceRun(i)
	j, n := run.end, run.tabs+run.hard+run.plain
	before, after := m.last(), m.next(j)
	switch {
	case before == 0 && after == 0: // nothing else
		return j
	case before == 0:
		switch {
		case run.tabs > 0:
			m.note(finding.TabIndent, i)
		case n > 1:
			m.note(finding.SpaceIndent, i)
		default:
			m.note(finding.EdgeSpace, i)
		}
		return j
	case after == 0:
		m.note(finding.EdgeSpace, i)
		return j
	case before == '\n' || after == '\n':
		return j
	case n == 1 && (run.tabs == 1 || run.plain == 1):
		if c := s[i]; c == ' ' || c != '\t' && j-i > 1 && keepWide(s[i:j]) {
			m.out = append(m.out, s[i:j]...)
			return j
		}
		m.out = append(m.out, ' ')
		return j
	}
	keep := run.hard > 0 && m.keepHard(before, after, j)
	if n > 1 {
		m.note(finding.DoubleSpace, i)
	} else if !keep {
		m.note(finding.NonBreakingSpace, i)
	}
	switch {
	case keep && n == 1:
		m.out = append(m.out, s[i:j]...)
	case keep:
		m.rune(nbsp)
	default:
		m.out = append(m.out, ' ')
	}
	return j
}

// keepWide says whether a single space of another width is kept: thin ones inside numbers and abbreviations.
func keepWide(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return c == 0x2009 || c == 0x200a
}

// keepHard says whether a hard space between two characters keeps something together: a number and its
// unit, an abbreviation and what it belongs to, a dash and what stands before it.
func (m *mender) keepHard(before, after rune, at int) bool {
	switch {
	case after == '–' || after == '—' || after == '…' || after == '-':
		return true
	case unicode.IsDigit(before) && (unicode.IsDigit(after) || strings.ContainsRune("%‰€$£°′″§", after) || m.unit(at)):
		return true
	case unicode.IsDigit(after), before == '§' || before == '€' || before == '$' || before == '£' || before == '–' || before == '&':
		return true
	case before == '.' && m.abbreviated():
		return true
	case m.lang.french && (strings.ContainsRune("!?:;»", after) || before == '«'):
		return true
	}
	return false
}

// unit says whether a short word stands at i, as a unit or the name of a month does.
func (m *mender) unit(i int) bool {
	n := 0
	for _, c := range m.s[i:] {
		if !unicode.IsLetter(c) && c != 'µ' && c != '²' && c != '³' {
			break
		}
		n++
	}
	return n > 0 && n <= 9
}

// abbreviated says whether out ends in an abbreviation, at most five letters and a full stop, or in a German
// ordinal number of two digits ("3. Mai").
func (m *mender) abbreviated() bool {
	b := m.out[:len(m.out)-1]
	n := 0
	if rest := bytes.TrimRight(b, "0123456789"); m.lang.german && len(rest) < len(b) {
		return len(b)-len(rest) <= 2
	}
	for len(b) > 0 {
		c, w := utf8.DecodeLastRune(b)
		if !unicode.IsLetter(c) {
			break
		}
		n++
		b = b[:len(b)-w]
	}
	return n > 0 && n <= 5
}
