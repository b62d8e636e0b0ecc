package asl

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// book is a ledger in memory, whose records are forgotten when they expire.
type book struct {
	mu      sync.Mutex
	records map[ledger.Key]ledger.Record
	version map[ledger.Key]int64
}

func newBook() *book {
	return &book{records: map[ledger.Key]ledger.Record{}, version: map[ledger.Key]int64{}}
}

func (b *book) there(key ledger.Key) (ledger.Record, bool) {
	r, ok := b.records[key]
	return r, ok && (r.Expires.IsZero() || time.Now().Before(r.Expires))
}

func (b *book) Get(_ context.Context, key ledger.Key) (ledger.Record, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.there(key)
	if !ok {
		return r, ledger.ErrNotFound
	}
	r.Value = slices.Clone(r.Value)
	return r, nil
}

func (b *book) Put(_ context.Context, r ledger.Record, was int64) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, ok := b.there(r.Key)
	if was != ledger.Any && (ok && now.Version != was || !ok && was != ledger.Absent) {
		return 0, ledger.ErrConflict
	}
	b.version[r.Key]++
	r.Version, r.Value = b.version[r.Key], slices.Clone(r.Value)
	b.records[r.Key] = r
	return r.Version, nil
}

func (b *book) Delete(_ context.Context, key ledger.Key, was int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, ok := b.there(key)
	if was != ledger.Any && (!ok || now.Version != was) {
		return ledger.ErrConflict
	}
	delete(b.records, key)
	b.version[key]++
	return nil
}

func (b *book) Query(_ context.Context, q ledger.Query) (out []ledger.Record, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.records {
		if r, ok := b.there(key); ok && key.Partition == q.Partition && key.Sort >= q.From && (q.To == "" || key.Sort < q.To) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b ledger.Record) int { return strings.Compare(a.Key.Sort, b.Key.Sort) })
	return out[:min(len(out), q.Limit)], nil
}

// life is that of a process: after so many calls of the store and the ledger it is dead, and none of them does anything; or it hangs, and
// each of them takes all the time that the function has.
type life struct {
	left  atomic.Int64
	hangs bool
}

var errDead = errors.New("the process is dead")

func (l *life) step(ctx context.Context) error {
	if l == nil || l.left.Add(-1) >= 0 {
		return nil
	}
	if l.hangs {
		<-ctx.Done()
	}
	return errDead
}

// dies says whether the process has died.
func (l *life) died() bool { return l != nil && l.left.Load() < 0 }

type mortalBook struct {
	ledger.Ledger
	life *life
}

func (m mortalBook) Get(ctx context.Context, key ledger.Key) (ledger.Record, error) {
	if err := m.life.step(ctx); err != nil {
		return ledger.Record{}, err
	}
	return m.Ledger.Get(ctx, key)
}

func (m mortalBook) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if err := m.life.step(ctx); err != nil {
		return 0, err
	}
	return m.Ledger.Put(ctx, r, was)
}

func (m mortalBook) Delete(ctx context.Context, key ledger.Key, was int64) error {
	if err := m.life.step(ctx); err != nil {
		return err
	}
	return m.Ledger.Delete(ctx, key, was)
}

// shaky is a store that refuses one call in so many as a throttled one does, and all where its process is dead.
type shaky struct {
	store.Store
	life   *life
	refuse int         // 0: none
	may    func() bool // whether it may now; nil: always
}

var errSlowDown = errors.New("SlowDown: please reduce your request rate")

func (s shaky) step(ctx context.Context) error {
	if s.refuse > 0 && rand.IntN(s.refuse) == 0 && (s.may == nil || s.may()) {
		return errSlowDown
	}
	return s.life.step(ctx)
}

func (s shaky) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if err := s.step(ctx); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, key, o)
}

func (s shaky) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (store.Info, error) {
	if err := s.step(ctx); err != nil {
		return store.Info{}, err
	}
	return s.Store.Put(ctx, key, body, o)
}

func (s shaky) Delete(ctx context.Context, key string) error {
	if err := s.step(ctx); err != nil {
		return err
	}
	return s.Store.Delete(ctx, key)
}

// cloud is what the machines run over: functions that fail as those of a cloud do, and the bucket of their runs.
type cloud struct {
	bucket *mem.Store
	// run is an invocation by a process that may die: nil lives.
	run    func(ctx context.Context, function string, payload json.RawMessage, l *life) (any, error)
	faults bool
	mu     sync.Mutex
	count  map[string]int         // faults by their kinds
	failed map[austria.KGCode]int // attempts that chance took
}

// mayFail says whether chance may take one more attempt of a KG. It has five, and some fail twice by their own fate: a KG whose every
// attempt chance took would be listed as failed, rightly, and the test could not tell that from an error.
func (c *cloud) mayFail(code austria.KGCode) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = map[austria.KGCode]int{}
	}
	c.failed[code]++
	return code == "" || c.failed[code] <= 2
}

func (c *cloud) note(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[kind]++
}

// host is the cloud as a machine sees it.
func (c *cloud) host() Host {
	return Host{Invoke: c.invoke, Read: func(ctx context.Context, _, key string) ([]byte, error) {
		b, _, err := store.ReadAll(ctx, c.bucket, key, 16<<20, store.GetOptions{})
		return b, err
	}, Write: func(ctx context.Context, _, key string, body []byte) error {
		_, err := c.bucket.Put(ctx, key, body, store.PutOptions{})
		return err
	}}
}

// The time of a function, and how much longer nobody hears of an answer that is lost.
const (
	functionTime = 15 * time.Minute
	lostTime     = 20 * time.Minute
)

func kgOf(payload json.RawMessage) austria.KGCode {
	var p struct {
		KG austria.KGCode `json:"kg_code"`
	}
	_ = json.Unmarshal(payload, &p)
	return p.KG
}

func (c *cloud) invoke(ctx context.Context, function string, payload json.RawMessage) (json.RawMessage, error) {
	once := func(l *life) (json.RawMessage, error) {
		inner, cancel := context.WithTimeout(ctx, functionTime)
		defer cancel()
		v, err := c.run(inner, function, payload, l)
		if l.died() && !l.hangs {
			return nil, &Error{"Runtime.ExitError", "RequestId: 1 Error: Runtime exited with error: signal: killed"}
		}
		if inner.Err() != nil {
			return nil, &Error{"Sandbox.Timedout", "RequestId: 1 Error: Task timed out after 900.00 seconds"}
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}
	fault := 100
	if c.faults {
		fault = rand.IntN(100)
	}
	switch {
	case fault < 3:
		c.note("throttled")
		return nil, &Error{"Lambda.TooManyRequestsException", "Rate Exceeded."}
	case fault < 5:
		c.note("lost before")
		time.Sleep(lostTime)
		return nil, &Error{"Lambda.Unknown", "nobody hears the answer"}
	case fault < 7:
		c.note("answer lost")
		_, _ = once(nil)
		time.Sleep(lostTime)
		return nil, &Error{"Lambda.Unknown", "nobody hears the answer"}
	case fault < 10:
		c.note("twice")
		go func() {
			time.Sleep(rand.N(2 * time.Minute))
			_, _ = once(nil)
		}()
	case fault < 15 && !c.mayFail(kgOf(payload)):
		return once(nil)
	case fault < 13:
		c.note("killed")
		return once(mortal(40, false))
	case fault < 15:
		c.note("timed out")
		return once(mortal(6, true))
	}
	return once(nil)
}

// mortal is a life of fewer calls than most.
func mortal(most int64, hangs bool) *life {
	l := &life{hangs: hangs}
	l.left.Store(rand.Int64N(most))
	return l
}

// settle waits until invocations that nobody waits for have ended too: each has its time, and begins and is told of late. All runs in a
// bubble of synctest, where waiting takes none.
func settle() {
	time.Sleep(2 * (functionTime + lostTime))
	synctest.Wait()
}

// machine reads one of the project's machines.
func machine(t *testing.T, name string, substitutions map[string]string) *Machine {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "infra", name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(b, substitutions)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// written are the KGs of the children of all map runs of an execution as the result writer has listed them, by their status, in order.
func written(t *testing.T, bucket *mem.Store, run string) map[string][]austria.KGCode {
	t.Helper()
	out := map[string][]austria.KGCode{}
	for info, err := range bucket.List(t.Context(), "runs/"+run+"/") {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(info.Key, "/manifest.json") {
			continue
		}
		var m struct {
			ResultFiles map[string][]struct{ Key string }
		}
		read(t, bucket, info.Key, &m)
		for status := range maps.Keys(m.ResultFiles) {
			for _, f := range m.ResultFiles[status] {
				var list []struct{ Status, Input string }
				read(t, bucket, f.Key, &list)
				for _, child := range list {
					var in struct {
						KG austria.KGCode `json:"kg_code"`
					}
					if err := json.Unmarshal([]byte(child.Input), &in); err != nil || child.Status != status {
						t.Errorf("%s lists %+v, %v", f.Key, child, err)
					}
					out[status] = append(out[status], in.KG)
				}
			}
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

func read(t *testing.T, bucket *mem.Store, key string, v any) {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), bucket, key, 16<<20, store.GetOptions{})
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(key, err)
	}
}
