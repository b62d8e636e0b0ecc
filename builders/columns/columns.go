// Package columns makes the artefact of parcels as columns (artefacts/columns) when a generation is published.
//
// The KG files come in the pass that it shares with other stages (stage.Reader), district by district: those of one are
// turned into columns and, when the last is there, its sections appended to a temporary file. When all districts are there,
// the sections are written in the order of the file, groups in front of districts, each packed alone. Memory is that of the
// districts under way and of the summaries of the KGs, some hundred bytes each; it does not grow with the parcels of the
// country.
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
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
)

// Stage makes the artefact.
func Stage() stage.Stage { return stage.Reading(columns.Artefact, columns.Recipe, begin) }

// district is one district, made or taken over.
type district struct {
	part     columns.Part
	kgs      []columns.KG
	built    []columns.BuiltKG // as kgs
	sections map[columns.Group][]byte
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

// build makes the sections of a district: of the rows that were read, of those that the served artefact has, and where
// that turns out not to have them, of the KG's file.
func build(ctx context.Context, c *stage.Country, d *stage.District, sum string, have func(k *stage.KG) (kgRows, bool)) (*district,
	error) {
	out := &district{part: columns.Part{District: d.Code, Fingerprint: sum}, sections: map[columns.Group][]byte{}}
	tables := make([]*columns.Table, 0, len(d.KGs))
	for _, k := range d.KGs {
		rows, ok := have(k)
		if !ok {
			f, err := c.Open(ctx, k)
			if err != nil {
				return nil, fmt.Errorf("KG %s: %w", k.Entry.Code, err)
			}
			if rows, err = read(f, d.Code); err != nil {
				return nil, err
			}
		}
		tables, out.kgs = append(tables, rows.table), append(out.kgs, rows.summary)
		out.built = append(out.built, rows.table.Built())
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

// summaries are those of KGs, by district and code.
type summaries struct {
	kgs   []columns.KG
	built []columns.BuiltKG
}

// kgRows are the rows of a KG.
type kgRows struct {
	table   *columns.Table
	summary columns.KG
}

// read makes the rows of a KG from its file.
func read(f *kgfile.File, d austria.DistrictCode) (r kgRows, err error) {
	if r.table, err = columns.Of(f); err != nil {
		return r, err
	}
	r.summary, err = columns.Summarise(f, d, r.table)
	return r, err
}

// write adds the sections in the order of their names.
func write(b *sectionfile.Builder, s *spooled, head []columns.Part, all *summaries) error {
	type section struct {
		name string
		body func() ([]byte, error)
	}
	list := []section{
		{columns.Summary, func() ([]byte, error) { return columns.EncodeKGs(all.kgs) }},
		{columns.BuiltSummary, func() ([]byte, error) { return columns.EncodeBuilt(all.built) }},
	}
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
