package cells

import (
	"cmp"
	"slices"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/shared/geo/hexgrid"
)

// shareAt is where kg_share lies in a row of the layer lu.
const shareAt = 8

// piece is rows of one container.
type piece struct {
	kg   int
	rows []byte
}

// gathered are the rows of a layer from several containers, each cell once. kgs names the KG that each row was taken
// from, by its number in the plan.
type gathered struct {
	table
	kgs []uint8
}

// merge puts the rows of all wants together by layer, each cell once, by rising cell within each layer.
func (p *plan) merge(got [][]library.CellRows, layers []ne.Layer) []gathered {
	order := make([]int, len(p.wants))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p.wants[a].chunk, p.wants[b].chunk) })
	var out []gathered
	for _, l := range layers {
		g := gathered{table: table{layer: l, fields: l.Fields(), size: l.RecordBytes()}}
		for _, i := range order {
			p.mergeChunk(&g, i, got[i])
		}
		if g.size > 0 {
			out = append(out, g)
		}
	}
	return out
}

// mergeChunk appends the rows of one want.
func (p *plan) mergeChunk(g *gathered, i int, got []library.CellRows) {
	w := &p.wants[i]
	var pieces []piece
	for j, f := range p.frames[i] {
		if f.layer != g.layer {
			continue
		}
		section := p.open[f.kg].Section(f.layer)
		if g.size == 0 { // a layer that a peer defines
			g.size, g.fields = section.RecordBytes, section.Fields
		}
		if section.RecordBytes == g.size && len(got[j].Rows) > 0 {
			pieces = append(pieces, piece{f.kg, got[j].Rows})
		}
	}
	if len(pieces) == 0 {
		return
	}
	if !slices.Contains(w.whole, g.layer) {
		for _, c := range w.cells(g.layer) {
			g.take(pieces, c)
		}
		return
	}
	if len(pieces) == 1 {
		g.rows = append(g.rows, pieces[0].rows...)
		for range len(pieces[0].rows) / g.size {
			g.kgs = append(g.kgs, uint8(pieces[0].kg))
		}
		return
	}
	for c, ok := first(pieces); ok; c, ok = first(pieces) {
		g.take(pieces, c)
		for k := range pieces {
			if r := pieces[k].rows; len(r) > 0 && ne.CellOf(r) == c {
				pieces[k].rows = r[g.size:]
			}
		}
	}
}

// first is the smallest cell that pieces begin with.
func first(pieces []piece) (c hexgrid.Cell, ok bool) {
	for _, p := range pieces {
		if len(p.rows) > 0 && (!ok || ne.CellOf(p.rows) < c) {
			c, ok = ne.CellOf(p.rows), true
		}
	}
	return c, ok
}

// take appends the row of a cell: of several the one with the largest share, the first of equal ones.
func (g *gathered) take(pieces []piece, c hexgrid.Cell) {
	var best []byte
	from := 0
	for _, p := range pieces {
		at := lowerBound(p.rows, g.size, c) * g.size
		if at >= len(p.rows) || ne.CellOf(p.rows[at:]) != c {
			continue
		}
		row := p.rows[at : at+g.size]
		if best == nil || g.layer == ne.LU && row[shareAt] > best[shareAt] {
			best, from = row, p.kg
		}
	}
	if best != nil {
		g.rows = append(g.rows, best...)
		g.kgs = append(g.kgs, uint8(from))
	}
}
