package proximity

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/grid"
	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/geom"
)

// Check says what of the features cannot be stored.
func (c *Country) Check() error {
	for i := range c.Lines {
		if len(c.Lines[i].Vertices) < 2 {
			return fmt.Errorf("proximity: line %d has %d vertices", i, len(c.Lines[i].Vertices))
		}
	}
	return nil
}

// Head is what the artefact of the country says of itself. Borders of areas are no features.
func (c *Country) Head() Head {
	h := Head{c.Date, c.Attribution, make([]int, len(classes))}
	for i := range c.Lines {
		h.Counts[c.Lines[i].Class]++
	}
	for i := range c.Points {
		h.Counts[c.Points[i].Class]++
	}
	for i := range c.Areas {
		h.Counts[c.Areas[i].Class]++
	}
	return h
}

// Encode writes a head.
func (h Head) Encode() ([]byte, error) {
	counts := make([]uint64, len(h.Counts))
	for i, n := range h.Counts {
		counts[i] = uint64(n)
	}
	return encodeSection("head", len(counts), func(w *column.Writer) {
		w.Text([]string{h.Date, h.Attribution})
		w.Ints(counts)
	})
}

// DecodeHead reads a head of any bytes. Classes that this program does not know are passed over.
func DecodeHead(b []byte) (h Head, err error) {
	err = decodeSection("head", b, func(r *column.Reader, n int) {
		text := r.Text(2)
		h.Counts = make([]int, max(n, len(classes)))
		for i, v := range column.Ints[uint32](r, n) {
			h.Counts[i] = int(v)
		}
		h.Date, h.Attribution, h.Counts = text[0], text[1], h.Counts[:len(classes)]
	})
	return h, err
}

// Fill writes the sections of the artefact.
func (c *Country) Fill(b *sectionfile.Builder) error {
	if err := c.Check(); err != nil {
		return err
	}
	lines := chunks(c.Lines, c.Areas)
	for _, g := range []Grid{Far, Near} { // in the order of their prefixes
		if err := c.fill(b, g, lines); err != nil {
			return err
		}
	}
	return nil
}

// chunks cuts lines, and the borders of areas, into pieces that share their ends.
func chunks(lines []Line, areas []Area) []Line {
	var out []Line
	cut := func(l Line) {
		for v := l.Vertices; ; v = v[MaxVertices-1:] {
			l.Vertices = v[:min(len(v), MaxVertices)]
			out = append(out, l)
			if len(v) <= MaxVertices {
				return
			}
		}
	}
	for _, l := range lines {
		cut(l)
	}
	for _, a := range areas {
		for _, r := range a.Geometry.Rings() {
			cut(Line{Class: a.Class, Name: a.Name, Vertices: append(slices.Clone([]geom.Point(r)), r[0])})
		}
	}
	return out
}

// inCell is a feature of a cell: the number of a line, a point or an area.
type inCell struct {
	cell CellID
	kind uint8
	n    int32
}

// The kinds of features.
const (
	kindLine uint8 = iota
	kindPoint
	kindArea
)

// maxCells bounds the cells that one feature may be in; the longest chunk or lake of Europe is in some hundreds.
const maxCells = 100_000

// cellsOf are the cells that the box of a feature meets.
func (g Grid) cellsOf(k Class, box geom.Box) ([]CellID, error) {
	cells := g.Cells(box, maxCells)
	if cells == nil {
		return nil, fmt.Errorf("proximity: a feature of the class %s spans more than %d cells", k, maxCells)
	}
	return cells, nil
}

func (c *Country) fill(b *sectionfile.Builder, g Grid, lines []Line) error {
	var all []inCell
	place := func(k Class, box geom.Box, kind uint8, n int) error {
		if !g.holds.Has(k) {
			return nil
		}
		cells, err := g.cellsOf(k, box)
		if err != nil {
			return err
		}
		for _, id := range cells {
			all = append(all, inCell{id, kind, int32(n)})
		}
		return nil
	}
	for i := range lines {
		if err := place(lines[i].Class, geom.Ring(lines[i].Vertices).Bounds(), kindLine, i); err != nil {
			return err
		}
	}
	for i := range c.Points {
		p := c.Points[i].At
		if err := place(c.Points[i].Class, geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, kindPoint, i); err != nil {
			return err
		}
	}
	for i := range c.Areas {
		if err := place(c.Areas[i].Class, c.Areas[i].Geometry.Bounds(), kindArea, i); err != nil {
			return err
		}
	}
	order := func(a, b inCell) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.n, b.n)) }
	for _, list := range grid.ByCell(all, func(x inCell) grid.Cell { return x.cell }, order) {
		if err := c.addCell(b, g, list, lines); err != nil {
			return err
		}
	}
	return nil
}

func (c *Country) addCell(b *sectionfile.Builder, g Grid, list []inCell, lines []Line) error {
	id := list[0].cell
	box := g.Box(id)
	var cell Cell
	for _, f := range list {
		switch f.kind {
		case kindLine:
			cell.Lines = append(cell.Lines, lines[f.n])
		case kindPoint:
			cell.Points = append(cell.Points, c.Points[f.n])
		default:
			a := c.Areas[f.n]
			if a.Geometry = a.Geometry.Clip(box); len(a.Geometry) > 0 {
				cell.Areas = append(cell.Areas, a)
			}
		}
	}
	body, err := cell.encode(box)
	if err != nil {
		return err
	}
	return b.Add(g.Section(id), body)
}
