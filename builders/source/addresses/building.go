package addresses

import "mappe/builders/source/table"

// The columns of GEBAEUDE, in the order that buildingColumns and buildingOptional name them.
const (
	bldADRCD = iota
	bldSUBCD
	bldRW
	bldHW
	bldEPSG
	bldKind
	bldLink2
	bldNumber3
	bldLetter3
	bldLink3
	bldNumber4
	bldLetter4
)

const (
	buildingColumns  = "ADRCD SUBCD"
	buildingOptional = "RW HW EPSG EIGENSCHAFT HAUSNRVERBINDUNG2 HAUSNRZAHL3 HAUSNRBUCHSTABE3 HAUSNRVERBINDUNG3 HAUSNRZAHL4 HAUSNRBUCHSTABE4"
)

// buildingBlock is what a block of GEBAEUDE gives.
type buildingBlock struct {
	rows     []building // of the block's names
	placed   []bool     // those of them that have a position
	names    interner
	last     int // address of the row before
	orphaned int
}

// readBuildings reads GEBAEUDE; a building without a position of its own stands at its address, and so does one for
// each address that has no building.
func (l *loader) readBuildings() error {
	r := l.r
	err := eachBlock(l, wanted{"GEBAEUDE", buildingColumns, buildingOptional}, l.building, func(of *buildingBlock) error {
		names := r.names.join(&of.names)
		for i, b := range of.rows {
			r.addresses[b.address].built = true
			r.Counts.Buildings++
			if !of.placed[i] {
				r.Counts.WithoutPosition++
				continue
			}
			b.kind, b.suffix = names[b.kind], names[b.suffix]
			r.buildings = append(r.buildings, b)
		}
		r.Counts.OrphanedBuildings += of.orphaned
		return nil
	})
	if err != nil {
		return err
	}
	for i, a := range r.addresses {
		if a.built {
			continue
		}
		r.Counts.WithoutBuilding++
		if !a.hasAt {
			r.Counts.WithoutPosition++
			continue
		}
		r.buildings = append(r.buildings, building{address: uint32(i), at: a.at})
	}
	return nil
}

// building reads a row of GEBAEUDE.
func (l *loader) building(t *table.Table, to *buildingBlock) {
	key, ok := number(t, bldADRCD, 1<<53, "an address code of digits")
	if !ok {
		return
	}
	sub, ok := number(t, bldSUBCD, 1<<31, "a number")
	if !ok {
		return
	}
	i, ok := l.r.at(key, to.last)
	if !ok {
		to.orphaned++
		return
	}
	to.last = i
	var room [64]byte
	b := building{address: uint32(i), sub: uint32(sub), kind: to.names.add(use(t.Field(bldKind))),
		suffix: to.names.add(suffix(room[:0], t))}
	if b.at, ok = position(t, bldRW, bldHW, bldEPSG); !ok {
		b.at, ok = l.r.addresses[i].at, l.r.addresses[i].hasAt
	}
	to.rows, to.placed = append(to.rows, b), append(to.placed, ok)
}

// suffix appends what a building adds to the house number of its address, as in "/2" or "/3b".
func suffix(num []byte, t *table.Table) []byte {
	for _, part := range [...][3]int{{bldLink2, bldNumber3, bldLetter3}, {bldLink3, bldNumber4, bldLetter4}} {
		if n, c := t.Field(part[1]), t.Field(part[2]); len(n) > 0 || len(c) > 0 {
			if v := t.Field(part[0]); len(v) > 0 {
				num = append(num, v...)
			} else {
				num = append(num, '/')
			}
			num = append(append(num, n...), c...)
		}
	}
	return num
}
