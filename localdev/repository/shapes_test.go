package repository

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/infra/realdata"
	client "mappe/shared/cloud/repository"
)

// harness is the stand-in with a client.
type harness struct {
	*client.Client
	server *Server
	base   string
	dir    string
	fault  func(*http.Request) Fault
	now    time.Time
	waited time.Duration
}

func newHarness(t testing.TB, perMinute int) *harness {
	t.Helper()
	r := &harness{dir: t.TempDir(), now: time.Unix(1_790_000_000, 0)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.server.ServeHTTP(w, q) }))
	t.Cleanup(server.Close)
	r.base = server.URL
	r.open(t, perMinute)
	var err error
	if r.Client, err = client.New(client.Options{Base: server.URL, Token: func(context.Context) (string, error) { return "secret", nil },
		Now: func() time.Time { return r.now },
		Pause: func(ctx context.Context, d time.Duration) error {
			r.waited += d
			r.now = r.now.Add(d)
			return ctx.Err()
		}}); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *harness) open(t testing.TB, perMinute int) {
	t.Helper()
	var err error
	if r.server, err = New(Options{Dir: r.dir, Base: r.base, Token: "secret", PerMinute: perMinute, Now: func() time.Time { return r.now },
		Fault: func(q *http.Request) Fault {
			if r.fault == nil {
				return Fault{}
			}
			return r.fault(q)
		}}); err != nil {
		t.Fatal(err)
	}
}

var described = client.Metadata{Title: "30001-2026-10-01: Probe", UploadType: "dataset", Description: "<p>x</p>",
	Creators: []client.Creator{{Name: "Mappe"}}, License: "cc-by-4.0",
	PublicationDate: "2026-10-01", Keywords: []string{"mappe-kg-30001"}}

func source(name string, body []byte) client.Source {
	return client.Source{Name: name, Bytes: int64(len(body)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(body)), nil
	}}
}

// published is a deposit with two files, published.
func (r *harness) published(t testing.TB) client.Deposit {
	t.Helper()
	d, err := r.Create(t.Context(), described)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.kgs", "b.json"} {
		if _, err := r.Upload(t.Context(), d, source(name, []byte(name))); err != nil {
			t.Fatal(err)
		}
	}
	if d, err = r.Publish(t.Context(), d.ID); err != nil || !d.Submitted || d.State != "done" || d.DOI == "" {
		t.Fatalf("%+v, %v", d, err)
	}
	return d
}

// raw asks the stand-in as a program would.
func (r *harness) raw(t testing.TB, method, path string, body string) (any, int) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, r.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer secret")
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var v any
	if err := json.NewDecoder(a.Body).Decode(&v); err != nil {
		t.Fatalf("%s %s: %s: %v", method, path, a.Status, err)
	}
	return v, a.StatusCode
}

// recorded is an answer of the real interface.
func recorded(t testing.TB, name string) any {
	t.Helper()
	b, err := os.ReadFile(realdata.Path(t, "archive/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// lacks lists the members of the recorded answer that the stand-in's lacks, or has as another type. What metadata hold is
// the depositor's.
func lacks(at string, want, got any) (missing []string) {
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			return []string{at + ": no object"}
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if at == ".metadata" && name != "prereserve_doi" {
				continue
			}
			v, ok := have[name]
			if !ok {
				missing = append(missing, at+"."+name)
				continue
			}
			missing = append(missing, lacks(at+"."+name, want[name], v)...)
		}
	case []any:
		have, ok := got.([]any)
		if !ok {
			return []string{at + ": no array"}
		}
		if len(want) > 0 && len(have) > 0 {
			return lacks(at+"[]", want[0], have[0])
		}
	case string:
		if _, ok := got.(string); !ok {
			return []string{at + ": no string"}
		}
	case float64:
		if _, ok := got.(float64); !ok {
			return []string{at + ": no number"}
		}
	case bool:
		if _, ok := got.(bool); !ok {
			return []string{at + ": no boolean"}
		}
	}
	return missing
}

// The stand-in's answers have what the real interface's have, under the same names and of the same types.
func TestAnswersHaveTheRecordedShapes(t *testing.T) {
	create, bucket, record := recorded(t, "deposition_create_201.json"), recorded(t, "bucket_put_201.json"),
		recorded(t, "record_3763271_2020_shape.json")
	r := newHarness(t, 1000)
	got, status := r.raw(t, "POST", "/api/deposit/depositions", "{}")
	if missing := lacks("", create, got); status != 201 || len(missing) > 0 {
		t.Errorf("create: %d, missing %v", status, missing)
	}
	link := got.(map[string]any)["links"].(map[string]any)["bucket"].(string)
	up, status := r.raw(t, "PUT", strings.TrimPrefix(link, r.base)+"/my-file.zip", "PK")
	if missing := lacks("", bucket, up); status != 201 || len(missing) > 0 {
		t.Errorf("bucket: %d, missing %v", status, missing)
	}
	d := r.published(t)
	rec, status := r.raw(t, "GET", "/api/records/"+strings.TrimPrefix(d.DOI, "10.5072/zenodo."), "")
	if missing := lacks("", record, rec); status != 200 || len(missing) > 0 {
		t.Errorf("record: %d, missing %v", status, missing)
	}
}

// The client reads what was recorded of the real interface.
func TestTheClientReadsTheRecordedAnswers(t *testing.T) {
	bodies := map[string][]byte{}
	for path, name := range map[string]string{"/api/deposit/depositions": "deposition_create_201.json",
		"/api/records/3763271": "record_3763271_2020_shape.json",
		"/api/files/568377dd-daf8-4235-85e1-a56011ad454b/my-file.zip": "bucket_put_201.json"} {
		b, err := os.ReadFile(realdata.Path(t, "archive/"+name))
		if err != nil {
			t.Fatal(err)
		}
		bodies[path] = b
	}
	var base string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body) // as the real one reads it
		w.WriteHeader(map[string]int{"GET": 200}[q.Method] + map[bool]int{true: 201}[q.Method != "GET"])
		_, _ = w.Write(bytes.ReplaceAll(bodies[q.URL.Path], []byte("https://zenodo.org"), []byte(base)))
	}))
	defer server.Close()
	base = server.URL
	c, err := client.New(client.Options{Base: base, Token: func(context.Context) (string, error) { return "secret", nil }})
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Create(t.Context(), described)
	if err != nil || d.ID != 542201 || d.Concept != "542200" || d.Submitted || !strings.HasPrefix(d.Links.Bucket, base+"/api/files/") {
		t.Errorf("%+v, %v", d, err)
	}
	rec, err := c.Record(t.Context(), 3763271)
	if err != nil || len(rec.Files) != 1 || rec.Files[0].Name != "covid19.ttl" || rec.Files[0].Bytes != 9190269 ||
		rec.DOI != "10.5281/zenodo.3763271" {
		t.Errorf("%+v, %v", rec, err)
	}
	_, err = c.Upload(t.Context(), d, source("my-file.zip", make([]byte, 13264))) // the recorded checksum is of other bytes
	if !errors.Is(err, client.ErrChecksum) || !strings.Contains(err.Error(), "2942bfabb3d05332b66eb128e0842cff") {
		t.Errorf("%v", err)
	}
}

func TestVersionsOfADeposit(t *testing.T) {
	r := newHarness(t, 1000)
	first := r.published(t)
	draft, err := r.NewVersion(t.Context(), first.ID)
	if err != nil || draft.ID == first.ID || draft.Concept != first.Concept || len(draft.Files) != 2 {
		t.Fatalf("%+v, %v", draft, err)
	}
	again, err := r.NewVersion(t.Context(), first.ID)
	if err != nil || again.ID != draft.ID {
		t.Errorf("again: %+v, %v", again, err)
	}
	r.open(t, 1000) // another process finds the same
	if err := errors.Join(r.DeleteFile(t.Context(), draft.ID, again.Files[0].ID), r.DeleteFile(t.Context(), draft.ID, "no such file"),
		r.Describe(t.Context(), draft.ID, described)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Publish(t.Context(), draft.ID); err != nil {
		t.Fatal(err)
	}
	for id, files := range map[int64]int{first.ID: 2, draft.ID: 1} {
		rec, err := r.Record(t.Context(), id)
		if err != nil || len(rec.Files) != files || rec.Concept != first.Concept {
			t.Errorf("%+v, %v", rec, err)
		}
		var b bytes.Buffer
		if n, err := r.Download(t.Context(), rec.Files[0], &b); err != nil || n != rec.Files[0].Bytes || b.String() != rec.Files[0].Name {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
	// What is published never changes.
	_, upload := r.Upload(t.Context(), first, source("a.kgs", []byte("other")))
	for name, err := range map[string]error{
		"upload": upload, "describe": r.Describe(t.Context(), first.ID, described),
		"delete": r.DeleteFile(t.Context(), first.ID, first.Files[0].ID), "discard": r.Discard(t.Context(), first.ID),
	} {
		if !errors.Is(err, client.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if found, err := r.Find(t.Context(), "mappe-kg-30001"); err != nil || len(found) != 2 || found[0].ID != draft.ID {
		t.Errorf("%d found, %v", len(found), err)
	}
	if found, err := r.Find(t.Context(), "mappe-kg-3000"); err != nil || len(found) != 0 {
		t.Errorf("%d found, %v", len(found), err)
	}
}

// The client waits when its requests are used up, and is never refused.
func TestTheLimitOfRequestsIsKept(t *testing.T) {
	r := newHarness(t, 10)
	for range 35 {
		if _, err := r.Find(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if r.waited < 3*time.Minute || r.waited > 4*time.Minute {
		t.Errorf("35 requests at 10 a minute waited %s", r.waited)
	}
}

func TestALimitThatIsTooFarAwayIsAnError(t *testing.T) {
	r := newHarness(t, 1000)
	r.fault = func(*http.Request) Fault { return Fault{Status: 429, RetryAfter: "86400"} }
	if _, err := r.Find(t.Context(), "x"); !errors.Is(err, client.ErrUnavailable) || r.waited > 0 {
		t.Errorf("waited %s, %v", r.waited, err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	r := newHarness(t, 1000)
	stranger, err := client.New(client.Options{Base: r.base, Token: func(context.Context) (string, error) { return "wrong", nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stranger.Create(t.Context(), described); !errors.Is(err, client.ErrRefused) {
		t.Errorf("a wrong token: %v", err)
	}
	if _, err := r.Get(t.Context(), 1); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("no such deposit: %v", err)
	}
	d, err := r.Create(t.Context(), described)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Publish(t.Context(), d.ID); !errors.Is(err, client.ErrRefused) {
		t.Errorf("without a file: %v", err)
	}
	if _, err := r.Record(t.Context(), d.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("a draft is no record: %v", err)
	}
	if err := errors.Join(r.Discard(t.Context(), d.ID), r.Discard(t.Context(), d.ID)); err != nil {
		t.Error(err)
	}
	for _, base := range []string{"", "zenodo.org", "http://zenodo.org", "ftp://zenodo.org", "https://user:pw@zenodo.org",
		"https://zenodo.org?x=1"} {
		if _, err := client.New(client.Options{Base: base}); err == nil {
			t.Errorf("the address %q is taken", base)
		}
	}
}

// The token goes to the repository alone, whatever an answer says.
func TestTheTokenGoesNowhereElse(t *testing.T) {
	var asked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	r := newHarness(t, 1000)
	d := r.published(t)
	d.Links.Bucket = elsewhere.URL + "/api/files/x"
	_, upload := r.Upload(t.Context(), d, source("a", []byte("a")))
	f := client.RecordFile{Name: "a", Bytes: 1}
	f.Links.Self = elsewhere.URL + "/a"
	_, download := r.Download(t.Context(), f, io.Discard)
	if !errors.Is(upload, client.ErrAnswer) || !errors.Is(download, client.ErrAnswer) || asked.Load() > 0 {
		t.Errorf("asked %d times; %v; %v", asked.Load(), upload, download)
	}
}

// zeros gives n bytes without holding them.
type zeros struct{ left int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	clear(p[:n])
	z.left -= n
	return int(n), nil
}

func (*zeros) Close() error { return nil }

// No file is held in memory, on neither side: 200 MB go through a heap that grows by less than 8.
func TestAFileIsStreamed(t *testing.T) {
	const size = 200 << 20
	r := newHarness(t, 1000)
	d, err := r.Create(t.Context(), described)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if _, err := r.Upload(t.Context(), d,
		client.Source{Name: "large.gpkg", Bytes: size, Open: func(context.Context) (io.ReadCloser, error) {
			return &zeros{size}, nil
		}}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d MB were allocated for a file of %d MB", grown>>20, size>>20)
	}
}
