package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// packed is a workbook of these parts.
func packed(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// saved is a workbook as spreadsheets save it: shared texts with runs, a date, a kept result, gaps.
func saved(t testing.TB, sheet string) []byte {
	return packed(t, map[string]string{
		"xl/workbook.xml": `<workbook xmlns="m" xmlns:r="` + relSpace +
			`"><sheets><sheet name="B" sheetId="7" r:id="r9"/><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Target="worksheets/other.xml"/><Relationship Id="r9" Target="/xl/worksheets/first.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst><si><t>Straße</t></si><si><r><t>Am </t></r><r><t>Bach &amp; Tal</t></r><rPh><t>x</t></rPh></si></sst>`,
		"xl/styles.xml":              `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="TT.MM.JJJJ"/><numFmt numFmtId="171" formatCode="0.0&quot; Tage&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
		"xl/worksheets/first.xml":    `<worksheet><sheetData>` + sheet + `</sheetData></worksheet>`,
	})
}

func TestRead(t *testing.T) {
	got, err := Read(saved(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><r><t>n</t></r></is></c></row>`+
		`<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>45292</v></c><c r="C3"><v>4.5E1</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="str"><f>A1</f><v>=x</v></c><c r="F3" s="2"><v>45292.5</v></c><c r="G3" s="3"><v>2</v></c></row><row r="900"/>`), 10)
	want := [][]Cell{{{Text: "Straße"}, {}, {Text: "n"}}, nil,
		{{Text: "Am Bach & Tal"}, {Text: "2024-01-01"}, {Text: "45", Number: true}, {Text: "true"}, {Text: "=x"},
			{Text: "2024-01-01T12:00:00"}, {Text: "2", Number: true}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("want %v\ngot  %v, %v", want, got, err)
	}
}

// TestWrittenAndRead: what is written is read again.
func TestWrittenAndRead(t *testing.T) {
	row := make([]Cell, 30)
	for i := range row {
		row[i] = Cell{Text: " <" + letters(i) + "> "}
	}
	want := [][]Cell{{{Text: "a"}, {Text: "b"}}, {{}, {Text: "-1.5", Number: true}, {Text: "=SUM(A1)"}}, nil, row}
	var b bytes.Buffer
	if err := Write(&b, "A & B", want); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(b.Bytes(), 4); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("want %v\ngot  %v, %v", want, got, err)
	}
	if letters(25) != "Z" || letters(26) != "AA" || letters(701) != "ZZ" || letters(702) != "AAA" {
		t.Error("the columns' letters")
	}
}

// TestSheets: a workbook has several sheets, the rows of a sheet are bounded, and an error of the rows is that of the workbook.
func TestSheets(t *testing.T) {
	sheet := func(name string, n int, err error) Sheet {
		return Sheet{name, func(yield func([]Cell, error) bool) {
			for i := range n {
				if !yield([]Cell{{Text: strconv.Itoa(i), Number: true}}, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
		}}
	}
	var b bytes.Buffer
	if err := WriteSheets(&b, []Sheet{sheet("first", 2, nil), sheet("second", 3, nil)}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(z.File) != 7 || z.File[6].Name != "xl/worksheets/sheet2.xml" {
		t.Errorf("%v, %d parts", err, len(z.File))
	}
	if got, err := Read(b.Bytes(), 9); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if err := WriteSheets(io.Discard, []Sheet{sheet("full", MaxRows, nil)}); err != nil {
		t.Error(err)
	}
	if err := WriteSheets(io.Discard, []Sheet{sheet("full", MaxRows+1, nil)}); !errors.Is(err, ErrTooLarge) ||
		!strings.Contains(err.Error(), "1048576 rows in the sheet full") {
		t.Error(err)
	}
	if err := WriteSheets(io.Discard, []Sheet{sheet("cut", 1, io.ErrUnexpectedEOF)}); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}

// TestRefused: what is no workbook, or beyond a bound, before it is unpacked whole.
func TestRefused(t *testing.T) {
	const few = 1 << 16
	bomb := strings.Repeat(" ", few)
	for name, c := range map[string]struct {
		body  []byte
		large bool
	}{
		"no ZIP":                     {[]byte("a;b\n"), false},
		"no workbook":                {packed(t, map[string]string{"word/document.xml": "<x/>"}), false},
		"a bomb":                     {saved(t, bomb), true},
		"too many rows":              {saved(t, `<row r="11"><c r="A11"><v>1</v></c></row>`), true},
		"a row far down":             {saved(t, `<row r="1048576"><c><v>1</v></c></row>`), true},
		"a column far right":         {saved(t, `<row r="1"><c r="XFD1"><v>1</v></c></row>`), false},
		"a text that does not exist": {saved(t, `<row r="1"><c r="A1" t="s"><v>2</v></c></row>`), false},
		"rows backwards":             {saved(t, `<row r="2"/><row r="1"/>`), false},
		"broken XML":                 {saved(t, `<row r="1"><c>`), false},
	} {
		if got, err := read(c.body, 10, few); err == nil || errors.Is(err, ErrTooLarge) != c.large {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// FuzzRead: any sheet is read or refused, within the bounds, and what is read can be written and read again.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`, `<row><c s="1"><v>1e300</v></c></row>`,
		`<row r="2"><c r="B2" t="inlineStr"><is><t>&#x41;</t></is></c></row>`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rows, err := Read(saved(t, s), 10)
		if err != nil {
			return
		}
		if len(rows) > 10 {
			t.Fatalf("%d rows", len(rows))
		}
		var b bytes.Buffer
		if err := Write(&b, "x", rows); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.Bytes(), 10)
		if err != nil || len(again) != len(rows) {
			t.Fatalf("%v, %d of %d rows", err, len(again), len(rows))
		}
	})
}

// FuzzFile: any file.
func FuzzFile(f *testing.F) {
	f.Add(saved(f, `<row r="1"><c r="A1" t="s"><v>0</v></c></row>`))
	f.Fuzz(func(t *testing.T, b []byte) { _, _ = Read(b, 10) })
}
