package export

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store/mem"
)

// neighbours are two KGs with everything a KG has, side by side; the second has features of the first.
func neighbours(t testing.TB) (a, b *kgfile.Snapshot) {
	t.Helper()
	a = kgtest.Snapshot(kgtest.Options{Code: "88801", Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 5})
	b = kgtest.Snapshot(kgtest.Options{Code: "88802", Parcels: 40, Segments: 2, AreaKm2: 1, Seed: 6, East: 100_000})
	for _, s := range []*kgfile.Snapshot{a, b} {
		s.KG.GemeindeCode, s.KG.GemeindeName = "38801", "Gemeinde"
	}
	shared := a.Footprints[0]
	shared.N, shared.Parcel = 9000, -1
	ring := shared.Geometry[0][0]
	turned := append(append(ring[:0:0], ring[1:]...), ring[0]) // the same ring from another vertex
	shared.Geometry = append(shared.Geometry[:0:0], append(shared.Geometry[0][:0:0], turned))
	b.Footprints = append(b.Footprints, shared)
	post := a.Buildings[0]
	post.Parcel = -1
	b.Buildings = append(b.Buildings, post)
	area := a.LandUse[0]
	b.LandUse = append(b.LandUse, area)
	other := area
	other.NS = 97 // the same shape with another use is another feature
	b.LandUse = append(b.LandUse, other)
	b.Symbols = append(b.Symbols, a.Symbols[0])
	b.Symbols[len(b.Symbols)-1].Parcel = -1
	b.Labels = append(b.Labels, a.Labels[0])
	b.KG.Box = b.KG.Box.Union(a.KG.Box)
	for _, s := range []*kgfile.Snapshot{a, b} {
		s.KG.BuildingCount, s.KG.FootprintCount, s.KG.LandUseCount = len(s.Buildings), len(s.Footprints), len(s.LandUse)
		kgfile.Quantise(s)
	}
	return a, b
}

// Features of two KGs are written once, in both forms; nothing else is left out.
func TestFeaturesOfTwoKGsAreWrittenOnce(t *testing.T) {
	a, b := neighbours(t)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{a, b}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	for l, want := range map[layer]int{
		parcels:         len(a.Parcels) + len(b.Parcels),
		buildings:       len(a.Buildings) + len(b.Buildings) - 1,
		footprints:      len(a.Footprints) + len(b.Footprints) - 1,
		labels:          len(a.Labels) + len(b.Labels) - 1,
		landUsePolygons: len(a.LandUse) + len(b.LandUse) - 1,
		landUsePoints:   len(a.Symbols) + len(b.Symbols) - 1,
		landUse:         len(a.LandUse) + len(b.LandUse) + len(a.Symbols) + len(b.Symbols) - 2,
	} {
		c := read[collection](t, get(h, "geojson?kg=88801,88802&layers="+string(l)))
		if len(c.Features) != want {
			t.Errorf("%s: %d features, want %d", l, len(c.Features), want)
		}
		if got := c.Meta["features"].(map[string]any)[string(l)]; got != float64(want) {
			t.Errorf("%s: meta counts %v, want %d", l, got, want)
		}
		alone := read[collection](t, get(h, "geojson?kg=88802&layers="+string(l)))
		if apart := len(c.Features) - len(alone.Features); apart <= 0 || apart > want {
			t.Errorf("%s: the second KG alone has %d of %d", l, len(alone.Features), len(c.Features))
		}
	}
}

// ogrinfo opens the file: six layers with their rows, coordinates, licence and extent.
func TestOgrinfoReadsTheGeoPackage(t *testing.T) {
	tool := oracles.Program(t, "ogrinfo")
	a, b := neighbours(t)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{a, b}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	w := get(h, "gpkg?gemeinde=Gemeinde")
	if w.Code != 200 || w.Header().Get("Content-Type") != geoPackageType || w.Header().Get("ETag") == "" {
		t.Fatalf("%d %v %.200s", w.Code, w.Header(), w.Body)
	}
	if again := get(h, "gpkg?kg=88802,88801"); !bytes.Equal(again.Body.Bytes(), w.Body.Bytes()) {
		t.Error("the same KGs give other bytes")
	}
	if part := get(h, "gpkg?gemeinde=Gemeinde", "Range", "bytes=100-299"); part.Code != 206 ||
		!bytes.Equal(part.Body.Bytes(), w.Body.Bytes()[100:300]) {
		t.Errorf("a range gives %d and %d bytes", part.Code, part.Body.Len())
	}
	path := filepath.Join(t.TempDir(), "export.gpkg")
	if err := os.WriteFile(path, w.Body.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-ro", "-so", "-al", path).CombinedOutput()
	text := string(out)
	if err != nil || strings.Contains(text, "Warning") || strings.Contains(text, "ERROR") {
		t.Fatalf("%v\n%s", err, text)
	}
	for l, n := range map[string]int{
		"parcels": len(a.Parcels) + len(b.Parcels), "buildings": len(a.Buildings) + len(b.Buildings) - 1,
		"building_footprints": len(a.Footprints) + len(b.Footprints) - 1, "labels": len(a.Labels) + len(b.Labels) - 1,
		"landuse_polygons": len(a.LandUse) + len(b.LandUse) - 1, "landuse_points": len(a.Symbols) + len(b.Symbols) - 1,
	} {
		_, rest, ok := strings.Cut(text, "Layer name: "+l+"\n")
		rest, _, _ = strings.Cut(rest, "Layer name: ")
		if want := "Feature Count: " + strconv.Itoa(n) + "\n"; !ok || !strings.Contains(rest, want) ||
			!strings.Contains(rest, "CC BY 4.0") || !strings.Contains(rest, "WGS 84") {
			t.Errorf("layer %s: want %q in\n%s", l, want, rest)
		}
	}
}

// The temporary file is gone when the answer is over, whatever it was.
func TestTemporaryFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	h := world(t)
	for _, header := range [][]string{nil, {"Range", "bytes=0-9"}, {"Range", "bytes=99999999-"}} {
		get(h, "gpkg?kg=88801,88802", header...)
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v: %v is left, %v", header, left, err)
		}
	}
}

// An empty area is a file of six empty layers.
func TestAnEmptyGeoPackage(t *testing.T) {
	if w := get(world(t), "gpkg?kg=88801&state=4"); w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("SQLite format 3\x00")) {
		t.Errorf("%d %.100s", w.Code, w.Body)
	}
}
