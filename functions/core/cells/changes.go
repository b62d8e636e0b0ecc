package cells

import (
	"context"
	"maps"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/functions/core/generation"
	"mappe/shared/geo/hexgrid"
)

// shownChange is what changed in a cell, as it is shown.
type shownChange struct {
	Cell       hexgrid.Cell `json:"cell"`
	Status     ne.Status    `json:"status"`
	Since      string       `json:"since"`
	LastChange string       `json:"last_change"`
	LU         [9]float64   `json:"d_lu_m2"` // in the order of classes
	StrCover   float64      `json:"d_str_cover_m2"`
	StrN       int          `json:"d_str_n"`
	EdgeMHa    int          `json:"d_edge_m_ha"`
	From       *string      `json:"from"` // the class that lost most; null where none did
	To         *string      `json:"to"`
	Was        shownShares  `json:"was"`               // before this change
	Earlier    *shownChange `json:"earlier,omitempty"` // the confirmed change before a candidate
}

// shownShares are shares of a cell, in 255ths.
type shownShares struct {
	Land     uint8    `json:"land"`
	LU       [9]uint8 `json:"lu"` // in the order of classes
	StrCover uint8    `json:"str_cover"`
}

// maxChangesObject bounds the object of a KG's changes.
const maxChangesObject = 128 << 20

var changesDecoder = library.Decoder[*ne.Changes]{Limit: maxChangesObject, Decode: func(body []byte) (*ne.Changes, int64, error) {
	c, err := ne.ParseChanges(body)
	if err != nil {
		return nil, 0, err
	}
	return c, int64(len(c.Cells)) * 120, nil
}}

// changesOfKG reads what changed in the cells of a KG; nil where nothing did.
func (s *source) changesOfKG(ctx context.Context, k *ne.IndexKG) (*ne.Changes, error) {
	if k.Changes == "" {
		return nil, nil
	}
	key, err := keys.Parse(k.Changes)
	if err != nil {
		return nil, err
	}
	c, err := library.Get(ctx, s.View, key, changesDecoder)
	if err != nil {
		return nil, generation.FaultOf(ctx, "what changed in KG "+string(k.Code), err)
	}
	return c, nil
}

// cellChanges are what changed in a cell.
type cellChanges struct{ ne.CellChange }

// changed are the cells that changed, each once: as the KG with the largest share of it has it.
type changed map[hexgrid.Cell]cellChanges

// changesOf reads the changes of KGs.
func (s *source) changesOf(ctx context.Context, kgs []*ne.IndexKG) (changed, error) {
	all := make([]*ne.Changes, len(kgs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(openWidth)
	for i, k := range kgs {
		if k.Changes == "" {
			continue
		}
		g.Go(func() (err error) {
			all[i], err = s.changesOfKG(ctx, k)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := changed{}
	for _, c := range all {
		if c != nil {
			out.add(c)
		}
	}
	return out, nil
}

// add takes the changes of a KG; of a cell that is known the KG with the larger share counts, of equal ones the first.
func (c changed) add(kg *ne.Changes) {
	for x := range kg.ByCell() {
		if known, ok := c[x.Newest.Cell]; !ok || x.Share() > known.Share() {
			c[x.Newest.Cell] = cellChanges{x}
		}
	}
}

// beside is chg for rows of the layer lu.
type beside struct {
	N     int            `json:"n"`
	Cells []*shownChange `json:"cells"`
}

func (c changed) beside(rows []byte) beside {
	b := beside{Cells: make([]*shownChange, 0, len(rows)/ne.LUBytes)}
	for at := 0; at+ne.LUBytes <= len(rows); at += ne.LUBytes {
		x, ok := c[ne.CellOf(rows[at:])]
		if !ok {
			b.Cells = append(b.Cells, nil)
			continue
		}
		b.N++
		b.Cells = append(b.Cells, x.shown())
	}
	return b
}

func (c *cellChanges) shown() *shownChange {
	area := ne.CellArea(c.Newest.Cell)
	out := show(c.Newest, area)
	if c.Earlier != nil {
		out.Earlier = show(c.Earlier, area)
	}
	return out
}

// show writes a change in m².
func show(c *ne.Change, area float64) *shownChange {
	before, after := c.Before.Row(c.Cell), c.After.Row(c.Cell)
	out := &shownChange{Cell: c.Cell, Status: c.Status, Since: c.Since, LastChange: c.LastChange,
		StrCover: squareMetres(int(after.StrCover)-int(before.StrCover), area), StrN: int(after.StrN) - int(before.StrN),
		EdgeMHa: int(after.EdgeMHa) - int(before.EdgeMHa),
		Was:     shownShares{before.Land, before.Use, before.StrCover}}
	most, least := 0, 0
	for i, d := range ne.Deltas(&before, &after) {
		if i < len(out.LU) {
			out.LU[i] = squareMetres(d, area)
		}
		if d > most {
			most, out.To = d, className(i)
		}
		if d < least {
			least, out.From = d, className(i)
		}
	}
	return out
}

func className(i int) *string {
	name := ne.ClassName(i)
	return &name
}

// squareMetres is an area in 255ths of a cell, in tenths of a m².
func squareMetres(share int, area float64) float64 { return round(float64(share)/255*area, 1) }

// round keeps so many decimals; no zero has a sign.
func round(v float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(v*p)/p + 0
}

// sortedKeys are the keys of a map, in rising order.
func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
