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
