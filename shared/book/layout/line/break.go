package line

import "math"

// ItemKind is what an item is.
type ItemKind uint8

// A box has a width; a glue has one that gives and takes and may end a line; a penalty may end a line at
// a cost.
const (
	Box ItemKind = iota
	Glue
	Penalty
)

// Item is a piece of a paragraph as the breaker sees it.
type Item struct {
	Kind    ItemKind
	Flagged bool // a penalty that leaves a hyphen
	Width   Unit // of a penalty: only when the line ends there (the hyphen)
	Stretch Unit // of glue: between words; of a box: between letters
	Shrink  Unit
	Cost    int32 // of a penalty: Forced, Never or between
	After   Unit  // of a penalty: how much the next line is wider for beginning there (lost kerning)
	Left    Unit  // how far the item hangs out when it begins a line
	Right   Unit  // how far the item hangs out when it ends a line
}

// The ends of the scale of Item.Cost.
const (
	Forced int32 = -10000
	Never  int32 = 10000
)

// Params are the breaker's costs. Costs are as TeX's: a line of badness b and penalty p costs
// (LinePenalty+b)² + p².
type Params struct {
	Width func(line int) Unit // of the measure of a line, counted from 0

	Hyphens    bool // whether flagged penalties may be used
	Ladder     bool // whether a third hyphen in a row may be
	Every      bool // every way is followed, however many lines it takes, in paragraphs up to everyItems
	Tolerance  int32
	Emergency  Unit // stretch that every line has for nothing
	HyphenCost int32

	Wide         int64 // demerits of a line whose spaces are wider than WideSpace
	TwoHyphens   int64 // demerits of hyphens in two lines that follow each other
	LastHyphen   int64 // demerits of a hyphen in the line before the last
	Fragment     int64 // demerits of a last line that is the rest of a divided word and nothing else
	Fitness      int64 // demerits of a tight line beside a loose one
	Runt         int64 // demerits of a last line shorter than RuntWidth
	RuntWidth    Unit
	ThirdHyphens int64 // demerits of a third hyphen in a row
	Stack        int64 // demerits of a line that begins or ends with the word that the one before does
}

// WideSpace is how wide a word space may be, in 1/1000 of the norm: a line above it is set only where there is
// no other way. wideRatio is the ratio that makes such a space, as a space stretches by half of its width.
const (
	WideSpace = 1800
	wideRatio = (WideSpace - 1000) * one / 500
)

// everyItems is about two thousand words: in a longer paragraph the ways would become too many to follow.
const everyItems = 10_000

// Broken is a way to break a paragraph.
type Broken struct {
	At    []int   // item at which each line ends
	Ratio []int32 // of stretch (positive) or shrink (negative) that each line uses, in 1/1024
	Cost  int64
}

// Lines is the number of lines.
func (b Broken) Lines() int { return len(b.At) }

const one = 1024 // a ratio of 1

// fit is how a line is filled: tight, normal, loose, very loose.
type fit uint8

type active struct {
	item    int32 // the break this line would begin behind
	line    int32
	from    int32 // index in nodes of the break before; -1 at the start
	cost    int64
	ratio   int32
	fit     fit
	hyphens uint8 // in a row up to and with this break
}

// sums are totals of all items before one.
type sums struct {
	width, stretch, shrink int64 // of boxes and glues
	letters                int64 // the part of the stretch that is between letters
}

// breaker is the work of one paragraph; it is used again for the next.
type breaker struct {
	items  []Item
	refs   []ref // what they show; nil where nobody has said
	sums   []sums
	next   []int32 // first item at or behind i that may begin a line
	nodes  []active
	active []int32
	slack  int32
	p      Params
}

// run finds the ways to break the paragraph: the best for each number of lines, within slack lines of the
// best of all. It gives none where no way keeps within the tolerance.
func (b *breaker) run(items []Item, refs []ref, p Params, slack int) []Broken {
	b.items, b.refs, b.p, b.slack = items, refs, p, int32(slack)
	b.measure()
	b.nodes = append(b.nodes[:0], active{item: -1, from: -1, fit: 1})
	b.active = append(b.active[:0], 0)
	for i := range items {
		it := &items[i]
		switch {
		case it.Kind == Glue && i > 0 && items[i-1].Kind == Box:
		case it.Kind == Penalty && it.Cost < Never && (b.p.Hyphens || !it.Flagged):
		default:
			continue
		}
		if !b.try(int32(i)) {
			return nil
		}
	}
	return b.ends(slack)
}

func (b *breaker) measure() {
	b.sums, b.next = b.sums[:0], b.next[:0]
	var s sums
	for _, it := range b.items {
		b.sums = append(b.sums, s)
		if it.Kind == Penalty {
			continue
		}
		s.width += int64(it.Width)
		s.stretch += int64(it.Stretch)
		s.shrink += int64(it.Shrink)
		if it.Kind == Box {
			s.letters += int64(it.Stretch)
		}
	}
	b.sums = append(b.sums, s)
	b.next = append(b.next, make([]int32, len(b.items)+1)...)
	n := int32(len(b.items))
	b.next[n] = n
	for i := len(b.items) - 1; i >= 0; i-- {
		// A line begins with a box; a forced break that follows a break is an empty line of its own.
		if it := &b.items[i]; it.Kind == Box || it.Kind == Penalty && it.Cost <= Forced {
			n = int32(i)
		}
		b.next[i] = n
	}
}

// length is what a line between two breaks measures.
type length struct{ natural, stretch, shrink, letters int64 }

// between measures the line that begins behind the break at from (-1 is the start) and ends at to.
func (b *breaker) between(from, to int32) length {
	start := b.next[from+1]
	if start > to {
		start = to
	}
	s, e := &b.sums[start], &b.sums[to]
	l := length{e.width - s.width, e.stretch - s.stretch, e.shrink - s.shrink, e.letters - s.letters}
	if from >= 0 && b.items[from].Kind == Penalty {
		l.natural += int64(b.items[from].After)
	}
	if start < int32(len(b.items)) {
		l.natural -= int64(b.items[start].Left)
	}
	switch last := &b.items[to]; {
	case last.Kind == Penalty:
		l.natural += int64(last.Width) - int64(last.Right)
	case to > start:
		l.natural -= int64(b.items[to-1].Right)
	}
	return l
}

// ratio is how much of its stretch or shrink a line needs for a measure, in 1/one; overfull lines are
// below -one. Letters give no more than their stretch: above one the ratio is that of the spaces alone.
func (l length) ratio(measure, emergency int64) int32 {
	d := measure - l.natural
	var r int64
	switch {
	case d > 0 && l.stretch+emergency > 0:
		r = d * one / (l.stretch + emergency)
		if spaces := l.stretch + emergency - l.letters; r > one && spaces > 0 {
			r = (d - l.letters) * one / spaces
		} else if r > one {
			r = math.MaxInt32
		}
	case d > 0:
		r = math.MaxInt32
	case d < 0 && l.shrink > 0:
		r = d * one / l.shrink
		if d*one%l.shrink != 0 && -d > l.shrink {
			r-- // overfull by less than a unit is still overfull
		}
	case d < 0:
		r = math.MinInt32
	}
	return int32(min(max(r, math.MinInt32), math.MaxInt32))
}

// badness is 100 r³, at most 10,000.
func badness(r int32) int64 {
	x := int64(r)
	if x < 0 {
		x = -x
	}
	if x > 5*one {
		return 10000
	}
	return min(100*x*x*x/(one*one*one), 10000)
}

func fitOf(r int32) fit {
	switch {
	case r < -one/2:
		return 0
	case r <= one/2:
		return 1
	case r <= one:
		return 2
	}
	return 3
}

// try makes the break at item i the end of lines from every active break; false when nothing is active
// any more.
func (b *breaker) try(i int32) bool {
	it := &b.items[i]
	forced := it.Kind == Penalty && it.Cost <= Forced
	last := forced && int(i) == len(b.items)-1
	keep := b.active[:0]
	old := len(b.nodes)
	for k := 0; k < len(b.active); k++ {
		a := b.nodes[b.active[k]]
		l := b.between(a.item, i)
		measure := int64(b.p.Width(int(a.line)))
		r := l.ratio(measure, int64(b.p.Emergency))
		if r < -one || forced {
			// overfull from here on, or every line ends here
		} else {
			keep = append(keep, b.active[k])
		}
		if r < -one || badness(r) > int64(b.p.Tolerance) {
			continue
		}
		n := active{item: i, line: a.line + 1, from: b.active[k], ratio: r, fit: fitOf(r)}
		if b.reach(&n, &a, l, last) {
			b.offer(&n, old)
		}
	}
	// keep shares its array with active: what was kept lies before what was read.
	b.active = keep
	// A long paragraph could be reached in ever more numbers of lines; those far from the best one here
	// are not wanted at its end either.
	every := b.p.Every && len(b.items) <= everyItems
	best := -1
	for n := old; n < len(b.nodes); n++ {
		if best < 0 || b.nodes[n].cost < b.nodes[best].cost {
			best = n
		}
	}
	for n := old; n < len(b.nodes); n++ {
		if d := b.nodes[n].line - b.nodes[best].line; every || d >= -b.slack-1 && d <= b.slack+1 {
			b.active = append(b.active, int32(n))
		}
	}
	return len(b.active) > 0
}

// reach works out what the way to n by a line from a costs; false where no such line may be. last says that the
// paragraph ends with it.
func (b *breaker) reach(n, a *active, l length, last bool) bool {
	i, r := n.item, n.ratio
	it := &b.items[i]
	bad := int64(10) + badness(r)
	cost := bad * bad
	if r > wideRatio {
		cost += b.p.Wide
	}
	pen := int64(0)
	if it.Kind == Penalty && it.Cost > Forced {
		pen = int64(it.Cost)
		if it.Flagged {
			pen += int64(b.p.HyphenCost)
		}
		if pen >= 0 {
			cost += pen * pen
		} else {
			cost -= pen * pen
		}
	}
	hyphens := uint8(0)
	if it.Flagged && it.Kind == Penalty {
		hyphens = a.hyphens + 1
		switch {
		case hyphens == 2:
			cost += b.p.TwoHyphens
		case hyphens > 2 && !b.p.Ladder:
			return false
		case hyphens > 2:
			hyphens = 3
			cost += b.p.ThirdHyphens
		}
	}
	if d := int(n.fit) - int(a.fit); a.from >= 0 && (d > 1 || d < -1) {
		cost += b.p.Fitness
	}
	if a.from >= 0 && b.p.Stack > 0 && b.refs != nil {
		cost += b.p.Stack * b.stacks(i, *a)
	}
	if last {
		if a.hyphens > 0 {
			cost += b.p.LastHyphen
			if !b.spaced(a.item, i) {
				cost += b.p.Fragment
			}
		}
		if b.p.RuntWidth > 0 && a.from >= 0 && l.natural < int64(b.p.RuntWidth) {
			cost += b.p.Runt
		}
	}
	n.cost, n.hyphens = cost+a.cost, hyphens
	return true
}

// offer keeps a way when it is the best of its line number, fit and hyphens among the nodes from old on.
func (b *breaker) offer(n *active, old int) {
	for k := old; k < len(b.nodes); k++ {
		if o := &b.nodes[k]; o.line == n.line && o.fit == n.fit && o.hyphens == n.hyphens {
			if n.cost < o.cost {
				*o = *n
			}
			return
		}
	}
	b.nodes = append(b.nodes, *n)
}

// spaced says whether a space stands between two breaks.
func (b *breaker) spaced(from, to int32) bool {
	for i := b.next[from+1]; i < to; i++ {
		if b.items[i].Kind == Glue && b.items[i+1].Kind != Penalty || b.items[i].Kind == Box && b.refs != nil && b.refs[i].word == nil {
			return true
		}
	}
	return false
}

// stacks says at how many of its ends the line from a to the break i shows the word that stands above it. A
// third in a column counts four times more: it is what the eye is caught by.
func (b *breaker) stacks(i int32, a active) (n int64) {
	before := &b.nodes[a.from]
	if w := b.first(a.item); w != nil && w == b.first(before.item) {
		n++
		if before.from >= 0 && w == b.first(b.nodes[before.from].item) {
			n += 4
		}
	}
	if w := b.last(i); w != nil && w == b.last(a.item) {
		n++
		if before.from >= 0 && w == b.last(before.item) {
			n += 4
		}
	}
	return n
}

// first is the word that begins the line behind a break, last the one that ends the line before it; nil where
// a part of a word does.
func (b *breaker) first(at int32) *word {
	if k := b.next[at+1]; int(k) < len(b.refs) && b.refs[k].from == 0 {
		return b.refs[k].word
	}
	return nil
}

func (b *breaker) last(at int32) *word {
	if at < 1 {
		return nil
	}
	if r := &b.refs[at-1]; r.word != nil && int(r.to) == len(r.word.text) {
		return r.word
	}
	return nil
}

// ends reads the ways back from the last item.
func (b *breaker) ends(slack int) []Broken {
	lastItem := int32(len(b.items) - 1)
	bestOf := map[int32]int32{}
	best := int32(-1)
	for _, k := range b.active {
		n := &b.nodes[k]
		if n.item != lastItem {
			continue
		}
		if o, ok := bestOf[n.line]; !ok || n.cost < b.nodes[o].cost {
			bestOf[n.line] = k
		}
		if best < 0 || n.cost < b.nodes[best].cost || n.cost == b.nodes[best].cost && n.line < b.nodes[best].line {
			best = k
		}
	}
	if best < 0 {
		return nil
	}
	out := []Broken{b.trace(best)}
	for d := int32(1); d <= int32(slack); d++ {
		for _, lines := range []int32{b.nodes[best].line - d, b.nodes[best].line + d} {
			if k, ok := bestOf[lines]; ok {
				out = append(out, b.trace(k))
			}
		}
	}
	return out
}

func (b *breaker) trace(k int32) Broken {
	n := int(b.nodes[k].line)
	out := Broken{At: make([]int, n), Ratio: make([]int32, n), Cost: b.nodes[k].cost}
	for i := n - 1; i >= 0; i-- {
		out.At[i], out.Ratio[i] = int(b.nodes[k].item), b.nodes[k].ratio
		k = b.nodes[k].from
	}
	return out
}
