package place

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/functions/core/cells"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
)

// withCells is the world with the cells of its KGs but for 88803.
func withCells(t testing.TB) store.Store {
	t.Helper()
	s := world(t)
	built := slices.DeleteFunc(fixture.Snapshots(), func(k *kgfile.Snapshot) bool { return k.KG.Code == "88803" })
	if err := fixture.AddCells(s, built, fixture.CellsOf{Log: manifest.Publications{Format: manifest.Format,
		Entries: []manifest.Publication{{At: "2026-11-01T04:00:00.000Z", Generation: "a"}}}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// ofCells asks the service of the cells about the same store.
func ofCells(t *testing.T, s store.Store, path string) map[string]any {
	t.Helper()
	lib := fixture.Library(t, s)
	h := fixture.Handler(t, cells.New(cells.Deps{Library: lib, Now: fixture.Now}))
	return read(t, fixture.Ask(h, "GET", path, ""))
}

// The block is what /ne/cell says of the cell that the point lies in, without the KGs, under its own licence.
func TestCellOfAPoint(t *testing.T) {
	s := withCells(t)
	h := over(t, s)
	for _, target := range []string{"context?include=ne&" + at(1, 1), "context?include=municipality,ne&" + at(1, 1),
		"context?" + at(1, 1)} {
		got := ask(t, h, target, 200)
		block, ok := dig(got, "data.ne").(map[string]any)
		if !ok || keys(block) != "cell chg k lu obs" {
			t.Fatalf("%s: %v", target, dig(got, "data.ne"))
		}
		cell := dig(ofCells(t, s, "/api/v1/ne/cell/"+block["cell"].(string)), "data").(map[string]any)
		for _, name := range []string{"lu", "k", "obs", "chg"} {
			a, _ := json.Marshal(block[name])
			b, _ := json.Marshal(cell[name])
			if string(a) != string(b) {
				t.Errorf("%s: %s is %s, the cell says %s", target, name, a, b)
			}
		}
		if l := dig(got, "meta.licenses.ne.license"); l != ccBy {
			t.Errorf("%s: licence %v", target, l)
		}
		if a := dig(got, "meta.licenses.ne.attribution"); a == "" || a == nil {
			t.Errorf("%s: nobody is named", target)
		}
		last := dig(got, "data.sources").([]any)
		if src := last[len(last)-1].(map[string]any); src["block"] != "ne" || src["dataset"] != cells.Notice.Dataset {
			t.Errorf("%s: source %v", target, src)
		}
	}
}

func TestCellMissing(t *testing.T) {
	s := withCells(t)
	for _, c := range []struct {
		name, query, want string
		store             store.Store
	}{
		{"no cells in the generation", at(1, 1), notPublished, world(t)},
		{"a KG that is not built", at(4, -2.5), "the cells here are not built yet", s},
		{"outside", "lon=9.53&lat=47.14", outsideAustria, s},
		{"unreadable", at(1, 1), cannotBeRead, broken{s, ".ne"}},
		{"lost", at(1, 1), lostOrDamaged, without(t, withCells(t), "national/cells-")},
	} {
		w := get(over(t, c.store), "/api/v1/context?include=ne&"+c.query)
		if got := dig(read(t, w), "data.missing.ne"); w.Code != 200 || got != c.want {
			t.Errorf("%s: want %q, got %d %v", c.name, c.want, w.Code, got)
		}
		if kept := w.Header().Get("Cache-Control") != "no-store"; kept != (c.want != cannotBeRead && c.want != lostOrDamaged) {
			t.Errorf("%s: Cache-Control %s", c.name, w.Header().Get("Cache-Control"))
		}
	}
}

// Each point of a batch has the cell that it has alone; a table has its shares in one column.
func TestCellsOfABatch(t *testing.T) {
	h := over(t, withCells(t))
	in := `{"points":[{"id":"a",` + point(1, 1) + `},{"id":"b",` + point(5, -2) + `},{"id":"c",` + point(4, -2.5) + `}]}`
	got := read(t, fixture.Ask(h, "POST", "/api/v1/context?include=ne", in))
	for i, q := range []string{at(1, 1), at(5, -2), at(4, -2.5)} {
		one := ask(t, h, "context?include=ne&"+q, 200)
		a, _ := json.Marshal(dig(one, "data.ne"))
		b, _ := json.Marshal(dig(got, "data."+string(rune('0'+i))+".ne"))
		if string(a) != string(b) {
			t.Errorf("point %d: %s, alone %s", i, b, a)
		}
	}
	w := fixture.Ask(h, "POST", "/api/v1/context?include=ne&format=csv", in)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.Body.String(), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatal(err, rows)
	}
	value := func(row int, column string) string {
		if i := slices.Index(rows[0], column); i >= 0 {
			return rows[row][i]
		}
		t.Fatalf("no column %s in %v", column, rows[0])
		return ""
	}
	if n := len(strings.Fields(value(1, "ne.lu.lu"))); n != 9 {
		t.Errorf("%d shares: %q", n, value(1, "ne.lu.lu"))
	}
	if value(1, "ne.cell") != dig(got, "data.0.ne.cell") || value(3, "ne.cell") != "" ||
		!strings.Contains(value(3, "missing"), "ne: the cells here are not built yet") {
		t.Errorf("rows: %q", rows)
	}
}

// A request that ends in the middle of a batch ends the batch.
func TestBatchEnds(t *testing.T) {
	h := over(t, withCells(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/api/v1/context?include=ne", strings.NewReader(`{"points":[{`+point(1, 1)+`}]}`)).WithContext(ctx)
	h.ServeHTTP(w, r)
	if w.Code == 200 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// A site at a point of which only the size is given takes the land use of the cell, and says so; where no cell is built its
// class is assumed.
func TestPriceByTheCell(t *testing.T) {
	for _, c := range []struct {
		name, basis, warning string
		cells                bool
	}{{"with cells", "cell", "class by the cell", true}, {"without cells", "assumed", "class assumed", false}} {
		s := world(t)
		if c.cells {
			s = withCells(t)
		}
		h := over(t, s)
		for path, estimate := range map[string]string{"land_prices/point": "data.estimate", "context": "data.land_price"} {
			got := ask(t, h, path+"?area_sqm=800&"+at(1, 1), 200)
			if b := dig(got, estimate+".class_basis"); b != c.basis {
				t.Errorf("%s, %s: class_basis %v, want %s", c.name, path, b, c.basis)
			}
			if warned, _ := json.Marshal(dig(got, "meta.warnings")); !strings.Contains(string(warned), c.warning) {
				t.Errorf("%s, %s: meta.warnings %s", c.name, path, warned)
			}
			if a, _ := dig(got, estimate+".alternatives").([]any); len(a) != 5 {
				t.Errorf("%s, %s: alternatives %v", c.name, path, a)
			}
			said := ask(t, h, path+"?area_sqm=800&landuse_codes=48&"+at(1, 1), 200)
			if dig(said, estimate+".class_basis") != "symbols" || dig(said, "meta.warnings") != nil {
				t.Errorf("%s, %s with a use: %v", c.name, path, said)
			}
			if w := ask(t, h, path+"?area_sqm=800&footprint_area_sqm=900&"+at(1, 1), 400); w == nil {
				t.Errorf("%s, %s: more built area than area is taken", c.name, path)
			}
		}
		ask(t, h, "land_prices/predict?gemeinde_code=59999&area_sqm=800", 400)
	}
}

// without is a store that lost the objects whose keys hold a text.
func without(t *testing.T, s store.Store, part string) store.Store {
	t.Helper()
	lost := 0
	for info, err := range s.List(t.Context(), "") {
		if err == nil && strings.Contains(info.Key, part) {
			err = s.Delete(t.Context(), info.Key)
			lost++
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if lost == 0 {
		t.Fatalf("no key holds %s", part)
	}
	return s
}
