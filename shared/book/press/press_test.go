package press

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mappe/shared/book/finding"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/pdf"
	"mappe/shared/book/spec"
)

var created = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// novel is a small manuscript in Markdown.
func novel(chapters int) []byte {
	var b strings.Builder
	for c := range chapters {
		fmt.Fprintf(&b, "# Chapter %d\n\n", c+1)
		for p := range 30 {
			fmt.Fprintf(&b, "The lantern of paragraph %d swung *gently* above the harbour, and whoever had waited for the ferry in that weather knew that it would not come before the morning.\n\n", p+1)
		}
	}
	return []byte(b.String())
}

func ordinary() spec.Spec {
	s := spec.Default()
	s.Title, s.Author = "The Lantern", "Ida Example"
	return s
}

func TestBookIsMadeAndTheSameTwice(t *testing.T) {
	for _, edition := range AllEditions() {
		var first Outputs
		for try := range 2 {
			m, err := Open("lantern.md", novel(4), ordinary())
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			last := -1.0
			out, err := Build(t.Context(), m, ordinary(), Job{Edition: edition, Format: Both, Created: created, Preview: true,
				Progress: func(step string, done float64) {
					if len(steps) == 0 || steps[len(steps)-1] != step {
						steps = append(steps, step)
					}
					if done < last || done > 1 {
						t.Errorf("%s at %v after %v", step, done, last)
					}
					last = done
				}})
			if err != nil {
				t.Fatal(err)
			}
			if last != 1 || len(steps) < 6 || steps[0] != StepSet || !bytes.HasPrefix(out.PDF, []byte("%PDF-")) ||
				!bytes.HasPrefix(out.EPUB, []byte("PK")) || out.Pages < 8 {
				t.Fatalf("%v to %v, %d pages, %d and %d bytes", steps, last, out.Pages, len(out.PDF), len(out.EPUB))
			}
			if (out.Preview != nil) != (edition == Proof) || out.Preview != nil && len(out.Preview.List.Pages) != out.Pages {
				t.Errorf("%s: preview %v", edition, out.Preview != nil)
			}
			if try == 0 {
				first = out
			} else if !bytes.Equal(first.PDF, out.PDF) || !bytes.Equal(first.EPUB, out.EPUB) {
				t.Error("the same book gives other bytes")
			}
		}
	}
}

func TestFormats(t *testing.T) {
	m, err := Open("lantern.md", novel(1), ordinary())
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[Format][2]bool{Both: {true, true}, PDF: {true, false}, EPUB: {false, true}} {
		out, err := Build(t.Context(), m, ordinary(), Job{Edition: Final, Format: format, Created: created})
		if err != nil || (out.PDF != nil) != want[0] || (out.EPUB != nil) != want[1] {
			t.Errorf("%s: %v, %v, %v", format, out.PDF != nil, out.EPUB != nil, err)
		}
	}
	if _, err := Build(t.Context(), m, ordinary(), Job{Edition: "draft", Format: Both}); err == nil {
		t.Error("an unknown edition is built")
	}
}

// want is what the text of a fault holds.
func wantFault(t *testing.T, err error, holds ...string) *Fault {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("want a fault, got %v", err)
	}
	for _, s := range holds {
		if !strings.Contains(f.Error(), s) {
			t.Errorf("want %q in %s", s, f.Error())
		}
	}
	if strings.Count(f.Error(), "\n") > 2 {
		t.Errorf("more than three lines: %q", f.Error())
	}
	return f
}

func TestFilesThatAreNoManuscripts(t *testing.T) {
	for text, holds := range map[string]string{"": "empty", "%PDF-1.7": "PDF", "PK\x03\x04 broken": "Technical detail: ",
		"{\\rtf1": "Rich Text"} {
		_, err := Open("x.docx", []byte(text), ordinary())
		wantFault(t, err, holds)
	}
	_, err := Open("x.txt", []byte(strings.Repeat("word ", MaxWords+1)), ordinary())
	wantFault(t, err, "1000001 words")
}

func TestLanguageIsTheManuscriptsUnlessSpecified(t *testing.T) {
	german := []byte("# Erstes Kapitel\n\n" +
		strings.Repeat("Der Mann ging langsam über die Brücke, und niemand wusste, woher er gekommen war oder was er suchte. ", 30))
	s := ordinary()
	s.Language = ""
	m, err := Open("x.md", german, s)
	if err != nil || m.Language != "de" {
		t.Errorf("%q, %v", m.Language, err)
	}
	s.Language = "en-GB"
	if m, err = Open("x.md", german, s); err != nil || m.Language != "en-GB" {
		t.Errorf("%q, %v", m.Language, err)
	}
	for given, want := range map[string]string{"de-AT": "de-AT", "de-LI": "de", "fr": "en", "": "en"} {
		if got := languageOf(spec.Spec{}, manuscript.Book{Meta: manuscript.Meta{Language: given}}); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

// broken is the press with one part that does as it is told.
func broken(change func(*Parts)) Parts {
	p := Standard()
	change(&p)
	return p
}

func TestFaultsOfABuild(t *testing.T) {
	m, err := Open("lantern.md", novel(2), ordinary())
	if err != nil {
		t.Fatal(err)
	}
	final := Job{Edition: Final, Format: Both, Created: created}
	panics := broken(func(p *Parts) {
		p.Set = func(_ context.Context, _ manuscript.Book, _ spec.Spec, o layout.Options) (*page.Book, layout.Report, error) {
			o.Progress("pages", 1, 2)
			panic("out of type")
		}
	})
	_, err = panics.Build(t.Context(), m, ordinary(), final)
	f := wantFault(t, err, "fault of its own", "Near: “", "The lantern", "out of type", "press_test.go:", StepSet)
	if f.Near == "" || f.Unwrap() == nil {
		t.Errorf("%+v", f)
	}
	missing := broken(func(p *Parts) {
		p.Set = func(ctx context.Context, b manuscript.Book, s spec.Spec, o layout.Options) (*page.Book, layout.Report, error) {
			out, r, err := layout.Set(ctx, b, s, o)
			r.Missing = []rune{'ᚠ', 0x10FFFF}
			return out, r, err
		}
	})
	_, err = missing.Build(t.Context(), m, ordinary(), final)
	wantFault(t, err, "U+16A0", "U+10FFFF", "another face")
	if _, err = missing.Build(t.Context(), m, ordinary(), Job{Edition: Proof, Format: PDF, Created: created}); err != nil {
		t.Errorf("a proof is made: %v", err)
	}
	unsound := broken(func(p *Parts) {
		p.CheckPDF = func([]byte, pdf.Preset, spec.Spec) (wrong, refused []string) {
			return []string{"no TrimBox", "b", "c", "d", "e", "f", "g"}, nil
		}
	})
	_, err = unsound.Build(t.Context(), m, ordinary(), final)
	wantFault(t, err, "print file", "fault is in the press", "no TrimBox", "and 2 more")
	unsound = broken(func(p *Parts) { p.CheckEPUB = func([]byte) []string { return []string{"no nav"} } })
	_, err = unsound.Build(t.Context(), m, ordinary(), final)
	wantFault(t, err, "e-book", "no nav")
	holes := m
	holes.Found = append(holes.Found, finding.New(finding.MissingImage, manuscript.Place{}, "map.png"))
	_, err = Build(t.Context(), holes, ordinary(), final)
	wantFault(t, err, "picture", "map.png", "missing_image")
	if _, err = Build(t.Context(), holes, ordinary(), Job{Edition: Proof, Format: PDF, Created: created}); err != nil {
		t.Errorf("a proof is made: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Build(ended, m, ordinary(), final)
	f = wantFault(t, err, "longer than it may")
	if !errors.Is(f, context.Canceled) {
		t.Errorf("%v", f.Unwrap())
	}
	reads := broken(func(p *Parts) {
		p.Read = func(string, []byte) (manuscript.Book, []finding.Finding, error) {
			panic(fmt.Errorf("index out of range"))
		}
	})
	_, err = reads.Open("x", nil, ordinary())
	wantFault(t, err, "reading the manuscript", "index out of range")
	if got := Of(errors.New("disk full\nat x")); !strings.Contains(got.Error(), "disk full at x") {
		t.Errorf("%v", got)
	}
}

// TestPrinterRefuses: a final for a printer that has rules keeps them or says which it breaks; proofs, and
// finals for nobody in particular, are made.
func TestPrinterRefuses(t *testing.T) {
	m, err := Open("lantern.md", novel(2), ordinary())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		printer string
		edition Edition
		size    float64
		refused string
	}{
		{"kdp", Final, 11, "pages, the printer takes 24 to 828"}, {"kdp", Proof, 11, ""}, {"plain", Final, 11, ""},
		{"ingram", Final, 11, "takes 18 to 1200"}, {"ingram", Final, 18, ""},
	} {
		s, err := spec.Apply(ordinary(), map[string]any{"printer": c.printer, "size_pt": c.size, "leading_pt": c.size + 3, "trim": "5x8",
			"openers": "next_page"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := Build(t.Context(), m, s, Job{Edition: c.edition, Format: PDF, Created: created})
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.refused != "" && err == nil:
			t.Errorf("%+v: %d pages are not refused", c, out.Pages)
		case c.refused != "":
			wantFault(t, err, c.refused, "plain printer")
		}
	}
}

// watched are the press's parts; the pages that were set last are laid down.
func watched(pages **page.Book) Parts {
	return broken(func(p *Parts) {
		p.Set = func(ctx context.Context, b manuscript.Book, s spec.Spec, o layout.Options) (*page.Book, layout.Report, error) {
			out, r, err := layout.Set(ctx, b, s, o)
			*pages = out
			return out, r, err
		}
	})
}

// TestProofLine: every page of a proof bears it, no page of a final does.
func TestProofLine(t *testing.T) {
	for _, edition := range AllEditions() {
		var pages *page.Book
		p := watched(&pages)
		m, err := p.Open("lantern.md", novel(3), ordinary())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Build(t.Context(), m, ordinary(), Job{Edition: edition, Format: PDF, Created: created}); err != nil {
			t.Fatal(err)
		}
		for i := range pages.Pages {
			has := false
			for _, mark := range pages.Pages[i].Marks {
				if g, ok := mark.(page.Glyphs); ok && strings.Contains(g.Text, "PROOF") {
					has = true
				}
			}
			if has != (edition == Proof) {
				t.Errorf("%s, page %d: PROOF line %v", edition, i+1, has)
			}
		}
	}
}

// BenchmarkBook is a book of about 110 pages, read, examined, set, written and checked.
func BenchmarkBook(b *testing.B) {
	text := novel(44)
	b.ReportAllocs()
	for b.Loop() {
		m, err := Open("lantern.md", text, ordinary())
		if err != nil {
			b.Fatal(err)
		}
		out, err := Build(b.Context(), m, ordinary(), Job{Edition: Final, Format: Both, Created: created})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Pages), "pages")
	}
}
