package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
)

// away is a research repository that gives no answer.
type away struct{}

func (away) Reachable(context.Context) bool { return false }

func healthy(t *testing.T, c Config) (healthBody, int) {
	t.Helper()
	w := httptest.NewRecorder()
	h, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	var b healthBody
	if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%v %v %s", err, w.Header(), w.Body)
	}
	return b, w.Code
}

// The health knows the data, the disks, the archive and the queue; what needs an operator is said in words.
func TestHealth(t *testing.T) {
	dir := t.TempDir()
	b, status := healthy(t, Config{Store: fixture.Store(t), Disks: []Disk{{"data", dir}}})
	if status != 200 || b.Status != "ok" || b.Generation == "" || b.AgeDays == nil || len(b.Disks) != 1 || b.Disks[0].FreeBytes == 0 ||
		!b.Disks[0].Writable {
		t.Errorf("a healthy server: %d %+v", status, b)
	}
	b, status = healthy(t, Config{Store: fixture.Store(t), Disks: []Disk{{"data", filepath.Join(dir, "gone")}}, Mirror: away{}})
	said := strings.Join(b.Reasons, "; ")
	if status != 200 || b.Status != "degraded" || !strings.Contains(said, "directory of the data cannot be written") ||
		!strings.Contains(said, "research repository") || strings.Contains(said, dir) {
		t.Errorf("a disk that is gone and a repository that is away: %d %+v", status, b)
	}
}

// unreadable is a store whose pointer cannot be read after the server began.
type unreadable struct {
	store.Store
	on bool
}

func (s *unreadable) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if s.on {
		return nil, errors.New("input/output error")
	}
	return s.Store.Get(ctx, key, opt)
}

func TestHealthOfAStoreThatGivesNoAnswer(t *testing.T) {
	s := &unreadable{Store: fixture.Store(t)}
	h, err := New(t.Context(), Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	s.on = true
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"unreadable"`) || strings.Contains(w.Body.String(), "input/output") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// sample is a line of the Prometheus text format, version 0.0.4.
var sample = regexp.MustCompile(
	`^[a-zA-Z_:][a-zA-Z0-9_:]*(\{[a-zA-Z_][a-zA-Z0-9_]*="[^"\\\n]*"(,[a-zA-Z_][a-zA-Z0-9_]*="[^"\\\n]*")*\})? (-?[0-9.]+(e[-+][0-9]+)?|\+Inf|NaN)$`)

// The metrics count requests by service and status, panics apart, and are in the form that collectors read.
func TestMetrics(t *testing.T) {
	var log bytes.Buffer
	h, err := New(t.Context(), Config{Store: fixture.Store(t), Disks: []Disk{{"data", os.TempDir()}},
		Log: slog.New(slog.NewTextHandler(&log, nil)),
		Functions: map[string]http.Handler{"/books": http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		})}})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/cadastre/api/v1/stats", "/cadastre/api/v1/stats", "/cadastre/api/v1/none", "/healthz"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	body := w.Body.String()
	for _, want := range []string{
		`mappe_request_duration_seconds_count{service="cadastre",status="200"} 2`,
		`mappe_request_duration_seconds_count{service="cadastre",status="404"} 1`,
		`mappe_request_duration_seconds_bucket{service="cadastre",status="200",le="+Inf"} 2`, `mappe_panics_total 0`,
		`mappe_disk_free_bytes{of="data"} `, "mappe_data_age_days ", "mappe_kgs ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	typed := map[string]bool{}
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, _, _ = strings.Cut(name, " ")
			if typed[name] {
				t.Errorf("%s is declared twice", name)
			}
			typed[name] = true
		} else if !strings.HasPrefix(line, "# HELP ") && !sample.MatchString(line) {
			t.Errorf("no line of the format: %s", line)
		}
	}
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("type %s", w.Header().Get("Content-Type"))
	}
}

// A panic is counted by its line in the log.
func TestPanicsAreCounted(t *testing.T) {
	m := &metrics{}
	log := slog.New(counting{slog.DiscardHandler, m})
	log.Error("panic", "path", "/x")
	log.Error("request failed")
	log.Info("panic")
	if got := fmt.Sprint(m.panics, m.failures); got != "1 1" {
		t.Errorf("want one panic and one error, got %s", got)
	}
}
