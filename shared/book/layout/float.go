package layout

import (
	"context"
	"slices"

	"mappe/shared/book/layout/paginate"
)

// maxFloats bounds how many figures of a section are tried in other places.
const maxFloats = 40

// cut cuts a galley into pages. Where a figure did not fit and has left a page short, the paragraphs behind
// it come first, if that makes the pages better.
func (g *galley) cut(ctx context.Context, ch paginate.Chapter) ([]paginate.Page, error) {
	for i := range g.blocks {
		ch.Blocks = append(ch.Blocks, g.blocks[i].Block)
	}
	best, err := paginate.Run(ctx, ch)
	if err != nil {
		return nil, err
	}
	for range maxFloats {
		k, short := g.stray(best)
		if k < 0 {
			break
		}
		g.blocks[k].float = false // tried once
		blocks := g.behind(k, short)
		if blocks == nil {
			continue
		}
		ch.Blocks = ch.Blocks[:0:0]
		for i := range blocks {
			ch.Blocks = append(ch.Blocks, blocks[i].Block)
		}
		pages, err := paginate.Run(ctx, ch)
		if err != nil {
			return nil, err
		}
		if faults(pages) < faults(best) {
			best, g.blocks = pages, blocks
		}
	}
	return best, nil
}

// stray finds a figure that begins a page behind one that is short.
func (g *galley) stray(pages []paginate.Page) (block, short int) {
	for i, p := range pages {
		k := p.From.Block
		if i > 0 && p.From.Line == 0 && k < len(g.blocks) && g.blocks[k].float && pages[i-1].Short > 1 {
			return k, pages[i-1].Short
		}
	}
	return -1, 0
}

// behind moves a block behind the paragraphs that follow it, as many as fill so many rows; nil where
// something else stands there.
func (g *galley) behind(k, rows int) []block {
	to := k + 1
	for ; to < len(g.blocks) && rows > 0; to++ {
		b := &g.blocks[to]
		if !b.flows || b.Top || b.KeepNext {
			break
		}
		rows -= len(b.Variants[0].Lines)
	}
	if to == k+1 {
		return nil
	}
	out := slices.Clone(g.blocks)
	figure := out[k]
	copy(out[k:], out[k+1:to])
	out[to-1] = figure
	out[k].Before = 0
	if to < len(out) {
		out[to].Before = max(out[to].Before, 1)
	}
	return out
}

// faults weighs what is wrong with pages.
func faults(pages []paginate.Page) (sum int) {
	for _, p := range pages {
		for _, r := range p.Reasons.All() {
			switch r {
			case paginate.Uneven:
				sum += 40
			case paginate.Widow:
				sum += 12
			case paginate.ShortPage:
				sum += 4 + p.Short
			default:
				sum += 2
			}
		}
	}
	return sum
}
