package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// recorded is what the service answers a request.
func (s *service) recorded(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// pass gives a recorded answer with another body.
func pass(w http.ResponseWriter, from *httptest.ResponseRecorder, body []byte) {
	for name, values := range from.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(from.Code)
	_, _ = w.Write(body)
}

// followed runs the mirror until the service answers from what is published last.
func followed(t *testing.T, s *service, url, dir string) Report {
	t.Helper()
	live, err := national.ReadLive(t.Context(), s.store)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		r, err := Run(t.Context(), Options{URL: url, Dir: dir, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if r.GeneratedAt == live.Pointer.PublishedAt {
			return r
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the service does not come to its last publication")
	return Report{}
}

// tree are the files of a directory by their path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Proxies between the mirror and the service: whatever they do, a mirror that says it is at a publication has its bytes,
// and is equal to one that is made anew.
func TestBehindProxies(t *testing.T) {
	container := func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/ne/9900") }
	heedless := func(*http.Request) bool { return true }
	caching := func(r *http.Request) bool { return r.Header.Get("Cache-Control") == "" }
	edit := func(change func([]byte) []byte) func(s *service, old map[string]*httptest.ResponseRecorder, w http.ResponseWriter,
		r *http.Request) bool {
		return func(s *service, _ map[string]*httptest.ResponseRecorder, w http.ResponseWriter, r *http.Request) bool {
			if !container(r) {
				return false
			}
			a := s.recorded(r)
			pass(w, a, change(bytes.Clone(a.Body.Bytes())))
			return true
		}
	}
	stale := func(wanted func(*http.Request) bool) func(s *service, old map[string]*httptest.ResponseRecorder, w http.ResponseWriter,
		r *http.Request) bool {
		return func(_ *service, old map[string]*httptest.ResponseRecorder, w http.ResponseWriter, r *http.Request) bool {
			a := old[r.URL.Path]
			if a == nil || !wanted(r) {
				return false
			}
			pass(w, a, a.Body.Bytes())
			return true
		}
	}
	for _, c := range []struct {
		name  string
		proxy func(s *service, old map[string]*httptest.ResponseRecorder, w http.ResponseWriter, r *http.Request) bool
		ends  bool // the mirror comes to the publication through the proxy
	}{
		{"containers of the publication before, until asked past the cache",
			stale(func(r *http.Request) bool { return container(r) && caching(r) }), true},
		{"containers of the publication before under their own address, whatever the headers ask",
			stale(func(r *http.Request) bool { return container(r) && r.URL.RawQuery == "" }), true},
		{"a service that knows no sums, behind a cache that heeds headers", func(_ *service, old map[string]*httptest.ResponseRecorder,
			w http.ResponseWriter, r *http.Request) bool {
			if a := old[r.URL.Path]; container(r) && r.URL.RawQuery != "" {
				http.Error(w, `{"error":"parameter sha256 is unknown"}`, http.StatusBadRequest)
				return true
			} else if a != nil && container(r) && caching(r) {
				pass(w, a, a.Body.Bytes())
				return true
			}
			return false
		}, true},
		{"containers of the publication before, whatever is asked",
			stale(func(r *http.Request) bool { return container(r) && heedless(r) }), false},
		{"one container of the publication before", stale(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/99002") }),
			false},
		{"the manifest of the publication before with the containers of now",
			stale(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/manifest") && caching(r) }), false},
		{"containers that are cut with the right Content-Length", edit(func(b []byte) []byte { return b[:len(b)-7] }), false},
		{"containers with something behind", edit(func(b []byte) []byte { return append(b, 0) }), false},
		{"another date in the header",
			edit(func(b []byte) []byte { return bytes.Replace(b, []byte(`"stichtag":"20`), []byte(`"stichtag":"19`), 1) }), false},
		{"a space moved in the header",
			edit(func(b []byte) []byte { return bytes.Replace(b, []byte(`{"format":2,`), []byte(`{"format": 2`), 1) }), false},
		{"a bit of a frame", edit(func(b []byte) []byte { b[len(b)-20] ^= 1; return b }), false},
		{"a container of another KG", func(s *service, _ map[string]*httptest.ResponseRecorder, w http.ResponseWriter,
			r *http.Request) bool {
			if !container(r) {
				return false
			}
			q := r.Clone(r.Context())
			q.URL.Path = r.URL.Path[:len(r.URL.Path)-5] + "99003"
			s.ServeHTTP(w, q)
			return true
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, url := serve(t)
			dir := t.TempDir()
			first := mirror(t, url, dir)
			old := map[string]*httptest.ResponseRecorder{}
			for _, path := range []string{"/manifest", "/99001", "/99002", "/99003"} {
				old["/context/api/v1/ne"+path] = s.recorded(httptest.NewRequest("GET", "/context/api/v1/ne"+path, nil))
			}
			publish(t, s.store, snapshot("99001", 5), snapshot("99002", 5), snapshot("99003", 1))
			live, err := national.ReadLive(t.Context(), s.store)
			if err != nil {
				t.Fatal(err)
			}
			for !strings.Contains(s.recorded(httptest.NewRequest("GET", "/context/api/v1/ne/manifest", nil)).Body.String(),
				live.Pointer.PublishedAt) {
				time.Sleep(5 * time.Millisecond)
			}
			s.before = func(w http.ResponseWriter, r *http.Request) bool { return c.proxy(s, old, w, r) }
			r, err := Run(t.Context(), Options{URL: url, Dir: dir, Jobs: 2})
			at := first.GeneratedAt
			if c.ends {
				at = live.Pointer.PublishedAt
			}
			if behind := strings.HasPrefix(c.name, "the manifest"); (err == nil) != (c.ends || behind) { // nothing is new by it
				t.Errorf("%+v, %v", r, err)
			}
			if got := tree(t, dir)["mirror.json"]; !strings.Contains(got, `"generated_at": "`+at+`"`) {
				t.Errorf("the mirror is not at %s:\n%s", at, got)
			}
			s.before = nil
			followed(t, s, url, dir)
			same(t, s, dir)
			fresh := t.TempDir()
			followed(t, s, url, fresh)
			if !maps.Equal(tree(t, dir), tree(t, fresh)) {
				t.Error("the mirror differs from one that is made anew")
			}
		})
	}
}

// A manifest that is older than what is here comes of a cache: it is asked for past it, and where that does not help
// nothing is changed.
func TestAManifestOfACache(t *testing.T) {
	s, url := serve(t)
	dir := t.TempDir()
	old := s.recorded(httptest.NewRequest("GET", "/context/api/v1/ne/manifest", nil))
	publish(t, s.store, snapshot("99001", 5), snapshot("99002", 1), snapshot("99003", 1))
	at := followed(t, s, url, dir).GeneratedAt
	before := tree(t, dir)
	for _, heeds := range []bool{true, false} {
		s.before = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/manifest") || heeds && r.Header.Get("Cache-Control") != "" {
				return false
			}
			pass(w, old, old.Body.Bytes())
			return true
		}
		r, err := Run(t.Context(), Options{URL: url, Dir: dir})
		if (err == nil) != heeds || heeds && r.GeneratedAt != at || r.Fetched != 0 {
			t.Errorf("heeds %v: %+v, %v", heeds, r, err)
		}
		if !maps.Equal(tree(t, dir), before) {
			t.Errorf("heeds %v: the mirror has changed", heeds)
		}
	}
}

// What a mirror of an earlier program holds is not known by its bytes: all is fetched again. A file that changed on the
// disk is, too.
func TestWhatIsHereIsHeldToItsSums(t *testing.T) {
	s, url := serve(t)
	dir := t.TempDir()
	mirror(t, url, dir)
	file := filepath.Join(dir, "kg", "99002.ne")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-20] ^= 1
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if r := mirror(t, url, dir); r.Fetched != 1 || r.Kept != 2 {
		t.Errorf("a file was changed: %+v", r)
	}
	same(t, s, dir)
	if err := os.WriteFile(filepath.Join(dir, "mirror.json"),
		[]byte(`{"format":1,"url":"`+url+`","generated_at":"2026-01-01T00:00:00.000Z","kgs":{"99001":"0123456789abcdef"}}`),
		0o644); err != nil {
		t.Fatal(err)
	}
	if r := mirror(t, url, dir); r.Fetched != 3 || r.Delta {
		t.Errorf("a mirror of format 1: %+v", r)
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
