package drawn

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
	"mappe/shared/web/fault"
)

// at is a place some metres east and north of a point in Salzburg, in the plane.
func at(t testing.TB, east, north float64) geom.Point {
	t.Helper()
	x, y := crs.EqualArea(geom.Point{X: 132_800_000, Y: 473_200_000})
	p, ok := crs.LAEA.Point(x+east, y+north)
	if !ok {
		t.Fatalf("%g, %g is no place", east, north)
	}
	return p
}

// squareAt is a square of the plane with its south-west corner there.
func squareAt(t testing.TB, east, north, side float64) geom.MultiPolygon {
	t.Helper()
	return geom.MultiPolygon{{geom.Ring{at(t, east, north), at(t, east+side, north), at(t, east+side, north+side),
		at(t, east, north+side)}}}
}

// status is that of a fault; 0 without a fault.
func status(t testing.TB, err error) int {
	t.Helper()
	var f *fault.Fault
	if err != nil && !errors.As(err, &f) {
		t.Fatalf("%v is no answer", err)
	}
	if f == nil {
		return 0
	}
	return f.Status()
}

// A capsule is what lies within 100 m of a stretch: its corners do, and its area is that of 32 corners of a circle and of the
// rectangle between both halves.
func TestCapsules(t *testing.T) {
	round := 0.5 * corners * pointRadius * pointRadius * math.Sin(2*math.Pi/corners)
	for _, to := range [][2]float64{{0, 0}, {300, 0}, {-300, 0}, {0, 300}, {0, -300}, {200, 150}, {-70, -240}} {
		a, b := at(t, 0, 0), at(t, to[0], to[1])
		m := capsule(a, b, pointRadius)
		if want, got := round+2*pointRadius*math.Hypot(to[0], to[1]), m.Area(crs.EqualArea); math.Abs(got-want) > 4 ||
			m.Validate() != nil ||
			len(m) != 1 || len(m[0]) != 1 {
			t.Errorf("to %v: want %.0f m², got %.0f, %v", to, want, got, m.Validate())
		}
		ax, ay := crs.EqualArea(a)
		for _, p := range m[0][0] {
			x, y := crs.EqualArea(p)
			x, y = x-ax, y-ay
			along := 0.0 // share of the stretch that is nearest
			if l := to[0]*to[0] + to[1]*to[1]; l > 0 {
				along = max(0, min(1, (x*to[0]+y*to[1])/l))
			}
			if d := math.Hypot(x-along*to[0], y-along*to[1]); math.Abs(d-pointRadius) > 0.05 {
				t.Errorf("to %v: a corner %.2f m off", to, d)
			}
		}
	}
	if got := circle(at(t, 0, 0)); !reflect.DeepEqual(got, capsule(at(t, 0, 0), at(t, 0, 0), pointRadius)) || len(got[0][0]) != corners {
		t.Errorf("a circle has %d corners, got %v", corners, got)
	}
}

// A track goes around an area where its ends lie within 25 m, or within 2 % of its length, and there is one within it.
func TestTracksThatClose(t *testing.T) {
	for _, c := range []struct {
		name  string
		track [][2]float64
		ok    bool
		gap   float64
	}{
		{"two positions", [][2]float64{{0, 0}, {40, 0}}, false, 40},
		{"three, near", [][2]float64{{0, 0}, {10, 0}, {0, 24}}, true, 24},
		{"three, not near", [][2]float64{{0, 0}, {10, 0}, {0, 26}}, false, 26},
		{"2 % of its length", [][2]float64{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}, {0, 78}}, true, 78}, // of 3,922 m
		{"more", [][2]float64{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}, {0, 80}}, false, 80},
		{"there and back", [][2]float64{{0, 0}, {1000, 0}, {1000, 1000}, {1000, 0}, {0, 0}}, false, 0},
		{"ends where it began", [][2]float64{{0, 0}, {1000, 0}, {1000, 1000}, {0, 0}}, true, 0},
	} {
		var track []geom.Point
		for _, p := range c.track {
			track = append(track, at(t, p[0], p[1]))
		}
		ring, gap, open := closed(track)
		ok := open == ""
		if ok != c.ok || math.Abs(gap-c.gap) > 0.2 {
			t.Errorf("%s: closed %v over %.1f m", c.name, ok, gap)
		}
		if want := len(track) - map[bool]int{true: 1}[c.gap == 0]; ok && len(ring) != want {
			t.Errorf("%s: want %d corners, got %d", c.name, want, len(ring))
		}
		a := &Area{}
		if _, err := a.trackParts(track, 0); err != nil || len(a.Warnings) != map[bool]int{true: 0, false: 1}[ok && gap == 0] {
			t.Errorf("%s: warned of %q, %v", c.name, a.Warnings, err)
		}
	}
	// an open track is a capsule for each stretch; one that does not move is a circle
	a, b, c := at(t, 0, 0), at(t, 200, 0), at(t, 400, 0)
	for _, track := range []struct {
		points []geom.Point
		parts  int
	}{{[]geom.Point{a, b, c}, 2}, {[]geom.Point{a, a, b, b, c}, 2}, {[]geom.Point{a, a}, 1}, {[]geom.Point{a}, 1}} {
		if got := grown(track.points); len(got) != track.parts {
			t.Errorf("%d positions: want %d parts, got %d", len(track.points), track.parts, len(got))
		}
	}
	for n, want := range map[int]int{maxBuffered: 0, maxBuffered + 1: 413} {
		long := make([]geom.Point, n)
		for i := range long {
			long[i] = at(t, 30*float64(i%2), 40*float64(i))
		}
		if _, err := (&Area{}).trackParts(long, 0); status(t, err) != want {
			t.Errorf("an open track of %d positions: %v", n, err)
		}
	}
}

// What lies on the edges of Austria's box is read, what lies beyond is not; swapped axes are named.
func TestEdgesOfAustria(t *testing.T) {
	for _, c := range []struct {
		lon, lat float64
		say      string // "" is read
	}{
		{9, 46, ""}, {17.5, 49.2, ""}, {9, 49.2, ""}, {17.5, 46, ""},
		{8.9999999, 47, "Austria lies"}, {17.5000001, 47, "Austria lies"}, {13, 45.9999999, "Austria lies"},
		{13, 49.2000001, "Austria lies"},
		{47, 13, "swapped"},
	} {
		p, _ := geom.PointAt(c.lon, c.lat)
		for name, f := range map[string]Feature{"point": {Points: []geom.Point{p}}, "line": {Lines: [][]geom.Point{{p}}},
			"polygon": {Polygons: geom.MultiPolygon{{geom.Ring{p}}}}} {
			if err := f.inAustria(); (err == nil) != (c.say == "") || err != nil && !strings.Contains(err.Error(), c.say) {
				t.Errorf("%s at %g, %g: %v", name, c.lon, c.lat, err)
			}
		}
	}
	if err := (&Feature{}).inAustria(); err != nil {
		t.Errorf("a feature without geometry lies nowhere: %v", err)
	}
}

// The limits of an area, each at its bound and beside it.
func TestLimitsOfAnArea(t *testing.T) {
	box := func(w, h float64) []raster.Polygon {
		return []raster.Polygon{{{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}}}
	}
	zigzag := func(metres float64) []raster.Polygon { // a ring whose borders run so far north and south
		ring := []raster.XY{}
		for i := range 1000 {
			ring = append(ring, raster.XY{X: float64(i), Y: float64(i%2) * metres / 1000})
		}
		return []raster.Polygon{{ring}}
	}
	side := math.Sqrt(raster.MaxCells)
	for _, c := range []struct {
		name string
		a    Area
		say  string
	}{
		{"25 km²", Area{M2: MaxM2, Polygons: box(1, 1)}, ""},
		{"more", Area{M2: MaxM2 + 1, Polygons: box(1, 1)}, "25.000001 km²"},
		{"hardly more", Area{M2: MaxM2 + 0.1, Polygons: box(1, 1)}, "25.000000 km²"},
		{"much more", Area{M2: 30e6, Polygons: box(1, 1)}, "30.00 km²"},
		{"a hundredth more", Area{M2: 25.01e6, Polygons: box(1, 1)}, "25.01 km²"},
		{"far apart", Area{M2: 1, Polygons: box(side, side)}, ""},
		{"too far apart", Area{M2: 1, Polygons: box(side+1, side)}, "reaches over"},
		{"long borders", Area{M2: 1, Polygons: zigzag(maxBorders)}, ""},
		{"too long borders", Area{M2: 1, Polygons: zigzag(maxBorders + 1000)}, "borders"},
	} {
		if err := c.a.bounds(); (err == nil) != (c.say == "") || err != nil && (!strings.Contains(err.Error(), c.say) || status(t,
			err) != 413) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if got := northing(append(box(7, 5), box(1, 2)...)); got != 2*5+2*2 {
		t.Errorf("want 14 m to the north and back, got %g", got)
	}
	f := Feature{Polygons: squareAt(t, 0, 0, 100), Lines: [][]geom.Point{{at(t, -50, 0)}}, Points: []geom.Point{at(t, 0, 300)}}
	if b := f.reach(); math.Abs(b.East-b.West-150) > 0.1 || math.Abs(b.North-b.South-300) > 0.1 {
		t.Errorf("want the box of all geometries, 150 by 300 m, got %+v", b)
	}
}

// Features together may reach over 100 km², one over 50.
func TestReachOfFeatures(t *testing.T) {
	square := func(east, side float64) Feature { return Feature{Polygons: squareAt(t, east, 0, side)} }
	for _, c := range []struct {
		name     string
		features []Feature
		want     int
	}{
		{"49 km²", []Feature{square(0, 7000)}, 0},
		{"51.8 km²", []Feature{square(0, 7200)}, 413},
		{"98 km² together", []Feature{square(0, 7000), square(0, 7000)}, 0},
		{"147 km² together", []Feature{square(0, 7000), square(0, 7000), square(0, 7000)}, 413},
		{"points and nothing else", []Feature{{Points: []geom.Point{at(t, 0, 0)}}}, 0},
	} {
		if err := (&Area{}).each(t.Context(), c.features); status(t, err) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// However many parts there are their union is one area.
func TestUnionsOfManyParts(t *testing.T) {
	for _, n := range []int{0, 1, unitedAtOnce, unitedAtOnce + 1, 2*unitedAtOnce + 1} {
		var parts []geom.MultiPolygon
		for i := range n { // each covers half of the one before
			parts = append(parts, squareAt(t, 10*float64(i), 0, 20))
		}
		m, err := together(t.Context(), parts)
		want := 0.0
		if n > 0 {
			want = 20 * 10 * float64(n+1)
		}
		if got := m.Area(crs.EqualArea); err != nil || math.Abs(got-want) > 0.1+0.001*want || n > 0 && len(m) != 1 {
			t.Errorf("%d parts: want %.0f m², got %.1f in %d, %v", n, want, got, len(m), err)
		}
	}
	same := make([]geom.Point, maxBuffered)
	for i := range same {
		same[i] = at(t, 0, 0)
	}
	for n, want := range map[int]int{0: 0, 1: 413} {
		a := &Area{Features: []Feature{{Points: same}, {Points: same[:n]}}}
		if err := a.unite(t.Context()); status(t, err) != want || want == 0 && math.Abs(a.M2-31_214) > 5 {
			t.Errorf("%d points: %.0f m², %v", maxBuffered+n, a.M2, err)
		}
	}
}

// A line of a file encloses an area where it has four positions and ends where it began.
func TestLinesThatEnclose(t *testing.T) {
	a, b, c := at(t, 0, 0), at(t, 100, 0), at(t, 0, 100)
	for name, l := range map[string]struct {
		line []geom.Point
		want int
	}{"a triangle": {[]geom.Point{a, b, c, a}, 0}, "open": {[]geom.Point{a, b, c}, 400}, "open, of four": {[]geom.Point{a, b, c, b}, 400},
		"there and back": {[]geom.Point{a, b, a}, 400}} {
		area := &Area{Features: []Feature{{Lines: [][]geom.Point{l.line}}}}
		if err := area.unite(t.Context()); status(t, err) != l.want || l.want == 0 && math.Abs(area.M2-5000) > 1 {
			t.Errorf("%s: %.1f m², %v", name, area.M2, err)
		}
	}
	if got := opened([]geom.Point{a, b, a}); len(got) != 2 || len(opened([]geom.Point{a})) != 1 || len(opened(nil)) != 0 ||
		len(opened([]geom.Point{a, b})) != 2 {
		t.Errorf("a ring without its closing vertex: %v", got)
	}
}

// drawnText is what is read of a text: counts of polygons, rings, lines and points.
func drawnText(t testing.TB, body string) string {
	t.Helper()
	in := &reading{ctx: t.Context()}
	if err := in.body([]byte(body), 0); err != nil {
		return fmt.Sprint(status(t, err))
	}
	polygons, rings, lines, points := 0, 0, 0, 0
	for _, f := range in.features {
		for _, p := range f.Polygons {
			rings += len(p)
		}
		polygons, lines, points = polygons+len(f.Polygons), lines+len(f.Lines), points+len(f.Points)
	}
	return fmt.Sprintf("%d features, %d polygons of %d rings, %d lines, %d points", len(in.features), polygons, rings, lines, points)
}

// Well-known text in its spellings, and what is refused.
func TestWKTSpellings(t *testing.T) {
	const r = "(13.28 47.32, 13.29 47.32, 13.29 47.33, 13.28 47.32)"
	for text, want := range map[string]string{
		"POINT (13.28 47.32)":                                     "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"point(13.28 47.32)":                                      "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"POINT Z (13.28 47.32 500)":                               "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"POINTZM(13.28 47.32 500 1)":                              "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"POINT M (13.28 47.32 1)":                                 "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"POINT (13.28 47.32 500 1 2)":                             "400",
		"POINT (13.28)":                                           "400",
		"POINT 13.28 47.32":                                       "400",
		"POINT (13.28 47.32":                                      "400",
		"POINT (13.28 47.32))":                                    "400",
		"POINT (13.28 47.32) x":                                   "400",
		"POINT EMPTY":                                             "0 features, 0 polygons of 0 rings, 0 lines, 0 points",
		"MULTIPOINT (13.28 47.32, 13.29 47.33)":                   "1 features, 0 polygons of 0 rings, 0 lines, 2 points",
		"MULTIPOINT ((13.28 47.32), (13.29 47.33))":               "1 features, 0 polygons of 0 rings, 0 lines, 2 points",
		"LINESTRING (13.28 47.32, 13.29 47.33)":                   "1 features, 0 polygons of 0 rings, 1 lines, 0 points",
		"MULTILINESTRING ((13.28 47.32, 13.29 47.33), " + r + ")": "1 features, 0 polygons of 0 rings, 2 lines, 0 points",
		"POLYGON (" + r + ", " + r + ")":                          "1 features, 1 polygons of 2 rings, 0 lines, 0 points",
		"MULTIPOLYGON ((" + r + "), (" + r + "))":                 "1 features, 2 polygons of 2 rings, 0 lines, 0 points",
		"GEOMETRYCOLLECTION (POINT (13.28 47.32), POLYGON (" + r +
			"), LINESTRING EMPTY)": "2 features, 1 polygons of 1 rings, 0 lines, 1 points",
		"SRID=4326;POINT (13.28 47.32)":     "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"srid=31287; POINT (400000 400000)": "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"SRID=31287;POINT (400000)":         "400",
		"SRID=31287;POINT (400000 x)":       "400",
		"SRID=31287;POINT (x 400000)":       "400",
		"SRID=9999;POINT (13.28 47.32)":     "400",
		"CIRCLE (13.28 47.32)":              "400",
		strings.Repeat("GEOMETRYCOLLECTION(", 8) + "POINT EMPTY" + strings.Repeat(")",
			8): "0 features, 0 polygons of 0 rings, 0 lines, 0 points",
		strings.Repeat("GEOMETRYCOLLECTION(", 9) + "POINT EMPTY" + strings.Repeat(")", 9): "400",
		"13.28,47.32":                         "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"13.28,47.32;13.29,47.32":             "400",
		"13.28,47.32;13.29,47.32;13.29,47.33": "1 features, 1 polygons of 1 rings, 0 lines, 0 points",
		"13.28,47.32;13.29,47.32;13.28,47.32": "400", // the last closes it
		"13.28,47.32;13.28,47.32":             "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"13.28,47.32,500,1":                   "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"13.28,47.32,500,1,2":                 "400",
		"13.28":                               "400",
		"181,47":                              "400",
		"-":                                   "400",
		"+13.28,47.32":                        "1 features, 0 polygons of 0 rings, 0 lines, 1 points",
		"":                                    "400",
		"#":                                   "400",
	} {
		if got := drawnText(t, text); got != want {
			t.Errorf("%.60q: want %s, got %s", text, want, got)
		}
	}
}

// Texts in the encodings that programs write, and the places of errors in them.
func TestTextsOfPrograms(t *testing.T) {
	for in, want := range map[string]string{"plain": "plain", "\ufeffmarked": "marked", "\xff\xfea\x00b\x00": "ab",
		"\xfe\xff\x00a\x00b": "ab", "<\x00a\x00": "<a", "\x00<\x00a": "<a",
		"\xff\xfea\x00b": "a", "": ""} {
		if got := string(decoded([]byte(in))); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
	for at, want := range map[int64]string{-1: "line 1, column 1", 0: "line 1, column 1", 1: "line 1, column 2", 3: "line 2, column 1",
		5: "line 2, column 3", 6: "line 2, column 4", 99: "line 2, column 4"} {
		if got := placeOf([]byte("ab\ncde"), at); got != want {
			t.Errorf("byte %d: want %s, got %s", at, want, got)
		}
	}
	for name, want := range map[string]bool{"a.shp": false, "x/._a.shp": true, "._a.shp": true, "__MACOSX/a.shp": true, "x/a._shp": false} {
		if hidden(name) != want {
			t.Errorf("%s: hidden is not %v", name, want)
		}
	}
}

// Files of an archive may unpack to the limit that they share, and to no byte more.
func TestWhatAnArchiveUnpacksTo(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("a")
	if err == nil {
		_, err = w.Write(make([]byte, 100))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before, limit int64
		want          int
	}{{0, 100, 0}, {0, 99, 413}, {50, 150, 0}, {51, 150, 413}} {
		used := c.before
		content, err := unpack(r.File[0], &used, c.limit)
		if status(t, err) != c.want || c.want == 0 && (len(content) != 100 || used != c.before+100) {
			t.Errorf("%d of %d: %d bytes, %v", c.before, c.limit, len(content), err)
		}
	}
}

// Cells of a table are values of JSON by the kind of their column.
func TestCellValues(t *testing.T) {
	for _, c := range []struct {
		kind byte
		text string
		want any
	}{
		{'N', "12", json.Number("12")}, {'N', "", nil}, {'N', "+5", 5.0}, {'N', "x", "x"}, {'N', "NaN", "NaN"}, {'F', "1e5",
			json.Number("1e5")}, {'F', "Inf", "Inf"}, {'F', ".5", 0.5},
		{'L', "T", true}, {'L', "y", true}, {'L', "F", false}, {'L', "n", false}, {'L', "?", nil}, {'L', "x", "x"}, {'C', "12", "12"}, {'C',
			"T", "T"}, {'C', "", nil}, {'D', "20260101", "20260101"},
	} {
		if got := cellValue(c.kind, c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%c %q: want %v, got %v", c.kind, c.text, c.want, got)
		}
	}
}

// Of the properties of a KML 50 travel, and of each 1,000 bytes; without geometry there is no feature.
func TestPropertiesOfKML(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<kml><Placemark><name>` + strings.Repeat("x", 1500) + `</name><ExtendedData>`)
	for i := range 60 {
		fmt.Fprintf(&b, `<Data name="k%d"><value>v</value></Data>`, i)
	}
	b.WriteString(`</ExtendedData><Point><coordinates>13.28,47.32,500</coordinates></Point></Placemark>` +
		`<Placemark><name>nowhere</name></Placemark></kml>`)
	in := &reading{ctx: t.Context()}
	if err := in.body([]byte(b.String()), 0); err != nil || len(in.features) != 1 {
		t.Fatalf("%d features, %v", len(in.features), err)
	}
	var about map[string]string
	if err := json.Unmarshal(in.features[0].Properties, &about); err != nil || len(about) != maxProperties ||
		len(about["name"]) != maxText || about["k0"] != "v" || about["k48"] != "v" || about["k49"] != "" {
		t.Errorf("%d properties, %v", len(about), err)
	}
}

// The fields of a form that are no file are parameters, within their bounds.
func TestParametersOfAForm(t *testing.T) {
	for _, c := range []struct {
		name, text string
		before     int
		ok         bool
	}{
		{"a", "b", 0, true}, {"a", "b", maxParams - 1, true}, {"a", "b", maxParams, false}, {strings.Repeat("n", 64), "b", 0, true},
		{strings.Repeat("n", 65), "b", 0, false},
		{"a", strings.Repeat("t", 4096), 0, true}, {"a", strings.Repeat("t", 4097), 0, false},
	} {
		in := &reading{ctx: t.Context()}
		for i := range c.before {
			if err := in.param(fmt.Sprint(i), "x"); err != nil {
				t.Fatal(err)
			}
		}
		err := in.param(c.name, c.text)
		if (err == nil) != c.ok || c.ok && in.fields[c.name] != c.text {
			t.Errorf("%.20s of %d bytes as the %d.: %v", c.name, len(c.text), c.before+1, err)
		}
	}
}
