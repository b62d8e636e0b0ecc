package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relSpace    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packSpace   = "http://schemas.openxmlformats.org/package/2006/"
)

// The parts beside the sheet, in the order of the file: [Content_Types].xml has to be first for some readers.
var parts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="` + packSpace +
		`content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packSpace + `relationships"><Relationship Id="rId1" Type="` + relSpace +
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packSpace + `relationships"><Relationship Id="rId1" Type="` + relSpace +
		`/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relSpace + `/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet xmlns="` + mainSpace +
		`"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`},
}

// Write writes a workbook of one sheet, whose first row is the header: bold, and kept in sight. Texts stand as texts, so that none
// is taken for a formula. The name of the sheet has at most 31 characters, none of []:*?/\.
func Write(w io.Writer, name string, rows [][]Cell) error {
	z := zip.NewWriter(w)
	workbook := `<workbook xmlns="` + mainSpace + `" xmlns:r="` + relSpace + `"><sheets><sheet name="` + escaped(name) +
		`" sheetId="1" r:id="rId1"/></sheets></workbook>`
	for _, p := range append(parts[:len(parts):len(parts)], [2]string{"xl/workbook.xml", workbook}) {
		part, err := z.Create(p[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, declaration+p[1]); err != nil {
			return err
		}
	}
	part, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	if err := writeSheet(part, rows); err != nil {
		return err
	}
	return z.Close()
}

func writeSheet(w io.Writer, rows [][]Cell) error {
	head := declaration + `<worksheet xmlns="` + mainSpace +
		`"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for i, row := range rows {
		if len(row) > MaxColumns {
			return fmt.Errorf("%w: more than %d columns", ErrTooLarge, MaxColumns)
		}
		var b strings.Builder
		b.WriteString(`<row r="` + strconv.Itoa(i+1) + `">`)
		for j, c := range row {
			if c.Text == "" {
				continue
			}
			b.WriteString(`<c r="` + letters(j) + strconv.Itoa(i+1) + `"`)
			if i == 0 {
				b.WriteString(` s="1"`)
			}
			if c.Number {
				b.WriteString(`><v>` + escaped(c.Text) + `</v></c>`)
			} else {
				b.WriteString(` t="inlineStr"><is><t xml:space="preserve">` + escaped(bound(c.Text).Text) + `</t></is></c>`)
			}
		}
		b.WriteString("</row>")
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</sheetData></worksheet>")
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
