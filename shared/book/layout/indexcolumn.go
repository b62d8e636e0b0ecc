package layout

import (
	"slices"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
)

// pages puts the lines into columns. On the first page the heading stands above both; on the last the
// columns are of one length.
func (x *indexSet) pages(g *galley, lines []indexLine) (part, error) {
	s := x.s
	d := s.d
	p := part{section: -1, anchors: map[string]int{}}
	headRows := 0
	for _, b := range g.blocks {
		headRows += b.Before + paginateRows(b.Variants[0].Lines)
	}
	for i := 0; len(lines) > 0; i++ {
		recto := i%2 == 0
		pg := page.Page{}
		left := d.inner
		if !recto {
			left = d.outer
		}
		dr := drawer{s: s, p: &p, page: &pg, index: i, left: left}
		top, room := d.top, Unit(d.rows)*d.leading
		if i == 0 {
			y := d.top
			for b := range g.blocks {
				y += Unit(g.blocks[b].Before) * d.leading
				for k := range g.blocks[b].shown[0] {
					dr.shown(&g.blocks[b].shown[0][k], y, d.first)
					y += Unit(g.blocks[b].Variants[0].Lines[k].Rows) * d.leading
				}
			}
			top, room = top+Unit(headRows)*d.leading, room-Unit(headRows)*d.leading
		}
		n := max(int(room/x.leading), 4)
		if !recto { // a column that goes on behind a page turn says what it goes on with
			again, err := x.again(lines)
			if err != nil {
				return p, err
			}
			lines = append(again, lines...)
		}
		first, second, rest := columns(lines, n)
		if len(rest) == 0 {
			first, second = even(lines, n)
		}
		for c, column := range [][]indexLine{first, second} {
			y, drawn := top+d.first, 0
			for _, l := range column {
				if l.gap && drawn > 0 {
					y += x.leading
				}
				dr.runs(moved(l.runs, Unit(c)*(x.width+x.gutter)), y)
				y += x.leading
				drawn++
			}
		}
		lines = rest
		p.pages = append(p.pages, pg)
		p.starts = append(p.starts, PageStart{Block: -1})
		if len(p.pages) > MaxPages {
			break
		}
	}
	return p, nil
}

func moved(runs []line.Run, by Unit) []line.Run {
	out := slices.Clone(runs)
	for i := range out {
		out[i].X += by
	}
	return out
}

// again is the term that the first line is a subject of, with the word that it goes on.
func (x *indexSet) again(lines []indexLine) ([]indexLine, error) {
	if len(lines) == 0 || !lines[0].sub {
		return nil, nil
	}
	word := map[bool]string{true: " (Fortsetzung)", false: " (continued)"}[x.german]
	out, err := x.entry(reference{Entry: bookindex.Entry{Term: lines[0].term + word}}, false)
	for i := range out {
		out[i].entry, out[i].keep = -1, true
	}
	return out, err
}

// columns fills two columns of n lines.
func columns(lines []indexLine, n int) (first, second, rest []indexLine) {
	k := fit(lines, n)
	first, rest = lines[:k], lines[k:]
	k = fit(rest, n)
	return first, rest[:k], rest[k:]
}

// fit is how many lines a column of n takes: it ends behind no term whose subjects follow, and neither
// leaves one line of a longer entry behind nor takes one over.
func fit(lines []indexLine, n int) int {
	used, k := 0, 0
	for k < len(lines) {
		need := 1
		if lines[k].gap && k > 0 {
			need = 2
		}
		if used+need > n {
			break
		}
		used += need
		k++
	}
	if k == len(lines) {
		return k
	}
	for at := k; at > max(k-6, 1); at-- {
		if !lines[at-1].keep && !parts(lines, at) {
			return at
		}
	}
	return max(k, 1)
}

// parts says whether a column's end before line at leaves one line of an entry alone.
func parts(lines []indexLine, at int) bool {
	if lines[at-1].entry != lines[at].entry {
		return false
	}
	alone := at < 2 || lines[at-2].entry != lines[at].entry
	return alone || at+1 >= len(lines) || lines[at+1].entry != lines[at].entry
}

// even shares the last lines out: the shortest columns that hold them.
func even(lines []indexLine, n int) (first, second []indexLine) {
	for h := (len(lines) + 1) / 2; h < n; h++ {
		if a, b, rest := columns(lines, h); len(rest) == 0 {
			return a, b
		}
	}
	first, second, _ = columns(lines, n)
	return first, second
}
