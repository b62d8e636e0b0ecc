package export

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/dxf"
	"mappe/shared/web/format"
	"mappe/shared/web/shapefile"
)

// twoKGs serves the neighbours.
func twoKGs(t *testing.T) (a, b *kgfile.Snapshot, h http.Handler) {
	t.Helper()
	a, b = neighbours(t)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{a, b}); err != nil {
		t.Fatal(err)
	}
	return a, b, serve(t, s)
}

// TestTheShapefilesAreTheGeoPackage: GDAL reads from both the same rows, shapes and values, but for what the form cannot say: a name of a
// column beyond ten bytes.
func TestTheShapefilesAreTheGeoPackage(t *testing.T) {
	_, _, h := twoKGs(t)
	geopackage := saved(t, "export.gpkg", get(h, "gpkg?kg=88801,88802").Body.Bytes())
	w := get(h, "shapefile?gemeinde=Gemeinde")
	if w.Code != 200 || w.Header().Get("Content-Type") != shapefile.ContentType || w.Header().Get("ETag") == "" ||
		!strings.Contains(w.Header().Get("Content-Disposition"), ".zip") {
		t.Fatalf("%d %v %.300s", w.Code, w.Header(), w.Body)
	}
	path := saved(t, "export.zip", w.Body.Bytes())
	// The others are written as these are.
	for _, l := range []rowschema.Layer{rowschema.Parcels, rowschema.Buildings, rowschema.LandUsePolygons} {
		names := format.NewLayout(nil, l.RowType()).Names()
		whole := map[string]string{}
		for i, short := range shapefile.Names(names) {
			whole[short] = names[i]
		}
		lines := func(features []gdalFeature, rename map[string]string) (list []string) {
			for _, f := range features {
				properties := map[string]any{}
				for name, v := range f.Properties {
					if v == nil {
						continue
					}
					if long, ok := rename[name]; ok {
						name = long
					}
					switch v := v.(type) {
					case map[string]any: // GDAL reads JSON of a GeoPackage, and text of a shapefile
						b, _ := json.Marshal(v)
						properties[name] = string(b)
					case float64:
						properties[name] = fmt.Sprintf("%.7f", v)
					default:
						properties[name] = v
					}
				}
				shape := ""
				if l.RowType().Shape == format.ShapePoint {
					shape = string(f.Geometry.Coordinates)
				} else {
					shape = corners(t, f.Geometry.Coordinates)
				}
				b, err := json.Marshal(properties)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, string(b)+shape)
			}
			slices.Sort(list)
			return list
		}
		got, want := lines(gdal(t, "/vsizip/"+path, l.String()), whole), lines(gdal(t, geopackage, l.String()), nil)
		if !slices.Equal(got, want) {
			t.Errorf("%v: %d rows, the GeoPackage has %d; the first is\n%.900s\n%.900s", l, len(got), len(want), got[:min(1, len(got))],
				want[:min(1, len(want))])
		}
	}
}

// corners are the vertices of an area, each once, in order: rings may begin anywhere and be in one part or in several.
func corners(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		list := v.([]any)
		if _, ok := list[0].(float64); ok {
			seen[fmt.Sprintf("%.7f %.7f", list[0], list[1])] = true
			return
		}
		for _, part := range list {
			walk(part)
		}
	}
	walk(root)
	return strings.Join(slices.Sorted(maps.Keys(seen)), ",")
}

// TestShapefilesSayWhatTheyAre: system, licence and the whole names of columns stand in the zip; layers and system are those asked for.
func TestShapefilesSayWhatTheyAre(t *testing.T) {
	w := get(world(t), "shapefile?kg=88801,88803&layers=labels,parcels,labels&crs=31256")
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil || w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" {
		t.Fatalf("%d %v %v", w.Code, w.Header(), err)
	}
	text := map[string]string{}
	var order []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		text[f.Name], order = string(b), append(order, f.Name)
	}
	if len(order) != 11 || order[0] != "README.txt" || order[1] != "parcels.shp" || order[6] != "labels.shp" ||
		text["parcels.prj"] != crs.GaussKruegerEast.ESRI() {
		t.Errorf("%v", order)
	}
	for _, want := range []string{"CC BY 4.0", "© BEV, 2026", "newest Stichtag 2026-10-01", "without 1 KGs",
		"total_buil  total_building_area_sqm [m²]: Footprint area on the parcel.", "gemeinde_c  gemeinde_code"} {
		if !strings.Contains(text["README.txt"], want) {
			t.Errorf("README.txt lacks %q:\n%s", want, text["README.txt"])
		}
	}
}

// TestTheDrawing: GDAL finds each ring and each number of the parcels on its layer, in the system that was asked for.
func TestTheDrawing(t *testing.T) {
	a, b := neighbours(t)
	for i := range a.LandUse { // the area of a building is drawn as the building
		if i%3 == 1 {
			a.LandUse[i].NS = 41
		}
	}
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{a, b}); err != nil {
		t.Fatal(err)
	}
	w := get(serve(t, s), "dxf?kg=88801,88802&crs=31258")
	if w.Code != 200 || w.Header().Get("Content-Type") != dxf.ContentType || !strings.Contains(w.Header().Get("Content-Disposition"),
		".dxf") {
		t.Fatalf("%d %v %.300s", w.Code, w.Header(), w.Body)
	}
	path := saved(t, "export.dxf", w.Body.Bytes())
	out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-ro", "-al", path).CombinedOutput()
	if text := string(out); err != nil || strings.Contains(text, "ERROR") || strings.Contains(text, "Warning") {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	want := map[string]int{"GN": len(a.Parcels) + len(b.Parcels), "HN": 2 * (len(a.Buildings) + len(b.Buildings) - 1),
		"NS": len(a.Symbols) + len(b.Symbols) - 1}
	uses := append(a.LandUse[:len(a.LandUse):len(a.LandUse)], b.LandUse[:len(b.LandUse)-2]...) // the second has one of the first
	for _, u := range append(uses, b.LandUse[len(b.LandUse)-1]) {
		if u.NS != 41 {
			want["NF"]++
			want["NG"] += rings(u.Geometry)
		}
	}
	for _, k := range []*kgfile.Snapshot{a, b} {
		for _, p := range k.Parcels {
			want["GG"] += rings(p.Geometry)
		}
		for _, f := range k.Footprints {
			want["HG"] += rings(f.Geometry)
		}
	}
	want["HG"] -= rings(a.Footprints[0].Geometry)
	got := map[string]int{}
	for line := range strings.Lines(string(out)) {
		if _, layer, ok := strings.Cut(line, "Layer (String) = "); ok {
			got[strings.TrimSpace(layer)]++
		}
	}
	delete(got, "KG")
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	p := a.Parcels[0]
	x, y := crs.MeldenetzMid.Project(p.Inside)
	if at := fmt.Sprintf(" 10\r\n%.3f\r\n 20\r\n%.3f\r\n 30\r\n0.0\r\n 40\r\n2.000\r\n  1\r\n%s\r\n", x, y,
		p.GNR); !strings.Contains(w.Body.String(), at) {
		t.Errorf("the number of parcel %s does not stand at %.3f %.3f", p.GNR, x, y)
	}
	for _, comment := range []string{"CC BY 4.0", "EPSG:31258, MGI / Austria GK M31"} {
		if head, _, _ := strings.Cut(w.Body.String(), "SECTION"); !strings.Contains(head, comment) {
			t.Errorf("the comments lack %s", comment)
		}
	}
}

func rings(m geom.MultiPolygon) (n int) {
	for _, poly := range m {
		n += len(poly)
	}
	return n
}

// TestTheKML: GDAL reads as many placemarks of each layer as there are features, and their values.
func TestTheKML(t *testing.T) {
	a, b, h := twoKGs(t)
	w := get(h, "kml?kg=88801,88802&layers=kgs,parcels,landuse_polygons,buildings")
	if w.Code != 200 || w.Header().Get("Content-Type") != format.FormKML.MediaType() {
		t.Fatalf("%d %v %.300s", w.Code, w.Header(), w.Body)
	}
	path := saved(t, "export.kml", w.Body.Bytes())
	for layer, want := range map[string]int{"parcels": len(a.Parcels) + len(b.Parcels),
		"landuse_polygons": len(a.LandUse) + len(b.LandUse) - 1, "buildings": len(a.Buildings) + len(b.Buildings) - 1, "kgs": 2} {
		list := gdal(t, path, layer)
		if len(list) != want {
			t.Errorf("%s: %d placemarks, want %d", layer, len(list), want)
		}
		if layer == "parcels" && !slices.ContainsFunc(list, func(f gdalFeature) bool {
			return f.Properties["Name"] == "88801-"+string(a.Parcels[0].GNR) && f.Properties["gnr"] == string(a.Parcels[0].GNR) &&
				f.Geometry != nil
		}) {
			t.Errorf("no parcel %s: %v", a.Parcels[0].GNR, list[0])
		}
	}
	over := mem.New()
	if err := fixture.PublishWith(over, fixture.Snapshots(), func(c *register.Contents) {
		c.Municipalities = []register.Municipality{{Code: "38801", Name: "Gemeinde 38801"}, {Code: "38802", Name: "Gemeinde 38802"}}
	}); err != nil {
		t.Fatal(err)
	}
	if m := get(serve(t, over), "kml?kg=88801,88802&layers=municipalities").Body.String(); strings.Count(m,
		"<Placemark>") != 1 || strings.Contains(m, "Folder><name>parcels") {
		t.Errorf("the municipality of two KGs: %.900s", m)
	}
	if c := get(h, "kml?kg=88801&layers=landuse_polygons"); !strings.Contains(c.Body.String(), "<styleUrl>#") ||
		!strings.Contains(c.Body.String(), `<Style id="geb">`) || !strings.Contains(c.Body.String(), "CC BY 4.0") {
		t.Errorf("no colours: %.600s", c.Body)
	}
}

func TestFileFormsRefuse(t *testing.T) {
	h := world(t)
	for _, bad := range []string{"shapefile", "dxf?kg=88801&layers=rivers", "dxf?kg=88801&layers=labels", "shapefile?kg=88801&crs=99",
		"kml?kg=88801&crs=31287", "shapefile?kg=88801&fields=gnr", "xlsx?kg=88801&geometry=wkt", "csv?kg=88801&geometry=wkb", "kml?kg=88801&layers=landuse"} {
		if w := get(h, bad); w.Code != 400 {
			t.Errorf("%s: %d %.200s", bad, w.Code, w.Body)
		}
	}
	if w := get(h, "dxf?kg=88801&job=1"); w.Code != 503 {
		t.Errorf("no jobs here: %d", w.Code)
	}
}

// TestSizeBeforehand: what is stored has its size, what is written an estimate, and what is too large is split.
func TestSizeBeforehand(t *testing.T) {
	h := world(t)
	for target, form := range map[string]string{"form=shapefile": "shapefile", "form=dxf&layers=parcels": "dxf", "form=kml": "kml", "form=csv": "csv", "form=xlsx&layers=labels": "xlsx",
		"form=geojson": "geojson", "form=gpkg": "gpkg", "form=flatgeobuf&layers=labels": "flatgeobuf"} {
		body := read[sizeBody](t, get(h, "size?kg=88801,88803&"+target))
		if body.KGs != 2 || body.Missing != 1 || body.Unavailable != 1 || !body.Estimated || body.From != "answer" || body.Form != form ||
			body.Bytes <= 0 {
			t.Errorf("%s: %+v", target, body)
		}
	}
	lost := mem.New()
	if err := errors.Join(fixture.Publish(lost, fixture.Snapshots()),
		lost.Delete(t.Context(), snapshotKey(t, lost, "88801"))); err != nil {
		t.Fatal(err)
	}
	w := get(serve(t, lost), "size?kg=88801,88803&form=kml")
	if body := read[sizeBody](t, w); body.Missing != 1 || body.Unavailable != 1 || w.Header().Get("X-Data-Ready") != "false" ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a lost snapshot: %+v, %v", body, w.Header())
	}
	file, stored := []byte("stored"), mem.New()
	if err := fixture.PublishForms(stored, fixture.Snapshots(), fixture.Bodies{"88801": {keys.GeoPackage: file}}); err != nil {
		t.Fatal(err)
	}
	if body := read[sizeBody](t, get(serve(t, stored),
		"size?kg=88801&form=gpkg")); body.Estimated || body.From != "store" || body.Bytes != int64(len(file)) {
		t.Errorf("%+v", body)
	}
	// A stored GeoJSON is compressed, and saved unpacked.
	plain, packed, zipped := bytes.Repeat([]byte("{}  "), 5000), new(bytes.Buffer), mem.New()
	z := gzip.NewWriter(packed)
	_, err := z.Write(plain)
	if err := errors.Join(err, z.Close(), fixture.PublishForms(zipped, fixture.Snapshots(),
		fixture.Bodies{"88801": {keys.GeoJSON: packed.Bytes()}})); err != nil {
		t.Fatal(err)
	}
	if body := read[sizeBody](t, get(serve(t, zipped),
		"size?kg=88801&form=geojson")); body.Estimated || body.From != "store" || body.Bytes != int64(len(plain)) {
		t.Errorf("%+v, want %d bytes", body, len(plain))
	}
	if body := read[sizeBody](t, get(many(t, 60), "size?state=3&form=dxf")); body.From != "job" || body.KGs != 60 {
		t.Errorf("%+v", body)
	}
	large := mem.New()
	if err := fixture.Publish(large, fixture.Many(60)); err != nil {
		t.Fatal(err)
	}
	if body := read[sizeBody](t, get(serve(t, large), "size?state=3&form=dxf")); body.From != "none" || len(body.Split.([]any)) != 2 {
		t.Errorf("%+v", body)
	}
	for _, bad := range []string{"size?form=gpkg", "size?kg=88801&form=dwg", "size?kg=88801&form=dxf&layers=labels",
		"size?kg=88801&form=flatgeobuf&layers=labels,parcels", "size?kg=88801&form=flatgeobuf&layers=kgs"} {
		if w := get(h, bad); w.Code != 400 {
			t.Errorf("%s: %d %.200s", bad, w.Code, w.Body)
		}
	}
}

// snapshotKey is the key of the served snapshot of a KG.
func snapshotKey(t *testing.T, s store.Store, code austria.KGCode) string {
	t.Helper()
	return fixture.View(t, s).Register().KG(code).Snapshot.Key
}

// A stored file is whole, though the snapshot that it was made of is lost: the size says so, as the export does.
func TestSizeOfAStoredFileOfALostSnapshot(t *testing.T) {
	s := mem.New()
	if err := errors.Join(fixture.PublishForms(s, fixture.Snapshots(), fixture.Bodies{"88801": {keys.GeoPackage: []byte("stored")}}),
		s.Delete(t.Context(), snapshotKey(t, s, "88801"))); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	for target, missing := range map[string]int{"size?kg=88801&form=gpkg": 0, "size?kg=88801&form=kml": 1, "gpkg?kg=88801": 0} {
		w := get(h, target)
		if ready := w.Header().Get("X-Data-Ready") != "false"; w.Code != 200 || ready != (missing == 0) {
			t.Errorf("%s: %d, ready %v", target, w.Code, ready)
		}
		if !strings.HasPrefix(target, "size") {
			continue
		}
		if body := read[sizeBody](t, w); body.Missing != missing || body.Unavailable != missing {
			t.Errorf("%s: %+v", target, body)
		}
	}
}

// A snapshot whose damage shows only when it is read is missing from the first request on, as it is in the export.
func TestSizeOfDamagedSnapshots(t *testing.T) {
	for query, want := range map[string][2]int{"kg=88801&form=csv": {1, 1}, "kg=88801,88802&form=kml": {2, 1},
		"state=3&form=dxf": {3, 1}, "kg=88801&form=xlsx&version=2026-10-01": {1, 1}} {
		s := mem.New()
		if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), snapshotKey(t, s, "88801"), []byte("damaged"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		h := serve(t, s)
		for round := range 2 {
			w := get(h, "size?"+query)
			body := read[sizeBody](t, w)
			if w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" || body.KGs != want[0] || body.Missing != want[1] ||
				body.Unavailable != want[1] || body.Bytes <= 0 {
				t.Errorf("%s, request %d: %d %+v", query, round+1, w.Code, body)
			}
		}
	}
}

// TestFileSizes: what is written is at most a third more than its estimate, and half of it at least.
func TestFileSizes(t *testing.T) {
	snap := kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 700, Segments: 4, AreaKm2: 3, Seed: 3})
	body, err := kgfile.Encode(snap)
	if err != nil {
		t.Fatal(err)
	}
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{snap}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	for _, f := range fileForms() {
		for l, want := range f.perByte {
			if l == kgOutlines || l == boroughs {
				continue
			}
			got := float64(get(h, f.path+"?kg=99002&layers="+string(l)).Body.Len()) / float64(len(body))
			t.Logf("%s %s: %.2f bytes a byte, estimated %.2f", f.path, l, got, want)
			if got > 1.3*want || got < want/2 {
				t.Errorf("%s %s: %.2f bytes a byte, estimated %.2f", f.path, l, got, want)
			}
		}
	}
}
