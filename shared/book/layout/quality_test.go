package layout

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// vocabulary are words of prose; the short ones come often.
var vocabulary = map[string][2]string{
	"en": {`the of and to a in that he was it his had with as for at on her she but not they from by all which we you were be so
		there said been one when their would what up out who them then my if no into could only little`,
		`machine traveller darkness laboratory afternoon expression suddenly sunlight dimension civilization underground moment
		psychologist experiment presently magnificent impossible architecture vegetation staircase mechanism understanding
		atmosphere candlestick satisfaction remember window evening garden table question explanation curious strange broken
		mountain people thought through against though brought wretched stretched strength breathed clothes something`},
	"de": {`der die und in er zu das sich nicht ein es mit auf sie war den als dem auch aus an so daß wenn ihm ihn nur noch schon
		wie doch aber vor dann bei nach nun hatte eine seine durch über zum ganz kaum`,
		`Zimmer Schwester Gesellschaft Verwandlung Geschäftsführer Wohnzimmertür Morgendämmerung Vergangenheit ungeheuer
		Reisender plötzlich Unannehmlichkeiten Entschuldigung Augenblick Anstrengung vollständig Schreibtisch Zimmerherren
		Familie Rücksicht Schlafzimmer langsam Bedienerin unverständlich Beschäftigung Dunkelheit Geschwindigkeit Mutter Vater
		Türflügel Kanapee gewöhnlich Überlegung Nachmittag Fenster Hoffnung Aufmerksamkeit Gewohnheit vorsichtig eigentlich`},
}

// likeProse is a made up text of words that are real.
func likeProse(language string, seed uint64, paragraphs int) manuscript.Book {
	r := rand.New(rand.NewPCG(seed, 7))
	short, long := strings.Fields(vocabulary[language][0]), strings.Fields(vocabulary[language][1])
	every := map[string]int{"en": 5, "de": 6}[language] // of words is long
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Prose", Author: "Nobody", Language: language}}
	s := manuscript.Section{Kind: manuscript.KindChapter, Title: []manuscript.Inline{manuscript.Text{S: "One"}}}
	for i := range paragraphs {
		var t strings.Builder
		for range 1 + r.IntN(8) {
			n := 4 + r.IntN(22)
			for k := range n {
				w := short[r.IntN(len(short))]
				if r.IntN(every) == 0 {
					w = long[r.IntN(len(long))]
				}
				if k == 0 {
					w = strings.ToUpper(w[:1]) + w[1:]
				}
				t.WriteString(w)
				switch {
				case k+1 == n:
					t.WriteString(". ")
				case k%9 == 5:
					t.WriteString(", ")
				default:
					t.WriteByte(' ')
				}
			}
		}
		s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: strings.TrimSpace(t.String())}}})
		if i%60 == 59 {
			b.Sections = append(b.Sections, s)
			s.Blocks = nil
		}
	}
	return b
}

// At 11 on 14 points and a measure of 4.1 inches few lines are divided, spaces stay close to the norm, and no
// paragraph leaves a line alone.
func TestQuality(t *testing.T) {
	for _, c := range []struct {
		language, face string
		hyphens        float64 // most, of all lines
	}{{"en", "libertine", 0.04}, {"en", "stix-two", 0.04}, {"de", "libertine", 0.09}, {"de", "stix-two", 0.09}} {
		s := spec.Default()
		s.Language, s.Face = c.language, c.face
		s.Margins.InnerMM = (s.Trim.WidthMM - 4.1*25.4) / 2
		s.Margins.OuterMM = s.Margins.InnerMM
		out, r := set(t, likeProse(c.language, 1, 360), s, Options{})
		all := r.Textures.All()
		share := float64(all.Hyphens) / float64(all.Lines)
		t.Logf("%s %s: %d pages, %d lines, %.1f %% divided, at most %d in a row, %d wide", c.language, c.face, len(out.Pages), all.Lines,
			100*share, all.MaxRow, all.Wide)
		if share > c.hyphens || all.MaxRow > 2 || all.Wide > all.Lines/400 {
			t.Errorf("%s %s: %.1f %% of the lines divided, %d in a row, %d wide of %d", c.language, c.face, 100*share, all.MaxRow, all.Wide,
				all.Lines)
		}
		for _, f := range r.Faults {
			if slices.Contains(f.Reasons, paginate.Widow) || slices.Contains(f.Reasons, paginate.Uneven) {
				t.Errorf("%s %s: page %d: %v", c.language, c.face, f.Page, f.Reasons)
			}
		}
	}
}

func benchmark(b *testing.B, paragraphs int) {
	book := likeProse("en", 1, paragraphs)
	s := spec.Default()
	for b.Loop() {
		_, r, err := Set(context.Background(), book, s, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Pages), "pages")
	}
}

func BenchmarkSet110Pages(b *testing.B) { benchmark(b, 620) }
func BenchmarkSet400Pages(b *testing.B) { benchmark(b, 2340) }
