// Package parcelcolumns opens the columns of a generation (artefacts/columns): what stands in front of them, and the
// summaries of the KGs. functions/cadastre/query filters the columns, functions/core/landuse sums the summaries. It
// decides nothing about a request.
package parcelcolumns

import (
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

// retryMissing is when it is worth asking for columns again that a generation does not have.
const retryMissing = time.Minute

// Columns are the columns of a generation.
type Columns struct {
	Parts *library.Parts
	KGs   []columns.KG // the summaries; they are not to be changed
	rows  map[austria.DistrictCode]int
	at    map[austria.KGCode]int // in KGs
	first []int                  // of each KG: its first row in its district
	parts map[austria.DistrictCode]sections
}

// sections are those of a district, by group: their names are not put together for each request.
type sections map[columns.Group]int

// Open opens the columns of a generation: front and summaries.
func Open(ctx context.Context, v *view.View) (*Columns, error) {
	key, ok := v.Artefact(columns.Artefact)
	if !ok {
		return nil, fault.Retry(fault.Unavailable, retryMissing,
			"this generation of the data has no columns of the parcels yet: publish it again")
	}
	p, err := v.Parts(ctx, key, columns.Family)
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	i, ok := p.Find(columns.Summary)
	if !ok {
		return nil, generation.Fault(ctx, library.ErrDamaged)
	}
	list, err := library.Sections(ctx, p, []int{i}, func(_ int, body []byte) (*Columns, int64, error) { return decode(p, body) })
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	c := *list[0]
	c.Parts = p
	return &c, nil
}

// decode reads what stands in front of the columns.
func decode(p *library.Parts, body []byte) (*Columns, int64, error) {
	kgs, cost, err := columns.DecodeKGs(body)
	if err != nil {
		return nil, 0, err
	}
	c := &Columns{KGs: kgs, rows: map[austria.DistrictCode]int{}, at: map[austria.KGCode]int{}, first: make([]int, len(kgs))}
	for i := range kgs {
		c.first[i] = c.rows[kgs[i].District]
		c.rows[kgs[i].District] += kgs[i].Parcels
		c.at[kgs[i].Code] = i
	}
	c.parts = make(map[austria.DistrictCode]sections, len(c.rows))
	for d := range c.rows {
		c.parts[d] = sections{}
		for _, g := range columns.AllGroups() {
			if i, ok := p.Find(g.Section(d)); ok {
				c.parts[d][g] = i
			}
		}
	}
	head, err := library.Head(p, columns.DecodeHead)
	if err == nil && slices.ContainsFunc(head, func(d columns.Part) bool { return c.rows[d.District] != d.Rows }) {
		err = errors.New("the head and the summaries of the KGs say different numbers of rows")
	}
	return c, cost + int64(len(kgs))*64 + int64(len(c.parts))*512, err
}

// KG is the summary of a KG and its first row in the table of its district. Every KG of the generation with a snapshot
// has one: an error is that of an artefact that does not fit the register.
func (c *Columns) KG(code austria.KGCode) (sum *columns.KG, first int, err error) {
	i, err := c.Index(code)
	if err != nil {
		return nil, 0, err
	}
	return &c.KGs[i], c.first[i], nil
}

// Index is the place of a KG in KGs; the error is that of KG.
func (c *Columns) Index(code austria.KGCode) (int, error) {
	i, ok := c.at[code]
	if !ok {
		return 0, errors.New("KG " + string(code) + " has no columns")
	}
	return i, nil
}

// Built is what the summaries do not tell of parcels with buildings, in the order of KGs; nil where the artefact lacks it.
func (c *Columns) Built(ctx context.Context) ([]columns.BuiltKG, error) {
	i, ok := c.Parts.Find(columns.BuiltSummary)
	if !ok {
		return nil, nil
	}
	list, err := library.Sections(ctx, c.Parts, []int{i}, func(_ int, body []byte) ([]columns.BuiltKG, int64, error) {
		return columns.DecodeBuilt(c.KGs, body)
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return list[0], nil
}

// Section is that of a group of a district.
func (c *Columns) Section(d austria.DistrictCode, g columns.Group) (i int, ok bool) {
	i, ok = c.parts[d][g]
	return i, ok
}

// Tables reads groups of columns of a few districts, neighbours together.
func (c *Columns) Tables(ctx context.Context, districts []austria.DistrictCode, groups []columns.Group) ([]*columns.Table, error) {
	list := make([]int, 0, len(districts)*len(groups))
	for _, d := range districts {
		for _, g := range groups {
			i, ok := c.Section(d, g)
			if !ok {
				return nil, generation.Fault(ctx, library.ErrDamaged)
			}
			list = append(list, i)
		}
	}
	got, err := library.Sections(ctx, c.Parts, list, func(i int, body []byte) (*columns.Table, int64, error) {
		group, code, _ := strings.Cut(c.Parts.Name(i), "-")
		return columns.Decode(columns.Group(group), c.rows[austria.DistrictCode(code)], body)
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	out := make([]*columns.Table, len(districts))
	for i := range districts {
		out[i] = got[i*len(groups)].With(got[i*len(groups)+1 : (i+1)*len(groups)]...)
	}
	return out, nil
}
