package spatial

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/web/gpkg"
)

// serve makes the family over a store, with a clock that stands still.
func serve(t testing.TB, s store.Store, o library.Options) http.Handler {
	t.Helper()
	lib, err := library.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(testDeps(lib)))
}

func testDeps(lib *library.Library) Deps {
	return Deps{Library: lib, Version: "test", Now: fixture.Now, GeoPackage: gpkg.Form{Time: fixture.Noon}}
}

// pauseFunc is a Pause that lets no time pass.
func pauseFunc(f func() error) func(context.Context, time.Duration) error {
	return func(context.Context, time.Duration) error { return f() }
}

func world(t testing.TB) http.Handler {
	t.Helper()
	s := fixture.Store(t)
	return serve(t, s, library.Options{})
}

// worldView is the world's store and a view of its generation, for what no endpoint shows.
func worldView(t testing.TB) (store.Store, *view.View) {
	t.Helper()
	s := fixture.Store(t)
	generation := fixture.View(t, s)
	return s, view.At(t.Context(), generation)
}

// call sends a request: a method and path with query, and a body for POST.
func call(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, method, target, body, header...)
}

// list is the envelope of a list answer.
type list struct {
	Data []map[string]any
	Meta map[string]any
}

func getList(t *testing.T, h http.Handler, target string) list {
	t.Helper()
	return readList(t, call(h, "GET", target, ""))
}

func readList(t *testing.T, w *httptest.ResponseRecorder) list {
	t.Helper()
	var l list
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return l
}

// ids draws one field of all rows together.
func (l list) ids(field string) string {
	var s []string
	for _, r := range l.Data {
		v, _ := r[field].(string)
		s = append(s, v)
	}
	return strings.Join(s, " ")
}

func (l list) total() int {
	n, _ := l.Meta["total"].(float64)
	return int(n)
}

// cells writes a box in cells of the world as the four parameters.
func cells(x0, y0, x1, y1 float64) string {
	a, b := fixture.At(x0, y0), fixture.At(x1, y1)
	q, _ := json.Marshal([]float64{a.Lon(), a.Lat(), b.Lon(), b.Lat()})
	v := strings.Split(strings.Trim(string(q), "[]"), ",")
	return "west=" + v[0] + "&south=" + v[1] + "&east=" + v[2] + "&north=" + v[3]
}
