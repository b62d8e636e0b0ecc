package worldtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/shared/cloud/store"
)

// Noon is the instant at which the clocks of tests stand.
var Noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// Now is a clock that stands still.
func Now() time.Time { return Noon }

// Store is the world published, with 88803 cold.
func Store(t testing.TB) store.Store {
	t.Helper()
	s, err := World()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Library opens a store with the default options.
func Library(t testing.TB, s store.Store) *library.Library {
	t.Helper()
	lib, err := Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// View is the generation that a store serves.
func View(t testing.TB, s store.Store) *library.View {
	t.Helper()
	v, err := Library(t, s).View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Handler is the handler of a service.
func Handler(t testing.TB, service interface{ Handler() (http.Handler, error) }) http.Handler {
	t.Helper()
	h, err := service.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Decode reads a JSON answer that has to have a status.
func Decode[T any](t testing.TB, w *httptest.ResponseRecorder, status int) (v T) {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v: %.300s", err, w.Body)
	}
	return v
}
