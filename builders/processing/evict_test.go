package processing

import (
	"errors"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/availability"
	"mappe/artefacts/rowschema"
	"mappe/builders/national"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/warmup"
)

// Beyond the budget archived KGs leave the store, the longest unused first: no generation changes, what is there stays
// readable, publications go on, and a request brings a KG back byte for byte.
func TestTheBudgetEvictsArchivedKGs(t *testing.T) {
	r := newRig(t)
	archived := func(code austria.KGCode) {
		t.Helper()
		j, err := processing.Find(t.Context(), r.queue, processing.Archive, code)
		if err != nil {
			t.Fatal(err)
		}
		if j = r.finish(t, j.ID); j.State != jobs.Done {
			t.Fatalf("%+v", j)
		}
	}
	r.done(t, processing.Process, processing.Order{KG: small, Force: true})
	archived(small)
	r.done(t, processing.Process, processing.Order{KG: beside}) // of the same district: its columns are made of both
	r.Used = func(code austria.KGCode) time.Time {
		return map[austria.KGCode]time.Time{small: time.Unix(1<<40, 0)}[code]
	}
	r.Budget = 1
	first := r.live(t)
	had := contents(t, r.mem)
	archived(beside) // archives it, and then nothing fits
	live := r.live(t)
	if live.Pointer.Generation != first.Pointer.Generation {
		t.Error("an eviction has published")
	}
	gone := map[austria.KGCode]bool{}
	for _, code := range []austria.KGCode{small, beside} {
		e, _ := r.entry(t, code)
		_, err := r.mem.Head(t.Context(), e.Forms.KGS.Key)
		gone[code] = errors.Is(err, store.ErrNotFound)
		if _, err := r.mem.Head(t.Context(), e.Forms.PMTiles.Key); err != nil {
			t.Errorf("KG %s: %v", code, err)
		}
	}
	if !gone[small] || !gone[beside] {
		t.Fatalf("evicted: %v", gone)
	}
	b, _, err := store.ReadAll(t.Context(), r.mem, "availability.json", 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := availability.Parse(b); err != nil || len(x.KGs) != 2 {
		t.Errorf("%+v, %v", x, err)
	}
	if c, err := national.Check(t.Context(), r.mem, func(rowschema.Quality) {}); err != nil || len(c.Broken) > 0 ||
		len(c.Evicted.KGs) != 2 || c.Evicted.Objects != 8 {
		t.Errorf("what was evicted and can be brought back is no fault; got %+v, %v", c, err)
	}
	lost, _ := r.entry(t, beside) // its tiles stay in the store when it is evicted
	if b, _, err := store.ReadAll(t.Context(), r.mem, lost.Forms.PMTiles.Key, 1<<30, store.GetOptions{}); err != nil {
		t.Error(err)
	} else {
		if err := r.mem.Delete(t.Context(), lost.Forms.PMTiles.Key); err != nil {
			t.Fatal(err)
		}
		if c, err := national.Check(t.Context(), r.mem, func(rowschema.Quality) {}); err != nil || len(c.Broken) != 1 ||
			c.Broken[0] != lost.Forms.PMTiles.Key {
			t.Errorf("a lost object beside the evicted ones: %+v, %v", c.Broken, err)
		}
		if _, err := r.mem.Put(t.Context(), lost.Forms.PMTiles.Key, b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	r.Budget = 0
	r.done(t, processing.Process, processing.Order{KG: "99205"}) // the columns of its district need what was evicted
	warmer := &national.Warmer{Store: r.mem, Source: country.source, Jobs: 1, Now: time.Now, Log: r.Log, Restore: r.Archive.Back}
	for _, code := range []austria.KGCode{small, beside} {
		if err := warmup.Request(t.Context(), r.mem, code); err != nil {
			t.Fatal(err)
		}
	}
	before := r.live(t)
	if report, err := warmer.Round(t.Context()); err != nil || len(report.Served) != 2 || report.Generation != before.Pointer.Generation {
		t.Fatalf("%+v, %v", report, err)
	}
	r.whole(t)
	now := contents(t, r.mem)
	for key, want := range had {
		if strings.HasPrefix(key, "kg/") && now[key] != want {
			t.Errorf("%s is not what it was", key)
		}
	}
}

func contents(t testing.TB, st store.Store) map[string]string {
	t.Helper()
	out := map[string]string{}
	for info, err := range st.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := store.ReadAll(t.Context(), st, info.Key, 1<<30, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		out[info.Key] = string(b)
	}
	return out
}
