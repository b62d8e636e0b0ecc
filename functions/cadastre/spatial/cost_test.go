package spatial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// counting counts object reads.
type counting struct {
	store.Store
	reads atomic.Int32
}

func (c *counting) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	c.reads.Add(1)
	return c.Store.Get(ctx, key, o)
}

// After the library is open (pointer and register), an answer reads the objects of the KGs it speaks
// of, and none when they are in memory.
func TestObjectReads(t *testing.T) {
	s := fixture.Store(t)
	one := polygonJSON(fixture.Rect(1, 1, 2, 2))
	for _, c := range []struct {
		name, method, path, body string
		want                     int32
	}{
		{"point", "GET", "spatial/point?radius=5&" + lonlat(0.5, 0.5), "", 1},
		{"point at the border of two KGs", "GET", "spatial/point?radius=5&" + lonlat(4, 0.5), "", 2},
		{"box in one KG whose neighbour's box overlaps", "GET", "spatial/bbox?" + cells(4.5, 0.5, 5.5, 1.5), "", 1},
		{"box of KG rows", "GET", "spatial/bbox?layers=kg&" + cells(0, 0, 8, 4), "", 0},
		{"total of whole KGs, page in the first", "GET", "spatial/bbox?limit=1&" + cells(-1, -0.0001, 50, 9), "", 1},
		{"polygon", "POST", "spatial/polygon", one, 1},
		{"points of one KG", "POST", "spatial/points", pointsBodyOf(fixture.At(0.5, 0.5), fixture.At(1.5, 0.5)), 1},
		{"KGs", "GET", "spatial/kgs?" + cells(0, 0, 8, 4), "", 0},
		{"viewport", "GET", "spatial/parcels?" + cells(4.5, 0.5, 5.5, 1.5), "", 1},
		{"batch", "GET", "parcels/geometry/batch?ids=88801-1,88801-2,88803-9", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			counted := &counting{Store: s}
			h := serve(t, counted, library.Options{})
			if n := counted.reads.Swap(0); n != 2 {
				t.Errorf("opening reads %d objects, want 2", n)
			}
			for round, want := range []int32{c.want, 0} {
				if w := call(h, c.method, "/api/v1/"+c.path, c.body); w.Code != 200 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				if n := counted.reads.Swap(0); n != want {
					t.Errorf("round %d reads %d objects, want %d", round, n, want)
				}
			}
		})
	}
}

// slow is a store whose reads take a while; it notes how many are under way at once.
type slow struct {
	store.Store
	now, peak atomic.Int32
}

func (s *slow) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	n := s.now.Add(1)
	for p := s.peak.Load(); n > p && !s.peak.CompareAndSwap(p, n); p = s.peak.Load() {
	}
	time.Sleep(50 * time.Millisecond) // long enough for the others to begin on a busy machine
	s.now.Add(-1)
	return s.Store.Get(ctx, key, o)
}

// A search over many KGs reads several side by side, and never more than the width.
func TestKGsAreReadAhead(t *testing.T) {
	s := mem.New()
	var snaps []*kgfile.Snapshot
	for i := range 24 {
		snaps = append(snaps, kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprint(88901 + i)), Parcels: 20, Segments: 1,
			AreaKm2: 1, Seed: 3}))
	}
	if err := fixture.Publish(s, snaps); err != nil {
		t.Fatal(err)
	}
	box := snaps[0].KG.Box
	p := geom.Point{X: box.MinX/2 + box.MaxX/2, Y: box.MinY/2 + box.MaxY/2}
	var ids []string
	for _, k := range snaps {
		ids = append(ids, string(k.KG.Code)+"-"+string(k.Parcels[0].GNR))
	}
	for _, c := range []struct{ method, path, body string }{
		{"GET", "spatial/bbox?layers=parcels,buildings&" + share(box, 0.2, 0.2, 0.8, 0.8), ""},
		{"GET", fmt.Sprintf("spatial/point?lon=%.7f&lat=%.7f&radius=10", p.Lon(), p.Lat()), ""},
		{"POST", "spatial/points", pointsBodyOf(geom.Point{X: box.MinX - 9000, Y: box.MinY - 9000}, p)},
		{"GET", "parcels/geometry/batch?ids=" + strings.ReplaceAll(strings.Join(ids, ","), "/", "%2F"), ""},
	} {
		slow := &slow{Store: s}
		h := serve(t, slow, library.Options{})
		if w := call(h, c.method, "/api/v1/"+c.path, c.body); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if n := slow.peak.Load(); n > view.Width || n < view.Width/2 && c.path != "spatial/points" {
			t.Errorf("%s: %d reads at once, want about %d", c.path, n, view.Width)
		}
	}
}

// gauge takes an answer and looks at the heap now and then.
type gauge struct {
	sink
	peak  uint64
	since int64
}

func (g *gauge) Write(p []byte) (int, error) {
	if g.since += int64(len(p)); g.since > 8<<20 {
		g.since = 0
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		g.peak = max(g.peak, m.HeapAlloc)
	}
	return g.sink.Write(p)
}

// 100,000 rows with polygons stream through a small cache of KG files in constant memory.
func TestHundredThousandRowsStream(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out a hundred thousand rows")
	}
	s := mem.New()
	var snaps []*kgfile.Snapshot
	for i := range 6 {
		o := kgtest.Large
		o.Code, o.Seed = austria.KGCode(fmt.Sprint(88901+i)), 2
		snap := kgtest.Snapshot(o)
		snaps = append(snaps, snap)
	}
	if err := fixture.Publish(s, snaps); err != nil {
		t.Fatal(err)
	}
	box := snaps[0].KG.Box
	snaps = nil
	h := serve(t, s, library.Options{BudgetBytes: 40 << 20})
	before := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}()
	g := &gauge{sink: sink{h: http.Header{}, status: 200}}
	h.ServeHTTP(g, httptest.NewRequest("GET", "/api/v1/spatial/bbox?limit=100000&format=geojson&"+share(box, -0.1, -0.1, 1.1, 1.1), nil))
	if g.status != 200 || g.bytes < 60<<20 {
		t.Fatalf("status %d, %d bytes", g.status, g.bytes)
	}
	grown := int64(g.peak) - int64(before)
	t.Logf("the heap grew by %d MB while %d MB were streamed", grown>>20, g.bytes>>20)
	if grown > 64<<20 {
		t.Errorf("the heap grew by %d MB while %d MB were streamed", grown>>20, g.bytes>>20)
	}
}

// Requests of all kinds at once give the answers they give alone.
func TestConcurrentRequests(t *testing.T) {
	s := fixture.Store(t)
	h := serve(t, s, library.Options{BudgetBytes: 1 << 14}) // files come and go
	type request struct{ method, path, body, want string }
	requests := []request{
		{method: "GET", path: "spatial/bbox?layers=parcels,buildings,kg&" + cells(0, 0, 8, 4)},
		{method: "GET", path: "spatial/point?radius=300&" + lonlat(4, 2)},
		{method: "POST", path: "spatial/points", body: pointsBodyOf(fixture.At(0.5, 0.5), fixture.At(4.5, 0.5),
			fixture.At(40.5, 0.5))},
		{method: "POST", path: "spatial/polygon", body: polygonJSON(fixture.Rect(1, 1, 7, 3))},
		{method: "GET", path: "spatial/footprints?" + cells(0, 0, 8, 4)},
		{method: "GET", path: "parcels/geometry/batch?ids=88802-1,88801-1,804-1"},
	}
	for i := range requests {
		r := &requests[i]
		r.want = call(h, r.method, "/api/v1/"+r.path, r.body).Body.String()
	}
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := range 30 {
				r := requests[(n+k)%len(requests)]
				if got := call(h, r.method, "/api/v1/"+r.path, r.body).Body.String(); got != r.want {
					t.Errorf("%s: want %.200s, got %.200s", r.path, r.want, got)
				}
			}
		}()
	}
	wg.Wait()
}

// A search ends where its client leaves, also over files that are in memory.
func TestASearchEndsWithItsClient(t *testing.T) {
	_, v := worldView(t)
	lo, hi := fixture.At(0.1, 0.1), fixture.At(7.9, 3.9)
	q := &spatialquery.Search{Area: spatialquery.Box(geom.Box{MinX: lo.X, MinY: lo.Y, MaxX: hi.X, MaxY: hi.Y}, 0), Filter: parcelfilter.Any}
	collect := func(ctx context.Context) (int, error) {
		pl, err := q.Plan(t.Context(), v, []layer{parcels}, func(spatialquery.Layer) rows.Source {
			return rows.Parcels(parcelRows.Record())
		})
		if err != nil {
			t.Fatal(err)
		}
		p := &rows.Page{Limit: 100}
		err = pl.Collect(ctx, &pl.Layers[0], p)
		return p.Total, err
	}
	if n, err := collect(t.Context()); n == 0 || err != nil {
		t.Fatalf("want parcels, got %d, %v", n, err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if n, err := collect(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("want the search given up, got %d parcels, %v", n, err)
	}
}

// readRapid is readList for property tests.
func readRapid(t interface{ Fatalf(string, ...any) }, code int, body []byte) list {
	var l list
	if err := json.Unmarshal(body, &l); err != nil || code != 200 {
		t.Fatalf("%d %v %s", code, err, strings.TrimSpace(string(body)))
	}
	return l
}
