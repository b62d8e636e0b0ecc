package paginate

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// state is where a page begins.
type state struct {
	pos   Pos
	note  int // first note that is not wholly set
	lines int // of it that are
	short int // of the page before, where that is the left one of the spread; -1 otherwise
}

// node is the cheapest way to a state.
type node struct {
	state
	cost int64
	from int // node of the page before; -1 at the start
	page Page
}

// width is how many states are kept for each page: the cheapest.
const width = 96

// ErrTooLong: the chapter has more pages than MaxPages.
var ErrTooLong = errors.New("too many pages")

// MaxPages bounds a chapter.
const MaxPages = 4000

// Run cuts a chapter into pages. It ends with an error when the context is done, a line is higher than a
// page, or there are more than MaxPages pages.
func Run(ctx context.Context, c Chapter) ([]Page, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	for _, relaxed := range []bool{false, true} {
		r := run{c: c, relaxed: relaxed}
		pages, err := r.cut(ctx)
		if pages != nil || err != nil {
			return pages, err
		}
	}
	return nil, errors.New("no way to cut the chapter into pages")
}

// cut finds the cheapest pages; none where something fits on no page.
func (r *run) cut(ctx context.Context) ([]Page, error) {
	r.countNotes()
	r.nodes = []node{{state: state{short: -1}, from: -1}}
	layer := []int{0}
	best := -1
	for n := 0; len(layer) > 0; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n > MaxPages {
			return nil, fmt.Errorf("%w: over %d", ErrTooLong, MaxPages)
		}
		recto := (n%2 == 0) == r.c.Recto
		next := map[state]int{}
		for _, k := range layer {
			f := r.pages(&r.nodes[k], recto)
			for i := range f.out {
				e := &f.out[i]
				at, ok := next[e.state]
				if r.done(e.state) {
					at, ok = best, best >= 0
				}
				if ok && e.cost >= r.nodes[at].cost {
					continue
				}
				n := node{state: e.state, cost: e.cost, from: k, page: f.page(e)}
				if ok {
					r.nodes[at] = n
					continue
				}
				r.nodes = append(r.nodes, n)
				if r.done(e.state) {
					best = len(r.nodes) - 1
				} else {
					next[e.state] = len(r.nodes) - 1
				}
			}
		}
		layer = r.cheapest(layer[:0], next, best)
	}
	if best < 0 {
		return nil, nil
	}
	return r.way(best), nil
}

// cmpCost orders nodes by cost, then by place, so that the same chapter is always cut alike.
func cmpCost(a, b *node) int {
	switch {
	case a.cost != b.cost:
		if a.cost < b.cost {
			return -1
		}
		return 1
	case a.pos != b.pos:
		return cmpPos(a.pos, b.pos)
	case a.note != b.note:
		return a.note - b.note
	case a.lines != b.lines:
		return a.lines - b.lines
	}
	return a.short - b.short
}

func cmpPos(a, b Pos) int {
	switch {
	case a.Block != b.Block:
		return a.Block - b.Block
	case a.Line != b.Line:
		return a.Line - b.Line
	}
	return a.Variant - b.Variant
}

func (c *Chapter) check() error {
	if c.Rows < 3 {
		return fmt.Errorf("a page of %d rows; at least 3 are needed", c.Rows)
	}
	note := 0
	for i, b := range c.Blocks {
		if b.Again < 0 || b.Again > c.Rows/2 {
			return fmt.Errorf("block %d repeats %d rows, a page has %d", i, b.Again, c.Rows)
		}
		if len(b.Variants) == 0 {
			return fmt.Errorf("block %d has no variant", i)
		}
		for _, v := range b.Variants {
			if len(v.Lines) == 0 {
				return fmt.Errorf("block %d has a variant without lines", i)
			}
			at := note
			for _, l := range v.Lines {
				if l.Rows < 0 || l.Rows+b.Again > c.Rows {
					return fmt.Errorf("block %d has a line of %d rows, a page has %d", i, l.Rows, c.Rows)
				}
				for _, n := range l.Notes {
					if n != at || n >= len(c.Notes) {
						return fmt.Errorf("block %d refers to note %d out of order", i, n)
					}
					at++
				}
			}
		}
		for _, l := range b.Variants[0].Lines {
			note += len(l.Notes)
		}
	}
	return nil
}

func (r *run) done(s state) bool { return s.pos.Block == len(r.c.Blocks) && s.note == len(r.c.Notes) }

// countNotes counts the notes referred to before each block.
func (r *run) countNotes() {
	r.notes = []int{0}
	for _, b := range r.c.Blocks {
		n := r.notes[len(r.notes)-1]
		for _, l := range b.Variants[0].Lines {
			n += len(l.Notes)
		}
		r.notes = append(r.notes, n)
	}
}

// cheapest gives, in layer, the states of the next page from which a cheaper end than the best may be reached: the
// cheapest of them, in an order that depends on nothing but the chapter.
func (r *run) cheapest(layer []int, next map[state]int, best int) []int {
	for _, k := range next {
		if best < 0 || r.nodes[k].cost < r.nodes[best].cost {
			layer = append(layer, k)
		}
	}
	slices.SortFunc(layer, func(a, b int) int {
		return cmpCost(&r.nodes[a], &r.nodes[b])
	})
	if len(layer) > width {
		layer = layer[:width]
	}
	return layer
}

// way is the pages up to a node.
func (r *run) way(to int) []Page {
	var out []Page
	for k := to; r.nodes[k].from >= 0; k = r.nodes[k].from {
		out = append(out, r.nodes[k].page)
	}
	slices.Reverse(out)
	return out
}
