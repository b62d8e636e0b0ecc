package preview_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"mappe/shared/book/font"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/preview"
	"mappe/shared/book/spec"
)

const prose = "The office on the first floor had been shut for eleven years, and Anna found the key where her grandfather had said it would be: " +
	"behind the brass plate, 1 inch below the bell. She waited; nobody came. “Avoid the third stair,” he had written, “it speaks to everybody.” " +
	"It did not speak to her, nor did the fifth, and the door at the top — heavy, green, swollen with rain — gave way at the second push."

// novel is a book of chapters of plain prose with italics.
func novel(t testing.TB, chapters, paragraphs int) *page.Book {
	t.Helper()
	var b manuscript.Book
	for c := range chapters {
		s := manuscript.Section{Kind: manuscript.KindChapter, Label: "Chapter " + strconv.Itoa(c+1), Number: strconv.Itoa(c + 1),
			Title: []manuscript.Inline{manuscript.Text{S: "The green door"}}}
		for p := range paragraphs {
			s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: []manuscript.Inline{
				manuscript.Text{S: prose[p*7%60:]}, manuscript.Text{S: " Office hours & <such>", Style: manuscript.Italic},
				manuscript.Text{S: " were over."},
			}})
		}
		b.Sections = append(b.Sections, s)
	}
	sp := spec.Default()
	sp.Title, sp.Author = "The Green Door", "Anna Huber"
	out, _, err := layout.Set(context.Background(), b, sp, layout.Options{Proof: "PROOF · not for sale"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func drawn(t testing.TB, b *page.Book, i int) []byte {
	t.Helper()
	d, err := preview.NewDrawer(b)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := d.Draw(nil, i)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

// use is a glyph drawn: which symbol, and where it came to stand on the page in points.
type use struct {
	symbol string
	x, y   float64
}

// read takes a page apart again: the symbols it defines and the glyphs it draws. The SVG must be well formed.
func read(t testing.TB, svg []byte) (symbols map[string]string, uses []use, text string) {
	t.Helper()
	symbols = map[string]string{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	var dx, dy, scale float64
	in := ""
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return symbols, uses, text
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			in = tok.Name.Local
			at := map[string]string{}
			for _, a := range tok.Attr {
				at[a.Name.Local] = a.Value
			}
			number := func(s string) float64 {
				if s == "" {
					return 0
				}
				v, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			switch {
			case in == "path" && at["id"] != "":
				if _, twice := symbols[at["id"]]; twice {
					t.Errorf("symbol %s is defined twice", at["id"])
				}
				symbols[at["id"]] = at["d"]
			case in == "g":
				f := strings.FieldsFunc(at["transform"], func(c rune) bool { return strings.ContainsRune("translatescale() ", c) })
				dx, dy, scale = number(f[0]), number(f[1]), number(f[2])
			case in == "use":
				uses = append(uses, use{strings.TrimPrefix(at["href"], "#"), dx + scale*number(at["x"]), dy - scale*number(at["y"])})
			}
		case xml.EndElement:
			in = ""
		case xml.CharData:
			if in == "desc" {
				text += string(tok)
			}
		}
	}
}

// marked is where a display list wants its glyphs, those with an outline.
func marked(t testing.TB, b *page.Book, i int) (out []use) {
	t.Helper()
	for _, m := range b.Pages[i].Marks {
		run, ok := m.(page.Glyphs)
		if !ok {
			continue
		}
		x := run.X
		for _, g := range run.Glyphs {
			if outlined(t, b.Fonts[run.Font], g.ID) {
				out = append(out, use{x: float64(x+g.DX) / 1000, y: float64(run.Y+g.DY) / 1000})
			}
			x += g.Advance
		}
	}
	return out
}

type nothing struct{ n int }

func (n *nothing) MoveTo(_, _ float32)             { n.n++ }
func (n *nothing) LineTo(_, _ float32)             { n.n++ }
func (n *nothing) QuadTo(_, _, _, _ float32)       { n.n++ }
func (n *nothing) CubeTo(_, _, _, _, _, _ float32) { n.n++ }

func outlined(t testing.TB, f page.Font, id uint16) bool {
	t.Helper()
	for s := font.Regular; s <= font.BoldItalic; s++ {
		if s.String() == f.Style {
			opened, err := font.Open(f.Face, s)
			if err != nil {
				t.Fatal(err)
			}
			var n nothing
			opened.Outline(id, &n)
			return n.n > 0
		}
	}
	t.Fatalf("style %s", f.Style)
	return false
}

func TestEveryGlyphOnceWhereItBelongs(t *testing.T) {
	b := novel(t, 2, 9)
	glyphs := 0
	for i := range b.Pages {
		symbols, uses, _ := read(t, drawn(t, b, i))
		want := marked(t, b, i)
		if len(uses) != len(want) {
			t.Fatalf("page %d: %d glyphs drawn, want %d", i+1, len(uses), len(want))
		}
		outlines := map[string]bool{}
		for _, d := range symbols {
			if d == "" || outlines[d] && len(d) > 80 {
				t.Errorf("page %d: an outline is empty or stands there twice", i+1)
			}
			outlines[d] = true
		}
		for k, u := range uses {
			if symbols[u.symbol] == "" {
				t.Fatalf("page %d: glyph %d uses %q, which is not defined", i+1, k, u.symbol)
			}
			if dx, dy := u.x-want[k].x, u.y-want[k].y; dx > 0.02 || dx < -0.02 || dy > 0.02 || dy < -0.02 {
				t.Fatalf("page %d: glyph %d is %.3f, %.3f points off", i+1, k, dx, dy)
			}
		}
		glyphs += len(uses)
	}
	if glyphs < 4000 {
		t.Errorf("only %d glyphs were looked at", glyphs)
	}
}

// The bytes of a page are frozen: a change of the drawing or of the setting shows here.
func TestGolden(t *testing.T) {
	b := &page.Book{Width: 200_000, Height: 300_000, Fonts: []page.Font{{Face: font.Libertine, Style: "regular"},
		{Face: font.STIXTwo, Style: "bold-italic"}},
		Pages: []page.Page{{Folio: "1", Marks: []page.Mark{
			run(t, 0, font.Libertine, font.Regular, 11_000, 20_000, 40_500, 0, "Office & <script>"),
			run(t, 1, font.STIXTwo, font.BoldItalic, 8_500, 20_000, 60_000, 136, "AV"),
			page.Rule{X: 20_000, Y: 70_250, Width: 30_000, Height: 400, Gray: 128},
		}}}}
	svg := drawn(t, b, 0)
	if again := drawn(t, b, 0); !bytes.Equal(svg, again) {
		t.Error("the same page gives other bytes")
	}
	const want = "50fe15ee898da5ee"
	sum := sha256.Sum256(svg)
	if got := hex.EncodeToString(sum[:8]); got != want {
		t.Errorf("hash %s, want %s:\n%s", got, want, svg)
	}
	for _, s := range []string{`viewBox="0 0 200 300"`, `Office &amp; &lt;script&gt;`, `fill="#888888"`, `d="M20 70.25h30v0.4h-30z"`} {
		if !strings.Contains(string(svg), s) {
			t.Errorf("%s is missing in %s", s, svg)
		}
	}
}

func run(t testing.TB, n int, name string, style font.Style, size, x, y page.Unit, grey uint8, text string) page.Glyphs {
	t.Helper()
	f, err := font.Open(name, style)
	if err != nil {
		t.Fatal(err)
	}
	out := page.Glyphs{Font: n, Size: size, X: x, Y: y, Gray: grey, Text: text}
	for _, g := range f.Shape(nil, text, font.Features{}) {
		out.Glyphs = append(out.Glyphs, page.Glyph{ID: g.ID, Advance: page.Unit(int64(g.Advance) * int64(size) / int64(f.UnitsPerEm()))})
	}
	return out
}

func TestHostileTextIsText(t *testing.T) {
	m := run(t, 0, font.Libertine, font.Regular, 10_000, 0, 50_000, 0, "a")
	m.Text = "</desc><script>alert(1)</script>\x00\x1b]]>&amp;\"\xff"
	b := &page.Book{Width: 1000, Height: 1000, Fonts: []page.Font{{Face: font.Libertine, Style: "regular"}},
		Images: []page.Image{{MediaType: "text/html", Bytes: []byte("<script>")}},
		Pages:  []page.Page{{Folio: `"><script>`, Marks: []page.Mark{m, page.Picture{Alt: "</desc><script>", Width: 10, Height: 10}}}}}
	svg := drawn(t, b, 0)
	if bytes.Contains(svg, []byte("<script")) {
		t.Errorf("a script: %s", svg)
	}
	_, _, text := read(t, svg)
	if want := "</desc><script>alert(1)</script>]]>&amp;\"\uFFFD[</desc><script>]"; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
}

func TestWrongMarksAreErrors(t *testing.T) {
	for name, m := range map[string]page.Mark{
		"font":    page.Glyphs{Font: 1, Size: 1000},
		"no size": page.Glyphs{Size: 0},
		"picture": page.Picture{Image: 3},
	} {
		b := &page.Book{Width: 1000, Height: 1000, Fonts: []page.Font{{Face: font.Libertine, Style: "regular"}},
			Pages: []page.Page{{Marks: []page.Mark{m}}}}
		d, err := preview.NewDrawer(b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Draw(nil, 0); err == nil {
			t.Errorf("%s: drawn", name)
		}
		if _, err := d.Draw(nil, 1); err == nil {
			t.Error("a page behind the last was drawn")
		}
	}
	if _, err := preview.NewDrawer(&page.Book{Fonts: []page.Font{{Face: font.Libertine, Style: "fat"}}}); err == nil {
		t.Error("a style nobody has was opened")
	}
}

func TestPack(t *testing.T) {
	b := novel(t, 2, 12)
	var packed bytes.Buffer
	list, err := preview.Pack(&packed, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Pages) != len(b.Pages) || list.WidthPt != 396 && list.WidthPt < 395 {
		t.Fatalf("%d pages of width %g, want %d", len(list.Pages), list.WidthPt, len(b.Pages))
	}
	var end int64
	for i, it := range list.Pages {
		if it.Offset != end {
			t.Fatalf("page %d begins at %d, want %d", i+1, it.Offset, end)
		}
		end += it.Size
		if it.Size > 60<<10 {
			t.Errorf("page %d is %d bytes packed, more than 60 kB", i+1, it.Size)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed.Bytes()[it.Offset:end]))
		if err != nil {
			t.Fatal(err)
		}
		svg, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(svg, drawn(t, b, i)) {
			t.Errorf("page %d is another in the pack", i+1)
		}
		if it.Folio != b.Pages[i].Folio {
			t.Errorf("page %d: folio %q, want %q", i+1, it.Folio, b.Pages[i].Folio)
		}
	}
	if end != int64(packed.Len()) {
		t.Errorf("%d bytes packed, %d listed", packed.Len(), end)
	}
}

// Pages of a novel a second, and bytes a page.
func BenchmarkDraw(b *testing.B) {
	book := novel(b, 10, 40)
	d, err := preview.NewDrawer(book)
	if err != nil {
		b.Fatal(err)
	}
	var svg []byte
	i := 0
	for b.Loop() {
		if svg, err = d.Draw(svg[:0], i%len(book.Pages)); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(len(svg)), "bytes/page")
}

func BenchmarkPack(b *testing.B) {
	book := novel(b, 10, 40)
	var n int64
	for b.Loop() {
		list, err := preview.Pack(io.Discard, book)
		if err != nil {
			b.Fatal(err)
		}
		last := list.Pages[len(list.Pages)-1]
		n = last.Offset + last.Size
	}
	b.ReportMetric(float64(len(book.Pages)), "pages")
	b.ReportMetric(float64(n)/float64(len(book.Pages)), "bytes/page")
}
