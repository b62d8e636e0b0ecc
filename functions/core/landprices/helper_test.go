package landprices

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/web/gpkg"
)

// serve is the family over the made-up world with its prices.
func serve(t testing.TB) http.Handler {
	t.Helper()
	s := fixture.Store(t)
	if err := fixture.AddPrices(s, fixture.Snapshots(), fixture.PriceRows()); err != nil {
		t.Fatal(err)
	}
	return serveStore(t, s)
}

func serveStore(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := fixture.Library(t, s)
	return fixture.Handler(t, New(Deps{Library: lib, Version: "test", GeoPackage: gpkg.Form{Time: fixture.Noon}, Now: fixture.Now}))
}

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, "GET", "/api/v1/land_prices"+target, "", header...)
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
