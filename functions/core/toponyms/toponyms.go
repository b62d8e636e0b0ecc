// Package toponyms is how functions read the geographical names of one generation (artefacts/toponyms): around a place, by
// spelling, by id, in a KG. It owns the reading by range; rows and parameters are the families'.
//
//	n, err := toponyms.Of(ctx, v)             // nil: the generation has none; one read, none when it is in memory
//	near, err := n.Near(ctx, p, 500, f)      // one read of the cells around
package toponyms

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/artefacts/library"
	"mappe/artefacts/toponyms"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Names are those of one generation.
type Names struct {
	toponyms.Head
	parts *library.Parts
}

// Of opens the names, nil where the generation has none.
func Of(ctx context.Context, v *library.View) (*Names, error) {
	key, ok := v.Artefact(toponyms.Artefact)
	if !ok {
		return nil, nil
	}
	p, err := v.Parts(ctx, key, toponyms.Family)
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	h, err := library.Head(p, readHead)
	return &Names{h, p}, generation.Fault(ctx, err)
}

func readHead(b []byte) (toponyms.Head, error) {
	h, err := toponyms.DecodeHead(b)
	if h.Attribution != "" {
		h.Attribution += ", modified"
	}
	return h, err
}

// Filter chooses names; the zero value takes none, All takes all.
type Filter struct {
	Layers toponyms.Set
	Code   int // f_code; 0 any
}

// All takes every name.
var All = Filter{Layers: toponyms.AllNames}

// Passes says whether a name passes.
func (f Filter) Passes(n *toponyms.Name) bool {
	return f.Layers.Has(n.Layer) && (f.Code == 0 || n.Code == f.Code)
}

// Found is a name with what a question found out about it; NaN is not asked.
type Found struct {
	*toponyms.Name
	Metres, Score float64
}

// cell reads cells of the grid.
func (n *Names) cells(ctx context.Context, list []toponyms.Part) ([][]toponyms.Name, error) {
	sections := make([]int, 0, len(list))
	for _, p := range list {
		if i, ok := n.parts.Find(p.Section()); ok {
			sections = append(sections, i)
		}
	}
	if len(sections) != len(list) {
		return nil, library.ErrDamaged
	}
	got, err := library.Sections(ctx, n.parts, sections, func(i int, body []byte) ([]toponyms.Name, int64, error) {
		return toponyms.DecodeCell(list[slices.Index(sections, i)].Cell, body)
	})
	return got, generation.Fault(ctx, err)
}

// Near gives the names within a distance in metres that pass, by distance, then id.
func (n *Names) Near(ctx context.Context, p geom.Point, metres float64, f Filter) ([]Found, error) {
	box := crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, metres)
	lo, hi := toponyms.CellAt(geom.Point{X: box.MinX, Y: box.MinY}), toponyms.CellAt(geom.Point{X: box.MaxX, Y: box.MaxY})
	var list []toponyms.Part
	for row := lo.Row; row <= hi.Row; row++ {
		for column := lo.Column; column <= hi.Column; column++ {
			if p, ok := n.part(toponyms.Cell{Row: row, Column: column}); ok {
				list = append(list, p)
			}
		}
	}
	cells, err := n.cells(ctx, list)
	if err != nil {
		return nil, err
	}
	ruler := crs.RulerAt(p)
	var found []Found
	for _, rows := range cells {
		for i := range rows {
			if box.Contains(rows[i].At) && f.Passes(&rows[i]) {
				if d := ruler.Distance(rows[i].At); d <= metres {
					found = append(found, Found{&rows[i], d, math.NaN()})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b Found) int { return cmp.Or(cmp.Compare(a.Metres, b.Metres), cmp.Compare(a.ID, b.ID)) })
	return found, nil
}

// part finds the part of a cell.
func (n *Names) part(c toponyms.Cell) (toponyms.Part, bool) {
	i, ok := slices.BinarySearchFunc(n.Parts, c, func(p toponyms.Part, c toponyms.Cell) int {
		return cmp.Or(cmp.Compare(p.Row, c.Row), cmp.Compare(p.Column, c.Column))
	})
	if !ok {
		return toponyms.Part{}, false
	}
	return n.Parts[i], true
}

// Numbers gives names by their numbers, in their order.
func (n *Names) Numbers(ctx context.Context, numbers []int) ([]*toponyms.Name, error) {
	var list []toponyms.Part
	at := map[toponyms.Cell]int{}
	where := make([]toponyms.Part, len(numbers))
	for i, number := range numbers {
		p, ok := n.PartOf(number)
		if !ok {
			return nil, library.ErrDamaged
		}
		if _, ok := at[p.Cell]; !ok {
			at[p.Cell] = len(list)
			list = append(list, p)
		}
		where[i] = p
	}
	cells, err := n.cells(ctx, list)
	if err != nil {
		return nil, err
	}
	out := make([]*toponyms.Name, len(numbers))
	for i, p := range where {
		rows := cells[at[p.Cell]]
		if len(rows) != p.N {
			return nil, library.ErrDamaged
		}
		out[i] = &rows[numbers[i]-p.First]
	}
	return out, nil
}

// refs reads a section of numbers; nil if the file has no such section.
func (n *Names) refs(ctx context.Context, section string) ([]toponyms.Ref, error) {
	i, ok := n.parts.Find(section)
	if !ok {
		return nil, nil
	}
	got, err := library.Sections(ctx, n.parts, []int{i}, func(_ int, body []byte) ([]toponyms.Ref, int64, error) {
		return toponyms.DecodeRefs(body)
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return got[0], nil
}

// under are the numbers under a text.
func under(refs []toponyms.Ref, key string) (numbers []int) {
	from, _ := slices.BinarySearchFunc(refs, key, func(r toponyms.Ref, k string) int { return cmp.Compare(r.Key, k) })
	for ; from < len(refs) && refs[from].Key == key; from++ {
		numbers = append(numbers, refs[from].Number)
	}
	return numbers
}

// ByID gives the name of an id, nil if no name has the id.
func (n *Names) ByID(ctx context.Context, id string) (*toponyms.Name, error) {
	refs, err := n.refs(ctx, toponyms.IDSection(id))
	if err != nil {
		return nil, err
	}
	numbers := under(refs, id)
	if len(numbers) == 0 {
		return nil, nil
	}
	list, err := n.Numbers(ctx, numbers[:1])
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// InKG gives the names in a KG that pass: field names first, then by layer, name and id.
func (n *Names) InKG(ctx context.Context, code austria.KGCode, f Filter) ([]Found, error) {
	refs, err := n.refs(ctx, toponyms.KGSection(code))
	if err != nil {
		return nil, err
	}
	list, err := n.Numbers(ctx, under(refs, string(code)))
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, x := range list {
		if f.Passes(x) {
			found = append(found, Found{x, math.NaN(), math.NaN()})
		}
	}
	slices.SortFunc(found, func(a, b Found) int { return toponyms.Before(a.Name, b.Name) })
	return found, nil
}

// Search gives the spellings of all names: one read of some megabytes for the country, kept while it is used.
func (n *Names) Search(ctx context.Context) (*toponyms.Search, error) {
	i, ok := n.parts.Find(toponyms.SearchSection)
	if !ok {
		return nil, library.ErrDamaged
	}
	got, err := library.Sections(ctx, n.parts, []int{i}, func(_ int, body []byte) (*toponyms.Search, int64, error) {
		return toponyms.DecodeSearch(body)
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return got[0], nil
}

// Stats counts the names by code.
func (n *Names) Stats(ctx context.Context) ([]toponyms.Count, error) {
	i, ok := n.parts.Find(toponyms.StatsSection)
	if !ok {
		return nil, library.ErrDamaged
	}
	got, err := library.Sections(ctx, n.parts, []int{i}, func(_ int, body []byte) ([]toponyms.Count, int64, error) {
		return toponyms.DecodeStats(body)
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return got[0], nil
}
