package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/columns"
	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// source gives the columns of places, a few at a time.
type source interface {
	// each calls visit for the places that are wanted, with the table that their rows are in; several calls may
	// be for one table. wanted is asked again just before columns are read.
	each(ctx context.Context, places []int, groups []columns.Group, wanted func(place int) bool,
		visit func(place int, t *columns.Table)) error
}

// artefact is the columns of a generation.
type artefact struct {
	parts *library.Parts
	rows  map[austria.DistrictCode]int
	kgs   []columns.KG
	at    map[austria.KGCode]int // in kgs
	first []int                  // of each KG: its first row in its district
}

// built says when it is worth asking for columns again that a generation does not have.
const built = time.Minute

// openArtefact opens the columns of a generation: front and summaries.
func openArtefact(ctx context.Context, v *view.View) (*artefact, error) {
	key, ok := v.Artefact(columns.Artefact)
	if !ok {
		return nil, fault.Retry(fault.Unavailable, built, "this generation of the data has no columns of the parcels yet: publish it again")
	}
	p, err := v.Parts(ctx, key, columns.Kind)
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	i, ok := p.Find(columns.Summary)
	if !ok {
		return nil, generation.Fault(ctx, library.ErrDamaged)
	}
	list, err := library.Sections(ctx, p, []int{i}, func(_ int, body []byte) (*artefact, int64, error) { return decodeArtefact(p, body) })
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	a := *list[0]
	a.parts = p
	return &a, nil
}

// decodeArtefact reads what stands in front of the columns.
func decodeArtefact(p *library.Parts, body []byte) (*artefact, int64, error) {
	kgs, cost, err := columns.DecodeKGs(body)
	if err != nil {
		return nil, 0, err
	}
	a := &artefact{kgs: kgs, rows: map[austria.DistrictCode]int{}, at: map[austria.KGCode]int{}, first: make([]int, len(kgs))}
	for i := range kgs {
		a.first[i] = a.rows[kgs[i].District]
		a.rows[kgs[i].District] += kgs[i].Parcels
		a.at[kgs[i].Code] = i
	}
	head, err := library.Head(p, columns.DecodeHead)
	if err == nil && slices.ContainsFunc(head, func(d columns.Part) bool { return a.rows[d.District] != d.Rows }) {
		err = errors.New("the head and the summaries of the KGs say different numbers of rows")
	}
	return a, cost + int64(len(kgs))*64, err
}

// summarise notes the summaries in the places of a plan. Every KG of the generation with a snapshot has one.
func (a *artefact) summarise(p *plan) error {
	for i := range p.places {
		at := &p.places[i]
		k, ok := a.at[at.kg.Code]
		if !ok {
			return errors.New("KG " + string(at.kg.Code) + " has no columns")
		}
		at.sum, at.first = &a.kgs[k], a.first[k]
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

// tables reads groups of a few districts, neighbours together.
func (a *artefact) tables(ctx context.Context, list []district, groups []columns.Group) ([]*columns.Table, error) {
	var sections []int
	for _, d := range list {
		for _, g := range groups {
			i, ok := a.parts.Find(g.Section(d.code))
			if !ok {
				return nil, generation.Fault(ctx, library.ErrDamaged)
			}
			sections = append(sections, i)
		}
	}
	got, err := library.Sections(ctx, a.parts, sections, func(i int, body []byte) (*columns.Table, int64, error) {
		group, code, _ := strings.Cut(a.parts.Name(i), "-")
		return columns.Decode(columns.Group(group), a.rows[austria.DistrictCode(code)], body)
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	out := make([]*columns.Table, len(list))
	for i := range list {
		t := got[i*len(groups)]
		for _, more := range got[i*len(groups)+1 : (i+1)*len(groups)] {
			t = t.With(more)
		}
		out[i] = t
	}
	return out, nil
}

// scanner is the source over the columns of a generation.
type scanner struct {
	*artefact
	plan *plan
}

func (s scanner) each(ctx context.Context, places []int, groups []columns.Group, wanted func(int) bool,
	visit func(int, *columns.Table)) error {
	list := s.districts(places)
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := s.batch(&list, groups, wanted)
		tables, err := s.tables(ctx, batch, groups)
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
			if i, ok := s.parts.Find(g.Section(d.code)); ok {
				size += s.parts.Raw(i)
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
