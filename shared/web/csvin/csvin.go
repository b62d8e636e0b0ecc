// Package csvin reads tables that people send: CSV with a header line, as spreadsheets write it. Cells are parted as
// the header parts them, by semicolons, tabs or commas, or as a line sep=; before it says; beside all but commas a number may have a
// decimal comma. It owns the form; which columns there must be, and what their cells mean, its callers say.
package csvin

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"mappe/shared/web/fault"
)

// Table is a table whose header was read.
type Table struct {
	r       *csv.Reader
	header  []string
	decimal bool // a comma in a number is a point
}

// Row is a line of a table. It holds until the next one is read.
type Row []string

// Is says whether a body is no JSON: a table begins with the names of its columns.
func Is(body []byte) bool {
	b := trim(body)
	return len(b) > 0 && b[0] != '{' && b[0] != '['
}

// trim leaves out the mark of the byte order and blank lines before the header.
func trim(body []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n\ufeff")
}

// Read reads the header. Lines must have as many cells as it, unless Ragged is called.
func Read(body []byte) (*Table, error) {
	body, err := utf8Text(body)
	if err != nil {
		return nil, err
	}
	body = trim(body)
	named, body := separatorLine(body)
	t := &Table{r: csv.NewReader(bytes.NewReader(body))}
	if t.r.Comma = named; named == 0 {
		t.r.Comma = separator(body)
	}
	t.r.TrimLeadingSpace = t.r.Comma != '\t' // an empty cell before a tab is no blank
	t.decimal = t.r.Comma != ','
	if t.header, err = t.r.Read(); err != nil {
		return nil, err
	}
	t.r.ReuseRecord = true
	return t, nil
}

// utf8Text is a body in UTF-8, as it is or from UTF-16 with a byte-order mark. What is neither was written by a spreadsheet
// of this country in Windows-1252, which holds Latin-1.
func utf8Text(body []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(body, []byte{0xff, 0xfe}), bytes.HasPrefix(body, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(body)
	case utf8.Valid(body):
		return body, nil
	}
	return charmap.Windows1252.NewDecoder().Bytes(body)
}

// separatorLine reads the line before the header by which spreadsheets are told what parts the cells: sep=; with or without
// quotes. Without one it is 0.
func separatorLine(body []byte) (named rune, rest []byte) {
	line, rest, more := bytes.Cut(body, []byte("\n"))
	text := strings.Trim(strings.TrimRight(string(line), "\r"), `"`)
	if !more || len(text) != len("sep=;") || !strings.EqualFold(text[:4], "sep=") || !strings.ContainsRune(";,\t|", rune(text[4])) {
		return 0, body
	}
	return rune(text[4]), trim(rest)
}

// separator is what parts the cells of the header that a body begins with: a semicolon or a tab outside quotes, else a comma.
func separator(body []byte) rune {
	quoted, found := false, map[byte]bool{}
header:
	for _, c := range body {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			break header
		case c == ';', c == '\t':
			found[c] = true
		}
	}
	for _, c := range []byte{';', '\t'} {
		if found[c] {
			return rune(c)
		}
	}
	return ','
}

// Ragged takes lines of more or fewer cells than the header's too.
func (t *Table) Ragged() { t.r.FieldsPerRecord = -1 }

// Header is the header as it was sent.
func (t *Table) Header() string { return strings.Join(t.header, string(t.r.Comma)) }

// Names are the names of the columns, trimmed, in their order.
func (t *Table) Names() []string {
	names := make([]string, len(t.header))
	for i, h := range t.header {
		names[i] = strings.TrimSpace(h)
	}
	return names
}

// Separator is what parts the cells: a comma, a semicolon or a tab, or a bar that a line sep=| names.
func (t *Table) Separator() rune { return t.r.Comma }

// Column is the place of the first of these names that the header has, in any case; -1 where it has none.
func (t *Table) Column(names ...string) int {
	for _, n := range names {
		if i := slices.IndexFunc(t.header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), n) }); i >= 0 {
			return i
		}
	}
	return -1
}

// Next reads a line; io.EOF is behind the last one.
func (t *Table) Next() (Row, error) { return t.r.Read() }

// Cell is the trimmed text at a place, "" where the line has none.
func (r Row) Cell(column int) string {
	if column < 0 || column >= len(r) {
		return ""
	}
	return strings.TrimSpace(r[column])
}

// Number reads the text of a cell.
func (t *Table) Number(text string) (float64, error) {
	if t.decimal {
		text = strings.Replace(text, ",", ".", 1)
	}
	return strconv.ParseFloat(text, 64)
}

// Fault is what a client is told of a table that cannot be read.
func Fault(err error) *fault.Fault {
	return fault.New(fault.BadBody, "the body is neither JSON nor CSV with a header line: %s", strings.TrimPrefix(err.Error(), "csv: "))
}
