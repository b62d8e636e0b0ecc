package toponyms

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/toponyms"
	"mappe/builders/source/table"
	"mappe/infra/realdata"
)

func read(t testing.TB, name, text string) ([]toponyms.Name, table.Problems) {
	t.Helper()
	var p table.Problems
	list, err := Read(fstest.MapFS{"names/" + name: {Data: []byte(text)}}, &p)
	if err != nil {
		t.Fatal(err)
	}
	return list, p
}

func collection(features ...string) string {
	return `{"type":"FeatureCollection","name":"n","features":[` + strings.Join(features, ",") + `]}`
}

func named(properties, geometry string) string {
	return `{"type":"Feature","properties":{` + properties + `},"geometry":` + geometry + `}`
}

const point = `{"type":"Point","coordinates":[13.5,47.5,1200]}`

func TestNames(t *testing.T) {
	list, p := read(t, "ried.geojson", collection(
		named(`"NAME":"Sonnleiten","F_CODE":7701.0,"F_NAME":"Riedname","VAR_NAME":null,"HOEHE":9999.0,"BEARBDAT":"2021-02-03","GLOBALID":"{7A0D0265-3066-4AC3-BA03-C3CEF155BF1B}"`, point),
		named(`"name":"Ferlach","layer":"Siedlung","NAME_SL":"Borovlje","hoehe":"466","objectid":17,"erstelldat":"1999-01-01"`,
			`{"type":"Polygon","coordinates":[[[14,46],[14.2,46],[14.2,46.4],[14,46]]]}`),
		named(`"name":"ohne Nummer"`, point),
		named(`"name":""`, point), named(`"name":"verkehrt","layer":"Berge"`, point), named(`"name":"nirgends"`, `null`),
		named(`"name":"weit","globalid":"1"`, `{"type":"Point","coordinates":[200,47]}`),
		named(`"name":"zweimal","GLOBALID":"{7A0D0265-3066-4AC3-BA03-C3CEF155BF1B}"`, point),
	))
	if len(list) != 3 || p.Total != 5 {
		t.Fatalf("want 3 names and 5 problems, got %d and %v", len(list), p.First)
	}
	if a := list[0]; a.ID != "7a0d0265-3066-4ac3-ba03-c3cef155bf1b" || a.Layer != toponyms.Ried || a.Code != 7701 ||
		a.Elevation != toponyms.NoElevation || a.Year != 2021 || a.At.X != 135_000_000 || a.Variant != "" {
		t.Errorf("got %+v", a)
	}
	if a := list[1]; a.ID != "siedlung-17" || a.Layer != toponyms.Siedlung || a.Elevation != 466 || a.Year != 1999 || len(a.Others) != 1 ||
		a.Others[0] != (toponyms.Other{Language: "sl", Name: "Borovlje"}) || a.At.Y != 462_000_000 {
		t.Errorf("got %+v", a)
	}
	if a := list[2]; len(a.ID) != 17 || a.ID[0] != 'x' || a.Year != 0 {
		t.Errorf("got %+v", a)
	}
	if list, p := read(t, "alle.geojson", collection(named(`"name":"a","f_code":7302`, point),
		named(`"name":"b","f_code":9999`, point))); len(list) != 1 || list[0].Layer != toponyms.Gelaende || p.Total != 1 {
		t.Errorf("layers by codes: got %+v, %v", list, p.First)
	}
	for _, broken := range []string{"", "[]", `{"features":{}}`, `{"features":[`, `{"features":[{"properties":7}]}`, `{"features":[]`} {
		var p table.Problems
		if _, err := Read(fstest.MapFS{"names/a.geojson": {Data: []byte(broken)}}, &p); err == nil ||
			!strings.Contains(err.Error(), "names/a.geojson") {
			t.Errorf("%q: want an error that names the file, got %v", broken, err)
		}
	}
	if list, err := Read(fstest.MapFS{}, nil); list != nil || err != nil {
		t.Errorf("no folder: got %v, %v", list, err)
	}
}

// The real summits above 3,000 m: all are read, 12 without a height.
func TestRealSummits(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "overlays/npht_gipfel3000.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	list, p := read(t, "npht_gipfel3000.geojson", string(b))
	if len(list) != 259 || p.Total != 0 {
		t.Fatalf("want 259 names, got %d, %v", len(list), p.First)
	}
	high, unknown, variants := 0, 0, 0
	for _, n := range list {
		if n.Layer != toponyms.Gelaende || n.Code != 7302 || n.Feature != "Berggipfel" || len(n.ID) != 36 ||
			n.Year != 2022 && n.Year != 2014 && n.Year != 2019 && n.Year < 2014 {
			t.Errorf("got %+v", n)
		}
		switch {
		case n.Elevation == toponyms.NoElevation:
			unknown++
		case n.Elevation >= 2999:
			high++
		}
		if n.Variant != "" {
			variants++
		}
	}
	if unknown != 12 || high != 247 || variants != 3 {
		t.Errorf("want 12 unknown, 247 high, 3 variants, got %d, %d, %d", unknown, high, variants)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(collection(named(`"NAME":"a","F_CODE":7302,"HOEHE":1`, point))))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p table.Problems
		list, err := Read(fstest.MapFS{"names/a.geojson": {Data: bytes.Clone(b)}}, &p)
		if err != nil {
			return
		}
		if _, err := (&toponyms.Country{Names: list}).Head(); err != nil {
			t.Errorf("what was read cannot be stored: %v", err)
		}
	})
}
