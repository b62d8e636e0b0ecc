package trees

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// corner is where four tiles of rasters meet in the made-up world.
func corner() (x, y float64) {
	x, y = fixture.Plane(4, 2)
	return math.Round(x/5000) * 5000, math.Round(y/5000) * 5000
}

// stand is a tree of the made-up wood: its middle in metres from the corner, its height and crown radius.
type stand struct{ x, y, height, radius float64 }

// wood has trees on both sides of the corner, so that squares of 1 km cut them: cones of 12 to 22 m.
func wood() (list []stand) {
	for row := -5; row < 5; row++ {
		for col := -5; col < 5; col++ {
			n := (row+5)*10 + col + 5
			list = append(list, stand{float64(col)*12 + 0.5 + float64(n%3), float64(row)*12 + 0.5 + float64(n%4), 12 + float64(n%11),
				2.5 + float64(n%3)*0.5})
		}
	}
	return list
}

// surface is the height of the wood at a place; trees that the filter leaves out do not stand, and others have grown.
func surface(stands func(i int) bool, growth float64) func(x, y float64) float64 {
	x0, y0 := corner()
	list := wood()
	return func(x, y float64) float64 {
		top := 700.0
		for i, t := range list {
			if d := math.Hypot(x-x0-t.x, y-y0-t.y); d < t.radius && stands(i) {
				top = max(top, 700+(t.height+growth)*(1-0.6*d/t.radius))
			}
		}
		return top
	}
}

// felled and new are the trees that stand at the first date alone, and at the second.
func isFelled(i int) bool { return i%10 == 3 }
func isNew(i int) bool    { return i%10 == 7 }

func world(t testing.TB) store.Store {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	square := raster.Box{West: x - 200, South: y - 200, East: x + 200, North: y + 200}
	flat := func(float64, float64) float64 { return 700 }
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: square, Height: surface(func(i int) bool { return !isNew(i) }, 0)},
		fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: square, Height: surface(func(i int) bool { return !isFelled(i) },
			1)}); err != nil {
		t.Fatal(err)
	}
	return s
}

func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: lib}))
}

// rect is a rectangle in metres from the corner as GeoJSON.
func rect(west, south, east, north float64) string {
	x, y := corner()
	at := func(dx, dy float64) string {
		lon, lat := crs.LAEA.Inverse(x+dx, y+dy)
		return fmt.Sprintf("[%.9f,%.9f]", lon, lat)
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join([]string{at(west, south), at(east, south), at(east, north), at(west, north),
		at(west, south)}, ",") + `]]}`
}

// answer is what all three endpoints say.
type answer struct {
	Data []struct {
		ID     string   `json:"tree_id"`
		Seq    int      `json:"seq"`
		Lon    float64  `json:"apex_lon"`
		Lat    float64  `json:"apex_lat"`
		Height float64  `json:"height_m"`
		Max    float64  `json:"height_max_m"`
		Area   float64  `json:"crown_area_sqm"`
		Edge   bool     `json:"is_edge"`
		Status string   `json:"status"`
		Change *float64 `json:"height_change_m"`
		Before *float64 `json:"height_before_m"`
		After  *float64 `json:"height_after_m"`
		Class  string   `json:"surface_class"`
		Shape  string   `json:"crown_shape"`
		Geo    struct {
			Type string `json:"type"`
		} `json:"geometry"`
	} `json:"data"`
	Summary struct {
		N        int     `json:"n_trees"`
		Edge     int     `json:"n_trees_edge"`
		Total    int     `json:"total_trees"`
		AreaHa   float64 `json:"area_ha_total"`
		Dominant float64 `json:"h_dom_m"`
		Max      float64 `json:"h_max"`
		Under    *bool   `json:"understory_detectable"`
		ByStatus map[string]struct {
			Count  int      `json:"count"`
			Change *float64 `json:"height_change_mean_m"`
		} `json:"by_status"`
	} `json:"summary"`
	Meta struct {
		Dataset  string   `json:"dataset"`
		Coverage float64  `json:"coverage"`
		Mask     string   `json:"building_mask"`
		Warnings []string `json:"warnings"`
	} `json:"meta"`
}

func ask(t *testing.T, h http.Handler, target, body string) answer {
	t.Helper()
	w := fixture.Ask(h, "POST", target, body)
	var got answer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %.600s", target, w.Code, w.Body)
	}
	return got
}

// Every tree of a wood is found, at its place and height, whichever squares it lies between.
func TestTreesOfAWood(t *testing.T) {
	h := over(t, world(t))
	got := ask(t, h, "/api/v2/trees?dataset=2022-09-15&include_cadastre=false", rect(-80, -80, 80, 80))
	var want []stand
	for i, s := range wood() {
		if !isNew(i) {
			want = append(want, s)
		}
	}
	if len(got.Data) != len(want) || got.Summary.N != len(want) {
		t.Fatalf("%d trees, %d in the summary, expected %d", len(got.Data), got.Summary.N, len(want))
	}
	x, y := corner()
	for _, s := range want {
		hits := 0
		for _, d := range got.Data {
			px, py := crs.LAEA.Forward(d.Lon, d.Lat)
			if math.Hypot(px-x-s.x, py-y-s.y) <= 1 {
				hits++
				if math.Abs(d.Height-s.height) > 1.2 {
					t.Errorf("%+v is %.2f m high", s, d.Height)
				}
				if limit := math.Pi * s.radius * s.radius; d.Area < 0.4*limit || d.Area > 1.5*limit {
					t.Errorf("%+v has a crown of %.0f m²", s, d.Area)
				}
			}
		}
		if hits != 1 {
			t.Errorf("%+v was found %d times", s, hits)
		}
	}
	ids := map[string]bool{}
	for i, d := range got.Data {
		if ids[d.ID] || d.Seq != i+1 || d.Geo.Type != "MultiPolygon" && d.Geo.Type != "Polygon" {
			t.Errorf("row %d: %+v", i, d)
		}
		ids[d.ID] = true
	}
	if got.Summary.Under == nil || *got.Summary.Under || math.Abs(got.Summary.AreaHa-2.56) > 0.01 || got.Meta.Mask != "none" ||
		got.Meta.Coverage != 1 {
		t.Errorf("summary %+v, meta %+v", got.Summary, got.Meta)
	}
	// A tree has the same id and figures in another area.
	part := ask(t, h, "/api/v2/trees?dataset=2022-09-15&include_cadastre=false", rect(-33, -21, 17, 29))
	all := map[string]float64{}
	for _, d := range got.Data {
		all[d.ID] = d.Height*1000 + d.Area
	}
	if len(part.Data) < 8 {
		t.Fatalf("%d trees in the part", len(part.Data))
	}
	for _, d := range part.Data {
		if v, ok := all[d.ID]; !ok || v != d.Height*1000+d.Area {
			t.Errorf("%+v is another tree in the whole", d)
		}
	}
	if part.Summary.Edge == 0 {
		t.Error("no crown is cut by the border of the part")
	}
}

// Each parameter does what it is named for.
func TestParametersOfTrees(t *testing.T) {
	h := over(t, world(t))
	area := rect(-80, -80, 80, 80)
	base := ask(t, h, "/api/v2/trees?include_cadastre=false", area)
	n := len(base.Data)
	for target, check := range map[string]func(a answer) bool{
		"min_tree_height=18":       func(a answer) bool { return len(a.Data) > 0 && len(a.Data) < n },
		"max_crown_area=6":         func(a answer) bool { return len(a.Data) == n && maxArea(a) <= 6 && maxArea(base) > 6 },
		"crown_cap_factor=0.5":     func(a answer) bool { return maxArea(a) < maxArea(base) },
		"crown_radius_a=5":         func(a answer) bool { return len(a.Data) > 0 },
		"crown_radius_b=0.3":       func(a answer) bool { return len(a.Data) <= n },
		"min_apex_prominence_m=30": func(a answer) bool { return len(a.Data) == 0 },
		"min_apex_prominence_m=3":  func(a answer) bool { return len(a.Data) == n },
		"min_tree_likelihood=1":    func(a answer) bool { return len(a.Data) == 0 },
		"crown_geometry=point":     func(a answer) bool { return a.Data[0].Geo.Type == "Point" },
		"smooth_sigma=3":           func(a answer) bool { return len(a.Data) > 0 },
		"h_dom_basis=total":        func(a answer) bool { return a.Summary.Dominant < base.Summary.Dominant },
		"dataset=20220915":         func(a answer) bool { return a.Meta.Dataset == "20220915" },
	} {
		if got := ask(t, h, "/api/v2/trees?include_cadastre=false&"+target, area); !check(got) {
			t.Errorf("%s: %d trees of %d, %+v", target, len(got.Data), n, got.Summary)
		}
	}
	if a := ask(t, h, "/api/v1/trees?include_cadastre=false", area); len(a.Data) != n || a.Data[0].Geo.Type != "Point" ||
		a.Data[0].Max < 12 || a.Data[0].Shape == "" {
		t.Errorf("the first version: %d of %d, %+v", len(a.Data), n, a.Data[0])
	}
	if a := ask(t, h, "/api/v1/trees?include_cadastre=false&crown_min_area=30&crown_geometry=polygon", area); len(a.Data) >= n ||
		len(a.Data) == 0 {
		t.Errorf("crowns of 30 m² at least: %d of %d", len(a.Data), n)
	}
}

func maxArea(a answer) (most float64) {
	for _, d := range a.Data {
		most = max(most, d.Area)
	}
	return most
}

// What cannot be is refused by name; what can comes in every form.
func TestRefusalsAndForms(t *testing.T) {
	h := over(t, world(t))
	area := rect(-50, -50, 50, 50)
	for _, c := range []struct {
		target, body string
		status       int
		want         string
	}{
		{"/api/v2/trees?dataset=20230915", area, 400, "20220915, 20240915"},
		{"/api/v1/changes/trees?date_a=20240915&date_b=20220915", area, 400, "exchanged"},
		{"/api/v1/changes/trees?date_a=20240915&date_b=20240915", area, 400, "itself"},
		{"/api/v1/changes/trees?date_a=20200915", area, 400, "date_a"},
		{"/api/v2/trees", rect(1000, 1000, 1100, 1100), 404, "no place of the area has heights"},
		{"/api/v2/trees?min_tree_height=0", area, 400, "from 1.5 to 60"},
		{"/api/v2/trees", `{"geometry":` + area + `,"params":{"min_tree_heigth":3}}`, 400, "did you mean min_tree_height"},
		{"/api/v2/trees?min_tree_height=4", `{"geometry":` + area + `,"params":{"min_tree_height":5}}`, 409, "params.min_tree_height"},
		{"/api/v2/trees?format=csv&include_cadastre=false", area, 200, "tree_id,seq,apex_lon"},
		{"/api/v1/trees?format=kml&include_cadastre=false", area, 200, "<Point><coordinates>"},
		{"/api/v2/trees?format=kml&include_cadastre=false", area, 200, "<Polygon><outerBoundaryIs>"},
		{"/api/v1/changes/trees?format=kml&include_cadastre=false", area, 200, "<Placemark><name>"},
		{"/api/v2/trees?format=kml&crs=3035&include_cadastre=false", area, 400, "EPSG:4326 with format=kml"},
		{"/api/v2/trees?format=geojson", `{"geometry":` + area + `,"params":{"include_cadastre":false}}`, 200, `"FeatureCollection"`},
	} {
		w := fixture.Ask(h, "POST", c.target, c.body)
		if (w.Code != c.status && (c.status != 409 || w.Code != 400)) || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %.300s, expected %d with %s", c.target, w.Code, w.Body, c.status, c.want)
		}
	}
	if got := ask(t, h, "/api/v2/trees", area); got.Meta.Mask != "none" || !strings.Contains(strings.Join(got.Meta.Warnings, ";"),
		"roofs") {
		t.Errorf("no KG lies here, and footprints are %s: %v", got.Meta.Mask, got.Meta.Warnings)
	}
}
