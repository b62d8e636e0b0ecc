package jobs_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/store/mem"
)

// memory is a ledger in a map, for tests that live in a bubble of their own time.
type memory struct {
	now func() time.Time

	mu       sync.Mutex
	records  map[ledger.Key]ledger.Record
	versions map[ledger.Key]int64
}

func newMemory(now func() time.Time) *memory {
	return &memory{now: now, records: map[ledger.Key]ledger.Record{}, versions: map[ledger.Key]int64{}}
}

// there is the record that is not expired. The caller holds the lock.
func (m *memory) there(k ledger.Key) (ledger.Record, bool) {
	r, ok := m.records[k]
	return r, ok && (r.Expires.IsZero() || m.now().Before(r.Expires))
}

func (m *memory) Get(ctx context.Context, k ledger.Key) (ledger.Record, error) {
	if err := cmp.Or(ctx.Err(), k.Check()); err != nil {
		return ledger.Record{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.there(k)
	if !ok {
		return ledger.Record{}, ledger.ErrNotFound
	}
	r.Value = bytes.Clone(r.Value)
	return r, nil
}

func (m *memory) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if err := cmp.Or(ctx.Err(), ledger.CheckPut(r, was)); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if held, ok := m.there(r.Key); was != ledger.Any && (ok != (was != ledger.Absent) || ok && held.Version != was) {
		return 0, ledger.ErrConflict
	}
	m.versions[r.Key]++
	r.Version, r.Value, r.Expires = m.versions[r.Key], bytes.Clone(r.Value), ledger.Time(ledger.Nanos(r.Expires))
	m.records[r.Key] = r
	return r.Version, nil
}

func (m *memory) Delete(ctx context.Context, k ledger.Key, was int64) error {
	if err := cmp.Or(ctx.Err(), ledger.CheckDelete(k, was)); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	held, ok := m.there(k)
	if was != ledger.Any && (!ok || held.Version != was) {
		return ledger.ErrConflict
	}
	if ok {
		m.versions[k]++
		delete(m.records, k)
	}
	return nil
}

func (m *memory) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	if err := cmp.Or(ctx.Err(), q.Check()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []ledger.Record
	for k := range m.records {
		if r, ok := m.there(k); ok && k.Partition == q.Partition && k.Sort >= q.From && (q.To == "" || k.Sort < q.To) {
			r.Value = bytes.Clone(r.Value)
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b ledger.Record) int {
		if q.Descending {
			a, b = b, a
		}
		return cmp.Compare(a.Key.Sort, b.Key.Sort)
	})
	return out[:min(len(out), q.Limit)], nil
}

// The storm's ledger keeps the contract of all others.
func TestMemoryIsALedger(t *testing.T) {
	ledgertest.Run(t, func(_ *testing.T, now func() time.Time) ledger.Ledger { return newMemory(now) })
}

// process is one process of a storm: what it asks of the ledger takes its time, and at any moment it may die,
// before its write or after.
type process struct {
	*memory
	w      *weather
	ctx    context.Context
	die    context.CancelFunc
	deadly bool
	*jobs.Queue
}

var errDead = errors.New("the process is dead")

// weather is what a storm's processes have in common.
type weather struct {
	mu       sync.Mutex
	chance   *rand.Rand
	running  map[string]*process // jobs whose handler runs in a process that lives
	clients  map[string]string   // of the jobs
	ran      map[string]bool     // jobs that were ever begun
	released map[string]int      // how often the hook changed anything
	faults   []string
}

func (w *weather) n(most int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.chance.IntN(most)
}

func (w *weather) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// wait is the time of a call; most are fast and some very slow.
func (p *process) wait(ctx context.Context) error {
	d := time.Duration(p.w.n(400)) * time.Millisecond
	if p.deadly && p.w.n(50) == 0 {
		d = time.Duration(p.w.n(40)) * time.Second
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
		return ctx.Err()
	case <-p.ctx.Done():
	}
	if p.ctx.Err() != nil {
		return errDead
	}
	return nil
}

// write is a call that may be the last one.
func (p *process) write(ctx context.Context, do func() error) error {
	if err := p.wait(ctx); err != nil {
		return err
	}
	fate := 3
	if p.deadly {
		fate = p.w.n(120)
	}
	switch fate {
	case 0:
		p.kill()
		return errDead
	case 1:
		_ = do() // stored, and nobody left to know
		p.kill()
		return errDead
	case 2:
		_ = do() // stored, and the answer lost
		return errors.New("the wire is cut")
	}
	return do()
}

// kill ends the process and all its handlers at once.
func (p *process) kill() {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	for id, by := range p.w.running {
		if by == p {
			delete(p.w.running, id)
		}
	}
	p.die()
}

func (p *process) Get(ctx context.Context, k ledger.Key) (ledger.Record, error) {
	if err := p.wait(ctx); err != nil {
		return ledger.Record{}, err
	}
	return p.memory.Get(ctx, k)
}

func (p *process) Put(ctx context.Context, r ledger.Record, was int64) (version int64, err error) {
	err = p.write(ctx, func() (err error) { version, err = p.memory.Put(ctx, r, was); return err })
	return version, err
}

func (p *process) Delete(ctx context.Context, k ledger.Key, was int64) error {
	return p.write(ctx, func() error { return p.memory.Delete(ctx, k, was) })
}

func (p *process) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	if err := p.wait(ctx); err != nil {
		return nil, err
	}
	return p.memory.Query(ctx, q)
}

var stormGate = jobs.Gate{Type: jobs.Bounds{Running: 3, Queued: 5}, Client: jobs.Bounds{Running: 2, Queued: 3}}

const (
	stormLease = time.Minute
	stormKeep  = 3 * time.Hour
)

// begin notes that a handler runs, and what must never be.
func (w *weather) begin(p *process, j jobs.Job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.ctx.Err() != nil {
		return
	}
	if other := w.running[j.ID]; other != nil {
		w.faults = append(w.faults, fmt.Sprintf("%s runs twice", j.ID))
	}
	if !j.CancelAsked.IsZero() {
		w.faults = append(w.faults, fmt.Sprintf("%s was begun after its cancel", j.ID))
	}
	w.running[j.ID], w.clients[j.ID], w.ran[j.ID] = p, j.Client, true
	of := 0
	for id := range w.running {
		if w.clients[id] == j.Client {
			of++
		}
	}
	if len(w.running) > stormGate.Type.Running || j.Client != "" && of > stormGate.Client.Running {
		w.faults = append(w.faults, fmt.Sprintf("%d jobs run at once, %d of %s", len(w.running), of, j.Client))
	}
}

func (w *weather) end(p *process, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[id] == p {
		delete(w.running, id)
	}
}

// run works for a while; it may fail, for good or for once.
func (p *process) run(ctx context.Context, work *jobs.Work) ([]byte, error) {
	j := work.Job()
	p.w.begin(p, j)
	defer p.w.end(p, j.ID)
	if b, err := work.Payload(ctx); err != nil && ctx.Err() == nil || err == nil && len(b) == 0 {
		p.w.fault("%s: payload of %d bytes, %v", j.ID, len(b), err)
	}
	for range p.w.n(6) {
		select {
		case <-time.After(time.Duration(p.w.n(30)) * time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.ctx.Done():
			return nil, errDead
		}
		if p.w.n(2) == 0 {
			_ = work.Progress(ctx, fmt.Sprint("step ", p.w.n(3)), 0.5)
		}
	}
	switch p.w.n(6) {
	case 0:
		return nil, jobs.Fail("no")
	case 1:
		return nil, errors.New("for once")
	}
	return []byte("result"), ctx.Err()
}

// release counts once, as a hook does that notes the job's ID.
func (p *process) release(ctx context.Context, j jobs.Job) error {
	if err := p.wait(ctx); err != nil {
		return err
	}
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	p.w.released[j.ID] = 1
	return nil
}

// storm is processes that enqueue, work, cancel and die.
type storm struct {
	w        *weather
	ledger   *memory
	files    *mem.Store
	accepted map[string]bool
	asked    map[string]bool // to be cancelled, of the accepted
	idle     map[string]bool // those that no worker had begun when their cancel came back
	alive    sync.WaitGroup
}

func (s *storm) spawn(t *testing.T, deadly bool) *process {
	p := &process{memory: s.ledger, w: s.w, deadly: deadly}
	p.ctx, p.die = context.WithCancel(t.Context())
	q, err := jobs.New(p, jobs.Options{Store: s.files, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Types: map[string]jobs.Definition{"build": {
			Run: p.run, Release: p.release, Lease: stormLease, Attempts: 4, Backoff: 5 * time.Second, Keep: stormKeep, Gate: stormGate,
		}}})
	if err != nil {
		t.Fatal(err)
	}
	p.Queue = q
	pool := &jobs.Pool{Queue: q, Workers: 3, Poll: 5 * time.Second}
	pool.Start(p.ctx)
	s.alive.Go(func() {
		<-p.ctx.Done()
		pool.Stop(context.Background())
	})
	return p
}

// act is one thing that a client asks of a process.
func (s *storm) act(p *process, i int) {
	client := fmt.Sprint("client ", s.w.n(3))
	if s.w.n(4) == 0 && len(s.accepted) > 0 {
		ids := slices.Sorted(func(yield func(string) bool) {
			for id := range s.accepted {
				if !yield(id) {
					return
				}
			}
		})
		id := ids[s.w.n(len(ids))]
		j, err := p.Cancel(p.ctx, id)
		if err == nil && !j.CancelAsked.IsZero() {
			s.asked[id] = true
			s.idle[id] = s.idle[id] || j.State == jobs.Releasing && j.Attempt == 0
		}
		return
	}
	payload := []byte("small")
	if s.w.n(4) == 0 {
		payload = largePayload
	}
	j, created, err := p.Submit(p.ctx, jobs.Order{Type: "build", Key: fmt.Sprint(i), Client: client, Payload: payload})
	if err != nil || !created {
		return
	}
	s.accepted[j.ID] = true
	if open := s.open(); open > stormGate.Type.Running+stormGate.Type.Queued {
		s.w.fault("%d jobs are open", open)
	}
}

// open is how many jobs there are that are not over.
func (s *storm) open() (n int) {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	for k, r := range s.ledger.records {
		if len(k.Partition) > 4 && k.Partition[:4] == "job/" && !bytes.Contains(r.Value, []byte(`"finished"`)) {
			n++
		}
	}
	return n
}

// TestStorms: whatever happens between the writes of several processes, of which some die, every job that was
// taken ends once, what was taken is given back for those that did not succeed and for no other, never more run
// or are open than may, and what is cancelled does not begin again.
func TestStorms(t *testing.T) {
	for seed := range oracles.Rounds(t, 10) {
		synctest.Test(t, func(t *testing.T) {
			blow(t, seed)
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		})
		if t.Failed() {
			return
		}
	}
}

func blow(t *testing.T, seed uint64) {
	w := &weather{chance: rand.New(rand.NewPCG(seed, 7)), running: map[string]*process{}, clients: map[string]string{},
		ran: map[string]bool{}, released: map[string]int{}}
	s := &storm{w: w, ledger: newMemory(time.Now), files: mem.New(), accepted: map[string]bool{}, asked: map[string]bool{},
		idle: map[string]bool{}}
	processes := []*process{s.spawn(t, true), s.spawn(t, true), s.spawn(t, true)}
	for i := range 60 {
		k := w.n(len(processes))
		if processes[k].ctx.Err() != nil {
			processes[k] = s.spawn(t, true)
		}
		s.act(processes[k], i)
		time.Sleep(time.Duration(w.n(30)) * time.Second)
	}
	for _, p := range processes {
		p.kill()
	}
	calm := s.spawn(t, false)
	for until := time.Now().Add(2*time.Hour + 30*time.Minute); s.open() > 0 && time.Now().Before(until); {
		time.Sleep(time.Minute)
	}
	s.judge(t)
	time.Sleep(2 * time.Minute)
	let := 0
	for i := range 20 {
		if _, created, err := calm.Submit(t.Context(), jobs.Order{Type: "build", Key: fmt.Sprint("after ", i),
			Payload: []byte("x")}); err == nil && created {
			let++
		}
	}
	if want := stormGate.Type.Running + stormGate.Type.Queued; let < want {
		t.Errorf("after the storm %d jobs are let in, want %d", let, want)
	}
	time.Sleep(stormKeep + 4*time.Hour)
	for info, err := range s.files.List(t.Context(), "") {
		t.Errorf("%s is left behind, %v", info.Key, err)
	}
	calm.kill()
	s.alive.Wait()
	for _, f := range w.faults {
		t.Error(f)
	}
}

// judge looks at how every job has ended.
func (s *storm) judge(t *testing.T) {
	for id := range s.accepted {
		q, err := jobs.New(s.ledger, jobs.Options{Types: map[string]jobs.Definition{"build": {}}})
		if err != nil {
			t.Fatal(err)
		}
		j, err := q.Get(t.Context(), id)
		if err != nil {
			continue // forgotten: it ended more than Keep ago
		}
		failed := j.State == jobs.Failed || j.State == jobs.Cancelled
		switch {
		case !j.State.Final():
			t.Errorf("%s never ended: %+v", id, j)
		case (s.w.released[id] == 1) != failed:
			t.Errorf("%s is %s, released: %v", id, j.State, s.w.released[id] == 1)
		case s.asked[id] && j.State == jobs.Failed, !s.asked[id] && j.State == jobs.Cancelled && j.CancelAsked.IsZero():
			t.Errorf("%s is %s, its cancel was asked for: %v", id, j.State, s.asked[id])
		case s.idle[id] && s.w.ran[id]:
			t.Errorf("%s was begun, it was cancelled before", id)
		}
	}
}
