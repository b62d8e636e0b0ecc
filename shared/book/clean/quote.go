package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
)

// quotes are the marks of a language.
type quotes struct{ open, close, openSingle, closeSingle rune }

var (
	quotesEnglish    = quotes{'“', '”', '‘', '’'}
	quotesGerman     = quotes{'„', '“', '‚', '‘'}
	quotesGuillemets = quotes{'»', '«', '›', '‹'}
	quotesSwiss      = quotes{'«', '»', '‹', '›'}
)

// isOpening says whether after this character a mark opens a quotation rather than closes one.
func isOpening(c rune) bool {
	return c == 0 || c == '\n' || isSpace(c) || strings.ContainsRune("([{/", c)
}

func isDash(c rune) bool { return c == '–' || c == '—' || c == '-' }

// double mends a straight double mark of n bytes at i.
func (m *mender) double(i, n int) int {
	before, after := m.last(), m.next(i+n)
	m.note(finding.StraightQuotes, i)
	open := false
	switch {
	case before == m.lang.quotes.openSingle && before != '’' && m.singles > 0:
		open = true
	case isDash(before):
		open = m.doubles == 0 && !isOpening(after)
	case isOpening(before) && !isOpening(after):
		open = m.doubles == 0 || !strings.ContainsRune(",;:.!?)", after)
	case isOpening(before) && isOpening(after):
		open = m.doubles == 0
	case unicode.IsDigit(before) && m.doubles == 0 && n == 1:
		m.rune('″')
		return i + n
	case before == m.lang.quotes.open && m.doubles > 0 && unicode.IsLetter(after):
		open = true
	}
	if open {
		m.doubles++
		m.rune(m.lang.quotes.open)
	} else {
		m.doubles = max(0, m.doubles-1)
		m.rune(m.lang.quotes.close)
	}
	return i + n
}

// single mends a straight single mark, backtick or acute accent of n bytes at i.
func (m *mender) single(i, n int) int {
	before, after := m.last(), m.next(i+n)
	m.note(finding.StraightQuotes, i)
	word := unicode.IsLetter(before) || unicode.IsDigit(before)
	switch {
	case unicode.IsDigit(before) && unicode.IsDigit(after):
		m.rune('′')
	case word && unicode.IsLetter(after):
		m.rune('’')
	case (isOpening(before) || isDash(before) || before == m.lang.quotes.open) && (unicode.IsLetter(after) || unicode.IsDigit(after) ||
		strings.ContainsRune("\"“„….—–¿¡", after)):
		if m.s[i] != '`' && (elided(m.s[i+n:]) || !m.closedLater(i+n)) {
			m.rune('’')
			break
		}
		m.singles++
		m.rune(m.lang.quotes.openSingle)
	case m.singles > 0:
		m.singles--
		m.rune(m.lang.quotes.closeSingle)
	case unicode.IsDigit(before):
		m.rune('′')
	default:
		m.rune('’')
	}
	return i + n
}

// foreign turns an English double mark in German text into one of the book's.
func (m *mender) foreign(i, n int) int {
	before, after := m.last(), m.next(i+n)
	m.note(finding.StraightQuotes, i)
	if isOpening(before) && !isOpening(after) && after != 0 {
		m.doubles++
		m.rune(m.lang.quotes.open)
	} else {
		m.doubles = max(0, m.doubles-1)
		m.rune(m.lang.quotes.close)
	}
	return i + n
}

// track follows the marks the author has set well.
func (m *mender) track(c rune) {
	q := m.lang.quotes
	switch {
	case c == '„' || c == q.open || c == '“' && !m.lang.german:
		m.doubles++
	case c == q.close || c == '”':
		m.doubles = max(0, m.doubles-1)
	case c == q.openSingle || c == '‚':
		m.singles++
	}
}

// closedLater says whether a single mark after i may close a quotation.
func (m *mender) closedLater(i int) bool {
	s := m.s
	for j := i; j < len(s); j++ {
		if s[j] != '\'' && !strings.HasPrefix(s[j:], "’") && !strings.HasPrefix(s[j:], "´") {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[i:j])
		c, n := utf8.DecodeRuneInString(s[j:])
		after := m.next(j + n)
		if c != 0 && !isOpening(before) && !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			return true
		}
	}
	return false
}

// elisions are words that begin with an apostrophe, in lower case.
var elisions = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(`tis twas twere twill twould em til till cause cos cuz bout round n nuff ere tween neath gainst cept
		s ne nen nem ner nes n rein raus rum ran rauf runter rüber rauf nauf nunter`) {
		all[w] = true
	}
	return all
}()

// elided says whether the text begins with a word that has lost its beginning, or with a decade.
func elided(s string) bool {
	if len(s) > 1 && s[0] >= '0' && s[0] <= '9' && s[1] >= '0' && s[1] <= '9' {
		rest := s[2:]
		return rest == "" || rest[0] == 's' || rest[0] < '0'
	}
	end := strings.IndexFunc(s, func(c rune) bool { return !unicode.IsLetter(c) })
	if end < 0 {
		end = len(s)
	}
	if end < len(s) && s[end] == '\'' && s[:end] != "n" { // 'no' is a quotation, not a word without its beginning
		return false
	}
	return end <= 8 && elisions[strings.ToLower(s[:end])]
}
