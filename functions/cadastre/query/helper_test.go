package query

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/gpkg"
)

// epoch is the time in tests.
var epoch = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// published is a store with these KGs.
func published(t testing.TB, list []*kgfile.Snapshot, cold ...austria.KGCode) store.Store {
	t.Helper()
	s := mem.New()
	if err := fixture.Publish(s, list, cold...); err != nil {
		t.Fatal(err)
	}
	return s
}

// serve is the family over a store, with a clock that stands still.
func serve(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return serveFrom(t, lib)
}

func serveFrom(t testing.TB, lib *library.Library) http.Handler {
	t.Helper()
	h, err := New(Deps{Library: lib, Now: func() time.Time { return epoch }, GeoPackage: gpkg.Form{Time: epoch}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// answer is the body of /query.
type answer struct {
	Data  []map[string]any
	Meta  map[string]any
	Stats struct {
		Matching  *int     `json:"matching_parcels"`
		Total     *float64 `json:"total_area_sqm"`
		Avg       *float64 `json:"avg_area_sqm"`
		Least     *float64 `json:"min_area_sqm"`
		Greatest  *float64 `json:"max_area_sqm"`
		Buildings *int     `json:"total_buildings"`
		Uses      []struct {
			Code    int
			Parcels int
			Area    *float64 `json:"area_sqm"`
		} `json:"landuse_breakdown"`
		Skipped bool
		Reason  string `json:"skipped_reason"`
	}
}

func ask(t testing.TB, h http.Handler, target string) answer {
	t.Helper()
	w := fixture.Ask(h, "GET", target, "")
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %v %s", target, w.Code, err, w.Body)
	}
	return a
}

func (a *answer) ids() []string {
	ids := []string{}
	for _, r := range a.Data {
		ids = append(ids, r["parcel_id"].(string))
	}
	return ids
}

func (a *answer) total() int { return int(a.Meta["total"].(float64)) }
