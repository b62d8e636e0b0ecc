package e2e

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/builders/processing"
	"mappe/functions/cadastre/export"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
)

// exportQueue takes exports as jobs; nobody does them.
func exportQueue(t *testing.T, lib *library.Library, st store.Store, l ledger.Ledger) *jobs.Queue {
	t.Helper()
	q, err := (&export.Works{Library: lib, Store: st, Log: slog.New(slog.DiscardHandler)}).NewQueue(l)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// processingQueue takes the work on KGs; nobody does it.
func processingQueue(t *testing.T, st store.Store) (*jobs.Queue, ledger.Ledger) {
	t.Helper()
	l := acts.Ledger(sqlitetest.Open(t, sqlite.Options{}))
	q, err := (&processing.Worker{Store: st, Log: slog.New(slog.DiscardHandler)}).NewQueue(l)
	if err != nil {
		t.Fatal(err)
	}
	return q, l
}

// jobExample is the example of a job's endpoint with the id of a job that there is: ask orders one.
func jobExample(t *testing.T, example string, ask func(path string) []byte) string {
	t.Helper()
	var a struct {
		JobID string `json:"job_id"`
	}
	body := ask("/api/v1/export/geojson?kg=99101&job=1")
	if err := json.Unmarshal(body, &a); err != nil || a.JobID == "" {
		t.Fatalf("no job: %v %.300s", err, body)
	}
	return example[:strings.LastIndexByte(example, '/')+1] + a.JobID
}

// exportJob orders an export of some KGs from a running server, follows its status and fetches the file.
func exportJob(t *testing.T, base, kgs string) {
	t.Helper()
	client := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	ask := func(path string) (*http.Response, []byte) {
		r, err := client.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r, body
	}
	target := "/cadastre/api/v1/export/gpkg?job=1&kg=" + kgs
	r, body := ask(target)
	for deadline := time.Now().Add(time.Minute); r.StatusCode != http.StatusSeeOther; time.Sleep(100 * time.Millisecond) {
		var a struct {
			StatusURL string `json:"status_url"`
			Status    string
		}
		if err := json.Unmarshal(body, &a); err != nil || r.StatusCode/100 != 2 || a.Status == "failed" || time.Now().After(deadline) {
			t.Fatalf("the export is not written: %d %s", r.StatusCode, body)
		}
		at := target
		if a.StatusURL != "" {
			at = a.StatusURL
		}
		r, body = ask(at)
	}
	file, content := ask(r.Header.Get("Location"))
	if file.StatusCode != 200 || !strings.HasPrefix(string(content), "SQLite format 3") ||
		file.Header.Get("Content-Type") != "application/geopackage+sqlite3" ||
		file.Header.Get("Content-Disposition") != "attachment" {
		t.Errorf("%s: %d %v", r.Header.Get("Location"), file.StatusCode, file.Header)
	}
	if again, _ := ask(target); again.StatusCode != http.StatusSeeOther {
		t.Errorf("the same request again: %d", again.StatusCode)
	}
}
