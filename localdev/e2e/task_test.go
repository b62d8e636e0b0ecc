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

// taskExample is the example of /terrain, asked in the background as the task of which the example of progress speaks, and that
// example.
func taskExample(t *testing.T) (terrain Exchange, progress string) {
	t.Helper()
	asked, told := landscapeEndpoint(t, "terrain"), landscapeEndpoint(t, "segment_progress")
	_, id, ok := strings.Cut(told.Example, "?")
	if !ok {
		t.Fatal("the example of progress names no task")
	}
	return Exchange{Method: "POST", Path: "/landscape" + asked.Example + "?async=true&listed=true&" + id, Body: []byte(asked.ExampleBody)},
		"/landscape" + told.Example
}

func landscapeEndpoint(t *testing.T, id string) endpoint.Endpoint {
	t.Helper()
	for _, s := range families.All(families.Deps{}) {
		for _, e := range s.Endpoints() {
			if s.Prefix == "/landscape" && e.ID == id {
				return e
			}
		}
	}
	t.Fatalf("the landscape has no endpoint %s", id)
	return endpoint.Endpoint{}
}

// exampleTask has the tasks done that examples speak of: of progress, results and shares it is the example of /terrain,
// asked in the background, of one-stop the one that its example begins.
func exampleTask(t *testing.T, ask func(method, path, body string) (status int, answer []byte)) {
	t.Helper()
	terrain, progress := taskExample(t)
	oneStop := landscapeEndpoint(t, "onestop")
	if status, answer := ask(terrain.Method, terrain.Path, string(terrain.Body)); status != 202 {
		t.Fatalf("POST %s: %d %s", terrain.Path, status, answer)
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
		status, answer := ask("GET", progress, "")
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
