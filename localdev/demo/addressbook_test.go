package demo

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// csvRows reads a file of the address register by header name.
func csvRows(t testing.TB, name string) []map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(sourceDir(t), "addresses", name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(string(b), "\ufeff")
	if !ok {
		t.Errorf("%s has no byte-order mark", name)
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = ';'
	head, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for {
		row, err := r.Read()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]string{}
		for i, c := range row {
			m[head[i]] = c
		}
		out = append(out, m)
	}
}

// Every address lies in the parcel that ADRESSE_GST names, its codes lead to rows of the other files,
// and no two are spelled alike.
func TestAddressesAreConsistent(t *testing.T) {
	parcel := map[string]geom.MultiPolygon{}
	for _, f := range readFeatures(t, "parcels.ndjson") {
		parcel[f.Properties.ParcelID] = f.geometry()
	}
	known := func(name string, columns ...string) map[string]bool {
		out := map[string]bool{}
		for _, r := range csvRows(t, name) {
			var k []string
			for _, c := range columns {
				k = append(k, r[c])
			}
			if key := strings.Join(k, " "); out[key] {
				t.Errorf("%s: %s stands twice", name, key)
			} else {
				out[key] = true
			}
		}
		return out
	}
	streets, places, gems := known("STRASSE", "SKZ", "GKZ"), known("ORTSCHAFT", "GKZ", "OKZ"), known("GEMEINDE", "GKZ")
	buildings := map[string]bool{}
	for k := range known("GEBAEUDE", "ADRCD", "SUBCD") {
		buildings[strings.Fields(k)[0]] = true
	}
	plot := map[string]string{}
	for _, r := range csvRows(t, "ADRESSE_GST") {
		plot[r["ADRCD"]] = r["KGNR"] + "-" + r["GSTNR"]
	}
	spelled := map[string]bool{}
	letters, without := 0, 0
	rows := csvRows(t, "ADRESSE")
	for _, r := range rows {
		x, err1 := strconv.ParseFloat(r["RW"], 64)
		y, err2 := strconv.ParseFloat(r["HW"], 64)
		code, err3 := strconv.Atoi(r["EPSG"])
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("address %s: RW %s HW %s EPSG %s", r["ADRCD"], r["RW"], r["HW"], r["EPSG"])
		}
		at, ok := crs.System(code).Point(x, y)
		if !ok || !parcel[plot[r["ADRCD"]]].Contains(at) {
			t.Errorf("address %s lies outside its parcel %s", r["ADRCD"], plot[r["ADRCD"]])
		}
		if !streets[r["SKZ"]+" "+r["GKZ"]] || !places[r["GKZ"]+" "+r["OKZ"]] || !gems[r["GKZ"]] {
			t.Errorf("address %s names a street, locality or municipality that has no row", r["ADRCD"])
		}
		key := strings.Join([]string{r["GKZ"], r["OKZ"], r["SKZ"], r["HAUSNRZAHL1"], r["HAUSNRBUCHSTABE1"]}, "|")
		if spelled[key] {
			t.Errorf("address %s is spelled like another: %s", r["ADRCD"], key)
		}
		spelled[key] = true
		if r["HAUSNRBUCHSTABE1"] != "" {
			letters++
		}
		if !buildings[r["ADRCD"]] {
			without++
		}
	}
	if len(rows) != readTruth(t).Addresses || letters < 100 || without < 100 {
		t.Errorf("%d addresses, %d with a letter, %d without a building", len(rows), letters, without)
	}
}
