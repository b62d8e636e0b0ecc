package registers

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"mappe/builders/source/table"
	"mappe/shared/austria"
)

// readLocalities reads ortschaften.csv. One OKZ may stand in several rows, one a KG it reaches into.
func readLocalities(in io.Reader, file string, p *table.Problems) ([]Locality, error) {
	t, err := open(in, file, p, "okz ort_name gemeinde_code", "gemeinde_name kg_code lon lat plz")
	if err != nil {
		return nil, err
	}
	var rows []Locality
	for t.Next() {
		okz, ok := table.Uint(t.Field(0), 99999)
		if !ok {
			t.Bad(0, "1 to 5 digits")
			continue
		}
		g, ok := gemeindeCode(t, 2)
		if !ok {
			continue
		}
		l := Locality{OKZ: uint32(okz), Name: t.Text(1), GemeindeCode: g, GemeindeName: t.Text(3)}
		if len(t.Field(4)) > 0 {
			if l.KG, ok = kgCode(t, 4); !ok {
				continue
			}
		}
		l.At, l.HasAt = position(t, 5, 6)
		for _, f := range strings.Fields(t.Text(7)) {
			plz, err := austria.ParsePLZ(f)
			if err != nil {
				t.Bad(7, "postal codes of 4 digits with blanks between them")
				continue
			}
			l.PLZ = append(l.PLZ, plz)
		}
		rows = append(rows, l)
	}
	slices.SortStableFunc(rows, func(a, b Locality) int {
		return cmp.Or(cmp.Compare(a.OKZ, b.OKZ), cmp.Compare(a.GemeindeCode, b.GemeindeCode), cmp.Compare(a.KG, b.KG))
	})
	return rows, t.Err()
}

// readPostal reads plz.csv.
func readPostal(in io.Reader, file string, p *table.Problems) ([]PostalPlace, error) {
	t, err := open(in, file, p, "plz place gemeinde_code", "")
	if err != nil {
		return nil, err
	}
	var rows []PostalPlace
	for t.Next() {
		plz, err := austria.ParsePLZ(t.Text(0))
		if err != nil {
			t.Bad(0, expected(err))
			continue
		}
		if g, ok := gemeindeCode(t, 2); ok {
			rows = append(rows, PostalPlace{plz, t.Text(1), g})
		}
	}
	slices.SortFunc(rows, func(a, b PostalPlace) int {
		return cmp.Or(cmp.Compare(a.PLZ, b.PLZ), cmp.Compare(a.Place, b.Place), cmp.Compare(a.GemeindeCode, b.GemeindeCode))
	})
	return slices.Compact(rows), t.Err()
}

// readAreas reads areas.csv. Thousands may be set off by commas inside quotes ("9,369").
func readAreas(in io.Reader, file string, p *table.Problems) ([]Area, error) {
	t, err := open(in, file, p, "kg_code area_sqm", "parcel_count")
	if err != nil {
		return nil, err
	}
	var rows []Area
	for t.Next() {
		code, ok := kgCode(t, 0)
		if !ok {
			continue
		}
		area, ok := table.Decimal(bytes.ReplaceAll(t.Field(1), []byte(","), nil))
		if !ok || area <= 0 {
			t.Bad(1, "m², greater than 0")
			continue
		}
		a := Area{KG: code, Sqm: area, ParcelCount: -1}
		if len(t.Field(2)) > 0 {
			n, ok := table.Uint(bytes.ReplaceAll(t.Field(2), []byte(","), nil), 1<<24)
			if !ok {
				t.Bad(2, "a whole number")
				continue
			}
			a.ParcelCount = int(n)
		}
		rows = append(rows, a)
	}
	slices.SortStableFunc(rows, func(a, b Area) int { return cmp.Compare(a.KG, b.KG) })
	return rows, t.Err()
}
