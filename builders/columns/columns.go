// Package columns makes the artefact of parcels as columns (artefacts/columns) when a generation is published.
//
// It goes over the country by district: the KG files of one are turned into columns and its sections appended to
// a temporary file. When all districts are there, the sections are written in the order of the file, groups in
// front of districts, each packed alone. Memory is that of the districts under way (one a worker) and of the
// summaries of the KGs, some hundred bytes each; it does not grow with the parcels of the country.
//
// A district is made from the KG files that the manifest names, its KG codes and the recipe: their digest is its
// fingerprint, which stands in the head. Where the served artefact has a district of the same fingerprint its
// sections and summaries are copied as they are; where it has all of them, and no other, it is the result. A served artefact that cannot be
// read is passed over: the result is the same, it takes longer.
package columns

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"mappe/artefacts/columns"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
)

// Stage makes the artefact.
func Stage() stage.Stage {
	return stage.Stage{Kind: columns.Artefact, Recipe: columns.Recipe, Make: produce}
}

// district is one district, made or taken over.
type district struct {
	part     columns.Part
	kgs      []columns.KG
	sections map[columns.Group][]byte
}

func produce(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	var none manifest.Object
	served := openServed(ctx, c)
	list := c.Districts()
	sums := make([]string, len(list))
	for i := range list {
		sums[i] = fingerprint(&list[i])
	}
	if served.whole(sums) {
		return c.Live[columns.Artefact], nil
	}
	spool, err := newSpool()
	if err != nil {
		return none, err
	}
	defer spool.close()
	var head []columns.Part
	var kgs []columns.KG
	err = stage.InOrder(ctx, len(list), c.Workers, func(ctx context.Context, i int) (*district, error) {
		if taken := served.take(ctx, list[i].Code, sums[i]); taken != nil {
			return taken, nil
		}
		return build(ctx, c, &list[i], sums[i])
	}, func(_ int, d *district) error {
		head, kgs = append(head, d.part), append(kgs, d.kgs...)
		return spool.add(d)
	})
	if err != nil {
		return none, err
	}
	front, err := columns.EncodeHead(head)
	if err != nil {
		return none, err
	}
	return c.WriteParts(ctx, columns.Artefact, columns.Kind, front, func(b *sectionfile.Builder) error {
		return write(b, spool, head, kgs)
	})
}

// fingerprint names what a district's sections are made from.
func fingerprint(d *stage.District) string {
	h := sha256.New()
	fmt.Fprintln(h, columns.Recipe, d.Code)
	for _, k := range d.KGs {
		fmt.Fprintln(h, k.Entry.Code, k.Entry.Forms.KGS.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// build makes the sections of a district from its KG files.
func build(ctx context.Context, c *stage.Country, d *stage.District, sum string) (*district, error) {
	out := &district{part: columns.Part{District: d.Code, Fingerprint: sum}, sections: map[columns.Group][]byte{}}
	tables := make([]*columns.Table, 0, len(d.KGs))
	for _, k := range d.KGs {
		f, err := c.Open(ctx, k)
		if err != nil {
			return nil, err
		}
		t, err := columns.Of(f)
		if err != nil {
			return nil, err
		}
		row, err := columns.Summarise(f, d.Code, t)
		if err != nil {
			return nil, err
		}
		tables, out.kgs = append(tables, t), append(out.kgs, row)
	}
	all := columns.Join(tables)
	out.part.Rows = all.N
	for _, g := range columns.AllGroups() {
		b, err := all.Encode(g)
		if err != nil {
			return nil, fmt.Errorf("district %s: %w", d.Code, err)
		}
		out.sections[g] = b
	}
	return out, nil
}

// write adds the sections in the order of their names.
func write(b *sectionfile.Builder, s *spooled, head []columns.Part, kgs []columns.KG) error {
	type section struct {
		name string
		body func() ([]byte, error)
	}
	list := []section{{columns.Summary, func() ([]byte, error) { return columns.EncodeKGs(kgs) }}}
	for _, g := range columns.AllGroups() {
		for i := range head {
			name := g.Section(head[i].District)
			list = append(list, section{name, func() ([]byte, error) { return s.read(name) }})
		}
	}
	slices.SortFunc(list, func(a, b section) int { return cmp.Compare(a.name, b.name) })
	for _, sec := range list {
		body, err := sec.body()
		if err != nil {
			return err
		}
		if err := b.Add(sec.name, body); err != nil {
			return err
		}
	}
	return nil
}
