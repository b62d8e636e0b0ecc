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

// readBuildings reads GEBAEUDE; a building without a position of its own stands at its address, and so does one for
// each address that has no building.
func (l *loader) readBuildings() error {
	r := l.r
	var num []byte
	err := l.each("GEBAEUDE", buildingColumns, buildingOptional, func(t *table.Table) {
		key, ok := number(t, bldADRCD, 1<<53, "an address code of digits")
		if !ok {
			return
		}
		sub, ok := number(t, bldSUBCD, 1<<31, "a number")
		if !ok {
			return
		}
		i, ok := r.at(key)
		if !ok {
			r.Counts.OrphanedBuildings++
			return
		}
		num = suffix(num[:0], t)
		b := building{address: uint32(i), sub: uint32(sub), kind: r.names.add(use(t.Field(bldKind))), suffix: r.names.add(num)}
		a := &r.addresses[i]
		a.built = true
		r.Counts.Buildings++
		if b.at, ok = position(t, bldRW, bldHW, bldEPSG); !ok {
			if !a.hasAt {
				r.Counts.WithoutPosition++
				return
			}
			b.at = a.at
		}
		r.buildings = append(r.buildings, b)
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
