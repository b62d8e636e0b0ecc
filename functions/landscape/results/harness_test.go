package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/qgis"
	"mappe/shared/web/reply"
)

// question is what the tests ask: units of work in two steps, and what comes of them.
type question struct {
	N        int    `json:"n"`
	Fault    string `json:"fault,omitempty"` // bad, busy, broken, panic: how the work ends
	Features int    `json:"features,omitempty"`
	Bytes    int    `json:"bytes,omitempty"` // of a text beside
}

// harness is the family beside an endpoint whose question is counted and can be held up.
type harness struct {
	http.Handler
	desk  *tasks.Desk
	queue *jobs.Queue
	works *tasks.Works
	store store.Store
	place tasks.Place
	now   atomic.Int64 // ahead of the clock
	runs  atomic.Int32
	unit  atomic.Pointer[func(step string, n int)] // called before each unit of work
	state atomic.Pointer[string]                   // of the data
}

func (r *harness) clock() time.Time { return time.Now().Add(time.Duration(r.now.Load())) }

func (r *harness) task() *tasks.Task[question] {
	return &tasks.Task[question]{
		Name:  "sum",
		State: func(context.Context) (string, error) { return *r.state.Load(), nil },
		Run:   r.run,
		Place: func(*question) json.RawMessage {
			return json.RawMessage(`{"type":"Polygon","coordinates":[[[13,47],[13.1,47],[13.1,47.1],[13,47]]]}`)
		},
		Layer: shares.Layer{Type: "type", Height: []string{"height_m", "height_max_m"}, Style: qgis.Style{Fill: "#112233", Line: "#000000",
			Width: 0.3, Size: 2}},
	}
}

func (r *harness) run(ctx context.Context, q *question, p *tasks.Progress) (reply.Answer, error) {
	r.runs.Add(1)
	sum := 0
	for _, step := range []string{"first", "second"} {
		if err := p.Step(ctx, step, q.N); err != nil {
			return nil, err
		}
		for n := range q.N {
			if f := r.unit.Load(); f != nil {
				(*f)(step, n)
			}
			sum += n
			if err := p.Add(ctx, 1); err != nil {
				return nil, err
			}
		}
	}
	switch q.Fault {
	case "bad":
		return nil, fault.New(fault.TooLarge, "the question is too large")
	case "busy":
		return nil, fault.Retry(fault.Unavailable, time.Second, "the model cannot be read")
	case "broken":
		return nil, errors.New("a secret of the house")
	case "panic":
		panic("a secret of the house")
	}
	if q.Features > 0 {
		return featuresAnswer(q.Features), nil
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", map[string]any{"sum": sum, "about": map[string]any{"n": q.N}, "text": strings.Repeat("x", q.Bytes)})
		return j.Err()
	}}, nil
}

// featuresAnswer has features of every kind of geometry.
func featuresAnswer(n int) *reply.Stream {
	return &reply.Stream{ContentType: "application/geo+json", Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("type", "FeatureCollection")
		j.Key("features")
		j.Array()
		for i := range n {
			j.Any(json.RawMessage(featureText(i)))
		}
		j.EndArray()
		return j.Err()
	}}
}

func featureText(i int) string {
	at := fmt.Sprintf("[13.%04d,47.1]", i)
	geometry := []string{`{"type":"Point","coordinates":` + at + `}`, `{"type":"LineString","coordinates":[` + at + `,[13.5,47.2]]}`,
		`{"type":"Polygon","coordinates":[[` + at + `,[13.5,47.2],[13.4,47.3],` + at + `]]}`, "null"}[i%4]
	return fmt.Sprintf(`{"type":"Feature","id":%d,"geometry":%s,"properties":`+
		`{"type":"%s","height_m":%d,"Name":"n%d","name":%d.5,"sure":%v,"tags":["a"],"none":null}}`,
		i, geometry, []string{"oak", "fir"}[i%2], i, i, i, i%2 == 0)
}

// endpoint is that of the question.
func (r *harness) endpoint() endpoint.Endpoint {
	body := endpoint.Body[question]("a question", 8<<20)
	return r.task().Endpoint(r.desk, endpoint.Endpoint{Method: "POST", Path: "/api/v1/sum", ID: "sum", Summary: "A sum", Doc: "A sum.",
		Tag: "Tests", Body: body,
		Answer: endpoint.Answer{Body: endpoint.Open{}}, Example: "/api/v1/sum", ExampleBody: `{"n":1}`}, func(_ context.Context,
		q *endpoint.Request) (*question, error) {
		of := body.Of(q)
		if of.N < 0 {
			return nil, fault.BadValue("n", fmt.Sprint(of.N), "0 or more")
		}
		return &of, nil
	})
}

// sums is the licence of the answers, which name whom the generation names.
var sums = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Dataset: "Results of analyses"}

// generation pins requests to the only generation.
func generation(ctx context.Context) (context.Context, reply.Generation, error) {
	return ctx, reply.Generation{ID: "g1", Attribution: "© made up"}, nil
}

// newHarness is a harness over a ledger and a store.
func newHarness(l ledger.Ledger, files store.Store, lease time.Duration) (*harness, error) {
	r := &harness{store: files, place: tasks.Place{Ledger: l, Files: files}}
	state := "s1"
	r.state.Store(&state)
	r.desk = &tasks.Desk{Place: r.place, Version: "v1", Now: r.clock}
	r.works = &tasks.Works{Place: r.place, Runners: []tasks.Runner{r.task().Runner()}, Pin: generation,
		Repin:  func(ctx context.Context, _ string) (context.Context, reply.Generation, error) { return generation(ctx) },
		Notice: sums, Log: slog.New(slog.DiscardHandler), Lease: lease, Now: r.clock}
	var err error
	if r.queue, err = r.works.NewQueue(); err != nil {
		return nil, err
	}
	r.desk.Queue = r.queue
	s := New(Deps{Desk: r.desk, Version: "test", Now: r.clock})
	s.Endpoints = append(s.Endpoints, r.endpoint())
	s.Pin, s.Notice = generation, sums
	r.Handler, err = s.Handler()
	return r, err
}

func open(t testing.TB) *harness {
	t.Helper()
	r, err := newHarness(sqlitetest.Open(t, sqlite.Options{}), mem.New(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ask asks in the background and gives the id.
func (r *harness) ask(t testing.TB, query, body string) string {
	t.Helper()
	w := fixture.Ask(r, "POST", "/api/v1/sum?async=true"+query, body)
	a := fixture.Decode[tasks.Accepted](t, w, 202)
	if a.TaskID == "" || w.Header().Get("Location") != a.ProgressURL || w.Header().Get("Retry-After") == "" ||
		w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Etag") != "" {
		t.Fatalf("%+v %v", a, w.Header())
	}
	return a.TaskID
}

// progress is the state of a task; its status is 202 as long as it is active.
func (r *harness) progress(t testing.TB, id string) tasks.State {
	t.Helper()
	w := fixture.Ask(r, "GET", "/api/v1/segment/progress?task_id="+id, "")
	return r.stateOf(t, w)
}

func (r *harness) stateOf(t testing.TB, w *httptest.ResponseRecorder) tasks.State {
	t.Helper()
	s := fixture.Decode[tasks.State](t, w, w.Code)
	if want := map[bool]int{true: 202, false: 200}[s.Active]; w.Code != want || w.Header().Get("Cache-Control") != "no-store" ||
		w.Header().Get("Etag") != "" {
		t.Fatalf("%d %+v %v", w.Code, s, w.Header())
	}
	if s.Active != (s.Status == tasks.Running) || s.Done != (s.Status == tasks.Done) || s.Done != (s.AutoShareID != nil) ||
		(s.Error != nil) == (s.Active || s.Done) {
		t.Fatalf("the members contradict each other: %+v", s)
	}
	return s
}

func (r *harness) abort(t testing.TB, id string) tasks.State {
	t.Helper()
	return r.stateOf(t, fixture.Ask(r, "POST", "/api/v1/segment/abort?task_id="+id, ""))
}

// work does one attempt of a task.
func (r *harness) work(t testing.TB, id string) error {
	t.Helper()
	job, err := r.desk.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r.queue.RunOne(t.Context(), strings.TrimPrefix(job.Share(), shares.Auto))
}

// finish does attempts until the task has ended.
func (r *harness) finish(t testing.TB, id string) tasks.State {
	t.Helper()
	for range 6 {
		if err := r.work(t, id); err == nil || errors.Is(err, jobs.ErrAgain) && r.progress(t, id).Status != tasks.Running {
			return r.progress(t, id)
		}
		r.now.Add(int64(time.Minute)) // past every pause and lease
	}
	t.Fatalf("%s did not end: %+v", id, r.progress(t, id))
	return tasks.State{}
}

// pool works in goroutines until the test ends.
func (r *harness) pool(t testing.TB, workers int) {
	p := &jobs.Pool{Queue: r.queue, Workers: workers, Poll: 20 * time.Millisecond}
	p.Start(context.WithoutCancel(t.Context()))
	t.Cleanup(func() {
		stop, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		p.Stop(stop)
	})
}

// ended waits for the end of a task.
func (r *harness) ended(t testing.TB, id string) tasks.State {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if s := r.progress(t, id); !s.Active {
			return s
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has not ended: %+v", id, r.progress(t, id))
		}
	}
}

// sum is the sum in a result.
func sumOf(t testing.TB, body []byte) int {
	t.Helper()
	var a struct{ Data struct{ Sum int } }
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v: %.300s", err, body)
	}
	return a.Data.Sum
}

// objects are the keys of all that is kept in the store.
func (r *harness) objects(t testing.TB) (all []string) {
	t.Helper()
	for info, err := range r.store.List(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, info.Key)
	}
	return all
}
