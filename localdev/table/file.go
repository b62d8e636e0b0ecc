package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"mappe/shared/web/csvin"
	"mappe/shared/web/xlsx"
)

// The bounds of a table.
const (
	MaxRows  = 10_000
	MaxBytes = 64 << 20 // of its file
)

// File is a table as it was read: rows of the same cells.
type File struct {
	Head      []string
	Rows      [][]xlsx.Cell
	separator rune // of a CSV
}

// errRows says that a table is too long.
func errRows() error {
	return fmt.Errorf("the table has more than %d rows: cut it into parts", MaxRows)
}

// IsBook says whether a file's name is that of a workbook, and refuses names of neither form.
func IsBook(name string) (bool, error) {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".xlsx":
		return true, nil
	case ".csv", ".tsv", ".txt":
		return false, nil
	default:
		return false, fmt.Errorf("%s: expected a table that ends in .csv or .xlsx; "+
			"a table of another form (.xls, .ods) is saved as one of them first", filepath.Base(name))
	}
}

// Read reads a table with a header line: a workbook, or CSV with commas, semicolons or tabs in UTF-8, UTF-16 or Latin-1.
func Read(body []byte, book bool) (*File, error) {
	f := &File{separator: ','}
	var err error
	if book {
		err = f.readBook(body)
	} else {
		err = f.readCSV(body)
	}
	if err != nil {
		return nil, err
	}
	for n := len(f.Rows); n > 0 && blank(f.Rows[n-1]); n-- {
		f.Rows = f.Rows[:n-1]
	}
	if len(f.Rows) == 0 {
		return nil, errors.New("the table has no rows below its header")
	}
	for i, r := range f.Rows {
		if len(r) > len(f.Head) {
			return nil, fmt.Errorf("row %d has %d cells, the header %d: the first line must name every column", i+2, len(r), len(f.Head))
		}
	}
	return f, nil
}

func blank(row []xlsx.Cell) bool {
	for _, c := range row {
		if c.Text != "" {
			return false
		}
	}
	return true
}

func (f *File) readBook(body []byte) error {
	rows, err := xlsx.Read(body, MaxRows+1)
	if errors.Is(err, xlsx.ErrTooLarge) && strings.Contains(err.Error(), "rows") {
		return errRows()
	}
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return errors.New("the first sheet is empty")
	}
	for _, c := range rows[0] {
		f.Head = append(f.Head, strings.TrimSpace(c.Text))
	}
	f.Rows = rows[1:]
	return nil
}

func (f *File) readCSV(body []byte) error {
	t, err := csvin.Read(body)
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	if err != nil {
		return fmt.Errorf("the header cannot be read: %w", err)
	}
	t.Ragged()
	f.Head, f.separator = t.Names(), t.Separator()
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the table cannot be read: %w", err)
		}
		if len(f.Rows) == MaxRows {
			return errRows()
		}
		cells := make([]xlsx.Cell, len(row))
		for i, text := range row {
			cells[i] = xlsx.Cell{Text: text}
		}
		for n := len(cells); n > len(f.Head) && cells[n-1].Text == ""; n-- { // separators at the ends of lines
			cells = cells[:n-1]
		}
		f.Rows = append(f.Rows, cells)
	}
}

// ParseSeparator reads what parts the cells of a CSV that is written; 0: what parts those of the table that is read.
func ParseSeparator(name string) (rune, error) {
	switch name {
	case "":
		return 0, nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "tab":
		return '\t', nil
	}
	return 0, fmt.Errorf("%q: expected comma, semicolon or tab", name)
}

// comma says whether numbers are written with a decimal comma: beside semicolons, as spreadsheets of this country do.
func (f *File) comma() bool { return f.separator == ';' }

// write writes rows of all columns in the form of the output.
func (f *File) write(w io.Writer, book bool, rows [][]xlsx.Cell) error {
	if book {
		return xlsx.Write(w, "Mappe", rows)
	}
	if _, err := io.WriteString(w, "\ufeff"); err != nil { // spreadsheets take UTF-8 for Latin-1 without it
		return err
	}
	out := csv.NewWriter(w)
	out.Comma, out.UseCRLF = f.separator, true
	for _, row := range rows {
		line := make([]string, len(row))
		for i, c := range row {
			if line[i] = guarded(c.Text); c.Number && f.comma() {
				line[i] = strings.Replace(c.Text, ".", ",", 1)
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

var numeric = regexp.MustCompile(`^[+-]?[0-9]+([.,][0-9]+)?$`)

// guarded is a text that no spreadsheet takes for a formula.
func guarded(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) && !numeric.MatchString(s) {
		return "'" + s
	}
	return s
}
