package server

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestVerboseLogsEveryRequest(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l, ok := w.(*line); ok { // not where nothing is logged
			l.Served("GET /a/{id}", "g1")
		}
		w.Write([]byte("1234"))
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Errorf("want the server's flush within reach, got %v", err)
		}
		if r.URL.Path == "/a/cut" {
			panic(http.ErrAbortHandler)
		}
	})
	for path, want := range map[string]string{
		"/a/1%0Alevel=ERROR": `method=GET path="/a/1\nlevel=ERROR" route="GET /a/{id}" status=200 bytes=4`,
		"/a/cut":             `path=/a/cut route="GET /a/{id}" status=200 bytes=4`,
	} {
		var out bytes.Buffer
		func() {
			defer func() { recover() }()
			logged(slog.New(slog.NewTextHandler(&out, nil)), h).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
		}()
		if got := out.String(); !strings.Contains(got, want) || !strings.Contains(got, "generation=g1") || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: want one line with %s, got %s", path, want, got)
		}
	}
	var out bytes.Buffer
	quiet := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn}))
	logged(quiet, h).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/a/1", nil))
	if out.Len() > 0 {
		t.Errorf("want silence, got %s", &out)
	}
}
