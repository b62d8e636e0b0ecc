package addresses

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/builders/source/table"
)

// The columns of ADRESSE, in the order that addressColumns and addressOptional name them.
const (
	adrADRCD = iota
	adrGKZ
	adrOKZ
	adrPLZ
	adrSKZ
	adrRW
	adrHW
	adrEPSG
	adrText
	adrNumber1
	adrLetter1
	adrLink
	adrNumber2
	adrLetter2
	adrFarm
)

const (
	addressColumns  = "ADRCD GKZ OKZ PLZ SKZ RW HW EPSG"
	addressOptional = "HAUSNRTEXT HAUSNRZAHL1 HAUSNRBUCHSTABE1 HAUSNRVERBINDUNG1 HAUSNRZAHL2 HAUSNRBUCHSTABE2 HOFNAME"
)

// addressBlock is what a block of ADRESSE gives.
type addressBlock struct {
	rows                           []address // of the block's names
	names                          interner
	unknownLocality, unknownStreet int
}

// readAddresses reads ADRESSE. An address with a bad key is left out; one with another bad cell stays
// without it.
func (l *loader) readAddresses() error {
	err := eachBlock(l, wanted{"ADRESSE", addressColumns, addressOptional}, l.address, func(of *addressBlock) error {
		names := l.r.names.join(&of.names)
		for i := range of.rows {
			of.rows[i].number = names[of.rows[i].number]
		}
		l.r.addresses = append(l.r.addresses, of.rows...)
		l.r.Counts.UnknownLocality += of.unknownLocality
		l.r.Counts.UnknownStreet += of.unknownStreet
		return nil
	})
	if err != nil {
		return err
	}
	l.dropRepeated()
	return nil
}

// address reads a row of ADRESSE.
func (l *loader) address(t *table.Table, to *addressBlock) {
	key, ok := number(t, adrADRCD, 1<<53, "an address code of digits")
	if !ok {
		return
	}
	a := address{adrcd: key}
	l.areas(t, &a, to)
	var room [64]byte
	num := houseNumber(room[:0], t)
	if len(num) == 0 {
		num = append(num, t.Field(adrFarm)...)
	}
	a.number = to.names.add(num)
	a.at, a.hasAt = position(t, adrRW, adrHW, adrEPSG)
	to.rows = append(to.rows, a)
}

// areas reads municipality, locality, street and postal code of an address.
func (l *loader) areas(t *table.Table, a *address, to *addressBlock) {
	if len(t.Field(adrGKZ)) > 0 {
		if v, ok := number(t, adrGKZ, 99999, "a municipality code of 5 digits"); ok {
			a.gkz = uint32(v)
		}
	}
	if len(t.Field(adrOKZ)) > 0 {
		if v, ok := number(t, adrOKZ, 1<<32-1, "a locality code of digits"); ok {
			if a.ort, ok = l.ort[uint32(v)]; !ok {
				to.unknownLocality++
			}
		}
	}
	if len(t.Field(adrSKZ)) > 0 {
		if v, ok := number(t, adrSKZ, 1<<32-1, "a street code of digits"); ok {
			if a.street, ok = l.street[uint32(v)]; !ok {
				to.unknownStreet++
			}
		}
	}
	if len(t.Field(adrPLZ)) > 0 {
		if v, ok := table.Uint(t.Field(adrPLZ), 9999); ok && v >= 1000 {
			a.plz = uint16(v)
		} else {
			t.Bad(adrPLZ, "a postal code of 4 digits")
		}
	}
}

// dropRepeated sorts the addresses by ADRCD, as the register is as a rule; a repeated one keeps its first row.
func (l *loader) dropRepeated() {
	as := l.r.addresses
	byCode := func(a, b address) int { return cmp.Compare(a.adrcd, b.adrcd) }
	if !slices.IsSortedFunc(as, byCode) {
		slices.SortStableFunc(as, byCode)
	}
	kept := as[:0]
	for i, a := range as {
		if i > 0 && a.adrcd == as[i-1].adrcd {
			l.problems.Add(table.Problem{File: l.files["ADRESSE"], Column: "ADRCD", Value: fmt.Sprint(a.adrcd),
				Expected: "each address once; the first row counts"})
			continue
		}
		kept = append(kept, a)
	}
	l.r.addresses = kept
	l.r.Counts.Addresses = len(kept)
}

// houseNumber appends the parts of a house number: text before it, number and letter, what links it to
// a second number and letter, as in "12a", "3-5" or "7/2".
func houseNumber(b []byte, t *table.Table) []byte {
	if f := t.Field(adrText); len(f) > 0 {
		b = append(append(b, f...), ' ')
	}
	b = append(b, t.Field(adrNumber1)...)
	b = append(b, t.Field(adrLetter1)...)
	if len(t.Field(adrNumber2)) > 0 || len(t.Field(adrLetter2)) > 0 {
		if v := t.Field(adrLink); len(v) > 0 {
			b = append(b, v...)
		} else {
			b = append(b, '-')
		}
		b = append(b, t.Field(adrNumber2)...)
		b = append(b, t.Field(adrLetter2)...)
	}
	if n := len(b); n > 0 && b[n-1] == ' ' {
		b = b[:n-1]
	}
	return b
}
