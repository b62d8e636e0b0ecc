package line

import (
	"strings"
	"testing"
	"unicode/utf8"

	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
)

func style(t testing.TB, language string) *Style {
	t.Helper()
	f, err := font.Open(font.Libertine, font.Regular)
	if err != nil {
		t.Fatal(err)
	}
	h, _ := hyphen.For(language)
	return &Style{Font: f, Size: 11000, Features: font.Features{OldStyle: true, Language: language}, Hyphens: h}
}

func measure(pt Unit) func(int) Unit { return func(int) Unit { return pt * 1000 } }

const prose = "The survey of the valley began in the spring of the year in which the road was opened, and it was finished, " +
	"against all expectation, before the first snow fell on the ridge. Nobody had thought that two men with a chain, a " +
	"theodolite and an obstinate mule could measure eleven communities in a single summer; the clerk in the district " +
	"office had entered four years in his ledger, and he was known for his generosity. “You have been measuring clouds,” " +
	"he said when they brought him the sheets."

// text reads back what the lines show; a hyphen that was put at a line's end is taken off again.
func text(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		for i, r := range l.Runs {
			if i > 0 && r.X > l.Runs[i-1].X+l.Runs[i-1].Width {
				b.WriteByte(' ')
			}
			s := ""
			for _, g := range r.Glyphs {
				s += g.Text
			}
			if i == len(l.Runs)-1 && l.Hyphen {
				s = strings.TrimSuffix(s, "-")
			}
			b.WriteString(s)
		}
		if !l.Hyphen && !l.End && !strings.HasSuffix(b.String(), "-") && !strings.HasSuffix(b.String(), "—") {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func TestNothingIsLost(t *testing.T) {
	st := style(t, "en")
	for _, width := range []Unit{60, 120, 200, 295, 400} {
		for _, align := range []Align{Justify, Left, Center, Right} {
			s := NewShaper()
			p := s.Paragraph([]Piece{{Text: prose, Style: st}}, Shape{Measure: measure(width), Align: align})
			for _, b := range p.Break(1) {
				if got := text(p.Lines(b)); got != prose {
					t.Fatalf("width %d, align %d, %d lines:\n%s", width, align, b.Lines(), got)
				}
			}
		}
	}
}

// Justified lines end where the measure ends, but for the characters that hang over it.
func TestEdgesAreEven(t *testing.T) {
	st := style(t, "en")
	p := NewShaper().Paragraph([]Piece{{Text: prose, Style: st}}, Shape{Measure: measure(295), Indent: 12000})
	lines := p.Lines(p.Break(0)[0])
	if len(lines) < 6 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines[:len(lines)-1] {
		end := l.Left + l.Width
		if over := end - 295000; over < 0 || over > 6000 {
			t.Errorf("line %d ends %d/1000 pt beyond the measure: %s", i, over, text(lines[i:i+1]))
		}
		if l.Space > 1800 {
			t.Errorf("line %d: a space of %d/1000 of the norm", i, l.Space)
		}
	}
	if last := lines[len(lines)-1]; last.Left+last.Width > 295000+6000 || !last.End {
		t.Errorf("last line: %+v", last)
	}
}

func TestVariantsOfLength(t *testing.T) {
	st := style(t, "en")
	long := strings.Repeat(prose+" ", 3)
	p := NewShaper().Paragraph([]Piece{{Text: long, Style: st}}, Shape{Measure: measure(295)})
	all := p.Break(1)
	if len(all) < 2 {
		t.Fatalf("%d ways to break a paragraph of %d lines", len(all), all[0].Lines())
	}
	for _, b := range all[1:] {
		if d := b.Lines() - all[0].Lines(); d != 1 && d != -1 || b.Cost < all[0].Cost {
			t.Errorf("%d lines at cost %d beside %d at %d", b.Lines(), b.Cost, all[0].Lines(), all[0].Cost)
		}
	}
}

func TestMarksAndForcedEnds(t *testing.T) {
	st := style(t, "en")
	p := NewShaper().Paragraph([]Piece{
		{Text: "First line", Style: st, Break: true}, {Mark: 7}, {Text: "second", Style: st}, {Mark: 8},
	}, Shape{Measure: measure(295)})
	lines := p.Lines(p.Break(0)[0])
	if len(lines) != 2 || text(lines[:1]) != "First line" || text(lines[1:]) != "second" {
		t.Fatalf("%d lines: %q", len(lines), text(lines))
	}
	if len(lines[0].Marks) != 0 || len(lines[1].Marks) != 2 || lines[1].Marks[0] != 7 {
		t.Errorf("marks %v and %v", lines[0].Marks, lines[1].Marks)
	}
}

func TestMonsters(t *testing.T) {
	st := style(t, "en")
	for name, s := range map[string]string{
		"letters": strings.Repeat("a", 200_000), "hyphens": strings.Repeat("-", 3000), "syllables": strings.Repeat("lala", 4000),
		"spaces": "a" + strings.Repeat(" ", 1000) + "b", "nothing": " ", "hard spaces": strings.Repeat("wort\u00a0", 300),
		"dashes": strings.Repeat("a—", 1000), "one": "i",
	} {
		sh := NewShaper()
		p := sh.Paragraph([]Piece{{Text: s, Style: st}}, Shape{Measure: measure(100)})
		lines := p.Lines(p.Break(1)[0])
		for i, l := range lines {
			if l.Width > 110_000 && utf8.RuneCountInString(text(lines[i:i+1])) > 1 {
				t.Errorf("%s: line %d is %d/1000 pt wide", name, i, l.Width)
				break
			}
		}
	}
}

func BenchmarkParagraph(b *testing.B) {
	st := style(b, "en")
	s := NewShaper()
	for b.Loop() {
		p := s.Paragraph([]Piece{{Text: prose, Style: st}}, Shape{Measure: measure(295), Indent: 12000})
		p.Lines(p.Break(1)[0])
	}
}
