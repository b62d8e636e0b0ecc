package versions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// past is KG 88801 of the made-up world at an earlier date: parcel 2 and 3 were one, 21; 4 was two, 41 and 42;
// 5 was number 50; 9 had another folio; 1 reached a tenth of a cell less far. It knows no buildings.
func past(date string) *kgfile.Snapshot {
	now := fixture.Snapshots()[1]
	s := *now
	s.Build.Stichtag, s.Build.IngestGeneration, s.Build.Source = date, "bulk_v7_zenodo", "© BEV, "+date[:4]
	s.Buildings, s.Footprints = nil, nil
	s.Parcels = nil
	shaped := func(p kgfile.Parcel, gnr austria.GNR, x0, y0, x1, y1 float64) kgfile.Parcel {
		p.GNR, p.Geometry = gnr, geom.MultiPolygon{{fixture.Rect(x0, y0, x1, y1)}}
		p.AreaSqm = p.Geometry.Area(crs.EqualArea)
		p.Inside, p.Centroid = fixture.At((x0+x1)/2, (y0+y1)/2), fixture.At((x0+x1)/2, (y0+y1)/2)
		return p
	}
	for _, p := range now.Parcels {
		p.BuildingCount, p.FootprintCount, p.BuildingAreaSqm, p.FAR = 0, 0, 0, 0
		switch p.GNR {
		case "1":
			p = shaped(p, "1", 0, 0, 0.9, 1)
		case "2":
			p = shaped(p, "21", 1, 0, 3, 1)
		case "3":
			continue
		case "4":
			s.Parcels = append(s.Parcels, shaped(p, "41", 3, 0, 3.5, 1))
			p = shaped(p, "42", 3.5, 0, 4, 1)
		case "5":
			p.GNR = "50"
		case "9":
			p.EZ = 8
		}
		s.Parcels = append(s.Parcels, p)
	}
	s.KG.ParcelCount, s.KG.BuildingCount, s.KG.FootprintCount = len(s.Parcels), 0, 0
	kgfile.Quantise(&s)
	s.Folios = kgfile.Folios(s.Parcels)
	return &s
}

// serve is the service over the world with two earlier snapshots of 88801.
func serve(t testing.TB) (http.Handler, store.Store) {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishPast(s, fixture.Snapshots(), []*kgfile.Snapshot{past("2025-10-01"), past("2024-10-01")},
		"88803"); err != nil {
		t.Fatal(err)
	}
	return over(t, s), s
}

func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := fixture.Library(t, s)
	return fixture.Handler(t, New(Deps{Library: lib}))
}

// get asks and reads JSON.
func get(t testing.TB, h http.Handler, target string, status int) map[string]any {
	t.Helper()
	w := fixture.Ask(h, "GET", target, "")
	var m map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || w.Code != status {
		t.Fatalf("%s: want %d, got %d %v %s", target, status, w.Code, err, w.Body)
	}
	return m
}

func TestVersionsOfAKG(t *testing.T) {
	h, _ := serve(t)
	m := get(t, h, "/api/v1/kg_versions?kg=88801", 200)
	if fmt.Sprint(m["dates"]) != "[2026-10-01 2025-10-01 2024-10-01]" || m["latest"] != "2026-10-01" ||
		m["assembly_version"] != "tile_partition_v1" || m["ingest_generation"] != "tile_partition_v1" {
		t.Errorf("got %v", m)
	}
	if have, missing := m["ingest_fixes"].([]any), m["ingest_fixes_missing"].([]any); len(have) != 7 || len(missing) != 0 {
		t.Errorf("fixes %v, missing %v", have, missing)
	}
	latest := 0
	for i, e := range m["snapshots"].([]any) {
		s := e.(map[string]any)
		if s["filename"] != fmt.Sprintf("88801-%s.kgs", m["dates"].([]any)[i]) || len(s["md5"].(string)) != 32 ||
			len(s["sha256"].(string)) != 64 || s["size"].(float64) < 100 || s["parcel_count"] != 17.0 ||
			!strings.HasPrefix(s["url"].(string), "/artefacts/kg/88801/") {
			t.Errorf("snapshot %d: %v", i, s)
		}
		if s["is_latest"] == true {
			latest++
		}
	}
	if latest != 1 {
		t.Errorf("%d snapshots are the latest", latest)
	}
	// a KG without a list has one baseline entry
	m = get(t, h, "/api/v1/kg_versions?kg=804", 200)
	if s := m["snapshots"].([]any); len(s) != 1 || s[0].(map[string]any)["source"] != "zenodo_manifest_alias" ||
		s[0].(map[string]any)["md5"] != nil || m["kg_code"] != "00804" {
		t.Errorf("baseline: %v", m)
	}
	// one without a snapshot has none, and the answer says that it is missing
	m = get(t, h, "/api/v1/kg_versions?kg=88803", 200)
	if len(m["snapshots"].([]any)) != 0 || m["latest"] != nil || m["meta"].(map[string]any)["ready"] != false {
		t.Errorf("cold: %v", m)
	}
	get(t, h, "/api/v1/kg_versions?kg=77777", 404)
	get(t, h, "/api/v1/kg_versions?kg=x", 400)
}

func TestVersionsOfTheCountry(t *testing.T) {
	h, _ := serve(t)
	m := get(t, h, "/api/v1/kg_versions", 200)
	if got := fmt.Sprint(m["totals"]); got != "map[kg_count:4 kgs_with_snapshot:3 kgs_without_snapshot:1 newest_snapshot:2026-10-01 oldest_snapshot:2026-10-01 parcel_count:38]" {
		t.Errorf("got %s", got)
	}
	if e := m["ingest_epochs"].([]any); len(e) != 9 || e[0].(map[string]any)["id"] != "pipeline_v6_union" {
		t.Errorf("epochs %v", e)
	}
	if g := m["ingest_generations"].([]any); len(g) != 1 || g[0].(map[string]any)["kg_count"] != 3.0 {
		t.Errorf("generations %v", g)
	}
}

func TestDiffGolden(t *testing.T) {
	h, _ := serve(t)
	golden.Check(t, "diff.csv", fixture.Ask(h, "GET",
		"/api/v1/kg/88801/diff?format=csv&fields=parcel_id,change,events,geometry_changed,area_before_sqm,area_after_sqm,symmetric_difference_sqm,attributes_changed,attributes,from,to", "").Body.Bytes())
	golden.Check(t, "diff.geojsonseq", fixture.Ask(h, "GET", "/api/v1/kg/88801/diff?format=geojsonseq&change=added&limit=2",
		"").Body.Bytes())
}

func TestDiff(t *testing.T) {
	h, _ := serve(t)
	m := get(t, h, "/api/v1/kg/88801/diff", 200)
	if m["from"].(map[string]any)["date"] != "2025-10-01" || m["to"].(map[string]any)["date"] != "2026-10-01" {
		t.Errorf("without dates: the served snapshot and the one before, got %v %v", m["from"], m["to"])
	}
	if got := fmt.Sprint(m["summary"]); got != "map[added:4 attributes_changed:1 changed:2 geometry_changed:1 merges:1 redrawn:0 removed:4 renumbered:1 splits:1 symmetric_difference_sqm:829.76 unchanged:11]" {
		t.Errorf("got %s", got)
	}
	for query, want := range map[string]string{
		"":                        "1 2 3 4 5 9 21 41 42 50",
		"?event=split":            "2 3 21",
		"?event=merge":            "4 41 42",
		"?event=renumbered":       "5 50",
		"?change=removed":         "21 41 42 50",
		"?change=added,changed":   "1 2 3 4 5 9",
		"?from=2024-12-31":        "1 2 3 4 5 9 21 41 42 50",
		"?from=2026-10-01":        "",
		"?to=2025-12-31":          "", // the snapshots of 2024 and 2025 are the same
		"?limit=2&offset=3":       "2 3",
		"?to=2024-10-01":          "", // the first one, with itself
		"?event=split,renumbered": "2 3 5 21 50",
	} {
		m := get(t, h, "/api/v1/kg/88801/diff"+query, 200)
		var got []string
		for _, r := range m["data"].([]any) {
			got = append(got, r.(map[string]any)["gnr"].(string))
		}
		// the order of the answer is checked by the golden file; here which rows there are
		if a, b := sorted(got), sorted(strings.Fields(want)); !strings.HasPrefix(query, "?limit") && !slices.Equal(a, b) {
			t.Errorf("%s: want %v, got %v", query, b, a)
		}
	}
	for target, want := range map[string]int{
		"/api/v1/kg/88801/diff?from=2020-01-01": 404, "/api/v1/kg/88801/diff?to=2020-01-01": 404, "/api/v1/kg/77777/diff": 404,
		"/api/v1/kg/88801/diff?from=2026-10-01&to=2025-10-01": 400, "/api/v1/kg/88801/diff?from=1.1.2025": 400,
		"/api/v1/kg/88801/diff?change=gone": 400, "/api/v1/kg/x/diff": 400,
	} {
		get(t, h, target, want)
	}
	if m := get(t, h, "/api/v1/kg/88803/diff", 200); m["meta"].(map[string]any)["ready"] != false {
		t.Errorf("a cold KG: %v", m)
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// Pages of a comparison show each row once, by cursor too, and a 304 costs no comparison.
func TestPagesOfADiff(t *testing.T) {
	h, _ := serve(t)
	seen := map[string]bool{}
	for next := "/api/v1/kg/88801/diff?limit=5&fields=parcel_id"; next != ""; {
		w := fixture.Ask(h, "GET", next, "")
		var m struct{ Data []struct{ Parcel_ID string } }
		if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
			t.Fatal(err, w.Body)
		}
		for _, r := range m.Data {
			if seen[r.Parcel_ID] {
				t.Errorf("%s stands twice", r.Parcel_ID)
			}
			seen[r.Parcel_ID] = true
		}
		next = ""
		for _, l := range w.Header().Values("Link") {
			if to, ok := strings.CutSuffix(l, `>; rel="next"`); ok {
				next = strings.TrimPrefix(to, "<")
			}
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d rows, want 10", len(seen))
	}
	w := fixture.Ask(h, "GET", "/api/v1/kg/88801/diff", "")
	if w = fixture.Ask(h, "GET", "/api/v1/kg/88801/diff", "", "If-None-Match", w.Header().Get("ETag")); w.Code != 304 {
		t.Errorf("want 304, got %d", w.Code)
	}
}

func TestHistoryOfANumber(t *testing.T) {
	h, s := serve(t)
	m := get(t, h, "/api/v1/kg/88801/history?gnr=21", 200)
	gone, _ := m["gone"].(map[string]any)
	if m["exists"] != false || m["first_version"] != "2024-10-01" || m["last_version"] != "2025-10-01" || gone == nil ||
		gone["last_version"] != "2025-10-01" || gone["gone_since"] != "2026-10-01" {
		t.Fatalf("got %v", m)
	}
	if got := fmt.Sprint(gone["replaced_by"]); got != "[map[common_sqm:8297.52 parcel_id:88801-2 share_of_other:1 share_of_this:0.5] map[common_sqm:8297.52 parcel_id:88801-3 share_of_other:1 share_of_this:0.5]]" {
		t.Errorf("replaced by %s", got)
	}
	if m = get(t, h, "/api/v1/kg/88801/history?gnr=2", 200); m["exists"] != true || m["first_version"] != "2026-10-01" ||
		m["gone"] != nil || len(m["snapshots"].([]any)) != 3 {
		t.Errorf("a number that came: %v", m)
	}
	get(t, h, "/api/v1/kg/88801/history?gnr=999", 404)
	get(t, h, "/api/v1/kg/77777/history?gnr=1", 404)
	get(t, h, "/api/v1/kg/88801/history", 400)
	// an old snapshot that is gone from the store is not known, and nothing is made up
	for _, e := range get(t, h, "/api/v1/kg_versions?kg=88801", 200)["snapshots"].([]any)[1:] {
		if err := s.Delete(t.Context(), strings.TrimPrefix(e.(map[string]any)["url"].(string), "/artefacts/")); err != nil {
			t.Fatal(err)
		}
	}
	fresh := over(t, s)
	if m = get(t, fresh, "/api/v1/kg/88801/history?gnr=21", 404); m["ready"] != false || m["reason"] != "lost" {
		t.Errorf("a number that an unread snapshot may have: %v", m)
	}
	if m = get(t, fresh, "/api/v1/kg/88801/history?gnr=2", 200); m["snapshots"].([]any)[1].(map[string]any)["present"] != nil {
		t.Errorf("want present null, got %v", m)
	}
	m = get(t, fresh, "/api/v1/kg/88801/diff", 200)
	if meta := m["meta"].(map[string]any); meta["ready"] != false || m["summary"] != nil ||
		m["from"].(map[string]any)["date"] != "2025-10-01" || m["to"] == nil {
		t.Errorf("a snapshot that is lost: %v", m)
	}
}

// BenchmarkDiff answers the comparison of a KG like the largest, 19,720 parcels of which 2 % changed: both files read
// and decoded (cold), and with them in memory (warm).
func BenchmarkDiff(b *testing.B) {
	now := kgtest.Snapshot(kgtest.Large)
	before := *now
	before.Build.Stichtag = "2025-10-01"
	before.Parcels = slices.Clone(now.Parcels)
	for i := range before.Parcels {
		if i%50 == 7 {
			before.Parcels[i].GNR = austria.GNR(fmt.Sprint(90_000 + i))
		}
	}
	now.Build.Stichtag = fixture.Stichtag
	s := mem.New()
	if err := fixture.PublishPast(s, []*kgfile.Snapshot{now}, []*kgfile.Snapshot{&before}); err != nil {
		b.Fatal(err)
	}
	target := "/api/v1/kg/" + string(now.KG.Code) + "/diff"
	ask := func(h http.Handler) {
		if w := fixture.Ask(h, "GET", target, ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"renumbered":`) {
			b.Fatal(w.Code, w.Body)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			h := over(b, s)
			b.StartTimer()
			ask(h)
		}
	})
	b.Run("page", func(b *testing.B) {
		h := over(b, s)
		for b.Loop() {
			ask(h)
		}
	})
}
