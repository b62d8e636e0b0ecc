package processing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

type harness struct {
	http.Handler
	t       *testing.T
	records landprocess.Records
	now     time.Time
	listed  int // times that the analysed KGs were listed
}

// counted counts how often the analysed KGs are listed.
type counted struct {
	ledger.Ledger
	n *int
}

func (c counted) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	if q.Partition == "landscape-kgs" {
		*c.n++
	}
	return c.Ledger.Query(ctx, q)
}

// newHarness serves the world; 88803 is not loaded.
func newHarness(t *testing.T, operator func(context.Context, string) (bool, error)) *harness {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	l := sqlitetest.Open(t, sqlite.Options{Now: fixture.Now}) // claims expire by the clock of the tests
	r := &harness{t: t, records: landprocess.Records{Ledger: l}, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	r.Handler, err = New(Deps{Library: lib, Ledger: counted{l, &r.listed}, Now: func() time.Time { return r.now },
		Operator: operator}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ask gives the body of an answer with a status.
func (r *harness) ask(status int, method, path, body string) map[string]any {
	r.t.Helper()
	w := fixture.Ask(r, method, "/api/v1/"+strings.TrimPrefix("processing/"+path, "processing/../"), body, "Content-Type",
		"application/json")
	if w.Code != status {
		r.t.Fatalf("%s %s %s: want %d, got %d %s", method, path, body, status, w.Code, w.Body)
	}
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *harness) queued() string {
	r.t.Helper()
	var out []string
	for _, k := range r.ask(200, "GET", "queue", "")["queue"].([]any) {
		out = append(out, k.(map[string]any)["code"].(string))
	}
	return strings.Join(out, " ")
}

func TestExamples(t *testing.T) {
	r := newHarness(t, nil)
	in := strings.NewReplacer("99101", "88801")
	for _, e := range New(Deps{}).Endpoints {
		if w := fixture.Ask(r, e.Method, in.Replace(e.Example), in.Replace(e.ExampleBody), "Content-Type",
			"application/json"); w.Code != 200 {
			t.Errorf("%s %s: %d %s", e.Method, e.Example, w.Code, w.Body)
		}
	}
}

// The state is asked every few seconds: the KGs that were analysed, thousands of them, are listed when one has ended.
func TestStatusListsOnce(t *testing.T) {
	r := newHarness(t, nil)
	r.ask(200, "POST", "start", "")
	end := func(code austria.KGCode) {
		if err := r.records.Put(t.Context(), landprocess.Entry{KG: code, Tiles: 2, Km2: 1}); err != nil {
			t.Fatal(err)
		}
		nearest := func(austria.KGCode, austria.StateCode, func(austria.KGCode) bool) (austria.KGCode, bool) {
			return code, true
		}
		if _, err := r.records.Change(t.Context(), func(s *landprocess.State) error {
			if _, err := s.Take("w", r.now, nearest); err != nil {
				return err
			}
			return s.Finish("w", 2, r.now)
		}); err != nil {
			t.Fatal(err)
		}
	}
	for n, code := range []austria.KGCode{"88801", "88802"} {
		end(code)
		before := r.listed
		for range 3 {
			if got := r.ask(200, "GET", "status", ""); got["processed"] != float64(n+1) {
				t.Errorf("%v", got)
			}
		}
		if r.listed != before+1 {
			t.Errorf("listed %d times", r.listed-before)
		}
	}
}

// The calls of the queue, as the specification writes them.
func TestTheQueue(t *testing.T) {
	r := newHarness(t, nil)
	got := r.ask(200, "POST", "queue", `{"kgs":["88801",88802]}`)
	if got["status"] != "added" || got["added_count"] != 2.0 || got["queue_length"] != 2.0 ||
		fmt.Sprint(got["added"].([]any)[1].(map[string]any)["position"]) != "1" {
		t.Errorf("added: %v", got)
	}
	if name := got["added"].([]any)[0].(map[string]any)["name"]; name == "" {
		t.Error("an added KG has no name")
	}
	r.ask(200, "POST", "queue", `{"kgs":["88802"],"position":0}`)
	if got := r.queued(); got != "88802 88801" {
		t.Errorf("a KG that waits moves: %s", got)
	}
	if err := r.records.Put(t.Context(), landprocess.Entry{KG: "88801", Tiles: 2, Km2: 1, Bytes: 7, At: r.now}); err != nil {
		t.Fatal(err)
	}
	if got := r.ask(200, "POST", "queue", `{"kgs":["88801"]}`); got["added_count"] != 0.0 || len(got["skipped"].([]any)) != 1 {
		t.Errorf("what is processed is skipped: %v", got)
	}
	if got := r.ask(200, "POST", "queue", `{"kgs":["88801"],"skip_processed":false,"position":0}`); got["added_count"] != 1.0 {
		t.Errorf("skip_processed false: %v", got)
	}
	before := r.ask(200, "GET", "queue", "")
	text, _ := json.Marshal(map[string]any{"queue": before["queue"]})
	if r.ask(200, "PUT", "queue", string(text)); r.queued() != "88801 88802" {
		t.Errorf("what GET answers can be PUT: %s", r.queued())
	}
	if got := r.ask(200, "DELETE", "queue?kg=88801", ""); got["removed_count"] != 1.0 || r.queued() != "88802" {
		t.Errorf("removed: %v, %s", got, r.queued())
	}
	if r.ask(200, "PUT", "queue", `{"queue":[]}`); r.queued() != "" {
		t.Errorf("emptied: %s", r.queued())
	}
	for body, member := range map[string]string{`{"kgs":[]}`: "kgs", `{"kgs":["0"]}`: "kgs", `{"kgs":["12345"]}`: "kgs",
		`{"kgs":["88801"],"position":-2}`: "position", `{"kgs":[true]}`: "", `{"kg":["88801"]}`: "kg"} {
		if got := r.ask(400, "POST", "queue", body); !strings.Contains(fmt.Sprint(got), member) {
			t.Errorf("%s: %v", body, got)
		}
	}
	r.ask(400, "PUT", "queue", `{}`)
	r.ask(400, "DELETE", "queue", "")
}

// Start, pause, resume, stop and single, and what the status says of a KG in work.
func TestSteering(t *testing.T) {
	r := newHarness(t, nil)
	if got := r.ask(200, "GET", "status", ""); got["state"] != "stopped" || got["current"] != nil ||
		got["rates"].(map[string]any)["tiles_per_hour"] != nil {
		t.Errorf("at first: %v", got)
	}
	if got := r.ask(200, "POST", "start?state=5&kg=88802", ""); got["state"] != "running" || got["queue_length"] != 1.0 ||
		got["region"] != "Salzburg" {
		t.Errorf("started: %v", got)
	}
	nearest := func(austria.KGCode, austria.StateCode, func(austria.KGCode) bool) (austria.KGCode, bool) {
		return "", false
	}
	work := func(change func(s *landprocess.State) error, keep ...error) {
		t.Helper()
		if _, err := r.records.Change(t.Context(), change, keep...); err != nil && len(keep) == 0 {
			t.Fatal(err)
		}
	}
	work(func(s *landprocess.State) error { _, err := s.Take("w", r.now, nearest); return err })
	r.now = r.now.Add(30 * time.Second)
	work(func(s *landprocess.State) error { return s.Tell("w", "analysing squares", 3, 12, r.now) })
	got := r.ask(200, "GET", "status", "")["current"].(map[string]any)
	for name, want := range map[string]any{"code": "88802", "step": "analysing squares", "tiles_done": 3.0, "tiles": 12.0, "progress": 0.25,
		"elapsed_s": 30.0, "held": true, "from": "queue", "attempt": 1.0} {
		if got[name] != want {
			t.Errorf("current.%s: want %v, got %v", name, want, got[name])
		}
	}
	if got := r.ask(200, "POST", "pause", ""); got["state"] != "paused" {
		t.Errorf("paused: %v", got)
	}
	held := error(nil)
	work(func(s *landprocess.State) error { held = s.Tell("w", "analysing squares", 4, 12, r.now); return held }, landprocess.ErrHeld)
	if !errors.Is(held, landprocess.ErrHeld) {
		t.Errorf("the worker is told: %v", held)
	}
	work(func(s *landprocess.State) error { return s.LetGo("w", r.now) })
	if got := r.ask(200, "POST", "resume", ""); got["state"] != "running" || got["current"].(map[string]any)["held"] != false {
		t.Errorf("resumed: %v", got)
	}
	work(func(s *landprocess.State) error { _, err := s.Take("v", r.now, nearest); return err })
	work(func(s *landprocess.State) error { return s.Finish("v", 12, r.now.Add(60*time.Second)) })
	work(func(s *landprocess.State) error { _, err := s.Insert([]austria.KGCode{"88801"}, 0); return err })
	status := r.ask(200, "GET", "status", "")
	if rates := status["rates"].(map[string]any); rates["seconds_per_tile"] != 7.5 || rates["tiles_per_hour"] != 480.0 {
		t.Errorf("12 squares in 90 seconds: %v", rates)
	}
	if left := status["remaining"].(map[string]any); left["queue_s"] == nil || left["all_s"] == nil {
		t.Errorf("remaining: %v", left)
	}
	if got := r.ask(200, "POST", "stop", ""); got["state"] != "stopped" || got["queue_length"] != 1.0 {
		t.Errorf("stopped: %v", got)
	}
	if got := r.ask(200, "POST", "single?kg=88801", ""); got["single"] != "88801" || got["state"] != "stopped" {
		t.Errorf("single: %v", got)
	}
	r.ask(409, "POST", "single?kg=88802", "")
	r.ask(400, "POST", "single", "")
	r.ask(400, "POST", "single?kg=12345", "")
	r.ask(400, "POST", "start?kg=12345", "")
	r.ask(400, "POST", "start?state=Atlantis", "")
}

// Log and manifest say what was made.
func TestLogAndManifest(t *testing.T) {
	r := newHarness(t, nil)
	for i := range 250 {
		if err := r.records.Log(t.Context(), landprocess.Line{At: r.now, KG: "88801", Text: fmt.Sprint("line ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	list := r.ask(200, "GET", "log?limit=3", "")["lines"].([]any)
	if len(list) != 3 || list[2].(map[string]any)["text"] != "line 249" {
		t.Errorf("log: %v", list)
	}
	if n := len(r.ask(200, "GET", "log?limit=200", "")["lines"].([]any)); n != 200 {
		t.Errorf("the log keeps %d lines", n)
	}
	for i, code := range []austria.KGCode{"88802", "88801"} {
		if err := r.records.Put(t.Context(), landprocess.Entry{KG: code, Key: "landscape/x", Tiles: 2 + i, Km2: 1.5, Bytes: 100, At: r.now,
			Missing: []string{"sar"}, Products: productsOfTest[code]}); err != nil {
			t.Fatal(err)
		}
	}
	got := r.ask(200, "GET", "manifest", "")
	first := got["kgs"].([]any)[0].(map[string]any)
	if got["count"] != 2.0 || got["tiles"] != 5.0 || got["bytes"] != 200.0 || first["code"] != "88801" ||
		fmt.Sprint(first["layers_missing"]) != "[sar]" {
		t.Errorf("manifest: %v", got)
	}
	if fmt.Sprint(first["products"]) != "[]" || first["zenodo_full_gpkg_url"] != nil {
		t.Errorf("no products were made: %v", first)
	}
	second := got["kgs"].([]any)[1].(map[string]any)
	files := second["products"].([]any)
	if len(files) != 2 || files[1].(map[string]any)["license"] != "ODbL 1.0" || files[1].(map[string]any)["url"] != nil ||
		second["zenodo_full_gpkg_url"] != "https://repository.example/1" || second["zenodo_light_gpkg_url"] != nil {
		t.Errorf("products: %v", second)
	}
}

var productsOfTest = map[austria.KGCode]*landprocess.Products{"88802": {Files: []landprocess.Product{
	{Name: "full.gpkg", File: "88802-full.gpkg", Set: landprocess.Analysis, Key: "products/88802/x", Bytes: 5,
		URL: "https://repository.example/1"},
	{Name: "infrastructure.gpkg", File: "88802-infrastructure.gpkg", Set: landprocess.Infrastructure, Key: "products/88802/y", Bytes: 5}}}}

// Where an operator is set up, what changes something asks for the token, and nothing else does.
func TestTheOperator(t *testing.T) {
	r := newHarness(t, func(_ context.Context, text string) (bool, error) { return text == "the operator's token", nil })
	for _, e := range New(Deps{}).Endpoints {
		target := strings.ReplaceAll(e.Example, "99101", "88801")
		body := strings.ReplaceAll(e.ExampleBody, "99101", "88801")
		open := e.Method == "GET"
		if w := fixture.Ask(r, e.Method, target, body, "Content-Type", "application/json"); (w.Code == 200) != open ||
			!open && w.Code != 401 {
			t.Errorf("%s %s without a token: %d", e.Method, target, w.Code)
		}
		if w := fixture.Ask(r, e.Method, target, body, "Content-Type", "application/json", "Authorization",
			"Bearer the operator's token"); w.Code != 200 {
			t.Errorf("%s %s with the token: %d %s", e.Method, target, w.Code, w.Body)
		}
	}
}

// Without a ledger every answer is 503, as of a service that is only described.
func TestWithoutALedger(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"status", "log", "manifest", "queue"} {
		if w := fixture.Ask(h, "GET", "/api/v1/processing/"+path, ""); w.Code != 503 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// An index that is asked for is due until one was begun afterwards, and what is asked for while one is made is not lost.
func TestRebuild(t *testing.T) {
	r := newHarness(t, nil)
	due := func() bool {
		t.Helper()
		x, err := r.records.Indexed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return x.Due()
	}
	if due() {
		t.Error("an index is due that nobody asked for")
	}
	if got := r.ask(200, "POST", "../index/rebuild", ""); got["status"] != "queued" || got["last_build_at"] != nil || !due() {
		t.Errorf("asked: %v", got)
	}
	begun := r.now.Add(time.Second)
	r.now = r.now.Add(2 * time.Second)
	r.ask(200, "POST", "../index/rebuild", "")
	if err := r.records.SetIndexed(t.Context(), landprocess.Indexed{Name: "x", At: begun, Took: time.Second}); err != nil {
		t.Fatal(err)
	}
	if !due() {
		t.Error("what was asked for while an index was made is lost")
	}
	if err := r.records.SetIndexed(t.Context(), landprocess.Indexed{Name: "x", At: r.now.Add(time.Second)}); err != nil {
		t.Fatal(err)
	}
	if due() {
		t.Error("it is due for ever")
	}
}

// While a run of the state machine works, the state says which one, and which KGs its workers have; afterwards nothing.
func TestStatusOfARun(t *testing.T) {
	r := newHarness(t, nil)
	r.ask(200, "POST", "start", "")
	r.ask(200, "POST", "queue", `{"kgs":["88801","88802"]}`)
	none := func(austria.KGCode, austria.StateCode, func(austria.KGCode) bool) (austria.KGCode, bool) {
		return "", false
	}
	change := func(f func(*landprocess.State) error) {
		t.Helper()
		if _, err := r.records.Change(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.ask(200, "GET", "status", ""); got["run"] != nil {
		t.Errorf("a run before there is one: %v", got["run"])
	}
	change(func(s *landprocess.State) error { _, err := s.Muster("night", 1, r.now, none); return err })
	c, err := r.records.Claim(t.Context(), "night", landprocess.Job{KG: "88802", Attempt: 1}, "w", r.now)
	if err != nil {
		t.Fatal(err)
	}
	got := r.ask(200, "GET", "status", "")["run"].(map[string]any)
	if got["name"] != "night" || got["pass"] != 1.0 || got["kgs"] != 2.0 || got["at_work"] != 1.0 ||
		got["current"].([]any)[0].(map[string]any)["code"] != "88802" {
		t.Errorf("%v", got)
	}
	assigned := landprocess.Assignment{Records: r.records, Owner: "w", Of: &c}
	if err := assigned.End(t.Context(), r.now, func(s *landprocess.State) error { return s.Finish("w", 2, r.now) }); err != nil {
		t.Fatal(err)
	}
	got = r.ask(200, "GET", "status", "")["run"].(map[string]any)
	if got["at_work"] != 0.0 || r.queued() != "88801" {
		t.Errorf("%v, queue %s", got, r.queued())
	}
	change(func(s *landprocess.State) error {
		s.Pause(r.now)
		_, err := s.Continue("night", 1, r.now, none)
		return err
	})
	if got := r.ask(200, "GET", "status", ""); got["run"] != nil {
		t.Errorf("a run after its end: %v", got["run"])
	}
}
