package line

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// evenWay says whether a paragraph can be broken without a wide space and without three hyphens in a row. It
// tries every line between two breaks by setting it, and leaves out those at the very limit.
func evenWay(p *Paragraph) bool {
	type place struct{ item, hyphens int }
	starts := map[place]int{{-1, 0}: 0} // by the number of its line, which no measure here depends on
	for to := range p.items {
		it := &p.items[to]
		if legal := it.Kind == Glue && to > 0 && p.items[to-1].Kind == Box || it.Kind == Penalty && it.Cost < Never; !legal {
			continue
		}
		last := to == len(p.items)-1
		for from := range starts {
			hyphens := 0
			if it.Flagged {
				hyphens = from.hyphens + 1
			}
			l := p.line(1, from.item, to, 0)
			if l.Space >= 670 && (l.Space <= 1795 && hyphens < 3 || last) {
				if last {
					return true
				}
				starts[place{to, hyphens}] = 1
			}
		}
	}
	return false
}

// A wide space is set only where there is no way without one: every way is tried by other means.
func TestWideSpacesOnlyWithoutAnotherWay(t *testing.T) {
	words := strings.Fields(prose +
		" Landschaftsbeschreibungen rain-soaked Versicherungsgesellschaften “Impossible, through strengths Unterschrift—or breathed")
	st := style(t, "en")
	r := rand.New(rand.NewPCG(4, 1))
	even, wide := 0, 0
	for range 400 {
		var b strings.Builder
		for range 12 + r.IntN(50) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		p := NewShaper().Paragraph([]Piece{{Text: b.String(), Style: st}}, Shape{Measure: measure(Unit(110 + r.IntN(90))), Indent: 12000})
		worst := int32(0)
		for _, l := range p.Lines(p.Break(1)[0]) {
			worst = max(worst, l.Space)
		}
		if worst <= WideSpace {
			even++
			continue
		}
		wide++
		if evenWay(p) {
			t.Errorf("a space of %d/1000 of the norm where all could be narrower: %s", worst, b.String())
		}
	}
	if even < 50 || wide < 50 {
		t.Errorf("%d paragraphs without wide spaces, %d with: both are wanted", even, wide)
	}
}
