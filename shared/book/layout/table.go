package layout

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
)

// cellGap is the room between columns, in 1/1000 of the type size; where columns are so narrow that a
// quarter of their share is less, that quarter.
const cellGap = 900

// table adds a table: rules above, below and under its head, rows on the baseline grid. A small one is not
// divided, and where it has a caption the text behind it may come first, as with a figure. In others a page
// ends only between rows, not behind the first, not in front of the last, and not between rows that a cell
// reaches over where they leave room for others; a row higher than a page is cut where its page ends.
func (g *galley) table(t *manuscript.Table, c column) error {
	grid, n := t.Grid(manuscript.MaxColumns)
	if n == 0 {
		return nil
	}
	var all []block
	if caption, err := g.small(t.Caption, t.Anchor, c); err != nil {
		return err
	} else if len(caption.Variants) > 0 {
		g.tight(&caption, g.s.d.noteLeading, true)
		caption.KeepNext, caption.Whole = true, true
		all = append(all, caption)
	}
	set, err := g.columns(t, grid, c, n)
	if err != nil {
		return err
	}
	var rows []block
	head := t.Head()
	headBlocks := 0
	for from := 0; from < len(grid); {
		to := tied(grid, from)
		blocks, err := set.rows(grid[from:to])
		if err != nil {
			return err
		}
		rows = append(rows, blocks...)
		if from = to; from == head {
			headBlocks = len(rows)
		}
	}
	if len(rows) > 0 {
		g.rules(rows, headBlocks, c)
		g.heads(rows, headBlocks)
		g.bind(rows, headBlocks)
	}
	if all = append(all, rows...); len(all) == 0 {
		return nil
	}
	if one := joined(all); paginateRows(one.Variants[0].Lines) <= g.s.d.rows/3 {
		one.float = len(all) > len(rows) && c.depth == 0 && !noted(one.Variants[0].Lines)
		all = []block{one}
	}
	all[0].Before = 1
	for _, b := range all {
		g.add(b)
	}
	g.space(1)
	g.after = true
	return nil
}

// bind keeps the first two rows below the head on a page, and the last two, unless that asks for half a page.
func (g *galley) bind(rows []block, head int) {
	high := func(from, to int) (n int) {
		for i := range rows[from:to] {
			n += paginateRows(rows[from+i].Variants[0].Lines)
		}
		return n
	}
	n := len(rows)
	if n-head < 2 || n-head == 3 && high(0, n) > g.s.d.rows/2 {
		return
	}
	if high(0, head+2) <= g.s.d.rows/2 {
		rows[head].KeepNext = true
	}
	if high(n-2, n)+rows[n-2].Again <= g.s.d.rows/2 {
		rows[n-2].KeepNext = true
	}
}

// joined is a block that is not divided, of all lines of others.
func joined(all []block) block {
	one := block{shown: make([][]shown, 1)}
	one.Whole, one.Variants = true, make([]paginate.Variant, 1)
	for _, b := range all {
		one.Variants[0].Lines = append(one.Variants[0].Lines, b.Variants[0].Lines...)
		one.shown[0] = append(one.shown[0], b.shown[0]...)
	}
	return one
}

// noted says whether lines refer to notes, which would then stand out of their order in another place.
func noted(lines []paginate.Line) bool {
	return slices.ContainsFunc(lines, func(l paginate.Line) bool { return len(l.Notes) > 0 })
}

// tied is the row behind those that cells reaching over rows tie to row from.
func tied(grid [][]manuscript.Placed, from int) int {
	to := from + 1
	for i := from; i < to; i++ {
		for _, cell := range grid[i] {
			to = max(to, i+cell.Rows)
		}
	}
	return to
}

// rules draws the rules above and below a table and under its head.
func (g *galley) rules(rows []block, head int, c column) {
	rule := func(sh *shown, y, height Unit) {
		sh.marks = append(sh.marks, page.Rule{X: c.left, Y: y, Width: c.width, Height: height})
	}
	under := func(b *block, height Unit) {
		last := len(b.shown[0]) - 1
		rule(&b.shown[0][last], Unit(b.Variants[0].Lines[last].Rows)*g.s.d.leading+g.s.d.leading/8, height)
	}
	rule(&rows[0].shown[0][0], g.s.d.leading/8, 800)
	if head > 0 && head < len(rows) {
		under(&rows[head-1], 400)
	}
	under(&rows[len(rows)-1], 800)
}

// heads keeps the rows of the head together and repeats them above rows that begin a page.
func (g *galley) heads(rows []block, head int) {
	var again []below
	high := 0
	for i := range rows[:head] {
		b := &rows[i]
		b.KeepNext = i+1 < len(rows)
		for k, sh := range b.shown[0] {
			sh.own = nil // notes and targets belong to the first
			again = append(again, below{Unit(high) * g.s.d.leading, sh})
			high += b.Variants[0].Lines[k].Rows
		}
	}
	if high == 0 || high > g.s.d.rows/4 {
		return
	}
	for i := range rows[head:] {
		if b := &rows[head+i]; paginateRows(b.Variants[0].Lines) <= g.s.d.rows/2 {
			b.again, b.Again = again, high
		}
	}
}

// tableSet is how the rows of a table are set.
type tableSet struct {
	g           *galley
	left, width []Unit // of the columns
	size        Unit
	numbers     []figureColumn
}

// columns shares the measure out: as the author did, or by what the cells hold. No column is narrower than
// its longest word; where the words leave no room for each other, than an em, which is about as wide as the
// widest letter.
func (g *galley) columns(t *manuscript.Table, grid [][]manuscript.Placed, c column, n int) (tableSet, error) {
	set := tableSet{g: g, size: g.s.d.noteSize}
	if n > 5 {
		set.size = set.size * 85 / 100
	}
	gap := min(set.size*cellGap/1000, c.width/Unit(4*n))
	all := c.width - gap*Unit(n-1)
	set.size = min(set.size, all/Unit(n))
	least, err := set.words(grid, n)
	if err != nil {
		return set, err
	}
	sum := Unit(0)
	for _, w := range least {
		sum += min(w, all) // of at most MaxColumns
	}
	if sum > all {
		for i := range least {
			least[i] = set.size
		}
	}
	if err := set.figures(grid, t.Head(), n); err != nil {
		return set, err
	}
	x := c.left
	for _, wide := range shares(weights(t, grid, n), least, all) {
		set.left, set.width = append(set.left, x), append(set.width, wide)
		x += wide + gap
	}
	return set, nil
}

// shares divides room by weights; what those below their least get more, the others get less.
func shares(weight []int64, least []Unit, room Unit) []Unit {
	out := make([]Unit, len(weight))
	left, sum := int64(room), int64(0)
	for _, w := range weight {
		sum += w
	}
	for again := true; again; {
		again = false
		for i, w := range weight {
			if out[i] == 0 && left*w/sum < int64(least[i]) {
				out[i], again = least[i], true
				left, sum = left-int64(least[i]), sum-w
			}
		}
	}
	for i, w := range weight {
		if out[i] == 0 {
			out[i] = Unit(left * w / sum)
		}
	}
	return out
}

// words are the widths of the longest words of the columns, an em at least.
func (t *tableSet) words(grid [][]manuscript.Placed, n int) ([]Unit, error) {
	const most = 8 // of one length or nearly: the widest is among them
	longest := make([][]string, n)
	for _, row := range grid {
		for _, cell := range row {
			if cell.Columns > 1 {
				continue
			}
			list := append(longest[cell.Column], strings.Fields(cellText(cell.Blocks))...)
			slices.SortStableFunc(list, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
			list = slices.Compact(list)
			longest[cell.Column] = list[:min(len(list), most)]
		}
	}
	out := make([]Unit, n)
	for i, list := range longest {
		out[i] = t.size
		for _, word := range list {
			if len(word) > maxWord { // no word; it is cut wherever its column ends
				continue
			}
			wide, err := t.wide(word)
			if err != nil {
				return nil, err
			}
			out[i] = max(out[i], wide)
		}
	}
	return out, nil
}

// wide is the width of a word.
func (t *tableSet) wide(word string) (Unit, error) {
	pieces, err := t.g.s.pieces([]manuscript.Inline{manuscript.Text{S: word}}, styleKey{size: t.size, lang: t.g.s.lang, lining: true})
	if err != nil || !visible(pieces) {
		return 0, err
	}
	p := t.g.s.shaper.Paragraph(pieces, line.Shape{Measure: func(int) Unit { return math.MaxInt32 / 2 }, Align: line.Left, NoHang: true})
	wide := t.size / 20 // what rounding takes
	for _, r := range p.Lines(p.Break(0)[0])[0].Runs {
		wide += r.Width
	}
	return wide, nil
}

// maxWord is the longest word in bytes that a column is made wide enough for.
const maxWord = 40

// cellText is the running text of a cell.
func cellText(blocks []manuscript.Block) string {
	var b strings.Builder
	for _, x := range blocks {
		if p, ok := x.(*manuscript.Paragraph); ok {
			b.WriteString(manuscript.Plain(p.Inlines))
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// weights are the shares of the columns, all above 0.
func weights(t *manuscript.Table, grid [][]manuscript.Placed, n int) []int64 {
	weight := make([]int64, n)
	for _, row := range grid {
		for _, cell := range row {
			if cell.Columns > 1 {
				continue
			}
			letters := int64(len(cellText(cell.Blocks)))
			weight[cell.Column] = max(weight[cell.Column], min(letters, 60))
		}
	}
	if len(t.Widths) >= n {
		for i := range weight {
			weight[i] = int64(t.Widths[i] * 1000)
		}
	}
	var sum int64
	for i := range weight {
		weight[i] = max(weight[i], 1)
		sum += weight[i]
	}
	for i := range weight {
		weight[i] = max(weight[i], sum/int64(3*n))
	}
	return weight
}
