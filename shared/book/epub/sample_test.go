package epub

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
	"time"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

type in = []manuscript.Inline

func text(s string) in { return in{manuscript.Text{S: s}} }

func para(s string) *manuscript.Paragraph { return &manuscript.Paragraph{Inlines: text(s)} }

func picture(t testing.TB, kind string) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range m.Pix {
		m.Pix[i] = uint8(i)
	}
	m.Set(0, 0, color.White)
	var b bytes.Buffer
	var err error
	if kind == "png" {
		err = png.Encode(&b, m)
	} else {
		err = jpeg.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sample is a book with every kind of section, block, inline and role.
func sample(t testing.TB, lang string) manuscript.Book {
	b := manuscript.Book{Meta: manuscript.Meta{Title: `Täler & <Höhen> "eins"`, Author: "Anna Müller", Subtitle: "Ein Versuch",
		Language: lang}}
	b.Images = []manuscript.Image{
		{Name: "a.png", MediaType: "image/png", Bytes: picture(t, "png"), Width: 40, Height: 30},
		{Name: "b.jpg", MediaType: "image/jpeg", Bytes: picture(t, "jpeg"), Width: 40, Height: 30},
		{Name: "broken.png", MediaType: "image/png", Bytes: []byte("no picture"), Width: 40, Height: 30},
	}
	b.Notes = []manuscript.Note{
		{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: text("Eine Fußnote."), Anchor: "in-note"}, para("Ihr zweiter Absatz.")}},
		{Endnote: true, Blocks: []manuscript.Block{para("Eine Endnote."),
			&manuscript.List{Items: [][]manuscript.Block{{para("mit Liste")}}}}},
		{},
		{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: in{manuscript.Text{S: "Sie führt zu sich selbst."},
			manuscript.NoteRef{Note: 3}}}}},
	}
	styled := in{}
	for s := manuscript.Style(1); s <= manuscript.AllCaps; s <<= 1 {
		styled = append(styled, manuscript.Text{S: "Stil ", Style: s},
			manuscript.Text{S: "zwei ", Style: s | manuscript.Italic | manuscript.Bold})
	}
	styled = append(styled, manuscript.Text{S: "raison d’être", Style: manuscript.Italic, Language: "fr"},
		manuscript.Text{S: "nonsense", Language: "not a language"},
		manuscript.LineBreak{}, manuscript.InlineImage{Image: 1, Alt: "ein Bild"}, manuscript.IndexMark{Term: "Stil"},
		manuscript.Target{Name: "ziel"})
	links := in{
		manuscript.Link{Href: "https://example.org/a b?q=1&r=[2]#x#y", Inlines: text("weit")},
		manuscript.Link{Href: "#ziel", Inlines: in{manuscript.Text{S: "nah"}, manuscript.NoteRef{Note: 0}}},
		manuscript.Link{Href: "#nirgends", Inlines: text(" nirgends ")},
		manuscript.Link{Href: "javascript:alert(1)", Inlines: text("böse")},
		manuscript.Link{Href: "mailto:a@example.org", Inlines: text("Post")},
		manuscript.Link{Href: "#in-note", Inlines: text("Note")},
		manuscript.Link{Href: "#tafel", Inlines: in{manuscript.Link{Href: "#bild", Inlines: text("doppelt")}}},
		manuscript.Link{Href: "#bild", Inlines: text("Bild")},
		manuscript.Link{Href: "#kopf", Inlines: text("Kopf")}, manuscript.Link{Href: "http://exa mple/", Inlines: text("schief")},
		manuscript.Link{Href: "https://[::1]/x", Inlines: text("sechs")},
	}
	all := []manuscript.Block{
		&manuscript.Quote{Epigraph: true, Blocks: []manuscript.Block{para("Am Anfang.")}, Attribution: text("Jemand")},
		&manuscript.Paragraph{Inlines: in{manuscript.Text{S: "Der erste Absatz & sein <Ende>."}, manuscript.NoteRef{Note: 0},
			manuscript.Text{S: " Weiter"}, manuscript.NoteRef{Note: 1}, manuscript.NoteRef{Note: 2}, manuscript.NoteRef{Note: 3},
			manuscript.NoteRef{Note: 99}}, DropCap: true, Anchor: "p1"},
		&manuscript.Paragraph{Inlines: styled},
		&manuscript.Paragraph{Inlines: links},
		&manuscript.SceneBreak{Mark: "#"},
		&manuscript.Paragraph{Inlines: text("rechts"), Role: manuscript.RoleFlushRight},
		&manuscript.Paragraph{Inlines: text("Mitte\x01\x0b\ufffe"), Align: manuscript.AlignCenter},
		&manuscript.Paragraph{Inlines: text("   ")},
		&manuscript.Heading{Level: 1, Inlines: text("Eine Überschrift"), Anchor: "kopf"},
		&manuscript.Heading{Level: 2, Inlines: text("Noch eine")},
		&manuscript.Heading{Level: 9, Inlines: text("Tief unten")},
		&manuscript.Figure{Image: 0, Alt: "Ein Verlauf", Caption: text("Abbildung 1"), WidthMM: 50, Anchor: "bild"},
		&manuscript.Figure{Image: 1, Alt: "Ein Verlauf"},
		&manuscript.Figure{Image: 2, Alt: "zerbrochen"},
		&manuscript.Figure{Image: -1, Caption: text("ohne Bild")},
		&manuscript.Table{HeadRows: 1, Caption: text("Tafel 1"), Anchor: "tafel", Widths: []float64{0.3, 0.7}, Rows: []manuscript.Row{
			{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{para("a")}, ColSpan: 1, RowSpan: 5},
				{Blocks: []manuscript.Block{para("b")}, Align: manuscript.AlignRight}}},
			{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{para("c"), para("d")}, ColSpan: 2}}},
			{Cells: []manuscript.Cell{{}, {Blocks: []manuscript.Block{&manuscript.List{Ordered: true, Start: 3,
				Items: [][]manuscript.Block{{para("e")}}}}}}},
		}},
		&manuscript.Table{HeadRows: 3, Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{para("nur Kopf")}}}}}},
		&manuscript.Table{},
		&manuscript.List{Items: [][]manuscript.Block{{para("eins")},
			{para("zwei"), &manuscript.List{Ordered: true, Start: 4, Format: "lower-roman", Items: [][]manuscript.Block{{para("innen")}}}},
			{para("drei"), para("vier")}, {}}},
		&manuscript.Verse{Stanzas: [][]manuscript.VerseLine{{{Inlines: text("Erste Zeile")}, {Inlines: text("zweite Zeile"), Indent: 2}},
			{{Inlines: text("dritte"), Indent: 9}}, {}}, Attribution: text("Dichterin")},
		&manuscript.Quote{Blocks: []manuscript.Block{para("Zitat"), &manuscript.Quote{Blocks: []manuscript.Block{para("im Zitat")}}},
			Attribution: text("Quelle")},
		&manuscript.Code{Lines: []string{"\tif a < b {", "", "}"}},
		&manuscript.PageBreak{},
		para("Nach dem Umbruch."),
	}
	for _, k := range manuscript.AllSectionKinds() {
		s := manuscript.Section{Kind: k, Blocks: []manuscript.Block{para("Text in " + k.String() + "."), para("Mehr.")},
			Title: text(k.String())}
		switch k {
		case manuscript.KindChapter:
			s.Label, s.Number, s.Subtitle, s.Blocks = "1", "1", text("Untertitel"), all
		case manuscript.KindPart:
			s.Label, s.Number, s.Blocks = "II", "II", nil
		case manuscript.KindEpilogue:
			s.Title, s.Number, s.Language = text("Chapter 3"), "3", "en-GB"
		case manuscript.KindDedication:
			s.Title = nil
		}
		b.Sections = append(b.Sections, s)
	}
	b.Sections = append(b.Sections, manuscript.Section{Kind: manuscript.KindChapter, Blocks: []manuscript.Block{para(" ")}})
	return b
}

var created = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// pagesOf is a page list as layout reports it.
func pagesOf(b manuscript.Book) (out []PageRef) {
	for i := range b.Sections {
		out = append(out, PageRef{Folio: string(rune('A' + len(out)%26)), Section: i, Block: -1})
		for n := range b.Sections[i].Blocks {
			if n%3 == 1 {
				out = append(out, PageRef{Folio: "f" + string(rune('a'+i)) + string(rune('a'+n)), Section: i, Block: n, Letters: n % 7})
			}
		}
	}
	return append(out, PageRef{Folio: "999", Section: 3, Block: 500, Letters: 9}, PageRef{Folio: "none", Section: -1},
		PageRef{Folio: "none", Section: 1000})
}

func write(t testing.TB, b manuscript.Book, s spec.Spec, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, b, s, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func specOf(lang string) spec.Spec {
	s := spec.Default()
	s.Language = lang
	return s
}
