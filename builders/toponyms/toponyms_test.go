package toponyms

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/artefacts/toponyms"
	"mappe/builders/source/table"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

func named(id int, name string, lon, lat float64) string {
	return fmt.Sprintf(`{"properties":{"NAME":%q,"OBJECTID":%d},"geometry":{"type":"Point","coordinates":[%g,%g]}}`, name, id, lon, lat)
}

func square(x0, y0, x1, y1 int32) geom.MultiPolygon {
	const e = 10_000_000
	return geom.MultiPolygon{{{{X: x0 * e, Y: y0 * e}, {X: x1 * e, Y: y0 * e}, {X: x1 * e, Y: y1 * e}, {X: x0 * e, Y: y1 * e}}}}
}

// Names are booked on the KG that holds them; the same source gives the same object.
func TestStage(t *testing.T) {
	files := func(extra string) fstest.MapFS {
		return fstest.MapFS{"names/ried.geojson": {Data: []byte(`{"features":[` + strings.Join([]string{
			named(1, "Westfeld", 14.5, 47.5), named(2, "Ostfeld", 15.5, 47.5), named(3, "Grenzfeld", 15, 47.5),
			named(4, "Weit weg", 17, 47.5), named(5, extra, 14.6, 47.6)}, ",") + `]}`)}}
	}
	write := func(extra string) (manifest.Object, string, store.Store) {
		var p table.Problems
		s, err := Read(files(extra), "2026-10-01", "made up", &p)
		if err != nil || p.Total > 0 {
			t.Fatal(err, p.First)
		}
		c := &stage.Country{Store: mem.New(), Register: &register.Contents{KGs: []register.KG{
			{KG: kgfile.KG{Code: "10001"}, Outline: square(14, 47, 15, 48)},
			{KG: kgfile.KG{Code: "10002"}, Outline: square(15, 47, 16, 48)}}}}
		list := Stages(s)
		o, err := list[0].Make(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return o, list[0].Recipe, c.Store
	}
	a, recipeA, s := write("Mitterfeld")
	b, recipeB, _ := write("Mitterfeld")
	other, recipeC, _ := write("Oberfeld")
	if a != b || recipeA != recipeB || other == a || recipeC == recipeA {
		t.Errorf("want the same of the same: %v %v %v", a, b, other)
	}
	body, _, err := store.ReadAll(t.Context(), s, a.Key, 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := toponyms.DecodeHead(f.Head())
	if err != nil || h.Total != 5 || h.Stichtag != "2026-10-01" {
		t.Fatal(h, err)
	}
	got := map[string]string{}
	for _, p := range h.Parts {
		i, _ := f.Find(p.Section())
		b, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		rows, _, err := toponyms.DecodeCell(p.Cell, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range rows {
			got[n.Name] = string(n.KG)
		}
	}
	for name, want := range map[string]string{"Westfeld": "10001", "Ostfeld": "10002", "Grenzfeld": "10002", "Weit weg": "",
		"Mitterfeld": "10001"} {
		if got[name] != want {
			t.Errorf("%s: want KG %q, got %q", name, want, got[name])
		}
	}
	if s, err := Read(fstest.MapFS{}, "", "", nil); s != nil || err != nil || Stages(s) != nil {
		t.Errorf("no names: got %v, %v", s, err)
	}
}
