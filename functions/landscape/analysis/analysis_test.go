package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// The models of the world: a plane that rises to the east by 0.3 and falls to the north by 0.1, trees of 10 m east of its
// middle, over the corner of four tiles. Nothing is known of a strip in the west.
var square = func() raster.Box {
	x, y := fixture.Plane(4, 2)
	x, y = math.Round(x/5000)*5000, math.Round(y/5000)*5000 // the nearest corner of tiles
	return raster.Box{West: x - 600, South: y - 600, East: x + 600, North: y + 600}
}()

func middle() (x, y float64) {
	return (square.West + square.East) / 2, (square.South + square.North) / 2
}

func ground(x, y float64) float64 {
	mx, my := middle()
	if x < square.West+100 {
		return math.NaN()
	}
	return 700 + 0.3*(x-mx) - 0.1*(y-my)
}

func canopy(x, y float64) float64 {
	if mx, _ := middle(); x > mx {
		return ground(x, y) + 10
	}
	return ground(x, y)
}

func world(t testing.TB) store.Store {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	later := func(x, y float64) float64 { return ground(x, y) + 2 }
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: square, Height: ground},
		fixture.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: square, Height: canopy},
		fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: later}); err != nil {
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
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// lonLat is a place in metres from the middle of the models.
func lonLat(dx, dy float64) (lon, lat float64) {
	x, y := middle()
	return crs.LAEA.Inverse(x+dx, y+dy)
}

// rect is a polygon in metres from the middle.
func rect(x0, y0, x1, y1 float64) string {
	var b strings.Builder
	b.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i, c := range [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}} {
		lon, lat := lonLat(c[0], c[1])
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%.7f,%.7f]", lon, lat)
	}
	return b.String() + "]]}"
}

func ask[T any](t testing.TB, h http.Handler, target, body string) T {
	t.Helper()
	w := fixture.Ask(h, "POST", target, body, "Content-Type", "application/json")
	var got T
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %v %.600s", target, w.Code, err, w.Body)
	}
	return got
}

type terrainAnswer struct {
	Data terrainData
	Meta struct {
		GeometryRepaired bool     `json:"geometry_repaired"`
		Warnings         []string `json:"warnings"`
		License          struct{ Attribution, Dataset string }
	}
}

func near(got *float64, want, by float64) bool { return got != nil && math.Abs(*got-want) <= by }

// An area over four tiles has the slope, the aspect and the heights of the plane.
func TestTerrainOfAPlane(t *testing.T) {
	h := over(t, world(t))
	got := ask[terrainAnswer](t, h, "/api/v1/terrain?dataset=20220915", rect(-300, -250, 300, 250))
	d := got.Data
	rise := math.Hypot(0.3, 0.1)
	if d.Dataset != "20220915" || d.StepM != 1 || math.Abs(d.AreaSqm-300_000) > 100 || math.Abs(float64(d.Cells)-300_000) > 600 ||
		!near(d.KnownFraction, 1, 0) {
		t.Errorf("%+v", d)
	}
	for name, c := range map[string]struct {
		got      *float64
		want, by float64
	}{
		"slope": {d.SlopeMean, math.Atan(rise) * 180 / math.Pi, 0.02}, "steepest": {d.SlopeMax, math.Atan(rise) * 180 / math.Pi, 0.1},
		"aspect": {d.AspectMean, 360 - math.Atan2(0.3, 0.1)*180/math.Pi, 0.2}, "mean": {d.ElevationMean, 700, 0.2},
		"lowest": {d.ElevationMin, 700 - 90 - 25, 1}, "highest": {d.ElevationMax, 700 + 90 + 25, 1},
		"TRI": {d.TRIMean, math.Sqrt(6) * rise, 0.005},
		"TPI": {d.TPIMean, 0, 0.001}, "curvature": {d.CurvatureMean, 0, 0.001},
	} {
		if !near(c.got, c.want, c.by) {
			t.Errorf("%s: %v, expected %g", name, show(c.got), c.want)
		}
	}
	if d.AspectDominant == nil || *d.AspectDominant != "NW" && *d.AspectDominant != "W" || d.TerrainClass == nil ||
		*d.TerrainClass != "slightly_rugged" {
		t.Errorf("%v %v", d.AspectDominant, d.TerrainClass)
	}
	if !near(d.ElevationRange, 2*(90+25), 1) {
		t.Errorf("from lowest to highest: %v", show(d.ElevationRange))
	}
	sum := 0.0
	for name, share := range d.AspectShares {
		if share == nil || *share < 0 {
			t.Fatalf("share of %s: %v", name, show(share))
		}
		sum += *share
	}
	if facing := *d.AspectShares["NW"] + *d.AspectShares["W"]; math.Abs(sum-1) > 0.001 || facing < 0.99 {
		t.Errorf("the shares of the directions are %g together, %g face the north-west", sum, facing)
	}
	if got.Meta.GeometryRepaired || got.Meta.Warnings == nil ||
		!strings.HasPrefix(got.Meta.License.Attribution, fixture.RasterAttribution) {
		t.Errorf("meta %+v", got.Meta)
	}
	// The newest scan where none is named, and by params of the body too.
	for _, c := range []struct {
		target, params string
		want           float64
	}{{"/api/v1/terrain", "", 702}, {"/api/v1/terrain", `,"params":{"dataset":"2022-09-15"}`, 700}, {"/api/v1/terrain",
		`,"params":{"dataset":20220915}`, 700},
		{"/api/v1/terrain?dataset=2024-09-15", `,"params":{"dataset":20240915}`, 702}} {
		got := ask[terrainAnswer](t, h, c.target, `{"geometry":`+rect(-50, -50, 50, 50)+c.params+`}`)
		if !near(got.Data.ElevationMean, c.want, 0.2) {
			t.Errorf("%s %s: %v", c.target, c.params, show(got.Data.ElevationMean))
		}
	}
}

func show(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// What is not known is left out and said; where nothing is, numbers are null.
func TestTerrainThatIsNotKnown(t *testing.T) {
	h := over(t, world(t))
	got := ask[terrainAnswer](t, h, "/api/v1/terrain", rect(-600, -100, -400, 100))
	if !near(got.Data.KnownFraction, 0.5, 0.01) || !near(got.Data.ElevationMin, 702-150-10, 1) {
		t.Errorf("half: %v %v", show(got.Data.KnownFraction), show(got.Data.ElevationMin))
	}
	got = ask[terrainAnswer](t, h, "/api/v1/terrain", rect(2000, 2000, 2100, 2100))
	if !near(got.Data.KnownFraction, 0, 0) || got.Data.SlopeMean != nil || got.Data.TerrainClass != nil ||
		got.Data.AspectShares["N"] != nil {
		t.Errorf("nothing: %+v", got.Data)
	}
}

func TestRepairsAreSaid(t *testing.T) {
	h := over(t, world(t))
	a, b := rect(-100, -100, 100, 100), rect(-20, -20, 20, 20)
	ring := func(p string) string {
		return strings.TrimSuffix(strings.TrimPrefix(p, `{"type":"Polygon","coordinates":[`), "]}")
	}
	body := `{"type":"Polygon","coordinates":[` + ring(b) + "," + ring(a) + `]}`
	got := ask[terrainAnswer](t, h, "/api/v1/terrain", body)
	if !got.Meta.GeometryRepaired || len(got.Meta.Warnings) == 0 || math.Abs(got.Data.AreaSqm-38_400) > 30 {
		t.Errorf("%+v %g m²", got.Meta, got.Data.AreaSqm)
	}
	if w := fixture.Ask(h, "POST", "/api/v1/lidar/geotiff", body); w.Header().Get(repairedHeader) != "true" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

type elevated struct {
	Type, Dataset string
	Features      []struct {
		ID         any
		Geometry   struct{ Type string }
		Properties map[string]any
	}
}

// Points have the height between cells, lines and areas least, mean and greatest; what a feature had stays.
func TestHeightsOfFeatures(t *testing.T) {
	h := over(t, world(t))
	point := func(dx, dy float64) string {
		lon, lat := lonLat(dx, dy)
		return fmt.Sprintf("[%.7f,%.7f]", lon, lat)
	}
	body := `{"type":"FeatureCollection","features":[
		{"type":"Feature","id":7,"properties":{"name":"a","dtm_m":"old"},"geometry":{"type":"Point","coordinates":` + point(100, 50) + `}},
		{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[` + point(-200, 0) + "," + point(200, 0) + `]}},
		{"type":"Feature","properties":{},"geometry":` + rect(10, 10, 110, 60) + `},
		{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":` + point(-590, 0) + `}},
		{"type":"Feature","properties":{"n":1},"geometry":null},
		{"type":"Feature","properties":{},"geometry":` + rect(10, 10, 10.3, 10.3) + `}]}`
	got := ask[elevated](t, h, "/api/v1/elevation?dataset=20220915", body)
	if got.Type != "FeatureCollection" || got.Dataset != "20220915" || len(got.Features) != 6 {
		t.Fatalf("%+v", got)
	}
	p := got.Features[0]
	if p.ID != 7.0 || p.Geometry.Type != "Point" || p.Properties["name"] != "a" {
		t.Errorf("%+v", p)
	}
	check := func(i int, want map[string]float64) {
		t.Helper()
		for name, v := range want {
			if g, ok := got.Features[i].Properties[name].(float64); !ok || math.Abs(g-v) > 0.35 {
				t.Errorf("feature %d: %s is %v, expected %g", i, name, got.Features[i].Properties[name], v)
			}
		}
	}
	check(0, map[string]float64{"dtm_m": 725, "dsm_m": 735, "height_m": 10})
	check(1, map[string]float64{"dtm_min_m": 640, "dtm_max_m": 760, "dtm_mean_m": 700, "dsm_max_m": 770, "height_max_m": 10,
		"height_mean_m": 5})
	check(2, map[string]float64{"dtm_min_m": 697.3, "dtm_max_m": 731.9, "dtm_mean_m": 714.5, "height_mean_m": 10, "height_max_m": 10})
	check(5, map[string]float64{"dtm_mean_m": 702, "height_max_m": 10})
	for _, i := range []int{3, 4} {
		if v, ok := got.Features[i].Properties["dtm_m"]; v != nil || !ok {
			t.Errorf("feature %d: %v", i, got.Features[i].Properties)
		}
	}
}

// Points and lines over several strips and tiles have the heights of all of them.
func TestHeightsAlongStrips(t *testing.T) {
	h := over(t, world(t))
	var line, points []string
	for _, dy := range []float64{500, 0.5, -0.5, -500} { // a border of tiles runs through the middle
		lon, lat := lonLat(10, dy)
		line = append(line, fmt.Sprintf("[%.7f,%.7f]", lon, lat))
	}
	points = append(points, line[3], line[0], line[2], line[1]) // in any order
	got := ask[elevated](t, h, "/api/v1/elevation?dataset=20220915", `{"type":"GeometryCollection","geometries":[
		{"type":"LineString","coordinates":[`+strings.Join(line, ",")+`]},
		{"type":"MultiPoint","coordinates":[`+strings.Join(points, ",")+`]}]}`)
	for i, f := range got.Features {
		for name, want := range map[string]float64{"dtm_min_m": 703 - 50, "dtm_mean_m": 703, "dtm_max_m": 703 + 50, "height_mean_m": 10} {
			if v, ok := f.Properties[name].(float64); !ok || math.Abs(v-want) > 0.1 {
				t.Errorf("feature %d: %s is %v, expected %g", i, name, f.Properties[name], want)
			}
		}
	}
	c := ask[covered](t, h, "/api/v1/elevation", `{"type":"LineString","coordinates":[`+strings.Join(line, ",")+`]}`)
	if c.Meta.Coverage != 1 {
		t.Errorf("all of the line is known: %+v", c.Meta)
	}
}

// The GeoTIFF has the heights of the cells in the area and nothing outside.
func TestGeoTIFF(t *testing.T) {
	h := over(t, world(t))
	for kind, height := range map[string]func(x, y float64) float64{"dtm": ground, "dsm": canopy,
		"ndsm": func(x, y float64) float64 { return canopy(x, y) - ground(x, y) }} {
		w := fixture.Ask(h, "POST", "/api/v1/lidar/geotiff?dataset=20220915&layer="+kind, rect(-150, -120, 140, 130))
		if w.Code != 200 || w.Header().Get("Content-Type") != "image/tiff" || !strings.Contains(w.Header().Get("Content-Disposition"),
			kind+"-20220915.tif") {
			t.Fatalf("%s: %d %v %.300s", kind, w.Code, w.Header(), w.Body)
		}
		body := w.Body.Bytes()
		f, err := cog.Open(bytes.NewReader(body), int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Read(bytes.NewReader(body), &f.Images[0], 0, f.Images[0].Whole())
		if err != nil || f.EPSG != 3035 {
			t.Fatal(err, f.EPSG)
		}
		known := 0
		for row := range g.Rows {
			for col := range g.Cols {
				if z := float64(g.Z[row*g.Cols+col]); z == z {
					known++
					if x, y := g.Centre(col, row); math.Abs(z-height(x, y)) > 0.006 {
						t.Fatalf("%s at %g, %g: %g, expected %g", kind, x, y, z, height(x, y))
					}
				}
			}
		}
		if math.Abs(float64(known)-290*250) > 600 || g.Cols > 300 || g.Rows > 260 {
			t.Errorf("%s: %d cells of %d x %d", kind, known, g.Cols, g.Rows)
		}
	}
}

func TestBadRequests(t *testing.T) {
	h := over(t, world(t))
	bare, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	small := rect(-5, -5, 5, 5)
	for _, c := range []struct {
		method, target, body string
		status               int
		want                 string
	}{
		{"POST", "/api/v1/terrain", "", 400, "empty"},
		{"POST", "/api/v1/terrain?dataset=20230915", small, 400, "20220915, 20240915"},
		{"POST", "/api/v1/terrain?dataset=yesterday", small, 400, "YYYYMMDD"},
		{"POST", "/api/v1/terrain", `{"geometry":` + small + `,"params":{"dataset":"x"}}`, 400, "params.dataset"},
		{"POST", "/api/v1/terrain", `{"geometry":` + small + `,"params":{"datset":"20240915"}}`, 400, "dataset"},
		{"POST", "/api/v1/terrain", "47.3,13.2", 400, "swapped"},
		{"POST", "/api/v1/lidar/geotiff?layer=ortho", small, 400, "ndsm"},
		{"POST", "/api/v1/lidar/geotiff?layer=ndsm&dataset=20240915", small, 400, "20220915"},
		{"POST", "/api/v1/lidar/geotiff", rect(-2000, -2000, 2000, 2000), 413, "10 km²"},
		{"POST", "/api/v1/elevation", rect(-4000, -4000, 4000, 4000), 413, "8.0 x 8.0 km"},
		{"GET", "/api/v1/terrain", "", 405, ""},
	} {
		w := fixture.Ask(h, c.method, c.target, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %s, expected %d with %q", c.method, c.target, w.Code, w.Body, c.status, c.want)
		}
	}
	for _, path := range []string{"terrain", "elevation", "lidar/geotiff"} {
		if w := fixture.Ask(over(t, bare), "POST", "/api/v1/"+path, small); w.Code != 404 ||
			!strings.Contains(w.Body.String(), "no height model") {
			t.Errorf("%s without rasters: %d %s", path, w.Code, w.Body)
		}
	}
}

// An answer costs the list, and a front and a block for each tile; a tile that is lost or damaged is 503 with
// that reason, never a hole.
func TestReadsAndLostTiles(t *testing.T) {
	s := world(t)
	counted := &storetest.Counting{Store: s}
	h := over(t, counted)
	for _, want := range []int64{1 + 4, 0} { // tiles as short as these are read whole
		counted.Reset()
		if w := fixture.Ask(h, "POST", "/api/v1/terrain?dataset=20220915", rect(-100, -100, 100, 100)); w.Code != 200 {
			t.Fatal(w.Body)
		}
		if got := counted.Reads().Gets; got != want {
			t.Errorf("%d reads, expected %d", got, want)
		}
	}
	for info, err := range s.List(t.Context(), "rasters/dtm/2022-09-15/") {
		if err != nil {
			t.Fatal(err)
		}
		body, _, err := store.ReadAll(t.Context(), s, info.Key, 1<<26, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for name, hurt := range map[string][]byte{"lost": nil, "damaged": damaged(body), "shorter": body[:len(body)-1]} {
			if err := s.Delete(t.Context(), info.Key); err != nil {
				t.Fatal(err)
			}
			if hurt != nil {
				if _, err := s.Put(t.Context(), info.Key, hurt, store.PutOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			w := fixture.Ask(over(t, s), "POST", "/api/v1/terrain?dataset=20220915", rect(-300, -300, 300, 300))
			reason := `"reason":"damaged"`
			if hurt == nil {
				reason = `"reason":"lost"`
			}
			if w.Code != 503 || w.Header().Get("Retry-After") != "" || !strings.Contains(w.Body.String(), reason) {
				t.Errorf("%s: %d %.300s", name, w.Code, w.Body)
			}
		}
		if err := s.Delete(t.Context(), info.Key); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), info.Key, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// damaged turns a bit in every hundredth byte behind the front.
func damaged(body []byte) []byte {
	b := bytes.Clone(body)
	for i := 2000; i < len(b); i += 100 {
		b[i] ^= 4
	}
	return b
}
