package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/archive"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	standin "mappe/localdev/repository"
	"mappe/shared/austria"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

const code = austria.KGCode("30001")

// harness is a store with one KG, and the stand-in. mu guards what the stand-in's goroutines see.
type harness struct {
	mu       sync.Mutex
	store    *mem.Store
	standin  *standin.Server
	client   *repository.Client
	fault    func(*http.Request) standin.Fault
	requests int
	waited   time.Duration
	now      time.Time
	served   manifest.Entry
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	r := &harness{store: mem.New(), now: time.Unix(1_790_000_000, 0)}
	var s *standin.Server
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { s.ServeHTTP(w, q) }))
	t.Cleanup(server.Close)
	var err error
	if s, err = standin.New(standin.Options{Dir: t.TempDir(), Base: server.URL, Token: "secret", PerMinute: 1 << 20, Now: r.clock,
		Fault: func(q *http.Request) standin.Fault {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.requests++
			if r.fault == nil {
				return standin.Fault{}
			}
			return r.fault(q)
		}}); err != nil {
		t.Fatal(err)
	}
	r.standin = s
	if r.client, err = repository.New(repository.Options{Base: server.URL, Token: func(context.Context) (string, error) {
		return "secret",
			nil
	},
		Pause: func(ctx context.Context, d time.Duration) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.waited += d
			r.now = r.now.Add(d)
			return ctx.Err()
		}, Now: r.clock}); err != nil {
		t.Fatal(err)
	}
	r.publish(t, 1, "2026-10-01")
	return r
}

func (r *harness) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// breaks has requests answered with faults from now on; nil ends it. The function is called one request at a time.
func (r *harness) breaks(f func(*http.Request) standin.Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault, r.requests = f, 0
}

// publish serves a snapshot of the KG; another seed is other data.
func (r *harness) publish(t testing.TB, seed uint64, date string) manifest.Entry {
	t.Helper()
	r.served = r.publishKG(t, code, seed, date)
	return r.served
}

func (r *harness) publishKG(t testing.TB, code austria.KGCode, seed uint64, date string) manifest.Entry {
	t.Helper()
	e := manifest.Entry{Code: code, Name: "Probe", Stichtag: date, Snapshot: string(code) + "-" + date, Parcels: 20}
	for form, to := range map[keys.Form]*manifest.Object{
		keys.KGS: &e.Forms.KGS, keys.GeoParquet: &e.Forms.GeoParquet, keys.GeoJSON: &e.Forms.GeoJSON, keys.GeoPackage: &e.Forms.GeoPackage,
		keys.PMTiles: &e.Forms.PMTiles, keys.Quality: &e.Quality,
	} {
		body := bytes.Repeat(fmt.Appendf(nil, "%s %d;", form, seed), 5000)
		key := keys.Snapshot{Code: code, Date: date, Sum: keys.Sum(body), Form: form}
		*to = objects.Of(key, body)
		if err := objects.Put(t.Context(), r.store, key, body); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func (r *harness) entry(testing.TB) manifest.Entry { return r.served }

func (r *harness) archive(s store.Store) Archive {
	return Archive{Store: s, Repository: r.client, Creator: "Mappe"}
}

func (r *harness) put(t testing.TB, s store.Store) error {
	t.Helper()
	_, err := r.archive(s).Put(t.Context(), r.entry(t), "© BEV, 2026")
	return err
}

// sound says that the repository holds exactly these dates, each once, whole, and that journal and manifest say so.
func (r *harness) sound(t testing.TB, dates ...string) {
	t.Helper()
	all, err := r.standin.Published()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range all {
		got = append(got, p.Title[6:16])
		if p.Concept != all[0].Concept {
			t.Errorf("record %d is of concept %d, the first of %d", p.ID, p.Concept, all[0].Concept)
		}
	}
	if !slices.Equal(got, dates) {
		t.Fatalf("the repository has %v, want %v", got, dates)
	}
	if n, err := r.standin.Drafts(); n != 0 || err != nil {
		t.Errorf("%d drafts are left, %v", n, err)
	}
	j, _, err := readJournal(t.Context(), r.store, code)
	if err != nil || j.Draft != nil || len(j.Records) != len(dates) {
		t.Fatalf("%+v, %v", j, err)
	}
	for i, rec := range j.Records {
		if rec.ID != all[i].ID || len(rec.Files) != 6 || len(all[i].Files) != 6 {
			t.Errorf("record %d: %+v, the repository has %+v", i, rec, all[i])
		}
		for _, f := range rec.Files {
			if all[i].Files[f.Name] != f.MD5 || f.MD5 == "" {
				t.Errorf("%s: MD5 %s, the repository has %s", f.Name, f.MD5, all[i].Files[f.Name])
			}
		}
	}
	b, _, err := store.ReadAll(t.Context(), r.store, keys.ArchiveManifest{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := archive.ParseManifest(b)
	if err != nil || m.KGs != 1 || m.Snapshots != len(dates) || m.List[0].Record != all[len(all)-1].ID {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestASnapshotIsArchivedOnceAndTheNextIsAVersion(t *testing.T) {
	r := newHarness(t)
	for range 3 {
		if err := r.put(t, r.store); err != nil {
			t.Fatal(err)
		}
	}
	r.sound(t, "2026-10-01")
	r.publish(t, 2, "2027-01-01")
	for range 2 {
		if err := r.put(t, r.store); err != nil {
			t.Fatal(err)
		}
	}
	r.sound(t, "2026-10-01", "2027-01-01")
}

// An earlier snapshot that is served again is archived already.
func TestWhatIsServedAgainIsNotArchivedAgain(t *testing.T) {
	r := newHarness(t)
	for i, seed := range []uint64{1, 2, 1} {
		r.publish(t, seed, []string{"2026-10-01", "2027-01-01", "2026-10-01"}[i])
		if err := r.put(t, r.store); err != nil {
			t.Fatal(err)
		}
	}
	r.sound(t, "2026-10-01", "2027-01-01")
}

// The worker dies at each write of the store, before it or after it; the next goes on, and nothing is archived twice.
func TestTheStoreFailsAtEveryWrite(t *testing.T) {
	for _, stored := range []bool{false, true} {
		for n := int64(1); ; n++ {
			r := newHarness(t)
			if n%3 == 0 { // as a second version
				if err := r.put(t, r.store); err != nil {
					t.Fatal(err)
				}
				r.publish(t, 2, "2027-01-01")
			}
			f := &storetest.Faulty{Store: r.store, FailAt: n, Stored: stored, Dead: true}
			err := r.put(t, f)
			if f.Writes() < n {
				if err != nil || n < 8 {
					t.Fatalf("write %d: %v", n, err)
				}
				break
			}
			if err == nil {
				t.Errorf("write %d fails, and nobody says so", n)
			}
			if err := r.put(t, r.store); err != nil {
				t.Fatalf("write %d, stored %v: the next worker: %v", n, stored, err)
			}
			if n%3 == 0 {
				r.sound(t, "2026-10-01", "2027-01-01")
			} else {
				r.sound(t, "2026-10-01")
			}
		}
	}
}

// Each request of the repository fails for good (the worker dies), before it is carried out or after it.
func TestTheRepositoryFailsAtEveryRequest(t *testing.T) {
	for name, f := range map[string]standin.Fault{
		"break":            {Break: true},
		"break but stored": {Break: true, Stored: true},
		"500":              {Status: 500},
		"500 but stored":   {Status: 500, Stored: true},
		"503":              {Status: 503},
	} {
		for n := 1; ; n++ {
			r := newHarness(t)
			second := n%2 == 0
			if second {
				if err := r.put(t, r.store); err != nil {
					t.Fatal(err)
				}
				r.publish(t, 2, "2027-01-01")
			}
			var dead atomic.Bool
			r.breaks(func(*http.Request) standin.Fault {
				if r.requests >= n {
					dead.Store(true)
					if r.requests > n {
						return standin.Fault{Break: true}
					}
					return f
				}
				return standin.Fault{}
			})
			err := r.put(t, r.store)
			if !dead.Load() {
				if err != nil || n < 10 {
					t.Fatalf("%s %d: %v", name, n, err)
				}
				break
			}
			if err == nil {
				t.Errorf("%s at request %d: nobody says so", name, n)
			}
			r.breaks(nil)
			if err := r.put(t, r.store); err != nil {
				t.Fatalf("%s at request %d: the next worker: %v", name, n, err)
			}
			if second {
				r.sound(t, "2026-10-01", "2027-01-01")
			} else {
				r.sound(t, "2026-10-01")
			}
		}
	}
}

// A break, a 5xx and a 429 that pass are not seen by the caller where the request may be repeated.
func TestWhatPassesIsWaitedFor(t *testing.T) {
	for name, f := range map[string]standin.Fault{"break": {Break: true}, "502": {Status: 502}, "429": {Status: 429, RetryAfter: "7"},
		"wrong checksum": {Checksum: "md5:" + strings.Repeat("0", 32), Stored: true}} {
		r := newHarness(t)
		seen := map[string]bool{}
		r.breaks(func(q *http.Request) standin.Fault {
			what := q.Method + q.URL.Path
			if seen[what] || q.Method == http.MethodPost && f.Status != 429 {
				return standin.Fault{}
			}
			seen[what] = true
			return f
		})
		if err := r.put(t, r.store); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Status == 429 && r.waited < 7*time.Second {
			t.Errorf("a 429 with Retry-After 7 was waited for %s", r.waited)
		}
		r.sound(t, "2026-10-01")
	}
}

// An upload whose checksum stays wrong is no record.
func TestAWrongChecksumIsNeverPublished(t *testing.T) {
	r := newHarness(t)
	r.breaks(func(q *http.Request) standin.Fault {
		return standin.Fault{Checksum: "md5:" + strings.Repeat("0", 32)}
	})
	if err := r.put(t, r.store); !errors.Is(err, repository.ErrChecksum) {
		t.Fatalf("got %v", err)
	}
	r.breaks(nil)
	if all, err := r.standin.Published(); err != nil || len(all) > 0 {
		t.Fatalf("published: %v, %v", all, err)
	}
	if err := r.put(t, r.store); err != nil {
		t.Fatal(err)
	}
	r.sound(t, "2026-10-01")
}

// An object of the store that is not what its name says is not archived.
func TestADamagedObjectIsNotArchived(t *testing.T) {
	r := newHarness(t)
	e := r.entry(t)
	key := e.Forms.GeoPackage.Key
	b, _, err := store.ReadAll(t.Context(), r.store, key, 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{append(bytes.Clone(b[:len(b)-1]), b[len(b)-1]^1), b[:len(b)-1]} {
		if err := r.store.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if _, err := r.store.Put(t.Context(), key, damaged, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := r.put(t, r.store); !errors.Is(err, ErrDamaged) {
			t.Errorf("got %v", err)
		}
	}
	if all, err := r.standin.Published(); err != nil || len(all) > 0 {
		t.Errorf("published: %v, %v", all, err)
	}
}

// What was taken out of the store comes back from the repository, byte for byte, though the download breaks off; what is
// archived wrongly does not.
func TestRestore(t *testing.T) {
	r := newHarness(t)
	if err := r.put(t, r.store); err != nil {
		t.Fatal(err)
	}
	e := r.entry(t)
	had := map[string][]byte{}
	for _, o := range e.Forms.All() {
		b, _, err := store.ReadAll(t.Context(), r.store, o.Key, 1<<30, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		had[o.Key] = b
		if err := r.store.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
	}
	broken := map[string]bool{}
	r.breaks(func(q *http.Request) standin.Fault {
		once := strings.HasPrefix(q.URL.Path, "/api/files/") && !broken[q.URL.Path]
		broken[q.URL.Path] = true
		return standin.Fault{Break: once}
	})
	n, err := r.archive(r.store).Restore(t.Context(), e)
	if err != nil || n != len(had) {
		t.Fatalf("%d restored, %v", n, err)
	}
	for key, want := range had {
		got, _, err := store.ReadAll(t.Context(), r.store, key, 1<<30, store.GetOptions{})
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", key, err)
		}
	}
	if n, err := r.archive(r.store).Restore(t.Context(), e); n != 0 || err != nil {
		t.Errorf("a second time: %d, %v", n, err)
	}
	e.Forms.KGS.SHA256 = strings.Repeat("0", 64)
	if _, err := r.archive(r.store).Restore(t.Context(), e); !errors.Is(err, ErrNotArchived) {
		t.Errorf("another snapshot: %v", err)
	}
}

// Workers of many KGs write the one manifest.
func TestManyKGsShareTheManifest(t *testing.T) {
	r := newHarness(t)
	var wait []chan error
	for i := range 8 {
		j := archive.Journal{Format: 1, Code: austria.KGCode(fmt.Sprint(40001 + i)), Concept: "1",
			Records: []archive.Record{{ID: int64(i + 1), Date: "2026-10-01", Files: []archive.File{{Bytes: 10}}}}}
		done := make(chan error, 1)
		wait = append(wait, done)
		go func() { done <- r.archive(r.store).list(t.Context(), j) }()
	}
	for _, w := range wait {
		if err := <-w; err != nil {
			t.Fatal(err)
		}
	}
	b, _, err := store.ReadAll(t.Context(), r.store, keys.ArchiveManifest{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := archive.ParseManifest(b); err != nil || m.KGs != 8 || m.Bytes != 80 {
		t.Errorf("%+v, %v", m, err)
	}
}

// Eviction takes the longest unused first, only what is archived, and only as much as is needed; the index comes before
// the first deletion, so that a worker that dies leaves no object missing that the index does not name.
func TestEviction(t *testing.T) {
	r := newHarness(t)
	var served []manifest.Entry
	for i := range 4 {
		e := r.publishKG(t, austria.KGCode(fmt.Sprint(30001+i)), uint64(i), "2026-10-01")
		served = append(served, e)
		if i == 1 {
			continue // not archived
		}
		rec := archive.RecordOf(e)
		rec.ID = 1
		b, err := manifest.Encode(archive.Journal{Format: 1, Code: e.Code, Records: []archive.Record{rec}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.store.Put(t.Context(), keys.ArchiveJournal{Code: e.Code}.String(), b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	used := func(code austria.KGCode) time.Time { // 30003 is the longest unused, then 30002, 30001
		return time.Unix(1_000_000+map[austria.KGCode]int64{"30001": 3, "30002": 2, "30003": 1, "30004": 4}[code], 0)
	}
	one := int64(0)
	for _, o := range served[0].Forms.Evictable() {
		one += o.Bytes
	}
	if done, err := (Eviction{Store: r.store, Budget: 5 * one, Used: used}).Run(t.Context(), served); err != nil || len(done.KGs) > 0 ||
		done.Left < 3*one {
		t.Errorf("within the budget: %+v, %v", done, err)
	}
	for n := int64(1); n <= 5; n++ { // dies at a write
		f := &storetest.Faulty{Store: r.store, FailAt: n, Stored: n%2 == 0, Dead: true}
		_, err := Eviction{Store: f, Budget: 2*one + one/2, Used: used}.Run(t.Context(), served)
		if err == nil && f.Writes() >= n {
			t.Errorf("write %d fails, and nobody says so", n)
		}
		index, _, _ := store.ReadAll(t.Context(), r.store, keys.Availability{}.String(), 1<<20, store.GetOptions{})
		for _, e := range served {
			for _, o := range e.Forms.Evictable() {
				if _, err := r.store.Head(t.Context(), o.Key); err != nil && !strings.Contains(string(index), e.Forms.KGS.SHA256) {
					t.Errorf("write %d: %s is gone, and the index does not say so", n, o.Key)
				}
			}
		}
	}
	done, err := Eviction{Store: r.store, Budget: 2*one + one/2, Used: used}.Run(t.Context(), served)
	if err != nil || done.Left > 2*one+one/2 {
		t.Errorf("%+v, %v", done, err)
	}
	for i, e := range served {
		_, err := r.store.Head(t.Context(), e.Forms.KGS.Key)
		if want := i == 0 || i == 2; errors.Is(err, store.ErrNotFound) != want {
			t.Errorf("KG %s: %v, want it evicted: %v", e.Code, err, want)
		}
	}
}

// The folder of journals is deleted: the same snapshot is not published a second time, another one is a version of the same record.
func TestDrillTheJournalsAreLost(t *testing.T) {
	r := newHarness(t)
	lose := func() {
		t.Helper()
		for info, err := range r.store.List(t.Context(), "archive/") {
			if err == nil {
				err = r.store.Delete(t.Context(), info.Key)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		if err := r.put(t, r.store); err != nil {
			t.Fatal(err)
		}
		r.sound(t, "2026-10-01")
		lose()
	}
	e := r.publish(t, 2, "2027-01-01")
	if err := r.put(t, r.store); err != nil {
		t.Fatal(err)
	}
	all, err := r.standin.Published()
	if err != nil || len(all) != 2 || all[0].Concept != all[1].Concept {
		t.Fatalf("%+v, %v", all, err)
	}
	j, _, err := readJournal(t.Context(), r.store, code)
	if _, ok := j.Find(e.Forms.KGS.SHA256); err != nil || !ok || len(j.Records) != 1 {
		t.Errorf("%+v, %v", j, err)
	}
	lose()
	if _, err := r.archive(r.store).Restore(t.Context(), e); !errors.Is(err, ErrNotArchived) {
		t.Errorf("without a journal it cannot be told what is archived: %v", err)
	}
}
