package national

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/builders/source/sourcetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/cloud/warmup"
	"mappe/shared/geo/mvt"
)

func warmer(t *testing.T, dir string, st store.Store) *Warmer {
	t.Helper()
	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var seconds atomic.Int64 // mem counts seconds from 1970, one a write
	now := func() time.Time { return time.Unix(seconds.Add(1), 0) }
	return &Warmer{Store: st, Source: source, Jobs: 2, Log: slog.New(slog.DiscardHandler), Now: now}
}

func requestWarmup(t *testing.T, st store.Store, codes ...austria.KGCode) {
	t.Helper()
	for _, c := range codes {
		if _, err := st.Put(t.Context(), warmup.Folder+string(c), nil, store.PutOptions{IfMatch: store.Absent}); err != nil &&
			!errors.Is(err, store.ErrPrecondition) {
			t.Fatal(err)
		}
	}
}

func round(t *testing.T, w *Warmer) WarmReport {
	t.Helper()
	r, err := w.Round(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func requests(t *testing.T, st store.Store) []string {
	t.Helper()
	var out []string
	for info, err := range st.List(t.Context(), "requests/") {
		if err != nil {
			t.Fatal(err)
		}
		if info.Key != "requests/work.json" && info.Key != "requests/failed.json" { // what the worker says
			out = append(out, strings.TrimPrefix(info.Key, "requests/"))
		}
	}
	return out
}

// Requests are served together, in one generation, which is the one a whole build makes.
func TestRequestedKGsAreBuiltTogether(t *testing.T) {
	dir, st, whole := sourcetest.Write(t, sourcetest.Three...), mem.New(), mem.New()
	mustBuild(t, dir, st, Options{KGs: []austria.KGCode{"99002"}})
	want := mustBuild(t, dir, whole, Options{})
	w := warmer(t, dir, st)
	if r := round(t, w); !r.Empty() {
		t.Errorf("nothing is requested: %+v", r)
	}
	requestWarmup(t, st, "99001", "99003", "99003")
	r := round(t, w)
	if !slices.Equal(r.Served, []austria.KGCode{"99001", "99003"}) || len(r.Failed) > 0 || r.Generation != want.Generation {
		t.Errorf("want generation %s, got %+v", want.Generation, r)
	}
	if left := requests(t, st); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if c := intact(t, st); c.KGs != 3 {
		t.Errorf("want 3 KGs, got %d", c.KGs)
	}
	requestWarmup(t, st, "99001") // of one who has not seen the new generation yet
	if r := round(t, w); len(r.Served) != 1 || r.Generation != want.Generation || len(requests(t, st)) > 0 {
		t.Errorf("a late request: %+v", r)
	}
}

// A KG on demand is left out by a build and built when it is asked for; the country is then that of a whole build.
func TestAKGOnDemand(t *testing.T) {
	dir, st, whole := sourcetest.Write(t, sourcetest.Three...), mem.New(), mem.New()
	want := mustBuild(t, dir, whole, Options{})
	sourcetest.File(t, dir, "source.json", `{"stichtag":"2026-10-01","attribution":"© BEV, 2026","on_demand":["99002"]}`)
	mustBuild(t, dir, st, Options{})
	if c := intact(t, st); c.KGs != 2 {
		t.Fatalf("want two KGs, got %d", c.KGs)
	}
	requestWarmup(t, st, "99002")
	if r := round(t, warmer(t, dir, st)); !slices.Equal(r.Served, []austria.KGCode{"99002"}) || r.Generation != want.Generation {
		t.Errorf("want generation %s, got %+v", want.Generation, r)
	}
}

// noTiles is a source of empty tiles.
type noTiles struct{}

func (noTiles) Tile(context.Context, string, mvt.TileID) ([]byte, error) { return nil, nil }

// A KG without data and one whose tiles are broken are marked with the reason, keep nobody waiting and are
// not built again by the next request.
func TestAKGThatCannotBeBuiltIsMarked(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	mustBuild(t, dir, st, Options{KGs: []austria.KGCode{"99002"}})
	csv := filepath.Join(dir, "registers/kg.csv")
	old, err := os.ReadFile(csv)
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.File(t, dir, "registers/kg.csv", string(old)+"99009,Ohne,50999,Probe,509,Probe,5,Salzburg\n")
	w := warmer(t, dir, st)
	good := w.Source.tiles
	w.Source.tiles = noTiles{}
	requestWarmup(t, st, "99001", "99009")
	r := round(t, w)
	if len(r.Served) > 0 || len(r.Failed) != 2 {
		t.Fatalf("got %+v", r)
	}
	if got := strings.Join(requests(t, st), " "); got != "given-up/99001 given-up/99009 warm/99001 warm/99009" {
		t.Errorf("got %s", got)
	}
	for code, want := range map[austria.KGCode]string{"99001": "no parcel", "99009": "no outline"} {
		if m, err := warmup.ReadMark(t.Context(), st, code); err != nil || !strings.Contains(m.Reason, want) || m.Tries != 1 {
			t.Errorf("%s: got %+v, %v", code, m, err)
		}
	}
	noted := func(code austria.KGCode, now time.Time) bool {
		t.Helper()
		f, _, _, err := warmup.ReadFailures(t.Context(), st, "")
		if err != nil {
			t.Fatal(err)
		}
		return f.Has(code, now)
	}
	now := time.Unix(1000, 0)
	if !noted("99001", now) || !noted("99009", now) || noted("99003", now) || noted("99001", now.Add(warmup.GiveUpFor)) {
		t.Error("readers are not told for how long the KGs that failed are not tried again")
	}
	requestWarmup(t, st, "99001")
	if r := round(t, w); !r.Empty() {
		t.Errorf("a marked KG was tried again: %+v", r)
	}
	// A week later, with tiles, it is built.
	later := time.Unix(0, 0).Add(warmup.GiveUpFor + time.Hour)
	w.Now, w.Source.tiles = func() time.Time { return later }, good
	if r := round(t, w); !slices.Equal(r.Served, []austria.KGCode{"99001"}) || !slices.Equal(r.Failed, []austria.KGCode{"99009"}) {
		t.Errorf("got %+v", r)
	}
	if noted("99001", now) || !noted("99009", now) {
		t.Error("a KG that was built is still noted as failed, or the other is not")
	}
}

// A publication that fails leaves the request, marked, and the next hour's round finds the build done.
func TestAFailedPublicationIsTriedAgain(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	mustBuild(t, dir, st, Options{KGs: []austria.KGCode{"99002"}})
	w := warmer(t, dir, noPointer{st})
	requestWarmup(t, st, "99001")
	if r := round(t, w); len(r.Failed) != 1 {
		t.Fatalf("got %+v", r)
	}
	w.Store = st
	if r := round(t, w); !r.Empty() {
		t.Errorf("tried again at once: %+v", r)
	}
	later := time.Unix(0, 0).Add(warmup.RetryAfter + time.Hour)
	w.Now = func() time.Time { return later }
	if r := round(t, w); len(r.Served) != 1 || len(requests(t, st)) > 0 {
		t.Errorf("an hour later: %+v, %v", r, requests(t, st))
	}
}

// noPointer refuses every swap with an error of the network.
type noPointer struct{ store.Store }

func (s noPointer) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	if key == (keys.Current{}).String() {
		return store.Info{}, storetest.ErrFault
	}
	return s.Store.Put(ctx, key, body, opt)
}

// An object of a served KG that is gone from the store is made again.
func TestAnEvictedKGIsBuiltAnew(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	first := mustBuild(t, dir, st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range live.Manifest.KGs[0].Forms.All() {
		if err := st.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
	}
	requestWarmup(t, st, "99001")
	if r := round(t, warmer(t, dir, st)); len(r.Served) != 1 || r.Generation != first.Generation {
		t.Errorf("got %+v", r)
	}
	intact(t, st)
}

// A KG beside the requested one was evicted, and nobody archived it: it is built of the source for its neighbour's cells, as it was.
func TestAWarmUpBesideAnEvictedKG(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	mustBuild(t, dir, st, Options{KGs: []austria.KGCode{"99001"}})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	was, _ := live.Manifest.Find("99001")
	if err := st.Delete(t.Context(), was.Forms.KGS.Key); err != nil {
		t.Fatal(err)
	}
	requestWarmup(t, st, "99002")
	if r := round(t, warmer(t, dir, st)); len(r.Failed) != 0 || !slices.Equal(r.Served, []austria.KGCode{"99002"}) {
		t.Errorf("%+v", r)
	}
	if live, err = ReadLive(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if now, _ := live.Manifest.Find("99001"); now.Forms != was.Forms {
		t.Errorf("the evicted KG is %+v, was %+v", now.Forms, was.Forms)
	}
	intact(t, st)
}

// The cloud's task is the same work.
func TestTheCloudWarms(t *testing.T) {
	dir := sourcetest.Write(t, sourcetest.Three...)
	env := map[string]string{"MAPPE_STORE": "file://" + t.TempDir(), "MAPPE_RUNS": "file://" + t.TempDir(), "MAPPE_SOURCE": dir}
	c, err := OpenCloud(t.Context(), func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	mustBuild(t, dir, c.Artefacts, Options{KGs: []austria.KGCode{"99002"}})
	requestWarmup(t, c.Artefacts, "99003")
	a, err := c.Do(t.Context(), CloudTask{Task: "warm"})
	if err != nil || a.Warm == nil || len(a.Warm.Served) != 1 || served(t, c.Artefacts).KG("99003").Snapshot.Key == "" {
		t.Errorf("got %+v, %v", a, err)
	}
	if a, err := c.Do(t.Context(), CloudTask{Task: "warm"}); err != nil || !a.Warm.Empty() {
		t.Errorf("again: %+v, %v", a, err)
	}
}
