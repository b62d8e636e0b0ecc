package check

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/pdf"
	"mappe/shared/book/spec"
)

var presets = map[string]pdf.Preset{"proof": pdf.Proof, "x1a": pdf.X1a, "x4": pdf.X4, "plain": pdf.Plain}

var specPresets = map[pdf.Preset]spec.PDFPreset{pdf.X1a: spec.PDFX1a, pdf.X4: spec.PDFX4, pdf.Plain: spec.PDFPlain}

func text(s string) []manuscript.Inline { return []manuscript.Inline{manuscript.Text{S: s}} }

// manuscriptOf is a book with pictures of several kinds, notes, links and small type.
func manuscriptOf(t testing.TB, chapters int) manuscript.Book {
	t.Helper()
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Die Mappe", Author: "A. Huber", Language: "de"}}
	m := image.NewNRGBA(image.Rect(0, 0, 900, 600))
	for i := range m.Pix {
		m.Pix[i] = uint8(i / 7)
	}
	m.Set(0, 0, color.NRGBA{255, 0, 0, 9})
	gray := image.NewGray(m.Bounds())
	for i := range gray.Pix {
		gray.Pix[i] = uint8(i / 900)
	}
	var p, j, g bytes.Buffer
	for _, err := range []error{png.Encode(&p, m), jpeg.Encode(&j, m, nil), jpeg.Encode(&g, gray, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, x := range []struct {
		kind string
		b    []byte
	}{{"image/png", p.Bytes()}, {"image/jpeg", j.Bytes()}, {"image/jpeg", g.Bytes()}} {
		b.Images = append(b.Images, manuscript.Image{Name: fmt.Sprint(i), MediaType: x.kind, Bytes: x.b, Width: 900, Height: 600})
	}
	b.Notes = []manuscript.Note{{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: text("Eine Fußnote mit office und fjord.")}}}}
	prose := strings.Repeat("Die Vermessung des Tales begann im Frühjahr; niemand hatte geglaubt, dass zwei Männer mit einer Kette elf Gemeinden aufnehmen könnten. ", 6)
	for n := range chapters {
		s := manuscript.Section{Kind: manuscript.KindChapter, Label: fmt.Sprint("Chapter ", n+1), Number: fmt.Sprint(n + 1),
			Title: text("Kapitel der Ämter & Höfe")}
		for range 8 {
			s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: text(prose)})
		}
		s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: []manuscript.Inline{
			manuscript.Text{S: "Siehe ", Style: manuscript.Italic}, manuscript.Link{Href: "https://example.org/(a)", Inlines: text("dort")},
			manuscript.NoteRef{Note: 0}, manuscript.Text{S: " und klein", Style: manuscript.SmallCaps},
		}})
		for i := range b.Images {
			s.Blocks = append(s.Blocks, &manuscript.Figure{Image: i, WidthMM: 60, Alt: "Bild", Caption: text("Ein Bild")})
		}
		b.Sections = append(b.Sections, s)
	}
	return b
}

func specification(preset pdf.Preset) spec.Spec {
	s := spec.Default()
	s.Language, s.PDF, s.BleedMM = "de", specPresets[preset], 3
	return s
}

func set(t testing.TB, b manuscript.Book, s spec.Spec, preset pdf.Preset) *page.Book {
	t.Helper()
	o := layout.Options{}
	if preset == pdf.Proof {
		o.Proof = "PROOF"
	}
	set, _, err := layout.Set(context.Background(), b, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func write(t testing.TB, b *page.Book, preset pdf.Preset) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := pdf.Write(&out, b, pdf.Options{Preset: preset, Created: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
		Producer: "Mappe"}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// parts is a file in pieces: its objects by number, and its trailer.
type parts struct {
	head    string
	objects map[int]string
	trailer string
}

func split(t testing.TB, b []byte) parts {
	t.Helper()
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	xref := bytes.LastIndex(b, []byte("xref\n0 "))
	at := slices.Clone(f.offsets[1:])
	sort.Ints(at)
	p := parts{head: string(b[:at[0]]), objects: map[int]string{}}
	for n, o := range f.offsets {
		if n > 0 {
			end := xref
			if i := sort.SearchInts(at, o+1); i < len(at) {
				end = at[i]
			}
			p.objects[n] = string(b[o:end])
		}
	}
	p.trailer = string(b[bytes.LastIndex(b, []byte("trailer\n"))+8 : bytes.LastIndex(b, []byte("startxref\n"))])
	return p
}

func (p parts) join() []byte {
	var b bytes.Buffer
	b.WriteString(p.head)
	offsets := make([]int, len(p.objects)+1)
	for n := 1; n <= len(p.objects); n++ {
		offsets[n] = b.Len()
		b.WriteString(p.objects[n])
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets))
	for _, o := range offsets[1:] {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n%sstartxref\n%d\n%%%%EOF\n", p.trailer, at)
	return b.Bytes()
}

// find gives the number of the first object that has a text.
func (p parts) find(t testing.TB, what string) int {
	t.Helper()
	for n := 1; n <= len(p.objects); n++ {
		if strings.Contains(p.objects[n], what) {
			return n
		}
	}
	t.Fatalf("no object has %q", what)
	return 0
}

// replace changes the first object that has old.
func (p parts) replace(t testing.TB, old, new string) {
	t.Helper()
	n := p.find(t, old)
	p.objects[n] = strings.Replace(p.objects[n], old, new, 1)
}

var lengthOf = regexp.MustCompile(`/Length \d+>>`)

// repack changes what a packed stream holds.
func (p parts) repack(t testing.TB, n int, change func(string) string) {
	t.Helper()
	o := p.objects[n]
	start, end := strings.Index(o, "stream\n")+7, strings.LastIndex(o, "\nendstream")
	r, err := zlib.NewReader(strings.NewReader(o[start:end]))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(string(b))
	if changed == string(b) {
		t.Fatalf("object %d is as it was", n)
	}
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	io.WriteString(w, changed)
	w.Close()
	p.objects[n] = lengthOf.ReplaceAllString(o[:start], fmt.Sprintf("/Length %d>>", z.Len())) + z.String() + o[end:]
}

var contentsOf = regexp.MustCompile(`/Contents (\d+) 0 R`)

// content changes what is drawn on a page.
func (p parts) content(t testing.TB, number int, change func(string) string) {
	t.Helper()
	seen := 0
	for n := 1; n <= len(p.objects); n++ {
		if m := contentsOf.FindStringSubmatch(p.objects[n]); m != nil {
			if seen++; seen == number {
				var c int
				fmt.Sscan(m[1], &c)
				p.repack(t, c, change)
				return
			}
		}
	}
	t.Fatalf("no page %d", number)
}
