package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
)

const prose = "Die Vermessung des Tales begann im Frühjahr; niemand hatte geglaubt, dass zwei Männer mit einer Kette, einem Theodoliten und einem störrischen Maultier elf Gemeinden in einem einzigen Sommer aufnehmen könnten. „Sie haben Wolken vermessen“, sagte der Amtsschreiber im Bezirksamt, office and affluent fjord."

// sample is a book of two pages: set text, a rule, a picture, links and bookmarks.
func sample(t testing.TB) *page.Book {
	t.Helper()
	b := &page.Book{
		Width: 396_000, Height: 612_000, Bleed: 9_000,
		Fonts: []page.Font{{Face: font.Libertine, Style: "regular"}, {Face: font.STIXTwo, Style: "italic"}},
		Info:  page.Info{Title: "Die Mappe (Probe) — ä", Author: "A. Huber", Language: "de"},
		Outline: []page.OutlineItem{{Title: "Eins", Level: 1, Page: 0}, {Title: "Eins A", Level: 2, Page: 0, Y: 90_000},
			{Title: "Zwei", Level: 1, Page: 1}},
	}
	var pic bytes.Buffer
	img := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	for i := range 600 {
		img.Set(i%30, i/30, color.NRGBA{200, uint8(i), 40, uint8(255 - i/4)})
	}
	if err := png.Encode(&pic, img); err != nil {
		t.Fatal(err)
	}
	b.Images = []page.Image{{MediaType: "image/png", Bytes: pic.Bytes(), Width: 30, Height: 20}}
	de, _ := hyphen.For("de")
	for n := range 2 {
		p := page.Page{Folio: []string{"i", "1"}[n]}
		y := page.Unit(72_000)
		for ref, face := range []string{font.Libertine, font.STIXTwo} {
			style := []font.Style{font.Regular, font.Italic}[ref]
			f, err := font.Open(face, style)
			if err != nil {
				t.Fatal(err)
			}
			st := &line.Style{Font: f, Size: 11_000, Ref: ref, Hyphens: de, Features: font.Features{Language: "de"}}
			para := line.NewShaper().Paragraph([]line.Piece{{Text: prose, Style: st}}, line.Shape{Measure: func(int) line.Unit {
				return 288_000
			}})
			for _, l := range para.Lines(para.Break(0)[0]) {
				for _, r := range l.Runs {
					p.Marks = append(p.Marks, page.Glyphs{Font: ref, Size: st.Size, X: 54_000 + r.X, Y: y, Glyphs: r.Glyphs, Text: r.Text})
				}
				y += 14_000
			}
		}
		p.Marks = append(p.Marks, page.Drawing{X: 54_000, Y: y, Width: 90_000, Height: 40_000, Paths: []page.Path{
			{Lines: [][]page.Point{{{X: 54_000, Y: y}, {X: 90_000, Y: y + 10_000}, {X: 60_000, Y: y + 90_000}}}, Closed: true,
				Fill: page.RGB(0xf5e1e8), Stroke: page.RGB(0x8a2b4e), Thick: 800},
			{Lines: [][]page.Point{{{X: 50_000, Y: y}, {X: 300_000, Y: y}}}, Stroke: page.RGB(0x3f7d3a), Thick: 800,
				Dash: []page.Unit{3000, 2000}},
			{Fill: page.RGB(0)}}})
		p.Marks = append(p.Marks, page.Rule{X: 54_000, Y: y, Width: 72_000, Height: 500},
			page.Picture{Image: 0, X: 54_000, Y: y + 20_000, Width: 90_000, Height: 60_000})
		p.Links = []page.Link{{X: 54_000, Y: 72_000, Width: 50_000, Height: 14_000, Page: 1 - n},
			{X: 54_000, Y: 90_000, Width: 50_000, Height: 14_000, URI: "https://example.org/(a)"}}
		b.Pages = append(b.Pages, p)
	}
	return b
}

var presets = map[string]Preset{"proof": Proof, "x1a": X1a, "x4": X4, "plain": Plain, "sheet": Sheet}

func write(t testing.TB, b *page.Book, k Preset) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, b, Options{Preset: k, Created: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC), Producer: "Mappe"}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSameBytes(t *testing.T) {
	for name, k := range presets {
		if !bytes.Equal(write(t, sample(t), k), write(t, sample(t), k)) {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

// tool runs a program of Debian's on a file.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(oracles.Program(t, name), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func TestIndependentReaders(t *testing.T) {
	for name, k := range presets {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name+".pdf")
			if err := os.WriteFile(file, write(t, sample(t), k), 0o644); err != nil {
				t.Fatal(err)
			}
			if out := tool(t, "qpdf", "--check", file); !strings.Contains(out, "No syntax or stream encoding errors") {
				t.Errorf("qpdf: %s", out)
			}
			for _, l := range strings.Split(strings.TrimSpace(tool(t, "pdffonts", file)), "\n")[2:] {
				if f := strings.Fields(l); !strings.Contains(l, "yes yes yes") {
					t.Errorf("font not embedded, subset and with text: %v", f)
				}
			}
			text := strings.Join(strings.Fields(strings.ReplaceAll(tool(t, "pdftotext", file, "-"), "-\n", "")), " ")
			for _, want := range []string{"störrischen Maultier", "„Sie haben Wolken", "office and affluent fjord."} {
				if strings.Count(text, want) != 4 {
					t.Errorf("%q is found %d times, want 4", want, strings.Count(text, want))
				}
			}
			ink := tool(t, "gs", "-q", "-o", "-", "-sDEVICE=inkcov", file)
			for _, l := range strings.Split(strings.TrimSpace(ink), "\n") {
				f := strings.Fields(l)
				if k != Proof && k != Sheet && len(f) > 4 && (f[0] != "0.00000" || f[1] != "0.00000" || f[2] != "0.00000") {
					t.Errorf("ink beside black: %s", l)
				}
			}
		})
	}
}

func TestMissingGlyph(t *testing.T) {
	b := sample(t)
	g := b.Pages[0].Marks[0].(page.Glyphs)
	g.Glyphs[0].ID = 0
	if err := Write(&bytes.Buffer{}, b, Options{Preset: X1a}); err == nil {
		t.Error("a missing glyph in a file for the printer")
	}
	if err := Write(&bytes.Buffer{}, b, Options{Preset: Proof}); err != nil {
		t.Error(err)
	}
}
