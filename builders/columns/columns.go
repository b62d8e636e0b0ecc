// Package columns makes the artefact of parcels as columns (artefacts/columns) when a generation is published.
//
// It goes over the country by district: the KG files of one are turned into columns and its sections appended to
// a temporary file. When all districts are there, the sections are written in the order of the file, groups in
// front of districts, each packed alone. Memory is that of the districts under way (one a worker) and of the
// summaries of the KGs, some hundred bytes each; it does not grow with the parcels of the country.
//
// A district is made from the KG files that the manifest names, its KG codes and the recipe: their digest is its
// fingerprint, which stands in the head. Where the served artefact has a district of the same fingerprint its
// sections and summaries are copied as they are; where it has all of them, and no other, it is the result. Of a district
// that has changed, the rows of the KGs that have not are taken out of the served one, so that their files are not read. A
// served artefact that cannot be read is passed over: the result is the same, it takes longer.
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
	"mappe/shared/austria"
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
		sums[i] = fingerprint(list[i].Code, entries(&list[i]))
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
		return build(ctx, c, &list[i], sums[i], served.rows(c, list[i].Code))
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
func fingerprint(code austria.DistrictCode, kgs []manifest.Entry) string {
	h := sha256.New()
	fmt.Fprintln(h, columns.Recipe, code)
	for i := range kgs {
		fmt.Fprintln(h, kgs[i].Code, kgs[i].Forms.KGS.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// entries are those of a district's KGs.
func entries(d *stage.District) (list []manifest.Entry) {
	for _, k := range d.KGs {
		list = append(list, k.Entry)
	}
	return list
}

// build makes the sections of a district from its KG files, but for the KGs whose rows are kept.
func build(ctx context.Context, c *stage.Country, d *stage.District, sum string, kept map[string]kgRows) (*district, error) {
	out := &district{part: columns.Part{District: d.Code, Fingerprint: sum}, sections: map[columns.Group][]byte{}}
	tables := make([]*columns.Table, 0, len(d.KGs))
	for _, k := range d.KGs {
		rows, ok := kept[k.Entry.Forms.KGS.SHA256]
		if !ok || rows.summary.Code != k.Entry.Code {
			var err error
			if rows, err = read(ctx, c, k, d.Code); err != nil {
				return nil, err
			}
		}
		tables, out.kgs = append(tables, rows.table), append(out.kgs, rows.summary)
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

// kgRows are the rows of a KG.
type kgRows struct {
	table   *columns.Table
	summary columns.KG
}

// read makes the rows of a KG from its file.
func read(ctx context.Context, c *stage.Country, k *stage.KG, d austria.DistrictCode) (r kgRows, err error) {
	f, err := c.Open(ctx, k)
	if err != nil {
		return r, err
	}
	if r.table, err = columns.Of(f); err != nil {
		return r, err
	}
	r.summary, err = columns.Summarise(f, d, r.table)
	return r, err
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
