package spatial

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// A polygon finds the same parcels in whatever form it is sent; several polygons of a file are a batch.
func TestPolygonsOfFiles(t *testing.T) {
	h := world(t)
	ring := func(x0, y0, x1, y1 float64) []string {
		var out []string
		for _, p := range append(fixture.Rect(x0, y0, x1, y1), fixture.At(x0, y0)) {
			out = append(out, fmt.Sprintf("%.7f %.7f", p.Lon(), p.Lat()))
		}
		return out
	}
	square := ring(0.2, 0.2, 3.8, 1.8)
	commas := make([]string, len(square))
	for i, p := range square {
		commas[i] = strings.Replace(p, " ", ",", 1)
	}
	geojson := `{"type":"Polygon","coordinates":[[[` + strings.Join(commas, "],[") + `]]]}`
	want := readList(t, call(h, "POST", "/api/v1/spatial/polygon?limit=100", geojson)).ids("parcel_id")
	if strings.Count(want, "88801-") < 2 {
		t.Fatalf("the square finds %q", want)
	}
	kml := `<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>` + strings.Join(commas,
		" ") + `</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`
	var kmz bytes.Buffer
	z := zip.NewWriter(&kmz)
	f, err := z.Create("doc.kml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(kml)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	forms := map[string]string{
		"KML": kml, "KMZ": kmz.String(),
		"WKT":         "POLYGON ((" + strings.Join(square, ", ") + "))",
		"coordinates": strings.Join(commas, ";"),
		"a form":      "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.kml\"\r\n\r\n" + kml + "\r\n--x--",
	}
	for form, body := range forms {
		if got := readList(t, call(h, "POST", "/api/v1/spatial/polygon?limit=100", body)).ids("parcel_id"); got != want {
			t.Errorf("%s: found %s, expected %s", form, got, want)
		}
	}
	file := `<kml><Document>` + strings.TrimSuffix(strings.TrimPrefix(kml, "<kml>"), "</kml>") + strings.TrimSuffix(strings.TrimPrefix(kml,
		"<kml>"), "</kml>") + `</Document></kml>`
	if w := call(h, "POST", "/api/v1/spatial/polygon", file); w.Code != 200 || strings.Count(w.Body.String(), `"id":`) != 2 ||
		!strings.Contains(w.Body.String(), `"polygon_count":2`) {
		t.Errorf("two placemarks: %d %.300s", w.Code, w.Body)
	}
	// A track, grown by 5 m, finds what it touches.
	gpx := `<gpx><trk><trkseg>`
	for _, p := range []string{square[0], square[1]} {
		lon, lat, _ := strings.Cut(p, " ")
		gpx += `<trkpt lon="` + lon + `" lat="` + lat + `"/>`
	}
	gpx += `</trkseg></trk></gpx>`
	line := `{"type":"LineString","coordinates":[[` + commas[0] + `],[` + commas[1] + `]]}`
	along := readList(t, call(h, "POST", "/api/v1/spatial/polygon?buffer=5&limit=100", line)).ids("parcel_id")
	if got := readList(t, call(h, "POST", "/api/v1/spatial/polygon?buffer=5&limit=100", gpx)).ids("parcel_id"); got != along || got == "" {
		t.Errorf("a track finds %q, the line %q", got, along)
	}
	for body, say := range map[string]string{"<kml></kml>": "at least one feature", "POLYGON ((1 2": "well-known text",
		"PK\x03\x04": "archive"} {
		if w := call(h, "POST", "/api/v1/spatial/polygon", body); w.Code != 400 || !strings.Contains(w.Body.String(), say) {
			t.Errorf("%q: %d %.200s, expected 400 with %q", body, w.Code, w.Body, say)
		}
	}
}
