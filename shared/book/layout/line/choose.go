package line

import "slices"

// Break finds the best way to break the paragraph and, within slack lines of it, the best ways with fewer
// and with more lines; the first is the best. There is always one: a paragraph that cannot be set within
// the tolerances is set with wider spaces, words no line can hold are cut.
func (p *Paragraph) Break(slack int) []Broken {
	passes := p.passes()
	for i, pass := range passes {
		out := p.shaper.breaker.run(p.items, p.refs, pass, slack)
		if out == nil {
			continue
		}
		if slack > 0 && i == 0 && len(passes) > 1 { // other lengths may need hyphens
			out = others(out, p.shaper.breaker.run(p.items, p.refs, passes[1], slack), slack)
		}
		if i == 0 && len(passes) > 1 && p.parts(out[0]) { // better a hyphen than "Mr." at a line's end
			if with := p.shaper.breaker.run(p.items, p.refs, passes[1], 0); with != nil && !p.parts(with[0]) {
				out = others(with, out, slack)
			}
		}
		best := out[0].Cost // another length is worth no wide space and no ladder
		return slices.DeleteFunc(out, func(b Broken) bool { return b.Cost-best >= wideLine })
	}
	// A word is wider than the measure.
	*p = *p.cutWords()
	if len(p.items) <= manyItems {
		if out := p.shaper.breaker.run(p.items, p.refs, passes[len(passes)-1], slack); out != nil {
			return out
		}
	}
	return []Broken{p.firstFit()}
}

// parts says whether a line ends between words that belong together.
func (p *Paragraph) parts(b Broken) bool {
	return slices.ContainsFunc(b.At, func(i int) bool { return p.items[i].Kind == Penalty && p.items[i].Cost == tieCost })
}

// manyItems: a paragraph cut into more pieces is no text, and is filled line after line.
const manyItems = 20_000

// others adds those of more whose numbers of lines are new and within slack of the first.
func others(out, more []Broken, slack int) []Broken {
	for _, m := range more {
		d := m.Lines() - out[0].Lines()
		if d < -slack || d > slack || slices.ContainsFunc(out, func(b Broken) bool { return b.Lines() == m.Lines() }) {
			continue
		}
		out = append(out, m)
	}
	return out
}

// Demerits that no other fault outweighs: of a line with wide spaces, as much as of a space 2.7 times the
// norm, so that one such line is taken before two, and of a third hyphen in a row.
const (
	wideLine     = 20_000_000
	threeHyphens = 1 << 50
)

// passes are the costs that are tried in turn. Running text is broken without hyphens, then with them, then by
// any way at all that has no wide space and no ladder of hyphens; where there is no such way, with wide spaces,
// with stretch for nothing and with a ladder.
func (p *Paragraph) passes() []Params {
	base := Params{
		Width: p.shape.Measure, Tolerance: 230, HyphenCost: 290,
		Wide: wideLine, TwoHyphens: 8000, ThirdHyphens: threeHyphens, LastHyphen: 5000, Fragment: 400_000, Fitness: 3000,
		Runt: 40_000, RuntWidth: max(2*p.shape.Indent, 2*p.size), Stack: 20_000,
	}
	if p.shape.Align != Justify {
		base.Emergency = 3 * p.size
		base.HyphenCost = 500
		ragged, wider := base, base
		ragged.Hyphens, wider.Hyphens, wider.Ladder = true, true, true
		ragged.Tolerance, wider.Tolerance = 1000, 10000
		wider.Emergency = 6 * p.size
		return []Params{ragged, wider}
	}
	hyphens, even, loose, emergency := base, base, base, base
	hyphens.Hyphens, even.Hyphens, loose.Hyphens, emergency.Hyphens = true, true, true, true
	hyphens.Tolerance, even.Tolerance, loose.Tolerance, emergency.Tolerance = 400, int32(badness(wideRatio)), 3000, 10000
	even.Every, loose.Every = true, true
	emergency.Emergency = 2 * p.size
	ladder := emergency
	ladder.Ladder = true
	return []Params{base, hyphens, even, loose, emergency, ladder}
}

// cutWords is the paragraph with every word that is wider than half of the measure cut anywhere, and with
// hard spaces as soft ones.
func (p *Paragraph) cutWords() *Paragraph {
	c := &Paragraph{shape: p.shape, shaper: p.shaper, size: p.size}
	next := 0
	run := Unit(0) // of boxes that nothing parts
	for i := 0; i < len(p.items); i++ {
		for next < len(p.marks) && p.marks[next].item <= i {
			c.marks = append(c.marks, markAt{len(c.items), p.marks[next].mark})
			next++
		}
		r := p.refs[i]
		if it := &p.items[i]; it.Kind == Penalty && it.Cost == Never && i+1 < len(p.items) && p.refs[i+1].style != nil {
			continue // spaces that must not break do so now
		}
		switch it := &p.items[i]; {
		case it.Kind == Glue || it.Kind == Penalty && it.Cost < Never:
			run = 0
		case it.Kind == Box:
			if run += it.Width; run > p.shape.Measure(0)/3 && r.from == 0 && i > 0 && p.items[i-1].Kind == Box {
				c.add(Item{Kind: Penalty, Cost: 1000}, ref{style: r.style})
				run = it.Width
			}
		}
		if r.word == nil || r.style.scale(r.word.width) <= p.shape.Measure(0)/2 {
			c.add(p.items[i], r)
			continue
		}
		if p.items[i].Kind == Box && r.from == 0 {
			c.word(r.style, r.word, nil, true)
		}
	}
	for ; next < len(p.marks); next++ {
		c.marks = append(c.marks, markAt{len(c.items), p.marks[next].mark})
	}
	return c
}

// firstFit fills line after line; what is wider than the measure stands out. It is for measures that
// nothing fits into.
func (p *Paragraph) firstFit() Broken {
	b := &p.shaper.breaker
	b.items, b.p = p.items, Params{Width: p.shape.Measure}
	b.measure()
	var out Broken
	from, last := int32(-1), int32(-1)
	for i := int32(0); i < int32(len(p.items)); i++ {
		it := &p.items[i]
		legal := it.Kind == Glue && i > 0 && p.items[i-1].Kind == Box || it.Kind == Penalty && it.Cost < Never
		if !legal {
			continue
		}
		if last > from && b.between(from, i).ratio(int64(p.shape.Measure(len(out.At))), 1) < -one {
			out.At, out.Ratio = append(out.At, int(last)), append(out.Ratio, 0)
			from = last
		}
		if last = i; it.Kind == Penalty && it.Cost <= Forced {
			out.At, out.Ratio = append(out.At, int(i)), append(out.Ratio, 0)
			from = i
		}
	}
	return out
}
