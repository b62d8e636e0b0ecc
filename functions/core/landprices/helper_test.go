package landprices

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"mappe/functions/worldtest"
	"mappe/shared/cloud/store"
	"mappe/shared/web/gpkg"
)

// serve is the family over the made-up world with its prices.
func serve(t testing.TB) http.Handler {
	t.Helper()
	s := worldtest.Store(t)
	if err := worldtest.AddPrices(s, worldtest.Snapshots(), worldtest.PriceRows()); err != nil {
		t.Fatal(err)
	}
	return serveStore(t, s)
}

func serveStore(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := worldtest.Library(t, s)
	return worldtest.Handler(t, New(Deps{Library: lib, Version: "test", GeoPackage: gpkg.Form{Time: worldtest.Noon}, Now: worldtest.Now}))
}

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	return worldtest.Ask(h, "GET", "/api/v1/land_prices"+target, "", header...)
}

// body is an answer of rows.
type body struct {
	Data    []map[string]any
	Meta    map[string]any
	Summary map[string]any
}

func read(t testing.TB, w *httptest.ResponseRecorder) body {
	t.Helper()
	var b body
	if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	return b
}

// first is the only row of an answer.
func first(t testing.TB, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	b := read(t, w)
	if len(b.Data) != 1 {
		t.Fatalf("want one row, got %s", w.Body)
	}
	return b.Data[0]
}
