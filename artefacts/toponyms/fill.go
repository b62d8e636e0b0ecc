package toponyms

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/artefacts/sectionfile"
)

// order sorts the names as they are stored, and refuses what cannot be.
func (c *Country) order() error {
	slices.SortFunc(c.Names, func(a, b Name) int {
		x, y := CellAt(a.At), CellAt(b.At)
		return cmp.Or(cmp.Compare(x.Row, y.Row), cmp.Compare(x.Column, y.Column), cmp.Compare(a.ID, b.ID))
	})
	seen := make(map[string]bool, len(c.Names))
	for i := range c.Names {
		n := &c.Names[i]
		if n.ID == "" || seen[n.ID] || n.Name == "" || n.Elevation < NoElevation || int(n.Layer) >= len(layers) {
			return fmt.Errorf("toponyms: the name %.40q with the id %.60q: expected a name, a height and an id of its own", n.Name, n.ID)
		}
		seen[n.ID] = true
	}
	return nil
}

// Head is what the artefact of the country says of itself; the names are put in order.
func (c *Country) Head() (Head, error) {
	if err := c.order(); err != nil {
		return Head{}, err
	}
	h := Head{Stichtag: c.Stichtag, Attribution: c.Attribution}
	for i := range c.Names {
		cell := CellAt(c.Names[i].At)
		if n := len(h.Parts); n == 0 || h.Parts[n-1].Cell != cell {
			h.Parts = append(h.Parts, Part{cell, i, 0})
		}
		h.Parts[len(h.Parts)-1].N++
	}
	h.Total = len(c.Names)
	return h, nil
}

// Fill writes the sections of the artefact.
func (c *Country) Fill(b *sectionfile.Builder) error {
	h, err := c.Head()
	if err != nil {
		return err
	}
	for _, p := range h.Parts {
		body, err := encodeCell(p.Cell, c.Names[p.First:p.First+p.N])
		if err != nil {
			return err
		}
		if err := b.Add(p.Section(), body); err != nil {
			return err
		}
	}
	ids, kgs := map[string][]Ref{}, map[string][]Ref{}
	for i := range c.Names {
		n := &c.Names[i]
		ids[IDSection(n.ID)] = append(ids[IDSection(n.ID)], Ref{n.ID, i})
		if n.KG != "" {
			kgs[KGSection(n.KG)] = append(kgs[KGSection(n.KG)], Ref{string(n.KG), i})
		}
	}
	for _, of := range []map[string][]Ref{ids, kgs} {
		if err := addRefs(b, of); err != nil {
			return err
		}
	}
	body, err := encodeSearch(c.entries())
	if err != nil {
		return err
	}
	if err := b.Add(SearchSection, body); err != nil {
		return err
	}
	if body, err = encodeStats(c.counts()); err != nil {
		return err
	}
	return b.Add(StatsSection, body)
}

func addRefs(b *sectionfile.Builder, of map[string][]Ref) error {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		rows := of[name]
		slices.SortFunc(rows, func(a, b Ref) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number)) })
		body, err := encodeRefs(name, rows)
		if err != nil {
			return err
		}
		if err := b.Add(name, body); err != nil {
			return err
		}
	}
	return nil
}

// entries are the spellings of all names, each once for a name.
func (c *Country) entries() []Entry {
	var out []Entry
	for i := range c.Names {
		n := &c.Names[i]
		from := len(out)
		add := func(text string) {
			key := Key(text)
			if key != "" && !slices.ContainsFunc(out[from:], func(e Entry) bool { return e.Key == key }) {
				out = append(out, Entry{key, i, n.Layer, n.KG, n.At})
			}
		}
		add(n.Name)
		add(n.Variant)
		for _, o := range n.Others {
			add(o.Name)
		}
	}
	return out
}

func (c *Country) counts() []Count {
	type key struct {
		layer Layer
		code  int
		name  string
	}
	n := map[key]int{}
	for i := range c.Names {
		n[key{c.Names[i].Layer, c.Names[i].Code, c.Names[i].Feature}]++
	}
	out := make([]Count, 0, len(n))
	for k, v := range n {
		out = append(out, Count{k.layer, k.code, k.name, v})
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Feature, b.Feature))
	})
	return out
}
