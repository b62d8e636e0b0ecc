package national

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"mappe/artefacts/register"
	"mappe/builders/source/addresses"
	"mappe/builders/source/registers"
	"mappe/infra/realdata"
	"mappe/shared/austria"
)

// Addresses weigh the places of a code where there are any: of a locality for the place of its name, of the rest of the
// municipality evenly, whichever of the two shortens Sankt. Without them people do, divided among all places of their municipality.
func TestPlacesAreWeighed(t *testing.T) {
	posted, _, err := addresses.Read(fstest.MapFS{
		"ADRESSE.csv": {Data: []byte("ADRCD;GKZ;OKZ;PLZ;SKZ;RW;HW;EPSG;HAUSNRZAHL1\n" +
			"1;50101;1;5020;1;;;31255;1\n2;50101;1;5020;1;;;31255;2\n3;50101;2;5020;1;;;31255;3\n4;50102;3;5020;1;;;31255;4\n5;90101;4;1010;1;;;31256;5\n")},
		"GEBAEUDE.csv":  {Data: []byte("ADRCD;SUBCD;RW;HW;EPSG;OBJEKTNUMMER;HAUSNRGEBAEUDE1;EIGENSCHAFT\n")},
		"ORTSCHAFT.csv": {Data: []byte("GKZ;OKZ;ORTSNAME\n50101;1;ST. ANIF\n50101;2;Niederalm\n50102;3;Weit\n90101;4;Wien\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	places := []register.PostalPlace{
		{PLZ: "1010", Place: "Wien", GemeindeCode: "90001"},
		{PLZ: "5020", Place: "Sankt Anif", GemeindeCode: "50101"}, {PLZ: "5020", Place: "Hof", GemeindeCode: "50101"},
		{PLZ: "5020", Place: "Weit", GemeindeCode: "50102"},
		{PLZ: "5021", Place: "Anif", GemeindeCode: "50101"}, {PLZ: "5021", Place: "Weit", GemeindeCode: "50102"},
		{PLZ: "5021", Place: "Nirgends", GemeindeCode: "50103"},
	}
	kgs := []registers.KG{{GemeindeCode: "50101", People: 300}, {GemeindeCode: "50102", People: 400}, {GemeindeCode: "50102", People: 100}}
	for name, c := range map[string]struct {
		posted *addresses.Register
		want   []uint32
	}{
		"addresses":    {posted, []uint32{1, 3, 1, 1, 25, 63, 0}},
		"no addresses": {nil, []uint32{0, 100, 100, 250, 25, 63, 0}},
	} {
		var got []uint32
		for _, p := range weigh(places, kgs, c.posted) {
			got = append(got, p.Weight)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: want %v, got %v", name, c.want, got)
		}
	}
	if places[1].Weight != 0 {
		t.Error("what was given is written over")
	}
}

// The registers of the country as they are handed out give the postal codes of towns to the towns.
func TestRealPostalCodesAreWeighed(t *testing.T) {
	files := fstest.MapFS{}
	for name, at := range map[string]string{"registers/kg.csv": "admin/kg_register_2023.csv",
		"registers/plz.csv": "admin/geonames_postal_at.csv"} {
		b, err := os.ReadFile(realdata.Path(t, at))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: b}
	}
	r, _, err := registers.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	var places []register.PostalPlace
	for _, p := range r.Postal {
		places = append(places, register.PostalPlace{PLZ: p.PLZ, Place: p.Place, GemeindeCode: p.GemeindeCode})
	}
	most := map[austria.PLZ]map[austria.GemeindeCode]int{}
	for _, p := range weigh(places, r.KGs, nil) {
		if most[p.PLZ] == nil {
			most[p.PLZ] = map[austria.GemeindeCode]int{}
		}
		most[p.PLZ][p.GemeindeCode] += int(p.Weight)
	}
	for plz, want := range map[austria.PLZ]austria.GemeindeCode{"8010": "60101", "4600": "40301", "2700": "30401", "9020": "20101",
		"9500": "20201", "7400": "10917", "2500": "30604", "9300": "20527", "1010": "90001",
		"5071": "50338", "9063": "20418", "3541": "31343"} { // of which a town near by has a place
		for g, n := range most[plz] {
			if n >= most[plz][want] && g != want {
				t.Errorf("%s: %s weighs %d, %s %d", plz, g, n, want, most[plz][want])
			}
		}
	}
}
