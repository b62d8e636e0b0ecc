package export

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// harness is the family with jobs over a store; nobody does the jobs but work.
type harness struct {
	http.Handler
	works *Works
	queue *jobs.Queue
	store store.Store
	now   atomic.Int64 // ahead of the clock
}

func (r *harness) clock() time.Time { return time.Now().Add(time.Duration(r.now.Load())) }

// newHarness serves a store. Its worker puts files into into, which may fail where s does not.
func newHarness(t testing.TB, s, into store.Store, o library.Options) *harness {
	t.Helper()
	r := &harness{store: s}
	o.Now = r.clock
	lib, err := library.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	l := sqlitetest.Open(t, sqlite.Options{})
	r.works = &Works{Library: lib, Store: into, Log: slog.New(slog.DiscardHandler), Now: r.clock,
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	if r.queue, err = r.works.NewQueue(l); err != nil {
		t.Fatal(err)
	}
	if r.Handler, err = New(Deps{Deps: core.Deps{Library: lib, Version: "test", Now: r.clock}, Queue: r.queue}).Handler(); err != nil {
		t.Fatal(err)
	}
	return r
}

// many is a harness over n small KGs.
func many(t testing.TB, n int) *harness {
	t.Helper()
	s := mem.New()
	if err := fixture.Publish(s, fixture.Many(n)); err != nil {
		t.Fatal(err)
	}
	return newHarness(t, s, s, library.Options{})
}

// ordered is the job that a request is answered with.
func (r *harness) ordered(t testing.TB, target string) string {
	t.Helper()
	w := get(r, target)
	a := fixture.Decode[acceptedBody](t, w, 202)
	if a.StatusURL != "/api/v1/export/jobs/"+a.JobID || w.Header().Get("Location") != a.StatusURL || w.Header().Get("Retry-After") == "" ||
		w.Header().Get("Etag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%+v %v", a, w.Header())
	}
	return a.JobID
}

func (r *harness) status(t testing.TB, id string) statusBody {
	t.Helper()
	return fixture.Decode[statusBody](t, get(r, "jobs/"+id+"?redirect=false"), 200)
}

// finish does attempts until the job has ended.
func (r *harness) finish(t testing.TB, id string) statusBody {
	t.Helper()
	for range 10 {
		err := r.queue.RunOne(t.Context(), id)
		if err == nil {
			return r.status(t, id)
		}
		if !errors.Is(err, jobs.ErrAgain) {
			t.Logf("attempt: %v", err)
		}
		r.now.Add(int64(2 * time.Hour)) // past every pause and lease
	}
	t.Fatalf("%s did not end: %+v", id, r.status(t, id))
	return statusBody{}
}

// file reads what a finished job wrote, unpacked.
func (r *harness) file(t testing.TB, s statusBody) []byte {
	t.Helper()
	if s.Status != "done" || s.FileURL == nil {
		t.Fatalf("%+v", s)
	}
	key := strings.TrimPrefix(*s.FileURL, "/artefacts/")
	k, err := keys.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	body, info, err := store.ReadAll(t.Context(), r.store, key, 1<<30, store.GetOptions{})
	if err != nil || info.Headers != store.Headers(keys.HeadersOf(k)) || int64(len(body)) != s.Bytes {
		t.Fatalf("%v %+v, %d bytes, want %d", err, info.Headers, len(body), s.Bytes)
	}
	if info.Headers.ContentEncoding != "gzip" {
		return body
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return body
}

// An export beyond the limits of an answer is a job that everybody finds who names the same KGs, then a file.
func TestALargeExportIsAJob(t *testing.T) {
	r := many(t, 60)
	id := r.ordered(t, "gpkg?state=3")
	if s := r.status(t, id); s.Status != "queued" || s.KGs != 60 || s.FileURL != nil || s.ExpiresAt != nil || s.Progress != 0 {
		t.Errorf("%+v", s)
	}
	if again := r.ordered(t, "gpkg?state=Nieder%C3%B6sterreich&district=388"); again != id {
		t.Errorf("the same KGs by other names are another job: %s, %s", id, again)
	}
	if other := r.ordered(t, "geojson?state=3"); other == id {
		t.Error("another form is the same job")
	}
	s := r.finish(t, id)
	if s.Progress != 1 || s.KGsDone != 60 || s.Ready == nil || !*s.Ready || s.ExpiresAt == nil || s.ExpiresAt.Sub(*s.FinishedAt) != Keep {
		t.Errorf("%+v", s)
	}
	if body := r.file(t, s); !bytes.HasPrefix(body, []byte("SQLite format 3\x00")) {
		t.Errorf("the file begins with %q", body[:16])
	}
	for _, target := range []string{"gpkg?state=3", "jobs/" + id} {
		w := get(r, target)
		if got := fixture.Decode[statusBody](t, w, 303); got.JobID != id || w.Header().Get("Location") != *s.FileURL {
			t.Errorf("%s: %+v at %s", target, got, w.Header().Get("Location"))
		}
	}
	if err := r.store.Delete(t.Context(), strings.TrimPrefix(*s.FileURL, "/artefacts/")); err != nil {
		t.Fatal(err)
	}
	r.now.Add(int64(2 * time.Minute)) // what was seen is taken to be there for a minute
	if next := r.ordered(t, "gpkg?state=3"); next == id {
		t.Error("a job whose file is gone stands for a new request")
	}
}

// job=true has a job write what the answer would have been, byte by byte.
func TestAJobWritesTheAnswer(t *testing.T) {
	s := fixture.Store(t)
	r := newHarness(t, s, s, library.Options{})
	plain := serve(t, s)
	for target, ext := range map[string]string{
		"gpkg?kg=88801,88802":              "gpkg",
		"gpkg?kg=88801&version=2026-10-01": "gpkg",
		"geojson?kg=88801,88802":           "geojson",
		"geojson?kg=88801&layers=parcels,buildings,landuse&include_geometry=false": "json",
		"geojson?kg=88801&fields=parcel_id,geometry&crs=EPSG:31287&pretty=1":       "geojson",
		"geojson?kg=88801,804&version=2026-10-01&layers=landuse_points":            "geojson",
		"geojson?kg=88803,88801":                     "geojson",
		"gpkg?kg=88803,88801":                        "gpkg",
		"flatgeobuf?kg=88801,88802&layer=footprints": "fgb",
		"flatgeobuf?kg=88803,88801&crs=31287&fields=gnr,area_sqm&version=2026-10-01": "fgb",
		"geojson?kg=88801&version=2020-01-01&layers=parcels&include_geometry=false":  "geojson",
		"shapefile?kg=88803,88801&crs=31259":                                         "zip",
		"dxf?kg=88801,88802&layers=parcels,buildings":                                "dxf",
		"kml?kg=88801&layers=kgs,parcels,municipalities":                             "kml",
	} {
		want := get(plain, target)
		st := r.finish(t, r.ordered(t, target+"&job=1"))
		if got := r.file(t, st); want.Code != 200 || !bytes.Equal(got, want.Body.Bytes()) {
			t.Errorf("%s: the file\n%.1500s\nis not the answer %d\n%.1500s", target, got, want.Code, want.Body)
		}
		if !strings.HasSuffix(*st.FileURL, "."+ext) {
			t.Errorf("%s: %s, want the ending %s", target, *st.FileURL, ext)
		}
		if cold := strings.Contains(target, "88803"); *st.Ready == cold || cold && fmt.Sprint(st.Unavailable) != "[88803]" {
			t.Errorf("%s: %+v", target, st)
		}
	}
}

// KGs that are being loaded are waited for.
func TestColdKGsAreWaitedFor(t *testing.T) {
	s := fixture.Store(t)
	var asked sync.Map // KGs are read side by side
	r := newHarness(t, s, s, library.Options{Refresh: time.Nanosecond, Warmup: func(c austria.KGCode) { asked.Store(c, true) }})
	waits := 0
	r.works.Pause = func(context.Context, time.Duration) error {
		if waits++; waits == 3 {
			return fixture.Publish(s, fixture.Snapshots())
		}
		return nil
	}
	st := r.finish(t, r.ordered(t, "geojson?kg=88801,88803&job=1"))
	_, told := asked.Load(austria.KGCode("88803"))
	if !*st.Ready || waits < 3 || !told || !bytes.Contains(r.file(t, st), []byte(`"88803-1"`)) {
		t.Errorf("after %d waits: %+v", waits, st)
	}
}

// What does not come in five minutes is named, in the status and in the file.
func TestColdKGsThatDoNotComeAreNamed(t *testing.T) {
	s := fixture.Store(t)
	r := newHarness(t, s, s, library.Options{Warmup: func(austria.KGCode) {}})
	waits := 0
	r.works.Pause = func(context.Context, time.Duration) error { waits++; return nil }
	st := r.finish(t, r.ordered(t, "geojson?kg=88802,88803&job=1"))
	if *st.Ready || waits != int(warmTime/warmEvery) || fmt.Sprint(st.Unavailable) != "[88803]" ||
		!bytes.Contains(r.file(t, st), []byte(`"kgs_warming":["88803"]`)) {
		t.Errorf("after %d waits: %+v", waits, st)
	}
	if again := get(r, "geojson?kg=88802,88803&job=1"); again.Code != 303 {
		t.Errorf("just made: %d, want the file", again.Code)
	}
	r.now.Add(int64(2 * retryPartial))
	if next := r.ordered(t, "geojson?kg=88802,88803&job=1"); next == st.JobID {
		t.Error("a partial file stands for a request of a later hour")
	}
}

// Beyond what a job can write there is a split.
func TestLimitOfAJob(t *testing.T) {
	w := want{size: filePerByte, jobs: true}
	sizes := map[austria.KGCode]int64{}
	var codes []austria.KGCode
	for i := range inJob.kgs + 1 {
		c := austria.KGCode(fmt.Sprintf("%05d", 1001+i))
		sizes[c], codes = 1, append(codes, c)
	}
	reg := sized(t, sizes)
	for _, c := range []struct {
		kgs     int
		job, ok bool
	}{{inAnswer.kgs, false, true}, {inAnswer.kgs + 1, true, true}, {inJob.kgs, true, true}, {inJob.kgs + 1, true, false}} {
		if job, err := w.forJob(reg, codes[:c.kgs]); job != c.job || (err == nil) != c.ok {
			t.Errorf("%d KGs: a job %v, %v", c.kgs, job, err)
		}
	}
	for _, c := range codes[:12] {
		sizes[c] = 256 << 20
	}
	large := sized(t, sizes)
	for _, f := range fileForms() { // a zip of shapefiles ends at 4 GB, whatever was estimated
		w := want{size: estimate{1}, jobs: true, most: f.most}
		if _, err := w.forJob(large, codes[:12]); (err == nil) != (f != shapefiles) {
			t.Errorf("3 GB as %s: %v", f.path, err)
		}
		if _, err := w.forJob(large, codes[:8]); err != nil {
			t.Errorf("2 GB as %s: %v", f.path, err)
		}
	}
	if n := len("kg=00000,") + maxListed*6; n > 8000 {
		t.Errorf("a part has %d bytes", n)
	}
}

func TestJobsThatDoNotExist(t *testing.T) {
	r := many(t, 2)
	for _, id := range []string{"x", "export-000000000000000000000000-1", "book-000000000000000000000000-1"} {
		for _, method := range []string{"GET", "DELETE"} {
			if w := fixture.Ask(r, method, "/api/v1/export/jobs/"+id, ""); w.Code != 404 {
				t.Errorf("%s %s: %d %s", method, id, w.Code, w.Body)
			}
		}
	}
	if w := get(world(t), "gpkg?kg=88801&job=1"); w.Code != 503 {
		t.Errorf("job=1 where there are no jobs: %d", w.Code)
	}
}

// A job is cancelled while it waits and while it is written; nothing is left of it, and it can be asked for again.
func TestCancel(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	r := many(t, 60)
	drop := func(id string) statusBody {
		return fixture.Decode[statusBody](t, fixture.Ask(r, "DELETE", "/api/v1/export/jobs/"+id, ""), 200)
	}
	id := r.ordered(t, "gpkg?state=3")
	if s := drop(id); s.Status != "cancelled" {
		t.Errorf("%+v", s)
	}
	if s := r.finish(t, id); s.Status != "cancelled" || s.Error == nil {
		t.Errorf("%+v", s)
	}
	next := r.ordered(t, "gpkg?state=3")
	if next == id {
		t.Fatal("a cancelled job stands for a new request")
	}
	into := &hooked{Store: r.store}
	into.before = func(n int) error { // the file is written, and about to be stored
		drop(next)
		return nil
	}
	r.works.Store = into
	if s := r.finish(t, next); s.Status != "cancelled" && s.Status != "done" {
		t.Errorf("%+v", s)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if s := drop(next); s.Status != "cancelled" && s.Status != "done" {
		t.Errorf("cancelled again: %+v", s)
	}
}

// told is a store that tells of each read.
type told struct {
	store.Store
	read func()
}

func (s *told) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	s.read()
	return s.Store.Get(ctx, key, o)
}

// A job that is cancelled in the middle of its KGs stores nothing.
func TestCancelWhileWriting(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	inner := mem.New()
	if err := fixture.Publish(inner, fixture.Many(60)); err != nil {
		t.Fatal(err)
	}
	s := &told{Store: inner, read: func() {}}
	r := newHarness(t, s, inner, library.Options{BudgetBytes: 1}) // every layer reads its KGs anew
	id := r.ordered(t, "gpkg?state=3")
	var reads atomic.Int32
	s.read = func() {
		if reads.Add(1) == 150 { // of the 60 KGs for their heads, and 60 for each of six layers
			fixture.Ask(r, "DELETE", "/api/v1/export/jobs/"+id, "")
			time.Sleep(1100 * time.Millisecond) // the note is found with the next sign of life, a second later
		}
	}
	if st := r.finish(t, id); st.Status != "cancelled" || st.FileURL != nil {
		t.Errorf("%+v after %d reads", st, reads.Load())
	}
	for info, err := range inner.List(t.Context(), "exports/") {
		t.Errorf("%s is stored, %v", info.Key, err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// hooked is a store whose writes are told of, before and after.
type hooked struct {
	store.Store
	writes        int
	before, after func(n int) error
}

func (h *hooked) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, o store.PutOptions) (store.Info, error) {
	h.writes++
	if h.before != nil {
		if err := h.before(h.writes); err != nil {
			return store.Info{}, err
		}
	}
	info, err := h.Store.PutFrom(ctx, key, r, size, o)
	if err == nil && h.after != nil {
		err = h.after(h.writes)
	}
	return info, err
}

// A write fails, or is done and said to have failed: another attempt writes under another name, and the third failure
// is the job's.
func TestTheStoreFailsAtWrites(t *testing.T) {
	broken := errors.New("the store gives no answer")
	for failures := range 4 {
		for _, stored := range []bool{false, true} {
			r := many(t, 3)
			fails := func(n int) error {
				if n <= failures {
					return broken
				}
				return nil
			}
			into := &hooked{Store: r.store}
			if stored {
				into.after = fails
			} else {
				into.before = fails
			}
			r.works.Store = into
			s := r.finish(t, r.ordered(t, "gpkg?kg=81001&job=1"))
			if want := failures < definition.Attempts; want != (s.Status == "done") {
				t.Errorf("%d failures, stored %v: %+v", failures, stored, s)
			}
			if s.Status == "done" {
				r.file(t, s)
			} else if s.FileURL != nil || s.Error == nil || strings.Contains(*s.Error, "gives no answer") {
				t.Errorf("%d failures, stored %v: %+v", failures, stored, s)
			}
		}
	}
}

// The reads of a job fail one after the other: it is done at another attempt, and its file is whole.
func TestTheStoreFailsAtEveryReadOfAJob(t *testing.T) {
	inner := mem.New()
	if err := fixture.Publish(inner, fixture.Many(4)); err != nil {
		t.Fatal(err)
	}
	var whole []byte
	for n := int32(0); ; n++ {
		s := &fixture.Failing{Store: inner}
		s.Left.Store(1 << 30)
		r := newHarness(t, s, inner, library.Options{})
		id := r.ordered(t, "gpkg?state=3&job=1")
		s.Left.Store(n)
		err := r.queue.RunOne(t.Context(), id)
		reached := s.Left.Load() <= 0
		s.Left.Store(1 << 30)
		if err != nil && !errors.Is(err, jobs.ErrAgain) {
			t.Fatalf("read %d: %v", n, err)
		}
		body := r.file(t, r.finish(t, id))
		if whole == nil {
			whole = body
		}
		if !bytes.Equal(body, whole) {
			t.Fatalf("read %d fails: another file", n)
		}
		if !reached {
			break
		}
	}
}

// Equal requests at once are one job.
func TestEqualRequestsAtOnce(t *testing.T) {
	r := many(t, 60)
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			var a acceptedBody
			if w := get(r, "gpkg?state=3"); w.Code == 202 && json.Unmarshal(w.Body.Bytes(), &a) == nil {
				ids[i] = a.JobID
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("jobs %v, want one", ids)
		}
	}
}

// A client that has five exports open is told to come later; another is not.
func TestAClientHasFewJobs(t *testing.T) {
	r := many(t, 8)
	for i := range 6 {
		w := get(r, fmt.Sprintf("gpkg?kg=%d&job=1", 81001+i))
		if want := map[bool]int{true: 202, false: 429}[i < 5]; w.Code != want || want == 429 && w.Header().Get("Retry-After") == "" {
			t.Errorf("export %d: %d %s", i, w.Code, w.Body)
		}
	}
	q := httptest.NewRequest("GET", "/api/v1/export/gpkg?kg=81008&job=1", nil)
	q.RemoteAddr = "203.0.113.7:1"
	w := httptest.NewRecorder()
	if r.ServeHTTP(w, q); w.Code != 202 {
		t.Errorf("another client: %d %s", w.Code, w.Body)
	}
}
