// Package registers reads the administrative registers of a raw source directory: KGs, municipalities,
// districts, localities, postal codes and register areas. It owns their raw form and its checks; it
// joins nothing (builders/national does).
//
//	registers/kg.csv           kg_code kg_name gemeinde_code gemeinde_name [district_code district_name state_code state_name population]
//	registers/gemeinden.csv    gemeinde_code gemeinde_name [district_code district_name state_code state_name lon lat]
//	registers/districts.csv    district_code district_name [state_code state_name]
//	registers/ortschaften.csv  okz ort_name gemeinde_code [gemeinde_name kg_code lon lat plz]
//	registers/plz.csv          plz place gemeinde_code, or zipcode place community_code
//	registers/areas.csv        kg_code area_sqm [parcel_count]
//
// Each may be missing; where kg.csv is, the administrative boundaries stand in. Columns in brackets may be missing: what the codes tell is
// taken from them.
package registers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// maxFile bounds one register: a larger file is refused. The largest of the country, ortschaften.csv, has 2 MB.
const maxFile = 256 << 20

// bounded gives the bytes of a file and refuses what comes behind left of them.
type bounded struct {
	in   io.Reader
	name string
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("%s is larger than %d MB, the most that is read of a register", b.name, maxFile>>20)
	}
	return n, err
}

// KG is a row of the KG register.
type KG struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	DistrictCode austria.DistrictCode
	DistrictName string
	StateCode    austria.StateCode
	StateName    string
	People       int // 0 not known
}

// Gemeinde is a municipality.
type Gemeinde struct {
	Code         austria.GemeindeCode
	Name         string
	DistrictCode austria.DistrictCode
	DistrictName string
	StateCode    austria.StateCode
	StateName    string
	At           geom.Point // HasAt tells
	HasAt        bool
}

// District is a district.
type District struct {
	Code      austria.DistrictCode
	Name      string
	StateCode austria.StateCode
	StateName string
}

// Locality is an Ortschaft.
type Locality struct {
	OKZ          uint32
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	KG           austria.KGCode // "" not known
	At           geom.Point     // HasAt tells
	HasAt        bool
	PLZ          []austria.PLZ
}

// PostalPlace is a postal code with a place and a municipality it serves.
type PostalPlace struct {
	PLZ          austria.PLZ
	Place        string
	GemeindeCode austria.GemeindeCode
}

// Area is the register area of a KG.
type Area struct {
	KG          austria.KGCode
	Sqm         float64
	ParcelCount int // -1 not known
}

// Registers are all of them, each sorted by code.
type Registers struct {
	KGs        []KG
	Gemeinden  []Gemeinde
	Districts  []District
	Localities []Locality
	Postal     []PostalPlace
	Areas      []Area
}

// Read reads the folder "registers" of a raw source directory. Bad rows are in the problems; the error
// is about a missing column or a failing disk.
func Read(source fs.FS) (Registers, table.Problems, error) {
	var r Registers
	var p table.Problems
	for _, f := range []struct {
		name string
		read func(io.Reader, string, *table.Problems) error
	}{
		{"kg.csv", func(in io.Reader, n string, p *table.Problems) (err error) { r.KGs, err = readKGs(in, n, p); return }},
		{"gemeinden.csv", func(in io.Reader, n string, p *table.Problems) (err error) {
			r.Gemeinden, err = readGemeinden(in, n, p)
			return
		}},
		{"districts.csv", func(in io.Reader, n string, p *table.Problems) (err error) {
			r.Districts, err = readDistricts(in, n, p)
			return
		}},
		{"ortschaften.csv", func(in io.Reader, n string, p *table.Problems) (err error) {
			r.Localities, err = readLocalities(in, n, p)
			return
		}},
		{"plz.csv", func(in io.Reader, n string, p *table.Problems) (err error) {
			r.Postal, err = readPostal(in, n, p)
			return
		}},
		{"areas.csv", func(in io.Reader, n string, p *table.Problems) (err error) {
			r.Areas, err = readAreas(in, n, p)
			return
		}},
	} {
		name := "registers/" + f.name
		in, err := source.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return r, p, fmt.Errorf("register: %w", err)
		}
		err = f.read(&bounded{in, name, maxFile}, name, &p)
		in.Close()
		if err != nil {
			return r, p, err
		}
	}
	return r, p, nil
}

// place reads the columns a row shares with others, from column i on: district code and name, state
// code and name. A code that contradicts the municipality's is reported and the municipality's taken.
func place(t *table.Table, i int, g austria.GemeindeCode) (d austria.DistrictCode, dn string, s austria.StateCode, sn string) {
	d, s = g.District(), g.State()
	if v := t.Text(i); v != "" && v != string(d) {
		t.Bad(i, "district "+string(d)+" of municipality "+string(g))
	}
	if v := t.Text(i + 2); v != "" && v != string(s) {
		t.Bad(i+2, "state "+string(s)+" of municipality "+string(g))
	}
	if sn = t.Text(i + 3); sn == "" {
		sn = s.Name()
	}
	return d, t.Text(i + 1), s, sn
}

// readKGs reads kg.csv.
func readKGs(in io.Reader, file string, p *table.Problems) ([]KG, error) {
	t, err := table.New(in, table.Options{File: file, Comma: ',', Columns: strings.Fields("kg_code kg_name gemeinde_code gemeinde_name"),
		Optional: strings.Fields("district_code district_name state_code state_name population"), Problems: p,
		Other: map[string]string{"population": "population_*"}}) // population_2023
	if err != nil {
		return nil, err
	}
	var rows []KG
	seen := map[austria.KGCode]int{}
	for t.Next() {
		code, ok := kgCode(t, 0)
		if !ok {
			continue
		}
		if first := seen[code]; first > 0 {
			t.Bad(0, fmt.Sprintf("each KG once; it stands in line %d already", first))
			continue
		}
		g, ok := gemeindeCode(t, 2)
		if !ok {
			continue
		}
		if len(t.Field(1)) == 0 {
			t.Bad(1, "a name")
			continue
		}
		k := KG{Code: code, Name: t.Text(1), GemeindeCode: g, GemeindeName: t.Text(3)}
		k.DistrictCode, k.DistrictName, k.StateCode, k.StateName = place(t, 4, g)
		if text := t.Field(8); len(text) > 0 {
			n, ok := table.Uint(text, 10_000_000)
			if !ok {
				t.Bad(8, "a number of people, or nothing")
			}
			k.People = int(n)
		}
		seen[code] = t.Line()
		rows = append(rows, k)
	}
	slices.SortFunc(rows, func(a, b KG) int { return cmp.Compare(a.Code, b.Code) })
	return rows, t.Err()
}

// readGemeinden reads gemeinden.csv.
func readGemeinden(in io.Reader, file string, p *table.Problems) ([]Gemeinde, error) {
	t, err := open(in, file, p, "gemeinde_code gemeinde_name", "district_code district_name state_code state_name lon lat")
	if err != nil {
		return nil, err
	}
	var rows []Gemeinde
	seen := map[austria.GemeindeCode]int{}
	for t.Next() {
		code, ok := gemeindeCode(t, 0)
		if !ok {
			continue
		}
		if first := seen[code]; first > 0 {
			t.Bad(0, fmt.Sprintf("each municipality once; it stands in line %d already", first))
			continue
		}
		g := Gemeinde{Code: code, Name: t.Text(1)}
		g.DistrictCode, g.DistrictName, g.StateCode, g.StateName = place(t, 2, code)
		g.At, g.HasAt = position(t, 6, 7)
		seen[code] = t.Line()
		rows = append(rows, g)
	}
	slices.SortFunc(rows, func(a, b Gemeinde) int { return cmp.Compare(a.Code, b.Code) })
	return rows, t.Err()
}

// readDistricts reads districts.csv.
func readDistricts(in io.Reader, file string, p *table.Problems) ([]District, error) {
	t, err := open(in, file, p, "district_code district_name", "state_code state_name")
	if err != nil {
		return nil, err
	}
	var rows []District
	seen := map[austria.DistrictCode]int{}
	for t.Next() {
		code, err := austria.ParseDistrictCode(t.Text(0))
		if err != nil {
			t.Bad(0, expected(err))
			continue
		}
		if first := seen[code]; first > 0 {
			t.Bad(0, fmt.Sprintf("each district once; it stands in line %d already", first))
			continue
		}
		d := District{Code: code, Name: t.Text(1), StateCode: austria.StateCode(code[:1]), StateName: t.Text(3)}
		if d.StateName == "" {
			d.StateName = d.StateCode.Name()
		}
		seen[code] = t.Line()
		rows = append(rows, d)
	}
	slices.SortFunc(rows, func(a, b District) int { return cmp.Compare(a.Code, b.Code) })
	return rows, t.Err()
}

func open(in io.Reader, file string, p *table.Problems, columns, optional string) (*table.Table, error) {
	return table.New(in, table.Options{File: file, Comma: ',', Columns: strings.Fields(columns), Optional: strings.Fields(optional),
		Problems: p})
}

func expected(err error) string {
	var e *austria.Error
	if errors.As(err, &e) {
		return e.Expected
	}
	return err.Error()
}

func kgCode(t *table.Table, i int) (austria.KGCode, bool) {
	c, err := austria.ParseKGCode(t.Text(i))
	if err != nil {
		t.Bad(i, expected(err))
	}
	return c, err == nil
}

func gemeindeCode(t *table.Table, i int) (austria.GemeindeCode, bool) {
	c, err := austria.ParseGemeindeCode(t.Text(i))
	if err != nil {
		t.Bad(i, expected(err))
	}
	return c, err == nil
}

// position reads two columns of degrees; both empty is no position.
func position(t *table.Table, lon, lat int) (geom.Point, bool) {
	if len(t.Field(lon)) == 0 && len(t.Field(lat)) == 0 {
		return geom.Point{}, false
	}
	x, ok1 := table.Decimal(t.Field(lon))
	y, ok2 := table.Decimal(t.Field(lat))
	p, ok := geom.PointAt(x, y)
	switch {
	case !ok1:
		t.Bad(lon, "degrees of longitude")
	case !ok2 || !ok:
		t.Bad(lat, "degrees of latitude")
	}
	return p, ok && ok1 && ok2
}
