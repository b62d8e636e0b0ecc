package archive

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/archive"
	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/warmup"
)

// mirror is a repository that answers, or does not.
type mirror struct {
	there bool
	asked int
}

func (m *mirror) Reachable(context.Context) bool { m.asked++; return m.there }

// flaky is a ledger that fails when it is told to.
type flaky struct {
	ledger.Ledger
	down atomic.Bool
}

var errLedger = errors.New("inner: table is on fire")

func (f *flaky) Get(ctx context.Context, k ledger.Key) (ledger.Record, error) {
	if f.down.Load() {
		return ledger.Record{}, errLedger
	}
	return f.Ledger.Get(ctx, k)
}

func (f *flaky) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if f.down.Load() {
		return 0, errLedger
	}
	return f.Ledger.Put(ctx, r, was)
}

type harness struct {
	http.Handler
	deps   Deps
	store  *fixture.Failing
	mem    store.Store
	ledger *flaky
	mirror *mirror
	now    time.Time
}

// newHarness serves the world; 88801's data is of an early generation. edit may change what it stands on.
func newHarness(t testing.TB, edit func(*Deps)) *harness {
	t.Helper()
	r := &harness{mem: mem.New(), mirror: &mirror{there: true}, now: time.Unix(10_000, 0)} // mem counts seconds from 1970, one a write
	snaps := fixture.Snapshots()
	for _, s := range snaps {
		if s.KG.Code == "88801" {
			s.Build.IngestGeneration = string(rowschema.BulkV7Zenodo)
		}
	}
	if err := fixture.Publish(r.mem, snaps, "88803"); err != nil {
		t.Fatal(err)
	}
	r.store = &fixture.Failing{Store: r.mem}
	r.store.Left.Store(1 << 30)
	lib, err := library.Open(t.Context(), r.store, library.Options{Now: func() time.Time { return r.now }, Warmup: func(austria.KGCode) {}})
	if err != nil {
		t.Fatal(err)
	}
	l := sqlitetest.Open(t, sqlite.Options{Now: func() time.Time { return r.now }})
	r.ledger = &flaky{Ledger: l}
	q, err := processing.NewQueue(r.ledger, processing.Options{Now: func() time.Time { return r.now }, Count: true,
		Run: map[string]func(context.Context, *jobs.Work) ([]byte, error){
			processing.Process: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
				if o, err := processing.ReadOrder(w.Job().Payload); err != nil || o.KG == "00804" {
					return nil, errors.Join(err, jobs.Fail("The source has no data of KG 00804."))
				}
				if err := w.Progress(ctx, processing.StepBuild, 0.05); err != nil {
					return nil, err
				}
				return json.Marshal(processing.Result{Generation: "g2", Snapshot: "88801-2026-10-01", Changed: true})
			},
		}})
	if err != nil {
		t.Fatal(err)
	}
	r.deps = Deps{Deps: core.Deps{Library: lib, Version: "test", Now: func() time.Time { return r.now }}, Queue: q, Ledger: r.ledger,
		Store: r.store, Mirror: r.mirror}
	if edit != nil {
		edit(&r.deps)
	}
	if r.Handler, err = New(r.deps).Handler(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *harness) ask(method, target string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(r, method, target, "", header...)
}

func (r *harness) status(t testing.TB, code string) processingStatus {
	t.Helper()
	return fixture.Decode[processingStatus](t, r.ask("GET", "/api/inspire/status/"+code), 200)
}

func (r *harness) run(t testing.TB, id string) {
	t.Helper()
	if err := r.deps.Queue.RunOne(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func TestAKGIsProcessed(t *testing.T) {
	r := newHarness(t, nil)
	if s := r.status(t, "88803"); s.Status != "unknown" || s.JobID != nil || s.Progress != 0 {
		t.Errorf("a KG that was never built: %+v", s)
	}
	if s := r.status(t, "88801"); s.Status != "done" || s.JobID != nil || s.FinishedAt == nil || *s.Snapshot != "88801-2026-10-01" {
		t.Errorf("a KG of a build of the whole country: %+v", s)
	}
	w := r.ask("POST", "/api/inspire/process/88801?max_age=0")
	p := fixture.Decode[processBody](t, w, 202)
	if p.KG != "88801" || p.Status != "queued" || p.JobID == nil || p.Reason != nil || p.StatusURL != "/api/inspire/status/88801" ||
		w.Header().Get("Location") != p.StatusURL ||
		w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Etag") != "" {
		t.Fatalf("%+v %v", p, w.Header())
	}
	if again := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88801?max_age=0"), 202); *again.JobID != *p.JobID ||
		again.Reason == nil {
		t.Errorf("the same KG again: %+v", again)
	}
	if s := r.status(t, "88801"); s.Status != "queued" || s.StartedAt != nil || *s.JobID != *p.JobID || s.Attempt != 0 {
		t.Errorf("%+v", s)
	}
	r.run(t, *p.JobID)
	if s := r.status(t, "88801"); s.Status != "done" || s.Progress != 1 || s.Step != nil || s.Changed == nil || !*s.Changed ||
		*s.Generation != "g2" || s.FinishedAt == nil {
		t.Errorf("%+v", s)
	}
}

func TestAJobThatFailsSaysWhy(t *testing.T) {
	r := newHarness(t, nil)
	p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/804?max_age=0"), 202)
	r.run(t, *p.JobID)
	if s := r.status(t, "00804"); s.Status != "failed" || *s.Error != "The source has no data of KG 00804." {
		t.Errorf("%+v", s)
	}
	if p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/804?max_age=0"), 202); p.Status != "queued" {
		t.Errorf("it may be ordered again: %+v", p)
	}
}

func TestMaxAge(t *testing.T) {
	for _, c := range []struct {
		path, status string
	}{
		{"88801", "skipped"},
		{"88801?max_age=100000", "skipped"},
		{"88801?max_age=9000", "queued"}, // its snapshot is some 9,990 s old
		{"88802?max_age=0", "queued"},
		{"88803", "queued"}, // no snapshot yet
	} {
		r := newHarness(t, nil)
		p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/"+c.path), 202)
		if p.Status != c.status || (p.JobID == nil) != (c.status == "skipped") || (p.Reason == nil) != (c.status == "queued") {
			t.Errorf("%s: %+v", c.path, p)
		}
	}
	// A snapshot that is gone from the store is no reason to skip.
	r := newHarness(t, nil)
	for info := range r.mem.List(t.Context(), "kg/88801/") {
		if err := r.mem.Delete(t.Context(), info.Key); err != nil {
			t.Fatal(err)
		}
	}
	if p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88801"), 202); p.Status != "queued" {
		t.Errorf("%+v", p)
	}
}

// A job that found nothing new counts as a processing.
func TestMaxAgeCountsFromTheLastJob(t *testing.T) {
	r := newHarness(t, nil)
	p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88802?max_age=0"), 202)
	r.run(t, *p.JobID)
	r.now = r.now.Add(time.Minute)
	if p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88802?max_age=61"), 202); p.Status != "skipped" ||
		!strings.Contains(*p.Reason, "60 seconds ago") {
		t.Errorf("%+v", p)
	}
	if p := fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88802?max_age=60"), 202); p.Status != "queued" {
		t.Errorf("%+v", p)
	}
}

// A KG that is skipped and not archived is archived, once.
func TestASkippedKGIsArchived(t *testing.T) {
	r := newHarness(t, nil)
	fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88801"), 202)
	if s := r.status(t, "88801"); s.Archive == nil || *s.Archive != "queued" {
		t.Errorf("%+v", s)
	}
	r.archived(t, archive.Line{Code: "88802", Concept: "1", Latest: "2026-10-01", Record: 2, Snapshots: 1, Bytes: 10})
	fixture.Decode[processBody](t, r.ask("POST", "/api/inspire/process/88802"), 202)
	if s := r.status(t, "88802"); s.Archive != nil {
		t.Errorf("%+v", s)
	}
}

// archived writes the list of what is archived.
func (r *harness) archived(t testing.TB, lines ...archive.Line) {
	t.Helper()
	m := archive.Manifest{Format: 1}
	for _, l := range lines {
		m, _ = m.With(l)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.mem.Put(t.Context(), keys.ArchiveManifest{}.String(), b, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Minute)
}

func TestBadRequests(t *testing.T) {
	r := newHarness(t, nil)
	for target, want := range map[string]int{
		"POST /api/inspire/process/1":                                                404,
		"POST /api/inspire/process/abc":                                              400,
		"POST /api/inspire/process/888011":                                           400,
		"POST /api/inspire/process/88801?max_age=-1":                                 400,
		"POST /api/inspire/process/88801?max_age=1e3":                                400,
		"POST /api/inspire/process/88801?max_age=":                                   400,
		"POST /api/inspire/process/88801?max_age=1&max_age=2":                        400,
		"POST /api/inspire/process/88801?maxage=1":                                   400,
		"GET /api/inspire/process/88801":                                             405,
		"GET /api/inspire/status/12345":                                              404,
		"GET /api/inspire/status/x":                                                  400,
		"GET /api/inspire/list?limit=1001":                                           400,
		"GET /api/inspire/list?offset=-1":                                            400,
		"POST /api/v1/buildings/repair?kg=88801,1":                                   404,
		"POST /api/v1/buildings/repair?kg=zzz":                                       400,
		"POST /api/v1/buildings/repair?kg=" + strings.Repeat("88801,", 20) + "88802": 413,
		"POST /api/v1/prewarm":                                                       400,
		"POST /api/v1/prewarm?kg=1":                                                  404,
	} {
		method, path, _ := strings.Cut(target, " ")
		w := r.ask(method, path)
		if w.Code != want || !strings.Contains(w.Body.String(), `"status":`) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

func TestTheList(t *testing.T) {
	r := newHarness(t, nil)
	type list struct {
		Data []struct {
			KG          string `json:"kg_code"`
			Latest      string
			Snapshots   int
			ProcessedAt time.Time `json:"processed_at"`
		}
		Meta struct{ Total int }
	}
	w := r.ask("GET", "/api/inspire/list")
	l := fixture.Decode[list](t, w, 200)
	if len(l.Data) != 3 || l.Meta.Total != 3 || l.Data[0].KG != "00804" || l.Data[2].KG != "88802" || l.Data[0].Latest != "2026-10-01" ||
		l.Data[0].Snapshots != 1 || l.Data[0].ProcessedAt.IsZero() {
		t.Errorf("%+v", l)
	}
	if got := r.ask("GET", "/api/inspire/list", "If-None-Match", w.Header().Get("Etag")).Code; got != 304 {
		t.Errorf("conditional: %d", got)
	}
	if l := fixture.Decode[list](t, r.ask("GET", "/api/inspire/list?limit=1&offset=1"), 200); len(l.Data) != 1 ||
		l.Data[0].KG != "88801" || l.Meta.Total != 3 {
		t.Errorf("%+v", l)
	}
	if l := fixture.Decode[list](t, r.ask("GET", "/api/inspire/list?offset=9"), 200); len(l.Data) != 0 || l.Meta.Total != 3 {
		t.Errorf("%+v", l)
	}
}

func TestArchiveStatus(t *testing.T) {
	r := newHarness(t, nil)
	s := fixture.Decode[archiveStatus](t, r.ask("GET", "/api/archive/status"), 200)
	if !s.Mirror.Configured || !s.Mirror.Reachable || s.Mirror.LastSync != nil || s.KGs != 0 ||
		s.ManifestURL != "/artefacts/archive/manifest.json" {
		t.Errorf("%+v", s)
	}
	r.ask("GET", "/api/archive/status")
	if r.mirror.asked != 1 {
		t.Errorf("the repository was asked %d times within a minute", r.mirror.asked)
	}
	r.mirror.there = false
	r.archived(t, archive.Line{Code: "88801", Concept: "1", Latest: "2026-10-01", Record: 2, Snapshots: 3, Bytes: 10},
		archive.Line{Code: "88802", Concept: "4", Latest: "2026-10-01", Record: 5, Snapshots: 1, Bytes: 7})
	s = fixture.Decode[archiveStatus](t, r.ask("GET", "/api/archive/status"), 200)
	if s.Mirror.Reachable || s.Mirror.LastSync == nil || s.KGs != 2 || s.Snapshots != 4 || s.Bytes != 17 {
		t.Errorf("%+v", s)
	}
	r = newHarness(t, func(d *Deps) { d.Mirror = nil })
	if s := fixture.Decode[archiveStatus](t, r.ask("GET", "/api/archive/status"), 200); s.Mirror.Configured || s.Mirror.Reachable {
		t.Errorf("%+v", s)
	}
}

func TestRepairs(t *testing.T) {
	r := newHarness(t, nil)
	if s := fixture.Decode[repairStats](t, r.ask("GET", "/api/v1/buildings/repair/stats"), 200); s != (repairStats{Needed: 1}) {
		t.Errorf("%+v", s)
	}
	b := fixture.Decode[repairBody](t, r.ask("POST", "/api/v1/buildings/repair?kg=88801,88802,88803"), 202)
	if b.Queued != 1 || b.Skipped != 2 || b.Data[0].JobID == nil || b.Data[0].Status != "queued" || b.Data[1].Reason == nil ||
		b.Data[2].JobID != nil || b.Stats != "/api/v1/buildings/repair/stats" {
		t.Errorf("%+v", b)
	}
	again := fixture.Decode[repairBody](t, r.ask("POST", "/api/v1/buildings/repair"), 202) // all that need it
	if again.Queued != 1 || len(again.Data) != 1 || *again.Data[0].JobID != *b.Data[0].JobID {
		t.Errorf("%+v", again)
	}
	if s := fixture.Decode[repairStats](t, r.ask("GET", "/api/v1/buildings/repair/stats"),
		200); s != (repairStats{Queued: 1, Needed: 1}) {
		t.Errorf("%+v", s)
	}
	for i, failed := range []bool{false, false, true, true} { // the first two tell of the same job
		if err := processing.Count(t.Context(), r.ledger, jobs.Job{ID: []string{"a", "a", "b", "c"}[i], Type: processing.Repair},
			failed); err != nil {
			t.Fatal(err)
		}
	}
	if s := fixture.Decode[repairStats](t, r.ask("GET", "/api/v1/buildings/repair/stats"), 200); s.Repaired != 1 || s.Failed != 2 {
		t.Errorf("%+v", s)
	}
}

func TestPrewarm(t *testing.T) {
	r := newHarness(t, nil)
	b := fixture.Decode[prewarmBody](t, r.ask("POST", "/api/v1/prewarm?kg=88801,88803,88803"), 202)
	if len(b.Queued) != 1 || b.Queued[0] != "88803" || len(b.Warm) != 1 || b.Warm[0] != "88801" {
		t.Errorf("%+v", b)
	}
	stats := func() prewarmStats {
		return fixture.Decode[prewarmStats](t, r.ask("GET", "/api/v1/prewarm/stats"), 200)
	}
	if s := stats(); s != (prewarmStats{Queued: 1}) {
		t.Errorf("%+v", s)
	}
	r.now = time.Unix(100, 0)
	if err := warmup.NoteWork(t.Context(), r.mem, []austria.KGCode{"88803"}, 0); err != nil {
		t.Fatal(err)
	}
	if s := stats(); s != (prewarmStats{Running: 1}) {
		t.Errorf("%+v", s)
	}
	if err := errors.Join(warmup.NoteWork(t.Context(), r.mem, nil, 1), warmup.Done(t.Context(), r.mem, "88803"),
		warmup.Failed(t.Context(), r.mem, "88802", errors.New("x"), false)); err != nil {
		t.Fatal(err)
	}
	if s := stats(); s != (prewarmStats{Warmed: 1, Failed: 1}) {
		t.Errorf("%+v", s)
	}
	r = newHarness(t, func(d *Deps) { d.Store = nil })
	if w := r.ask("POST", "/api/v1/prewarm?kg=88803"); w.Code != 503 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestInflight(t *testing.T) {
	r := newHarness(t, nil)
	b := fixture.Decode[inflightBody](t, r.ask("GET", "/api/v1/debug/inflight?pretty=1"), 200)
	if len(b.Requests) != 1 || b.Total != 1 || b.Requests[0].Method != "GET" || b.Requests[0].Path != "/api/v1/debug/inflight" ||
		b.Store.Generation == "" || !b.Store.Reachable {
		t.Errorf("%+v", b)
	}
}

// Where there is an operator's token it opens what starts work, and nothing else asks for it.
func TestTheOperatorsToken(t *testing.T) {
	r := newHarness(t, func(d *Deps) {
		d.Operator = func(_ context.Context, text string) (bool, error) { return text == "the operator's", nil }
	})
	for target, open := range map[string]bool{
		"POST /api/inspire/process/88801": false, "POST /api/v1/buildings/repair": false, "POST /api/v1/prewarm?kg=88801": false,
		"GET /api/v1/debug/inflight":    false,
		"GET /api/inspire/status/88801": true, "GET /api/inspire/list": true, "GET /api/archive/status": true,
		"GET /api/v1/buildings/repair/stats": true, "GET /api/v1/prewarm/stats": true,
	} {
		method, path, _ := strings.Cut(target, " ")
		without, wrong, right := r.ask(method, path), r.ask(method, path, "Authorization", "Bearer no"),
			r.ask(method, path, "Authorization", "Bearer the operator's")
		if open != (without.Code == 200) || open != (wrong.Code == 200) || right.Code >= 300 ||
			!open && (without.Code != 401 || wrong.Code != 401) {
			t.Errorf("%s: %d without, %d with a wrong one, %d with the token", target, without.Code, wrong.Code, right.Code)
		}
	}
}

// A client that has ordered much is told to come later; another is not.
func TestAClientHasABound(t *testing.T) {
	r := newHarness(t, nil)
	q := r.deps.Queue
	for i := range 20 {
		if _, _, err := processing.Submit(t.Context(), q, processing.Process, "192.0.2.1",
			processing.Order{KG: austria.KGCode(string(rune('a'+i)) + "0000")}); err != nil {
			t.Fatal(err)
		}
	}
	w := r.ask("POST", "/api/inspire/process/88801?max_age=0") // httptest asks as 192.0.2.1
	if w.Code != 429 || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	other := httptest.NewRequest("POST", "/api/inspire/process/88801?max_age=0", nil)
	other.RemoteAddr = "203.0.113.7:1"
	got := httptest.NewRecorder()
	if r.ServeHTTP(got, other); got.Code != 202 {
		t.Errorf("another client: %d %s", got.Code, got.Body)
	}
}

// A ledger or a store that gives no answer is a 503 with Retry-After, and says nothing of itself.
func TestWhatGivesNoAnswer(t *testing.T) {
	clear := func(w *httptest.ResponseRecorder, what string) {
		t.Helper()
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "fire") ||
			strings.Contains(w.Body.String(), "inner") {
			t.Errorf("%s: %d %s", what, w.Code, w.Body)
		}
	}
	for _, target := range []string{"POST /api/inspire/process/88801?max_age=0", "POST /api/inspire/process/88801",
		"GET /api/inspire/status/88801", "POST /api/v1/buildings/repair?kg=88801", "GET /api/v1/buildings/repair/stats"} {
		r := newHarness(t, nil)
		r.ledger.down.Store(true)
		method, path, _ := strings.Cut(target, " ")
		clear(r.ask(method, path), target)
	}
	for _, target := range []string{"POST /api/inspire/process/88801", "GET /api/inspire/status/88801", "GET /api/inspire/list",
		"GET /api/archive/status", "POST /api/v1/prewarm?kg=88803,88801", "GET /api/v1/prewarm/stats"} {
		method, path, _ := strings.Cut(target, " ")
		for n := int32(0); ; n++ {
			r := newHarness(t, nil)
			r.store.Left.Store(n)
			w := r.ask(method, path)
			if r.store.Left.Load() >= 0 {
				if w.Code >= 300 || n == 0 {
					t.Errorf("%s: %d %s after %d reads", target, w.Code, w.Body, n)
				}
				break
			}
			clear(w, target)
		}
	}
}
