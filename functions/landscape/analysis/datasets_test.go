package analysis

import (
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/membudget"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
)

// models are a service over height models of the world.
func modelled(t testing.TB, budget int64, models ...fixture.Raster) http.Handler {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddRasters(s, models...); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	d := Deps{Library: lib}
	if budget > 0 {
		d.Memory = membudget.New(budget)
	}
	h, err := New(d).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// covered is meta of an answer.
type covered struct {
	Dataset string
	Meta    struct {
		Dataset  string
		Coverage float64
		Warnings []string
	}
}

// The dataset of an answer is the newest that covers 95 % of what is asked for, else the newest that touches it; outside
// of all a warning is said.
func TestTheNewestDatasetThatCovers(t *testing.T) {
	part := func(date string, x0, x1 float64, at float64) fixture.Raster {
		mx, my := middle()
		return fixture.Raster{Layer: rasters.DTM, Date: date, Box: raster.Box{West: mx + x0, South: my - 300, East: mx + x1,
			North: my + 300}, Height: func(x, y float64) float64 { return at }}
	}
	h := modelled(t, 0, part("2018-06-01", -600, 600, 2018), part("2021-06-01", -600, 100, 2021), part("2024-06-01", 0, 10, 2024))
	for _, c := range []struct {
		x0, x1   float64
		dataset  string
		coverage float64
		warning  string
	}{
		{-200, -100, "20210601", 1, ""},
		{1, 9, "20240601", 1, ""},
		{-100, 105, "20210601", 200. / 205, ""}, // 97.6 %
		{-100, 115, "20180601", 1, ""},          // 93 % of 2021
		{200, 300, "20180601", 1, ""},
		{500, 900, "20180601", 0.25, "covers 25.0 % of the area"},
		{700, 900, "20240601", 0, "no height model covers the area"},
	} {
		body := rect(c.x0, -50, c.x1, 50)
		name := fmt.Sprintf("%g to %g", c.x0, c.x1)
		for _, path := range []string{"terrain", "elevation"} {
			got := ask[covered](t, h, "/api/v1/"+path, body)
			if got.Meta.Dataset != c.dataset || math.Abs(got.Meta.Coverage-c.coverage) > 0.01 ||
				(c.warning == "") != (len(got.Meta.Warnings) == 0) || !strings.Contains(fmt.Sprint(got.Meta.Warnings), c.warning) {
				t.Errorf("%s of %s: %+v, expected %s, %g, %q", path, name, got.Meta, c.dataset, c.coverage, c.warning)
			}
			if path == "elevation" && got.Dataset != c.dataset {
				t.Errorf("%s: dataset %s", name, got.Dataset)
			}
		}
		w := fixture.Ask(h, "POST", "/api/v1/lidar/geotiff", body)
		if c.coverage == 0 {
			if w.Code != 404 || !strings.Contains(w.Body.String(), "/layers") {
				t.Errorf("GeoTIFF of %s: %d %s", name, w.Code, w.Body)
			}
		} else if w.Code != 200 || w.Header().Get(datasetHeader) != c.dataset ||
			!strings.HasPrefix(w.Header().Get(coverageHeader), fmt.Sprintf("%.1f", math.Floor(c.coverage*10)/10)) {
			t.Errorf("GeoTIFF of %s: %d %v", name, w.Code, w.Header())
		}
	}
	if w := fixture.Ask(h, "GET", "/openapi.json", ""); strings.Count(w.Body.String(), `"coverage":`) < 2 {
		t.Errorf("the description does not name meta.coverage: %d %.200s", w.Code, w.Body)
	}
	// A dataset that is named is taken, whatever it covers.
	if got := ask[covered](t, h, "/api/v1/terrain?dataset=20240601", rect(-100, -50, 100, 50)); got.Meta.Dataset != "20240601" ||
		math.Abs(got.Meta.Coverage-0.05) > 0.005 || len(got.Meta.Warnings) != 1 {
		t.Errorf("%+v", got.Meta)
	}
}

// Heights above the ground are those of a date of both models; heights of what is seen from above need no ground.
func TestDatesOfTheKinds(t *testing.T) {
	flat := func(x, y float64) float64 { return 700 }
	h := modelled(t, 0, fixture.Raster{Layer: rasters.DTM, Date: "2020-06-01", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DTM, Date: "2022-06-01", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2020-06-01", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-06-01", Box: square, Height: flat})
	for query, want := range map[string]string{
		"layer=dtm": "20220601", "layer=dsm": "20240601", "layer=ndsm": "20200601", "": "20220601",
		"layer=dsm&dataset=20240601": "20240601", "layer=dsm&dataset=20200601": "20200601", "layer=dtm&dataset=20200601": "20200601",
		"layer=ndsm&dataset=20240601": "", "layer=ndsm&dataset=20220601": "", "layer=dsm&dataset=20220601": "",
		"layer=dtm&dataset=20240601": "",
	} {
		w := fixture.Ask(h, "POST", "/api/v1/lidar/geotiff?"+query, rect(-20, -20, 20, 20))
		if got := w.Header().Get(datasetHeader); got != want || (w.Code == 200) != (want != "") || want == "" && w.Code != 400 {
			t.Errorf("%s: want %q, got %d %s %.200s", query, want, w.Code, got, w.Body)
		}
	}
}

// The coverage is of the whole area, whichever part of it is known.
func TestCoverageOverStrips(t *testing.T) {
	mx, my := middle() // the corner of tiles, where strips meet
	south := raster.Box{West: mx - 200, South: my - 200, East: mx + 200, North: my}
	flat := func(x, y float64) float64 { return 700 }
	h := modelled(t, 0, fixture.Raster{Layer: rasters.DTM, Date: "2022-06-01", Box: south, Height: flat})
	for body, want := range map[string]float64{rect(-50, -50, 50, 50): 0.5, rect(-50, -150, 50, 50): 0.75,
		rect(-50, -25, 50, 75): 0.25} {
		w := fixture.Ask(h, "POST", "/api/v1/lidar/geotiff", body)
		got, err := strconv.ParseFloat(w.Header().Get(coverageHeader), 64)
		if w.Code != 200 || err != nil || math.Abs(got-want) > 0.02 {
			t.Errorf("GeoTIFF: want %g, got %d %g %v", want, w.Code, got, err)
		}
		if got := ask[covered](t, h, "/api/v1/terrain", body).Meta.Coverage; math.Abs(got-want) > 0.02 {
			t.Errorf("terrain: want %g, got %g", want, got)
		}
	}
}

// Strips are apart, together the box, and no larger than a strip may be.
func TestStripsOfABox(t *testing.T) {
	for _, b := range []raster.Box{{West: 0, South: 100, East: 7000, North: 7100}, {West: 4_999, South: 4_999, East: 5_002, North: 5_002},
		{West: 0, South: 0, East: 60_000, North: 900}, {West: -20, South: -40, East: 6_000_000, North: 3},
		{West: 4_600_000, South: 2_700_000, East: 4_607_000, North: 2_705_000}} {
		rows, cells, strips := 0, 0, 0
		north := b.North
		for s := range stripsOf(b, 1) {
			if got := s.box.North - float64(s.from); got != north {
				t.Fatalf("%v: a strip begins at %g, expected %g", b, got, north)
			}
			if s.from > 1 || s.to <= s.from || s.box.North > b.North || s.box.South < b.South {
				t.Fatalf("%v: %+v", b, s)
			}
			rows, strips = rows+s.to-s.from, strips+1
			cells = max(cells, int((s.box.East-s.box.West)*(s.box.North-s.box.South)))
			north = s.box.North - float64(s.to)
		}
		// a strip is no lower than the blocks of the tiles, unless it would be too large
		if most := rows/blockRows + 4; int(b.East-b.West)*blockRows < stripCells && strips > most {
			t.Errorf("%v: %d strips, want at most %d", b, strips, most)
		}
		if north != b.South || rows != int(b.North-b.South) || cells > stripCells+3*int(b.East-b.West) ||
			int64(4*cells) > stripBytes(b, 1) {
			t.Errorf("%v: %d rows down to %g, up to %d cells in %d bytes", b, rows, north, cells, stripBytes(b, 1))
		}
	}
}

// Least, mean and greatest over many strips and tiles are those of the cells themselves.
func TestHeightsOverManyStrips(t *testing.T) {
	mx, my := middle()
	box := raster.Box{West: mx - 900, South: my - 1400, East: mx + 900, North: my + 1400}
	hills := func(x, y float64) float64 {
		return math.Round(100*(900+200*math.Sin(x/300)*math.Cos(y/400))) / 100
	}
	h := modelled(t, 0, fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: hills})
	got := ask[elevated](t, h, "/api/v1/elevation", `{"type":"GeometryCollection","geometries":[`+rect(-700, -1300, 700, 1200)+`]}`)
	least, most, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0
	var ring []raster.XY
	for _, c := range [][2]float64{{-700, -1300}, {700, -1300}, {700, 1200}, {-700, 1200}} {
		lon, lat := lonLat(c[0], c[1])
		p, ok := geom.PointAt(lon, lat)
		if !ok {
			t.Fatal(lon, lat)
		}
		x, y := crs.EqualArea(p)
		ring = append(ring, raster.XY{X: x, Y: y})
	}
	g := raster.New(box.West, box.North, 1, 1800, 2800)
	m := raster.MaskOf(g, []raster.Polygon{{ring}})
	for row := range g.Rows {
		m.Each(row, func(from, to int) {
			for col := from; col < to; col++ {
				z := hills(g.Centre(col, row))
				least, most, sum, n = min(least, z), max(most, z), sum+z, n+1
			}
		})
	}
	p := got.Features[0].Properties
	for name, want := range map[string]float64{"dtm_min_m": least, "dtm_max_m": most, "dtm_mean_m": sum / float64(n)} {
		if v, ok := p[name].(float64); !ok || math.Abs(v-want) > 0.006 {
			t.Errorf("%s: %v, expected %.3f", name, p[name], want)
		}
	}
}

// largest is a service with a model of 25 km², and a square over nearly all of it.
func largest(t testing.TB, budget int64) (http.Handler, string) {
	mx, my := middle()
	flat := func(x, y float64) float64 { return math.Round(x-mx+y-my) / 100 }
	box := raster.Box{West: mx - 2500, South: my - 2500, East: mx + 2500, North: my + 2500}
	return modelled(t, budget, fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: flat}), rect(-2490, -2490, 2490, 2490)
}

// What a square of 25 km² takes is bounded: no list of its cells is made, of which there are 25 million.
func TestMemoryOfALargeArea(t *testing.T) {
	h, body := largest(t, 0)
	for _, path := range []string{"elevation", "terrain"} {
		ask[covered](t, h, "/api/v1/"+path, body) // the library's cache is filled
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ask[covered](t, h, "/api/v1/"+path, body)
		runtime.ReadMemStats(&after)
		// All that was ever allocated, garbage too: the cells of both models once, strip by strip, are 200 MB.
		if got := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; got > 400 {
			t.Errorf("%s: %.0f MB were allocated", path, got)
		} else {
			t.Logf("%s: %.0f MB were allocated", path, got)
		}
	}
}

// Large requests share one budget: those that find no place wait for it, and one that is larger than all of it is refused.
func TestLargeRequestsAtOnceShareTheMemory(t *testing.T) {
	h, body := largest(t, 80<<20)
	var all sync.WaitGroup
	for i := range 6 {
		path := []string{"elevation", "terrain"}[i%2]
		all.Go(func() {
			if w := fixture.Ask(h, "POST", "/api/v1/"+path, body); w.Code != 200 &&
				!(w.Code == 503 && w.Header().Get("Retry-After") != "") {
				t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
			}
		})
	}
	all.Wait()
	small, body := largest(t, 1<<20)
	if w := fixture.Ask(small, "POST", "/api/v1/terrain", body); w.Code != 413 || !strings.Contains(w.Body.String(), "memory") {
		t.Errorf("more than there is: %d %.300s", w.Code, w.Body)
	}
	if w := fixture.Ask(small, "POST", "/api/v1/terrain", rect(-50, -50, 50, 50)); w.Code != 200 {
		t.Errorf("a small one: %d %.300s", w.Code, w.Body)
	}
}
