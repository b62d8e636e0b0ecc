package e2e

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	bookservice "mappe/functions/books"
	"mappe/functions/cadastre/export"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/functions/landscape/analysis"
	"mappe/infra/rights"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/stack"
	"mappe/shared/cloud/warmup"
)

// died is why rights stay that only what a worker has left needs; its tests kill it at each of its writes.
const died = "what a worker that died has left, and questions that are too large for a record: functions/landscape/results has tests of both"

// shared is why rights stay that one statement gives to all that reads artefacts; TestFamiliesReadWhatTheyNeed holds it.
const shared = "one statement has the artefacts of all readers: needed where another generation is read than the served one, or a snapshot is lost"

// inFiles is why rights stay that questions need which go into the files of KGs.
const inFiles = "questions of the index go into the files of KGs where they choose so: the examples find all in the index"

// workers are the functions that do jobs, by their programs, with the rights that none of their jobs here uses and the reason.
var workers = map[string]map[rights.Right]string{
	export.Family.Needs.Worker: {
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/availability.json"}: shared,
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/manifests/*"}:       shared,
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/national/*"}:        shared,
	},
	analysis.Family.Needs.Worker: {
		{Action: "dynamodb:*", Resource: "ledger task/*"}:                                      "one statement has the records of those who ask and of the one who answers",
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/availability.json"}:    shared,
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/requests/failed.json"}: shared,
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/manifests/*"}:          shared,
		{Action: "s3:ListBucket", Resource: artefactBucket}:                                    shared,
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/kg/*"}:                 inFiles,
		{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/landscape/*"}:          inFiles,
		{Action: "s3:DeleteObject", Resource: artefactBucket + "/shares/auto/*"}:               died,
		{Action: "s3:DeleteObject", Resource: artefactBucket + "/shares/jobs/*"}:               died,
		{Action: "s3:GetObject", Resource: artefactBucket + "/shares/*"}:                       died,
	},
	bookservice.Family.Needs.Worker: {
		{Action: "s3:ListBucket", Resource: "${BooksBucket.Arn}"}: "by it S3 says that an object is missing: here none is",
	},
}

// TestRightsOfTheWorkers: what does the jobs of the examples, asks what may be asked in the background there, and makes exports, may do
// exactly what it does.
func TestRightsOfTheWorkers(t *testing.T) {
	for _, d := range contract(t) { // books are made while the examples are asked
		d.ask(t, nil)
		if slices.ContainsFunc(d.op.Parameters, func(p parameter) bool { return p.Name == "async" }) {
			d.answered(t)
		}
	}
	exportsMade(t)
	file := filepath.Join("..", "..", "template.yaml")
	declared, err := stack.Load(file, stack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for program, spared := range workers {
		i := slices.IndexFunc(declared.Functions, func(f stack.Function) bool {
			return strings.HasSuffix(filepath.ToSlash(f.Main), "/"+program)
		})
		if i < 0 {
			t.Fatalf("no function runs %s", program)
		}
		g, err := rights.Load(file, declared.Functions[i].Name)
		if err != nil {
			t.Fatal(err)
		}
		heldBy(t, g, program, spared)
	}
}

// heldBy compares a worker's rights with what it did.
func heldBy(t *testing.T, g *rights.Granted, program string, spared map[rights.Right]string) {
	t.Helper()
	done := acts.Done(program)
	if program != bookservice.Family.Needs.Worker { // its library is opened as all are
		done = append(done, acts.Done(opening)...)
	}
	for _, d := range done {
		d.Resource = strings.Replace(d.Resource, "/artefacts/refused/", "/artefacts/kg/", 1) // as in didOf
		if !g.Use(d) {
			t.Errorf("%s: has no right to %s %s", g.Function, d.Action, d.Resource)
		}
	}
	used := map[rights.Right]bool{}
	for r, is := range g.Rights() {
		used[matter(r)] = used[matter(r)] || is
	}
	for r, is := range used {
		if is == (spared[r] != "") {
			t.Errorf("%s: the right to %s %s is used: %v, and the reason why it stays: %q", g.Function, r.Action, r.Resource, is,
				spared[r])
		}
	}
	for r := range spared {
		if _, ok := used[r]; !ok {
			t.Errorf("%s has no right to %s %s, whose reason is given", g.Function, r.Action, r.Resource)
		}
	}
}

// answered asks the example in the background and waits for the answer.
func (d described) answered(t *testing.T) {
	t.Helper()
	w := d.ask(t, map[string]string{"async": "true"})
	at := w.Header().Get("Location")
	if w.Code != 202 || at == "" {
		t.Errorf("%s in the background: %d %.200s", d.name(), w.Code, w.Body)
		return
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, httptest.NewRequest("GET", at, nil))
		if w.Code == 200 {
			return
		}
		if w.Code != 202 || time.Now().After(deadline) {
			t.Errorf("%s in the background: %s is %d %.200s", d.name(), at, w.Code, w.Body)
			return
		}
	}
}

// exportsMade has exports made by a worker of its own, as its function is opened: of a KG that is there, of one that has left the store,
// which is waited for in vain, and those that nobody does.
func exportsMade(t *testing.T) {
	t.Helper()
	ctx := rights.As(t.Context(), export.Family.Needs.Worker)
	st, l := country(t, exampleParcel(t)), sqlitetest.Open(t, sqlite.Options{})
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := exportQueue(t, lib, st, l)
	h, err := export.New(export.Deps{Deps: core.Deps{Library: lib, Version: "test"}, Queue: q}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"geojson", "gpkg", "flatgeobuf"} {
		j := ordered(t, h, "/api/v1/export/"+form+"?job=1&kg=99101")
		if form == "gpkg" {
			for info, err := range st.List(t.Context(), "refused/99101/") {
				if err == nil {
					err = st.Delete(t.Context(), info.Key)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		seen := acts.Store(st, artefactBucket, "artefacts/")
		log := slog.New(slog.DiscardHandler)
		cold, err := library.Open(ctx, seen, library.Options{Warmup: warmup.NewQueue(ctx, seen, log).Ask})
		if err != nil {
			t.Fatal(err)
		}
		works := export.Works{Library: cold, Store: seen, Log: log, Pause: func(ctx context.Context, _ time.Duration) error {
			return ctx.Err()
		}}
		mine, err := works.NewQueue(acts.Ledger(l))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []jobs.Event{{Job: j}, {}} {
			if err := mine.Handler(log)(ctx, e); err != nil {
				t.Error(err)
			}
		}
		if got, err := q.Get(t.Context(), j); err != nil || got.State != jobs.Done {
			t.Errorf("the export as %s is %s, %v", form, got.State, err)
		}
	}
}

// ordered is the job that a request is answered with.
func ordered(t *testing.T, h http.Handler, target string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return fixture.Decode[struct {
		JobID string `json:"job_id"`
	}](t, w, 202).JobID
}
