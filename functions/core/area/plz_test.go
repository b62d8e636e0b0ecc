package area

import (
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/shared/austria"
)

// A postal code has the KGs of its localities; a municipality stands in where none of its localities says its KG.
func TestKGsOfAPostalCode(t *testing.T) {
	c := register.Contents{
		ToleranceM: 5,
		Localities: []register.Locality{
			{OKZ: 1, Name: "A", GemeindeCode: "10101", KG: "01001", PLZ: []austria.PLZ{"1010"}},
			{OKZ: 2, Name: "B", GemeindeCode: "10101", KG: "01002", PLZ: []austria.PLZ{"1020"}},
			{OKZ: 3, Name: "C", GemeindeCode: "10102", PLZ: []austria.PLZ{"1030"}},
			{OKZ: 4, Name: "D", GemeindeCode: "10101", KG: "01001", PLZ: []austria.PLZ{"1010", "1020"}},
		},
		PLZ: []register.PostalPlace{{PLZ: "1010", GemeindeCode: "10101"}, {PLZ: "1010", GemeindeCode: "10103"},
			{PLZ: "1040", GemeindeCode: "10102"}},
	}
	for code, gemeinde := range map[austria.KGCode]austria.GemeindeCode{"01001": "10101", "01002": "10101", "01003": "10101",
		"02001": "10102", "02002": "10102", "03001": "10103"} {
		c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: code, GemeindeCode: gemeinde}, DistrictCode: "101"})
	}
	slices.SortFunc(c.KGs, func(a, b register.KG) int { return int(slices.Compare([]byte(a.Code), []byte(b.Code))) })
	body, err := register.Encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	for plz, want := range map[austria.PLZ][]austria.KGCode{
		"1010": {"01001", "03001"}, "1020": {"01001", "01002"}, "1030": {"02001", "02002"}, "1040": {"02001", "02002"}, "1050": nil,
	} {
		got, err := ofPLZ(reg, plz)
		if !slices.Equal(got, want) || (err != nil) != (want == nil) {
			t.Errorf("%s: %v, %v; want %v", plz, got, err, want)
		}
	}
}
