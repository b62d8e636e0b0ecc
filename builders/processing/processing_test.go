package processing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/builders/proximity"
	"mappe/builders/source/rasters"
	"mappe/builders/source/terrain"
	"mappe/infra/oracles"
	"mappe/localdev/demo"
	standin "mappe/localdev/repository"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// The KGs of the demo country that are built fastest: two of few parcels, one on little ground, of another district. Small alone
// has a snapshot at first.
const (
	small  = austria.KGCode("99204")
	beside = austria.KGCode("99206") // of the district of small
	other  = austria.KGCode("09904")
)

// country is the demo country's source, made once; tests begin with copies of its stores.
var country struct {
	sync.Once
	dir      string
	source   *national.Source
	first    *mem.Store // the first generation
	unjoined *mem.Store // and another after it, of unjoin
}

func TestMain(m *testing.M) {
	if os.Getenv(killedDir) != "" {
		workUntilKilled()
	}
	dir, err := os.MkdirTemp("", "processing-*")
	if err != nil {
		panic(err)
	}
	country.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// world is a store with the first generation: small alone is served.
func world(t testing.TB) (*mem.Store, *national.Source) {
	t.Helper()
	country.Do(func() {
		if _, err := demo.Generate(t.Context(), country.dir,
			demo.Options{Without: []string{"community map", "terrain", "laser scans", "earlier dates", "truth"}}); err != nil {
			t.Fatal(err)
		}
		// The work on a KG publishes the country each time. What is drawn of the community map and of heights has nothing to do
		// with the KG, and takes longer than all the rest.
		for _, folder := range []string{proximity.Folder, terrain.Folder, rasters.Folder} {
			if err := os.RemoveAll(filepath.Join(country.dir, folder)); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if country.source, err = national.OpenSource(context.Background(), national.SourceOptions{Dir: country.dir}); err != nil {
			t.Fatal(err)
		}
		first := mem.New()
		if _, err := (building{store: first, source: country.source, kg: small}).do(t.Context()); err != nil {
			t.Fatal(err)
		}
		country.first, country.unjoined = first, first.Clone()
		unjoin(t, country.unjoined)
	})
	if country.first == nil {
		t.Fatal("the demo country could not be made")
	}
	return country.first.Clone(), country.source
}

// rig is a worker over the world with the stand-in of the repository.
type rig struct {
	*Worker
	queue   *jobs.Queue
	ledger  ledger.Ledger
	mem     *mem.Store
	standin *standin.Server
	ahead   atomic.Int64
	broken  atomic.Bool // the repository gives no answer
}

// newRigUnjoined is a rig whose KG is of an earlier ingest generation.
func newRigUnjoined(t testing.TB) *rig {
	t.Helper()
	r := newRig(t)
	r.mem = country.unjoined.Clone()
	r.over(r.mem)
	return r
}

func (r *rig) now() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) }

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{}
	st, source := world(t)
	r.mem = st
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.standin.ServeHTTP(w, q) }))
	t.Cleanup(server.Close)
	var err error
	if r.standin, err = standin.New(standin.Options{Dir: t.TempDir(), Base: server.URL, Token: "secret", PerMinute: 1 << 20,
		Fault: func(*http.Request) standin.Fault { return standin.Fault{Break: r.broken.Load()} }}); err != nil {
		t.Fatal(err)
	}
	client, err := repository.New(repository.Options{Base: server.URL, Token: func(context.Context) (string, error) {
		return "secret", nil
	},
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if err != nil {
		t.Fatal(err)
	}
	l := sqlitetest.Open(t, sqlite.Options{})
	r.ledger = l
	r.Worker = &Worker{Store: st, Source: func(context.Context) (*national.Source, error) { return source, nil },
		Log: slog.New(slog.DiscardHandler), Now: r.now,
		Archive: &archive.Archive{Store: st, Repository: client, Creator: "Mappe"}}
	if r.queue, err = r.NewQueue(l); err != nil {
		t.Fatal(err)
	}
	return r
}

// over has the worker and its archive work over another store.
func (r *rig) over(s store.Store) {
	r.Worker.Store, r.Worker.Archive.Store = s, s
}

// every is how many writes lie between two that fail: a long run leaves none out.
func every(t testing.TB, quick int64) int64 {
	if oracles.Soak(t) > 0 {
		return 1
	}
	return quick
}

func (r *rig) order(t testing.TB, kind string, o processing.Order) jobs.Job {
	t.Helper()
	j, _, err := processing.Submit(t.Context(), r.queue, kind, "192.0.2.1", o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// finish does attempts until a job has ended.
func (r *rig) finish(t testing.TB, id string) jobs.Job {
	t.Helper()
	for range 20 {
		err := r.queue.RunOne(t.Context(), id)
		j, getErr := r.queue.Get(t.Context(), id)
		if getErr != nil {
			t.Fatal(getErr)
		}
		if j.State.Final() {
			return j
		}
		if err == nil {
			t.Fatalf("the attempt has ended, and the job is %s", j.State)
		}
		r.ahead.Add(int64(2 * time.Hour)) // past every pause and lease
	}
	t.Fatalf("%s did not end", id)
	return jobs.Job{}
}

func (r *rig) done(t testing.TB, kind string, o processing.Order) processing.Result {
	t.Helper()
	j := r.finish(t, r.order(t, kind, o).ID)
	if j.State != jobs.Done {
		t.Fatalf("%s of %s: %s %s", kind, o.KG, j.State, j.Error)
	}
	res, err := processing.ReadResult(j)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func (r *rig) live(t testing.TB) national.Live {
	t.Helper()
	live, err := national.ReadLive(t.Context(), r.mem)
	if err != nil {
		t.Fatal(err)
	}
	return live
}

// entry is the KG as it is served now.
func (r *rig) entry(t testing.TB, code austria.KGCode) (manifest.Entry, bool) {
	t.Helper()
	live := r.live(t)
	return live.Manifest.Find(code)
}

// whole says that everything which is served can be read and is what its name says.
func (r *rig) whole(t testing.TB) {
	t.Helper()
	c, err := national.Check(t.Context(), r.mem, func(rowschema.Quality) {})
	if err != nil || len(c.Broken) > 0 {
		t.Fatalf("%v %v", c.Broken, err)
	}
}

func TestAKGIsProcessedPublishedAndArchived(t *testing.T) {
	r := newRig(t)
	before := r.live(t)
	res := r.done(t, processing.Process, processing.Order{KG: other})
	live := r.live(t)
	e, ok := live.Manifest.Find(other)
	if !ok || !res.Changed || res.Generation != live.Pointer.Generation || res.Generation == before.Pointer.Generation ||
		res.Snapshot != e.Snapshot || res.Parcels != e.Parcels || e.Parcels == 0 {
		t.Fatalf("%+v, served %+v", res, e)
	}
	was, _ := before.Manifest.Find(small)
	if now, _ := live.Manifest.Find(small); now.Forms != was.Forms || now.Versions != was.Versions {
		t.Error("another KG was changed")
	}
	r.whole(t)
	j, err := processing.Find(t.Context(), r.queue, processing.Archive, other)
	if err != nil {
		t.Fatal(err)
	}
	if j = r.finish(t, j.ID); j.State != jobs.Done {
		t.Fatalf("%+v", j)
	}
	all, err := r.standin.Published()
	if err != nil || len(all) != 1 || !strings.HasPrefix(all[0].Title, e.Snapshot+":") || len(all[0].Files) != 6 {
		t.Errorf("%+v, %v", all, err)
	}
	ends, err := processing.ReadEnds(t.Context(), r.ledger, processing.Process)
	if err != nil || ends.Done != 1 || ends.Failed != 0 {
		t.Errorf("%+v, %v", ends, err)
	}
}

// Processing what did not change publishes nothing, forced or not, and archives it once.
func TestTheSameDataIsNothingNew(t *testing.T) {
	r := newRig(t)
	before := r.live(t)
	for i, force := range []bool{false, true, true} {
		res := r.done(t, processing.Process, processing.Order{KG: small, Force: force})
		if res.Changed || res.Generation != before.Pointer.Generation {
			t.Errorf("run %d: %+v", i, res)
		}
		j, err := processing.Find(t.Context(), r.queue, processing.Archive, small)
		if err != nil {
			t.Fatal(err)
		}
		r.finish(t, j.ID)
	}
	if all, err := r.standin.Published(); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// What was lost from the store is written again by a processing, in the same generation.
func TestProcessingBringsBackWhatIsLost(t *testing.T) {
	r := newRig(t)
	before := r.live(t)
	e, _ := before.Manifest.Find(small)
	for _, o := range e.Forms.All() {
		if err := r.mem.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
	}
	if res := r.done(t, processing.Process, processing.Order{KG: small}); res.Changed {
		t.Errorf("%+v", res)
	}
	r.whole(t)
}

func TestWhatCannotBeProcessed(t *testing.T) {
	r := newRig(t)
	for name, c := range map[string]struct {
		kind, want string
		order      processing.Order
		change     func()
	}{
		"no such KG in the source": {kind: processing.Process, order: processing.Order{KG: "12345"},
			want: "The source has no data of KG 12345."},
		"no source": {kind: processing.Process, order: processing.Order{KG: small}, want: "no source", change: func() {
			r.Source = nil
		}},
		"nothing to archive": {kind: processing.Archive, order: processing.Order{KG: other}, want: "no snapshot to archive"},
		"nothing to repair":  {kind: processing.Repair, order: processing.Order{KG: other}, want: "not at hand"},
	} {
		source := r.Source
		if c.change != nil {
			c.change()
		}
		j := r.finish(t, r.order(t, c.kind, c.order).ID)
		r.Source = source
		if j.State != jobs.Failed || !strings.Contains(j.Error, c.want) {
			t.Errorf("%s: %s %q", name, j.State, j.Error)
		}
	}
}

// Two requests at once are one job, and of two workers one does it.
func TestTheSameKGTwiceAtOnce(t *testing.T) {
	r := newRig(t)
	ids := make([]string, 6)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			if j, _, err := processing.Submit(t.Context(), r.queue, processing.Process, fmt.Sprint("client ", i),
				processing.Order{KG: other, Force: i%2 == 0}); err == nil {
				ids[i] = j.ID
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("jobs %v, want one", ids)
		}
	}
	var done, busy atomic.Int32
	for range 4 {
		wg.Go(func() {
			switch err := r.queue.RunOne(t.Context(), ids[0]); {
			case err == nil:
				done.Add(1)
			case errors.Is(err, jobs.ErrBusy):
				busy.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if done.Load() != 1 || busy.Load() != 3 {
		t.Errorf("%d workers were through, %d were sent away", done.Load(), busy.Load())
	}
}

// Different KGs are processed at once: both are served at the end.
func TestTwoKGsAtOnce(t *testing.T) {
	r := newRig(t)
	codes := []austria.KGCode{other, beside}
	var wg sync.WaitGroup
	for _, code := range codes {
		id := r.order(t, processing.Process, processing.Order{KG: code}).ID
		wg.Go(func() {
			if err := r.queue.RunOne(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	live := r.live(t)
	for _, code := range append(codes, small) {
		if _, ok := live.Manifest.Find(code); !ok {
			t.Errorf("KG %s is not served", code)
		}
	}
	r.whole(t)
}

// The store fails at each write in turn, before it is carried out or after: the worker dies, and the next attempt does
// what is left. Nothing that is served is ever torn.
func TestTheStoreFailsAtEveryWrite(t *testing.T) {
	for _, stored := range []bool{false, true} {
		writes := int64(0)
		for n := int64(1); n == 1 || n <= writes; n += every(t, 5) {
			r := newRig(t)
			f := &storetest.Faulty{Store: r.mem, FailAt: n, Stored: stored, Dead: true}
			r.over(f)
			j := r.order(t, processing.Process, processing.Order{KG: other})
			err := r.queue.RunOne(t.Context(), j.ID)
			if writes = max(writes, f.Writes()); f.Writes() >= n && err == nil {
				// What is written last are marks that nobody depends on.
				if _, ok := r.entry(t, other); !ok {
					t.Errorf("write %d, stored %v: done, and the KG is not served", n, stored)
				}
			}
			r.whole(t)
			r.over(r.mem)
			r.ahead.Add(int64(time.Hour))
			if got := r.finish(t, j.ID); got.State != jobs.Done {
				t.Fatalf("write %d, stored %v: %s %s", n, stored, got.State, got.Error)
			}
			if _, ok := r.entry(t, other); !ok {
				t.Errorf("write %d, stored %v: the KG is not served", n, stored)
			}
			r.whole(t)
		}
	}
}

// A repository that is down for a while keeps nobody waiting: the KG is served, and archived when it answers again.
func TestTheRepositoryIsDown(t *testing.T) {
	r := newRig(t)
	r.broken.Store(true)
	r.done(t, processing.Process, processing.Order{KG: other})
	j, err := processing.Find(t.Context(), r.queue, processing.Archive, other)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := r.queue.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
			t.Fatalf("got %v", err)
		}
		r.ahead.Add(int64(2 * time.Hour))
	}
	r.broken.Store(false)
	if j = r.finish(t, j.ID); j.State != jobs.Done || j.Attempt != 4 {
		t.Errorf("%+v", j)
	}
	r.broken.Store(true)
	r.done(t, processing.Process, processing.Order{KG: beside})
	if j, err = processing.Find(t.Context(), r.queue, processing.Archive, beside); err != nil {
		t.Fatal(err)
	}
	if j = r.finish(t, j.ID); j.State != jobs.Failed || !strings.Contains(j.Error, "research repository") ||
		strings.Contains(j.Error, "127.0.0.1") {
		t.Errorf("%s %q", j.State, j.Error)
	}
	ends, err := processing.ReadEnds(t.Context(), r.ledger, processing.Archive)
	if err != nil || ends.Done != 1 || ends.Failed != 1 {
		t.Errorf("%+v, %v", ends, err)
	}
}

// An order of foreign bytes is an error, never a panic.
func FuzzOrder(f *testing.F) {
	f.Add([]byte(`{"kg_code":"99204","force":true}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if o, err := processing.ReadOrder(b); err == nil {
			if again, err := json.Marshal(o); err != nil || !json.Valid(again) || len(o.KG) != 5 {
				t.Errorf("%q: %+v", b, o)
			}
		}
	})
}

// BenchmarkProcess builds a KG and publishes it, by itself and as a job.
func BenchmarkProcess(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		st, source := world(b)
		for b.Loop() {
			if _, err := (building{store: st, source: source, kg: other, force: true}).do(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("job", func(b *testing.B) {
		r := newRig(b)
		r.Worker.Archive = nil // a job of its own
		for b.Loop() {
			r.done(b, processing.Process, processing.Order{KG: other, Force: true})
		}
	})
}
