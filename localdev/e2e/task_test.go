package e2e

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/families"
	"mappe/functions/landscape/analysis"
	landscans "mappe/functions/landscape/scans"
	landtable "mappe/functions/landscape/table"
	"mappe/infra/rights"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
)

// taskDesk takes questions of the landscape, which are answered in goroutines of the test.
func taskDesk(t *testing.T, lib *library.Library) *tasks.Desk {
	t.Helper()
	p := tasks.Place{Ledger: acts.Ledger(sqlitetest.Open(t, sqlite.Options{})), Files: acts.Store(mem.New(), artefactBucket, "shares/")}
	works := tasks.Works{Place: p, Runners: landtable.Tasks(landtable.Deps{Library: lib}), Pin: generation.Pin(lib),
		Repin:  generation.Repin(lib),
		Notice: landscans.Notice, Log: slog.New(slog.DiscardHandler)}
	q, err := works.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	pool := &jobs.Pool{Queue: q, Workers: 1, Poll: 20 * time.Millisecond}
	pool.Start(rights.As(t.Context(), analysis.Family.Needs.Worker))
	t.Cleanup(func() { pool.Stop(t.Context()) })
	return &tasks.Desk{Queue: q, Place: p}
}

// exampleTask has the tasks done that examples speak of: of progress, results and shares it is the example of /terrain,
// asked in the background, of one-stop the one that its example begins.
func exampleTask(t *testing.T, ask func(method, path, body string) (status int, answer []byte)) {
	t.Helper()
	var terrain, progress, oneStop endpoint.Endpoint
	for _, s := range families.All(families.Deps{}) {
		for _, e := range s.Endpoints() {
			switch {
			case s.Prefix == "/landscape" && e.ID == "terrain":
				terrain = e
			case s.Prefix == "/landscape" && e.ID == "segment_progress":
				progress = e
			case s.Prefix == "/landscape" && e.ID == "onestop":
				oneStop = e
			}
		}
	}
	_, id, ok := strings.Cut(progress.Example, "?")
	if !ok {
		t.Fatal("the example of progress names no task")
	}
	path := "/landscape" + terrain.Example + "?async=true&listed=true&" + id
	if status, answer := ask("POST", path, terrain.ExampleBody); status != 202 {
		t.Fatalf("POST %s: %d %s", path, status, answer)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		status, answer := ask("GET", "/landscape"+oneStop.Example, "")
		if status == 200 {
			break
		}
		if status != 202 || time.Now().After(deadline) {
			t.Fatalf("GET %s: %d %s", oneStop.Example, status, answer)
		}
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		status, answer := ask("GET", "/landscape"+progress.Example, "")
		var s tasks.State
		if err := json.Unmarshal(answer, &s); err != nil || s.Done {
			if s.Status != tasks.Done || status != 200 {
				t.Fatalf("%d %s %v", status, answer, err)
			}
			return
		}
		if time.Now().After(deadline) || !s.Active {
			t.Fatalf("the task is not done: %d %s", status, answer)
		}
	}
}
