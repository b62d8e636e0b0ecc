package process

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/builders/landscape/index"
	"mappe/builders/national"
	"mappe/shared/austria"
	"mappe/shared/cloud/gauge"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

const one = austria.KGCode("99001")

// troubled is a store whose snapshots of KGs cannot be read: what trouble gives is what reading one gives.
type troubled struct {
	store.Store
	trouble func(ctx context.Context) error
}

func (s troubled) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if strings.Contains(key, string(one)) && s.trouble != nil {
		return nil, s.trouble(ctx)
	}
	return s.Store.Get(ctx, key, o)
}

// worker is one over a country of one KG that is to be analysed; trouble is that of its snapshot.
func worker(t *testing.T, trouble func(context.Context) error) (*Worker, store.Store) {
	t.Helper()
	st := mem.New()
	if _, err := national.PublishSnapshots(t.Context(), st,
		kgtest.Snapshot(kgtest.Options{Code: one, Parcels: 20, Segments: 1, AreaKm2: 1})); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), troubled{st, trouble}, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{Library: lib, Store: st, Records: landprocess.Records{Ledger: sqlitetest.Open(t, sqlite.Options{})}}
	if _, err := w.Records.Change(t.Context(), func(s *landprocess.State) error { return s.Start("", "", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	return w, st
}

func stateOf(t *testing.T, w *Worker) landprocess.State {
	t.Helper()
	s, err := w.Records.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What everybody may read of a failure says nothing of addresses and keys.
func TestFailuresTellNoInternals(t *testing.T) {
	const internal = "10.1.2.3:9000 refused bucket-7"
	for name, trouble := range map[string]func(context.Context) error{
		"of the store": func(context.Context) error { return errors.New(internal) }, "of the object": nil} {
		w, st := worker(t, trouble)
		if trouble == nil {
			v, err := w.Library.View(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := st.Put(t.Context(), v.Register().KG(one).Snapshot.Key, []byte("damaged"), store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.One(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := stateOf(t, w)
		lines, err := w.Records.Lines(t.Context())
		if err != nil || len(s.Failed)+len(s.Retry) != 1 {
			t.Fatalf("%s: %+v, %v", name, s, err)
		}
		texts := []string{lines[len(lines)-1].Text}
		for _, f := range s.Failed {
			texts = append(texts, f.Error)
		}
		for _, r := range s.Retry {
			texts = append(texts, r.Error)
		}
		for _, text := range texts {
			if text == "" || strings.Contains(text, "10.1.2.3") || strings.Contains(text, ".kgs") ||
				strings.Contains(text, "kg/") || strings.Contains(text, string(one)) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// A KG whose snapshot left the store waits for it, and has failed nothing.
func TestColdWaits(t *testing.T) {
	w, _ := worker(t, func(context.Context) error { return store.ErrNotFound })
	if _, err := w.One(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := stateOf(t, w); len(s.Failed) != 0 || len(s.Retry) != 1 || s.Retry[0].Attempt != 0 || s.Retry[0].Not.IsZero() || s.Ended != 0 {
		t.Errorf("%+v", s)
	}
}

// While the research repository gives no answer KGs wait with their uploads, and have failed nothing: what was analysed stays.
func TestUploadsWait(t *testing.T) {
	w, _ := worker(t, nil)
	for round := range 7 { // more than a KG has attempts
		now := time.Now().Add(time.Duration(round) * time.Hour)
		w.Now = func() time.Time { return now }
		var taken landprocess.Current
		if _, err := w.Records.Change(t.Context(), func(s *landprocess.State) error {
			c, err := s.Take("o", now, func(austria.KGCode, austria.StateCode, func(austria.KGCode) bool) (austria.KGCode, bool) {
				return one, round == 0
			})
			if err == nil {
				taken = *c
			}
			return err
		}); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		assigned := landprocess.Assignment{Records: w.Records, Owner: "o"}
		if _, err := w.end(t.Context(), t.Context(), assigned, &taken,
			produced{err: fmt.Errorf("upload: %w", repository.ErrUnavailable)}); err != nil {
			t.Fatal(err)
		}
		if s := stateOf(t, w); len(s.Failed) != 0 || len(s.Retry) != 1 || s.Retry[0].Attempt != 0 ||
			!strings.Contains(s.Retry[0].Error, "repository") {
			t.Fatalf("round %d: %+v", round, s)
		}
	}
}

// The square that is worked on when the time of a function ends is given up before it does, and its KG let go.
func TestFunctionEnds(t *testing.T) {
	w, _ := worker(t, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.until(ctx, time.Millisecond, time.Minute-200*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if s := stateOf(t, w); ctx.Err() != nil || s.Now == nil || s.Now.KG != one || s.Now.Owner != "" || len(s.Failed)+len(s.Retry) != 0 {
		t.Errorf("%v, %+v", ctx.Err(), s)
	}
}

// Each look tells how old the data is and how much waits; that nobody takes it keeps nothing from being done.
func TestGauges(t *testing.T) {
	w, _ := worker(t, func(context.Context) error { return store.ErrNotFound })
	w.Now = func() time.Time { return time.Date(2026, 10, 11, 12, 0, 0, 0, time.UTC) }
	if _, err := w.Records.Change(t.Context(),
		func(s *landprocess.State) error { return s.Replace([]austria.KGCode{"99001", "99002"}) }); err != nil {
		t.Fatal(err)
	}
	var told map[string]gauge.Figure
	w.Gauges = func(figures map[string]gauge.Figure) error { told = figures; return errors.New("nobody takes it") }
	if _, err := w.Do(t.Context(), Task{}); err != nil {
		t.Fatal(err)
	}
	if told["LandscapeQueue"].Value != 2 || told["DataAgeDays"].Value != 10 || !slices.Equal(slices.Sorted(maps.Keys(told)), Figures) {
		t.Errorf("%+v", told)
	}
	if told["LandscapeRetrying"].Value != 0 || told["LandscapeFailed"].Value != 0 {
		t.Errorf("nothing has failed: %+v", told)
	}
	if s := stateOf(t, w); len(s.Queue) == 2 {
		t.Errorf("nothing was done: %+v", s)
	}
}

// A file that cannot be read keeps no index from being made, and its KG comes again.
func TestIndexWithoutAFile(t *testing.T) {
	w, st := worker(t, nil)
	v, err := w.Library.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone := "landscape/99001/99001-2026-10-01-0123456789abcdef.parts"
	if err := w.Records.Put(t.Context(), landprocess.Entry{KG: one, Fingerprint: "f", Inputs: Inputs(v, one), Key: gone}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := index.Served(t.Context(), st, live.Pointer.Artefacts[landscape.Artefact]); err != nil || len(list) != 1 ||
		list[0].Processed {
		t.Errorf("%+v, %v", list, err)
	}
	lines, err := w.Records.Lines(t.Context())
	if err != nil || len(lines) != 2 || lines[0].KG != one {
		t.Errorf("%+v, %v", lines, err)
	}
	if e, _, err := w.Records.Entry(t.Context(), one); err != nil || e.Fingerprint != "" || e.Inputs == Inputs(v, one) {
		t.Errorf("%+v, %v", e, err)
	}
}

// refusing is a ledger that takes nothing.
type refusing struct{ ledger.Ledger }

func (refusing) Put(context.Context, ledger.Record, int64) (int64, error) {
	return 0, errors.New("no")
}

// Squares are kept until the result is noted, those of earlier inputs too, and no longer.
func TestSquaresAreKeptUntilTheResultIs(t *testing.T) {
	w, st := worker(t, nil)
	v, err := w.Library.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{keptOf(one) + "old/E1N1.gob.zst", keptOf(one) + "new/E1N1.gob.zst", keptOf("99002") + "new/E1N1.gob.zst"}
	for _, key := range keys {
		if _, err := st.Put(t.Context(), key, []byte("square"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	there := func() (n int) {
		for _, key := range keys {
			if _, err := st.Head(t.Context(), key); err == nil {
				n++
			}
		}
		return n
	}
	taken, out := &landprocess.Current{KG: one}, &Outcome{KG: one, Fingerprint: "f"}
	kept := w.Records.Ledger
	w.Records.Ledger = refusing{kept}
	if _, err := w.keep(t.Context(), v, taken, out); err == nil || there() != 3 {
		t.Errorf("%v: %d squares are left", err, there())
	}
	w.Records.Ledger = kept
	if _, err := w.keep(t.Context(), v, taken, out); err != nil || there() != 1 {
		t.Errorf("%v: %d squares are left", err, there())
	}
}
