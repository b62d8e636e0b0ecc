package xlsx

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relSpace    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packSpace   = "http://schemas.openxmlformats.org/package/2006/"
)

// styles are those of all workbooks: the second is the header's.
const styles = `<styleSheet xmlns="` + mainSpace +
	`"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`

const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml."

// MaxRows is how many rows a sheet has at most, the header among them: the format's own bound.
const MaxRows = 1_048_576

// Sheet is a sheet to write: rows of which the first is the header, drawn once. The name has at most 31 characters, none of []:*?/\.
type Sheet struct {
	Name string
	Rows iter.Seq2[[]Cell, error]
}

// parts are those beside the sheets, in the order of the file: [Content_Types].xml has to be first for some readers.
func parts(sheets []Sheet) [][2]string {
	var types, rels, names strings.Builder
	for i, s := range sheets {
		n := strconv.Itoa(i + 1)
		types.WriteString(`<Override PartName="/xl/worksheets/sheet` + n + `.xml" ContentType="` + sheetType + `worksheet+xml"/>`)
		rels.WriteString(`<Relationship Id="rId` + n + `" Type="` + relSpace + `/worksheet" Target="worksheets/sheet` + n + `.xml"/>`)
		names.WriteString(`<sheet name="` + escaped(s.Name) + `" sheetId="` + n + `" r:id="rId` + n + `"/>`)
	}
	return [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + packSpace +
			`content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + sheetType + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + sheetType + `styles+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packSpace + `relationships"><Relationship Id="rId1" Type="` + relSpace +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packSpace + `relationships">` + rels.String() +
			`<Relationship Id="rId` + strconv.Itoa(len(sheets)+1) + `" Type="` + relSpace + `/styles" Target="styles.xml"/></Relationships>`},
		{"xl/styles.xml", styles},
		{"xl/workbook.xml", `<workbook xmlns="` + mainSpace + `" xmlns:r="` + relSpace + `"><sheets>` + names.String() + `</sheets></workbook>`},
	}
}

// Write writes a workbook of one sheet, as WriteSheets does.
func Write(w io.Writer, name string, rows [][]Cell) error {
	return WriteSheets(w, []Sheet{{name, func(yield func([]Cell, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}}})
}

// WriteSheets writes a workbook, row by row. The first row of a sheet is its header: bold, and kept in sight. Texts stand as texts, so
// that none is taken for a formula. What is beyond MaxRows or MaxColumns is ErrTooLarge. The same rows give the same bytes.
func WriteSheets(w io.Writer, sheets []Sheet) error {
	z := zip.NewWriter(w)
	for _, p := range parts(sheets) {
		part, err := z.Create(p[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, declaration+p[1]); err != nil {
			return err
		}
	}
	for i, s := range sheets {
		part, err := z.Create("xl/worksheets/sheet" + strconv.Itoa(i+1) + ".xml")
		if err != nil {
			return err
		}
		if err := writeSheet(part, s); err != nil {
			return err
		}
	}
	return z.Close()
}

func writeSheet(w io.Writer, s Sheet) error {
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString(declaration + `<worksheet xmlns="` + mainSpace + // an error comes again with Flush
		`"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`)
	n := 0
	for row, err := range s.Rows {
		if err != nil {
			return err
		}
		if n++; n > MaxRows {
			return fmt.Errorf("%w: more than %d rows in the sheet %s", ErrTooLarge, MaxRows, s.Name)
		}
		if len(row) > MaxColumns {
			return fmt.Errorf("%w: more than %d columns", ErrTooLarge, MaxColumns)
		}
		if err := writeRow(out, n, row); err != nil {
			return err
		}
	}
	out.WriteString("</sheetData></worksheet>")
	return out.Flush()
}

func writeRow(out *bufio.Writer, n int, row []Cell) error {
	number := strconv.Itoa(n)
	out.WriteString(`<row r="` + number + `">`)
	for j, c := range row {
		if c.Text == "" {
			continue
		}
		out.WriteString(`<c r="` + letters(j) + number + `"`)
		if n == 1 {
			out.WriteString(` s="1"`)
		}
		if c.Number {
			out.WriteString(`><v>` + escaped(c.Text) + `</v></c>`)
		} else {
			out.WriteString(` t="inlineStr"><is><t xml:space="preserve">` + escaped(bound(c.Text).Text) + `</t></is></c>`)
		}
	}
	_, err := out.WriteString("</row>")
	return err
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

// letters name a column, from 0: A, B, ... Z, AA.
func letters(n int) string {
	s := ""
	for n++; n > 0; n = (n - 1) / 26 {
		s = string(rune('A'+(n-1)%26)) + s
	}
	return s
}
