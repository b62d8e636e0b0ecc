package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/functions/cadastre/info"
	"mappe/functions/context/contrib/observers"
	contextinfo "mappe/functions/context/info"
	"mappe/functions/feedback"
	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

// workLog is a work feed with a few entries, and a token for it.
func workLog(t *testing.T) (*worklog.Log, string) {
	t.Helper()
	ctx := context.Background()
	l := acts.Ledger(sqlitetest.Open(t, sqlite.Options{}))
	log := worklog.New(l, nil)
	for _, id := range []string{"1", "2", "3"} {
		c := worklog.Completion{TaskID: id, Board: "Atlas", Assignee: "Mira", Title: "[design] Sheet " + id, Summary: "Done.",
			CompletedAt: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}
		if _, _, err := log.Complete(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	_, token, err := log.AddToken(ctx, "contract", nil)
	if err != nil {
		t.Fatal(err)
	}
	return log, token
}

// work tells a running feed of a board twice, as an operator and a poller do it.
func work(t *testing.T, bin, base, data string) {
	t.Helper()
	board := filepath.Join(t.TempDir(), "board.json")
	const export = `{"board":"Atlas","tasks":[{"id":"A-1","title":"[design] Legend","status":"Done","assignee":"Mira","completed_at":"2025-03-01T10:00:00Z"},
		{"id":"A-2","title":"Print <sheet>","status":"Done","completed_at":"2025-03-02T10:00:00Z"},{"id":"A-3","title":"Open","status":"Doing"}]}`
	if err := os.WriteFile(board, []byte(export), 0o644); err != nil {
		t.Fatal(err)
	}
	localdev := func(token string, args ...string) string {
		c := exec.Command(bin, args...)
		c.Dir = root(t)
		c.Env = append(os.Environ(), "MAPPE_WORK_TOKEN="+token)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("localdev %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	token := localdev("", "work-token", "add", "--name", "end to end", "--board", "Atlas", "--data", data)
	for _, want := range []string{"2 recorded, 0 were there", "0 recorded, 2 were there"} {
		if got := localdev(token, "work-poll", "--board", board, "--url", base+"/workfeed"); !strings.Contains(got, want) {
			t.Errorf("want %q, got %s", want, got)
		}
		if err := os.Remove(board + ".told"); err != nil {
			t.Fatal(err)
		}
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(token, "mwf_"), "_")
	localdev("", "work-token", "revoke", id, "--data", data)
}

// reports is a ledger with one report about each service.
func reports(t *testing.T) ledger.Ledger {
	t.Helper()
	l := acts.Ledger(sqlitetest.Open(t, sqlite.Options{}))
	for _, service := range []string{info.Service, contextinfo.Service} {
		in := feedback.NewIntake(l, service, nil)
		if _, _, err := in.Add(context.Background(), feedback.Report{Title: "A report", Category: feedback.Bug,
			Severity: feedback.Low}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// observerRecords are the records of observers, and the token of the one of the examples.
func observerRecords(t *testing.T) (*observers.Records, string) {
	t.Helper()
	l := acts.Ledger(sqlitetest.Open(t, sqlite.Options{}))
	r := observers.New(l, nil)
	_, text, err := r.Grant(context.Background(), "example", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return r, text
}

// reportExample is the example of a report with the generation that is served.
func reportExample(t *testing.T, h http.Handler, prefix, kg, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", prefix+"/api/v1/ne/"+kg+"/head", nil))
	var head struct {
		Data struct{ Generation string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &head); err != nil || head.Data.Generation == "" {
		t.Fatal(w.Code, err, w.Body)
	}
	return strings.Replace(body, `"baseline":"0123456789abcdef"`, `"baseline":"`+head.Data.Generation+`"`, 1)
}
