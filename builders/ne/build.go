// Package ne computes the land statistics of hexagonal cells (artefacts/ne) from KG files: it cuts parcels, land-use
// areas and footprints to the cells exactly, in the equal-area plane EPSG:3035, and adds up what lies in each. It owns
// the geometry and the sums; builders/national runs its stage.
//
// The input of a KG's cells is its snapshot and those of its neighbours: a border cell is computed from all of them,
// so that its row is the same in every KG but for kg_share. What is added up are whole numbers (mm², µm), so that the
// order of KGs, goroutines and parcels changes nothing.
package ne

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// Recipe names what in this package decides the bytes.
const Recipe = "cells 2"

// chunkReach is more than the diameter of a chunk in metres: no cell that a KG touches has a neighbour's parcel
// farther away.
const chunkReach = 700

// Near is the box in which another KG's parcels may touch cells of a KG with this box.
func Near(box geom.Box) geom.Box { return crs.Grow(box, chunkReach) }

// maxChunks bounds the chunks of one KG; the largest KG of the country has about 4,000.
const maxChunks = 20_000

// computed are the rows of a KG.
type computed struct {
	layers []ne.Rows
	chunks []chunkRows
}

// areas are ne.CellArea of each LU row: those of chunks that were counted are at hand.
func (c *computed) areas() (m2 []float64) {
	for _, r := range c.chunks {
		if r.areas != nil {
			m2 = append(m2, r.areas...)
			continue
		}
		for b := range slices.Chunk(r.lu, ne.LUBytes) {
			m2 = append(m2, ne.CellArea(ne.CellOf(b)))
		}
	}
	return m2
}

// compute makes the rows of a KG from its snapshot, the first of the files, and those of its neighbours. What b has of
// chunks near which nothing changed is taken over; nil is nothing.
func compute(ctx context.Context, files []*kgfile.File, b *before) (out computed, err error) {
	box := files[0].Bounds()
	chunks, err := chunksOf(box)
	if err != nil {
		return out, err
	}
	count, near, known := chunks, Near(box), map[*kgfile.File]*features{}
	if b != nil {
		if count, err = b.touched(chunks, near, known); err != nil {
			return out, err
		}
		near = boxOf(count)
	}
	all, err := readAll(files, near, known)
	if err != nil {
		return out, err
	}
	own := files[0].KG().Code
	lu := ne.Rows{Layer: ne.LU, RecordBytes: ne.LUBytes, Fields: ne.LU.Fields()}
	bev := ne.Rows{Layer: ne.Bev, RecordBytes: ne.KBytes, Fields: ne.Bev.Fields()}
	var t counter
	for _, cell := range chunks {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		var r chunkRows
		if len(count) > 0 && count[0] == cell {
			count = count[1:]
			r, err = t.rows(cell, own, all)
		} else {
			r = b.rows.of(cell)
		}
		if err != nil {
			return out, err
		}
		out.chunks = append(out.chunks, r)
		if len(r.lu) > 0 {
			lu.Chunks = append(lu.Chunks, ne.ChunkRows{Cell: cell, Rows: r.lu})
		}
		if len(r.bev) > 0 {
			bev.Chunks = append(bev.Chunks, ne.ChunkRows{Cell: cell, Rows: r.bev})
		}
	}
	out.layers = []ne.Rows{lu, bev}
	return out, nil
}

// readAll gives the features of KGs near a box, by rising code; those that are known are not read again.
func readAll(files []*kgfile.File, near geom.Box, known map[*kgfile.File]*features) ([]*features, error) {
	if near.Empty() { // no chunk is counted
		return nil, nil
	}
	var all []*features
	for _, f := range files {
		g := known[f]
		if g == nil {
			var err error
			if g, err = read(f, near); err != nil {
				return nil, fmt.Errorf("KG %s: %w", f.KG().Code, err)
			}
		}
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *features) int { return cmp.Compare(a.code, b.code) })
	return all, nil
}

// chunkRows are the rows of a KG in a chunk.
type chunkRows struct {
	lu, bev []byte
	areas   []float64 // of the cells of the LU rows; nil where they are not at hand
}

// rows counts a chunk, and gives what a KG has of it.
func (t *counter) rows(cell hexgrid.Cell, own austria.KGCode, all []*features) (r chunkRows, err error) {
	i := slices.IndexFunc(all, func(f *features) bool { return f.code == own })
	box, err := around(cell) // it holds the chunk's own, which takes its cells to be known
	if err != nil || len(all[i].parcelGrid.near(nil, box)) == 0 {
		return r, err
	}
	k, err := newChunk(cell)
	if err != nil || len(all[i].parcelGrid.near(nil, k.box)) == 0 {
		return r, err
	}
	c := t.count(k, all)
	r.lu, r.areas = c.luRows(own)
	r.bev = c.kRows(own)
	return r, nil
}

// luRows are the LU rows of a KG in the chunk, and the areas of their cells.
func (c *counted) luRows(code austria.KGCode) (b []byte, areas []float64) {
	o := c.owned[code]
	if o == nil {
		return nil, nil
	}
	b = make([]byte, 0, len(c.cells)*ne.LUBytes)
	for i, own := range o.cells[:len(c.cells)] {
		if own > 0 {
			r := c.sums[i].lu(&c.cells[i], own)
			b, areas = r.Append(b), append(areas, c.cells[i].m2)
		}
	}
	return b, areas
}

// kRows are the K rows of a KG in the chunk.
func (c *counted) kRows(code austria.KGCode) []byte {
	o := c.owned[code]
	if o == nil {
		return nil
	}
	var b []byte
	for i := range c.units {
		if !o.units[i] {
			continue
		}
		if r, ok := c.gains[i].k(&c.units[i]); ok {
			b = r.Append(b)
		}
	}
	return b
}

// chunksOf are the cells of resolution 9 that may have cells in a box, rising.
func chunksOf(box geom.Box) ([]hexgrid.Cell, error) {
	b := crs.Grow(box, chunkReach)
	return hexgrid.PolygonToCells(geom.MultiPolygon{{{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY},
		{X: b.MinX, Y: b.MaxY}}}}, ne.ChunkRes, maxChunks)
}
