package drawn

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math"
	"mime/multipart"
	"strings"
	"testing"

	"mappe/shared/web/fault"
)

// The square that the forms below say: 0.01 by 0.01 degrees at 13.28, 47.32.
const (
	ring   = `[[13.28,47.32],[13.29,47.32],[13.29,47.33],[13.28,47.33],[13.28,47.32]]`
	lines  = "13.28,47.32 13.29,47.32 13.29,47.33 13.28,47.33 13.28,47.32"
	wktRow = "(13.28 47.32, 13.29 47.32, 13.29 47.33, 13.28 47.33, 13.28 47.32)"
	square = 840_600.0 // m², about
)

func polygon(rings ...string) string {
	return `{"type":"Polygon","coordinates":[` + strings.Join(rings, ",") + `]}`
}

// uploaded is a form with a file.
func uploaded(t *testing.T, name, content string, fields ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>
` + "13.28,47.32,0\n13.29,47.32,0 13.29,47.33,0 13.28,47.33,0 13.28,47.32,0" +
		`</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`
	gpx = `<gpx><trk><trkseg><trkpt lat="47.32" lon="13.28"/><trkpt lat="47.32" lon="13.29"/><trkpt lat="47.33" lon="13.29"/><trkpt lat="47.33" lon="13.28"/><trkpt lat="47.32" lon="13.28"/></trkseg></trk></gpx>`
)

// Each form of the same square is the same area.
func TestForms(t *testing.T) {
	for name, body := range map[string]string{
		"geometry": polygon(ring),
		"feature":  `{"type":"Feature","properties":{"a":1},"geometry":` + polygon(ring) + `}`,
		"collection": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":` +
			polygon(ring) + `}]}`,
		"geometry and params":     `{"geometry":` + polygon(ring) + `,"params":{"dataset":"20240915"}}`,
		"geometry as a text":      `{"geometry":"` + "POLYGON (" + wktRow + ")" + `"}`,
		"multipolygon":            `{"type":"MultiPolygon","coordinates":[[` + ring + `]]}`,
		"a closed line":           `{"type":"LineString","coordinates":` + ring + `}`,
		"coordinates":             strings.ReplaceAll(lines, " ", ";"),
		"coordinates, not closed": "13.28,47.32; 13.29,47.32; 13.29,47.33; 13.28,47.33;",
		"KML":                     kml,
		"KML without a namespace": strings.Replace(kml, ` xmlns="http://www.opengis.net/kml/2.2"`, "", 1),
		"GPX":                     gpx,
		"WKT":                     "POLYGON (" + wktRow + ")",
		"WKT with SRID, small":    "srid=4326;polygon(" + wktRow + ")",
		"WKT multipolygon":        "MULTIPOLYGON ((" + wktRow + "))",
		"WKT of three dimensions": "POLYGON Z ((13.28 47.32 5, 13.29 47.32 5, 13.29 47.33 5, 13.28 47.33 5, 13.28 47.32 5))",
		"WKT collection":          "GEOMETRYCOLLECTION (POLYGON (" + wktRow + "), POINT EMPTY)",
		"KMZ":                     zipped(t, "doc.kml", kml),
		"file of a form":          uploaded(t, "a.geojson", polygon(ring), "dataset", "20240915"),
		"KMZ of a form":           uploaded(t, "a.kmz", zipped(t, "doc.kml", kml)),
		"byte-order mark":         "\ufeff" + polygon(ring),
		"the same feature twice":  `{"type":"FeatureCollection","features":[` + polygon(ring) + `,` + polygon(ring) + `]}`,
		"two halves that overlap": `{"type":"FeatureCollection","features":[` +
			polygon(`[[13.28,47.32],[13.286,47.32],[13.286,47.33],[13.28,47.33],[13.28,47.32]]`) + `,` +
			polygon(`[[13.284,47.32],[13.29,47.32],[13.29,47.33],[13.284,47.33],[13.284,47.32]]`) + `]}`,
		"two halves, side by side": "MULTIPOLYGON (((13.28 47.32, 13.285 47.32, 13.285 47.33, 13.28 47.33, 13.28 47.32)), ((13.285 47.32, 13.29 47.32, 13.29 47.33, 13.285 47.33, 13.285 47.32)))",
	} {
		a, err := Parse(t.Context(), []byte(body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(a.M2-square) > 1500 {
			t.Errorf("%s: %.0f m², expected about %.0f", name, a.M2, square)
		}
		if len(a.Polygons) != 1 || a.Repaired != (name == "two halves, side by side") && a.Repaired {
			t.Errorf("%s: %d polygons, repaired %v: %v", name, len(a.Polygons), a.Repaired, a.Warnings)
		}
		if strings.Contains(body, "20240915") != (string(a.Params["dataset"]) == `"20240915"` || a.Fields["dataset"] == "20240915") {
			t.Errorf("%s: params %v", name, a.Params)
		}
	}
}

// A point is a circle of 100 m.
func TestPointsAreBuffered(t *testing.T) {
	for _, body := range []string{"13.28,47.32", `{"type":"Point","coordinates":[13.28,47.32]}`, "POINT (13.28 47.32)",
		`<gpx><wpt lat="47.32" lon="13.28"/></gpx>`,
		"<kml><Placemark><Point><coordinates>13.28,47.32</coordinates></Point></Placemark></kml>",
		"MULTIPOINT ((13.28 47.32), (13.28 47.32))", "MULTIPOINT (13.28 47.32, 13.28 47.32)"} {
		a, err := Parse(t.Context(), []byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		b := a.Box()
		if want := math.Pi * 1e4 * 0.9936; math.Abs(a.M2-want) > 20 || math.Abs(b.East-b.West-200) > 0.5 {
			t.Errorf("%s: %.0f m², %.1f m wide", body, a.M2, b.East-b.West)
		}
	}
}

// What is not valid is rebuilt by the even-odd rule inside a feature, and said so.
func TestRepairs(t *testing.T) {
	hole := `[[13.284,47.324],[13.286,47.324],[13.286,47.326],[13.284,47.326],[13.284,47.324]]`
	for name, c := range map[string]struct {
		body  string
		share float64 // of the square
		parts int
	}{
		"a bow tie":                        {polygon(`[[13.28,47.32],[13.29,47.33],[13.29,47.32],[13.28,47.33],[13.28,47.32]]`), 0.5, 2},
		"a hole as a part of its own":      {`{"type":"MultiPolygon","coordinates":[[` + ring + `],[` + hole + `]]}`, 0.96, 1},
		"a hole before the ring around it": {polygon(hole, ring), 0.96, 1},
	} {
		a, err := Parse(t.Context(), []byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := a.M2 / square; math.Abs(got-c.share) > 0.005 || len(a.Geometry) != c.parts || !a.Repaired || len(a.Warnings) == 0 {
			t.Errorf("%s: %.3f of the square in %d parts, repaired %v %v", name, got, len(a.Geometry), a.Repaired, a.Warnings)
		}
		if f := a.Geometry.Validate(); f != nil {
			t.Errorf("%s: %v", name, f)
		}
	}
	// Two features are united, one is not taken out of the other.
	a, err := Parse(t.Context(), []byte(`{"type":"FeatureCollection","features":[`+polygon(ring)+`,`+polygon(hole)+`]}`))
	if err != nil || math.Abs(a.M2/square-1) > 0.005 || a.Repaired {
		t.Errorf("two features: %v, %+v", err, a)
	}
}

func TestBadInput(t *testing.T) {
	circle := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%.7f,%.7f;", 13.28+0.004*math.Cos(2*math.Pi*float64(i)/float64(n)),
				47.32+0.004*math.Sin(2*math.Pi*float64(i)/float64(n)))
		}
		return b.String()
	}
	if _, err := Parse(t.Context(), []byte(circle(1000))); err != nil {
		t.Errorf("1,000 vertices: %v", err)
	}
	for name, c := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"empty":                  {"  ", 400, "empty"},
		"no form":                {"\x00\x01", 400, "GeoJSON"},
		"words":                  {"hello there", 400, "WKT"},
		"JSON that ends early":   {`{"type":"Polygon"`, 400, "no JSON"},
		"JSON of something else": {`{"a":1}`, 400, "geometry"},
		"geometry twice":         {`{"geometry":null,"geometry":` + polygon(ring) + `}`, 400, "geometry is given more than once"},
		"GEOMETRY":               {`{"GEOMETRY":` + polygon(ring) + `}`, 400, "geometry"},
		"parms beside geometry":  {`{"geometry":` + polygon(ring) + `,"parms":{}}`, 400, "did you mean params?"},
		"a parameter twice": {`{"geometry":` + polygon(ring) + `,"params":{"dataset":"20240915","dataset":"20230915"}}`, 400,
			"params.dataset is given more than once"},
		"features twice": {`{"type":"FeatureCollection","features":[],"features":[` + polygon(ring) + `]}`, 400,
			"features is given more than once"},
		"an array":                    {`[1,2]`, 400, "GeoJSON"},
		"no features":                 {`{"type":"FeatureCollection","features":[]}`, 400, "at least one"},
		"geometry null":               {`{"type":"Feature","properties":{},"geometry":null}`, 400, "rings"},
		"swapped axes":                {"47.32,13.28;47.33,13.28;47.33,13.29", 400, "axes look swapped"},
		"elsewhere":                   {"2.35,48.85", 400, "Austria lies"},
		"a position out of the world": {"13.28,99;13,98;12,97", 400, "13.28,99"},
		"an open line":                {`{"type":"LineString","coordinates":[[13.28,47.32],[13.29,47.32]]}`, 400, "open line"},
		"two coordinates":             {"13.28,47.32;13.29,47.33", 400, "two coordinates"},
		"no area":                     {"13.28,47.32;13.29,47.32;13.28,47.32;13.29,47.32", 400, "area"},
		"26 km²":                      {"13.0,47.0;13.0675,47.0;13.0675,47.0459;13.0,47.0459", 413, "at most 25 km²"},
		"two places far apart":        {`{"type":"MultiPoint","coordinates":[[9.8,47.2],[16.4,48.2]]}`, 413, "one by one"},
		"100,001 vertices":            {circle(100_001), 413, "100000 vertices"},
		"GeoPackage":                  {"SQLite format 3\x00....", 400, "shorter than its head"},
		"shapefile":                   {zipped(t, "a.shp", "x"), 400, "shp: the file ends too early"},
		"an archive of pictures":      {zipped(t, "a.png", "x"), 400, "holds no shapefile, KML"},
		"an archive that ends early":  {zipped(t, "doc.kml", kml)[:60], 400, "archive"},
		"an archive in an archive":    {zipped(t, "a.kml", zipped(t, "b.kml", zipped(t, "c.kml", kml))), 400, "files within files"},
		"a page":                      {"<html><body>404</body></html>", 400, "neither KML nor GPX"},
		"XML that ends early":         {kml[:200], 400, ""},
		"a form without a file":       {"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n", 400, "no file"},
		"another SRID":                {"SRID=2154;POLYGON (" + wktRow + ")", 400, "EPSG"},
		"WKT that ends early":         {"POLYGON ((13.28 47.32, 13.29", 400, ""},
		"WKT with something behind":   {"POINT (13.28 47.32) x", 400, "goes on with"},
		"WKT without brackets":        {"POLYGON 13 47", 400, "goes on with"},
		"deep WKT": {strings.Repeat("GEOMETRYCOLLECTION (", 20) + "POINT (13.28 47.32)" + strings.Repeat(")", 20), 400,
			""},
	} {
		_, err := Parse(t.Context(), []byte(c.body))
		var f *fault.Fault
		if !errors.As(err, &f) || f.Status() != c.status || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %d with %q", name, err, c.status, c.want)
		}
	}
}

// A small archive that unpacks to much is refused without unpacking it.
func TestAnArchiveThatGrows(t *testing.T) {
	bomb := zipped(t, "doc.kml", "<kml>"+strings.Repeat(" ", MaxBytes+1)+"</kml>")
	var f *fault.Fault
	if _, err := Parse(t.Context(), []byte(bomb)); !errors.As(err, &f) || f.Status() != 413 {
		t.Errorf("%d bytes: %v", len(bomb), err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{polygon(ring), kml, gpx, "POLYGON (" + wktRow + ")", "13.28,47.32", "--x\r\n\r\n\r\n--x--",
		`{"geometry":"13.28,47.32","params":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Parse(t.Context(), b)
		if err != nil {
			var fa *fault.Fault
			if !errors.As(err, &fa) {
				t.Errorf("%v is no answer", err)
			}
			return
		}
		if a.M2 <= 0 || a.M2 > MaxM2 || a.Geometry.Validate() != nil {
			t.Errorf("%g m² of %v", a.M2, a.Geometry)
		}
	})
}
