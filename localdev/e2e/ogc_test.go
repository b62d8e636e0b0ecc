package e2e

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/national"
	"mappe/functions/cadastre/ogc"
	"mappe/functions/core"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// TestGDALReadsTheCollections: GDAL's driver for OGC API Features opens the service by its address, knows the types
// of all columns and brings every parcel, page by page, as it stands in the snapshot.
func TestGDALReadsTheCollections(t *testing.T) {
	ogrinfo, ogr2ogr := oracles.Program(t, "ogrinfo"), oracles.Program(t, "ogr2ogr")
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 700, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	h := collections(t, st)
	server := httptest.NewServer(h)
	defer server.Close()
	run := func(program string, args ...string) string {
		c := exec.CommandContext(t.Context(), program, args...)
		var problems bytes.Buffer
		c.Stderr = &problems
		out, err := c.Output()
		if err != nil || strings.Contains(problems.String(), "ERROR") {
			t.Fatalf("%s %v: %v\n%s", program, args, err, problems.String())
		}
		return string(out)
	}
	source := "OAPIF:" + server.URL + "/ogc"
	for _, id := range []string{"parcels", "address_points", "footprints", "landuse", "kgs", "municipalities"} {
		if out := run(ogrinfo, "-so", source); !strings.Contains(out, ": "+id+" ") {
			t.Errorf("GDAL does not see %s:\n%s", id, out)
		}
	}
	about := run(ogrinfo, "-so", source, "parcels")
	for _, line := range []string{"Feature Count: 700\n", "far: Real", "total_building_area_sqm: Real", "gnr: String", "ez: Integer"} {
		if !strings.Contains(about, line) {
			t.Errorf("GDAL's description lacks %q:\n%s", line, about)
		}
	}
	all := features(t, run(ogr2ogr, "-f", "GeoJSONSeq", "/vsistdout/", source, "parcels", "-oo", "PAGE_SIZE=150"))
	if len(all) != 700 {
		t.Errorf("GDAL brought %d parcels", len(all))
	}
	for i := range snapshot.Parcels {
		p := &snapshot.Parcels[i]
		if all["99001-"+string(p.GNR)] != len(p.Geometry) {
			t.Errorf("parcel %s has %d parts as GDAL reads it, %d in the snapshot", p.GNR, all["99001-"+string(p.GNR)], len(p.Geometry))
		}
	}
	b := snapshot.Parcels[0].Geometry.Bounds()
	some := features(t, run(ogr2ogr, "-f", "GeoJSONSeq", "/vsistdout/", source, "parcels", "-spat", fmt.Sprint(float64(b.MinX)/1e7),
		fmt.Sprint(float64(b.MinY)/1e7), fmt.Sprint(float64(b.MaxX)/1e7), fmt.Sprint(float64(b.MaxY)/1e7)))
	if _, ok := some["99001-"+string(snapshot.Parcels[0].GNR)]; !ok || len(some) > 100 {
		t.Errorf("a box of one parcel: %d parcels, itself among them %v", len(some), ok)
	}
}

// collections is the family over a store.
func collections(t *testing.T, st store.Store) http.Handler {
	t.Helper()
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := ogc.New(core.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// features are the ids of newline-delimited features with the number of their parts.
func features(t *testing.T, lines string) map[string]int {
	t.Helper()
	parts := map[string]int{}
	for s := bufio.NewScanner(strings.NewReader(lines)); s.Scan(); {
		var f struct {
			Properties struct {
				ID string `json:"parcel_id"`
			} `json:"properties"`
			Geometry struct {
				Type        string            `json:"type"`
				Coordinates []json.RawMessage `json:"coordinates"`
			} `json:"geometry"`
		}
		if err := json.Unmarshal(s.Bytes(), &f); err != nil {
			t.Fatalf("%v: %.200s", err, s.Text())
		}
		if !slices.Contains([]string{"Polygon", "MultiPolygon"}, f.Geometry.Type) {
			t.Errorf("%s is a %s", f.Properties.ID, f.Geometry.Type)
		}
		parts[f.Properties.ID] = 1
		if f.Geometry.Type == "MultiPolygon" {
			parts[f.Properties.ID] = len(f.Geometry.Coordinates)
		}
	}
	return parts
}

// TestTilesOfTheCountry: TileJSON names tiles that are those of the published archive, packed and plain.
func TestTilesOfTheCountry(t *testing.T) {
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 300, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	h := collections(t, st)
	get := func(target, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", target, nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	var about struct {
		Tiles            []string
		MinZoom, MaxZoom uint8
		Layers           []struct{ ID string } `json:"vector_layers"`
	}
	if err := json.Unmarshal(get("/ogc/tiles.json", "").Body.Bytes(), &about); err != nil || len(about.Layers) < 3 ||
		len(about.Tiles) != 1 {
		t.Fatalf("TileJSON: %v %+v", err, about)
	}
	_, template, _ := strings.Cut(about.Tiles[0], "/ogc/")
	body, _, err := store.ReadAll(t.Context(), st, pointerOf(t, st).Tiles, 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	archive, err := pmt.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for e, c := range archive.All() {
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		at, _ := pmt.Address(e.ID)
		if at.Z < about.MinZoom || at.Z > about.MaxZoom {
			t.Errorf("tile %v is beyond the zooms of TileJSON, %d to %d", at, about.MinZoom, about.MaxZoom)
		}
		target := "/ogc/" + strings.NewReplacer("{z}", fmt.Sprint(at.Z), "{x}", fmt.Sprint(at.X), "{y}", fmt.Sprint(at.Y)).Replace(template)
		want := c.Bytes
		if w := get(target, "gzip"); w.Code != 200 || w.Header().Get("Content-Encoding") != "gzip" || !bytes.Equal(w.Body.Bytes(), want) {
			t.Fatalf("%s packed: %d %v, %d bytes, want %d", target, w.Code, w.Header(), w.Body.Len(), len(want))
		}
		z, err := gzip.NewReader(bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if w := get(target, ""); w.Code != 200 || w.Header().Get("Content-Encoding") != "" || !bytes.Equal(w.Body.Bytes(), plain) {
			t.Fatalf("%s plain: %d %v", target, w.Code, w.Header())
		}
		n++
	}
	if n < 10 {
		t.Errorf("only %d tiles were compared", n)
	}
	if w := get("/ogc/tiles/5/0/0", ""); w.Code != 204 || w.Body.Len() > 0 {
		t.Errorf("an empty tile: %d", w.Code)
	}
	if w := get("/ogc/tiles/5/32/0", ""); w.Code != 400 {
		t.Errorf("a tile beyond the world: %d %s", w.Code, w.Body)
	}
	for _, c := range []struct {
		query  string
		labels int
	}{{"", 0}, {"?labels=true", 1}} {
		var style struct {
			Sources map[string]struct{ URL string }
			Layers  []struct{ Type string }
		}
		if err := json.Unmarshal(get("/ogc/style.json"+c.query, "").Body.Bytes(), &style); err != nil ||
			!strings.HasSuffix(style.Sources["land"].URL, "/ogc/tiles.json") || len(style.Layers) < 5 {
			t.Errorf("style%s: %v %v", c.query, err, style)
		}
		n := 0
		for _, layer := range style.Layers {
			if layer.Type == "symbol" {
				n++
			}
		}
		if n != c.labels {
			t.Errorf("style%s: %d layers have letters, want %d", c.query, n, c.labels)
		}
	}
}

// pointerOf reads what is served.
func pointerOf(t *testing.T, st store.Store) manifest.Pointer {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), st, keys.Current{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := manifest.ParsePointer(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
