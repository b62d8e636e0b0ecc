// Package plain reads plain text as people write it: a blank line ends a paragraph, or a line does where
// the text has no blank lines. _words_ are italic, *words* too, lines that read "Chapter 3" are headings,
// indented short lines are verse. The notices of Project Gutenberg are left out.
package plain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// Read reads a text.
func Read(b []byte, l source.Limits) (manuscript.Book, []finding.Finding, error) {
	text, ok := Decode(b)
	if !ok {
		return manuscript.Book{}, nil, source.Refuse(source.Unknown, "The file is no text. Upload the manuscript as .docx or .txt.")
	}
	var book manuscript.Book
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	log := source.NewLog(l)
	text = gutenberg(text, &book.Meta, log)
	if strings.Count(text, "\n") > 20*l.Blocks {
		return manuscript.Book{}, nil, source.TooMany(l)
	}
	lines := strings.Split(text, "\n")
	var s source.Sections
	n, blank := 0, 0
	tally := source.NewTally(l)
	for _, p := range paragraphs(lines) {
		if len(p.lines) == 0 {
			blank++
			continue
		}
		n++
		if !tally.Add() {
			return manuscript.Book{}, nil, tally.Full()
		}
		place := manuscript.Place{Section: s.Title(), Part: "body", Paragraph: n}
		if title := heading(p, blank); title != "" {
			s.Begin(source.Head{Title: inlines(title), Place: place})
			blank = 0
			continue
		}
		blank = 0
		switch {
		case p.pageBreak:
			s.Add(&manuscript.PageBreak{Place: place})
		case p.verse:
			s.Add(verse(p.lines, place))
		default:
			s.Add(&manuscript.Paragraph{Inlines: inlines(strings.Join(p.lines, " ")), Align: p.align, Place: place})
		}
	}
	book.Sections = s.List()
	return book, log.Found, nil
}

// para is the lines of a paragraph; none for a blank line.
type para struct {
	lines     []string
	verse     bool
	pageBreak bool
	align     manuscript.Align
}

// paragraphs parts the lines of a text. Where nearly no line is followed by a blank one and lines are long,
// every line is a paragraph.
func paragraphs(lines []string) []para {
	single := linePerParagraph(lines)
	var out []para
	for i := 0; i < len(lines); {
		line := strings.TrimRight(lines[i], " \t")
		if strings.Contains(line, "\f") {
			out = append(out, para{pageBreak: true, lines: []string{""}})
			line = strings.TrimSpace(strings.ReplaceAll(line, "\f", " "))
			lines[i] = line
		}
		if strings.TrimSpace(line) == "" {
			out = append(out, para{})
			i++
			continue
		}
		if single {
			out = append(out, para{lines: []string{line}})
			i++
			continue
		}
		n := i
		for n < len(lines) && strings.TrimSpace(lines[n]) != "" && (n == i || !strings.Contains(lines[n], "\f")) {
			n++
		}
		out = append(out, block(lines[i:n])...)
		i = n
	}
	return out
}

func linePerParagraph(lines []string) bool {
	ends, text, long := 0, 0, 0
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		text++
		if len(l) > 100 {
			long++
		}
		if i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "" {
			ends++
		}
	}
	// Wrapped lines are shorter than 100 letters; paragraphs of a line are mostly longer or stand alone.
	return text > 0 && (long*4 > text || ends*10 < text && long > 0)
}

// block makes paragraphs of lines without a blank one between them: verse where they are indented and
// short, one paragraph else. Indented first lines begin paragraphs of their own.
func block(lines []string) []para {
	indented, longest := 0, 0
	for _, l := range lines {
		if indent(l) >= 2 {
			indented++
		}
		longest = max(longest, utf8.RuneCountInString(strings.TrimSpace(l)))
	}
	switch {
	case indented == len(lines) && len(lines) > 1 && longest <= 60 && indent(lines[0]) < 30:
		return []para{{lines: lines, verse: true}}
	case indented == len(lines) && indent(lines[0]) >= 12 && len(lines) == 1:
		return []para{{lines: trimmed(lines), align: manuscript.AlignCenter}}
	case indented == 0 || indented == len(lines) || indent(lines[0]) < 2:
		return []para{{lines: trimmed(lines)}}
	}
	var out []para
	for i, from := 1, 0; i <= len(lines); i++ {
		if i == len(lines) || indent(lines[i]) >= 2 {
			out = append(out, para{lines: trimmed(lines[from:i])})
			from = i
		}
	}
	return out
}

func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(l)
	}
	return out
}

func indent(l string) int {
	n := 0
	for _, c := range l {
		switch c {
		case ' ', '\u00a0':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

func verse(lines []string, place manuscript.Place) *manuscript.Verse {
	least := indent(lines[0])
	for _, l := range lines {
		least = min(least, indent(l))
	}
	var stanza []manuscript.VerseLine
	for _, l := range lines {
		stanza = append(stanza, manuscript.VerseLine{Inlines: inlines(strings.TrimSpace(l)), Indent: min((indent(l)-least)/2, 8)})
	}
	return &manuscript.Verse{Stanzas: [][]manuscript.VerseLine{stanza}, Place: place}
}

var (
	numbered = regexp.MustCompile(
		`(?i)^(chapter|kapitel|chapitre|part|teil|partie|book|buch|livre|canto|act|akt)\s+([0-9]{1,3}|[ivxlcdm]{1,8}|[\p{L}-]{2,14})(\s*[.:—–-]\s*.*|\.)?$`)
	ordinal = regexp.MustCompile(
		`(?i)^(erst|zweit|dritt|viert|fünft|sechst|siebt|siebent|acht|neunt|zehnt|elft|zwölft|[\p{L}]{4,20}t)e[rs]?\s+(kapitel|teil|buch)\.?$`)
	bare  = regexp.MustCompile(`^([IVXLC]{1,7}|[0-9]{1,3})\.?$`)
	named = regexp.MustCompile(
		`(?i)^(prologue?|epilogue?|prolog|epilog|preface|foreword|introduction|afterword|acknowledge?ments|dedication|appendix|glossary|bibliography|vorwort|einleitung|nachwort|danksagung|widmung|anhang|glossar|literaturverzeichnis|préface|introduction|avant-propos|postface|remerciements|annexe|bibliographie)\.?$`)
)

// heading is the title of a paragraph that reads like one: a line of its own such as "Chapter 3" or
// "Prologue", or a bare number after two blank lines. A second line is the rest of the title.
func heading(p para, blank int) string {
	if p.pageBreak || len(p.lines) == 0 || len(p.lines) > 2 {
		return ""
	}
	first := strings.TrimSpace(p.lines[0])
	if strings.HasPrefix(first, "# ") {
		return strings.TrimSpace(first[2:])
	}
	if utf8.RuneCountInString(first) > 80 {
		return ""
	}
	plain := strings.Trim(first, "_*= ")
	switch {
	case numbered.MatchString(plain) && startsUpper(plain), ordinal.MatchString(plain) && startsUpper(plain):
	case named.MatchString(plain) && startsUpper(plain) && len(p.lines) == 1:
	case bare.MatchString(plain) && blank >= 2:
	default:
		return ""
	}
	if len(p.lines) == 2 {
		second := strings.Trim(strings.TrimSpace(p.lines[1]), "_*= ")
		if utf8.RuneCountInString(second) > 70 {
			return ""
		}
		plain += " " + second
	}
	return plain
}

func startsUpper(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(c)
}

var (
	pgStart = regexp.MustCompile(`(?m)^\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK[^\n]*$`)
	pgEnd   = regexp.MustCompile(`(?m)^(?:\*\*\*\s*END OF (?:THE|THIS) PROJECT GUTENBERG EBOOK|End of (?:the )?Project Gutenberg)[^\n]*$`)
	pgField = regexp.MustCompile(`(?m)^(Title|Author|Language): *([^\n]+)$`)
)

// gutenberg leaves out what stands around the text of a Project Gutenberg file, and takes its title from there.
func gutenberg(text string, m *manuscript.Meta, log *source.Log) string {
	at := pgStart.FindStringIndex(text)
	if at == nil {
		return text
	}
	for _, f := range pgField.FindAllStringSubmatch(text[:at[0]], 20) {
		v := source.Line(source.Clean(f[2]))
		switch f[1] {
		case "Title":
			m.Title = v
		case "Author":
			m.Author = v
		case "Language":
			m.Language = map[string]string{"English": "en", "German": "de", "French": "fr"}[v]
		}
	}
	log.Drop(finding.LeftOut, manuscript.Place{Part: "body"}, text[:at[1]], "Project Gutenberg")
	text = text[at[1]:]
	if end := pgEnd.FindStringIndex(text); end != nil {
		log.Drop(finding.LeftOut, manuscript.Place{Part: "body"}, text[end[0]:], "Project Gutenberg")
		text = text[:end[0]]
	}
	return text
}

// inlines reads the marks of emphasis in a text: _italic_ and *italic*, **bold**.
func inlines(s string) []manuscript.Inline {
	s = source.Clean(s)
	if !strings.ContainsAny(s, "_*") {
		if s == "" {
			return nil
		}
		return []manuscript.Inline{manuscript.Text{S: s}}
	}
	var b source.Inlines
	for s != "" {
		at := strings.IndexAny(s, "_*")
		if at < 0 {
			break
		}
		mark := s[at : at+1]
		style := manuscript.Italic
		if strings.HasPrefix(s[at:], "**") {
			mark, style = "**", manuscript.Bold
		}
		inner, rest, ok := strings.Cut(s[at+len(mark):], mark)
		if !ok || inner == "" || len(inner) > 2000 || edge(s[:at], false) || edge(rest, true) || strings.TrimSpace(inner) != inner {
			b.Text(s[:at+len(mark)], 0, "")
			s = s[at+len(mark):]
			continue
		}
		b.Text(s[:at], 0, "")
		b.Text(inner, style, "")
		s = rest
	}
	b.Text(s, 0, "")
	return b.Take()
}

// edge says whether a mark touches a letter on its outer side, where it is no mark of emphasis.
func edge(s string, first bool) bool {
	c, _ := utf8.DecodeLastRuneInString(s)
	if first {
		c, _ = utf8.DecodeRuneInString(s)
	}
	return s != "" && (unicode.IsLetter(c) || unicode.IsDigit(c))
}
