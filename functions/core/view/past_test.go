package view_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// earlier is the date of the one earlier snapshot of 88801; the served ones are of fixture.Stichtag, 2026-10-01.
const earlier = "2025-10-01"

// pastWorld is the world with an earlier snapshot of 88801, whose source has a notice of its own; 88803 is cold.
func pastWorld(t testing.TB, load bool) (store.Store, *library.Library) {
	t.Helper()
	list := fixture.Snapshots()
	before := *list[slices.IndexFunc(list, func(s *kgfile.Snapshot) bool { return s.KG.Code == "88801" })]
	before.Build.Stichtag, before.Build.Source = earlier, "© BEV, 2025"
	s := mem.New()
	if err := fixture.PublishPast(s, list, []*kgfile.Snapshot{&before}, "88803"); err != nil {
		t.Fatal(err)
	}
	var o library.Options
	if load {
		o.Warmup = func(austria.KGCode) {}
	}
	lib, err := library.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, lib
}

// at is the view of a date of a library, "" for the present.
func at(t testing.TB, lib *library.Library, date string) *view.View {
	t.Helper()
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return view.Dated(v, date)
}

// remove takes an object out of the store.
func remove(t testing.TB, s store.Store, key string) {
	t.Helper()
	if err := s.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
}

// A view of a date answers from the newest snapshot on or before it: the served one from its own date on. The outline of
// the register may be another one only where the snapshot is another one.
func TestServedAndMovedByDate(t *testing.T) {
	_, lib := pastWorld(t, false)
	for _, c := range []struct {
		date          string
		code          austria.KGCode
		serves, moved bool
	}{
		{"", "88801", true, false},
		{"2026-10-02", "88801", true, false},
		{fixture.Stichtag, "88801", true, false},
		{"2026-09-30", "88801", false, true},
		{earlier, "88801", false, true},
		{"", "88803", false, false},
		{"2026-09-30", "88803", false, false}, // it has no snapshot that could have moved
		{"", "77777", false, false},
		{"2026-09-30", "77777", false, false},
	} {
		v := at(t, lib, c.date)
		if v.Serves(c.code) != c.serves || v.Moved(c.code) != c.moved {
			t.Errorf("%s at %q: serves %v, moved %v", c.code, c.date, v.Serves(c.code), v.Moved(c.code))
		}
		if v.Date() != c.date || v.Past() != (c.date != "") {
			t.Errorf("a view of %q is of %q, past %v", c.date, v.Date(), v.Past())
		}
	}
}

// Which file a date gives, what its gaps say, and who is to be named.
func TestReadAtADate(t *testing.T) {
	_, lib := pastWorld(t, false)
	for _, c := range []struct {
		date          string
		code          austria.KGCode
		stichtag      string // of the file, "" for none
		why           view.Absence
		ready         bool
		attribution   string
		withoutOfDate int // KGs that the answer counts as without a snapshot of the date
	}{
		{"", "88801", fixture.Stichtag, 0, true, "", 0},
		{fixture.Stichtag, "88801", fixture.Stichtag, 0, true, "© BEV, 2026, modified", 0},
		{"2026-09-30", "88801", earlier, 0, true, "© BEV, 2025, modified", 0},
		{earlier, "88801", earlier, 0, true, "© BEV, 2025, modified", 0},
		{"2025-09-30", "88801", "", view.Unversioned, true, "", 1},
		{"2025-09-30", "88803", "", view.Unbuilt, false, "", 0},
	} {
		v := at(t, lib, c.date)
		var g view.Missing
		f, err := v.Read(t.Context(), c.code, &g)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if f != nil {
			got = f.Build().Stichtag
		}
		if got != c.stichtag || g.Why(c.code) != c.why || g.Ready() != c.ready || v.Attribution() != c.attribution {
			t.Errorf("%s at %q: a file of %q, absent %d, ready %v, %q", c.code, c.date, got, g.Why(c.code), g.Ready(), v.Attribution())
		}
		meta, lists := g.Members(), 5
		if c.withoutOfDate > 0 {
			lists = 7
			if n, _ := meta["kgs_without_version_count"].(int); n != c.withoutOfDate ||
				!slices.Equal(meta["kgs_without_version"].([]austria.KGCode), []austria.KGCode{c.code}) {
				t.Errorf("%s at %q: %v", c.code, c.date, meta)
			}
		} else if !c.ready {
			lists = 6 // missing_by_reason
		}
		if len(meta) != lists {
			t.Errorf("%s at %q: want %d members, got %v", c.code, c.date, lists, meta)
		}
		if _, ok := meta["missing_by_reason"]; ok == c.ready {
			t.Errorf("%s at %q: reasons in %v", c.code, c.date, meta)
		}
	}
}

// The served snapshot alone is brought back when it left the store; an earlier one is lost, whoever loads KGs.
func TestWhatLeftTheStore(t *testing.T) {
	for _, load := range []bool{false, true} {
		_, lib := pastWorld(t, load)
		present := at(t, lib, "")
		list, ok, err := present.Versions(t.Context(), "88801")
		if err != nil || !ok || len(list.Snapshots) != 2 {
			t.Fatalf("the snapshots of 88801: %+v, %v", list, err)
		}
		served, old := list.Snapshots[0], list.Snapshots[1]
		var g view.Missing
		if f, err := present.ReadSnapshot(t.Context(), "88801", old, &g); err != nil || f == nil || f.Build().Stichtag != earlier ||
			!g.Ready() {
			t.Fatalf("an earlier snapshot: %v, %v", g, err)
		}
		s, lib := pastWorld(t, load)
		present = at(t, lib, "")
		remove(t, s, served.Key)
		remove(t, s, old.Key)
		brought := map[bool]view.Absence{true: view.Evicted, false: view.Lost}[load]
		for name, c := range map[string]struct {
			read func(g *view.Missing) (*kgfile.File, error)
			want view.Absence
		}{
			"served snapshot": {func(g *view.Missing) (*kgfile.File, error) {
				return present.ReadSnapshot(t.Context(), "88801", served, g)
			},
				brought},
			"earlier snapshot": {func(g *view.Missing) (*kgfile.File, error) { return present.ReadSnapshot(t.Context(), "88801", old, g) },
				view.Lost},
			"served, by its code": {func(g *view.Missing) (*kgfile.File, error) { return present.Read(t.Context(), "88801", g) }, brought},
			"earlier, by its date": {func(g *view.Missing) (*kgfile.File, error) {
				return at(t, lib, earlier).Read(t.Context(), "88801", g)
			}, view.Lost},
			"served, by a date": {func(g *view.Missing) (*kgfile.File, error) {
				return at(t, lib, "2026-10-05").Read(t.Context(), "88801", g)
			}, brought},
			"of a KG that is foreign": {func(g *view.Missing) (*kgfile.File, error) {
				return present.ReadSnapshot(t.Context(), "88802", old, g)
			},
				view.Lost},
		} {
			var g view.Missing
			f, err := c.read(&g)
			code, why := g.One()
			if f != nil || err != nil || why != c.want || code == "" {
				t.Errorf("loads %v, %s: want %s, got %q of %s, %v", load, name, c.want, why, code, err)
			}
		}
	}
}

// An answer about one KG as a whole is its file, or says why it has no file.
func TestNeed(t *testing.T) {
	_, lib := pastWorld(t, true)
	if f, err := at(t, lib, "").Need(t.Context(), "88801"); err != nil || f.KG().Code != "88801" {
		t.Errorf("a warm KG: %v", err)
	}
	for _, c := range []struct {
		date   string
		code   austria.KGCode
		status int
		reason any
		list   string
	}{
		{"", "77777", http.StatusNotFound, nil, ""},
		{"", "88803", http.StatusServiceUnavailable, "cold", "kgs_warming"},
		{"2025-09-30", "88801", http.StatusNotFound, "without_version", ""},
	} {
		_, err := at(t, lib, c.date).Need(t.Context(), c.code)
		var f *fault.Fault
		if !errors.As(err, &f) || f.Status() != c.status || f.Members["reason"] != c.reason {
			t.Errorf("%s at %q: want %d %v, got %v", c.code, c.date, c.status, c.reason, err)
			continue
		}
		if c.list == "" {
			if len(f.Members) > 1 {
				t.Errorf("%s misses nothing that exists, and its error says %v", c.code, f.Members)
			}
		} else if f.Members["ready"] != false || !slices.Equal(f.Members[c.list].([]austria.KGCode), []austria.KGCode{c.code}) ||
			len(f.Members) != 3 {
			t.Errorf("%s: %v", c.code, f.Members)
		}
	}
	_, lib = pastWorld(t, false)
	var f *fault.Fault
	if _, err := at(t, lib, "").Need(t.Context(), "88803"); !errors.As(err, &f) || f.Members["ready"] != false ||
		!slices.Equal(f.Members["kgs_unavailable"].([]austria.KGCode), []austria.KGCode{"88803"}) {
		t.Errorf("a KG that nothing loads: %v", err)
	}
}

// A store that gives no answer is no gap: the request ends with 503, whatever it asked for.
func TestAStoreThatFailsIsNoGap(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	failing := &fixture.Failing{Store: s}
	failing.Left.Store(1000)
	lib := fixture.Library(t, failing)
	v := at(t, lib, "")
	served := v.Register().KG("88801").Snapshot
	failing.Left.Store(0)
	var g view.Missing
	for name, ask := range map[string]func() error{
		"Read":    func() error { _, err := v.Read(t.Context(), "88801", &g); return err },
		"Open":    func() error { _, err := v.Open(t.Context(), "88801"); return err },
		"Need":    func() error { _, err := v.Need(t.Context(), "88801"); return err },
		"Confirm": func() error { return v.Confirm(t.Context(), []austria.KGCode{"88801"}, &g) },
		"Absent":  func() error { _, err := v.Absent(t.Context()); return err },
	} {
		var f *fault.Fault
		if err := ask(); !errors.As(err, &f) || f.Status() != http.StatusServiceUnavailable || f.Members["reason"] != nil || !g.Ready() {
			t.Errorf("%s of %s: want 503 without a reason, got %v, %v", name, served.Key, err, g)
		}
	}
}

// All KGs that cannot be read, with the reason; nothing is asked to be loaded.
func TestAbsent(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	lib, err := library.Open(t.Context(), s, library.Options{Warmup: func(austria.KGCode) { asked++ }})
	if err != nil {
		t.Fatal(err)
	}
	v := at(t, lib, "")
	remove(t, s, v.Register().KG("88802").Snapshot.Key)
	if _, err := s.Put(t.Context(), v.Register().KG("88801").Snapshot.Key, []byte("no KG file"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	var g view.Missing
	if _, err := v.Read(t.Context(), "88801", &g); err != nil || g.Why("88801") != view.Damaged { // it is known once it was read
		t.Fatal(g, err)
	}
	want := []view.AbsentKG{{Code: "88801", Why: view.Damaged}, {Code: "88802", Why: view.Evicted}, {Code: "88803", Why: view.Cold}}
	if got, err := v.Absent(t.Context()); err != nil || !slices.Equal(got, want) || asked != 0 {
		t.Errorf("want %v, got %v, %v; %d asked for", want, got, err, asked)
	}
}

// KGs are looked for 2 km around what is asked where their outline of the date may be another one, and nowhere else.
func TestNearAtADate(t *testing.T) {
	_, lib := pastWorld(t, false)
	present, then := at(t, lib, ""), at(t, lib, "2026-09-30")
	p := fixture.At(-20, 0.5) // west of 88801, by 20 cells of about 75 m: 1.5 km
	box := geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}
	ruler := crs.RulerAt(p)
	if off := ruler.Distance(fixture.At(0, 0.5)); off < 1000 || off > 2000 {
		t.Fatalf("the place is %f m off", off)
	}
	if got := present.KGsNear(box); len(got) != 0 {
		t.Errorf("at present nothing lies there, got %v", got)
	}
	if got := then.KGsNear(box); !slices.Contains(got, "88801") {
		t.Errorf("the KG may have reached there, got %v", got)
	}
	for _, code := range then.Candidates(p) {
		if !then.Moved(code) { // 88803 is near, and cold
			t.Errorf("%s did not move", code)
		}
	}
	if got := then.Candidates(p); !slices.Contains(got, "88801") {
		t.Errorf("the KG may have reached there, got %v", got)
	}
	if got := present.Candidates(p); len(got) != 0 {
		t.Errorf("at present none, got %v", got)
	}
	inside := fixture.At(0.5, 0.5)
	if got := then.Candidates(inside); len(got) == 0 || got[0] != "88801" ||
		len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
		t.Errorf("each KG once, that of the register first, got %v", got)
	}
}
