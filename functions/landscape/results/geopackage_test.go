package results

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/infra/oracles"
)

// described is what GDAL says of the file of a share.
func (r *harness) described(t *testing.T, target string) string {
	t.Helper()
	ogrinfo := oracles.Program(t, "ogrinfo")
	w := fixture.Ask(r, "GET", target, "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/geopackage+sqlite3" ||
		!strings.Contains(w.Header().Get("Content-Disposition"), ".gpkg") {
		t.Fatalf("%s: %d %v %.300s", target, w.Code, w.Header(), w.Body)
	}
	path := filepath.Join(t.TempDir(), "share.gpkg")
	if err := os.WriteFile(path, w.Body.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(ogrinfo, "-al", "-so", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	features, err := exec.Command(ogrinfo, "-al", "-q", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, features)
	}
	return string(out) + string(features)
}

// Features become layers by their geometry, with all of their properties, filtered by type and height, and with a style.
func TestFeaturesAsGeoPackage(t *testing.T) {
	r := open(t)
	id := r.ask(t, "", `{"n":1,"features":8}`)
	r.finish(t, id)
	base := "/api/v1/share/auto-" + id + "/download.gpkg"
	got := r.described(t, base)
	for _, want := range []string{"Layer name: sum_areas", "Layer name: sum_lines", "Layer name: sum_points",
		"Layer name: sum_without_place", "Layer name: layer_styles", "Geometry: Multi Line String",
		"type: String", "height_m: Real", "Name: String", "name_2: Real", "sure: Integer(Boolean)", "id: Real", `tags (String) = ["a"]`,
		"name_2 (Real) = 5.5", "SimpleLine", "SimpleMarker", "SimpleFill",
		"Results of analyses. CC BY 4.0, © made up", "POINT (13.0004 47.1)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "Feature Count: 2"); n != 4 {
		t.Errorf("%d layers of two features, expected 4 in\n%s", n, got)
	}
	if got := r.described(t, base+"?types=fir&height_min=3"); strings.Contains(got, "oak") || strings.Contains(got, "sum_areas") ||
		strings.Count(got, "type (String) = fir") != 3 {
		t.Errorf("filtered:\n%s", got) // features 3, 5 and 7
	}
	if got := r.described(t, base+"?types=beech"); !strings.Contains(got, "Layer name: sum_areas") ||
		strings.Contains(got, "OGRFeature(sum") {
		t.Errorf("no feature has the type:\n%s", got)
	}
	for _, bad := range []string{"?height_min=-1", "?height_min=x", "?height=3"} {
		if w := fixture.Ask(r, "GET", base+bad, ""); w.Code != 400 {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
}

// A result without features is its area with the figures as columns.
func TestFiguresAsGeoPackage(t *testing.T) {
	r := open(t)
	id := r.ask(t, "", `{"n":3}`)
	r.finish(t, id)
	got := r.described(t, "/api/v1/share/auto-"+id+"/download.gpkg")
	for _, want := range []string{"Layer name: sum_areas", "Feature Count: 1", "sum (Real) = 6", "about_n (Real) = 3",
		"MULTIPOLYGON (((13 47,13.1 47.0,13.1 47.1,13 47)))", "layer_styles"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}
