package processing

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/availability"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/infra/oracles"
	standin "mappe/localdev/repository"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
)

// The environment of a worker that is killed.
const (
	killedDir    = "PROCESSING_TEST_DIR"    // of its store and ledger
	killedSource = "PROCESSING_TEST_SOURCE" // the demo country's sources
	killedBase   = "PROCESSING_TEST_REPOSITORY"
	killedAhead  = "PROCESSING_TEST_AHEAD" // by which its clock is fast: leases and pauses of those before it are over
	killedBudget = "PROCESSING_TEST_BUDGET"
)

// workerOver is a worker over the directory of a round, and its queue. A process opens the source once: that takes longer than a job.
func (k *killed) workerOver(ctx context.Context, src *national.Source) (*Worker, *jobs.Queue, error) {
	st, err := dir.Open(filepath.Join(k.root, "data"))
	if err != nil {
		return nil, nil, err
	}
	l, err := sqlite.Open(ctx, filepath.Join(k.root, "ledger.db"), sqlite.Options{})
	if err != nil {
		return nil, nil, err
	}
	client, err := repository.New(repository.Options{Base: k.base, Token: func(context.Context) (string, error) { return "secret", nil },
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if err != nil {
		return nil, nil, err
	}
	w := &Worker{Store: st, Source: func(context.Context) (*national.Source, error) { return src, nil }, Log: slog.New(slog.DiscardHandler),
		Budget: k.budget,
		Now:    func() time.Time { return time.Now().Add(k.ahead) }, Archive: &archive.Archive{Store: st, Repository: client,
			Creator: "Mappe"}}
	q, err := w.NewQueue(l)
	return w, q, err
}

// workUntilKilled is the program of a child: it works off the queue.
func workUntilKilled() {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(os.Getenv(name), 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	k := killed{root: os.Getenv(killedDir), base: os.Getenv(killedBase), ahead: time.Duration(number(killedAhead)),
		budget: number(killedBudget)}
	src, err := national.OpenSource(context.Background(), national.SourceOptions{Dir: os.Getenv(killedSource)})
	if err != nil {
		panic(err)
	}
	_, q, err := k.workerOver(context.Background(), src)
	if err != nil {
		panic(err)
	}
	(&jobs.Pool{Queue: q, Workers: 2, Poll: 5 * time.Millisecond}).Start(context.Background())
	fmt.Println("working")
	time.Sleep(5 * time.Minute) // a child that nobody kills ends by itself
	os.Exit(0)
}

// killed is one round: a directory, a repository, and workers that are killed.
type killed struct {
	root, base string
	standin    *standin.Server
	ahead      time.Duration
	budget     int64
	kills      int
}

// newKilled is a round over a directory, with a repository that answers until it is stopped.
func newKilled(t *testing.T, root string) (k *killed, stop func()) {
	t.Helper()
	k = &killed{root: root}
	server := httptest.NewUnstartedServer(nil)
	k.base = "http://" + server.Listener.Addr().String()
	var err error
	if k.standin, err = standin.New(standin.Options{Dir: t.TempDir(), Base: k.base, Token: "secret", PerMinute: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = k.standin
	server.Start()
	return k, server.Close
}

// worker starts a child, lets it work for some milliseconds and kills it.
func (k *killed) worker(t *testing.T, alive time.Duration) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), killedDir+"="+k.root, killedSource+"="+country.dir, killedBase+"="+k.base,
		killedAhead+"="+strconv.FormatInt(int64(k.ahead), 10), killedBudget+"="+strconv.FormatInt(k.budget, 10))
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal("the worker did not begin: ", err)
	}
	time.Sleep(alive)
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	k.kills++
	k.ahead += 2 * time.Hour
}

// finish works the queue off in this process. A job whose attempts are used up by kills is ordered again.
func (k *killed) finish(t *testing.T, kind string, code austria.KGCode) {
	t.Helper()
	last := ""
	for range 40 {
		k.ahead += 2 * time.Hour
		_, q, err := k.workerOver(t.Context(), country.source)
		if err != nil {
			t.Fatal(err)
		}
		j, err := processing.Find(t.Context(), q, kind, code)
		if err != nil && kind == processing.Archive { // the worker died before it was ordered: the KG is archived by the next order
			j, _, err = processing.Submit(t.Context(), q, kind, "192.0.2.1", processing.Order{KG: code})
		}
		if err != nil {
			t.Fatal(err)
		}
		if j.State == jobs.Done {
			return
		}
		if j.State.Final() {
			if j, _, err = processing.Submit(t.Context(), q, kind, "192.0.2.1",
				processing.Order{KG: code, Force: kind == processing.Process}); err != nil {
				t.Fatal(err)
			}
		}
		err = q.RunOne(t.Context(), j.ID) // its state says how it ended
		last = fmt.Sprintf("%s, attempt %d, %q, %v", j.State, j.Attempt, j.Error, err)
	}
	t.Fatalf("%s of %s does not end: %s", kind, code, last)
}

// Workers that are killed (SIGKILL) at random while they process, repair, archive and evict leave nothing torn, lose
// nothing and archive nothing twice: the jobs end, every object is what its name says, and the repository has each
// snapshot that was archived once.
func TestKilledAtRandom(t *testing.T) {
	world(t) // the sources, and a first generation
	kills := 0
	for seed := range oracles.Rounds(t, 2) {
		r := rand.New(rand.NewPCG(seed, 12))
		k, stop := newKilled(t, t.TempDir())
		if seed%2 == 1 {
			k.budget = 1
		}
		st := k.begin(t)
		for range 4 {
			k.worker(t, time.Duration(r.Int64N(int64(500*time.Millisecond))))
		}
		k.finish(t, processing.Repair, small)
		k.finish(t, processing.Process, other)
		for _, code := range []austria.KGCode{small, other} {
			k.finish(t, processing.Archive, code)
		}
		k.judge(t, st)
		kills += k.kills
		stop()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d workers were killed", kills)
}

// begin lays the first generation, of which one KG is of an earlier ingest generation, and orders the work.
func (k *killed) begin(t *testing.T) store.Store {
	t.Helper()
	st, err := dir.Open(filepath.Join(k.root, "data"))
	if err != nil {
		t.Fatal(err)
	}
	for key, body := range contents(t, country.first) {
		info, err := country.first.Head(t.Context(), key)
		if err == nil {
			_, err = st.Put(t.Context(), key, []byte(body), store.PutOptions{Headers: info.Headers})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	unjoin(t, st)
	_, q, err := k.workerOver(t.Context(), country.source)
	if err != nil {
		t.Fatal(err)
	}
	for kind, code := range map[string]austria.KGCode{processing.Process: other, processing.Repair: small, processing.Archive: small} {
		if _, _, err := processing.Submit(t.Context(), q, kind, "192.0.2.1",
			processing.Order{KG: code, Force: kind == processing.Process}); err != nil {
			t.Fatal(err)
		}
	}
	return st
}

// judge looks at what is left.
func (k *killed) judge(t *testing.T, st store.Store) {
	t.Helper()
	w, _, err := k.workerOver(t.Context(), country.source)
	if err != nil {
		t.Fatal(err)
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if b, _, err := store.ReadAll(t.Context(), st, "availability.json", 1<<20, store.GetOptions{}); err == nil {
		x, err := availability.Parse(b)
		if err != nil {
			t.Error(err)
		}
		for _, gone := range x.KGs { // what was evicted comes back byte for byte: Check below compares the sums
			if e, ok := live.Manifest.Find(gone.Code); ok {
				if err := w.Archive.Back(t.Context(), e); err != nil {
					t.Errorf("KG %s does not come back: %v", gone.Code, err)
				}
			}
		}
	}
	c, err := national.Check(t.Context(), st, func(rowschema.Quality) {})
	if err != nil || len(c.Broken) > 0 || c.KGs != 2 {
		t.Errorf("%d KGs, broken: %v %v", c.KGs, c.Broken, err)
	}
	e, _ := live.Manifest.Find(small)
	if b, _, err := store.ReadAll(t.Context(), st, e.Forms.KGS.Key, 1<<30, store.GetOptions{}); err != nil {
		t.Error(err)
	} else if f, err := kgfile.Open(b); err != nil || !rowschema.EpochID(f.Build().IngestGeneration).Has(rowschema.AddressPointJoin) {
		t.Errorf("the repair is lost: %v", err)
	}
	records, err := k.standin.Published()
	if err != nil {
		t.Fatal(err)
	}
	var of []string
	for _, r := range records {
		var sums []string
		for name, sum := range r.Files {
			sums = append(sums, name+" "+sum)
		}
		slices.Sort(sums)
		of = append(of, strings.Join(sums, "\n"))
	}
	slices.Sort(of)
	if len(slices.Compact(slices.Clone(of))) != len(of) {
		t.Errorf("a snapshot was archived twice: %v", of)
	}
	for _, code := range []austria.KGCode{small, other} {
		if e, ok := live.Manifest.Find(code); !ok {
			t.Errorf("KG %s is lost", code)
		} else if !slices.ContainsFunc(of, func(files string) bool { return strings.Contains(files, md5Of(t, st, e.Forms.KGS.Key)) }) {
			t.Errorf("what is served of KG %s is not archived", code)
		}
	}
	if n, err := k.standin.Drafts(); err != nil || n > 0 {
		t.Errorf("%d drafts are left, %v", n, err)
	}
}

func md5Of(t *testing.T, st store.Store, key string) string {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), st, key, 1<<30, store.GetOptions{})
	if err != nil {
		t.Error(err)
	}
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}
