package world

import "mappe/shared/austria"

// maxFolio is the most parcels one folio holds.
const maxFolio = 50

// folios gives every parcel of a KG a folio: public ways and waters together, each farm its land, each
// house its plot and sometimes the one beside it.
func (w *World) folios() {
	for k := 0; k < kgCount; k++ {
		var own []int
		for i := range w.Parcels {
			if w.Parcels[i].KG == k {
				own = append(own, i)
			}
		}
		f := &folioBook{w: w, c: newChance(uint64(k), 5001), size: map[austria.EZ]int{}, open: map[int]austria.EZ{}}
		var farms []int
		for _, i := range own {
			if p := &w.Parcels[i]; p.shape >= 0 && w.shapes[p.shape].kind == shapeFarm {
				farms = append(farms, i)
			}
		}
		last := -1
		for _, i := range own {
			p := &w.Parcels[i]
			switch p.kind {
			case roadBlock:
				f.give(i, -1)
			case waterBlock:
				f.give(i, -2)
			case railBlock:
				f.give(i, -3)
			case buildBlock:
				if last >= 0 && f.c.unit() < 0.13 && w.Parcels[last].Inside.dist(p.Inside) < 60 {
					f.give(i, last)
					continue
				}
				f.give(i, i)
				last = i
			case meadowBlock, forestBlock, alpBlock, wildBlock:
				f.give(i, f.owner(p, farms))
			default:
				f.give(i, i)
			}
			if f.c.unit() < 0.003 {
				p.EZ = 0
			}
		}
	}
}

// folioBook hands out folios of one KG.
type folioBook struct {
	w    *World
	c    *chance
	next austria.EZ
	size map[austria.EZ]int
	open map[int]austria.EZ // current folio by owner
}

// give files a parcel under its owner, opening a new folio when the owner's is full.
func (f *folioBook) give(i, owner int) {
	ez, ok := f.open[owner]
	if !ok || f.size[ez] >= maxFolio {
		f.next += austria.EZ(1 + f.c.below(2))
		ez = f.next
		f.open[owner] = ez
	}
	f.size[ez]++
	f.w.Parcels[i].EZ = ez
}

// owner is a farm of the KG near the parcel, or one of a few owners without a farm there.
func (f *folioBook) owner(p *Parcel, farms []int) int {
	best, bestD := -10-f.c.below(12), 2600.0
	if f.c.unit() < 0.2 {
		return best
	}
	for _, i := range farms {
		if d := f.w.Parcels[i].Inside.dist(p.Inside) * f.c.between(0.5, 1.6); d < bestD {
			best, bestD = i, d
		}
	}
	return best
}
