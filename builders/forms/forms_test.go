package forms

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

func write(t testing.TB) Files {
	t.Helper()
	f, err := Write(sample(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// all lists the forms with their file endings.
func (f Files) all() map[string][]byte {
	return map[string][]byte{"kgs": f.KGS, "parquet": f.GeoParquet, "geojson.gz": f.GeoJSON, "gpkg": f.GeoPackage, "pmtiles": f.PMTiles}
}

func TestSameSnapshotSameBytes(t *testing.T) {
	one := write(t)
	for name, b := range write(t).all() {
		if len(b) == 0 || !bytes.Equal(b, one.all()[name]) {
			t.Errorf("%s: %d bytes differ between two runs", name, len(b))
		}
	}
}

// ogrinfo reads the GeoPackage and the GeoJSON: an independent reader.
func TestOgrinfoReadsTheForms(t *testing.T) {
	tool := oracles.Program(t, "ogrinfo")
	dir, f := t.TempDir(), write(t)
	for _, c := range []struct {
		name, file string
		args       []string
		body       []byte
		want       []string
	}{
		{"gpkg layers", "kg.gpkg", []string{"-so", "-al"}, f.GeoPackage, []string{
			"Layer name: parcels", "Layer name: buildings", "Layer name: building_footprints", "Layer name: labels",
			"Layer name: landuse_polygons", "Layer name: landuse_points",
			"Geometry: Multi Polygon", "Feature Count: 4", "Feature Count: 3", "WGS 84", "CC BY 4.0"}},
		{"gpkg row", "kg.gpkg", []string{"-where", "parcel_id='99901-123/4'", "parcels"}, f.GeoPackage, []string{
			"area_sqm (Real) = 112.09", "ez (Integer64) = (null)", "shape_class (String) = strip",
			"MULTIPOLYGON (((15.604 48.4,15.605 48.4,15.605 48.401,15.604 48.401,15.604 48.4)),("}},
		{"geojson", "kg.geojson", []string{"-al", "-where", "parcel_id='99901-1'"}, gunzip(t, f.GeoJSON), []string{
			"POLYGON ((15.6 48.4,15.603 48.4,15.603 48.403,15.6 48.403,15.6 48.4),(15.6005 48.4005", "area_sqm (Real) = 600.25",
			`full_address": "Weg \"am <Bach>\" & Söhne 5a, 3500 Krems`}},
	} {
		path := filepath.Join(dir, c.file)
		if err := os.WriteFile(path, c.body, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, append([]string{"-ro", path}, c.args...)...).CombinedOutput()
		if err != nil || strings.Contains(string(out), "Warning") || strings.Contains(string(out), "ERROR") {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: ogrinfo does not say %q:\n%s", c.name, want, out)
			}
		}
	}
}

func gunzip(t testing.TB, b []byte) []byte {
	t.Helper()
	text, err := unzip(b)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
