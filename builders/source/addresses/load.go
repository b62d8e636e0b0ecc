package addresses

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mappe/builders/source/table"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

type loader struct {
	r        *Register
	in       fs.FS
	files    map[string]string // table to path
	problems table.Problems
	street   map[uint32]uint32 // SKZ to name
	ort      map[uint32]uint32 // OKZ to name
}

// find looks for the tables. Of several files of one name the first in path order counts.
func (l *loader) find() error {
	err := fs.WalkDir(l.in, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base, csv := strings.CutSuffix(strings.ToUpper(path.Base(p)), ".CSV")
		if !d.IsDir() && csv && l.files[base] == "" {
			l.files[base] = p
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("address register: %w", err)
	}
	for _, must := range []string{"ADRESSE", "GEBAEUDE"} {
		if l.files[must] == "" {
			return fmt.Errorf("address register: table %s.csv is missing", must)
		}
	}
	return nil
}

// each reads a table row by row; a missing optional table is no row.
func (l *loader) each(name, columns, optional string, row func(t *table.Table)) error {
	p, ok := l.files[name]
	if !ok {
		return nil
	}
	f, err := l.in.Open(p)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &io.LimitedReader{R: f, N: maxTable}
	t, err := table.New(in, table.Options{File: p, Comma: ';', Columns: strings.Fields(columns), Optional: strings.Fields(optional), Problems: &l.problems})
	if err != nil {
		return err
	}
	for t.Next() {
		if t.Rows() > maxRows {
			return fmt.Errorf("%s: more than %d rows", p, maxRows)
		}
		row(t)
	}
	if t.Err() == nil && in.N <= 0 {
		return fmt.Errorf("%s: more than %d bytes", p, int64(maxTable))
	}
	return t.Err()
}

// number reads a key of digits and reports what is none.
func number(t *table.Table, i int, max uint64, expected string) (uint64, bool) {
	v, ok := table.Uint(t.Field(i), max)
	if !ok {
		t.Bad(i, expected)
	}
	return v, ok
}

func (l *loader) streets() error {
	l.street = map[uint32]uint32{}
	return l.each("STRASSE", "SKZ STRASSENNAME", "STRASSENNAMENZUSATZ", func(t *table.Table) {
		if k, ok := number(t, 0, 1<<32-1, "a street code of digits"); ok {
			l.street[uint32(k)] = l.r.names.add(t.Field(1))
		}
	})
}

func (l *loader) localities() error {
	l.ort = map[uint32]uint32{}
	return l.each("ORTSCHAFT", "OKZ ORTSNAME", "GKZ", func(t *table.Table) {
		if k, ok := number(t, 0, 1<<32-1, "a locality code of digits"); ok {
			l.ort[uint32(k)] = l.r.names.add(t.Field(1))
		}
	})
}

func (l *loader) municipalities() error {
	l.r.gemeinden = map[uint32]uint32{}
	return l.each("GEMEINDE", "GKZ GEMEINDENAME", "", func(t *table.Table) {
		if k, ok := number(t, 0, 99999, "a municipality code of 5 digits"); ok {
			l.r.gemeinden[uint32(k)] = l.r.names.add(t.Field(1))
		}
	})
}

// readAddresses reads ADRESSE. An address with a bad key is left out; one with another bad cell stays
// without it.
func (l *loader) readAddresses() error {
	const (
		adrcd = iota
		gkz
		okz
		plz
		skz
		rw
		hw
		epsg
		text
		n1
		b1
		v1
		n2
		b2
		hof
	)
	var num []byte
	err := l.each("ADRESSE", "ADRCD GKZ OKZ PLZ SKZ RW HW EPSG",
		"HAUSNRTEXT HAUSNRZAHL1 HAUSNRBUCHSTABE1 HAUSNRVERBINDUNG1 HAUSNRZAHL2 HAUSNRBUCHSTABE2 HOFNAME",
		func(t *table.Table) {
			key, ok := number(t, adrcd, 1<<53, "an address code of digits")
			if !ok {
				return
			}
			a := address{adrcd: key}
			if len(t.Field(gkz)) > 0 {
				if v, ok := number(t, gkz, 99999, "a municipality code of 5 digits"); ok {
					a.gkz = uint32(v)
				}
			}
			if len(t.Field(okz)) > 0 {
				if v, ok := number(t, okz, 1<<32-1, "a locality code of digits"); ok {
					if a.ort, ok = l.ort[uint32(v)]; !ok {
						l.r.Counts.UnknownLocality++
					}
				}
			}
			if len(t.Field(skz)) > 0 {
				if v, ok := number(t, skz, 1<<32-1, "a street code of digits"); ok {
					if a.street, ok = l.street[uint32(v)]; !ok {
						l.r.Counts.UnknownStreet++
					}
				}
			}
			if len(t.Field(plz)) > 0 {
				if v, ok := table.Uint(t.Field(plz), 9999); ok && v >= 1000 {
					a.plz = uint16(v)
				} else {
					t.Bad(plz, "a postal code of 4 digits")
				}
			}
			num = houseNumber(num[:0], t, text, n1, b1, v1, n2, b2)
			if len(num) == 0 {
				num = append(num, t.Field(hof)...)
			}
			a.number = l.r.names.add(num)
			a.at, a.hasAt = position(t, rw, hw, epsg)
			l.r.addresses = append(l.r.addresses, a)
		})
	if err != nil {
		return err
	}
	// The register is sorted by ADRCD as a rule; a repeated one keeps its first row.
	as := l.r.addresses
	slices.SortStableFunc(as, func(a, b address) int { return cmp.Compare(a.adrcd, b.adrcd) })
	kept := as[:0]
	for i, a := range as {
		if i > 0 && a.adrcd == as[i-1].adrcd {
			l.problems.Add(table.Problem{File: l.files["ADRESSE"], Column: "ADRCD", Value: fmt.Sprint(a.adrcd), Expected: "each address once; the first row counts"})
			continue
		}
		kept = append(kept, a)
	}
	l.r.addresses = kept
	l.r.Counts.Addresses = len(kept)
	return nil
}

// houseNumber appends the parts of a house number: text before it, number and letter, what links it to
// a second number and letter, as in "12a", "3-5" or "7/2".
func houseNumber(b []byte, t *table.Table, text, n1, b1, v1, n2, b2 int) []byte {
	if f := t.Field(text); len(f) > 0 {
		b = append(append(b, f...), ' ')
	}
	b = append(b, t.Field(n1)...)
	b = append(b, t.Field(b1)...)
	if len(t.Field(n2)) > 0 || len(t.Field(b2)) > 0 {
		if v := t.Field(v1); len(v) > 0 {
			b = append(b, v...)
		} else {
			b = append(b, '-')
		}
		b = append(b, t.Field(n2)...)
		b = append(b, t.Field(b2)...)
	}
	if n := len(b); n > 0 && b[n-1] == ' ' {
		b = b[:n-1]
	}
	return b
}

// position reads Rechtswert, Hochwert and the row's system. Empty cells are no position and no fault.
func position(t *table.Table, rw, hw, epsg int) (geom.Point, bool) {
	if len(t.Field(rw)) == 0 && len(t.Field(hw)) == 0 {
		return geom.Point{}, false
	}
	x, ok := table.Decimal(t.Field(rw))
	if !ok {
		t.Bad(rw, "metres")
		return geom.Point{}, false
	}
	y, ok := table.Decimal(t.Field(hw))
	if !ok {
		t.Bad(hw, "metres")
		return geom.Point{}, false
	}
	if x == 0 && y == 0 {
		return geom.Point{}, false
	}
	code, _ := table.Uint(t.Field(epsg), 99999)
	s := crs.System(code)
	if s != crs.GaussKruegerWest && s != crs.GaussKruegerMid && s != crs.GaussKruegerEast {
		t.Bad(epsg, "31254, 31255 or 31256")
		return geom.Point{}, false
	}
	p, ok := s.Point(x, y)
	if !ok || !Austria.Contains(p) {
		t.Bad(rw, fmt.Sprintf("a position in Austria (with HW %s in EPSG:%d)", t.Field(hw), code))
		return geom.Point{}, false
	}
	return p, true
}

// at is the address of an ADRCD, nil when there is none.
func (r *Register) at(adrcd uint64) (int, bool) {
	return slices.BinarySearchFunc(r.addresses, adrcd, func(a address, k uint64) int { return cmp.Compare(a.adrcd, k) })
}

// parcels reads the KG an address is booked in; the first row of an address counts.
func (l *loader) parcels() error {
	return l.each("ADRESSE_GST", "ADRCD KGNR", "", func(t *table.Table) {
		key, ok := number(t, 0, 1<<53, "an address code of digits")
		if !ok {
			return
		}
		kg, ok := number(t, 1, 99999, "a KG code of 1 to 5 digits")
		if !ok {
			return
		}
		if i, ok := l.r.at(key); ok && l.r.addresses[i].kg == 0 {
			l.r.addresses[i].kg = uint32(kg) + 1
		}
	})
}

// readBuildings reads GEBAEUDE; a building without a position of its own stands at its address.
func (l *loader) readBuildings() error {
	const (
		adrcd = iota
		subcd
		rw
		hw
		epsg
		kind
		v2
		n3
		b3
		v3
		n4
		b4
	)
	r := l.r
	var num []byte
	err := l.each("GEBAEUDE", "ADRCD SUBCD",
		"RW HW EPSG EIGENSCHAFT HAUSNRVERBINDUNG2 HAUSNRZAHL3 HAUSNRBUCHSTABE3 HAUSNRVERBINDUNG3 HAUSNRZAHL4 HAUSNRBUCHSTABE4",
		func(t *table.Table) {
			key, ok := number(t, adrcd, 1<<53, "an address code of digits")
			if !ok {
				return
			}
			sub, ok := number(t, subcd, 1<<31, "a number")
			if !ok {
				return
			}
			i, ok := r.at(key)
			if !ok {
				r.Counts.OrphanedBuildings++
				return
			}
			b := building{address: uint32(i), sub: uint32(sub), kind: r.names.add(use(t.Field(kind)))}
			num = num[:0]
			for _, part := range [...][3]int{{v2, n3, b3}, {v3, n4, b4}} {
				if n, c := t.Field(part[1]), t.Field(part[2]); len(n) > 0 || len(c) > 0 {
					if v := t.Field(part[0]); len(v) > 0 {
						num = append(num, v...)
					} else {
						num = append(num, '/')
					}
					num = append(append(num, n...), c...)
				}
			}
			b.suffix = r.names.add(num)
			a := &r.addresses[i]
			a.built = true
			r.Counts.Buildings++
			if b.at, ok = position(t, rw, hw, epsg); !ok {
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
