package national

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// build runs a build of a source directory as the command does.
func build(t testing.TB, dir string, st store.Store, o Options) (Summary, error) {
	t.Helper()
	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	o.Store, o.Source, o.Observer, o.Jobs = st, source, silent{}, 2
	if o.Now == nil {
		o.Now = time.Now
	}
	return Run(t.Context(), o)
}

func mustBuild(t testing.TB, dir string, st store.Store, o Options) Summary {
	t.Helper()
	s, err := build(t, dir, st, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// intact reads a whole generation back.
func intact(t testing.TB, st store.Store) Checked {
	t.Helper()
	c, err := Check(t.Context(), st, func(rowschema.Quality) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Broken) > 0 {
		t.Fatalf("broken objects: %v", c.Broken)
	}
	return c
}

func served(t testing.TB, st store.Store) *register.Register {
	t.Helper()
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Pointer.Register)
	if err != nil {
		t.Fatal(err)
	}
	r, err := register.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func contents(t testing.TB, st store.Store) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for info, err := range st.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		b, err := objects.Read(t.Context(), st, info.Key)
		if err != nil {
			t.Fatal(err)
		}
		out[info.Key] = b
	}
	return out
}

func TestSameInputSameBytesAndNames(t *testing.T) {
	dir := sourcetest.Write(t, sourcetest.Three...)
	a, b := mem.New(), mem.New()
	noon := func() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) } // the pointer and its log have a date
	first, second := mustBuild(t, dir, a, Options{Now: noon}), mustBuild(t, dir, b, Options{Now: noon})
	if !first.Published || first.Generation != second.Generation {
		t.Fatalf("generations %q and %q", first.Generation, second.Generation)
	}
	x, y := contents(t, a), contents(t, b)
	if len(x) != len(y) {
		t.Errorf("%d objects and %d objects", len(x), len(y))
	}
	for key, body := range x {
		if !bytes.Equal(body, y[key]) {
			t.Errorf("%s differs", key)
		}
	}
	if c := intact(t, a); c.KGs != 3 {
		t.Errorf("want 3 KGs, got %+v", c)
	}
	for _, r := range first.Results {
		if r.Parcels != sourcetest.Side*sourcetest.Side || r.Gap > 1 || r.Overlap > 1 {
			t.Errorf("%s: %d parcels, gaps %.2f m², overlaps %.2f m²", r.Code, r.Parcels, r.Gap, r.Overlap)
		}
	}
}

func TestTheSecondRunDoesNothing(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	first := mustBuild(t, dir, st, Options{})
	again := mustBuild(t, dir, st, Options{})
	if again.Published || again.Generation != first.Generation || again.Count(kgbuild.Reused) != 3 {
		t.Errorf("got %+v", again)
	}
}

// TestKilledAtAnyWrite breaks each write in turn, failed and failed-but-stored, and lets the builder
// die there. The served generation stays whole, and the next run ends where an undisturbed one ends.
func TestKilledAtAnyWrite(t *testing.T) {
	before, after := sourcetest.Write(t, sourcetest.Three[0]), sourcetest.Write(t, sourcetest.KG{Code: "99001", Drop: 1})
	begun := mem.New()
	old := mustBuild(t, before, begun, Options{})
	counter := &storetest.Faulty{Store: begun.Clone()}
	want := mustBuild(t, after, counter, Options{Accept: true})
	if !want.Published {
		t.Fatal("the second build published nothing")
	}
	for n := int64(1); n <= counter.Writes(); n++ {
		for _, stored := range []bool{false, true} {
			st := begun.Clone()
			_, err := build(t, after, &storetest.Faulty{Store: st, FailAt: n, Stored: stored, Dead: true}, Options{Accept: true})
			live := intact(t, st)
			if live.Generation != old.Generation && live.Generation != want.Generation {
				t.Fatalf("write %d, stored %v: generation %s is served (%v)", n, stored, live.Generation, err)
			}
			got := mustBuild(t, after, st, Options{Accept: true})
			if got.Generation != want.Generation {
				t.Errorf("write %d, stored %v: the next run serves %s, want %s", n, stored, got.Generation, want.Generation)
			}
			if now := intact(t, st); now.Latest != want.Generation {
				t.Errorf("write %d, stored %v: the files below latest/ are of %q", n, stored, now.Latest)
			}
		}
	}
}

func TestABrokenKGNeverStopsTheOthers(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	mustBuild(t, dir, st, Options{})
	broken := sourcetest.Write(t, sourcetest.Three...)
	breakTile(t, broken, "kataster/15")
	s := mustBuild(t, broken, st, Options{})
	failed := 0
	for _, r := range s.Results {
		if r.Outcome != kgbuild.Failed {
			continue
		}
		failed++
		for _, want := range []string{"KG " + string(r.Code), "kataster", "15/"} {
			if !strings.Contains(r.Err.Error(), want) {
				t.Errorf("the error does not name %q: %v", want, r.Err)
			}
		}
	}
	if failed == 0 {
		t.Fatalf("no KG failed: %+v", s)
	}
	if c := intact(t, st); c.KGs != 3 {
		t.Errorf("want all 3 KGs served, the failed ones as they were, got %d", c.KGs)
	}
}

// breakTile overwrites the first tile of a folder with a layer that is longer than the tile.
func breakTile(t *testing.T, dir, folder string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "tiles", filepath.FromSlash(folder), "*", "*.pbf"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no tile below %s: %v", folder, err)
	}
	if err := os.WriteFile(names[0], []byte("\x1a\xff\xff\xff\xff\x0f"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAWorseBuildIsRefusedAndCanBeAccepted(t *testing.T) {
	st := mem.New()
	old := mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	worse := sourcetest.Write(t, sourcetest.Three[0], sourcetest.KG{Code: "99002", Drop: 6}, sourcetest.Three[2])
	s := mustBuild(t, worse, st, Options{})
	if s.Count(kgbuild.Refused) != 1 || s.Published || s.Generation != old.Generation {
		t.Fatalf("want one refusal and nothing published, got %d refused, published %v", s.Count(kgbuild.Refused), s.Published)
	}
	if r := s.Results[1]; r.Outcome != kgbuild.Refused || !strings.Contains(r.Err.Error(), "6 of 16 live parcels are lost") {
		t.Errorf("got %s: %v", r.Outcome, r.Err)
	}
	s = mustBuild(t, worse, st, Options{Accept: true})
	if !s.Published || s.Count(kgbuild.Built) != 1 {
		t.Fatalf("accepted: got %+v", s)
	}
	if got := served(t, st).KG("99002").ParcelCount; got != 10 {
		t.Errorf("want 10 parcels, got %d", got)
	}
}

func TestBuildingSomeKGsKeepsTheOthers(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	s := mustBuild(t, dir, st, Options{KGs: []austria.KGCode{"99002"}})
	if s.Count(kgbuild.Built) != 1 {
		t.Fatalf("got %+v", s)
	}
	r := served(t, st)
	if len(r.KGs()) != 3 || r.KG("99001").Snapshot.Key != "" || r.KG("99002").Snapshot.Key == "" {
		t.Errorf("want three KGs, only the second warm, got %+v", r.KGs())
	}
	mustBuild(t, dir, st, Options{KGs: []austria.KGCode{"99001", "99003"}})
	for _, k := range served(t, st).KGs() {
		if k.Snapshot.Key == "" {
			t.Errorf("KG %s is cold", k.Code)
		}
	}
}

func TestTwoPublishersAtOnce(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	var wg sync.WaitGroup
	for _, code := range []austria.KGCode{"99001", "99002", "99003"} {
		wg.Go(func() {
			if _, err := build(t, dir, st, Options{KGs: []austria.KGCode{code}}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if c := intact(t, st); c.KGs != 3 {
		t.Errorf("want every publisher's KG served, got %d", c.KGs)
	}
}

func TestUnknownKGIsNamed(t *testing.T) {
	_, err := build(t, sourcetest.Write(t, sourcetest.Three...), mem.New(), Options{KGs: []austria.KGCode{"12345"}})
	if err == nil || !strings.Contains(err.Error(), "12345") {
		t.Errorf("got %v", err)
	}
}

// TestTheStateMachinesWay runs the three tasks of the cloud and ends with the same generation.
func TestTheStateMachinesWay(t *testing.T) {
	dir, ctx := sourcetest.Write(t, sourcetest.Three...), context.Background()
	here := mem.New()
	want := mustBuild(t, dir, here, Options{})
	source, err := OpenSource(ctx, SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	c := Cloud{Artefacts: mem.New(), Runs: mem.New(), Source: source}
	list, err := c.Do(ctx, CloudTask{Task: "list", Run: "r1"})
	if err != nil || list.KGs != 3 || list.Key != "runs/r1/kgs.json" {
		t.Fatalf("list: %+v, %v", list, err)
	}
	for _, code := range []string{"99001", "99002", "99003", "99003"} { // a retry is harmless
		if a, err := c.Do(ctx, CloudTask{Task: "kg", Run: "r1", KGCode: code}); err != nil || a.Digest == "" {
			t.Fatalf("kg %s: %+v, %v", code, a, err)
		}
	}
	got, err := c.Do(ctx, CloudTask{Task: "publish", Run: "r1"})
	if err != nil || !got.Published || got.Generation != want.Generation {
		t.Errorf("want generation %s, got %+v, %v", want.Generation, got, err)
	}
	// The state machine publishes again where it heard nothing of a publication that was made.
	if again, err := c.Do(ctx, CloudTask{Task: "publish", Run: "r1"}); err != nil || again.Generation != got.Generation ||
		again.KGs != got.KGs {
		t.Errorf("published again: want %+v, got %+v, %v", got, again, err)
	}
	for _, bad := range []CloudTask{{Task: "drop", Run: "r1"}, {Task: "kg", Run: "r1", KGCode: "x"}, {Task: "list"},
		{Task: "list", Run: "../x"}} {
		if _, err := c.Do(ctx, bad); err == nil {
			t.Errorf("%+v: want an error", bad)
		}
	}
}

func TestSnapshotsAreServedByName(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three[:1]...), st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	e := live.Manifest.KGs[0]
	if e.Snapshot != "99001-2026-10-01" {
		t.Errorf("snapshot %q", e.Snapshot)
	}
	b, err := objects.Read(t.Context(), st, e.Forms.KGS.Key)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(b)
	if err != nil || f.NumParcels() != sourcetest.Side*sourcetest.Side {
		t.Errorf("kgs: %v", err)
	}
	v, err := objects.Read(t.Context(), st, e.Versions.Key)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := rowschema.ParseVersions(v)
	if err != nil || len(versions.Snapshots) != 1 || versions.Snapshots[0].Key != e.Forms.KGS.Key {
		t.Errorf("versions: %+v, %v", versions, err)
	}
}

// A source from before, published over a newer one, is what the version list calls the latest.
func TestTheVersionListFollowsWhatIsServed(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three[0]), st, Options{})
	older := sourcetest.Write(t, sourcetest.KG{Code: "99001", Drop: 1})
	sourcetest.File(t, older, "source.json", `{"stichtag":"2026-04-01","attribution":"© BEV, 2026"}`)
	if s := mustBuild(t, older, st, Options{Accept: true}); !s.Published {
		t.Fatalf("got %+v", s)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Manifest.KGs[0].Versions.Key)
	if err != nil {
		t.Fatal(err)
	}
	v, err := rowschema.ParseVersions(b)
	if err != nil || v.Latest != live.Manifest.KGs[0].Stichtag || v.Latest != "2026-04-01" || len(v.Snapshots) != 2 ||
		v.Snapshots[0].Date != "2026-10-01" {
		t.Errorf("served is %s, the list says %+v, %v", live.Manifest.KGs[0].Stichtag, v, err)
	}
}
