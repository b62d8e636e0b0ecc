package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/flatgeobuf"
)

// feature is a feature as GDAL writes it.
type gdalFeature struct {
	Properties map[string]any
	Geometry   *struct {
		Type        string
		Coordinates json.RawMessage
	}
}

// gdal reads a file as newline-delimited features.
func gdal(t *testing.T, path, layer string, args ...string) (all []gdalFeature) {
	t.Helper()
	args = append(append([]string{"-f", "GeoJSONSeq", "/vsistdout/", path}, args...), "-lco", "COORDINATE_PRECISION=9")
	if layer != "" {
		args = append(args, layer)
	}
	var problems bytes.Buffer
	c := exec.Command(oracles.Program(t, "ogr2ogr"), args...)
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil || strings.Contains(problems.String(), "ERROR") {
		t.Fatalf("%v: %v\n%s", args, err, &problems)
	}
	for line := range strings.Lines(string(out)) {
		var f gdalFeature
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

func saved(t *testing.T, name string, body []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheFlatGeobufIsTheGeoPackage: GDAL reads from both the same rows, values and shapes, of each layer, of two KGs.
func TestTheFlatGeobufIsTheGeoPackage(t *testing.T) {
	a, b := neighbours(t)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{a, b}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	geopackage := saved(t, "export.gpkg", get(h, "gpkg?kg=88801,88802").Body.Bytes())
	for _, layer := range []string{"parcels", "buildings", "building_footprints", "labels", "landuse_polygons", "landuse_points"} {
		w := get(h, "flatgeobuf?gemeinde=Gemeinde&layer="+layer)
		if w.Code != 200 || w.Header().Get("Content-Type") != flatgeobuf.ContentType || w.Header().Get("ETag") == "" ||
			!strings.Contains(w.Header().Get("Content-Disposition"), ".fgb") {
			t.Fatalf("%s: %d %v %.300s", layer, w.Code, w.Header(), w.Body)
		}
		if again := get(h, "flatgeobuf?kg=88802,88801&layers=x&layer="+layer); again.Code != 400 {
			t.Errorf("an unknown parameter: %d", again.Code)
		}
		if again := get(h, "flatgeobuf?kg=88802,88801&layer="+layer); !bytes.Equal(again.Body.Bytes(), w.Body.Bytes()) {
			t.Errorf("%s: the same KGs give other bytes", layer)
		}
		if part := get(h, "flatgeobuf?gemeinde=Gemeinde&layer="+layer, "Range", "bytes=8-107"); part.Code != 206 ||
			!bytes.Equal(part.Body.Bytes(), w.Body.Bytes()[8:108]) {
			t.Errorf("a range gives %d and %d bytes", part.Code, part.Body.Len())
		}
		path := saved(t, layer+".fgb", w.Body.Bytes())
		lines := func(path, layer string) (list []string) {
			for _, f := range gdal(t, path, layer) {
				maps.DeleteFunc(f.Properties, func(_ string, v any) bool { return v == nil }) // one has null, the other nothing
				b, err := json.Marshal(f)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, string(b))
			}
			slices.Sort(list)
			return list
		}
		got, want := lines(path, ""), lines(geopackage, layer)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, the GeoPackage has %d; the first is\n%.600s\n%.600s", layer, len(got), len(want), got[:min(1, len(got))],
				want[:min(1, len(want))])
		}
	}
}

// TestABoxOfAFlatGeobuf: through the index GDAL finds the parcels whose boxes reach into a box, and no others.
func TestABoxOfAFlatGeobuf(t *testing.T) {
	a, b := neighbours(t)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{a, b}); err != nil {
		t.Fatal(err)
	}
	path := saved(t, "parcels.fgb", get(serve(t, s), "flatgeobuf?kg=88801,88802").Body.Bytes())
	all := gdal(t, path, "")
	if len(all) != len(a.Parcels)+len(b.Parcels) {
		t.Fatalf("%d parcels", len(all))
	}
	for _, k := range []*kgfile.Snapshot{a, b} {
		for _, p := range k.Parcels[:10] {
			box := p.Geometry.Bounds()
			found := gdal(t, path, "", "-spat", fmt.Sprint(float64(box.MinX)/1e7), fmt.Sprint(float64(box.MinY)/1e7),
				fmt.Sprint(float64(box.MaxX)/1e7), fmt.Sprint(float64(box.MaxY)/1e7))
			id := string(k.KG.Code) + "-" + string(p.GNR)
			there := slices.ContainsFunc(found, func(f gdalFeature) bool { return f.Properties["parcel_id"] == id })
			if !there || len(found) > 20 {
				t.Errorf("the box of %s holds %d parcels, itself among them %v", id, len(found), there)
			}
		}
	}
	out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-ro", "-so", "-al", path).CombinedOutput()
	if text := string(out); err != nil || !strings.Contains(text, "area_sqm: Real") || !strings.Contains(text, "ez: Integer64") ||
		strings.Contains(text, "Warning") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestWhatAFlatGeobufSays: licence, whom to name, date and KGs that are missing stand in the header; columns and
// coordinates are those that are asked for.
func TestWhatAFlatGeobufSays(t *testing.T) {
	h := world(t)
	w := get(h, "flatgeobuf?kg=88801,88803&fields=gnr,area_sqm&crs=31287")
	for _, want := range []string{`"license":"CC BY 4.0"`, `"stichtag":"2026-10-01"`, `"attribution":["© BEV, 2026"]`,
		`"kgs_unavailable":["88803"]`, "newest Stichtag 2026-10-01"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the header lacks %s", want)
		}
	}
	if w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("ETag") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	path := saved(t, "parcels.fgb", w.Body.Bytes())
	out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-ro", "-so", "-al", path).CombinedOutput()
	for _, want := range []string{`ID["EPSG",31287]`, "gnr: String", "area_sqm: Real", "Feature Count: 17", "Extent: (524"} {
		if err != nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "kg_code") {
			t.Errorf("GDAL does not say %s: %v\n%s", want, err, out)
		}
	}
	for _, bad := range []string{"flatgeobuf", "flatgeobuf?kg=88801&layer=rivers", "flatgeobuf?kg=88801&layer=parcels,buildings",
		"flatgeobuf?kg=88801&fields=nope", "flatgeobuf?kg=88801&layer=buildings&fields=area_sqm", "flatgeobuf?kg=88801&crs=99"} {
		if w := get(h, bad); w.Code != 400 {
			t.Errorf("%s: %d %.200s", bad, w.Code, w.Body)
		}
	}
	if w := get(h, "flatgeobuf?kg=88801&layer=address_points"); w.Code != 200 {
		t.Errorf("address_points: %d", w.Code)
	}
	if w := get(h, "flatgeobuf?kg=88801&job=1"); w.Code != 503 {
		t.Errorf("no jobs here: %d", w.Code)
	}
}
