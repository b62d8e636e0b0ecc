package drawn

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// wide is a text in UTF-16.
func wide(text string, order binary.ByteOrder, mark bool) string {
	var b bytes.Buffer
	if mark {
		text = "\ufeff" + text
	}
	for _, u := range utf16.Encode([]rune(text)) {
		_ = binary.Write(&b, order, u)
	}
	return b.String()
}

// square31287 is the square as GeoJSON of 2008 in EPSG:31287.
func in31287() string {
	var list []string
	for _, p := range [][2]float64{{13.28, 47.32}, {13.29, 47.32}, {13.29, 47.33}, {13.28, 47.33}, {13.28, 47.32}} {
		x, y := crs.LambertMGI.Forward(p[0], p[1])
		list = append(list, fmt.Sprintf("[%.4f,%.4f]", x, y))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// Areas as others write them are the square.
func TestFormsOfStrangers(t *testing.T) {
	old := `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::31287"}}`
	latin := strings.Replace(strings.Replace(kml, `version="1.0"`, `version="1.0" encoding="ISO-8859-1"`, 1), "<Placemark>",
		"<Placemark><name>M\xfchlgrund</name>", 1)
	utf := strings.Replace(kml, `version="1.0"`, `version="1.0" encoding="UTF-16"`, 1)
	track := `<kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track><when>2024</when><gx:coord>13.28 47.32 500</gx:coord><gx:coord>13.29 47.32 500</gx:coord><gx:coord>13.29 47.33 500</gx:coord><gx:coord>13.28 47.33 500</gx:coord><gx:coord>13.28 47.32 500</gx:coord></gx:Track></Placemark></kml>`
	feature := `{"type":"Feature","properties":{"a":1},"geometry":` + polygon(ring) + `}`
	for name, body := range map[string]string{
		"KML in ISO-8859-1":            latin,
		"KML in UTF-16":                wide(utf, binary.LittleEndian, true),
		"KML in UTF-16, big-endian":    wide(utf, binary.BigEndian, true),
		"KML in UTF-16 without a mark": wide(utf, binary.LittleEndian, false),
		"GeoJSON in UTF-16":            wide(polygon(ring), binary.LittleEndian, true),
		"GeoJSON of 2008, collection": `{"type":"FeatureCollection",` + old +
			`,"features":[{"type":"Feature","properties":{},"geometry":` + polygon(in31287()) + `}]}`,
		"GeoJSON of 2008, geometry": `{"type":"Polygon",` + old + `,"coordinates":[` + in31287() + `]}`,
		"GeoJSON of 2008, CRS84":    `{"type":"Polygon","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"coordinates":[` + ring + `]}`,
		"EWKT": "SRID=31287;POLYGON((" + strings.NewReplacer("[[", "", "]]", "", "],[", ";", ",",
			" ").Replace(in31287()) + "))",
		"gx:Track":                       track,
		"a sequence with lines":          feature + "\n" + feature + "\n",
		"a sequence with separators":     "\x1e" + feature + "\n\x1e" + feature + "\n",
		"an archive with a style beside": packed(t, "a.geojson", feature, "style.json", `{"version":8}`, "list.json", `[1,2]`),
		"a MultiGeometry of the same twice": strings.Replace(strings.Replace(kml, "<Polygon>", "<MultiGeometry><Polygon>", 1), "</Polygon>",
			"</Polygon>"+
				"<Polygon><outerBoundaryIs><LinearRing><coordinates>"+lines+
				"</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry>", 1),
		"a GeoJSON collection of the same twice": `{"type":"GeometryCollection","geometries":[` + polygon(ring) + `,` + polygon(ring) +
			`]}`,
	} {
		if name == "EWKT" {
			body = strings.ReplaceAll(body, ";", ",")
			body = strings.Replace(body, ",", ";", 1)
		}
		a, err := Parse(t.Context(), []byte(body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(a.M2-square) > 1500 || len(a.Polygons) != 1 {
			t.Errorf("%s: %.0f m² in %d parts, expected about %.0f", name, a.M2, len(a.Polygons), square)
		}
	}
}

// The geometries of a collection are united, whatever the form; the even-odd rule holds within each.
func TestCollectionsAreUnions(t *testing.T) {
	west, east := `[[13.28,47.32],[13.286,47.32],[13.286,47.33],[13.28,47.33],[13.28,47.32]]`,
		`[[13.284,47.32],[13.29,47.32],[13.29,47.33],[13.284,47.33],[13.284,47.32]]`
	geo := `{"type":"GeometryCollection","geometries":[` + polygon(west) + `,` + polygon(east) + `]}`
	bow := `{"type":"GeometryCollection","geometries":[` +
		polygon(`[[13.28,47.32],[13.29,47.33],[13.29,47.32],[13.28,47.33],[13.28,47.32]]`) +
		`,{"type":"Point","coordinates":[13.285,47.325]}]}`
	for name, c := range map[string]struct {
		body  []byte
		share float64
	}{
		"GeoJSON":    {[]byte(geo), 1},
		"a feature":  {[]byte(`{"type":"Feature","properties":{},"geometry":` + geo + `}`), 1},
		"GeoPackage": {gpkg(t, `{"type":"Feature","properties":{},"geometry":`+geo+`}`), 1},
		"a bow tie":  {[]byte(bow), 0.5 + 1e4*math.Pi/square/2},
	} {
		a, err := Parse(t.Context(), c.body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := a.M2 / square; math.Abs(got-c.share) > 0.01 {
			t.Errorf("%s: %.3f of the square, expected %.3f", name, got, c.share)
		}
		list, err := Features(t.Context(), c.body)
		if err != nil || len(list.Features) != 1 {
			t.Errorf("%s: %v, %+v", name, err, list)
		}
	}
}

// A recorded track is closed over a gap of 25 m, or of 2 % of its length, and this is said; else, and where it encloses nothing, it is
// a line with 100 m on either side.
func TestTracks(t *testing.T) {
	gpxOf := func(points ...[2]float64) string {
		var b strings.Builder
		for _, p := range points {
			fmt.Fprintf(&b, `<trkpt lat="%.7f" lon="%.7f"/>`, p[1], p[0])
		}
		return "<gpx><trk><name>Runde</name><trkseg>" + b.String() + "</trkseg></trk></gpx>"
	}
	round := [][2]float64{{13.28, 47.32}, {13.29, 47.32}, {13.29, 47.33}, {13.28, 47.33}}
	near := append(append([][2]float64{}, round...), [2]float64{13.28, 47.32018}) // 20 m
	share := append(append([][2]float64{}, round...), [2]float64{13.28, 47.3205}) // 55 m of 3.7 km
	for name, c := range map[string]struct {
		body  string
		m2    float64
		warns string
	}{
		"20 m": {gpxOf(near...), square, "closed over a gap of 20"}, "1.5 %": {gpxOf(share...), square, "closed over a gap of 55"},
		"a kilometre": {gpxOf(round...), 2623*200 + math.Pi*1e4 - 2*(4-math.Pi)*1e4/4, "a line with 100 m on either side"},
		"two places":  {gpxOf(round[:2]...), 755*200 + math.Pi*1e4, "a line with 100 m on either side"},
		"there and back": {gpxOf(round[0], round[1], round[2], round[1], round[0]), (755+1112)*200 + math.Pi*1e4 - (4-math.Pi)*1e4/4,
			"the track encloses no area: it is a line with 100 m on either side"},
		"there and not quite back": {gpxOf(round[0], round[1], [2]float64{13.28001, 47.32}), 755*200 + math.Pi*1e4, "encloses no area"},
		"not moved":                {gpxOf(round[0], round[0], round[0], round[0]), math.Pi * 1e4, "encloses no area"},
	} {
		a, err := Parse(t.Context(), []byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(a.M2/c.m2-1) > 0.02 || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], c.warns) {
			t.Errorf("%s: %.0f m², expected about %.0f; %v", name, a.M2, c.m2, a.Warnings)
		}
	}
	// A line that was drawn is not an area.
	if _, err := Parse(t.Context(),
		[]byte(`{"type":"LineString","coordinates":[[13.28,47.32],[13.29,47.32],[13.29,47.33],[13.28,47.32001]]}`)); err == nil {
		t.Error("an open line became an area")
	}
}

// Points beside polygons are told of.
func TestPointsBesidePolygons(t *testing.T) {
	a, err := Parse(t.Context(), []byte("GEOMETRYCOLLECTION (POLYGON ("+wktRow+"), POINT (13.3 47.33), POINT (13.31 47.33))"))
	if err != nil || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "2 points") {
		t.Errorf("%v %+v", err, a)
	}
}

// Names and attributes travel with the features.
func TestAttributesTravel(t *testing.T) {
	named := strings.Replace(kml, "<Placemark>",
		`<Placemark><name>Mühlgrund</name><description>am Bach</description><ExtendedData><Data name="n"><value>7</value></Data></ExtendedData>`, 1)
	source := `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Mühlgrund","n":7,"share":0.5},"geometry":` +
		polygon(ring) + `}]}`
	shp := filepath.Join(t.TempDir(), "a.shz")
	written(t, source, shp, "-f", "ESRI Shapefile", "-lco", "ENCODING=UTF-8")
	shape, err := os.ReadFile(shp)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body []byte
		want map[string]any
	}{
		"KML": {[]byte(named), map[string]any{"name": "Mühlgrund", "description": "am Bach", "n": "7"}},
		"GPX": {[]byte(strings.Replace(gpx, "<trk>", "<trk><name>Runde</name><desc>x</desc>", 1)),
			map[string]any{"name": "Runde", "desc": "x"}},
		"a waypoint": {[]byte(`<gpx><wpt lat="47.32" lon="13.28"><ele>500</ele><name>Gipfel</name></wpt></gpx>`),
			map[string]any{"name": "Gipfel"}},
		"shapefile":  {shape, map[string]any{"name": "Mühlgrund", "n": 7.0, "share": 0.5}},
		"GeoPackage": {gpkg(t, source), map[string]any{"name": "Mühlgrund", "n": 7.0, "share": 0.5}},
	} {
		list, err := Features(t.Context(), c.body)
		if err != nil || len(list.Features) != 1 {
			t.Errorf("%s: %v %+v", name, err, list)
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(list.Features[0].Properties, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v %v, expected %v", name, err, got, c.want)
		}
	}
}

// A GeoPackage in an archive is read; of one with a view the tables are, and the view is named.
func TestGeoPackagesWithViewsAndInArchives(t *testing.T) {
	file := filepath.Join(t.TempDir(), "view.gpkg")
	written(t, drawn, file, "-f", "GPKG", "-nln", "land")
	for _, sql := range []string{"CREATE VIEW seen AS SELECT fid, geom FROM land",
		"INSERT INTO gpkg_contents (table_name, identifier, data_type, srs_id) VALUES ('seen', 'seen', 'features', 4326)",
		"INSERT INTO gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id, z, m) VALUES ('seen', 'geom', 'GEOMETRY', 4326, 0, 0)"} {
		if out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-q", file, "-sql", sql).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", sql, err, out)
		}
	}
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Parse(t.Context(), gpkg(t, drawn))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"body": body, "archive": []byte(packed(t, "a/view.gpkg", body, "readme.txt", "x"))} {
		a, err := Parse(t.Context(), b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(a.M2-want.M2) > 1 || len(a.Warnings) == 0 || !strings.Contains(fmt.Sprint(a.Warnings), `"seen"`) {
			t.Errorf("%s: %.0f m², expected %.0f; %v", name, a.M2, want.M2, a.Warnings)
		}
	}
}

// circleOf is a ring of so many vertices, closed.
func circleOf(n int) string {
	var b strings.Builder
	for i := range n + 1 {
		k := i % n
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%.7f,%.7f]", 13.28+0.015*math.Cos(2*math.Pi*float64(k)/float64(n)),
			47.32+0.01*math.Sin(2*math.Pi*float64(k)/float64(n)))
	}
	return "[" + b.String() + "]"
}

// A ring of as many vertices as are taken is taken with the vertex that closes it.
func TestTheClosingVertexIsNotCounted(t *testing.T) {
	in := &reading{ctx: t.Context()}
	if err := in.body([]byte(polygon(circleOf(maxVertices))), 0); err != nil || in.vertices != maxVertices {
		t.Errorf("%d vertices: %v", in.vertices, err)
	}
	in = &reading{ctx: t.Context()}
	if err := in.body([]byte(polygon(circleOf(maxVertices+1))), 0); err == nil || !strings.Contains(err.Error(), "100000 vertices") {
		t.Errorf("one more: %v", err)
	}
}

// What a text costs grows as the text does: nothing is looked at again for each member of a collection, and members
// without positions are counted too.
func TestManyMembers(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"empty points": {"GEOMETRYCOLLECTION(" + strings.Repeat("POINT EMPTY, ", 280_000) + "POINT (13.28 47.32))",
			"with the empty ones"},
		"a point beside": {"GEOMETRYCOLLECTION(" + strings.Repeat("POINT EMPTY, ", 15_000) + "POINT (13.28 47.32))", ""},
		"points":         {"MULTIPOINT(" + strings.Repeat("13.28 47.32,", 99_998) + "13.28 47.32)", "more than 1000 points"},
		"one long word":  {strings.Repeat("A", MaxBytes), "begins with"},
	} {
		began := time.Now()
		_, err := Parse(t.Context(), []byte(c.body))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
		t.Logf("%s: %v", name, time.Since(began))
	}
}

// A client that leaves ends the reading.
func TestAClientThatLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	for name, body := range map[string]string{"WKT": "POINT (13.28 47.32)", "GeoJSON": polygon(ring), "KML": kml,
		"coordinates": "13.28,47.32"} {
		if _, err := Parse(ctx, []byte(body)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := late(t.Context(), context.DeadlineExceeded); fault.From(err).Status() != 400 {
		t.Errorf("out of time: %v", err)
	}
	if _, err := together(ctx, []geom.MultiPolygon{circle(geom.Point{X: 132800000, Y: 473200000})}); !errors.Is(err, context.Canceled) {
		t.Errorf("union: %v", err)
	}
}

// Errors say where they are, and limits are told apart from what is above them.
func TestPlacesOfErrors(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"JSON":                 {"{\"type\":\"Polygon\",\n \"coordinates\": [[[13,47],]]}", "line 2, column 27"},
		"JSON that ends early": {"{\"type\":\n\"Polygon\"", "line 2, column 10"},
		"JSON of other types":  {`{"type":"FeatureCollection","features":7}`, "features"},
		"a system": {`{"type":"Polygon","crs":{"type":"name","properties":{"name":"EPSG:2154"}},"coordinates":[` + ring + `]}`,
			"crs: coordinate reference system"},
		"XML":                  {"<kml>\n<Placemark>\n<a <b></kml>", "line 3"},
		"an encoding":          {`<?xml version="1.0" encoding="EBCDIC"?><kml/>`, "ebcdic"},
		"a file of an archive": {packed(t, "x/feld.geojson", `{"type":"Polygon","coordinates":[]}`), `"x/feld.geojson" in the archive`},
		"a hair above 25 km²":  {"13.0,47.0;13.06586,47.0;13.06586,47.045;13.0,47.045", "25.0"},
	} {
		_, err := Parse(t.Context(), []byte(c.body))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
	if err := (&Area{M2: MaxM2 + 312}).bounds(); err == nil || !strings.Contains(err.Error(), "25.0003 km²") {
		t.Errorf("312 m² too large: %v", err)
	}
	// A comb of 600 teeth of 5 km is an area of 15 km² whose border has 6,000 km.
	var comb strings.Builder
	for i := range 600 {
		x := 13.2 + float64(i)*1e-4
		fmt.Fprintf(&comb, "%.7f,47.3;%.7f,47.345;%.7f,47.345;%.7f,47.3;", x, x, x+5e-5, x+5e-5)
	}
	if _, err := Parse(t.Context(), []byte(comb.String()+"13.26,47.299;13.2,47.299")); err == nil ||
		!strings.Contains(err.Error(), "borders") {
		t.Errorf("a comb: %v", err)
	}
}
