// Package xlsx reads the first sheet of Office Open XML workbooks (ECMA-376), as spreadsheets save them, and writes sheets: the
// texts, numbers and truth values of its cells. It knows no formulas (their kept results are read), no styles but those that
// make a number a date. Reading is bounded in bytes, rows and columns before anything is kept.
// Programs that take or give tables call it; what the columns mean is theirs.
package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
	"time"
)

// Cell is a cell: a text, or a number as it is written in the file.
type Cell struct {
	Text   string
	Number bool // Text is a number with a decimal point
}

// The bounds of a workbook.
const (
	MaxUnpacked = 64 << 20 // bytes of all parts that are read, and of all texts of the cells
	MaxColumns  = 1024
	MaxText     = 32_767 // characters of a cell, which is the format's own bound; bytes here
	maxParts    = 10_000
)

// ErrTooLarge says that a workbook is beyond a bound.
var ErrTooLarge = errors.New("the workbook is too large")

// book is a workbook that is being read.
type book struct {
	parts  map[string]*zip.File
	left   int64 // bytes that may still be unpacked
	shared []string
	dates  []bool // styles that show a date
	base   time.Time
}

// Read reads the rows of the first sheet, the header among them: at most so many, each as long as its last filled cell.
// Empty rows between others are kept as rows without cells, those at the end are not.
func Read(body []byte, maxRows int) ([][]Cell, error) { return read(body, maxRows, MaxUnpacked) }

// read reads within so many bytes.
func read(body []byte, maxRows int, bytesLeft int64) ([][]Cell, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, fmt.Errorf("the file is no workbook (.xlsx): %w", err)
	}
	if len(z.File) > maxParts {
		return nil, fmt.Errorf("%w: more than %d parts", ErrTooLarge, maxParts)
	}
	b := &book{parts: map[string]*zip.File{}, left: bytesLeft, base: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	for _, f := range z.File {
		b.parts[strings.ToLower(strings.TrimPrefix(f.Name, "/"))] = f
	}
	sheet, err := b.firstSheet()
	if err != nil {
		return nil, err
	}
	if err := b.readShared(); err != nil {
		return nil, err
	}
	if err := b.readStyles(); err != nil {
		return nil, err
	}
	return b.rows(sheet, maxRows)
}

// bounded is a part that is unpacked within what is left.
type bounded struct {
	io.ReadCloser
	b *book
}

func (r bounded) Read(p []byte) (int, error) {
	if r.b.left <= 0 {
		return 0, fmt.Errorf("%w: its parts are larger than it is read (%d MB)", ErrTooLarge, MaxUnpacked>>20)
	}
	if int64(len(p)) > r.b.left {
		p = p[:r.b.left]
	}
	n, err := r.ReadCloser.Read(p)
	r.b.left -= int64(n)
	return n, err
}

// open opens a part; nil where the workbook has none of the name.
func (b *book) open(name string) (io.ReadCloser, error) {
	f := b.parts[strings.ToLower(name)]
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return bounded{r, b}, nil
}

// decode reads a small part into a value; found is false if the workbook does not have it.
func (b *book) decode(name string, v any) (found bool, err error) {
	r, err := b.open(name)
	if r == nil || err != nil {
		return false, err
	}
	defer r.Close() // read only
	if err := xml.NewDecoder(r).Decode(v); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// firstSheet is the name of the part of the first sheet.
func (b *book) firstSheet() (string, error) {
	var workbook struct {
		Pr struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			ID string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	found, err := b.decode("xl/workbook.xml", &workbook)
	if err != nil {
		return "", err
	}
	if !found || len(workbook.Sheets) == 0 {
		return "", errors.New("the file is no workbook (.xlsx): it has no sheet")
	}
	if v := workbook.Pr.Date1904; v == "1" || v == "true" {
		b.base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	var rels struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if _, err := b.decode("xl/_rels/workbook.xml.rels", &rels); err != nil {
		return "", err
	}
	for _, r := range rels.List {
		if r.ID != workbook.Sheets[0].ID {
			continue
		}
		if strings.HasPrefix(r.Target, "/") {
			return r.Target[1:], nil
		}
		return path.Join("xl", r.Target), nil
	}
	return "xl/worksheets/sheet1.xml", nil
}

// readShared reads the texts that cells share: of each the runs joined, without readings of characters (rPh).
func (b *book) readShared() error {
	r, err := b.open("xl/sharedStrings.xml")
	if r == nil || err != nil {
		return err
	}
	defer r.Close() // read only
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the shared texts: %w", err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "si" {
			text, err := runs(d)
			if err != nil {
				return err
			}
			b.shared = append(b.shared, text)
		}
	}
}

// runs is the text of the element that was begun.
func runs(d *xml.Decoder) (string, error) {
	var text strings.Builder
	within, depth := 0, 1 // within a <t>
	for depth > 0 {
		token, err := d.Token()
		if err != nil {
			return "", fmt.Errorf("a text: %w", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "rPh" {
				if err := d.Skip(); err != nil {
					return "", fmt.Errorf("a text: %w", err)
				}
				continue
			}
			depth++
			if e.Name.Local == "t" {
				within++
			}
		case xml.EndElement:
			depth--
			if e.Name.Local == "t" {
				within--
			}
		case xml.CharData:
			if within > 0 && text.Len()+len(e) <= 4*MaxText {
				text.Write(e)
			}
		}
	}
	return text.String(), nil
}

// readStyles learns which styles show a date.
func (b *book) readStyles() error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if _, err := b.decode("xl/styles.xml", &styles); err != nil {
		return err
	}
	own := map[int]bool{}
	for _, f := range styles.Formats {
		own[f.ID] = showsDate(f.Code)
	}
	for _, c := range styles.Cells {
		b.dates = append(b.dates, own[c.Format] || c.Format >= 14 && c.Format <= 17 || c.Format == 22)
	}
	return nil
}

// showsDate says whether a number format shows a year or a day: letters in quotes and brackets do not count.
func showsDate(code string) bool {
	quoted, bracket := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case !bracket && strings.IndexByte("yYdDjJtT", c) >= 0: // a day is T and a year J in German formats
			return true
		}
	}
	return false
}

// rows reads the sheet.
func (b *book) rows(name string, maxRows int) ([][]Cell, error) {
	r, err := b.open(name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("the workbook lacks its first sheet (%s)", name)
	}
	defer r.Close() // read only
	s := &sheet{b: b, d: xml.NewDecoder(r), maxRows: maxRows, left: MaxUnpacked}
	for {
		token, err := s.d.Token()
		if errors.Is(err, io.EOF) {
			return s.trimmed(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("the sheet: %w", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "row":
			err = s.row(attr(e, "r"))
		case "c":
			err = s.cell(e)
		}
		if err != nil {
			return nil, err
		}
	}
}

// sheet are rows that are being read.
type sheet struct {
	b       *book
	d       *xml.Decoder
	list    [][]Cell
	maxRows int
	left    int64 // bytes of texts
}

func (s *sheet) trimmed() [][]Cell {
	for n := len(s.list); n > 0 && len(s.list[n-1]) == 0; n-- {
		s.list = s.list[:n-1]
	}
	return s.list
}

// row begins a row: the next one, or the one of a number.
func (s *sheet) row(number string) error {
	at := len(s.list) + 1
	if number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < at {
			return fmt.Errorf("the sheet: row %q behind row %d", number, len(s.list))
		}
		at = n
	}
	if at > s.maxRows {
		// A spreadsheet keeps rows that are only formatted; the bound is checked again where one has a cell.
		at = s.maxRows + 1
		if len(s.list) >= at {
			return nil
		}
	}
	for len(s.list) < at {
		s.list = append(s.list, nil)
	}
	return nil
}

// value is what an element c holds.
type value struct {
	Value  *string `xml:"v"`
	Inline *struct {
		Texts []string `xml:"t"`
		Runs  []struct {
			Text string `xml:"t"`
		} `xml:"r"`
	} `xml:"is"`
}

func (s *sheet) cell(e xml.StartElement) error {
	var v value
	if err := s.d.DecodeElement(&v, &e); err != nil {
		return fmt.Errorf("the sheet: %w", err)
	}
	c, err := s.meant(attr(e, "t"), attr(e, "s"), &v)
	if err != nil || c.Text == "" {
		return err
	}
	if len(s.list) == 0 {
		return errors.New("the sheet: a cell outside of a row")
	}
	if len(s.list) > s.maxRows {
		return fmt.Errorf("%w: more than %d rows", ErrTooLarge, s.maxRows)
	}
	row := &s.list[len(s.list)-1]
	at := len(*row)
	if ref := attr(e, "r"); ref != "" {
		at = column(ref)
	}
	if at < len(*row) || at >= MaxColumns {
		return fmt.Errorf("the sheet: cell %q is out of its order or behind column %d", attr(e, "r"), MaxColumns)
	}
	if s.left -= int64(len(c.Text)); s.left < 0 {
		return fmt.Errorf("%w: more than %d MB of text", ErrTooLarge, MaxUnpacked>>20)
	}
	for len(*row) < at {
		*row = append(*row, Cell{})
	}
	*row = append(*row, c)
	return nil
}

// meant is what a cell of a type and a style says.
func (s *sheet) meant(kind, style string, v *value) (Cell, error) {
	if v.Inline != nil {
		text := strings.Join(v.Inline.Texts, "")
		for _, r := range v.Inline.Runs {
			text += r.Text
		}
		return bound(text), nil
	}
	if v.Value == nil {
		return Cell{}, nil
	}
	raw := *v.Value
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(raw))
		if err != nil || n < 0 || n >= len(s.b.shared) {
			return Cell{}, fmt.Errorf("the sheet: there is no shared text %q", raw)
		}
		return bound(s.b.shared[n]), nil
	case "b":
		if raw == "1" {
			return Cell{Text: "true"}, nil
		}
		return Cell{Text: "false"}, nil
	case "", "n":
		return s.number(raw, style), nil
	}
	return bound(raw), nil // the result of a formula, a date, an error
}

// number is a number, or the date that it is shown as.
func (s *sheet) number(raw, style string) Cell {
	n, err := strconv.ParseFloat(strings.TrimSpace(raw), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return bound(raw)
	}
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(s.b.dates) && s.b.dates[i] && n >= 0 && n < 2_958_466 {
		at := s.b.base.Add(time.Duration(math.Round(n*86_400)) * time.Second)
		if n == math.Trunc(n) {
			return Cell{Text: at.Format(time.DateOnly)}
		}
		return Cell{Text: at.Format("2006-01-02T15:04:05")}
	}
	return Cell{Text: strconv.FormatFloat(n, 'f', -1, 64), Number: true}
}

func bound(text string) Cell {
	if len(text) > MaxText {
		text = strings.ToValidUTF8(text[:MaxText], "")
	}
	return Cell{Text: text}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// column is the number of the column of a reference such as "AB12", from 0; MaxColumns where it has none.
func column(ref string) int {
	n := 0
	for i := 0; i < len(ref); i++ {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		if n = n*26 + int(c-'A') + 1; n > MaxColumns {
			return MaxColumns
		}
	}
	if n == 0 {
		return MaxColumns
	}
	return n - 1
}
