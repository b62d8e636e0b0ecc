package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

const nbsp = '\u00a0'

// mender repairs the letters of one paragraph after the other.
type mender struct {
	lang  lang
	log   *log
	flow  flow
	place manuscript.Place

	s    string // what is read
	out  []byte
	ends []int
	k    int // the piece that is read

	doubles, singles int // quotations open
	count            [256]int
	first            [256]int
	touched          []finding.Type
}

// Classes of bytes: those that may need mending, alone or with what stands beside them.
var special = func() (t [256]bool) {
	for _, c := range "\"'`\t" {
		t[c] = true
	}
	for _, c := range " -.,<>" {
		t[c] = true
	}
	t[0xc2], t[0xe2], t[0xef], t[0xe3] = true, true, true, true
	return t
}()

// dirty says whether a text may need mending. It errs on the side of yes.
func (m *mender) dirty(s string) bool {
	if s == "" {
		return false
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' {
		return true
	}
	ascii := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !special[c] {
			ascii = ascii && c < utf8.RuneSelf
			continue
		}
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch c {
		case ' ':
			if next == ' ' || next == '-' && i+2 < len(s) && s[i+2] == ' ' || next == '\n' {
				return true
			}
		case '-', ',', '<', '>':
			if next == c {
				return true
			}
		case '.':
			if next == '.' || next == ' ' && i+2 < len(s) && s[i+2] == '.' {
				return true
			}
		case 0xc2:
			if next == 0xa0 || next == 0xad || next == 0xb4 {
				return true
			}
			ascii = false
		case 0xe2:
			ascii = false
			if next != 0x80 && next != 0x81 || i+2 >= len(s) {
				continue
			}
			last := s[i+2]
			switch {
			case next == 0x81: // invisible characters of U+2060 to U+206F
				return true
			case last <= 0x8f, last >= 0xa8 && last <= 0xaf: // spaces, marks
				return true
			case last == 0x9d && m.lang.german: // ” closes no German quotation
				return true
			case last == 0x9c && m.lang.german && (i == 0 || s[i-1] == ' '): // “ opens none
				return true
			}
		case 0xe3, 0xef:
			return true
		default:
			return true
		}
	}
	return !ascii && !norm.NFC.IsNormalString(s)
}

// inlines repairs inlines; what needs nothing is given back as it is.
func (m *mender) inlines(in []manuscript.Inline, place manuscript.Place) []manuscript.Inline {
	m.flow.read(in)
	if !m.dirty(m.flow.text) {
		return in
	}
	m.place = place
	out, ends := m.mend()
	m.report()
	if out == m.flow.text {
		return in
	}
	return write(in, out, ends)
}

func (m *mender) note(t finding.Type, at int) {
	if m.count[t] == 0 {
		m.first[t] = at
		m.touched = append(m.touched, t)
	}
	m.count[t]++
}

func (m *mender) report() {
	for _, t := range m.touched {
		f := finding.Finding{Type: t, Severity: t.Severity(), Place: m.place, Count: m.count[t]}
		if !m.log.full(t) {
			f.Excerpt = finding.Excerpt(Around(m.s, m.first[t]))
		}
		m.log.put(f)
		m.count[t] = 0
	}
	m.touched = m.touched[:0]
}

func (m *mender) mend() (string, []int) {
	m.s, m.out, m.ends, m.k = m.flow.text, m.out[:0], m.ends[:0], 0
	m.doubles, m.singles = 0, 0
	s := m.s
	for i := 0; i < len(s); {
		m.reach(i)
		p := m.flow.pieces[m.k]
		if p.keep {
			m.out = append(m.out, s[i:p.end]...)
			i = p.end
			continue
		}
		c := s[i]
		if !special[c] {
			j := i + 1
			for j < p.end && !special[s[j]] {
				j++
			}
			m.out = append(m.out, s[i:j]...)
			i = j
			continue
		}
		i = m.one(i)
	}
	m.reach(len(s))
	if !norm.NFC.IsNormal(m.out) {
		m.compose()
	}
	return string(m.out), m.ends
}

// reach notes where the pieces that end at or before i end in out.
func (m *mender) reach(i int) {
	for m.k < len(m.flow.pieces) && m.flow.pieces[m.k].end <= i {
		m.ends = append(m.ends, len(m.out))
		m.k++
	}
}

// compose brings out into NFC, piece by piece.
func (m *mender) compose() {
	var out []byte
	from := 0
	for k, end := range m.ends {
		out = append(out, norm.NFC.Bytes(m.out[from:end])...)
		from, m.ends[k] = end, len(out)
	}
	m.out = out
}

// last is the character written last; 0 at the start.
func (m *mender) last() rune {
	if len(m.out) == 0 {
		return 0
	}
	c, _ := utf8.DecodeLastRune(m.out)
	return c
}

// next is the first visible character or space at or after i; 0 at the end.
func (m *mender) next(i int) rune {
	for i < len(m.s) {
		c, n := utf8.DecodeRuneInString(m.s[i:])
		if c != '\u00ad' && !zeroWidth(c) {
			return c
		}
		i += n
	}
	return 0
}

func (m *mender) rune(c rune) { m.out = utf8.AppendRune(m.out, c) }

// trimSpace takes the spaces from the end of out.
func (m *mender) trimSpace() {
	for n := len(m.out); n > 0; n = len(m.out) {
		if m.out[n-1] == ' ' {
			m.out = m.out[:n-1]
		} else if n > 1 && m.out[n-1] == 0xa0 && m.out[n-2] == 0xc2 {
			m.out = m.out[:n-2]
		} else {
			break
		}
	}
	for k := len(m.ends) - 1; k >= 0 && m.ends[k] > len(m.out); k-- {
		m.ends[k] = len(m.out)
	}
}

// one mends what begins at i and says where it ends.
func (m *mender) one(i int) int {
	s := m.s
	c, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case isSpace(c):
		return m.spaces(i)
	case c == '-':
		return m.hyphens(i)
	case c == '.':
		return m.dots(i)
	case c == '\u00ad':
		m.note(finding.SoftHyphen, i)
		return i + n
	case zeroWidth(c):
		if joins(c, m.last(), m.next(i+n)) {
			break
		}
		m.note(finding.ZeroWidth, i)
		return i + n
	case c == ',' && strings.HasPrefix(s[i:], ",,") && !strings.HasPrefix(s[i:], ",,,") && m.lang.german && isOpening(m.last()):
		return m.double(i, 2)
	case c == ',':
	case strings.HasPrefix(s[i:], "<<") || strings.HasPrefix(s[i:], ">>"):
		return m.double(i, 2)
	case c == '<' || c == '>':
	case c == '\'' && strings.HasPrefix(s[i:], "''"), c == '`' && strings.HasPrefix(s[i:], "``"):
		return m.double(i, 2)
	case c == '"':
		return m.double(i, 1)
	case c == '\'', c == '`', c == '´':
		return m.single(i, n)
	case m.lang.german && c == '”':
		return m.foreign(i, n)
	case m.lang.german && c == '“' && isOpening(m.last()) && !isOpening(m.next(i+n)) && m.next(i+n) != 0:
		return m.foreign(i, n)
	default:
		m.track(c)
	}
	m.out = append(m.out, s[i:i+n]...)
	return i + n
}

func isSpace(c rune) bool {
	return c == ' ' || c == '\t' || c == nbsp || c >= 0x2000 && c <= 0x200a || c == 0x202f || c == 0x205f || c == 0x3000
}

func zeroWidth(c rune) bool {
	return c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2060 && c <= 0x2064 || c >= 0x2066 && c <= 0x206f ||
		c == 0xfeff
}

// joins says whether an invisible character is needed by the script it stands in.
func joins(c, before, after rune) bool {
	return (c == 0x200c || c == 0x200d) && (before >= 0x0590 && unicode.IsLetter(before) || after >= 0x0590 && unicode.IsLetter(after) ||
		before >= 0x2600 || after >= 0x2600)
}

// dots mends full stops in a row.
func (m *mender) dots(i int) int {
	s, j, n := m.s, i, 0
	spaced := false
	for j < len(s) && s[j] == '.' {
		n++
		j++
		if n == 1 && strings.HasPrefix(s[j:], " . .") {
			spaced = true
		}
		if spaced && strings.HasPrefix(s[j:], " .") {
			j++
		}
	}
	leader := n > 3 && (spaced || unicode.IsDigit(m.next(skipSpaces(s, j)))) // to the number of a table or a list
	switch {
	case leader:
		m.out = append(m.out, s[i:j]...)
	case n == 3 || n == 5:
		m.note(finding.ThreeDots, i)
		m.rune('…')
	case n == 4:
		m.note(finding.ThreeDots, i)
		m.out = append(m.out, "…."...)
	default:
		m.out = append(m.out, s[i:j]...)
	}
	return j
}

// hyphens mends hyphens that stand for a dash.
func (m *mender) hyphens(i int) int {
	s, j := m.s, i
	for j < len(s) && s[j] == '-' {
		j++
	}
	n := j - i
	before, after := m.last(), m.next(j)
	if n == 1 {
		if before != ' ' || after != ' ' || len(m.out) < 2 || strings.TrimSpace(s[j:]) == "" {
			m.out = append(m.out, '-')
			return j
		}
	}
	m.note(finding.DoubleHyphen, i)
	if n > 3 {
		m.out = append(m.out, "——"...)
		return j
	}
	inner := strings.TrimRight(string(m.out[max(0, len(m.out)-8):]), " \u00a0")
	left, _ := utf8.DecodeLastRuneInString(inner)
	right := m.next(j)
	for k := j; k < len(s) && s[k] == ' '; k++ {
		right = m.next(k + 1)
	}
	switch {
	case unicode.IsDigit(left) && unicode.IsDigit(right):
		m.trimSpace()
		m.rune('–')
		return skipSpaces(s, j)
	case !m.lang.spacedDash || n == 3 && !m.lang.german:
		m.trimSpace()
		m.rune('—')
		return skipSpaces(s, j)
	}
	m.trimSpace()
	if before = m.last(); before != 0 && before != '\n' && !opens(before) {
		m.rune(nbsp)
	}
	m.rune('–')
	j = skipSpaces(s, j)
	if after = m.next(j); after != 0 && after != '\n' && !closes(after) {
		m.out = append(m.out, ' ')
	}
	return j
}

func skipSpaces(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// opens says whether a character stands before a word without a space; closes, behind one.
func opens(c rune) bool { return strings.ContainsRune("([{“„‚‘»«›‹", c) }

func closes(c rune) bool { return strings.ContainsRune(")]},.;:!?…”’“«»‹›\"'", c) }
