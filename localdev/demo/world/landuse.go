package world

import "mappe/localdev/demo/planar"

// Use is one land-use polygon without the buildings, which are holes in it.
type Use struct {
	Parcel int
	NS     uint8
	Shape  planar.Poly // z16 grid
}

// Symbol is one land-use symbol of the map.
type Symbol struct {
	Parcel int
	NS     uint8
	At     P
}

// landUse turns covers and buildings into land-use polygons, footprints and symbols.
func (w *World) landUse(parcelOf []int) {
	byDraft := make([][]int, len(w.draft))
	for i, h := range w.house {
		byDraft[h.draft] = append(byDraft[h.draft], i)
	}
	for n := range w.Parcels {
		for _, i := range w.Parcels[n].drafts {
			w.draftUse(n, i, byDraft[i])
		}
	}
}

// fine is a ring in metres on the z16 grid, counter-clockwise unless reversed.
func fine(ring []P, reversed bool) []planar.Pt {
	out := make([]planar.Pt, len(ring))
	for i, p := range ring {
		if reversed {
			p = ring[len(ring)-1-i]
		}
		out[i] = finePt(p)
	}
	return out
}

func doubled(p planar.Poly) planar.Poly {
	out := make(planar.Poly, len(p))
	for i, r := range p {
		out[i] = make([]planar.Pt, len(r))
		for j, q := range r {
			out[i][j] = planar.Pt{X: 2 * q.X, Y: 2 * q.Y}
		}
	}
	return out
}

// draftUse writes the uses of one draft: its covers with the buildings and yards cut out.
func (w *World) draftUse(parcel, i int, houses []int) {
	d := &w.draft[i]
	first := len(w.Uses)
	for _, u := range d.uses {
		code := u.code
		if d.class.kind == buildBlock && code == 52 && (d.area < 300 || w.inCore(d.at, int(d.class.no))) && len(houses) > 0 {
			code = 83
		}
		for _, p := range u.parts {
			w.Uses = append(w.Uses, Use{parcel, code, doubled(p)})
		}
	}
	covers := len(w.Uses)
	hole := func(ring []P) {
		x, y := ring[0].X*2/Unit, ring[0].Y*2/Unit
		for k := first; k < covers; k++ {
			if w.Uses[k].Shape.Contains(x, y) {
				w.Uses[k].Shape = append(w.Uses[k].Shape, fine(ring, true))
				return
			}
		}
	}
	for _, n := range houses {
		h := &w.house[n]
		f := Footprint{parcel, h.kind, planar.Poly{fine(h.ring, false)}, h.at}
		outer := h.ring
		if h.wide != nil {
			outer = h.wide
			w.Uses = append(w.Uses, Use{parcel, 83, planar.Poly{fine(h.wide, false), fine(h.ring, true)}})
		}
		if h.court != nil {
			f.Shape = append(f.Shape, fine(h.court, true))
			w.Uses = append(w.Uses, Use{parcel, 83, planar.Poly{fine(h.court, false)}})
		}
		hole(outer)
		w.Footprints = append(w.Footprints, f)
		if h.kind != Outhouse {
			w.Symbols = append(w.Symbols, Symbol{parcel, 41, h.at})
		}
	}
	for k := first; k < len(w.Uses); k++ {
		if x, y, width := w.Uses[k].Shape.Inside(); width > 8 || k == first {
			w.Symbols = append(w.Symbols, Symbol{parcel, w.Uses[k].NS, P{x * Unit / 2, y * Unit / 2}})
		}
	}
}
