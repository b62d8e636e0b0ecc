package layout

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// Every word of the manuscript stands on the pages once, running text in its order, in all designs.
func TestEverything(t *testing.T) {
	b := everything(t)
	want, order := said(b)
	for _, c := range []struct {
		name   string
		change func(*spec.Spec)
	}{
		{"default", func(*spec.Spec) {}},
		{"drop caps", func(s *spec.Spec) { s.FirstLine = spec.FirstDropCap }},
		{"small capitals", func(s *spec.Spec) { s.FirstLine = spec.FirstSmallCaps; s.Openers = spec.NextPage }},
		{"small page", func(s *spec.Spec) { s.Trim = spec.Trim{WidthMM: 90, HeightMM: 140}; s.FirstLine = spec.FirstDropCap }},
		{"large type", func(s *spec.Spec) { s.SizePt, s.LeadingPt = 16, 20 }},
		{"endnotes", func(s *spec.Spec) { s.Notes = spec.NotesEnd }},
		{"stix", func(s *spec.Spec) { s.Face = "stix-two"; s.PageMultiple = 4 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := spec.Default()
			s.Hyphenate = false
			c.change(&s)
			out, r := set(t, b, s, Options{Proof: "PROOF"})
			sound(t, out, r)
			count, prose := shownWords(out)
			dropped := map[string]bool{} // their first letter stands alone
			for w := range want {
				if n := count[w]; n == 0 && s.FirstLine == spec.FirstDropCap && slices.ContainsFunc(allTexts(out),
					func(s string) bool { return s == w[1:] }) {
					dropped[w] = true
				} else if n != 1 {
					t.Errorf("%s stands on the pages %d times", w, n)
				}
			}
			if len(dropped) > 2 {
				t.Errorf("%d words have lost their first letter", len(dropped))
			}
			if exp := slices.DeleteFunc(slices.Clone(order), func(w string) bool { return dropped[w] }); !slices.Equal(exp, prose) {
				t.Error("running text is out of order")
			}
			for i, p := range out.Pages {
				if !slices.Contains(texts(p), "PROOF") {
					t.Errorf("page %d is no proof", i)
				}
			}
		})
	}
}

func texts(p page.Page) (out []string) {
	for _, m := range p.Marks {
		if g, ok := m.(page.Glyphs); ok {
			out = append(out, g.Text)
		}
	}
	return out
}

func allTexts(b *page.Book) (out []string) {
	for _, p := range b.Pages {
		out = append(out, texts(p)...)
	}
	return out
}

// prose is a book of chapters of paragraphs of many lengths.
func prose(seed uint64, chapters, paragraphs int) manuscript.Book {
	r := rand.New(rand.NewPCG(seed, 1))
	w := &writer{n: int(seed) * 1000}
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Prose", Author: "Nobody", Language: "en"}}
	for i := range chapters {
		s := manuscript.Section{Kind: manuscript.KindChapter, Label: fmt.Sprint(i + 1), Number: fmt.Sprint(i + 1),
			Title: []manuscript.Inline{manuscript.Text{S: "Chapter"}}}
		for range paragraphs {
			s.Blocks = append(s.Blocks, w.paragraph("X", 3+r.IntN(30)*r.IntN(7)))
			switch r.IntN(30) {
			case 0:
				s.Blocks = append(s.Blocks, &manuscript.SceneBreak{})
			case 1:
				s.Blocks = append(s.Blocks, &manuscript.Heading{Level: 1 + r.IntN(3), Inlines: w.inlines("H", 3)})
			case 2:
				b.Notes = append(b.Notes, manuscript.Note{Blocks: []manuscript.Block{w.paragraph("N", 3+r.IntN(50))}})
				p := s.Blocks[len(s.Blocks)-1].(*manuscript.Paragraph)
				p.Inlines = append(p.Inlines, manuscript.NoteRef{Note: len(b.Notes) - 1})
			}
		}
		b.Sections = append(b.Sections, s)
	}
	return b
}

// Lines of running text stand on the grid; facing pages end on the same line, no paragraph leaves one line
// alone, unless the report says so.
func TestPages(t *testing.T) {
	for seed := range uint64(12) {
		b := prose(seed, 3, 60)
		s := spec.Default()
		out, r := set(t, b, s, Options{})
		sound(t, out, r)
		d, err := newDesign(s, len(out.Pages))
		if err != nil {
			t.Fatal(err)
		}
		faults := map[int]bool{}
		for _, f := range r.Faults {
			faults[f.Page] = true
			if slices.Contains(f.Reasons, paginate.Widow) {
				t.Errorf("seed %d: a widow on page %d", seed, f.Page)
			}
		}
		lastOf := map[int]bool{}
		for _, x := range r.Sections {
			lastOf[x.Page-1], lastOf[x.Page-2] = true, true // the one before may be a blank page
		}
		lastOf[len(out.Pages)-1], lastOf[len(out.Pages)-2] = true, true
		bottom := make([]Unit, len(out.Pages))
		for i, p := range out.Pages {
			for _, m := range p.Marks {
				g, ok := m.(page.Glyphs)
				if !ok || g.Y < d.top || g.Y >= d.folioBase {
					continue
				}
				if g.Size == d.size && g.Text[0] == 'X' && (g.Y-d.top-d.first)%d.leading != 0 {
					t.Errorf("seed %d, page %d: %s stands off the grid", seed, i, g.Text)
				}
				if g.Text == "*" { // of three rows, the middle one, and below its baseline
					g.Y += d.leading - (g.Y-d.top-d.first)%d.leading
				}
				bottom[i] = max(bottom[i], g.Y)
			}
		}
		for i := 1; i+1 < len(out.Pages); i += 2 {
			if bottom[i] != bottom[i+1] && !lastOf[i] && !lastOf[i+1] && !faults[i] && !faults[i+1] {
				t.Errorf("seed %d: pages %d and %d end at %d and %d", seed, i, i+1, bottom[i], bottom[i+1])
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := Set(ctx, prose(1, 2, 20), spec.Default(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	ctx, stop = context.WithCancel(context.Background())
	defer stop()
	o := Options{Progress: func(_ string, done, _ int) {
		if done == 2 { // in the middle of the book
			stop()
		}
	}}
	if _, _, err := Set(ctx, prose(1, 5, 20), spec.Default(), o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Numbers of the contents end under each other; a title that is too long for its line goes on under its
// own beginning.
func TestNumbersOfContents(t *testing.T) {
	var b manuscript.Book
	for i := range 11 {
		title := fmt.Sprintf("Gallery %c", 'A'+i)
		if i == 9 {
			title += strings.Repeat(" of very many words", 6)
		}
		b.Sections = append(b.Sections, manuscript.Section{Kind: manuscript.KindChapter, Label: fmt.Sprint(i + 1),
			Number: fmt.Sprint(i + 1), Title: []manuscript.Inline{manuscript.Text{S: title}},
			Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "Text."}}}}})
	}
	out, _ := set(t, b, spec.Default(), Options{})
	at := map[string]Unit{} // left edges on the page of the contents
	turned := Unit(1 << 30) // the leftmost of the words a line may begin with
	for _, m := range out.Pages[0].Marks {
		if g, ok := m.(page.Glyphs); ok {
			number, _, _ := strings.Cut(g.Text, "\u2002")
			at[number] = g.X
			if slices.Contains([]string{"of", "very", "many", "words"}, g.Text) {
				turned = min(turned, g.X)
			}
		}
	}
	one := at["9"] - at["10"] // the width of a figure
	if at["10"] == 0 || at["10"] != at["11"] || at["8"] != at["9"] || one < 4000 || one > 7000 || turned != at["10"]+2*one+5500 {
		t.Errorf("left edges %v, turned line %d", at, turned)
	}
}
