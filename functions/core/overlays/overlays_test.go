package overlays

import (
	"encoding/json"
	"fmt"
	"mappe/functions/core/drawn"
	"mappe/functions/core/memory"
	"mappe/shared/web/endpoint"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/gpkg"
)

func municipalities(c *register.Contents) {
	c.Municipalities = []register.Municipality{{Code: "38801", Name: "Gemeinde 38801", DistrictCode: "388", DistrictName: "Bezirk 388",
		At: fixture.At(4, 2)}}
}

func world(t testing.TB, over bool) http.Handler {
	t.Helper()
	s := mem.New()
	publish := fixture.PublishOver
	var err error
	if over {
		err = publish(s, municipalities, "88803")
	} else {
		err = fixture.PublishWith(s, fixture.Snapshots(), municipalities, "88803")
	}
	if err != nil {
		t.Fatal(err)
	}
	lib := fixture.Library(t, s)
	body := drawn.PlaceBody(memory.Of(nil), "The area.")
	posts := Posts(body, func(r *endpoint.Request) *Area {
		a := body.Of(r)
		if a == nil {
			return nil
		}
		return &Area{a.Geometry, a.Warnings}
	})
	return fixture.Handler(t, New(Deps{Library: lib, Version: "test", Now: fixture.Now, GeoPackage: gpkg.Form{Time: fixture.Noon}},
		posts...))
}

// at writes a place of the world as parameters.
func at(lon, lat string, x, y float64) string {
	p := fixture.At(x, y)
	return fmt.Sprintf("%s=%.7f&%s=%.7f", lon, float64(p.X)/1e7, lat, float64(p.Y)/1e7)
}

func contains(x, y float64) string { return at("contains_lon", "contains_lat", x, y) }

// column lists one column of the rows of an answer.
func column(t testing.TB, h http.Handler, target, name string) string {
	t.Helper()
	w := fixture.Ask(h, "GET", "/api/v1/"+target, "")
	var a struct {
		Data []map[string]any `json:"data"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		return fmt.Sprintf("%d %s", w.Code, w.Body)
	}
	var list []string
	for _, row := range a.Data {
		list = append(list, fmt.Sprint(row[name]))
	}
	return strings.Join(list, " ")
}

func TestRows(t *testing.T) {
	h := world(t, true)
	for _, c := range []struct{ target, column, want string }{
		{"natura2000/search", "sitecode", "AT0000001 AT0000002 AT0000003"},
		{"natura2000/search?type=A", "sitecode", "AT0000001 AT0000002"},
		{"natura2000/search?type=C", "sitecode", "AT0000001"},
		{"natura2000/search?habitat=moor", "sitename", "Nebenmoor"},
		{"natura2000/search?q=grenz", "sitecode", "AT0000002"},
		{"natura2000/search?limit=1&list=all", "sitecode", "AT0000001"},
		{"natura2000/point?" + at("lon", "lat", 0.5, 0.5), "sitecode", "AT0000001"},
		{"natura2000/point?" + at("lon", "lat", 2, 2), "sitecode", ""},
		{"natura2000/site/AT0000002", "sitename", "Grenzwald"},
		{"natura2000/site_parcels/AT0000002", "parcel_id", "88801-4 88802-1"},
		{"natura2000/site_parcels/AT0000003", "parcel_id", ""},
		{"natura2000/site_parcels/AT0000002?overlap=true", "overlap_pct", "100 100"},
		{"natura2000/site_parcels/AT0000001?overlap=true&limit=100", "overlap_pct", "100 100 100 77.73 100 100 100 100 100"},
		{"natura2000/site_parcels/AT0000001?overlap=true&limit=3&fields=overlap_sqm", "overlap_sqm", "8297.52 8297.52 8297.38"},
		{"search/protected_area", "name", "Fernschutz Park"},
		{"search/protected_area?" + contains(1.2, 1.2), "name", "Park"},
		{"search/protected_area?" + contains(2, 2), "name", ""},
		{"search/protected_area?" + at("near_lon", "near_lat", 2, 2), "name", "Park Fernschutz"},
		{"search/protected_area?" + at("near_lon", "near_lat", 19, 0), "name", "Fernschutz Park"},
		{"search/protected_area?q=PARK", "desig_eng", "Nature Park"},
		{"search/gadm", "gid_3", "38801 38802"},
		{"search/gadm?gid=38802", "name_3", "Gemeinde 38802"},
		{"search/gadm?" + contains(3, 0), "gid_3", "38801"}, // the shared border is one municipality's
		{"search/gadm?" + contains(3, -0.0001), "gid_3", "38802"},
		{"search/gadm?q=38801", "name_2", "Bezirk 388"},
		{"legal/search", "kg_code", "88801 88801 88801 88801 88802"},
		{"legal/search?kg=88801", "grundstueck", "1 2 2 999"},
		{"legal/search?context=nature_protection", "partial", "false true"},
		{"legal/search?type=boundary_walk&gemeinde_code=38801", "kg_name", "Westdorf Westdorf"},
		{"legal/search?law=moor", "grundstueck", "1 2"},
		{"legal/search?law=8&kg=88802", "grundstueck", "<nil>"},
		{"legal/search?q=999", "gesetzesnummer", "8"},
		{"legal/search?kg=804", "gesetzesnummer", ""},
		// A text without a letter or digit names nothing, instead of everything.
		{"natura2000/search?q=%20", "sitecode", ""},
		{"search/protected_area?q=!!", "name", ""},
		{"search/gadm?q=-", "gid_3", ""},
		{"legal/search?q=%20", "grundstueck", ""},
		{"legal/search?law=!", "grundstueck", ""},
	} {
		if got := column(t, h, c.target, c.column); got != c.want {
			t.Errorf("%s: want %q, got %q", c.target, c.want, got)
		}
	}
}

// Paging by offset visits each area once in the order of one answer, which measures more of them.
func TestPagesByDistance(t *testing.T) {
	h := world(t, true)
	near := "search/protected_area?" + at("near_lon", "near_lat", 2, 2)
	first, second := column(t, h, near+"&limit=1", "distance_m"), column(t, h, near+"&limit=1&offset=1", "distance_m")
	if first == "0" || first == "<nil>" || first+" "+second != column(t, h, near, "distance_m") {
		t.Errorf("want the hole's middle some metres from the park, and the far area behind it, got %s and %s", first, second)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	h := world(t, true)
	for target, want := range map[string]int{
		"natura2000/site/AT9999999": 404, "natura2000/site_parcels/x": 404, "natura2000/parcel/88801/77": 404,
		"natura2000/parcel/12345/1": 404, "natura2000/site_parcels/AT0000002?fields=overlap_sqm": 400,
		"natura2000/kg/12345": 404, "natura2000/point?lon=15": 400, "search/gadm?contains_lon=15": 400, "search/gadm?gid=x": 400,
		"legal/search?context=x":      400,
		"natura2000/search?habitat=x": 400, "search/protected_area?near_lat=48": 400, "natura2000/search?type=D": 400,
		"natura2000/parcel/88803/1": 404, "natura2000/kg/88803": 404,
	} {
		if w := fixture.Ask(h, "GET", "/api/v1/"+target, ""); w.Code != want {
			t.Errorf("%s: want %d, got %d %s", target, want, w.Code, w.Body)
		}
	}
}

// A generation without overlays has none, and says so with empty lists.
func TestWithoutOverlays(t *testing.T) {
	h := world(t, false)
	for _, target := range []string{"natura2000/search", "search/protected_area", "search/gadm", "legal/search",
		"natura2000/point?lon=15&lat=48"} {
		if w := fixture.Ask(h, "GET", "/api/v1/"+target, ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"data":[]`) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"natura2000/stats", "natura2000/kg/88801", "natura2000/parcel/88801/1"} {
		if w := fixture.Ask(h, "GET", "/api/v1/"+target, ""); w.Code != 200 {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

func TestGolden(t *testing.T) {
	h := world(t, true)
	for name, target := range map[string]string{
		"stats.json": "natura2000/stats", "kg.json": "natura2000/kg/88802", "parcel.json": "natura2000/parcel/88801/1",
		"site.json": "natura2000/site/AT0000001?geometry=1", "gadm.geojson": "search/gadm?format=geojson",
		"legal.csv": "legal/search?format=csv",
		"areas.csv": "search/protected_area?format=csv", "site_parcels.json": "natura2000/site_parcels/AT0000002",
	} {
		golden.Check(t, name, fixture.Ask(h, "GET", "/api/v1/"+target, "").Body.Bytes())
	}
}
