package query

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/columns"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// The store fails at each of its reads in turn: the answer is whole or a 503.
func TestTheStoreFailsAtEveryRead(t *testing.T) {
	inner, over := published(t, fixture.WithLandUse(), "88803"), mem.New()
	if err := fixture.PublishOver(over, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	for target, inner := range map[string]store.Store{"query?kg=88801,804": inner, "query?landuse=52&with_stats=1&sort=gnr": inner,
		"query?kg=88801&version=2026-10-01": inner,
		"stats":                             inner, "landuse/distribution?kg=88801": inner,
		"query?natura2000_site=AT0000001&kg=88801":     over,
		"query?has_legal_refs=false&kg=88801,88802":    over,
		"query/protected_area?area=park&relation=near": over} {
		target = "/api/v1/" + target
		refused := 0
		for n := int32(0); ; n++ {
			s := &fixture.Failing{Store: inner}
			s.Left.Store(1 << 30)
			want := fixture.Ask(serve(t, s), "GET", target, "")
			h := serve(t, s) // nothing in memory but the generation
			s.Left.Store(n)
			w := fixture.Ask(h, "GET", target, "")
			if w.Code == 200 && w.Body.String() == want.Body.String() && s.Left.Load() >= 0 {
				break
			}
			if w.Code != 503 || strings.Contains(w.Body.String(), fixture.ErrDisk.Error()) {
				t.Errorf("%s at read %d: %d %s", target, n, w.Code, w.Body)
			}
			if refused++; refused > 100 {
				t.Fatalf("%s: no answer with %d reads", target, n)
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing was read", target)
		}
	}
}

// A function just started answers a query over the country within 12 reads beside the KGs on the page: pointer,
// register, front and summaries of the columns, a few ranges of them.
func TestReadsOfTheFirstQuery(t *testing.T) {
	list := fixture.Many(300)
	s := &storetest.Counting{Store: published(t, list)}
	if err := fixture.AddDirectory(s.Store, list); err != nil {
		t.Fatal(err)
	}
	for query, kgs := range map[string]int64{"state=3&limit=1": 1, "min_area=8002&has_buildings=false&sort=gnr&limit=10&with_stats=1": 10,
		"landuse=52&ez=7&status=E&limit=1": 1, "q=3&limit=1": 1, "q=1*&limit=1&sort=gnr": 1,
		"state=3&landuse=52&min_lon=9&min_lat=46&max_lon=17&max_lat=49&limit=1": 1} {
		lib, err := library.Open(t.Context(), s, library.Options{})
		if err != nil {
			t.Fatal(err)
		}
		h := serveFrom(t, lib)
		s.Reset()
		ask(t, h, "/api/v1/query?"+query)
		if r := s.Reads(); r.Gets+r.Heads+2-kgs > 12 { // 2: pointer and register
			t.Errorf("%s: %+v", query, r)
		}
	}
}

// The statistics of a wide filter are remembered; when the data is published anew the former ones are shown with
// their age until they are refreshed, and refresh=1 and with_stats=true do not wait.
func TestSnapshots(t *testing.T) {
	list := fixture.Many(wideKGs)
	s := published(t, list)
	now := epoch
	lib, err := library.Open(t.Context(), s, library.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib, Now: func() time.Time { return now }}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	const wide = "/api/v1/query?state=3&limit=1"
	if a := ask(t, h, wide); a.Stats.Skipped || *a.Stats.Greatest != 8004 || a.total() != 4*wideKGs {
		t.Fatalf("first: %+v", a.Stats)
	}
	list[0].Parcels[0].AreaSqm = 9999
	if err := fixture.Publish(s, list); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Hour)
	if _, err := lib.View(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, h, wide+"&with_stats=true"); a.Stats.Skipped || *a.Stats.Greatest != 9999 {
		t.Errorf("with_stats=true: %+v", a.Stats)
	}
	w := fixture.Ask(h, "GET", wide, "")
	if w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("old statistics: %v", w.Header())
	}
	if b := w.Body.String(); !strings.Contains(b, `"max_area_sqm":8004`) || !strings.Contains(b, "2h0m0s old") ||
		!strings.Contains(b, `"area_sqm":9999`) {
		t.Errorf("old statistics beside new rows: %s", b)
	}
	for range 500 {
		if a := ask(t, h, wide); !a.Stats.Skipped {
			if *a.Stats.Greatest != 9999 {
				t.Errorf("refreshed: %+v", a.Stats)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the statistics were not refreshed")
}

// One KG less than a wide filter is computed; refresh=1 computes any.
func TestSnapshotsBegin(t *testing.T) {
	list := fixture.Many(wideKGs - 1)
	s := published(t, list)
	now := epoch
	lib, err := library.Open(t.Context(), s, library.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	h := serveFrom(t, lib)
	ask(t, h, "/api/v1/query?state=3&limit=1")
	list[0].Parcels[0].AreaSqm = 9999
	if err := fixture.Publish(s, list); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	for _, more := range []string{"", "&refresh=1"} {
		if a := ask(t, h, "/api/v1/query?state=3&limit=1"+more); a.Stats.Skipped || *a.Stats.Greatest != 9999 {
			t.Errorf("%s: %s", more, fmt.Sprintf("%+v", a.Stats))
		}
	}
}

// Columns that are lost or damaged are a state of the data: no failure of the program, no empty answer, and no time to ask again.
func TestColumnsThatAreLost(t *testing.T) {
	for reason, spoil := range map[string]func(store.Store, string) error{
		"lost": func(s store.Store, key string) error { return s.Delete(t.Context(), key) },
		"damaged": func(s store.Store, key string) error {
			_, err := s.Put(t.Context(), key, []byte("damaged"), store.PutOptions{})
			return err
		},
	} {
		s := published(t, fixture.WithLandUse(), "88803")
		key, ok := fixture.View(t, s).Artefact(columns.Artefact)
		if !ok {
			t.Fatal("the generation has no columns")
		}
		if err := spoil(s, key.String()); err != nil {
			t.Fatal(err)
		}
		h := serve(t, s)
		for _, target := range []string{"query?kg=88801", "query?has_buildings=true", "stats", "landuse/distribution?kg=88801"} {
			w := fixture.Ask(h, "GET", "/api/v1/"+target, "")
			if w.Code != 503 || w.Header().Get("Retry-After") != "" || !strings.Contains(w.Body.String(), `"reason":"`+reason+`"`) {
				t.Errorf("%s, %s: %d %s", reason, target, w.Code, w.Body)
			}
		}
		if w := fixture.Ask(h, "GET", "/api/v1/query?kg=88801&version=2026-10-01", ""); w.Code != 200 { // of the KG's file
			t.Errorf("%s, of a date: %d %s", reason, w.Code, w.Body)
		}
	}
}
