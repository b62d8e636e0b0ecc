// Package catalogue is the sentences of a language by their English, read from a file as gettext's programs write it (PO), which
// translators' programs edit. It reads what such a file of ours holds and refuses the rest: a context, a plural, an entry that
// is marked fuzzy. It knows no sentence and no service; shared/web/endpoint describes services with it.
//
//	# a comment
//	msgid "Western edge."
//	msgstr "Westlicher Rand."
//
//	msgid ""
//	"The first line.\n"
//	"The second."
//	msgstr ""
//
// Texts stand between quotes, go on in the lines behind and have the escapes \n, \t, \" and \\. The entry without an English
// sentence comes first and says that the file is UTF-8. An empty msgstr is a sentence that nobody has translated yet.
package catalogue

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a file.
const (
	MaxBytes    = 4 << 20
	MaxEntries  = 20_000
	MaxSentence = 16 << 10 // bytes of a sentence, in either language
)

// Entry is a sentence in English and in the language of the file.
type Entry struct{ English, Text string }

// Catalogue finds the sentences of some files.
type Catalogue struct{ of map[string]string }

// Read puts files together: a sentence stands in one of them, once.
func Read(files ...string) (*Catalogue, error) {
	c := &Catalogue{of: map[string]string{}}
	for _, file := range files {
		list, err := Entries(file)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if _, twice := c.of[e.English]; twice {
				return nil, fmt.Errorf("the sentence %q stands in two files: expected it in one", shortened(e.English))
			}
			c.of[e.English] = e.Text
		}
	}
	return c, nil
}

// Of is a sentence in the language; false where it is not translated.
func (c *Catalogue) Of(english string) (string, bool) {
	text := c.of[english]
	return text, text != ""
}

// Entries are those of a file in its order, without the one about the file.
func Entries(file string) ([]Entry, error) {
	if len(file) > MaxBytes {
		return nil, fmt.Errorf("the file has %d bytes: expected at most %d", len(file), MaxBytes)
	}
	if !utf8.ValidString(file) {
		return nil, fmt.Errorf("the file is not UTF-8")
	}
	r := reader{seen: map[string]bool{}}
	for line := range strings.Lines(file) {
		r.line++
		if err := r.take(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	if err := r.end(); err != nil {
		return nil, fmt.Errorf("line %d: %w", r.line, err)
	}
	if !r.headed {
		return nil, fmt.Errorf("the file begins without an entry about itself: expected msgid \"\" and Content-Type: text/plain; charset=UTF-8")
	}
	return r.entries, nil
}

// part is what of an entry was read last.
type part uint8

const (
	nothing part = iota
	english
	translated
)

// reader reads a file line by line.
type reader struct {
	line    int
	at      part
	entry   [2]strings.Builder
	entries []Entry
	seen    map[string]bool
	headed  bool // the entry about the file has been read
}

// take reads a line.
func (r *reader) take(line string) error {
	keyword, text, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		return r.end()
	case strings.HasPrefix(line, "#,") && strings.Contains(line, "fuzzy"):
		return fmt.Errorf("the entry is marked fuzzy: expected a sentence that was looked at, without the mark")
	case line[0] == '#':
		return nil
	case keyword == "msgid":
		if err := r.end(); err != nil {
			return err
		}
		r.at = english
	case keyword == "msgstr" && r.at == english:
		r.at = translated
	case line[0] == '"' && r.at != nothing:
		text = line
	default:
		return fmt.Errorf("%q: expected msgid, then msgstr, each with a text between quotes, or a comment", shortened(line))
	}
	return r.add(text)
}

// add puts a text between quotes behind what there is.
func (r *reader) add(quoted string) error {
	text, err := unquote(quoted)
	if err != nil {
		return err
	}
	to := &r.entry[r.at-english]
	if to.Len()+len(text) > MaxSentence {
		return fmt.Errorf("a sentence has more than %d bytes", MaxSentence)
	}
	to.WriteString(text)
	return nil
}

// end takes the entry that was read last.
func (r *reader) end() error {
	if r.at == nothing {
		return nil
	}
	if r.at == english {
		return fmt.Errorf("msgid %q has no msgstr", shortened(r.entry[0].String()))
	}
	e := Entry{r.entry[0].String(), r.entry[1].String()}
	r.at = nothing
	r.entry[0].Reset()
	r.entry[1].Reset()
	switch {
	case r.seen[e.English]:
		return fmt.Errorf("msgid %q stands here for the second time", shortened(e.English))
	case !r.headed && (e.English != "" || !strings.Contains(e.Text, "charset=UTF-8")):
		return fmt.Errorf("the first entry is that of the file: expected msgid \"\" and Content-Type: text/plain; charset=UTF-8")
	case len(r.entries) == MaxEntries:
		return fmt.Errorf("the file has more than %d entries", MaxEntries)
	}
	r.seen[e.English] = true
	if r.headed {
		r.entries = append(r.entries, e)
	}
	r.headed = true
	return nil
}

// escapes are what stands behind a backslash, and what that is.
var escapes = map[byte]byte{'n': '\n', 't': '\t', '"': '"', '\\': '\\'}

// unquote is the text between quotes.
func unquote(quoted string) (string, error) {
	wrong := fmt.Errorf("%q: expected a text between quotes with the escapes \\n, \\t, \\\" and \\\\", shortened(quoted))
	inner, ok := strings.CutPrefix(quoted, `"`)
	if !ok {
		return "", wrong
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c == '"' && i == len(inner)-1:
			return b.String(), nil
		case c == '\\' && i+1 < len(inner) && escapes[inner[i+1]] != 0:
			i++
			b.WriteByte(escapes[inner[i]])
		case c == '"' || c == '\\' || c < ' ':
			return "", wrong
		default:
			b.WriteByte(c)
		}
	}
	return "", wrong
}

// shortened is the beginning of a text, for an error.
func shortened(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
