package trees

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/worldtest"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// corner is where four tiles of rasters meet in the made-up world.
func corner() (x, y float64) {
	x, y = worldtest.Plane(4, 2)
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
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	square := raster.Box{West: x - 200, South: y - 200, East: x + 200, North: y + 200}
	flat := func(float64, float64) float64 { return 700 }
	if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: square, Height: flat},
		worldtest.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: square, Height: surface(func(i int) bool { return !isNew(i) }, 0)},
		worldtest.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: flat},
		worldtest.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: square, Height: surface(func(i int) bool { return !isFelled(i) },
			1)}); err != nil {
		t.Fatal(err)
	}
	return s
}

func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib, err := worldtest.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return worldtest.Handler(t, New(Deps{Library: lib}))
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
	w := worldtest.Ask(h, "POST", target, body)
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

// What is searched is where the area lies: two places at the ends of a box of 50 km² cost what they are, and ask for as much memory.
func TestSquaresAreThoseOfTheArea(t *testing.T) {
	part := func(west, south, east, north float64) string {
		return strings.TrimPrefix(strings.TrimSuffix(rect(west, south, east, north), "}"), `{"type":"Polygon","coordinates":`)
	}
	area, err := drawn.Parse(t.Context(), []byte(`{"type":"MultiPolygon","coordinates":[`+part(-3000, -3000, -2950, -2990)+`,`+
		part(2900, 3980, 2950, 4000)+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	q := &search{area: area}
	cells := 0.0
	for _, b := range q.squares() {
		cells += (b.East - b.West) * (b.North - b.South)
	}
	if cells < 1500 || cells > 1700 || len(q.squares()) > 4 {
		t.Errorf("%.0f cells in %d squares, want some 1,600: %v", cells, len(q.squares()), q.squares())
	}
	if working, _ := q.bytes(1); working > squareBytes/20 {
		t.Errorf("%d MB are asked for", working>>20)
	}
	one, err := drawn.Parse(t.Context(), []byte(rect(-1500, -1500, 1500, 1500)))
	if err != nil {
		t.Fatal(err)
	}
	if working, _ := (&search{area: one}).bytes(1); working < int64(min(runtime.GOMAXPROCS(0), 4)*squareBytes*9/10) {
		t.Errorf("%d MB are asked for of 9 km²", working>>20)
	}
	sliver, err := drawn.Parse(t.Context(), []byte(rect(100.1, 100.1, 900, 100.3)))
	if err != nil {
		t.Fatal(err)
	}
	if list := (&search{area: sliver}).squares(); len(list) != 1 || list[0].East-list[0].West > 1000 {
		t.Errorf("an area between the middles of cells: %v", list)
	}
}

// What is rejected is counted in the area alone, as what is found is.
func TestRejectedChangesLieInTheArea(t *testing.T) {
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	box := raster.Box{West: x - 200, South: y - 200, East: x + 200, North: y + 200}
	flat := func(float64, float64) float64 { return 700 }
	block := func(px, py float64) float64 { // a flat roof of 9 m in the south-west
		if math.Abs(px-x+50) < 8 && math.Abs(py-y+50) < 8 {
			return 709
		}
		return 700
	}
	for _, date := range []string{"2022-09-15", "2024-09-15"} {
		if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DTM, Date: date, Box: box, Height: flat},
			worldtest.Raster{Layer: rasters.DSM, Date: date, Box: box, Height: block}); err != nil {
			t.Fatal(err)
		}
	}
	h := over(t, s)
	for body, want := range map[string]bool{rect(-90, -90, 90, 90): true, triangle(-90, 90, 90, 90, 90, -90): false} {
		w := worldtest.Ask(h, "POST", "/api/v1/changes/trees?include_cadastre=false", body)
		var got struct {
			Meta struct {
				Rejected int `json:"rejected_by_surface"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || (got.Meta.Rejected > 0) != want {
			t.Errorf("%d, %d rejected of %s", w.Code, got.Meta.Rejected, body)
		}
	}
}

// triangle is one in metres from the corner as GeoJSON.
func triangle(ax, ay, bx, by, cx, cy float64) string {
	x, y := corner()
	var list []string
	for _, p := range [][2]float64{{ax, ay}, {bx, by}, {cx, cy}, {ax, ay}} {
		lon, lat := crs.LAEA.Inverse(x+p[0], y+p[1])
		list = append(list, fmt.Sprintf("[%.9f,%.9f]", lon, lat))
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join(list, ",") + `]]}`
}

// An orthophoto as it is stored has the values that grids of its bands have, and no near infrared where that is 0.
func TestPhotoIsAsItsBandsAre(t *testing.T) {
	k := rasters.KindOf(rasters.Ortho)
	l := k.New("2024-06-25", k.Credit)
	s, err := raster.SamplesOver[uint8](raster.Box{East: 4, North: 2}, k.Step, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Pix {
		s.Pix[i] = uint8(i * 7)
	}
	p := photoOf(&l, s)
	room := make([]float32, s.Cols)
	for row := range s.Rows {
		for band := range 4 {
			for col, v := range p.Row(band, row, room) {
				if is := s.Row(row)[4*col+band]; is == 0 && v == v || is > 0 && v != float32(is) {
					t.Fatalf("band %d of %d, %d: %v of %d", band, col, row, v, is)
				}
			}
		}
	}
	if g := p.Lattice(); g.Step != k.Step || g.Cols != 10 || g.Rows != 5 || g.North != 2 {
		t.Errorf("%+v", g)
	}
	if three, _ := raster.SamplesOver[uint8](raster.Box{East: 4, North: 2}, k.Step, 3); photoOf(&l, three) != nil {
		t.Error("three bands are an orthophoto with near infrared")
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

// What became of each tree is told, and nothing else.
func TestChangesOfTrees(t *testing.T) {
	h := over(t, world(t))
	got := ask(t, h, "/api/v1/changes/trees?include_cadastre=false", rect(-80, -80, 80, 80))
	want := map[string]int{"felled": 10, "new": 10, "grown": 80}
	for status, n := range want {
		if f := got.Summary.ByStatus[status]; f.Count != n || (f.Change != nil) != (status == "grown") ||
			f.Change != nil && math.Abs(*f.Change-1) > 0.1 {
			t.Errorf("%s: %+v, expected %d", status, f, n)
		}
	}
	if got.Summary.Total != 100 || len(got.Data) != 100 || got.Summary.ByStatus["stable"].Count != 0 {
		t.Errorf("%+v", got.Summary)
	}
	for _, d := range got.Data {
		if (d.Before == nil) != (d.Status == "new") || (d.After == nil) != (d.Status == "felled") ||
			(d.Change == nil) != (d.Status == "new" || d.Status == "felled") {
			t.Errorf("%+v", d)
		}
	}
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
		w := worldtest.Ask(h, "POST", c.target, c.body)
		if (w.Code != c.status && (c.status != 409 || w.Code != 400)) || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %.300s, expected %d with %s", c.target, w.Code, w.Body, c.status, c.want)
		}
	}
	if got := ask(t, h, "/api/v2/trees", area); got.Meta.Mask != "none" || !strings.Contains(strings.Join(got.Meta.Warnings, ";"),
		"roofs") {
		t.Errorf("no KG lies here, and footprints are %s: %v", got.Meta.Mask, got.Meta.Warnings)
	}
}

// An orthophoto gives the vegetation index, vitality and surer apexes; without its near infrared nothing is said by it.
func TestTreesWithAnOrthophoto(t *testing.T) {
	s := world(t)
	x0, y0 := corner()
	square := raster.Box{West: x0 - 200, South: y0 - 200, East: x0 + 200, North: y0 + 200}
	crown := surface(func(i int) bool { return !isFelled(i) }, 1)
	photo := func(nir bool) func(x, y float64) []uint8 {
		return func(x, y float64) []uint8 {
			h := crown(x, y) - 700
			switch {
			case h < 1:
				return []uint8{120, 110, 90, 130}
			case x < x0 && !nir:
				return []uint8{50, uint8(60 + 3*h), 40, 0}
			case y > y0: // dead
				return []uint8{100, uint8(80 + h), 90, 100}
			}
			return []uint8{40, uint8(60 + 2*h), 40, uint8(100 + 4*h)}
		}
	}
	if err := worldtest.AddBytes(s, worldtest.Bytes{Layer: rasters.Ortho, Date: "2024-06-25", Box: square,
		Samples: photo(false)}); err != nil {
		t.Fatal(err)
	}
	w := worldtest.Ask(over(t, s), "POST", "/api/v2/trees?include_cadastre=false", rect(-80, -80, 80, 80))
	var got struct {
		Data []struct {
			Lon, Lat float64
			ApexLon  float64  `json:"apex_lon"`
			ApexLat  float64  `json:"apex_lat"`
			NDVI     *float64 `json:"ndvi_mean"`
			Vitality string   `json:"vitality"`
			Source   string   `json:"detection_source"`
			Leaf     string   `json:"leaf_type"`
		} `json:"data"`
		Meta struct {
			Ortho *string `json:"ortho"`
		} `json:"meta"`
		Summary struct {
			BySource map[string]int `json:"by_detection_source"`
		} `json:"summary"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || got.Meta.Ortho == nil || *got.Meta.Ortho != "20240625" {
		t.Fatalf("%d %.300s", w.Code, w.Body)
	}
	counts := map[string]int{}
	for _, d := range got.Data {
		x, y := crs.LAEA.Forward(d.ApexLon, d.ApexLat)
		west, north := x < x0-4, y > y0+4
		switch {
		case math.Abs(x-x0) < 4 || math.Abs(y-y0) < 4: // a crown on both sides
		case west:
			counts["west"]++
			if d.NDVI != nil || d.Vitality != "unknown" || d.Source != "ndsm" {
				t.Errorf("without near infrared: %+v", d)
			}
		case north:
			counts["dead"]++
			if d.NDVI == nil || d.Vitality != "dead" || d.Leaf != "dead" {
				t.Errorf("dead: %+v", d)
			}
		default:
			counts["vital"]++
			if d.NDVI == nil || *d.NDVI < 0.3 || d.Vitality != "vital" || d.Source != "fused" {
				t.Errorf("vital: %+v", d)
			}
		}
	}
	if counts["west"] < 10 || counts["dead"] < 10 || counts["vital"] < 10 || got.Summary.BySource["fused"] == 0 {
		t.Errorf("%v, %v", counts, got.Summary.BySource)
	}
	for _, q := range []string{"include_ortho=false", "detection_mode=ndsm_only"} {
		w := worldtest.Ask(over(t, s), "POST", "/api/v2/trees?include_cadastre=false&"+q, rect(-80, -80, 80, 80))
		if w.Code != 200 || strings.Contains(w.Body.String(), `"detection_source":"fused"`) ||
			strings.Contains(w.Body.String(), `"vitality":"vital"`) != (q != "include_ortho=false") {
			t.Errorf("%s: %d %.200s", q, w.Code, w.Body)
		}
	}
	if w := worldtest.Ask(over(t, s), "POST", "/api/v2/trees?include_cadastre=false&ortho_seed_res_m=0.8",
		rect(-80, -80, 80, 80)); w.Code != 200 || !strings.Contains(w.Body.String(), `"fused"`) {
		t.Errorf("cells of 0.8 m: %d %.300s", w.Code, w.Body)
	}
}

// The scan is the newest that covers the area, else the newest that touches it, and so is the orthophoto: one of a later date
// that lies elsewhere, or covers a corner, is not taken.
func TestTheNewestScanThatCovers(t *testing.T) {
	s := world(t)
	x0, y0 := corner()
	flat := func(float64, float64) float64 { return 700 }
	add := func(date string, b raster.Box, models ...string) {
		for _, m := range models {
			if err := worldtest.AddRasters(s, worldtest.Raster{Layer: m, Date: date, Box: b, Height: flat}); err != nil {
				t.Fatal(err)
			}
		}
	}
	hectare := raster.Box{West: x0 - 150, South: y0 - 150, East: x0 - 50, North: y0 - 50}
	add("2025-09-15", hectare, rasters.DTM, rasters.DSM)
	add("2026-09-15", raster.Box{West: x0 - 200, South: y0 - 200, East: x0 + 200, North: y0 + 200}, rasters.DTM)
	green := func(float64, float64) []uint8 { return []uint8{40, 90, 40, 160} }
	for date, b := range map[string]raster.Box{"2024-06-25": {West: x0 - 200, South: y0 - 200, East: x0 + 200, North: y0 + 200},
		"2025-04-15": {West: x0 + 3000, South: y0, East: x0 + 3100, North: y0 + 100}} {
		if err := worldtest.AddBytes(s, worldtest.Bytes{Layer: rasters.Ortho, Date: date, Box: b, Samples: green}); err != nil {
			t.Fatal(err)
		}
	}
	h := over(t, s)
	for path, area := range map[string]string{"/api/v2/trees": rect(-80, -80, 80, 80), "/api/v1/trees": rect(-80, -80, 80, 80)} {
		w := worldtest.Ask(h, "POST", path, area)
		if w.Code != 200 || !strings.Contains(w.Body.String(), `"dataset":"20240915","ortho":"20240625","coverage":1`) {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
	if got := ask(t, h, "/api/v2/trees", rect(-140, -140, -60, -60)); got.Meta.Dataset != "20250915" || got.Summary.N != 0 ||
		got.Meta.Coverage != 1 {
		t.Errorf("inside the newest scan: %+v", got.Meta)
	}
	if got := ask(t, h, "/api/v2/trees?dataset=20250915", rect(-80, -80, 80, 80)); got.Meta.Dataset != "20250915" ||
		got.Meta.Coverage > 0.2 || len(got.Meta.Warnings) == 0 {
		t.Errorf("the newest scan, asked for: %+v", got.Meta)
	}
}

// A footprint of the cadastre takes what stands on it out of the trees; where its KG cannot be read, the answer says so.
func TestFootprints(t *testing.T) {
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := worldtest.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := v.KG(t.Context(), "88801")
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.Footprints()
	if err != nil || len(table) == 0 {
		t.Fatal(len(table), err)
	}
	x, y := crs.LAEA.Forward(table[0].Centroid.Lon(), table[0].Centroid.Lat())
	box := raster.Box{West: math.Floor(x) - 100, South: math.Floor(y) - 100, East: math.Floor(x) + 100, North: math.Floor(y) + 100}
	flat := func(float64, float64) float64 { return 700 }
	spire := func(px, py float64) float64 { return 700 + max(0, 18-4*math.Hypot(px-x, py-y)) }
	if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: flat},
		worldtest.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: spire}); err != nil {
		t.Fatal(err)
	}
	lon, lat := crs.LAEA.Inverse(x, y)
	area := fmt.Sprintf("%.7f,%.7f", lon, lat)
	h := over(t, s)
	for target, c := range map[string]struct {
		class, mask string
		// a neighbour is not built
	}{"?reject_nonforest=false&min_tree_likelihood=0": {"building", "partial"}, "?include_cadastre=false": {"tree", "none"}} {
		if got := ask(t, h, "/api/v2/trees"+target, area); len(got.Data) != 1 || got.Data[0].Class != c.class || got.Meta.Mask != c.mask {
			t.Errorf("%s: %+v %s", target, got.Data, got.Meta.Mask)
		}
	}
	if got := ask(t, h, "/api/v2/trees", area); len(got.Data) != 0 || !strings.Contains(strings.Join(got.Meta.Warnings, ";"),
		"not known everywhere") {
		t.Errorf("a spire on a roof is a tree: %+v %v", got.Data, got.Meta.Warnings)
	}
	if err := s.Delete(t.Context(), v.Register().KG("88801").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	w := worldtest.Ask(over(t, s), "POST", "/api/v2/trees", area)
	if w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" || !strings.Contains(w.Body.String(), `"building_mask":"none"`) &&
		!strings.Contains(w.Body.String(), `"building_mask":"partial"`) ||
		!strings.Contains(w.Body.String(), "roofs may be taken for trees") {
		t.Errorf("a KG whose snapshot is lost: %d %v %.400s", w.Code, w.Header(), w.Body)
	}
}
