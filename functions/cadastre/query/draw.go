package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// chunkRows bounds the rows that are held, so that a KG file is opened once for many rows of an order that goes
// to and fro between KGs.
const chunkRows = 10_000

// drawn is a row of a page; p is nil where its KG cannot be read.
type drawn struct {
	kg   *kgfile.KG
	p    *kgfile.Parcel
	over rowschema.Over
}

// heldKGs is of how many KGs' files the rows are drawn as they stand in them; of more they are copied, so that the answer does not
// keep the files.
const heldKGs = 16

// draw gives the rows of hits. The first are drawn at once, so that the answer's head says what is missing of
// them; the KGs of the further ones are asked for.
func (p *plan) draw(ctx context.Context, src source, hits []hit) (format.Seq, error) {
	first, err := p.chunk(ctx, src, hits[:min(len(hits), chunkRows)], false)
	if err != nil {
		return nil, err
	}
	rest := hits[min(len(hits), chunkRows):]
	if len(rest) > 0 && !p.view.Past() {
		if err := p.view.Confirm(ctx, p.codesOf(rest), &p.gaps); err != nil {
			return nil, err
		}
	}
	return func(yield func(format.Row, error) bool) {
		row := listed.Record()
		if p.areas != nil {
			row = listedNear.Record()
		}
		chunk := first
		for left := rest; ; {
			for i := range chunk {
				if chunk[i].kg == nil {
					continue
				}
				row.Item.KG, row.Item.P, row.Item.Over = chunk[i].kg, chunk[i].p, chunk[i].over
				if p.areas != nil {
					p.areas.describe(row)
				}
				if !yield(row, nil) {
					return
				}
			}
			if len(left) == 0 {
				return
			}
			n := min(len(left), chunkRows)
			var err error
			if chunk, err = p.chunk(ctx, src, left[:n], true); err != nil {
				yield(nil, err)
				return
			}
			left = left[n:]
		}
	}, nil
}

// codesOf are the KGs of hits, rising.
func (p *plan) codesOf(hits []hit) []austria.KGCode {
	seen := map[int32]bool{}
	var codes []austria.KGCode
	for _, h := range hits {
		if !seen[h.place] {
			seen[h.place] = true
			codes = append(codes, p.places[h.place].kg.Code)
		}
	}
	slices.Sort(codes)
	return codes
}

// chunk opens each KG of some hits once and copies their parcels; sent says that the answer's head is on its way.
func (p *plan) chunk(ctx context.Context, src source, hits []hit, sent bool) ([]drawn, error) {
	groups := grouped(hits)
	files, err := fileRows(ctx, src, hits, groups)
	if err != nil {
		return nil, err
	}
	out := make([]drawn, len(hits))
	codes := make([]austria.KGCode, len(groups)) // rising, as the places do
	for n, g := range groups {
		codes[n] = p.places[g.place].kg.Code
	}
	over, err := p.overOf(ctx, codes)
	if err != nil {
		return nil, err
	}
	ahead := p.view.Ahead(codes).Decoding(view.Parcels)
	for n, code := range codes {
		ahead.Next(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := p.read(ctx, code, sent)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue // rows that exist keep their places in the pages
		}
		if err := p.takeParcels(ctx, f, out, taken{groups[n].at, files, len(groups) > heldKGs}); err != nil {
			return nil, err
		}
		for _, i := range groups[n].at {
			out[i].over = over[n]
			out[i].over.Row = int(files[i])
		}
	}
	return out, nil
}

// read gives the file of a KG, nil where it cannot be read and the answer's head says so. One that turns out to be gone when the
// head is sent breaks the answer off: it said that nothing is missing.
func (p *plan) read(ctx context.Context, code austria.KGCode, sent bool) (*kgfile.File, error) {
	if sent && !p.gaps.Has(code) {
		return p.view.Open(ctx, code)
	}
	return p.view.Read(ctx, code, &p.gaps)
}

// overOf is what lies over KGs. Overlays are of the present: rows of a date show none.
func (p *plan) overOf(ctx context.Context, codes []austria.KGCode) ([]rowschema.Over, error) {
	out := make([]rowschema.Over, len(codes))
	if p.view.Past() || !overlayindex.Knows(p.view.View) {
		return out, nil
	}
	list, err := overlayindex.Of(p.view.View).Over(ctx, codes)
	if err != nil {
		return nil, err
	}
	for i, k := range list {
		out[i] = rowschema.Over{Known: true, KG: k}
	}
	return out, nil
}

// taken says which rows of a chunk show which rows of a KG's file, and whether they are copies: a copy keeps no file in memory.
type taken struct {
	at     []int
	rows   []uint32 // of all rows of the chunk
	copies bool
}

// takeParcels gives the parcels of one KG to the rows that show them.
func (p *plan) takeParcels(ctx context.Context, f *kgfile.File, out []drawn, t taken) error {
	parcels, err := f.Parcels()
	if err != nil {
		return generation.Fault(ctx, err)
	}
	kg := f.KG()
	var l lists
	if t.copies {
		l = lists{make([]kgfile.Parcel, 0, len(t.at)), make([]kgfile.CodeCount, 0, len(t.at)), make([]kgfile.CodeArea, 0, 2*len(t.at))}
	}
	for _, i := range t.at {
		if int(t.rows[i]) >= len(parcels) {
			return generation.Fault(ctx, fmt.Errorf("the columns name row %d of KG %s, which has %d", t.rows[i], kg.Code, len(parcels)))
		}
		out[i] = drawn{kg: &kg, p: &parcels[t.rows[i]]}
		if t.copies {
			l.parcels = append(l.parcels, l.clone(out[i].p, p.polygons))
			out[i].p = &l.parcels[len(l.parcels)-1]
		}
	}
	return nil
}

// lists are the memory that the copies of some parcels share, in place of three pieces for each.
type lists struct {
	parcels []kgfile.Parcel // as many as are copied: it does not grow
	symbols []kgfile.CodeCount
	uses    []kgfile.CodeArea
}

// copied is a copy of a list in shared memory; nil of nil.
func copied[T any](room *[]T, list []T) []T {
	if list == nil {
		return nil
	}
	n := len(*room)
	*room = append(*room, list...)
	return slices.Clip((*room)[n:])
}

func (l *lists) clone(p *kgfile.Parcel, polygons bool) kgfile.Parcel {
	c := *p
	c.SymbolCounts, c.UseAreas = copied(&l.symbols, p.SymbolCounts), copied(&l.uses, p.UseAreas)
	if c.Geometry = nil; !polygons {
		return c
	}
	c.Geometry = slices.Clone(p.Geometry)
	for i, poly := range c.Geometry {
		c.Geometry[i] = slices.Clone(poly)
		for k, ring := range poly {
			c.Geometry[i][k] = slices.Clone(ring)
		}
	}
	return c
}

// fileRows are the rows of hits in their KG's file; a nil source says that the hits name these.
func fileRows(ctx context.Context, src source, hits []hit, groups []group) ([]uint32, error) {
	out, places := make([]uint32, len(hits)), make([]int, len(groups))
	if src == nil {
		for i := range hits {
			out[i] = uint32(hits[i].row)
		}
		return out, nil
	}
	for n, g := range groups {
		places[n] = g.place
	}
	err := src.each(ctx, places, []columns.Group{columns.Row}, func(int) bool { return true }, func(place int, t *columns.Table) {
		n, _ := slices.BinarySearchFunc(groups, place, func(g group, place int) int { return cmp.Compare(g.place, place) })
		for _, i := range groups[n].at {
			out[i] = t.Rows[hits[i].row]
		}
	})
	return out, err
}
