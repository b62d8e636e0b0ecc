package workfeed

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/web/endpoint"
)

// harness is the service over a ledger of its own, mounted under /workfeed.
type harness struct {
	h     http.Handler
	log   *worklog.Log
	clock *ledgertest.Clock
	token string
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	c := ledgertest.NewClockAt(time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC))
	l := sqlitetest.Open(t, sqlite.Options{Now: c.Now})
	log := worklog.New(l, c.Now)
	_, token, err := log.AddToken(context.Background(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Log: log, Now: c.Now}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return &harness{endpoint.Mount("/workfeed", h), log, c, token}
}

// do sends a request; headers are name, value pairs.
func (r *harness) do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, "/workfeed"+path, strings.NewReader(body))
	if method == "POST" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	r.h.ServeHTTP(w, req)
	return w
}

// post records a completion and gives its entry.
func (r *harness) post(t testing.TB, body string) entryBody {
	t.Helper()
	w := r.do("POST", "/work/complete", body)
	if w.Code != 201 {
		t.Fatalf("POST %s: want 201, got %d %s", body, w.Code, w.Body)
	}
	return read[entryBody](t, w)
}

func (r *harness) get(t testing.TB, path string) feedBody {
	t.Helper()
	w := r.do("GET", path, "")
	if w.Code != 200 {
		t.Fatalf("GET %s: want 200, got %d %s", path, w.Code, w.Body)
	}
	b := read[feedBody](t, w)
	if b.Count != len(b.Entries) {
		t.Errorf("GET %s: count %d of %d entries", path, b.Count, len(b.Entries))
	}
	return b
}

func read[T any](t testing.TB, w *httptest.ResponseRecorder) (v T) {
	t.Helper()
	b, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}

func titles(b feedBody) string {
	var all []string
	for _, e := range b.Entries {
		all = append(all, e.TaskID)
	}
	return strings.Join(all, " ")
}
