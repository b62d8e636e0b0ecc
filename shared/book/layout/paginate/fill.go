package paginate

// run is the work of one chapter.
type run struct {
	c       Chapter
	nodes   []node
	fill    fill
	notes   []int // number referred to before each block
	relaxed bool  // headings may be left behind, whole blocks divided, notes moved: nothing else fits
}

// referred is the number of notes referred to before a place.
func (r *run) referred(p Pos) int {
	n := r.notes[p.Block]
	if p.Line > 0 {
		for _, l := range r.c.Blocks[p.Block].Variants[p.Variant].Lines[:p.Line] {
			n += len(l.Notes)
		}
	}
	return n
}

// filled is a way to fill a page up to the start of a block.
type filled struct {
	rows    int
	cost    int64
	before  int // in the list of the block before; -1 at the start of the page
	variant int // of the block before
}

// pages finds the pages that can begin at a node.
func (r *run) pages(n *node, recto bool) *fill {
	f := &r.fill // its lists are used again
	f.r, f.start, f.recto, f.spread, f.out = r, *n, recto, n.short >= 0, f.out[:0]
	for _, f.most = range []int{6, r.c.Rows} {
		if f.walk(); len(f.out) > 0 {
			break
		}
	}
	return f
}

// ending is a way to end the page. The page itself is made when the way proves to be the cheapest.
type ending struct {
	state
	cost    int64
	way     filled
	step    int // in fill.steps, of the way
	rows    int
	notes   int // referred to up to here
	free    int
	reasons Reasons
}

// page makes the page of an ending.
func (f *fill) page(e *ending) Page {
	parts, _, _, _, _ := f.foot(f.start.state, e.notes, f.r.c.Rows-e.rows, true)
	return Page{From: f.start.pos, To: e.pos, Variants: f.variants(e), Notes: parts, Short: e.free, Reasons: e.reasons}
}

// fill is the work of one page.
type fill struct {
	r      *run
	start  node
	recto  bool
	spread bool // the page faces the one before
	most   int  // rows that may be left free
	steps  [][]filled
	out    []ending
}

// walk goes through the blocks that may stand on the page and ends it wherever it may end.
func (f *fill) walk() {
	c := &f.r.c
	s := f.start.state
	again := 0
	if s.pos.Block < len(c.Blocks) {
		again = c.Blocks[s.pos.Block].Again
	}
	f.steps = append(f.steps[:0], append(f.list(0), filled{before: -1, rows: again}))
	notes := f.r.referred(s.pos)
	if s.note < notes || s.pos.Block == len(c.Blocks) { // the rest of notes may take the whole page
		f.end(&stop{to: s.pos, way: filled{before: -1}, notes: notes})
	}
	if s.pos.Block == len(c.Blocks) {
		return
	}
	for b := s.pos.Block; b < len(c.Blocks); b++ {
		block := &c.Blocks[b]
		first := b == s.pos.Block
		from := f.steps[len(f.steps)-1]
		next := f.list(len(f.steps))
		if block.Top && !first {
			f.breakBefore(b, notes)
			return
		}
		if !first {
			f.breakBefore(b, notes)
		}
		passed := notes
		for v := range block.Variants {
			start := Pos{Block: b, Variant: v}
			if first {
				if s.pos.Line > 0 && v != s.pos.Variant {
					continue // begun in another variant
				}
				start.Line = s.pos.Line
			}
			for k := range from {
				if way, noted, ok := f.through(start, k, notes); ok {
					next, passed = better(next, way), noted
				}
			}
		}
		if len(next) == 0 {
			return
		}
		notes = passed
		f.steps = append(f.steps, next)
	}
	f.finish(notes)
}

// list is an empty list for a step, with the memory of an earlier page's.
func (f *fill) list(step int) []filled {
	if step < cap(f.steps) {
		return f.steps[:step+1][step][:0]
	}
	return nil
}

// better keeps the cheapest way for each number of rows.
func better(list []filled, x filled) []filled {
	for i := range list {
		if list[i].rows == x.rows {
			if x.cost < list[i].cost {
				list[i] = x
			}
			return list
		}
	}
	return append(list, x)
}

// breakBefore ends the page in front of block b.
func (f *fill) breakBefore(b, notes int) {
	if b > 0 && f.r.c.Blocks[b-1].KeepNext && !f.r.relaxed {
		return
	}
	list := f.steps[len(f.steps)-1]
	for _, way := range list {
		f.end(&stop{to: Pos{Block: b}, rows: way.rows, way: way, notes: notes})
	}
}

// finish ends the page with the chapter.
func (f *fill) finish(notes int) {
	for _, way := range f.steps[len(f.steps)-1] {
		f.end(&stop{to: Pos{Block: len(f.r.c.Blocks)}, rows: way.rows, way: way, notes: notes})
	}
}

// through sets a block from start on behind way k to it, and ends the page inside of the block wherever it may end.
// It gives the way to the block's end and the notes referred to up to there; false where the block does not fit.
func (f *fill) through(start Pos, k, notes int) (filled, int, bool) {
	c := &f.r.c
	block := &c.Blocks[start.Block]
	variant := &block.Variants[start.Variant]
	way := f.steps[len(f.steps)-1][k]
	rows := way.rows
	if start.Block != f.start.pos.Block || block.Sink && start.Line == 0 {
		rows += block.Before
	}
	if start.Line == 0 {
		way.cost += variant.Cost
	}
	inside := stop{way: way} // with the rows before the block
	inside.way.before, inside.way.variant = k, start.Variant
	divided := !block.Whole || f.r.relaxed
	for j := start.Line; j < len(variant.Lines); j++ {
		rows += variant.Lines[j].Rows
		notes += len(variant.Lines[j].Notes)
		if rows > c.Rows {
			return filled{}, 0, false
		}
		if j+1 < len(variant.Lines) && divided {
			start.Line = j + 1
			inside.to, inside.rows, inside.notes, inside.cost, inside.reasons = start, rows, notes, 0, 0
			f.inside(&inside)
		}
	}
	return filled{rows: rows, cost: way.cost, before: k, variant: start.Variant}, notes, rows <= c.Rows
}

// inside ends the page between two lines of a block.
func (f *fill) inside(e *stop) {
	lines, j := f.r.c.Blocks[e.to.Block].Variants[e.to.Variant].Lines, e.to.Line
	if len(lines)-j == 1 {
		if lines[j].Runt && !f.r.relaxed {
			return
		}
		e.cost += costWidow
		e.reasons |= 1 << Widow
	}
	if j == 1 {
		e.cost += costOrphan
		e.reasons |= 1 << Orphan
	}
	if lines[j-1].Hyphen && f.recto {
		e.cost += costHyphen
		e.reasons |= 1 << HyphenAtTurn
	}
	f.end(e)
}

// stop is a place where the page may end.
type stop struct {
	to      Pos
	rows    int // of the page's text
	way     filled
	notes   int   // referred to up to here
	cost    int64 // of the place itself
	reasons Reasons
}

// end adds the page that ends at to, with the notes up to (not with) note number notes referred to.
func (f *fill) end(e *stop) {
	to, rows, notes, cost, reasons := e.to, e.rows, e.notes, e.cost, e.reasons
	c := &f.r.c
	s := f.start.state
	last := to.Block == len(c.Blocks)
	_, note, lines, noteRows, ok := f.foot(s, notes, c.Rows-rows, false)
	if !ok {
		return
	}
	done := last && note == len(c.Notes)
	short := c.Rows - rows - noteRows
	if short < 0 || short > f.most && !done && note == notes {
		return
	}
	if to == s.pos && note == s.note && lines == s.lines {
		return // an empty page
	}
	if note < notes {
		cost += costNoteSplit
		reasons |= 1 << NoteSplit
		short = 0 // the foot reaches the bottom
	}
	next := state{pos: to, note: note, lines: lines, short: -1}
	switch {
	case done:
		if rows+noteRows < 4 && f.start.from >= 0 {
			cost += costTinyEnd * int64(4-rows-noteRows)
			reasons |= 1 << TinyEnd
		}
	case f.spread:
		if d := short - f.start.short; d != 0 {
			cost += costUneven + int64(d*d)*costShort
			reasons |= 1 << Uneven
		} else {
			cost += int64(short*short) * costShort
		}
	default:
		cost += int64(short*short) * costShort
	}
	if short > 2 && !done {
		cost += int64(short) * costOrphan
		reasons |= 1 << ShortPage
	}
	if !f.recto && !done {
		next.short = short
	}
	f.out = append(f.out, ending{
		state: next, cost: f.start.cost + e.way.cost + cost,
		way: e.way, step: len(f.steps) - 1, rows: rows, notes: notes, free: short, reasons: reasons,
	})
}

// foot fills the foot with what is left of earlier notes and with the notes up to upTo, in at most room
// rows. The first two lines of every note stand with its reference. The parts are given where list is set.
func (f *fill) foot(s state, upTo, room int, list bool) (parts []Part, note, lines, rows int, ok bool) {
	c := &f.r.c
	total := 0
	note, lines = s.note, s.lines
	for note < upTo {
		n := c.Notes[note].Lines
		left := n - lines
		if c.NoteRows(total+left) <= room {
			total += left
			if left > 0 && list {
				parts = append(parts, Part{Note: note, From: lines, To: n})
			}
			note, lines = note+1, 0
			continue
		}
		fits := 0
		for fits < left && c.NoteRows(total+fits+1) <= room {
			fits++
		}
		carried := note == s.note && s.lines > 0
		// A note begins with two lines at least, leaves two at least, and is the last on its page.
		if !f.r.relaxed && (note != upTo-1 || fits == 0 || !carried && fits < min(2, n)) {
			return nil, 0, 0, 0, false
		}
		if left-fits == 1 && fits > 2 {
			fits--
		}
		if fits > 0 && list {
			parts = append(parts, Part{Note: note, From: lines, To: lines + fits})
		}
		total += fits
		lines += fits
		break
	}
	if total > 0 {
		rows = c.NoteRows(total)
	}
	return parts, note, lines, rows, true
}

// variants reads back which variants the blocks of the page have.
func (f *fill) variants(e *ending) []int {
	var out []int
	step, way := e.step, e.way
	if e.pos.Line > 0 {
		out = append(out, e.pos.Variant)
		way = f.back(step, way.before)
	}
	for ; step > 0; step-- {
		out = append(out, way.variant)
		way = f.back(step-1, way.before)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func (f *fill) back(step, k int) filled {
	if k < 0 {
		return filled{before: -1}
	}
	return f.steps[step][k]
}
