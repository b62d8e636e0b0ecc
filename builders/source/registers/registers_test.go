package registers

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/builders/source/table"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func TestRealKGRegister(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p table.Problems
	kgs, err := readKGs(f, "kg_register_2023.csv", &p)
	if err != nil || p.Total > 0 {
		t.Fatalf("%v, %+v", err, p)
	}
	zero, gems, per := 0, map[austria.GemeindeCode]bool{}, map[austria.DistrictCode]int{}
	for _, k := range kgs {
		if k.Code[0] == '0' {
			zero++
		}
		gems[k.GemeindeCode] = true
		per[k.DistrictCode]++
		if k.StateName != k.StateCode.Name() {
			t.Errorf("%s: state %s of the file is not %s", k.Code, k.StateName, k.StateCode.Name())
		}
	}
	for _, c := range []struct {
		what      string
		want, got int
	}{{"KGs", 7850, len(kgs)}, {"codes with a leading zero", 740, zero}, {"municipalities", 2093, len(gems)}, {"KGs of 322", 173,
		per["322"]}, {"KGs of 325", 353, per["325"]}} {
		if c.got != c.want {
			t.Errorf("%s: want %d, got %d", c.what, c.want, c.got)
		}
	}
	i := slices.IndexFunc(kgs, func(k KG) bool { return k.Code == "92107" })
	if i < 0 || kgs[i].Name != "Frastanz II, III" {
		t.Error("the quoted name of 92107 is not read")
	}
	if !slices.IsSortedFunc(kgs, func(a, b KG) int { return strings.Compare(string(a.Code), string(b.Code)) }) {
		t.Error("not sorted")
	}
}

func source() fstest.MapFS {
	f := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"registers/kg.csv": f(
			"kg_code,kg_name,gemeinde_code,gemeinde_name,district_code,district_name,state_code,state_name\n14168,Umbach,31507,Dunkelsteinerwald,315,Melk,3,Niederösterreich\n1004,Innere Stadt,90001,Wien,900,Wien,9,Wien\n"),
		"registers/gemeinden.csv": f(
			"gemeinde_code,gemeinde_name,district_code,district_name,state_code,state_name,lon,lat\n31507,Dunkelsteinerwald,315,Melk,3,Niederösterreich,15.44,48.24\n90001,Wien,900,Wien,9,Wien,,\n"),
		"registers/districts.csv": f("district_code,district_name,state_code,state_name\n315,Melk,3,Niederösterreich\n"),
		"registers/ortschaften.csv": f(
			"okz,ort_name,gemeinde_code,gemeinde_name,kg_code,lon,lat,plz\n04321,Umbach,31507,Dunkelsteinerwald,14168,15.443,48.24,3393 3392\n"),
		"registers/plz.csv":   f("plz,place,gemeinde_code\n3393,Umbach,31507\n3393,Umbach,31507\n"),
		"registers/areas.csv": f("kg_code,area_sqm,parcel_count\n14168,\"765,671.33\",100\n1004,2869000,\n"),
	}
}

func TestRead(t *testing.T) {
	r, p, err := Read(source())
	if err != nil || p.Total > 0 {
		t.Fatalf("%v, %+v", err, p)
	}
	wantKG := []KG{
		{"01004", "Innere Stadt", "90001", "Wien", "900", "Wien", "9", "Wien", 0},
		{"14168", "Umbach", "31507", "Dunkelsteinerwald", "315", "Melk", "3", "Niederösterreich", 0},
	}
	if !slices.Equal(r.KGs, wantKG) {
		t.Errorf("KGs: want %v, got %v", wantKG, r.KGs)
	}
	if len(r.Gemeinden) != 2 || !r.Gemeinden[0].HasAt || r.Gemeinden[0].At != (geom.Point{X: 154400000, Y: 482400000}) ||
		r.Gemeinden[1].HasAt {
		t.Errorf("municipalities: got %+v", r.Gemeinden)
	}
	if want := []District{{"315", "Melk", "3", "Niederösterreich"}}; !slices.Equal(r.Districts, want) {
		t.Errorf("districts: want %v, got %v", want, r.Districts)
	}
	if l := r.Localities; len(l) != 1 || l[0].OKZ != 4321 || l[0].KG != "14168" || !slices.Equal(l[0].PLZ, []austria.PLZ{"3393", "3392"}) ||
		!l[0].HasAt {
		t.Errorf("localities: got %+v", l)
	}
	if want := []PostalPlace{{"3393", "Umbach", "31507"}}; !slices.Equal(r.Postal, want) {
		t.Errorf("postal codes: want %v, got %v", want, r.Postal)
	}
	if want := []Area{{"01004", 2869000, -1}, {"14168", 765671.33, 100}}; !slices.Equal(r.Areas, want) {
		t.Errorf("areas: want %v, got %v", want, r.Areas)
	}
}

// People are read from a column of the newest year, whatever it is called, and from none.
func TestPeopleOfKGs(t *testing.T) {
	const row = "14168,Umbach,31507,Dunkelsteinerwald"
	for text, want := range map[string]int{
		"kg_code,kg_name,gemeinde_code,gemeinde_name\n" + row: 0, "kg_code,kg_name,gemeinde_code,gemeinde_name,population\n" + row +
			",120": 120,
		"kg_code,kg_name,gemeinde_code,gemeinde_name,population_2023,population_2021\n" + row +
			",119,118": 119,
		"kg_code,kg_name,gemeinde_code,gemeinde_name,population_2023\n" + row + ",": 0,
		"kg_code,kg_name,gemeinde_code,gemeinde_name,population_2023,population_density_2023,population_year\n" + row +
			",119,88.4,2023": 119,
	} {
		r, p, err := Read(fstest.MapFS{"registers/kg.csv": {Data: []byte(text + "\n")}})
		if err != nil || p.Total > 0 || len(r.KGs) != 1 || r.KGs[0].People != want {
			t.Errorf("%q: want %d people, got %+v, %v, %v", text, want, r.KGs, p, err)
		}
	}
	if _, p, err := Read(fstest.MapFS{"registers/kg.csv": {Data: []byte("kg_code,kg_name,gemeinde_code,gemeinde_name,population\n" + row +
		",many\n")}}); err != nil || p.Total != 1 {
		t.Errorf("people in words: %v, %v", p, err)
	}
}

func TestNoRegisterIsNeeded(t *testing.T) {
	s := source()
	for name := range s {
		if name != "registers/kg.csv" {
			delete(s, name)
		}
	}
	if r, _, err := Read(s); err != nil || len(r.KGs) != 2 {
		t.Errorf("got %d KGs, %v", len(r.KGs), err)
	}
	delete(s, "registers/kg.csv")
	if r, _, err := Read(s); err != nil || len(r.KGs) != 0 {
		t.Errorf("without any: got %d KGs, %v", len(r.KGs), err)
	}
}

func TestBadRowsAreReported(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"registers/kg.csv", "kg_code,kg_name,gemeinde_code,gemeinde_name\n1234567,X,31507,Y\n",
			`registers/kg.csv line 2: kg_code "1234567": expected 1 to 5 digits`},
		{"registers/kg.csv", "kg_code,kg_name,gemeinde_code,gemeinde_name\n1,X,31507,Y\n00001,Z,31507,Y\n",
			`registers/kg.csv line 3: kg_code "00001": expected each KG once; it stands in line 2`},
		{"registers/kg.csv", "kg_code,kg_name,gemeinde_code,gemeinde_name\n1,X,Wien,Y\n",
			`registers/kg.csv line 2: gemeinde_code "Wien": expected 5 digits`},
		{"registers/kg.csv", "kg_code,kg_name,gemeinde_code,gemeinde_name\n1,,31507,Y\n",
			`registers/kg.csv line 2: kg_name "": expected a name`},
		{"registers/kg.csv", "kg_code,kg_name,gemeinde_code,gemeinde_name,district_code\n1,X,31507,Y,999\n",
			`registers/kg.csv line 2: district_code "999": expected district 315 of municipality 31507`},
		{"registers/gemeinden.csv", "gemeinde_code,gemeinde_name,lon,lat\n31507,X,abc,48\n",
			`registers/gemeinden.csv line 2: lon "abc": expected degrees of longitude`},
		{"registers/gemeinden.csv", "gemeinde_code,gemeinde_name,lon,lat\n31507,X,15,148\n",
			`registers/gemeinden.csv line 2: lat "148": expected degrees of latitude`},
		{"registers/districts.csv", "district_code,district_name\n31,X\n",
			`registers/districts.csv line 2: district_code "31": expected 3 digits`},
		{"registers/ortschaften.csv", "okz,ort_name,gemeinde_code,plz\n1,X,31507,12\n",
			`registers/ortschaften.csv line 2: plz "12": expected postal codes`},
		{"registers/plz.csv", "plz,place,gemeinde_code\n123,X,31507\n", `registers/plz.csv line 2: plz "123": expected 4 digits`},
		{"registers/areas.csv", "kg_code,area_sqm\n1,-5\n", `registers/areas.csv line 2: area_sqm "-5": expected m²`},
	} {
		s := source()
		s[c.name] = &fstest.MapFile{Data: []byte(c.text)}
		_, p, err := Read(s)
		if err != nil {
			t.Errorf("%s: a bad row must not end the reading: %v", c.name, err)
		} else if p.Total != 1 || !strings.Contains(p.First[0].Error(), c.want) {
			t.Errorf("want %s, got %v", c.want, p.First)
		}
	}
}

// endless is a register whose last row never ends.
type endless struct{ fstest.MapFS }

func (e endless) Open(name string) (fs.File, error) {
	f, err := e.MapFS.Open(name)
	if err != nil || name != "registers/kg.csv" {
		return f, err
	}
	return &endlessFile{File: f}, nil
}

type endlessFile struct{ fs.File }

func (f *endlessFile) Read(b []byte) (int, error) {
	if n, err := f.File.Read(b); err == nil {
		return n, nil
	}
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// A register that is too large is refused whole: its first part would be taken for the country.
func TestATooLargeRegisterIsRefused(t *testing.T) {
	files := endless{fstest.MapFS{
		"registers/kg.csv": {Data: []byte("kg_code,kg_name,gemeinde_code,gemeinde_name\n01004,Probe,50999,Probe\n")}}}
	if _, _, err := Read(files); err == nil || !strings.Contains(err.Error(), "registers/kg.csv") ||
		!strings.Contains(err.Error(), "256 MB") {
		t.Errorf("want a refusal that names file and limit, got %v", err)
	}
}

// The postal file as GeoNames hands it out: its own column names, Vienna's districts, codes from before mergers.
func TestPostalFileAsHandedOut(t *testing.T) {
	const body = "country_code,zipcode,place,state,community,community_code\nAT,1010,\"Wien, Innere Stadt\",Wien,Gemeindebezirk Innere Stadt,901\nAT,1230,Liesing,Wien,,92301\n" +
		"AT,6143,Pfons,Tirol,Pfons,70341\nAT,8471,Oberschwarza,Steiermark,Murfeld,62347\nAT,3393,Umbach,,,31507\n"
	r, p, err := Read(fstest.MapFS{"registers/plz.csv": &fstest.MapFile{Data: []byte(body)}})
	want := []PostalPlace{{"1010", "Wien, Innere Stadt", "90001"}, {"1230", "Liesing", "90001"}, {"3393", "Umbach", "31507"},
		{"6143", "Pfons", "70370"}, {"8471", "Oberschwarza", "61061"}}
	if err != nil || p.Total > 0 || !slices.Equal(r.Postal, want) {
		t.Errorf("want %v, got %v, %v, %v", want, r.Postal, p.First, err)
	}
}

// Every row of the real file has a municipality of the real register.
func TestRealPostalCodes(t *testing.T) {
	read := func(name string) *fstest.MapFile {
		b, err := os.ReadFile(realdata.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: b}
	}
	r, p, err := Read(fstest.MapFS{"registers/plz.csv": read("admin/geonames_postal_at.csv"),
		"registers/kg.csv": read("admin/kg_register_2023.csv")})
	if err != nil || p.Total > 0 {
		t.Fatal(p.First, err)
	}
	known := map[austria.GemeindeCode]bool{}
	for _, k := range r.KGs {
		known[k.GemeindeCode] = true
	}
	codes := map[austria.PLZ]bool{}
	for _, pl := range r.Postal {
		if codes[pl.PLZ] = true; !known[pl.GemeindeCode] {
			t.Errorf("%v: no such municipality", pl)
		}
	}
	if len(codes) != 2217 {
		t.Errorf("want 2217 postal codes, got %d", len(codes))
	}
}
