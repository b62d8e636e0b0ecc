package spatial

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// next is the address in an answer's Link to the next page, "" on the last.
func next(h http.Header) string {
	if m := nextLink.FindStringSubmatch(strings.Join(h.Values("Link"), ", ")); m != nil {
		return m[1]
	}
	return ""
}

func inQuery(x0, y0, x1, y1 float64) string {
	return url.QueryEscape(polygonJSON(fixture.Rect(x0, y0, x1, y1)))
}

// An answer that counts rows of a KG that it cannot read says so on every page, with the same total.
func TestEveryPageSaysWhatIsMissing(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	whole := "/api/v1/spatial/bbox?" + cells(-1, -0.0001, 50, 9)
	h := serve(t, s, library.Options{})
	before := getList(t, h, whole+"&limit=100000")
	if before.Meta["ready"] != true {
		t.Fatalf("the box is not whole to begin with: %v", before.Meta)
	}
	v := fixture.View(t, s)
	if err := s.Delete(t.Context(), v.Register().KG("88802").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	h = serve(t, s, library.Options{}) // nothing in memory
	check := func(name string, l list) {
		t.Helper()
		if l.total() != before.total() || l.Meta["ready"] != false || fmt.Sprint(l.Meta["kgs_unavailable"]) != "[88802]" {
			t.Errorf("%s: want total %d, ready false, KG 88802 unavailable; got %v", name, before.total(), l.Meta)
		}
	}
	check("limit=1", getList(t, h, whole+"&limit=1"))
	check("limit=100000", getList(t, h, whole+"&limit=100000"))
	var seen []string
	for page := whole + "&limit=7"; page != ""; {
		w := call(h, "GET", page, "")
		l := readList(t, w)
		check(page, l)
		if w.Header().Get(view.ReadyHeader) != "false" || w.Header().Get("ETag") != "" {
			t.Errorf("%s: headers %v", page, w.Header())
		}
		if id := l.ids("parcel_id"); id != "" {
			seen = append(seen, strings.Fields(id)...)
		}
		page = next(w.Header())
	}
	var want []string
	for _, r := range before.Data {
		if r["kg_code"] != "88802" {
			want = append(want, r["parcel_id"].(string))
		}
	}
	if !slices.Equal(seen, want) {
		t.Errorf("the walk saw %d rows, want the %d that can be read", len(seen), len(want))
	}
}

// One damaged object costs its KG and nothing else.
func TestADamagedFileIsUnavailable(t *testing.T) {
	s, v := worldView(t)
	key := v.Register().KG("88802").Snapshot.Key
	body, _, err := store.ReadAll(t.Context(), s, key, 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	body[len(body)/2] ^= 0x40
	if _, err := s.Put(t.Context(), key, body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s, library.Options{Warmup: nil})
	for _, url := range []string{"spatial/bbox?" + cells(3.5, 0.5, 4.5, 1.5), "spatial/point?radius=90&" + lonlat(4, 1),
		"parcels/geometry/batch?ids=88801-1,88802-1"} {
		l := getList(t, h, "/api/v1/"+url)
		if len(l.Data) == 0 || l.Meta["ready"] != false || fmt.Sprint(l.Meta["kgs_unavailable"]) != "[88802]" ||
			strings.Contains(l.ids("kg_code"), "88802") {
			t.Errorf("%s: want the rows of the other KG, got %v %v", url, l.ids("parcel_id"), l.Meta)
		}
	}
}

// outage is a store that stops answering.
type outage struct {
	store.Store
	down atomic.Bool
}

func (o *outage) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if o.down.Load() {
		return nil, errors.New("connection refused by 10.0.0.1")
	}
	return o.Store.Get(ctx, key, opt)
}

func (o *outage) Head(ctx context.Context, key string) (store.Info, error) {
	if o.down.Load() {
		return store.Info{}, errors.New("connection refused by 10.0.0.1")
	}
	return o.Store.Head(ctx, key)
}

// A store that is down is a 503 with a time to try again, and tells nothing of itself.
func TestAnOutageIsToldAsOne(t *testing.T) {
	s := fixture.Store(t)
	o := &outage{Store: s}
	h := serve(t, o, library.Options{})
	o.down.Store(true)
	at := fixture.At(0.5, 0.5)
	for _, c := range []struct{ method, path, body string }{
		{"GET", "spatial/bbox?" + cells(0.2, 0.2, 0.8, 0.8), ""},
		{"GET", "spatial/bbox?limit=1&offset=100&" + cells(-1, -0.0001, 50, 9), ""}, // counts alone
		{"GET", "spatial/point?radius=5&" + lonlat(0.5, 0.5), ""},
		{"POST", "spatial/points", pointsBodyOf(at)},
		{"POST", "spatial/polygon", polygonJSON(fixture.Rect(0.2, 0.2, 0.8, 0.8))},
		{"GET", "parcels/geometry/batch?ids=88801-1", ""},
	} {
		w := call(h, c.method, "/api/v1/"+c.path, c.body)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "10.0.0.1") {
			t.Errorf("%s %s: want 503 with Retry-After, got %d %v %s", c.method, c.path, w.Code, w.Header(), w.Body)
		}
	}
	o.down.Store(false)
	if l := getList(t, h, "/api/v1/spatial/bbox?"+cells(0.2, 0.2, 0.8, 0.8)); l.ids("parcel_id") != "88801-1" {
		t.Errorf("after the outage: %v", l)
	}
}

// Publishing one KG leaves the ETags of the others and the walks under way as they are.
func TestAPublicationTouchesItsKGAlone(t *testing.T) {
	s := fixture.Store(t)
	lib, err := library.Open(t.Context(), s, library.Options{Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(testDeps(lib)))
	urls := map[string]bool{ // true: of the KG that changes
		"spatial/bbox?" + cells(0.2, 0.2, 1.8, 0.8):                false,
		"spatial/bbox?layers=kg&" + cells(0.2, 0.2, 1.8, 0.8):      false,
		"spatial/bbox?" + cells(5.2, 0.2, 5.8, 0.8):                true,
		"spatial/bbox?" + cells(3.5, 0.5, 4.5, 1.5):                true,
		"spatial/point?radius=5&" + lonlat(0.5, 0.5):               false,
		"spatial/point?radius=5&" + lonlat(5.5, 0.5):               true,
		"spatial/parcels?" + cells(0.2, 0.2, 1.8, 0.8):             false,
		"spatial/footprints?" + cells(5.2, 2.2, 5.8, 2.8):          true,
		"parcels/geometry/batch?ids=88801-1":                       false,
		"parcels/geometry/batch?ids=88801-1,88802-1":               true,
		"footprints/geometry/batch?ids=88801_fp_1":                 false,
		"spatial/kgs?exact=true&" + cells(0.2, 0.2, 1.8, 0.8):      false,
		"spatial/kgs?exact=true&" + cells(5.2, 0.2, 5.8, 0.8):      true,
		"spatial/polygon?geojson=" + inQuery(0.2, 0.2, 0.8, 0.8):   false,
		"spatial/polygon?geojson=" + inQuery(5.2, 0.2, 5.8, 0.8):   true,
		"spatial/bbox?limit=2&format=csv&" + cells(1, 0.2, 2, 0.8): false,
	}
	tags := map[string]string{}
	for url := range urls {
		w := call(h, "GET", "/api/v1/"+url, "")
		if tags[url] = w.Header().Get("ETag"); w.Code != 200 || tags[url] == "" {
			t.Fatalf("%s: %d, ETag %q", url, w.Code, tags[url])
		}
	}
	walk := "/api/v1/spatial/bbox?limit=5&fields=parcel_id,area_sqm&" + cells(-1, 0.0001, 50, 9)
	all := getList(t, h, strings.Replace(walk, "limit=5", "limit=1000", 1))
	w := call(h, "GET", walk, "")
	rows := readList(t, w).Data

	snaps := fixture.Snapshots()
	for i := range snaps {
		if snaps[i].KG.Code == "88802" {
			for k := range snaps[i].Parcels {
				snaps[i].Parcels[k].AreaSqm += 5000
			}
		}
	}
	if err := fixture.Publish(s, snaps, "88803"); err != nil {
		t.Fatal(err)
	}
	if err := lib.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := fixture.Library(t, s) // a function that was started after the publication
	started := fixture.Handler(t, New(testDeps(other)))
	for url, changed := range urls {
		for name, h := range map[string]http.Handler{"the same process": h, "a new process": started} {
			w := call(h, "GET", "/api/v1/"+url, "", "If-None-Match", tags[url])
			if got := w.Code != http.StatusNotModified; got != changed {
				t.Errorf("%s, %s: changed is %v, want %v", url, name, got, changed)
			}
		}
	}
	for k := 0; ; k++ {
		url := next(w.Header())
		if url == "" {
			break
		}
		w = call([]http.Handler{h, started}[k%2], "GET", url, "")
		rows = append(rows, readList(t, w).Data...)
	}
	if fmt.Sprint(rows) != fmt.Sprint(all.Data) {
		t.Errorf("a walk over a publication saw %d rows that are not the %d of the data it began with", len(rows), len(all.Data))
	}
}
