package print

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/sheet"
)

// sample is a sheet with everything that one can hold, and rows of text.
func sample(rows int) *sheet.Sheet {
	line := &sheet.Ink{Stroke: page.RGB(0x8a2b4e), Width: 0.6}
	number := &sheet.Ink{Fill: page.RGB(0), Size: 3}
	s := &sheet.Sheet{Title: "Grundstück 7", Aside: "KG 88801 Westdorf", Info: page.Info{Title: "Grundstück 88801-7", Language: "de"},
		Created: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC),
		Plan: sheet.Figure{Caption: "Maßstab 1:1.000", Drawing: sheet.Drawing{Width: sheet.TextWidth, Height: 60, Framed: true,
			Shapes: []sheet.Shape{{Ink: line, Lines: [][]sheet.XY{{{X: 10, Y: 10}, {X: 110, Y: 10}, {X: 400, Y: 50}}}, Closed: true},
				{Ink: number, Text: "123/4", At: sheet.XY{X: 60, Y: 20}}}}},
		Foot: sheet.Section{Title: "Quellen", Shares: []int{16, 84}, Rows: [][]string{{"Diese Seite", "https://example.org/sheet"}}},
	}
	for i := range 4 {
		part := sheet.Section{Title: "Gebäude", Shares: []int{34, 66}, Soft: []string{"überwiegend"}}
		for range rows {
			part.Rows = append(part.Rows, []string{"Fläche", "1.595 m² " + strings.Repeat("Straßenverkehrsanlagen ", 3)})
		}
		if i == 0 {
			part.Head, part.Shares, part.Rows = []string{"Nummer", "Nutzung", "Fläche"}, []int{20, 50, 30}, [][]string{{"1", "Gärten", "7 m²"}}
		}
		s.Sections = append(s.Sections, part)
	}
	return s
}

func TestSameBytes(t *testing.T) {
	one, err := PDF(sample(3))
	if err != nil {
		t.Fatal(err)
	}
	if other, err := PDF(sample(3)); err != nil || !bytes.Equal(one, other) {
		t.Errorf("two runs differ: %v", err)
	}
}

// TestOnePage: what is more is set smaller, and what is too much for a page is refused.
func TestOnePage(t *testing.T) {
	qpdf, pdftotext := oracles.Program(t, "qpdf"), oracles.Program(t, "pdftotext")
	for _, rows := range []int{0, 3, 10, 14} {
		b, err := PDF(sample(rows))
		if err != nil {
			t.Fatalf("%d rows: %v", rows, err)
		}
		file := filepath.Join(t.TempDir(), "sheet.pdf")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(qpdf, "--check", file).CombinedOutput(); err != nil ||
			!strings.Contains(string(out), "No syntax or stream encoding errors") {
			t.Errorf("%d rows: %v %s", rows, err, out)
		}
		out, err := exec.Command(pdftotext, file, "-").CombinedOutput()
		if err != nil || strings.Count(string(out), "\f") != 1 {
			t.Errorf("%d rows: %v, not one page", rows, err)
		}
		for _, want := range []string{"Grundstück 7", "Maßstab 1:1.000", "123/4", "Gärten", "https://example.org/sheet"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%d rows: no %q in %s", rows, want, out)
			}
		}
	}
	if _, err := PDF(sample(500)); err == nil {
		t.Error("500 rows fit on a page")
	}
}

// TestToScale: a length of the plan is as long on the page.
func TestToScale(t *testing.T) {
	p, err := newPrinter(sample(1))
	if err != nil {
		t.Fatal(err)
	}
	p.set(8_000)
	for _, m := range p.marks {
		if d, ok := m.(page.Drawing); ok {
			a, b := d.Paths[0].Lines[0][0], d.Paths[0].Lines[0][1]
			if got, want := b.X-a.X, page.Unit(283_465); got < want-2 || got > want+2 { // 100 mm in 1/1000 point
				t.Errorf("100 mm are %d, want %d", got, want)
			}
			if d.Width != sheet.Units(sheet.TextWidth) {
				t.Errorf("the plan is %d wide", d.Width)
			}
			return
		}
	}
	t.Error("no drawing")
}
