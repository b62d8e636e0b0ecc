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
	g, err := planar.Arrange(d.segs, 2)
	if err != nil {
		return err
	}
	faces := g.FacePolys()
	at := make([]int32, len(faces)) // face of the block map
	for i := 1; i < len(faces); i++ {
		x, y, _ := faces[i].Inside()
		at[i] = b.finder.at(x, y)
	}
	label, n := g.Flood(func(h int32) bool { return g.H[h].Tag&tagParcel == 0 })
	big := make([]int32, n)
	for i := 1; i < len(faces); i++ {
		if l := label[i]; big[l] == 0 || g.Faces[i].Area2 > g.Faces[big[l]].Area2 {
			big[l] = int32(i)
		}
	}
	block := make([]int32, n)
	for l := range block {
		block[l] = -1
		if int32(l) != label[0] && at[big[l]] >= 0 {
			block[l] = b.block[at[big[l]]]
		}
	}
	kgOf := func(l int32) int16 {
		if block[l] < 0 {
			return -1
		}
		return b.class[block[l]].kg
	}
	root := g.MergeSmall(label, n,
		func(c int32) float64 {
			least := 4.0
			if block[c] >= 0 && (b.class[block[c]].kind == buildBlock || b.class[block[c]].kind == meadowBlock) {
				least = 60
			}
			return least / (Unit * Unit)
		},
		func(c, o int32) float64 {
			switch {
			case kgOf(c) != kgOf(o) || kgOf(c) < 0:
				return 0
			case b.class[block[o]].kind != b.class[block[c]].kind:
				return 0.1
			}
			return 1
		})
	// Regions outside every KG get no parcel.
	dense := make([]int32, n)
	m := int32(0)
	for l := range dense {
		if dense[l] = -1; root[l] == int32(l) && kgOf(int32(l)) >= 0 {
			dense[l] = m
			m++
		}
	}
	use := make([]uint8, len(faces))
	w.draft = make([]draft, m)
	for i := 1; i < len(faces); i++ {
		own := label[i]
		l := dense[root[own]]
		if at[i] >= 0 {
			use[i] = b.use[at[i]]
		}
		if root[own] != own || at[i] < 0 {
			use[i] = useOf(b, at[big[root[own]]])
		}
		if label[i] = l; l >= 0 && root[own] == own {
			w.draft[l].block, w.draft[l].class, w.draft[l].piece = block[own], b.class[block[own]], l
		}
	}
	label[0] = -1
	w.smallUses(g, label, use)
	for l, parts := range g.Dissolve(label) {
		w.draft[l].parts = parts
	}
	w.draftUses(g, label, use)
	w.fronts(g, label)
	w.outlines(g, label)
	return nil
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
