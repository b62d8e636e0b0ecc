package line

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTied: "_" stands where a line should not end.
func TestTied(t *testing.T) {
	for _, c := range []struct{ text, language string }{
		{"Mr._Darcy and Mrs._Bennet, Dr._J._R._R._Tolkien of St._Paul’s", "en"},
		{"(Mr._Darcy said “Mr._Bennet", "en"},
		{"see p._44 and pp._12–18 and no._7 or §_3", "en"},
		{"plan b. Then it is e._g. this", "en"},
		{"z._B. oder d._h. und i._d._R. auch", "de"},
		{"am 3._Mai 1895, 12_km weit, 3,5_kg schwer, 5_%, um 7_Uhr", "de"},
		{"on 12_May and on May_12", "en"},
		{"Franz_II. und Ludwig_XIV. und Kapitel_IV", "de"},
		{"Then I went in 1914 in Wien und 3 Männer", "de"},
		{"das Haus. Der Mr. sagte Nr. sieben", "de"},
		{"a house I saw", "en"},
		{"byl v_lese a_spal", "cs"},
		{"das_– was_—", "de"},
	} {
		before := ""
		for _, group := range strings.Split(c.text, " ") {
			for i, word := range strings.Split(group, "_") {
				if got, want := together(before, word, c.language) > 0, i > 0; got != want {
					t.Errorf("%s: %q and %q: together %v", c.language, before, word, got)
				}
				before = word
			}
		}
	}
}

// randomText is some words of prose in any order.
func randomText(r *rand.Rand, most int) string {
	words := strings.Fields(prose + " rain-soaked magnificent understanding atmosphere psychologist presently")
	var b strings.Builder
	for range 12 + r.IntN(most) {
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	return b.String()
}

// Few lines end behind a title or inside a range of years: beside the same paragraphs with a comma or a letter,
// which tie nothing, a third and six tenths at most.
func TestLinesEndElsewhere(t *testing.T) {
	st := style(t, "en")
	r := rand.New(rand.NewPCG(5, 1))
	ends := func(s, title string) (n int) {
		p := NewShaper().Paragraph([]Piece{{Text: s, Style: st}}, Shape{Measure: measure(295), Indent: 12000})
		for _, l := range p.Lines(p.Break(0)[0]) {
			if strings.HasSuffix(l.Runs[len(l.Runs)-1].Text, title) {
				n++
			}
		}
		return n
	}
	tied, loose, ranges, words := 0, 0, 0, 0
	for range 300 {
		s := strings.ReplaceAll(randomText(r, 60), " the ", " Mr. Brown ")
		tied, loose = tied+ends(s, "Mr."), loose+ends(strings.ReplaceAll(s, "Mr.", "Mr,"), "Mr,")
		s = strings.ReplaceAll(s, "Mr. Brown", "1914–1918")
		ranges, words = ranges+ends(s, "1914–"), words+ends(strings.ReplaceAll(s, "–1918", "–o918"), "1914–")
	}
	if words < 20 || ranges*10 > words*6 {
		t.Errorf("%d lines end inside a range of years, %d behind the same dash before a letter", ranges, words)
	}
	if loose < 20 || tied*3 > loose {
		t.Errorf("%d lines end behind a title, %d behind the word with a comma", tied, loose)
	}
}

// faultsOf counts last lines that are the rest of a word, and words that stand under themselves at an edge.
func faultsOf(lines []Line) (rests, stacks int) {
	for i := 1; i < len(lines); i++ {
		a, b := lines[i-1], lines[i]
		if i == len(lines)-1 && a.Hyphen && len(b.Runs) == 1 {
			rests++
		}
		if a.Runs[0].Text == b.Runs[0].Text {
			stacks++
		}
		if a.Runs[len(a.Runs)-1].Text == b.Runs[len(b.Runs)-1].Text {
			stacks++
		}
	}
	return rests, stacks
}

// Breaking with the costs of these faults leaves seven tenths at most of those that breaking without them does.
func TestRestsAndStacksAreRare(t *testing.T) {
	st := style(t, "en")
	r := rand.New(rand.NewPCG(6, 1))
	var rests, stacks, restsOf, stacksOf int
	for i := range 4000 {
		p := NewShaper().Paragraph([]Piece{{Text: randomText(r, 5+i%40), Style: st}}, Shape{Measure: measure(Unit(260 + r.IntN(60)))})
		pass := p.passes()[1]
		with := p.shaper.breaker.run(p.items, p.refs, pass, 0)
		pass.Fragment, pass.Stack = 0, 0
		without := p.shaper.breaker.run(p.items, p.refs, pass, 0)
		if with == nil || without == nil {
			continue
		}
		a, b := faultsOf(p.Lines(with[0]))
		c, d := faultsOf(p.Lines(without[0]))
		rests, stacks, restsOf, stacksOf = rests+a, stacks+b, restsOf+c, stacksOf+d
	}
	if restsOf < 8 || rests*10 > restsOf*7 || stacksOf < 100 || stacks*10 > stacksOf*7 {
		t.Errorf("rests of words %d, without the cost %d; words under themselves %d, without the cost %d", rests, restsOf, stacks, stacksOf)
	}
}
