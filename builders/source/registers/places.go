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

// merged are codes that postal files still have: the municipalities became another on the day that is noted.
var merged = map[austria.GemeindeCode]austria.GemeindeCode{
	"41301": "41346", "41335": "41346", // Afiesl, Sankt Stefan am Walde: 2019-01-01 St. Stefan-Afiesl
	"41302": "41345", "41310": "41345", // Ahorn, Helfenberg: 2019-01-01 Helfenberg
	"61056": "61060",                                     // Sankt Veit in der Südsteiermark: 2020-01-01, with a part of Murfeld
	"61058": "61061",                                     // Straß in Steiermark: 2020-01-01, with the other part of Murfeld
	"70327": "70370", "70330": "70370", "70341": "70370", // Matrei, Mühlbachl, Pfons: 2022-01-01 Matrei am Brenner
}

// divided are the places of Murfeld, 62347, which two municipalities took up on 2020-01-01.
var divided = map[string]austria.GemeindeCode{
	"Seibersdorf bei Sankt Veit": "61060", "Lichendorf": "61061", "Oberschwarza": "61061", "Unterschwarza": "61061",
	"Weitersfeld an der Mur": "61061",
}

// postalGemeinde reads the municipality of a postal place as the registers know it: Vienna's districts 901 to 923, or
// 90101 to 92301, are 90001, and what was merged is what it became.
func postalGemeinde(t *table.Table, i int) (austria.GemeindeCode, bool) {
	text := t.Text(i)
	if n, ok := table.Uint(t.Field(i), 99999); ok && (n >= 901 && n <= 923 && len(text) == 3 || n >= 90101 && n <= 92301 && n%100 == 1) {
		return "90001", true
	}
	g, ok := gemeindeCode(t, i)
	if to, was := merged[g]; was {
		return to, ok
	}
	if to, was := divided[t.Text(1)]; was && g == "62347" {
		return to, ok
	}
	return g, ok
}

// readPostal reads plz.csv, with the columns named as here or as GeoNames names them: zipcode, place, community_code.
func readPostal(in io.Reader, file string, p *table.Problems) ([]PostalPlace, error) {
	t, err := table.New(in, table.Options{File: file, Comma: ',', Columns: strings.Fields("plz place gemeinde_code"), Problems: p,
		Other: map[string]string{"plz": "zipcode", "gemeinde_code": "community_code"}})
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
		if g, ok := postalGemeinde(t, 2); ok {
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
