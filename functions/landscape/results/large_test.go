package results

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/signed"
)

// large is a harness where results from 32 KB are large, of which 1 KB is held by a worker, and 4 MB are kept.
func large(t *testing.T, files store.Store) *harness {
	t.Helper()
	r, err := newHarness(sqlitetest.Open(t, sqlite.Options{}), files, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.works.Most, r.works.Memory, r.works.Whole, r.desk.Whole = 4<<20, 1<<10, 32<<10, 32<<10
	return r
}

// A question that is too large for a record is kept in the store, and removed after its week.
func TestLargeQuestions(t *testing.T) {
	r := open(t)
	body := fmt.Sprintf(`{"n":1,"fault":"%s"}`, strings.Repeat("y", jobs.MaxPayload))
	id := r.ask(t, "", body)
	if len(r.objects(t)) != 1 || r.finish(t, id).Status != tasks.Done {
		t.Errorf("%v %+v", r.objects(t), r.progress(t, id))
	}
	if again := r.ask(t, "", body); again != id {
		t.Error("it is not the same task")
	}
}

// A result that is larger than what is kept is refused in words.
func TestResultsThatAreTooLarge(t *testing.T) {
	r := large(t, mem.New())
	s := r.finish(t, r.ask(t, "", `{"n":1,"bytes":5000000}`))
	if s.Status != tasks.Failed || !strings.Contains(*s.Error, "more than the 4 MB that are kept") {
		t.Errorf("%+v", s)
	}
}

// A large result is the answer byte for byte, in parts and as a share too, under each of its names; its GeoPackage has all
// of its features.
func TestLargeResults(t *testing.T) {
	r := large(t, mem.New())
	body := `{"n":1,"features":2000}`
	at := fixture.Ask(r, "POST", "/api/v1/sum", body)
	id := r.ask(t, "", body)
	if s := r.finish(t, id); s.Status != tasks.Done {
		t.Fatalf("%+v", s)
	}
	w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
	want, got := timed.ReplaceAllString(strings.TrimSpace(at.Body.String()), ""), timed.ReplaceAllString(w.Body.String(), "")
	if w.Code != 200 || got != want || len(got) < 100_000 || w.Header().Get("Accept-Ranges") != "bytes" {
		t.Errorf("%d: %d bytes, want %d, %v", w.Code, len(got), len(want), w.Header())
	}
	q := httptest.NewRequest("GET", "/api/v1/segment/result?task_id="+id, nil)
	q.Header.Set("Range", "bytes=70000-70099")
	part := httptest.NewRecorder()
	r.ServeHTTP(part, q)
	if part.Code != 206 || part.Body.String() != w.Body.String()[70000:70100] {
		t.Errorf("a part: %d %q", part.Code, part.Body)
	}
	if _, err := r.desk.Shares().Rename(t.Context(), "auto-"+id, "much"); err != nil {
		t.Fatal(err)
	}
	share := fixture.Ask(r, "GET", "/api/v1/share/much", "").Body.String()
	if !strings.HasPrefix(share, `{"name":"much","expires_at":null,"kind":"sum",`) ||
		!strings.HasSuffix(share, `,"result":`+w.Body.String()+"}") {
		t.Errorf("%.200s", share)
	}
	if again := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); again.Body.String() != w.Body.String() {
		t.Error("the result of a share that was renamed is another")
	}
	description := r.described(t, "/api/v1/share/much/download.gpkg")
	if n := strings.Count(description, "Feature Count: 500"); n != 4 {
		t.Errorf("%d layers of 500 features, want 4", n)
	}
}

// A store with addresses is where large results are fetched, with what they are; small ones come from the service, and large ones
// too where that is asked for.
func TestLargeResultsElsewhere(t *testing.T) {
	files, err := signed.New(mem.New(), "http://127.0.0.1:1/files", []byte("a secret of sixteen bytes"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := large(t, files)
	id, small := r.ask(t, "", `{"n":1,"features":400}`), r.ask(t, "", `{"n":1,"features":4}`)
	r.finish(t, id)
	r.finish(t, small)
	for _, path := range []string{"/api/v1/segment/result?task_id=", "/api/v1/share/auto-"} {
		behind := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
		if w := fixture.Ask(r, "GET", path+small, ""); w.Code != 200 {
			t.Errorf("%s: a small one is %d", path, w.Code)
		}
		here := fixture.Ask(r, "GET", path+id+behind+"redirect=false", "")
		w := fixture.Ask(r, "GET", path+id, "")
		to := w.Header().Get("Location")
		if w.Code != 303 || here.Code != 200 || w.Header().Get("X-Data-Attribution") == "" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: %d to %s, here %d, %v", path, w.Code, to, here.Code, w.Header())
		}
		there := fixture.Ask(files, "GET", to, "")
		if there.Code != 200 || there.Body.String() != here.Body.String() ||
			there.Header().Get("Content-Type") != here.Header().Get("Content-Type") {
			t.Errorf("%s: the store gives %d, %d bytes of %s, the service %d of %s", path, there.Code, there.Body.Len(),
				there.Header().Get("Content-Type"), here.Body.Len(), here.Header().Get("Content-Type"))
		}
	}
	s := r.finish(t, r.ask(t, "", `{"n":2,"features":500}`))
	if left := r.objects(t); s.Status != tasks.Done || len(left) != 5 {
		t.Errorf("%+v, objects %v", s, left)
	}
}
