package query

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/columns"
	"mappe/functions/core/generation"
	"mappe/functions/core/parcelcolumns"
	"mappe/shared/austria"
)

// source gives the columns of places, a few at a time.
type source interface {
	// each calls visit for the places that are wanted, with the table that their rows are in; several calls may
	// be for one table. wanted is asked again just before columns are read.
	each(ctx context.Context, places []int, groups []columns.Group, wanted func(place int) bool,
		visit func(place int, t *columns.Table)) error
}

// summarise notes the summaries in the places of a plan.
func (p *plan) summarise(ctx context.Context, c *parcelcolumns.Columns) (err error) {
	var built []columns.BuiltKG
	if p.filter.Built != 0 {
		if built, err = c.Built(ctx); err != nil {
			return err
		}
	}
	for i := range p.places {
		at := &p.places[i]
		if at.sum, at.first, err = c.KG(at.kg.Code); err != nil {
			return err
		}
		if built == nil {
			continue
		}
		n, err := c.Index(at.kg.Code)
		if err != nil {
			return err
		}
		at.built = &built[n]
	}
	return nil
}

// batchBytes bounds the stored sections that are decoded together: what a scan holds beside the cache.
const batchBytes = 16 << 20

// district is the places of one district.
type district struct {
	code   austria.DistrictCode
	places []int
}

// scanner is the source over the columns of a generation.
type scanner struct {
	columns *parcelcolumns.Columns
	plan    *plan
}

func (s scanner) each(ctx context.Context, places []int, groups []columns.Group, wanted func(int) bool,
	visit func(int, *columns.Table)) error {
	list := s.districts(places)
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := s.batch(&list, groups, wanted)
		codes := make([]austria.DistrictCode, len(batch))
		for i := range batch {
			codes[i] = batch[i].code
		}
		tables, err := s.columns.Tables(ctx, codes, groups)
		if err != nil {
			return err
		}
		for i, d := range batch {
			for _, at := range d.places {
				visit(at, tables[i])
			}
		}
	}
	return nil
}

// districts groups places by district, in the order in which districts first come.
func (s scanner) districts(places []int) []district {
	var list []district
	at := map[austria.DistrictCode]int{}
	for _, i := range places {
		code := s.plan.places[i].sum.District
		n, ok := at[code]
		if !ok {
			n = len(list)
			at[code] = n
			list = append(list, district{code: code})
		}
		list[n].places = append(list[n].places, i)
	}
	return list
}

// batch takes the next districts of which something is wanted.
func (s scanner) batch(list *[]district, groups []columns.Group, wanted func(int) bool) []district {
	var out []district
	size := 0
	for len(*list) > 0 && size < batchBytes {
		d := (*list)[0]
		*list = (*list)[1:]
		d.places = slices.DeleteFunc(d.places, func(i int) bool { return !wanted(i) })
		if len(d.places) == 0 {
			continue
		}
		out = append(out, d)
		for _, g := range groups {
			if i, ok := s.columns.Section(d.code, g); ok {
				size += s.columns.Parts.Raw(i)
			}
		}
	}
	slices.SortFunc(out, func(a, b district) int { return cmp.Compare(a.code, b.code) })
	return out
}

// files is the source over KG files, for the snapshots of a date. What cannot be read goes to the gaps.
type files struct {
	plan *plan
}

func (s files) each(ctx context.Context, places []int, _ []columns.Group, wanted func(int) bool, visit func(int, *columns.Table)) error {
	p := s.plan
	codes := make([]austria.KGCode, len(places))
	for i, at := range places {
		codes[i] = p.places[at].kg.Code
	}
	ahead := p.view.Ahead(codes)
	for _, at := range places {
		ahead.Next(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		if !wanted(at) {
			continue
		}
		f, err := p.view.Read(ctx, p.places[at].kg.Code, &p.gaps)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		t, err := columns.Of(f)
		if err != nil {
			return generation.Fault(ctx, err)
		}
		visit(at, t)
	}
	return nil
}
