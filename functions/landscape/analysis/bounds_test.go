package analysis

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"mappe/functions/core/drawn"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
)

// Least, mean and greatest of what is known, in any order of the values.
func TestSpread(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values            []float64
		least, mean, most float64
	}{
		{nil, nan, nan, nan}, {[]float64{nan}, nan, nan, nan}, {[]float64{-3}, -3, -3, -3}, {[]float64{1, 2, 6}, 1, 3, 6}, {[]float64{6, 2,
			1}, 1, 3, 6}, {[]float64{2, nan, -4, 8}, -4, 2, 8}, {[]float64{0, 0}, 0, 0, 0},
	} {
		var s spread
		for _, v := range c.values {
			s.add(v)
		}
		least, mean, most := s.of()
		for i, pair := range [][2]float64{{least, c.least}, {mean, c.mean}, {most, c.most}} {
			if pair[0] != pair[1] && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%v: number %d: want %g, got %g", c.values, i, pair[1], pair[0])
			}
		}
	}
}

// The members of a point are others than those of a line; the height is of what is seen above the ground.
func TestHeightsAsProperties(t *testing.T) {
	values := func(r relief) map[string]any {
		to := map[string]any{"kept": "x"}
		r.addTo(to)
		for name, v := range to {
			if p, ok := v.(*float64); ok && p != nil {
				to[name] = *p
			} else if ok {
				to[name] = nil
			}
		}
		return to
	}
	point := relief{single: true}
	point.add(700, 712.346)
	if got, want := values(point), (map[string]any{"kept": "x", "dtm_m": 700.0, "dsm_m": 712.35,
		"height_m": 12.35}); !reflect.DeepEqual(got, want) {
		t.Errorf("a point: want %v, got %v", want, got)
	}
	if got, want := values(relief{}), (map[string]any{"kept": "x", "dtm_m": nil, "dsm_m": nil, "height_m": nil}); !reflect.DeepEqual(got,
		want) {
		t.Errorf("nothing: want %v, got %v", want, got)
	}
	line := relief{}
	line.add(700, 710)
	line.add(702, float32(math.NaN()))
	line.add(float32(math.NaN()), 730)
	want := map[string]any{"kept": "x", "dtm_min_m": 700.0, "dtm_mean_m": 701.0, "dtm_max_m": 702.0, "dsm_min_m": 710.0,
		"dsm_mean_m": 720.0, "dsm_max_m": 730.0, "height_mean_m": 10.0, "height_max_m": 10.0}
	if got := values(line); !reflect.DeepEqual(got, want) || line.places != 3 || line.dtm.n != 2 {
		t.Errorf("a line: want %v, got %v of %d places", want, got, line.places)
	}
}

// place is a point some metres from the middle of the models.
func place(dx, dy float64) geom.Point {
	lon, lat := lonLat(dx, dy)
	p, _ := geom.PointAt(lon, lat)
	return p
}

// Along a line heights are looked up at its vertices and so often between them that no two places are a step apart.
func TestPlacesAlongLines(t *testing.T) {
	f := &drawn.Feature{Lines: [][]geom.Point{{place(0, 0), place(30, 40), place(30, 45)}, {place(100, 0)}}}
	if l := lengthOf(f.Lines); math.Abs(l-55) > 0.05 {
		t.Errorf("want 55 m, got %g", l)
	}
	for step, places := range map[float64]int{0: 4, 10: 4 + 4, 100: 4} { // 49.99 m are divided into five parts
		s := sitesOf(f, step)
		if len(s.points) < places || len(s.points) > places+1 || s.single {
			t.Errorf("every %g m: want %d places, got %d", step, places, len(s.points))
		}
		a := onplane.XY(place(0, 0))
		for i := 1; i < len(s.points)-1 && step > 0; i++ {
			p, q := s.points[i-1], s.points[i]
			if d := math.Hypot(q.X-p.X, q.Y-p.Y); d > step || d <= 0 {
				t.Errorf("every %g m: place %d is %g m off", step, i, d)
			}
			if x, y := q.X-a.X, q.Y-a.Y; math.Abs(x/30*40-y) > 0.1 && math.Abs(x-30) > 0.1 {
				t.Errorf("every %g m: %g, %g is not on the line", step, x, y)
			}
		}
	}
	long := &drawn.Feature{Lines: [][]geom.Point{{place(0, 0), place(0, 2000)}}}
	if n := len(sitesOf(long, 0.001).points); n > maxSamples+2 || n < maxSamples-200 {
		t.Errorf("a long line is looked up in %d places", n)
	}
	for name, c := range map[string]struct {
		f      drawn.Feature
		single bool
		empty  bool
	}{
		"one point": {drawn.Feature{Points: []geom.Point{place(0, 0)}}, true, false},
		"two": {drawn.Feature{Points: []geom.Point{place(0, 0),
			place(1, 1)}}, false, false},
		"a point and a line": {drawn.Feature{Points: []geom.Point{place(0, 0)}, Lines: long.Lines}, false, false},
		"nothing": {drawn.Feature{},
			false, true},
		"a polygon": {drawn.Feature{Polygons: geom.MultiPolygon{{geom.Ring{place(0, 0), place(9, 0), place(0, 9)}}}}, false, false},
		"a point and a polygon": {drawn.Feature{Points: []geom.Point{place(0, 0)},
			Polygons: geom.MultiPolygon{{geom.Ring{place(0, 0), place(9,
				0), place(0, 9)}}}}, false, false},
	} {
		if s := sitesOf(&c.f, 1); s.single != c.single || s.empty() != c.empty {
			t.Errorf("%s: single %v, empty %v", name, s.single, s.empty())
		}
	}
}

// What a request takes: small ones wait for nothing, an area counts its m², places do not; lines are bounded together.
func TestExtents(t *testing.T) {
	square := func(side float64) drawn.Feature {
		return drawn.Feature{Polygons: geom.MultiPolygon{{geom.Ring{place(0, 0), place(side, 0), place(side, side), place(0, side)}}}}
	}
	line := func(metres float64) drawn.Feature {
		return drawn.Feature{Lines: [][]geom.Point{{place(0, 0), place(metres, 0)}}}
	}
	need, w, err := extents([]drawn.Feature{square(100), {}, square(50)}, 1)
	if err != nil || need != 0 || len(w.Boxes) != 2 || math.Abs(w.M2-12_500) > 10 {
		t.Errorf("two squares: %d bytes, %+v, %v", need, w, err)
	}
	if _, w, err = extents([]drawn.Feature{square(100), line(10)}, 1); err != nil || w.M2 != 0 || len(w.Boxes) != 2 {
		t.Errorf("a square and a line: %+v, %v", w, err)
	}
	one, _, err := extents([]drawn.Feature{square(4000)}, 1)
	if err != nil || one < 4*4*4000*512 || one > 5*4*4000*512 { // two models and their blocks, four bytes a cell of a strip
		t.Errorf("a large square: %d bytes, %v", one, err)
	}
	// along a line of 100 km: four bytes a cell of four rows of each of four grids, and 32 for each of the places
	if need, _, err := extents([]drawn.Feature{line(100_000)}, 1); err != nil || math.Abs(float64(need)-(64+32)*100_000) > 500_000 {
		t.Errorf("a long line: %d bytes, %v", need, err)
	}
	at := place(0, 0)
	points := drawn.Feature{Points: make([]geom.Point, 400_000)} // 32 bytes each
	for i := range points.Points {
		points.Points[i] = at
	}
	if need, _, err := extents([]drawn.Feature{points}, 1); err != nil || math.Abs(float64(need)-32*400_000) > 10_000 {
		t.Errorf("many points: %d bytes, %v", need, err)
	}
	many := make([]drawn.Feature, 2*featuresAtOnce)
	for i := range many {
		many[i] = square(4000)
		if i%2 > 0 {
			many[i] = square(100)
		}
	}
	if need, _, err := extents(many, 1); err != nil || need != featuresAtOnce*one {
		t.Errorf("the largest %d count: want %d bytes, got %d, %v", featuresAtOnce, featuresAtOnce*one, need, err)
	}
	var lines []drawn.Feature // of 100 km, so that 20 are 2,000 km
	for range 19 {
		lines = append(lines, line(100_000))
	}
	length := lengthOf(lines[0].Lines)
	rest := maxAllSamples - 19*length
	for name, c := range map[string]struct {
		more float64
		want int
	}{"less than 2,000 km": {rest - 1000, 0}, "more": {rest + 1000, 413}} {
		if _, _, err := extents(append(lines[:19:19], line(c.more)), 1); status(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func status(err error) int {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.Status()
	}
	return 0
}

// Features come back as the GeoJSON that they were, each kind in its own form.
func TestGeometriesComeBack(t *testing.T) {
	p := func(x, y float64) geom.Point { q, _ := geom.PointAt(x, y); return q }
	a, b, c := p(13, 47), p(13.5, 47), p(13, 47.25)
	const line, ring = `[[13,47],[13.5,47]]`, `[[13,47],[13.5,47],[13,47.25],[13,47]]`
	triangle := geom.Polygon{geom.Ring{a, b, c}}
	for _, w := range []struct {
		kind, coordinates string // of one geometry
		f                 drawn.Feature
	}{
		{"Point", `[13,47]`, drawn.Feature{Points: []geom.Point{a}}},
		{"MultiPoint", line, drawn.Feature{Points: []geom.Point{a, b}}},
		{"LineString", line, drawn.Feature{Lines: [][]geom.Point{{a, b}}}},
		{"MultiLineString", `[` + line + `,[[13.5,47],[13,47.25]]]`, drawn.Feature{Lines: [][]geom.Point{{a, b}, {b, c}}}},
		{"Polygon", `[` + ring + `]`, drawn.Feature{Polygons: geom.MultiPolygon{triangle}}},
		{"MultiPolygon", `[[` + ring + `],[` + ring + `]]`, drawn.Feature{Polygons: geom.MultiPolygon{triangle, triangle}}},
	} {
		if got, want := string(w.f.GeoJSON()), `{"type":"`+w.kind+`","coordinates":`+w.coordinates+`}`; got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
	if got := string((&drawn.Feature{}).GeoJSON()); got != "null" {
		t.Errorf("of nothing: %s", got)
	}
	want := `{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[13,47]},{"type":"LineString","coordinates":` + line +
		`}]}`
	if got := string((&drawn.Feature{Points: []geom.Point{a}, Lines: [][]geom.Point{{a, b}}}).GeoJSON()); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

// A GeoTIFF is of 10 km² at most, in a box of 30; what lies outside of the area in it is not known.
func TestAreasOfGeoTIFFs(t *testing.T) {
	box := func(w, h, m2 float64) *drawn.Area {
		return &drawn.Area{M2: m2, Polygons: []raster.Polygon{{{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}}}}
	}
	for _, c := range []struct {
		a    *drawn.Area
		want int
	}{{box(1, 1, maxGeoTIFF), 0}, {box(1, 1, maxGeoTIFF+1), 413}, {box(6000, 5000, 1), 0}, {box(6001, 5000, 1), 413}} {
		if err := fits(c.a); status(err) != c.want {
			t.Errorf("%+v: %v", c.a, err)
		}
	}
	far := box(6500, 5000, 1)
	for i := range far.Polygons[0][0] {
		far.Polygons[0][0][i].X += 4_600_000
		far.Polygons[0][0][i].Y += 2_700_000
	}
	if err := fits(far); err == nil || !strings.Contains(err.Error(), "over 6.5 x 5.0 km") {
		t.Errorf("the size is told in kilometres: %v", err)
	}
	if err := fits(box(1, 1, 12_340_000)); err == nil || !strings.Contains(err.Error(), "12.34 km²: at most 10 km²") {
		t.Errorf("the area is told: %v", err)
	}
	if got, want := geotiffBytes(box(1000, 500, 250_000), 1), int64(1000*500*4*4/3+250_000*4)+stripBytes(raster.Box{East: 1000,
		North: 500}, 1); got != want {
		t.Errorf("want %d bytes, got %d", want, got)
	}
	if got := stripBytes(raster.Box{East: 1000, North: 100}, 1); got != 4*1000*(100+2) {
		t.Errorf("100 rows and one on either side, got %d", got)
	}
	if got := stripBytes(raster.Box{East: 1000, North: 5000}, 1); got != 4*1000*(512+2) {
		t.Errorf("512 rows and one on either side, got %d", got)
	}
	g := raster.New(0, 4, 1, 6, 4)
	for row := range g.Rows {
		for col := range g.Cols {
			g.Row(row)[col] = float32(10*row + col)
		}
	}
	g.Keep([]raster.Polygon{{{{X: 1, Y: 1}, {X: 4, Y: 1}, {X: 4, Y: 3}, {X: 1, Y: 3}}}})
	for row := range g.Rows {
		for col, z := range g.Row(row) {
			in := row >= 1 && row < 3 && col >= 1 && col < 4
			if (z == z) != in || in && z != float32(10*row+col) {
				t.Errorf("row %d, column %d: %g", row, col, z)
			}
		}
	}
}

// Datasets are dates of two spellings; figures are rounded, and what is no number is null.
func TestDatasetsAndRounding(t *testing.T) {
	for text, ok := range map[string]bool{"20240915": true, "2024-09-15": true, "20241315": false, "2024": false, "": false,
		"20240915x": false} {
		if got, err := params.ParseDate(text); (err == nil) != ok || ok && got != "20240915" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, c := range []struct {
		v        float64
		decimals int
		want     any
	}{{math.NaN(), 2, nil}, {math.Inf(1), 2, nil}, {1.005, 1, 1.0}, {-0.001, 2, 0.0}, {2.346, 2, 2.35}} {
		got := scans.Round(c.v, c.decimals)
		if (got == nil) != (c.want == nil) || got != nil && (*got != c.want || math.Signbit(*got)) {
			t.Errorf("%g with %d decimals: want %v, got %v", c.v, c.decimals, c.want, got)
		}
	}
}
