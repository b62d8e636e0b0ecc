package query

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/web/format"
)

func world(t testing.TB) http.Handler {
	return serve(t, published(t, fixture.Snapshots(), "88803"))
}

func TestQuery(t *testing.T) {
	h := world(t)
	for _, c := range []struct {
		query string
		want  string
		total int
	}{
		{"kg=88801&limit=2", "88801-16 88801-15", 17},
		{"kg=88801&sort=area_asc&limit=3", "88801-.6/1 88801-1 88801-2", 17},
		{"kg=88801&sort=gnr&limit=3&offset=5", "88801-6 88801-.6/1 88801-7", 17},
		{"kg=88802&sort=area_asc&limit=1", "88802-99", 17},
		{"kg=88801,804&limit=2&sort=gnr", "00804-1 88801-1", 21},
		{"gemeinde=38801&max_area=8001", "88801-1 88802-1 88801-.6/1 88802-99", 4},
		{"gemeinde=gemeinde 38801&min_area=8016", "88801-16 88802-16", 2},
		{"state=4&limit=1", "00804-4", 4},
		{"district=388&has_buildings=true", "88801-1 88802-1 88801-.6/1", 3},
		{"has_buildings=true&kg=88801&status=G", "88801-.6/1", 1},
		{"status=G", "88801-.6/1", 1},
		{"landuse=83", "88801-.6/1", 1},
		{"landuse=56&kg=00804", "00804-3", 1},
		{"ez=8&kg=00804", "", 0},
		{"ez=7&kg=00804&limit=1", "00804-4", 4},
		{"q=Fernau", "00804-4 00804-3 00804-2 00804-1", 4},
		{"q=westdorf 12*&sort=gnr", "88801-12", 1},
		{"q=88801-6", "88801-6", 1},
		{"q=.6&sort=gnr", "88801-.6/1", 1},
		{"q=804", "00804-4 00804-3 00804-2 00804-1", 4},
		{"q=Fernau 3", "00804-3", 1},
		{"q=Nirgendwo", "", 0},
		{"q= ", "", 0},
		{"q=!!&kg=88801", "", 0},
		{"gemeinde=Nirgendwo", "", 0},
		{"kg=77777", "", 0},
	} {
		a := ask(t, h, "/api/v1/query?"+strings.ReplaceAll(c.query, " ", "%20"))
		if got := strings.Join(a.ids(), " "); got != c.want || a.total() != c.total {
			t.Errorf("%s: want %s of %d, got %s of %d", c.query, c.want, c.total, got, a.total())
		}
	}
}

func TestQueryRefuses(t *testing.T) {
	h := world(t)
	for query, want := range map[string]string{
		"":                       "a filter is missing",
		"limit=3":                "a filter is missing",
		"with_stats=true":        "a filter is missing",
		"min_area=10&max_area=9": "at least min_area",
		"min_lon=13":             "all four edges",
		"kg=88801&sort=id":       "area_desc",
		"kg=88801&status=X":      "E or G",
		"kg=88801&has_natura=1":  "has_natura",
		"min_lon=14&min_lat=47&max_lon=13&max_lat=48":         "east of min_lon",
		"west=13&min_lon=13&min_lat=47&max_lon=14&max_lat=48": "min_lon",
		"ez=0":                  "ez",
		"kg=88801&limit=100001": "100000",
	} {
		if w := fixture.Ask(h, "GET", "/api/v1/query?"+query, ""); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: want 400 with %q, got %d %s", query, want, w.Code, w.Body)
		}
	}
}

// A box takes the parcels whose centroid lies in it, on its edge too, under both spellings.
func TestBox(t *testing.T) {
	h := world(t)
	a := ask(t, h, "/api/v1/query?kg=88801&sort=gnr&limit=1")
	lon, lat := a.Data[0]["lon"].(float64), a.Data[0]["lat"].(float64)
	const step = 1e-7
	for _, c := range []struct {
		w, s, e, n float64
		want       int
	}{
		{lon, lat, lon + step, lat + step, 1}, {lon - step, lat - step, lon, lat, 1},
		{lon + step, lat, lon + 2*step, lat + step, 0}, {lon, lat + step, lon + step, lat + 2*step, 0},
		{lon - 2*step, lat, lon - step, lat + step, 0}, {5, 40, 20, 50, 38},
	} {
		for _, names := range [][4]string{{"min_lon", "min_lat", "max_lon", "max_lat"}, {"west", "south", "east", "north"},
			{"minlon", "minlat", "maxlon", "maxlat"}} {
			q := fmt.Sprintf("/api/v1/query?%s=%.7f&%s=%.7f&%s=%.7f&%s=%.7f", names[0], c.w, names[1], c.s, names[2], c.e, names[3], c.n)
			if a := ask(t, h, q); a.total() != c.want {
				t.Errorf("%s: want %d, got %d", q, c.want, a.total())
			}
		}
	}
}

func TestStatistics(t *testing.T) {
	h := world(t)
	a := ask(t, h, "/api/v1/query?kg=88801&limit=1")
	s := a.Stats
	if s.Skipped || *s.Matching != 17 || *s.Total != 16*8000+136+8000 || *s.Least != 8000 || *s.Greatest != 8016 || *s.Buildings != 2 ||
		*s.Avg != 8008 {
		t.Errorf("of a KG: %+v", s)
	}
	codes := map[int]string{}
	for _, u := range s.Uses {
		codes[u.Code] = fmt.Sprint(u.Parcels, " ", *u.Area)
	}
	if want := map[int]string{41: "1 500", 52: "12 88091", 56: "5 40045", 83: "1 1500"}; fmt.Sprint(codes) != fmt.Sprint(want) {
		t.Errorf("land use: want %v, got %v", want, codes)
	}
	for query, skipped := range map[string]bool{
		"min_area=1": true, "landuse=52": true, "min_area=1&with_stats=true": false, "kg=88801&with_stats=false": true,
		"ez=7": false, "q=Westdorf": false, "state=3": false, "has_buildings=true&status=E": true, "min_area=1&refresh=1": false,
	} {
		a := ask(t, h, "/api/v1/query?"+query)
		if a.Stats.Skipped != skipped || (a.Stats.Reason != "") != skipped || (a.Stats.Matching == nil) != skipped ||
			!skipped && *a.Stats.Matching != a.total() {
			t.Errorf("%s: want skipped %v, got %+v", query, skipped, a.Stats)
		}
	}
	none := ask(t, h, "/api/v1/query?kg=88801&min_area=9000").Stats
	if *none.Matching != 0 || *none.Total != 0 || none.Avg != nil || none.Least != nil || none.Uses == nil || len(none.Uses) != 0 {
		t.Errorf("of nothing: %+v", none)
	}
}

// What is cold is named; what is counted but was lost from the store is too, on every page.
func TestGaps(t *testing.T) {
	s := published(t, fixture.Snapshots(), "88803")
	h := serve(t, s)
	w := fixture.Ask(h, "GET", "/api/v1/query?kg=88801,88803", "")
	if w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("ETag") != "" ||
		!strings.Contains(w.Body.String(), `"kgs_unavailable":["88803"]`) {
		t.Errorf("a cold KG: %v %s", w.Header(), w.Body)
	}
	for info, err := range s.List(t.Context(), "kg/88802/") {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), info.Key); err != nil {
			t.Fatal(err)
		}
	}
	h = serve(t, s)
	for _, page := range []string{"limit=1", "limit=1&offset=33", "limit=100"} {
		a := ask(t, h, "/api/v1/query?gemeinde=38801&"+page)
		if a.Meta["ready"] != false || a.total() != 34 ||
			slices.ContainsFunc(a.ids(), func(id string) bool { return strings.HasPrefix(id, "88802") }) {
			t.Errorf("%s: %v %v", page, a.Meta, a.ids())
		}
	}
}

// The cursor of each page's Link leads over every row once.
func TestPaging(t *testing.T) {
	h := serve(t, published(t, fixture.Many(40)))
	next := regexp.MustCompile(`<([^>]*)>; rel="next"`)
	for _, sort := range []string{"area_desc", "area_asc", "gnr"} {
		all := ask(t, h, "/api/v1/query?state=3&limit=1000&sort="+sort)
		var walked []string
		for target := "/api/v1/query?state=3&limit=7&sort=" + sort; target != ""; {
			w := fixture.Ask(h, "GET", target, "")
			a := ask(t, h, target)
			walked = append(walked, a.ids()...)
			target = ""
			if m := next.FindStringSubmatch(strings.Join(w.Header().Values("Link"), ", ")); m != nil {
				target = m[1]
			}
		}
		if !slices.Equal(walked, all.ids()) || len(walked) != 160 {
			t.Errorf("%s: walked %d rows of %d", sort, len(walked), len(all.ids()))
		}
	}
}

// many is a country whose first KG has more parcels than rows are held at once, each larger than any of the others'.
func many(t *testing.T) (s store.Store, total int) {
	list := fixture.Many(wideKGs)
	first := list[0]
	for i := range chunkRows + 2 {
		p := first.Parcels[0]
		p.GNR, p.AreaSqm = austria.GNR(fmt.Sprint(1000+i)), 9000
		first.Parcels = append(first.Parcels, p)
	}
	first.KG.ParcelCount = len(first.Parcels)
	kgfile.Quantise(first)
	first.Folios = kgfile.Folios(first.Parcels)
	return published(t, list), len(first.Parcels) + 4*(wideKGs-1)
}

// An answer of more rows than are held at once has each of them in its place. Where one of the last KGs turns out to be gone, the
// answer that has said that it is complete breaks off; the next one says at its head what is missing, and has the others.
func TestMoreRowsThanAreHeld(t *testing.T) {
	s, total := many(t)
	const limit = chunkRows + 1000
	target := fmt.Sprintf("/api/v1/query?state=3&fields=parcel_id,area_sqm&limit=%d", limit)
	whole := ask(t, serve(t, s), target)
	lose(t, s, "81250")
	h := serve(t, s)
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("a KG of the last rows is gone: want the answer to break off, got %v", p)
			}
		}()
		fixture.Ask(h, "GET", target, "")
	}()
	again := ask(t, h, target)
	if got := fmt.Sprint(again.Meta["kgs_unavailable"]); got != "[81250]" || again.Meta["ready"] != false {
		t.Errorf("at the head: %v", again.Meta)
	}
	for lost, a := range map[int]answer{0: whole, 3: again} { // the three largest of 81250 keep their places
		if a.total() != total || len(a.Data) != limit-lost || (a.Meta["ready"] == true) != (lost == 0) {
			t.Errorf("%d lost: %d rows of %d, ready %v", lost, len(a.Data), a.total(), a.Meta["ready"])
		}
		seen := map[string]bool{}
		for i, row := range a.Data {
			id := row["parcel_id"].(string)
			if seen[id] || i > 0 && row["area_sqm"].(float64) > a.Data[i-1]["area_sqm"].(float64) {
				t.Fatalf("row %d, %v, stands twice or behind a smaller one", i, row)
			}
			seen[id] = true
		}
	}
}

// The snapshots of a date are scanned from the KG files and give what the columns give.
func TestOfADate(t *testing.T) {
	h := world(t)
	for _, q := range []string{"kg=88801", "gemeinde=38801&landuse=56&sort=gnr", "has_buildings=true&kg=88801,88802,804", "q=.6",
		"district=388&min_area=8003&max_area=8007.5"} {
		now, then := ask(t, h, "/api/v1/query?"+q), ask(t, h, "/api/v1/query?"+q+"&version="+fixture.Stichtag)
		if !slices.Equal(now.ids(), then.ids()) || now.total() != then.total() ||
			fmt.Sprint(*now.Stats.Total, *now.Stats.Buildings) != fmt.Sprint(*then.Stats.Total, *then.Stats.Buildings) {
			t.Errorf("%s: %v %+v, of the date %v %+v", q, now.ids(), now.Stats, then.ids(), then.Stats)
		}
	}
	if a := ask(t, h, "/api/v1/query?kg=88801&version=2020-01-01"); a.total() != 0 ||
		fmt.Sprint(a.Meta["kgs_without_version"]) != "[88801]" {
		t.Errorf("before the first snapshot: %v", a.Meta)
	}
}

func TestStatsOfTheCountry(t *testing.T) {
	w := fixture.Ask(world(t), "GET", "/api/v1/stats", "")
	for _, want := range []string{`"kg_count":4`, `"parcel_count":70`, `"district_count":2`, `"rural_settled_kgs":4`, `"state_code":"3"`,
		`"avg_built_up_ratio":`} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("want %s, got %d %s", want, w.Code, w.Body)
		}
	}
}

// Parcel numbers are found among others that begin alike, in every spelling.
func TestParcelNumbers(t *testing.T) {
	list := fixture.Many(1)
	for i, n := range []austria.GNR{"12", "12/3", "120", "112"} {
		list[0].Parcels[i].GNR = n
	}
	h := serve(t, published(t, list))
	for q, want := range map[string]string{"12": "12", "012": "12", "12/3": "12/3", "12*": "12 12/3 120", "*2": "12 112", "1*2": "12 112",
		"*": "12 12/3 112 120", "12/*": "12/3", "81001-120": "120", "1": "", "13*": "", "12 12/3": "", "1* *2": "12 112"} {
		var got []string
		for _, r := range func() answer {
			return ask(t, h, "/api/v1/query?sort=gnr&q="+strings.ReplaceAll(strings.ReplaceAll(q, " ", "%20"), "/", "%2F"))
		}().Data {
			got = append(got, r["gnr"].(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: want %s, got %v", q, want, got)
		}
	}
}

// Every form of rows has every match, and an unchanged answer is confirmed by its ETag.
func TestForms(t *testing.T) {
	h := world(t)
	for _, f := range format.WithShapefile(format.AllFormats(), []*format.RowType{listed.RowType}) {
		target := "/api/v1/query?kg=88801&max_area=8002&fields=parcel_id,area_sqm,geometry&format=" + string(f)
		w := fixture.Ask(h, "GET", target, "")
		if w.Code != 200 || w.Header().Get("Content-Type") != f.ContentType() {
			t.Errorf("%s: %d %s", f, w.Code, w.Header().Get("Content-Type"))
		}
		for _, id := range []string{"88801-1", "88801-2", "88801-.6/1"} {
			if f.Compresses() && f != format.FormGeoPackage && !strings.Contains(w.Body.String(), id) {
				t.Errorf("%s: no %s", f, id)
			}
		}
		if again := fixture.Ask(h, "GET", target, "", "If-None-Match", w.Header().Get("ETag")); again.Code != 304 {
			t.Errorf("%s: want 304, got %d", f, again.Code)
		}
	}
}

// Parcels of one area stand by their id, though the district of the higher KG codes is looked at first and fills
// the page: a KG is passed over only when it cannot have a row on it.
func TestEqualAreasOfDistricts(t *testing.T) {
	list := fixture.Many(60)
	for _, s := range list[:30] {
		s.KG.GemeindeCode = "48804"
	}
	h := serve(t, published(t, list))
	var want []string
	for i := range 10 {
		want = append(want, fmt.Sprintf("%d-4", 81001+i))
	}
	if a := ask(t, h, "/api/v1/query?kg="+strings.Join(codes(81001, 60), ",")+"&limit=10"); !slices.Equal(a.ids(), want) ||
		a.total() != 240 {
		t.Errorf("want %v, got %v of %d", want, a.ids(), a.total())
	}
}

func codes(first, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint(first+i))
	}
	return list
}
