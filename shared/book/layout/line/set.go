package line

import (
	"mappe/shared/book/font"
	"mappe/shared/book/layout/page"
)

// Run is glyphs of one style in a line.
type Run struct {
	Style  *Style
	X      Unit // from the left edge of the column
	Width  Unit
	Glyphs []page.Glyph
	Text   string
}

// Line is a set line.
type Line struct {
	Runs   []Run
	Left   Unit  // of the first glyph's origin, from the left edge of the column
	Width  Unit  // from Left to the end of the last glyph, hanging characters and all
	Space  int32 // widest word space in 1/1000 of the norm; 0 if the line has no word space or is not stretched
	Ratio  int32 // of stretch or shrink, in 1/1024
	Hyphen bool  // ends with a hyphen that was put there
	End    bool  // ends the paragraph or at a forced line end
	Marks  []int // of the caller
	Boxes  []BoxAt
}

// BoxAt is a box without text and where its left edge stands, from the left edge of the column.
type BoxAt struct {
	Mark     int
	X, Width Unit
}

// Lines sets the lines of a way to break the paragraph.
func (p *Paragraph) Lines(b Broken) []Line {
	out := make([]Line, 0, len(b.At))
	from, mark := -1, 0
	for i, to := range b.At {
		l := p.line(i, from, to, b.Ratio[i])
		for mark < len(p.marks) && (p.marks[mark].item <= to || i == len(b.At)-1) {
			l.Marks = append(l.Marks, p.marks[mark].mark)
			mark++
		}
		out = append(out, l)
		from = to
	}
	return out
}

// piece is a run or a space of a line before it is fitted.
type piece struct {
	run    bool
	style  *Style
	glyphs []font.Glyph
	text   string
	width  Unit // natural
	box    int
}

// lineSum is what the pieces of a line come to: widths, and how many runs and glyphs they hold.
type lineSum struct {
	width, letters, spaces Unit
	runs, glyphs           int
}

func sumOf(pieces []piece) (s lineSum) {
	for i := range pieces {
		c := &pieces[i]
		s.width += c.width
		switch {
		case c.run:
			s.letters += c.width
			s.runs++
			s.glyphs += len(c.glyphs)
		case c.style != nil:
			s.spaces += c.width
		}
	}
	return s
}

// line sets the line of the items between two breaks; ratio is how far its spaces are stretched.
func (p *Paragraph) line(number, from, to int, ratio int32) Line {
	pieces, left, right := p.pieces(p.shaper.pieces[:0], from, to)
	p.shaper.pieces = pieces
	sum := sumOf(pieces)
	arena := make([]page.Glyph, sum.glyphs) // of all runs of the line
	measure := p.shape.Measure(number)
	l := Line{Ratio: ratio, End: p.items[to].Kind == Penalty && p.items[to].Cost <= Forced}
	l.Hyphen = p.items[to].Kind == Penalty && p.items[to].Width > 0
	x := Unit(0)
	if p.shape.Offset != nil {
		x = p.shape.Offset(number)
	}
	free := measure - (sum.width - left - right)
	forLetters, forSpaces := Unit(0), Unit(0)
	switch p.shape.Align {
	case Justify:
		if !l.End || free < 0 {
			forLetters, forSpaces = share(free, sum.letters, sum.spaces)
		}
	case Center:
		x += free / 2
	case Right:
		x += free
	}
	x -= left
	l.Left = x
	l.Runs = make([]Run, 0, sum.runs)
	ls, ss := spread{total: forLetters, over: sum.letters}, spread{total: forSpaces, over: sum.spaces}
	for _, c := range pieces {
		if !c.run {
			w := c.width
			if c.style != nil && c.width > 0 {
				w += ss.next(c.width)
				l.Space = max(l.Space, int32(int64(w)*1000/int64(c.width)))
			}
			if c.box != 0 {
				l.Boxes = append(l.Boxes, BoxAt{c.box, x, w})
			}
			x += w
			continue
		}
		r := Run{Style: c.style, X: x, Text: c.text, Glyphs: arena[:len(c.glyphs):len(c.glyphs)]}
		arena = arena[len(c.glyphs):]
		r.set(c.glyphs, &ls)
		x += r.Width
		l.Runs = append(l.Runs, r)
	}
	l.Width = x - l.Left
	return l
}

// set places the glyphs of a run, each with its share of the space between letters.
func (r *Run) set(glyphs []font.Glyph, ls *spread) {
	style, out := r.Style, r.Glyphs[:len(glyphs)]
	var units int32
	placed, width := Unit(0), Unit(0)
	for i, g := range glyphs {
		units += g.Advance
		end := style.scale(units)
		adv := end - placed // rounding does not add up along the run
		placed = end
		extra := ls.next(adv)
		text := ""
		next := len(r.Text)
		for _, h := range glyphs[i+1:] {
			if h.Cluster != g.Cluster {
				next = h.Cluster
				break
			}
		}
		if i == 0 || glyphs[i-1].Cluster != g.Cluster {
			text = r.Text[g.Cluster:next]
		}
		out[i] = page.Glyph{ID: g.ID, Advance: adv + extra, DX: style.scale(g.DX), DY: -style.scale(g.DY), Text: text}
		width += adv + extra
	}
	r.Width = width
}

// share divides what a line lacks (or has too much of) between its letters and its spaces.
func share(free, letters, spaces Unit) (forLetters, forSpaces Unit) {
	give, room := int64(letters)*letterStretch/1000, int64(spaces)/2
	if free < 0 {
		give, room = int64(letters)*letterShrink/1000, int64(spaces)/3
	}
	if spaces == 0 {
		room = 0
	}
	most := give
	if free < 0 {
		most = -give
	}
	switch {
	case give+room == 0:
		return 0, 0
	case spaces == 0: // one word: letters do what they may
		return clamp(free, most), 0
	}
	forLetters = clamp(Unit(int64(free)*give/(give+room)), most)
	return forLetters, free - forLetters
}

// clamp keeps a share between 0 and most, which has its sign.
func clamp(x Unit, most int64) Unit {
	if most >= 0 {
		return Unit(min(int64(x), most))
	}
	return Unit(max(int64(x), most))
}

// spread hands out a total in proportion, so that the parts add up to it exactly.
type spread struct {
	total, over Unit
	seen, given int64
}

func (s *spread) next(part Unit) Unit {
	if s.over == 0 {
		return 0
	}
	s.seen += int64(part)
	upto := int64(s.total) * s.seen / int64(s.over)
	d := upto - s.given
	s.given = upto
	return Unit(d)
}

// pieces collects what the line between two breaks shows; left and right are how far it hangs out.
func (p *Paragraph) pieces(out []piece, from, to int) (_ []piece, left, right Unit) {
	start := from + 1
	for start < to && p.items[start].Kind != Box && !(p.items[start].Kind == Penalty && p.items[start].Cost <= Forced) {
		start++
	}
	if start < len(p.items) {
		left = p.items[start].Left
	}
	for i := start; i < to; i++ {
		it, r := &p.items[i], &p.refs[i]
		switch {
		case it.Kind == Glue:
			out = append(out, piece{style: r.style, width: it.Width})
		case it.Kind == Box && r.word == nil:
			out = append(out, piece{width: it.Width, box: r.box})
		case it.Kind == Box:
			// Parts of one word that stand together are set together.
			last := i
			for k := i + 1; k < to && p.refs[k].word == r.word && p.refs[k].from >= p.refs[last].from && p.refs[k].from > r.from; k++ {
				if p.items[k].Kind == Box {
					last = k
				}
			}
			out = append(out, p.part(r, &p.refs[last], last+1 == to && p.items[to].Kind == Penalty && p.items[to].Width > 0))
			i = last
		}
	}
	switch last := &p.items[to]; {
	case last.Kind == Penalty:
		right = last.Right
	case to > start:
		right = p.items[to-1].Right
	}
	if len(out) == 0 {
		left, right = 0, 0
	}
	return out, left, right
}

// part sets the bytes of a word from a to b, with a hyphen where the line ends in it.
func (p *Paragraph) part(a, b *ref, hyphen bool) piece {
	st, w := a.style, a.word
	text := w.text[a.from:b.to]
	out := piece{run: true, style: st, text: text}
	switch whole := a.from == 0 && int(b.to) == len(w.text); {
	case whole && !hyphen:
		out.glyphs = w.glyphs
	case hyphen:
		out.text = text + "-"
		out.glyphs = p.shaper.get(st, out.text).glyphs
	default:
		out.glyphs = p.shaper.get(st, text).glyphs
	}
	var units int32
	for _, g := range out.glyphs {
		units += g.Advance
	}
	out.width = st.scale(units)
	return out
}
