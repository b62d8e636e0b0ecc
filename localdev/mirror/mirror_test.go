package mirror

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/builders/national"
	"mappe/functions/families"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// service is the context service over a store, with what a test puts before it.
type service struct {
	store  store.Store
	lib    *library.Library
	before func(w http.ResponseWriter, r *http.Request) bool // true: it has answered
	asked  atomic.Int64
	http.Handler
}

func snapshot(code string, seed uint64) *kgfile.Snapshot {
	return kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(code), Parcels: 30, Segments: 1, AreaKm2: 0.2, Seed: seed})
}

func publish(t *testing.T, st store.Store, snaps ...*kgfile.Snapshot) {
	t.Helper()
	if _, err := national.PublishSnapshots(t.Context(), st, snaps...); err != nil {
		t.Fatal(err)
	}
}

func serve(t *testing.T) (*service, string) {
	t.Helper()
	s := &service{store: mem.New()}
	publish(t, s.store, snapshot("99001", 1), snapshot("99002", 1), snapshot("99003", 1))
	var err error
	if s.lib, err = library.Open(t.Context(), s.store, library.Options{Refresh: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	for _, m := range families.All(families.Deps{Library: s.lib}) {
		if m.Prefix == "/context" {
			if s.Handler, err = m.Handler(); err != nil {
				t.Fatal(err)
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		if s.before == nil || !s.before(w, r) {
			s.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return s, server.URL + "/context"
}

func mirror(t *testing.T, url, dir string) Report {
	t.Helper()
	r, err := Run(t.Context(), Options{URL: url, Dir: dir, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same says whether the directory has what the store publishes, and nothing else.
func same(t *testing.T, s *service, dir string) {
	t.Helper()
	live, err := national.ReadLive(t.Context(), s.store)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "kg", "*"))
	if err != nil || len(files) != len(live.Manifest.KGs) {
		t.Errorf("%d files of %d KGs, %v", len(files), len(live.Manifest.KGs), err)
	}
	for _, k := range live.Manifest.KGs {
		want, _, err := store.ReadAll(t.Context(), s.store, k.Artefacts[ne.KGArtefact].Key, 1<<24, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "kg", string(k.Code)+".ne")); err != nil || string(got) != string(want) {
			t.Errorf("KG %s differs: %v", k.Code, err)
		}
	}
}

func TestAMirrorFollowsTheService(t *testing.T) {
	s, url := serve(t)
	dir := t.TempDir()
	if r := mirror(t, url, dir); r.Fetched != 3 || r.Delta || r.KGs != 3 || r.GeneratedAt == "" {
		t.Errorf("the first run: %+v", r)
	}
	if n := s.asked.Load(); n != 5 {
		t.Errorf("the manifest, three containers and their one dictionary took %d requests", n)
	}
	same(t, s, dir)
	s.asked.Store(0)
	if r := mirror(t, url, dir); r.Fetched != 0 || !r.Delta || r.Kept != 3 || s.asked.Load() != 1 {
		t.Errorf("nothing is new: %+v, %d requests", r, s.asked.Load())
	}
	publish(t, s.store, snapshot("99001", 1), snapshot("99002", 2), snapshot("99003", 1))
	r := mirror(t, url, dir)
	for range 100 { // the service looks at the pointer while it answers from what it has
		if r.Fetched > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
		r = mirror(t, url, dir)
	}
	if r.Fetched == 0 || !r.Delta {
		t.Errorf("a KG was built anew: %+v", r)
	}
	same(t, s, dir)
	if err := os.Remove(filepath.Join(dir, "kg", "99003.ne")); err != nil { // a delta would not name it
		t.Fatal(err)
	}
	if r := mirror(t, url, dir); r.Fetched != 1 || r.Delta {
		t.Errorf("a file was lost: %+v", r)
	}
	same(t, s, dir)
}

// Answers that break off in the middle are continued; what is busy is asked again.
func TestABrokenLineIsContinued(t *testing.T) {
	s, url := serve(t)
	var cut, refused, ranges atomic.Int64
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/ne/9900") {
			return false
		}
		if r.Header.Get("Range") != "" {
			ranges.Add(1)
		}
		if refused.Add(1) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		if cut.Add(1) > 3 {
			return false
		}
		w2 := httptest.NewRecorder()
		s.ServeHTTP(w2, r)
		for name, values := range w2.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(w2.Code)
		_, _ = w.Write(w2.Body.Bytes()[:w2.Body.Len()/2]) // less than Content-Length: the connection breaks
		return true
	}
	dir := t.TempDir()
	if r := mirror(t, url, dir); r.Fetched != 3 {
		t.Errorf("%+v", r)
	}
	if ranges.Load() == 0 {
		t.Error("no download was continued")
	}
	same(t, s, dir)
}

// A run that was stopped goes on: what is here is not fetched again.
func TestAStoppedRunGoesOn(t *testing.T) {
	s, url := serve(t)
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	_, err := Run(ctx, Options{URL: url, Dir: dir, Jobs: 1, Progress: func(done, _ int, _ int64) {
		if done == 2 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if r := mirror(t, url, dir); r.Fetched != 1 || r.Kept != 2 {
		t.Errorf("%+v", r)
	}
	same(t, s, dir)
}

func TestWhatIsDamagedIsRefused(t *testing.T) {
	s, url := serve(t)
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/ne/99002") {
			return false
		}
		w2 := httptest.NewRecorder()
		s.ServeHTTP(w2, r)
		b := w2.Body.Bytes()
		b[len(b)-20] ^= 1
		w.Header().Set("ETag", w2.Header().Get("ETag"))
		_, _ = w.Write(b)
		return true
	}
	dir := t.TempDir()
	r, err := Run(t.Context(), Options{URL: url, Dir: dir, Jobs: 1})
	if !errors.Is(err, ne.ErrContainer) || !strings.Contains(err.Error(), "99002") || r.GeneratedAt != "" {
		t.Fatalf("%+v %v", r, err)
	}
	s.before = nil
	if r := mirror(t, url, dir); r.Delta || r.KGs != 3 {
		t.Errorf("%+v", r)
	}
	same(t, s, dir)
}

func TestAForeignDirectory(t *testing.T) {
	_, url := serve(t)
	dir := t.TempDir()
	mirror(t, url, dir)
	for _, c := range []struct{ url, dir, want string }{
		{"ftp://x", dir, "expected that of a context service"},
		{strings.Replace(url, "127.0.0.1", "localhost", 1), dir, "choose another directory"},
		{strings.TrimSuffix(url, "context") + "cadastre", t.TempDir(), "404"},
	} {
		if _, err := Run(t.Context(), Options{URL: c.url, Dir: c.dir}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "mirror.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{URL: url, Dir: dir}); err == nil {
		t.Error("a foreign mirror.json was taken")
	}
}
