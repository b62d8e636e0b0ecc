package world

import (
	"mappe/localdev/demo/planar"
)

// draft is a parcel before it has a number.
type draft struct {
	class class
	block int32
	parts []planar.Poly
	uses  []coverPart
	front P       // direction of the longest side on a road, zero none
	side  P       // middle of that side
	area  float64 // m² in the plane
	at    P       // a place well inside
	piece int32   // number of the region in the final drawing
}

// coverPart is one land use of a parcel before the buildings are cut out.
type coverPart struct {
	code  uint8
	parts []planar.Poly
}

const (
	tagParcel uint16 = 1 << iota // parcel line
	tagUse                       // land-use line inside a parcel
)

// partition divides the blocks and finds the parcels of the whole country in one drawing, so that all
// neighbours, also those across KG borders, share their vertices.
func (w *World) partition(b *blockMap) error {
	g, err := planar.Arrange(w.lines(b), 2)
	if err != nil {
		return err
	}
	p := newParcelling(b, g)
	w.draft = make([]draft, p.count)
	use := w.assign(p)
	label := p.label
	w.smallUses(g, label, use)
	for l, parts := range g.Dissolve(label) {
		w.draft[l].parts = parts
	}
	w.draftUses(g, label, use)
	w.fronts(g, label)
	w.outlines(g, label)
	return nil
}

// lines draws the borders of the parcels and of the land uses in them.
func (w *World) lines(b *blockMap) []planar.Seg {
	d := &drawing{}
	for i, parts := range b.g.Dissolve(b.block) {
		for _, p := range parts {
			for _, piece := range w.cutBlock(i, b.class[i], p) {
				for _, r := range piece {
					d.ring(r, tagParcel)
				}
			}
		}
	}
	for h := 0; h < len(b.g.H); h += 2 {
		l, r := b.g.H[h].Face, b.g.H[h+1].Face
		if b.block[l] >= 0 && b.block[l] == b.block[r] && b.use[l] != b.use[r] {
			d.segs = append(d.segs, planar.Seg{A: b.g.V[b.g.H[h].Org], B: b.g.V[b.g.H[h+1].Org], Tag: tagUse})
		}
	}
	return d.segs
}

func useOf(b *blockMap, face int32) uint8 {
	if face < 0 {
		return 48
	}
	return b.use[face]
}

// smallUses gives patches below 30 m² the use of their longest neighbour in the parcel.
func (w *World) smallUses(g *planar.Graph, label []int32, use []uint8) {
	comp, n := g.Flood(func(h int32) bool {
		l, r := g.H[h].Face, g.H[h^1].Face
		return label[l] == label[r] && use[l] == use[r]
	})
	parcel, code := make([]int32, n), make([]uint8, n)
	for f := range comp {
		parcel[comp[f]], code[comp[f]] = label[f], use[f]
	}
	root := g.MergeSmall(comp, n, func(int32) float64 { return 30 / (Unit * Unit) }, func(c, o int32) float64 {
		if parcel[c] != parcel[o] || parcel[c] < 0 {
			return 0
		}
		return 1
	})
	for f := range comp {
		use[f] = code[root[comp[f]]]
	}
}

// draftUses dissolves the faces of each parcel by use.
func (w *World) draftUses(g *planar.Graph, label []int32, use []uint8) {
	comp, n := g.Flood(func(h int32) bool {
		l, r := g.H[h].Face, g.H[h^1].Face
		return label[l] == label[r] && use[l] == use[r]
	})
	parcel, code := make([]int32, n), make([]uint8, n)
	for f := range comp {
		parcel[comp[f]], code[comp[f]] = label[f], use[f]
		if label[f] < 0 {
			comp[f] = -1
		}
	}
	for c, parts := range g.Dissolve(comp) {
		if len(parts) > 0 {
			d := &w.draft[parcel[c]]
			d.uses = append(d.uses, coverPart{code[c], parts})
		}
	}
}

// fronts finds for each parcel the longest side on a road, its area and a place inside.
func (w *World) fronts(g *planar.Graph, label []int32) {
	longest := make([]float64, len(w.draft))
	for h := range g.H {
		l, r := label[g.H[h].Face], label[g.H[h^1].Face]
		if l < 0 || r < 0 || l == r || w.draft[r].class.kind != roadBlock {
			continue
		}
		if s := g.Length(int32(h)); s > longest[l] {
			longest[l] = s
			a, b := metres(g.V[g.H[h].Org]), metres(g.V[g.Dest(int32(h))])
			w.draft[l].front, w.draft[l].side = unit(b.sub(a)), a.mix(b, 0.5)
		}
	}
	for i := range w.draft {
		d := &w.draft[i]
		wide := -1.0
		for _, p := range d.parts {
			d.area += squareMetres(p.Area2())
			if x, y, width := p.Inside(); width > wide {
				d.at, wide = P{x * Unit, y * Unit}, width
			}
		}
	}
}

// outlines dissolves the parcels by KG and by municipality.
func (w *World) outlines(g *planar.Graph, label []int32) {
	kg, gem := make([]int32, len(label)), make([]int32, len(label))
	for f, l := range label {
		kg[f], gem[f] = -1, -1
		if l >= 0 {
			kg[f] = int32(w.draft[l].class.kg)
			gem[f] = int32(w.KGs[kg[f]].Gemeinde)
		}
	}
	w.Outlines, w.GemeindeOutlines = g.Dissolve(kg), g.Dissolve(gem)
}
