// Package table reads delimited text files of registers: columns by header name, row after row, in
// constant memory. It owns the reading and the bookkeeping of bad rows; what a column means is its
// callers' business (addresses, registers). A bad row is reported with file, line, column and value,
// counted, and skipped; only a missing column or a failing disk ends the reading.
//
// Accepted: a byte-order mark, LF or CR LF, cells bare or in double quotes ("" inside quotes is one).
// A cell never holds a line break, so a lost quote costs one row and not the rest of the file.
package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of a file.
const (
	maxLine    = 64 << 10 // bytes of a row
	maxColumns = 512
	maxKept    = 100 // problems kept in full; the others are counted
)

// Problem is one bad cell or row.
type Problem struct {
	File     string
	Line     int    // from 1, the header included; 0 where the form has no lines
	Column   string // "" for the row as a whole
	Value    string // cut to 80 bytes
	Expected string
}

func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, " line %d", p.Line)
	}
	if p.Column != "" {
		b.WriteString(": " + p.Column)
	} else {
		b.WriteString(": row")
	}
	fmt.Fprintf(&b, " %q: expected %s", p.Value, p.Expected)
	return b.String()
}

// Problems gathers the bad rows of a reading: the first maxKept in full, all in Total.
type Problems struct {
	Total int
	First []Problem
}

// Add records one.
func (p *Problems) Add(q Problem) {
	p.Total++
	if len(p.First) < maxKept {
		if len(q.Value) > 80 {
			q.Value = q.Value[:80] + "…"
		}
		p.First = append(p.First, q)
	}
}

// Options say how a file is written and what is wanted from it.
type Options struct {
	File     string // name for messages
	Comma    byte   // ',' or ';'
	Columns  []string
	Optional []string // columns that may be missing; their cells are then empty
	// Other has of columns the name that another form of the file has for them; one that ends in * stands for all that have
	// digits there, of which the last by name is taken: the newest year of population_*.
	Other    map[string]string
	Problems *Problems
}

// Table is a file being read. Column i of Field is Columns[i], then Optional.
type Table struct {
	o       Options
	in      *bufio.Reader
	names   []string
	at      []int // column of the file, -1 missing
	width   int
	line    int
	cells   [][]byte
	scratch []byte
	err     error
	rows    int
}

// New reads the header. A missing column is an error that lists the columns there are.
func New(r io.Reader, o Options) (*Table, error) {
	t := &Table{o: o, in: bufio.NewReaderSize(r, maxLine)}
	line, err := t.readLine()
	if err != nil {
		if err == io.EOF {
			err = errors.New("the file is empty")
		}
		return nil, fmt.Errorf("%s: no header: %w", o.File, err)
	}
	header := map[string]int{}
	var there []string
	bad := t.split(bytes.TrimPrefix(line, []byte("\ufeff")))
	if bad != "" {
		return nil, fmt.Errorf("%s: header: expected %s", o.File, bad)
	}
	for i, c := range t.cells {
		name := strings.ToUpper(strings.TrimSpace(string(c)))
		if _, twice := header[name]; !twice {
			header[name] = i
		}
		there = append(there, string(c))
	}
	t.width = len(t.cells)
	t.names = append(append([]string{}, o.Columns...), o.Optional...)
	for i, c := range t.names {
		k, ok := header[strings.ToUpper(c)]
		if !ok && o.Other[c] != "" {
			k, ok = other(header, strings.ToUpper(o.Other[c]))
		}
		if !ok && i < len(o.Columns) {
			list := strings.Join(there, ", ")
			if len(list) > 400 {
				list = list[:400] + "…"
			}
			return nil, fmt.Errorf("%s: column %s is missing; the file has %s", o.File, c, list)
		}
		if !ok {
			k = -1
		}
		t.at = append(t.at, k)
	}
	return t, nil
}

// other finds a column by another name.
func other(header map[string]int, name string) (at int, ok bool) {
	start, many := strings.CutSuffix(name, "*")
	if !many {
		at, ok = header[name]
		return at, ok
	}
	last := ""
	for n, i := range header {
		year, begins := strings.CutPrefix(n, start)
		if begins && year != "" && strings.Trim(year, "0123456789") == "" && n > last {
			last, at, ok = n, i, true
		}
	}
	return at, ok
}

var errLong = errors.New("line too long")

// readLine gives the next line without its end, valid until the next call.
func (t *Table) readLine() ([]byte, error) {
	line, err := t.in.ReadSlice('\n')
	t.line++
	if err == bufio.ErrBufferFull {
		for err == bufio.ErrBufferFull {
			_, err = t.in.ReadSlice('\n')
		}
		if err == nil || err == io.EOF {
			return nil, errLong
		}
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, err
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// Next moves to the next good row. After false, Err tells the end of the file (nil) from a failure.
func (t *Table) Next() bool {
	for t.err == nil {
		line, err := t.readLine()
		switch {
		case err == errLong:
			t.row("", fmt.Sprintf("at most %d bytes in a row", maxLine))
			continue
		case err == io.EOF:
			return false
		case err != nil:
			t.err = t.failed(t.line, err)
			return false
		}
		if len(line) == 0 {
			continue
		}
		if bad := t.split(line); bad != "" {
			t.row(string(line), bad)
			continue
		}
		if len(t.cells) != t.width {
			t.row(string(line), fmt.Sprintf("%d cells as in the header, not %d", t.width, len(t.cells)))
			continue
		}
		t.rows++
		return true
	}
	return false
}

// failed is the failure of the disk at a line.
func (t *Table) failed(line int, err error) error {
	return fmt.Errorf("%s line %d: %w", t.o.File, line, err)
}

// split cuts the line into t.cells and says what was expected where it cannot.
func (t *Table) split(line []byte) string {
	t.cells = t.cells[:0]
	t.scratch = t.scratch[:0]
	for {
		if len(t.cells) == maxColumns {
			return fmt.Sprintf("at most %d cells", maxColumns)
		}
		if len(line) > 0 && line[0] == '"' {
			rest, cell, ok := t.quoted(line[1:])
			if !ok {
				return "a closing quote and a separator after it"
			}
			t.cells = append(t.cells, cell)
			if len(rest) == 0 {
				return ""
			}
			line = rest[1:]
			continue
		}
		i := bytes.IndexByte(line, t.o.Comma)
		if i < 0 {
			t.cells = append(t.cells, line)
			return ""
		}
		t.cells = append(t.cells, line[:i])
		line = line[i+1:]
	}
}

// quoted reads a cell behind its opening quote; rest starts at the separator.
func (t *Table) quoted(line []byte) (rest, cell []byte, ok bool) {
	start := len(t.scratch)
	plain := true
	for i := 0; i < len(line); i++ {
		if line[i] != '"' {
			if !plain {
				t.scratch = append(t.scratch, line[i])
			}
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			if plain {
				t.scratch = append(t.scratch, line[:i]...)
				plain = false
			}
			t.scratch = append(t.scratch, '"')
			i++
			continue
		}
		rest = line[i+1:]
		if len(rest) > 0 && rest[0] != t.o.Comma {
			return nil, nil, false
		}
		if plain {
			return rest, line[:i], true
		}
		// A cell cut out earlier keeps its bytes when the scratch buffer grows into a new one.
		return rest, t.scratch[start:len(t.scratch):len(t.scratch)], true
	}
	return nil, nil, false
}

// Err is the failure that ended the reading, if any.
func (t *Table) Err() error { return t.err }

// Rows counts the good rows so far.
func (t *Table) Rows() int { return t.rows }

// Line is the number of the current row's line.
func (t *Table) Line() int { return t.line }

// Field is the cell of column i without surrounding blanks, valid until Next; empty for a missing
// optional column.
func (t *Table) Field(i int) []byte {
	k := t.at[i]
	if k < 0 {
		return nil
	}
	return bytes.TrimSpace(t.cells[k])
}

// Text is Field as a string of its own.
func (t *Table) Text(i int) string { return string(t.Field(i)) }

// Bad reports the cell of column i.
func (t *Table) Bad(i int, expected string) {
	t.o.Problems.Add(Problem{t.o.File, t.line, t.names[i], t.Text(i), expected})
}

func (t *Table) row(value, expected string) {
	t.o.Problems.Add(Problem{t.o.File, t.line, "", value, expected})
}

// Uint reads a whole number of at most max; false for anything else (not reported).
func Uint(b []byte, max uint64) (uint64, bool) {
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	v := uint64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	return v, v <= max
}

// Decimal reads a decimal number with point or comma; false for anything else (not reported). Exponents,
// NaN and infinity are refused.
func Decimal(b []byte) (float64, bool) {
	if len(b) == 0 || len(b) > 32 {
		return 0, false
	}
	var buf [32]byte
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9', c == '.', i == 0 && (c == '-' || c == '+'):
			buf[i] = c
		case c == ',':
			buf[i] = '.'
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(buf[:len(b)]), 64)
	return v, err == nil
}
