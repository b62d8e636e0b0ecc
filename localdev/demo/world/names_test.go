package world

import (
	"os"
	"strings"
	"testing"

	"mappe/infra/realdata"
)

// No code and no name of the made-up country is in the real register.
func TestNothingRealIsNamed(t *testing.T) {
	w := theWorld(t)
	reg, err := os.ReadFile(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	postal, err := os.ReadFile(realdata.Path(t, "admin/geonames_postal_at.csv"))
	if err != nil {
		t.Fatal(err)
	}
	real := map[string]bool{}
	for _, line := range strings.Split(string(reg), "\n")[1:] {
		if c := strings.Split(strings.TrimSpace(line), ","); len(c) >= 4 {
			real["kg "+c[0]], real[c[1]], real["gemeinde "+c[2]], real[c[3]] = true, true, true, true
			real["district "+c[2][:3]] = true
		}
	}
	for _, line := range strings.Split(string(postal), "\n")[1:] {
		if c := strings.Split(line, ","); len(c) >= 9 {
			real["plz "+c[1]], real[c[2]], real[c[7]] = true, true, true
		}
	}
	if len(real) < 15000 {
		t.Fatalf("the real registers give only %d entries", len(real))
	}
	var names []string
	for _, k := range w.KGs {
		names = append(names, "kg "+k.Code, k.Name)
	}
	for _, g := range w.Gemeinden {
		names = append(names, "gemeinde "+g.Code, g.Name, "plz "+g.PLZ, g.Post)
	}
	for _, l := range w.Localities {
		names = append(names, l.Name, "plz "+w.PLZ(l))
	}
	for _, n := range append(names, "district "+DistrictCode, DistrictName, riverName, brookName) {
		if real[n] {
			t.Errorf("%q is real", n)
		}
	}
}
