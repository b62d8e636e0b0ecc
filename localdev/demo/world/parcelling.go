package world

import "mappe/localdev/demo/planar"

// parcelling is the drawing of all parcels, while its faces are joined to them.
type parcelling struct {
	b     *blockMap
	at    []int32 // of a face: the face of the block map below it
	label []int32 // of a face: its piece, between parcel lines
	big   []int32 // of a piece: its largest face
	block []int32 // of a piece: its block, -1 outside the country
	root  []int32 // of a piece: the one it is joined to, because it is too small alone
	dense []int32 // of a piece: the number of its parcel, -1 for none
	count int32   // of parcels
}

func newParcelling(b *blockMap, g *planar.Graph) *parcelling {
	faces := g.FacePolys()
	p := &parcelling{b: b, at: make([]int32, len(faces))}
	for i := 1; i < len(faces); i++ {
		x, y, _ := faces[i].Inside()
		p.at[i] = b.finder.at(x, y)
	}
	var n int
	p.label, n = g.Flood(func(h int32) bool { return g.H[h].Tag&tagParcel == 0 })
	p.big = make([]int32, n)
	for i := 1; i < len(faces); i++ {
		if l := p.label[i]; p.big[l] == 0 || g.Faces[i].Area2 > g.Faces[p.big[l]].Area2 {
			p.big[l] = int32(i)
		}
	}
	p.block = make([]int32, n)
	for l := range p.block {
		p.block[l] = -1
		if int32(l) != p.label[0] && p.at[p.big[l]] >= 0 {
			p.block[l] = b.block[p.at[p.big[l]]]
		}
	}
	p.root = g.MergeSmall(p.label, n, p.least, p.affinity)
	p.dense = make([]int32, n)
	for l := range p.dense {
		if p.dense[l] = -1; p.root[l] == int32(l) && p.kg(int32(l)) >= 0 {
			p.dense[l] = p.count
			p.count++
		}
	}
	return p
}

// kg is the KG of a piece, -1 outside every KG.
func (p *parcelling) kg(l int32) int16 {
	if p.block[l] < 0 {
		return -1
	}
	return p.b.class[p.block[l]].kg
}

// least is the area below which a piece is no parcel of its own, in square units of the grid.
func (p *parcelling) least(c int32) float64 {
	least := 4.0 // m²
	if p.block[c] >= 0 && (p.b.class[p.block[c]].kind == buildBlock || p.b.class[p.block[c]].kind == meadowBlock) {
		least = 60
	}
	return least / (Unit * Unit)
}

// affinity is the weight of the border to a neighbour that a piece is joined to: never over the border of a KG, and
// rather to its own kind.
func (p *parcelling) affinity(c, o int32) float64 {
	switch {
	case p.kg(c) != p.kg(o) || p.kg(c) < 0:
		return 0
	case p.b.class[p.block[o]].kind != p.b.class[p.block[c]].kind:
		return 0.1
	}
	return 1
}

// assign turns the labels of the faces from pieces to parcels, -1 outside every KG, and gives the land use of each
// face.
func (w *World) assign(p *parcelling) (use []uint8) {
	use = make([]uint8, len(p.label))
	for i := 1; i < len(p.label); i++ {
		own := p.label[i]
		l := p.dense[p.root[own]]
		if p.at[i] >= 0 {
			use[i] = p.b.use[p.at[i]]
		}
		if p.root[own] != own || p.at[i] < 0 {
			use[i] = useOf(p.b, p.at[p.big[p.root[own]]])
		}
		if p.label[i] = l; l >= 0 && p.root[own] == own {
			w.draft[l].block, w.draft[l].class, w.draft[l].piece = p.block[own], p.b.class[p.block[own]], l
		}
	}
	p.label[0] = -1
	return use
}
