package asl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/landscape/index"
	"mappe/builders/landscape/process"
	"mappe/builders/national"
	"mappe/builders/objects"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// many is how many KGs the countries of the tests have.
const many = 500

// The compressor's channels are made on first use and must not belong to one test's bubble.
func TestMain(m *testing.M) {
	b, err := landscape.Encode(&landscape.KG{Summary: landtest.Summary("10000", boxOf(0), 1)})
	if err == nil {
		var f *landscape.File
		if f, err = landscape.Open(bytes.NewReader(b), int64(len(b))); err == nil {
			_, err = f.Whole()
		}
	}
	if err == nil {
		b, err = register.Encode(contents(many))
	}
	if err == nil {
		_, err = register.Open(b)
	}
	if err != nil {
		panic(err)
	}
	m.Run()
}

func codeOf(i int) austria.KGCode { return austria.KGCode(fmt.Sprintf("%05d", 10000+i)) }

func boxOf(i int) geom.Box {
	x, y := int32(150_000_000+i%25*100_000), int32(480_000_000+i/25*100_000)
	return geom.Box{MinX: x, MinY: y, MaxX: x + 90_000, MaxY: y + 90_000}
}

// contents are those of the register of the country: what is analysed is made up, so that no snapshot is read.
func contents(n int) *register.Contents {
	c := &register.Contents{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ToleranceM: 2}
	for i := range n {
		b := boxOf(i)
		ring := geom.Ring{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}
		sum := sha256.Sum256([]byte(codeOf(i)))
		k := register.KG{KG: kgfile.KG{Code: codeOf(i), Name: "Probe", Box: b}, Centroid: b.Center(), DistrictCode: "399",
			Outline: geom.MultiPolygon{{ring}}}
		k.Snapshot = register.Object{Date: "2026-10-01", Bytes: 100, SHA256: sum,
			Key: keys.Snapshot{Code: k.Code, Date: "2026-10-01", Sum: hex.EncodeToString(sum[:])[:16], Form: keys.KGS}.String()}
		c.KGs = append(c.KGs, k)
	}
	return c
}

// publish writes the country into a store.
func publish(t *testing.T, st store.Store, n int) {
	t.Helper()
	put := func(key keys.Key, v any) manifest.Object {
		b, ok := v.([]byte)
		if !ok {
			var err error
			if b, err = manifest.Encode(v); err != nil {
				t.Fatal(err)
			}
		}
		switch key.(type) {
		case keys.Register:
			key = keys.Register{Sum: keys.Sum(b)}
		case keys.Manifest:
			key = keys.Manifest{Generation: keys.Sum(b)}
		}
		if err := objects.Put(t.Context(), st, key, b); err != nil {
			t.Fatal(err)
		}
		return objects.Of(key, b)
	}
	b, err := register.Encode(contents(n))
	if err != nil {
		t.Fatal(err)
	}
	reg := put(keys.Register{}, b)
	m := put(keys.Manifest{}, manifest.Manifest{Format: manifest.Format, Stichtag: "2026-10-01", KGCount: n, Register: reg})
	gen := m.SHA256[:16]
	pointer, err := manifest.Encode(manifest.Pointer{Format: manifest.Format, Generation: gen, Manifest: m.Key, ManifestSHA256: m.SHA256,
		Register:       reg.Key,
		RegisterSHA256: reg.SHA256, KGCount: n, Stichtag: "2026-10-01"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Put(t.Context(), keys.Current{}.String(), pointer, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
}

// fate of a KG.
type fate int

const (
	well     fate = iota
	long          // of more squares than fit into the time of a function
	never         // it cannot be analysed
	flaky         // it fails each time, as what may pass does
	killer        // its worker dies of it, each time
	twiceBad      // it fails twice and is well then
)

// fateOf are the poisoned ones: 3 in 25 never succeed.
func fateOf(code austria.KGCode) fate {
	var n int
	fmt.Sscanf(string(code), "%d", &n)
	return map[int]fate{3: never, 11: flaky, 17: killer, 5: twiceBad, 8: long}[n%25]
}

// country is the country under analysis.
type country struct {
	cloud
	n       int              // KGs
	lib     *library.Library // of all processes: what they hold in memory is the same
	st      *mem.Store
	book    *book
	mu      sync.Mutex
	made    map[austria.KGCode]int // analyses that came to their end, with the process alive
	died    map[austria.KGCode]bool
	tried   map[austria.KGCode]int
	healed  bool
	atOnce  map[austria.KGCode]int
	twofold int // KGs that two workers had at once
}

func newCountry(t *testing.T, n int) *country {
	c := &country{n: n, st: mem.New(), book: newBook(), made: map[austria.KGCode]int{}, died: map[austria.KGCode]bool{},
		tried: map[austria.KGCode]int{}, atOnce: map[austria.KGCode]int{}}
	c.bucket, c.count, c.faults = mem.New(), map[string]int{}, true
	c.run = c.task
	publish(t, c.st, n)
	var err error
	if c.lib, err = library.Open(t.Context(), c.st, library.Options{Refresh: time.Minute}); err != nil {
		t.Fatal(err)
	}
	return c
}

// task is an invocation of one of the two functions, both of which are builders/lambda/landscape.
func (c *country) task(ctx context.Context, _ string, payload json.RawMessage, l *life) (any, error) {
	var t process.Task
	if err := json.Unmarshal(payload, &t); err != nil {
		return nil, err
	}
	if l == nil && fateOf(t.KG) == killer && !c.healed {
		l = &life{}
		l.left.Store(1 << 30)
	}
	st := shaky{Store: c.st, life: l, refuse: 2000, may: func() bool { return c.mayFail(t.KG) }}
	w := process.Worker{Library: c.lib, Store: st, Records: landprocess.Records{Ledger: mortalBook{c.book, l}},
		Runs: shaky{Store: prefixed{c.bucket}, life: l}}
	w.Analysis = func(ctx context.Context, _ *library.View, st store.Store, o process.Order, tell process.Progress) (
		*process.Outcome, error) {
		return c.analyse(ctx, st, o, tell, l)
	}
	a, err := w.Do(ctx, t)
	if l.died() {
		c.mu.Lock()
		c.died[t.KG] = true
		c.mu.Unlock()
	}
	return a, err
}

// prefixed is the bucket below runs/.
type prefixed struct{ *mem.Store }

func (p prefixed) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (store.Info, error) {
	return p.Store.Put(ctx, "runs/"+key, body, o)
}

// squareTime is how long a square of the country takes.
const squareTime = 4 * time.Minute

// analyse makes the file of a KG as process.Analyse does, of squares that are kept in the store: what is unchanged is not made again.
func (c *country) analyse(ctx context.Context, st store.Store, o process.Order, tell process.Progress, l *life) (
	*process.Outcome, error) {
	code := o.KG
	if o.Had.Fingerprint == "f" {
		return &process.Outcome{KG: code, Fingerprint: "f", Unchanged: true}, nil
	}
	c.enter(code, 1)
	defer c.enter(code, -1)
	squares, f := 2, fateOf(code)
	if c.healed && f != long {
		f = well
	}
	switch f {
	case long:
		squares = 8
	case never:
		return nil, fmt.Errorf("%w: poisoned", process.ErrNever)
	case killer:
		l.left.Store(0)
	case flaky:
		return nil, errSlowDown
	case twiceBad:
		if c.attempt(code) <= 2 {
			return nil, errSlowDown
		}
	}
	for i := range squares {
		if err := tell(ctx, "analysing squares", i, squares); err != nil {
			return nil, err
		}
		key := fmt.Sprintf("work/landscape/%s/f/%d", code, i)
		_, err := st.Head(ctx, key)
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		select {
		case <-time.After(squareTime):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if _, err := st.Put(ctx, key, []byte("square"), store.PutOptions{}); err != nil {
			return nil, err
		}
	}
	return c.file(ctx, st, code, squares, l)
}

func (c *country) file(ctx context.Context, st store.Store, code austria.KGCode, squares int, l *life) (*process.Outcome, error) {
	var n int
	fmt.Sscanf(string(code), "%d", &n)
	body, err := landscape.Encode(&landscape.KG{Summary: landtest.Summary(code, boxOf(n-10000), 1)})
	if err != nil {
		return nil, err
	}
	key := keys.Landscape{Code: code, Date: "2026-10-01", Sum: keys.Sum(body)}
	if err := objects.Put(ctx, st, key, body); err != nil {
		return nil, err
	}
	if !l.died() {
		c.mu.Lock()
		c.made[code]++
		c.mu.Unlock()
	}
	return &process.Outcome{KG: code, Fingerprint: "f", File: objects.Of(key, body), Squares: squares, Km2: float64(squares)}, nil
}

func (c *country) attempt(code austria.KGCode) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tried[code]++
	return c.tried[code]
}

// enter counts the workers that a KG has at once.
func (c *country) enter(code austria.KGCode, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.atOnce[code] += by; c.atOnce[code] > 1 {
		c.twofold++
	}
}

func (c *country) records() landprocess.Records { return landprocess.Records{Ledger: c.book} }

func (c *country) steer(t *testing.T, change func(*landprocess.State) error) landprocess.State {
	t.Helper()
	s, err := c.records().Change(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// entries are the KGs that have a result.
func (c *country) entries(t *testing.T) map[austria.KGCode]bool {
	t.Helper()
	list, err := c.records().Entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[austria.KGCode]bool{}
	for _, e := range list {
		out[e.KG] = e.Fingerprint == "f"
	}
	return out
}

func landscapeMachine(t *testing.T) *Machine {
	return machine(t, "landscape.asl.json", map[string]string{"ProcessorFunctionArn": "processor", "KGFunctionArn": "kg", "RunsBucket": "b",
		"LandscapeConcurrency": "40"})
}

// A run analyses a country with everything that goes wrong: exactly the poisoned KGs are listed as failed, nothing is analysed twice
// but what a worker died of, no KG has two workers, and the index has all. A run after that does the poisoned ones alone, once they
// are healed and queued again.
func TestLandscapeOfACountry(t *testing.T) {
	for range oracles.Rounds(t, 1) {
		synctest.Test(t, analysed)
	}
}

func analysed(t *testing.T) {
	c := newCountry(t, many)
	first := []austria.KGCode{codeOf(499), codeOf(3), codeOf(250)}
	c.steer(t, func(s *landprocess.State) error {
		if _, err := s.Insert(first, -1); err != nil {
			return err
		}
		return s.Start("", "", time.Now())
	})
	x, err := landscapeMachine(t).Run(t.Context(), c.host(), "run-1", json.RawMessage("{}"))
	if err != nil {
		t.Fatal(err)
	}
	settle()
	var jobs []landprocess.Job
	read(t, c.bucket, "runs/run-1/landscape-1.json", &jobs)
	if len(jobs) != many || jobs[0].KG != first[0] || jobs[1].KG != first[1] || jobs[2].KG != first[2] {
		t.Errorf("the first pass has %d jobs, the first %v; want %d that begin with %v", len(jobs), jobs[:min(3, len(jobs))], many, first)
	}
	c.check(t, false)
	if n := written(t, c.bucket, "run-1"); len(n["PENDING"]) != 0 || len(n["SUCCEEDED"]) < many-60 || len(x.Maps) < 2 {
		t.Errorf("the result writer lists %v of %d passes", n, len(x.Maps))
	}
	t.Logf("%d passes, %d events, faults %v", len(x.Maps), x.Events, c.count)

	before := c.total()
	c.healed = true
	var again []austria.KGCode
	for _, f := range c.steer(t, func(*landprocess.State) error { return nil }).Failed {
		again = append(again, f.KG)
	}
	c.steer(t, func(s *landprocess.State) error { _, err := s.Insert(again, -1); return err })
	if _, err := landscapeMachine(t).Run(t.Context(), c.host(), "run-2", json.RawMessage("{}")); err != nil {
		t.Fatal(err)
	}
	settle()
	c.check(t, true)
	if n := c.total() - before; n < len(again) || n > len(again)+len(c.died) {
		t.Errorf("the second run made %d KGs, want the %d that were poisoned", n, len(again))
	}
}

func (c *country) total() (n int) {
	for _, m := range c.made {
		n += m
	}
	return n
}

// check compares what became of the country with the fates of its KGs.
func (c *country) check(t *testing.T, healed bool) {
	t.Helper()
	s, err := c.records().State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	failed := map[austria.KGCode]bool{}
	for _, f := range s.Failed {
		failed[f.KG] = true
	}
	done := c.entries(t)
	for i := range c.n {
		code := codeOf(i)
		f := fateOf(code)
		poisoned := !healed && (f == never || f == flaky || f == killer)
		if failed[code] != poisoned || done[code] == poisoned {
			t.Errorf("KG %s of fate %d: listed as failed %v, done %v", code, f, failed[code], done[code])
		}
		if n := c.made[code]; n > 1 && !c.died[code] {
			t.Errorf("KG %s was made %d times", code, n)
		}
	}
	if len(s.Queue)+len(s.Retry) != 0 || !s.Run.Over || c.twofold > 0 {
		t.Errorf("%d wait, %d come again, run %+v, %d had two workers", len(s.Queue), len(s.Retry), s.Run, c.twofold)
	}
	if claims, err := c.records().Claims(t.Context()); err != nil ||
		slices.ContainsFunc(claims, func(x landprocess.Current) bool { return time.Now().Before(x.Until) }) {
		t.Errorf("claims are left: %+v %v", claims, err)
	}
	live, err := national.ReadLive(t.Context(), c.st)
	if err != nil {
		t.Fatal(err)
	}
	list, err := index.Served(t.Context(), c.st, live.Pointer.Artefacts[landscape.Artefact])
	processed := 0
	for _, e := range list {
		if e.Processed {
			processed++
		}
	}
	if err != nil || len(list) != c.n || processed != len(done) {
		t.Errorf("the index has %d KGs, %d of them processed, want %d: %v", len(list), processed, len(done), err)
	}
}

// An execution that is stopped in the middle loses nothing: the next one waits until its lease is over and does the rest. A processor
// that is paused ends its run, and nothing is begun.
func TestLandscapeGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCountry(t, 150)
		c.faults = false
		c.steer(t, func(s *landprocess.State) error { return s.Start("", "", time.Now()) })
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		if _, err := landscapeMachine(t).Run(ctx, c.host(), "run-1", json.RawMessage("{}")); err == nil {
			t.Fatal("it was stopped")
		}
		settle()
		half := c.total()
		if half < 20 || half > 140 {
			t.Fatalf("%d KGs are done after 20 minutes", half)
		}
		c.steer(t, func(s *landprocess.State) error { s.Pause(time.Now()); return nil })
		if _, err := landscapeMachine(t).Run(t.Context(), c.host(), "run-2", json.RawMessage("{}")); err != nil {
			t.Fatal(err)
		}
		if c.total() != half {
			t.Errorf("a paused processor made %d KGs", c.total()-half)
		}
		c.steer(t, func(s *landprocess.State) error { s.Resume(time.Now()); return nil })
		if _, err := landscapeMachine(t).Run(t.Context(), c.host(), "run-3", json.RawMessage("{}")); err != nil {
			t.Fatal(err)
		}
		settle()
		c.check(t, false)
	})
}
