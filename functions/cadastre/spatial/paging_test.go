package spatial

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

// keyOf names a row of any layer.
func keyOf(r map[string]any) string {
	return fmt.Sprint(r["_layer"], r["building_id"], r["parcel_id"], r["footprint_id"], r["kg_code"])
}

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

// Walking the pages of any list, by offset or by cursor, visits each row exactly once and in the same
// order as one large page.
func TestWalkingPages(t *testing.T) {
	h := world(t)
	rapid.Check(t, func(t *rapid.T) {
		f := func(label string) float64 { return rapid.Float64Range(-1, 9).Draw(t, label) }
		x, y := f("x"), f("y")
		box := cells(x, y, x+rapid.Float64Range(0.1, 9).Draw(t, "w"), y+rapid.Float64Range(0.1, 5).Draw(t, "h"))
		target := "/api/v1/spatial/" + rapid.SampledFrom([]string{
			"bbox?layers=parcels,buildings,kg&" + box,
			"bbox?layers=buildings,parcels&has_buildings=1&" + box,
			"bbox?landuse=56&relation=within&" + box,
			"point?layers=kg,parcels,buildings&radius=400&" + lonlat(x, y),
			"parcels?" + box, "footprints?" + box,
		}).Draw(t, "target")
		limit := rapid.IntRange(1, 7).Draw(t, "limit")
		walk := func(next func(seen int, w http.Header) string) []string {
			var keys []string
			for at := target + fmt.Sprint("&limit=", limit); at != ""; {
				w := call(h, "GET", at, "")
				l := readRapid(t, w.Code, w.Body.Bytes())
				for _, r := range l.Data {
					keys = append(keys, keyOf(r))
				}
				if len(keys) > l.total() {
					t.Fatalf("%s: %d rows walked, total %d", target, len(keys), l.total())
				}
				at = next(len(keys), w.Header())
			}
			return keys
		}
		w := call(h, "GET", target+"&limit=1000", "")
		whole := readRapid(t, w.Code, w.Body.Bytes())
		var want []string
		seen := map[string]bool{}
		for _, r := range whole.Data {
			k := keyOf(r)
			if seen[k] {
				t.Fatalf("%s: %s stands twice", target, k)
			}
			seen[k] = true
			want = append(want, k)
		}
		if whole.total() != len(want) {
			t.Fatalf("%s: total %d, %d rows", target, whole.total(), len(want))
		}
		byOffset := walk(func(seen int, _ http.Header) string {
			if seen >= len(want) {
				return ""
			}
			return fmt.Sprint(target, "&limit=", limit, "&offset=", seen)
		})
		byCursor := walk(func(_ int, h http.Header) string {
			if m := nextLink.FindStringSubmatch(strings.Join(h.Values("Link"), ", ")); m != nil {
				return m[1]
			}
			return ""
		})
		for name, got := range map[string][]string{"offset": byOffset, "cursor": byCursor} {
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Fatalf("%s by %s:\nwant %v\ngot  %v", target, name, want, got)
			}
		}
	})
}

// Box and polygon answers agree with a test of every parcel by itself.
func TestBoxAndPolygonAgree(t *testing.T) {
	s := mem.New()
	snap := kgtest.Snapshot(kgtest.Options{Parcels: 300, Segments: 3, AreaKm2: 3, Seed: 7})
	if err := fixture.Publish(s, []*kgfile.Snapshot{snap}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s, library.Options{})
	rapid.Check(t, func(t *rapid.T) {
		u := func(label string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, label) }
		x, y := u("x", -0.1, 0.9), u("y", -0.1, 0.9)
		box := share(snap.KG.Box, x, y, x+u("w", 0.01, 0.5), y+u("h", 0.01, 0.5))
		var w, so, e, n float64
		if _, err := fmt.Sscanf(strings.NewReplacer("&", " ", "west=", "", "south=", "", "east=", "", "north=", "").Replace(box),
			"%f %f %f %f", &w, &so, &e, &n); err != nil {
			t.Fatal(err)
		}
		relation := rapid.SampledFrom([]string{"intersects", "within"}).Draw(t, "relation")
		polygon := fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]v,%[2]v],[%[3]v,%[2]v],[%[3]v,%[4]v],[%[1]v,%[4]v],[%[1]v,%[2]v]]]}`,
			w, so, e, n)
		a := call(h, "GET", "/api/v1/spatial/bbox?limit=1000&relation="+relation+"&"+box, "")
		b := call(h, "POST", "/api/v1/spatial/polygon?limit=1000&relation="+relation, polygon)
		la, lb := readRapid(t, a.Code, a.Body.Bytes()), readRapid(t, b.Code, b.Body.Bytes())
		if la.ids("parcel_id") != lb.ids("parcel_id") {
			t.Fatalf("%s %s: box %s, polygon %s", relation, box, la.ids("parcel_id"), lb.ids("parcel_id"))
		}
	})
}
