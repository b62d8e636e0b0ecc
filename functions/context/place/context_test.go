package place

import (
	"context"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/cloud/store"
)

func TestContextGolden(t *testing.T) {
	got := get(over(t, world(t)), "/api/v1/context?pretty=1&area_sqm=800&building_count=1&kg=88801&"+at(1.2, 1.2))
	golden.Check(t, "context.json", got.Body.Bytes())
	if l := got.Header().Get("Link"); !strings.Contains(l, `rel="license"`) {
		t.Errorf("Link: got %q", l)
	}
}

// keys are the names of the members of an object, sorted.
func keys(v any) string {
	m, _ := v.(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(m)), " ")
}

func TestContextBlocks(t *testing.T) {
	h := over(t, world(t))
	for _, c := range []struct{ query, data, missing string }{
		{at(1, 1), "lat lon missing municipality natura2000 osm protected_area sources toponyms", "land_price ne"},
		{at(1, 1) + "&area_sqm=800", "land_price lat lon missing municipality natura2000 osm protected_area sources toponyms", "ne"},
		{at(1, 1) + "&include=municipality", "lat lon missing municipality sources", ""},
		{at(1, 1) + "&include=legal", "lat lon missing sources", "legal"},
		{at(1, 1) + "&include=legal&kg=88801", "lat legal lon missing sources", ""},
		{at(1, 1) + "&include=legal&kg=99999", "lat lon missing sources", "legal"},
		{at(1, 1) + "&include=land_price", "lat lon missing sources", "land_price"},
		{at(15, 15) + "&area_sqm=800", "lat lon missing sources",
			"land_price legal municipality natura2000 ne osm protected_area toponyms"},
		{"lon=0&lat=0", "lat lon missing sources", "land_price legal municipality natura2000 ne osm protected_area toponyms"},
	} {
		data := ask(t, h, "context?"+c.query, 200)["data"].(map[string]any)
		if got := keys(data); got != c.data {
			t.Errorf("%s: want the members %s, got %s", c.query, c.data, got)
		}
		if got := keys(data["missing"]); got != c.missing {
			t.Errorf("%s: want missing %s, got %s", c.query, c.missing, got)
		}
	}
	outside := dig(ask(t, h, "context?lon=9.53&lat=47.14", 200), "data.missing.osm") // Liechtenstein
	if outside != outsideAustria {
		t.Errorf("want the reason, got %v", outside)
	}
	// No answer to a point says in which KG it lies; names say in which they lie themselves.
	body := get(h, "/api/v1/context?area_sqm=100&include=municipality,land_price,natura2000,protected_area,osm,legal,ne&"+at(1,
		1)).Body.String()
	if strings.Contains(body, "kg_code") || strings.Contains(body, "88801") {
		t.Errorf("a point was resolved to a KG: %s", body)
	}
}

// A store that fails in the middle costs the block that it fails for, and the answer is not kept.
func TestContextWithoutADataset(t *testing.T) {
	s := world(t)
	for _, c := range []struct{ artefact, missing string }{
		{"prices", "land_price ne"},
		{"/osm-", "ne osm"},
		{"/overlays", "land_price municipality natura2000 ne osm protected_area toponyms"},
	} {
		h := over(t, broken{s, c.artefact})
		w := get(h, "/api/v1/context?area_sqm=800&"+at(1, 1))
		data := dig(read(t, w), "data.missing")
		if got := keys(data); w.Code != 200 || got != c.missing {
			t.Errorf("without %s: want missing %s, got %d %s", c.artefact, c.missing, w.Code, got)
		}
		if cc, tag := w.Header().Get("Cache-Control"), w.Header().Get("ETag"); cc != "no-store" || tag != "" {
			t.Errorf("without %s: want an answer that is not kept, got %q %q", c.artefact, cc, tag)
		}
		if strings.Contains(w.Body.String(), "national/") {
			t.Errorf("the answer names an object: %s", w.Body)
		}
	}
	w := get(over(t, broken{s, "/overlays"}), "/api/v1/natura2000/point?"+at(1, 1))
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("an endpoint that needs the dataset: want 503 with Retry-After, got %d %v", w.Code, w.Header())
	}
	if w := get(over(t, s), "/api/v1/context?"+at(1, 1)); w.Header().Get("ETag") == "" {
		t.Error("a whole answer has no ETag")
	}
}

// broken is a store whose reads of the objects with this in their key fail.
type broken struct {
	store.Store
	part string
}

func (b broken) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if strings.Contains(key, b.part) {
		return nil, fixture.ErrDisk
	}
	return b.Store.Get(ctx, key, o)
}

func read(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err, w.Body)
	}
	return body
}
