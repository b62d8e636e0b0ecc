package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mappe/localdev/demo/planar"
	"mappe/shared/austria"
)

// Parcel is one parcel: number, folio, state and shape.
type Parcel struct {
	KG     int // index into World.KGs
	GNR    austria.GNR
	EZ     austria.EZ // 0: the source names none
	Status austria.Status
	Parts  []planar.Poly // z15 grid
	Labels []Label
	Use    uint8 // the cover that takes most of it
	Area   float64
	Inside P
	kind   blockKind
	shape  int // index into World.shapes, -1 none
	drafts []int
}

// Label is where the parcel's number stands in the map.
type Label struct {
	At       P
	Rotation float64 // degrees counter-clockwise
}

// number joins drafts to parcels of several parts, gives numbers and folios and orders everything.
func (w *World) number() {
	order := w.numberingOrder()
	partner := w.partners(order)
	for k := 0; k < kgCount; k++ {
		var own []int
		for _, i := range order {
			if int(w.draft[i].class.kg) == k && partner[i] == i {
				own = append(own, i)
			}
		}
		w.numberKG(k, own)
	}
	members := make([][]int, len(w.draft))
	for _, i := range order {
		members[partner[i]] = append(members[partner[i]], i)
	}
	slices.SortStableFunc(w.Parcels, func(a, b Parcel) int {
		if a.KG != b.KG {
			return a.KG - b.KG
		}
		return compareGNR(a.GNR, b.GNR)
	})
	parcelOf := make([]int, len(w.draft))
	for n := range w.Parcels {
		p := &w.Parcels[n]
		p.drafts = members[p.drafts[0]]
		w.fill(p)
		for _, i := range p.drafts {
			parcelOf[i] = n
		}
	}
	w.folios()
	w.landUse(parcelOf)
}

// numberingOrder is the order that the survey numbers in: by KG, in strips from north to south that are walked to
// and fro. Building plots stay together by block: a block counts where its first plot lies.
func (w *World) numberingOrder() []int {
	first := map[int32]P{}
	for i := range w.draft {
		d := &w.draft[i]
		if _, ok := first[d.block]; !ok {
			first[d.block] = d.at
		}
	}
	const strip = 260 // metres
	row := func(p P) int { return int(math.Floor(p.Y / strip)) }
	group := func(d *draft) (int, int) {
		if d.class.kind == buildBlock {
			return row(first[d.block]), int(d.block)
		}
		return row(d.at), -1
	}
	order := make([]int, len(w.draft))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		a, b := &w.draft[x], &w.draft[y]
		rowA, groupA := group(a)
		rowB, groupB := group(b)
		along := cmp.Compare(a.at.X, b.at.X)
		if row(a.at)&1 == 1 {
			along = -along
		}
		return cmp.Or(cmp.Compare(a.class.kg, b.class.kg), cmp.Compare(rowA, rowB), cmp.Compare(groupA, groupB),
			cmp.Compare(row(a.at), row(b.at)), along)
	})
	return order
}

// partners joins some drafts of one kind and KG that do not touch to one parcel of two or three parts,
// and the stretches of a road in one KG.
func (w *World) partners(order []int) []int {
	to := make([]int, len(w.draft))
	for i := range to {
		to[i] = i
	}
	taken := make([]bool, len(w.draft))
	roadOf := map[[2]int16]int{}
	for n, i := range order {
		d := &w.draft[i]
		if taken[i] {
			continue
		}
		c := newChance(uint64(i), 3001)
		switch d.class.kind {
		case roadBlock:
			key := [2]int16{d.class.kg, d.class.no}
			if first, ok := roadOf[key]; ok && c.unit() < 0.6 {
				to[i], taken[i] = first, true
			} else if !ok {
				roadOf[key] = i
			}
		case meadowBlock, forestBlock:
			if c.unit() > 0.035 {
				continue
			}
			want := 1
			if c.unit() < 0.3 {
				want = 2
			}
			blocks := map[int32]bool{d.block: true}
			for _, j := range order[n+1 : min(len(order), n+60)] {
				e := &w.draft[j]
				if want > 0 && !taken[j] && e.class == d.class && !blocks[e.block] && e.at.dist(d.at) < 700 {
					to[j], taken[j], taken[i] = i, true, true
					blocks[e.block] = true
					want--
				}
			}
		}
	}
	return to
}

// numberKG gives the numbers of one KG: old building plots a dot, new ones a slash, land plain.
func (w *World) numberKG(k int, own []int) {
	withHouse := map[int]bool{}
	for _, h := range w.house {
		withHouse[h.draft] = true
	}
	land, dotted := 0, 0
	dotSub := 0
	block, chunk, sub := int32(-1), 0, 0
	status := austria.StatusE
	for _, i := range own {
		d := &w.draft[i]
		c := newChance(uint64(i), 4001)
		p := Parcel{KG: k, drafts: []int{i}, kind: d.class.kind, shape: -1, Status: austria.StatusE}
		if d.class.kind == shapeBlock {
			p.shape = int(d.class.no)
		}
		old := false
		switch {
		case !withHouse[i]:
		case d.class.kind == shapeBlock:
			old = w.shapes[d.class.no].kind != shapeWorks
		case w.inCore(d.at, int(d.class.no)):
			old = c.unit() < 0.8
		case k == kgTown || k == kgSuburb:
			old = c.unit() < 0.12
		default:
			old = c.unit() < 0.42
		}
		switch {
		case old && dotted > 0 && dotSub == 0 && c.unit() < 0.09:
			dotSub = 2
			p.GNR = austria.GNR(fmt.Sprintf(".%d/%d", dotted, dotSub))
		case old:
			dotted, dotSub = dotted+1, 0
			p.GNR = austria.GNR(fmt.Sprintf(".%d", dotted))
		case d.class.kind == buildBlock:
			if d.block != block || sub >= chunk {
				block, chunk, sub = d.block, 6+c.below(22), 0
				land++
				status = austria.StatusE
				if c.unit() < 0.45 {
					status = austria.StatusG
				}
			}
			sub++
			p.GNR, p.Status = austria.GNR(fmt.Sprintf("%d/%d", land, sub)), status
		case c.unit() < 0.06 && land > 0:
			land++
			p.GNR = austria.GNR(fmt.Sprintf("%d/1", land))
		default:
			land++
			p.GNR = austria.GNR(fmt.Sprint(land))
		}
		if d.class.kind != buildBlock && c.unit() < 0.07 {
			p.Status = austria.StatusG
		}
		w.Parcels = append(w.Parcels, p)
	}
}

// compareGNR orders by main number, dotted first, then by sub-number.
func compareGNR(a, b austria.GNR) int {
	da, ma, sa := splitGNR(a)
	db, mb, sb := splitGNR(b)
	switch {
	case da != db:
		return db - da
	case ma != mb:
		return ma - mb
	}
	return sa - sb
}

func splitGNR(g austria.GNR) (dot, main, sub int) {
	s := string(g)
	if s[0] == '.' {
		dot, s = 1, s[1:]
	}
	target := &main
	for _, c := range s {
		if c == '/' {
			target = &sub
			continue
		}
		*target = *target*10 + int(c-'0')
	}
	return dot, main, sub
}

// fill takes shape, labels and main use from the drafts.
func (w *World) fill(p *Parcel) {
	best, byCode := 0.0, map[uint8]float64{}
	for n, i := range p.drafts {
		d := &w.draft[i]
		p.Parts = append(p.Parts, d.parts...)
		p.Area += d.area
		if n == 0 || d.area > w.draft[p.drafts[0]].area {
			p.Inside = d.at
		}
		l := Label{At: d.at}
		if dir, long, short := longAxis(d.parts[0]); long > 3.5*short {
			l.Rotation = math.Mod(math.Round(math.Atan2(dir.Y, dir.X)*180/math.Pi*10)/10+360, 180)
			if l.Rotation > 90 {
				l.Rotation -= 180
			}
		}
		p.Labels = append(p.Labels, l)
		for _, u := range d.uses {
			for _, q := range u.parts {
				byCode[u.code] += squareMetres(q.Area2())
			}
			if byCode[u.code] > best {
				best, p.Use = byCode[u.code], u.code
			}
		}
	}
}
