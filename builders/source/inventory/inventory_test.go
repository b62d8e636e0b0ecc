package inventory_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/builders/source/inventory"
	"mappe/infra/realdata"
	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
	"mappe/shared/geo/wkb"
)

const (
	mapFile      = "KAT_DKM_GST_epsg31287_20261001.gpkg"
	boundaryFile = "VGD_Oesterreich_gen_50_20261001.zip"
)

func ring(x, y float64) [][2]float64 {
	x, y = 500_000+x, 480_000+y
	return [][2]float64{{x, y}, {x, y + 100}, {x + 100, y + 100}, {x + 100, y}}
}

func writeMap(t *testing.T, path string, indexed bool) {
	var r []wkb.XY
	for _, v := range ring(0, 0) {
		r = append(r, v)
	}
	geopackagetest.Write(t, path, geopackagetest.Table{Name: "GST", Type: "MULTIPOLYGON", SRS: 31287, Index: indexed,
		Columns: []string{"KG", "GNR"},
		Rows:    []geopackagetest.Row{geopackagetest.Areas([][][]wkb.XY{{r}}, "01004", "1")}})
}

func writeBoundaries(t *testing.T, path string) {
	var r []shapefile.XY
	for _, v := range ring(0, 0) {
		r = append(r, v)
	}
	f := shapefiletest.File{Prj: shapefiletest.MGILambert, Columns: []string{"KG_NR", "KG", "GKZ", "PG"},
		Rows: []shapefiletest.Row{{Rings: [][]shapefile.XY{r}, Cells: []string{"01004", "Öd", "31507", "Dorf"}}}}
	f.WriteZip(t, path)
}

func write(t *testing.T, dir, name, body string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, dir string) inventory.Inventory {
	t.Helper()
	v, err := inventory.Take(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func item(t *testing.T, v inventory.Inventory, path string) inventory.Item {
	t.Helper()
	i := slices.IndexFunc(v.Items, func(i inventory.Item) bool { return i.Path == path })
	if i < 0 {
		t.Fatalf("%s is not told of: %+v", path, v.Items)
	}
	return v.Items[i]
}

// Two downloads are enough; the rest is named with its publisher, and nothing is written.
func TestTwoDownloadsAreEnough(t *testing.T) {
	dir := t.TempDir()
	writeMap(t, filepath.Join(dir, mapFile), false)
	writeBoundaries(t, filepath.Join(dir, boundaryFile))
	v := take(t, dir)
	if !v.Ready || v.Stichtag != "2026-10-01" {
		t.Errorf("%+v", v)
	}
	m := item(t, v, mapFile)
	if notes := strings.Join(m.Notes, "; "); m.State != inventory.Read ||
		!slices.Contains(m.Holds, "parcels: 1 row (table GST, EPSG:31287)") || !strings.Contains(notes, "no spatial index") ||
		!strings.Contains(notes, "NFL") {
		t.Errorf("%+v", m)
	}
	if b := item(t, v, boundaryFile); b.State != inventory.Read || !slices.Contains(b.Holds, "1 KG, 1 municipality, 1 district") {
		t.Errorf("%+v", b)
	}
	for _, i := range v.Items {
		if i.State == inventory.Missing && i.Needed {
			t.Errorf("%+v is said to be needed", i)
		}
		if i.Topic == "addresses" && (i.State != inventory.Missing || i.Published == nil) {
			t.Errorf("%+v", i)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("something was written: %v %v", entries, err)
	}
}

// What a build would refuse is said before it begins.
func TestWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	v := take(t, dir)
	lacks := strings.Join(v.Lacks, "\n")
	for _, want := range []string{"no parcels: KAT_DKM_GST_epsg31287_YYYYMMDD.gpkg",
		"no outlines of KGs: VGD_Oesterreich_gen_50_YYYYMMDD.zip", "no list of KGs", "source.json"} {
		if v.Ready || !strings.Contains(lacks, want) {
			t.Errorf("want %q among\n%s", want, lacks)
		}
	}
	write(t, dir, mapFile, "an error page")
	write(t, dir, boundaryFile, "an error page")
	write(t, dir, "source.json", "{")
	write(t, dir, "addresses.zip", "an error page")
	v = take(t, dir)
	for _, name := range []string{mapFile, boundaryFile, "source.json", "addresses.zip"} {
		if i := item(t, v, name); i.State != inventory.Unreadable || len(i.Notes) == 0 || v.Ready {
			t.Errorf("%+v", i)
		}
	}
}

// Boundaries are not read, and not missed, where the folder's own files say all of it.
func TestOwnFilesSayAll(t *testing.T) {
	dir := t.TempDir()
	geometry := `"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]}}]}`
	write(t, dir, "kg.geojson", `{"features":[{"properties":{"kg_code":"1004","kg_name":"Öd"},`+geometry)
	write(t, dir, "gemeinden.geojson", `{"features":[{"properties":{"iso":"31507","name":"Dorf"},`+geometry)
	write(t, dir, "registers/kg.csv",
		"kg_code,kg_name,gemeinde_code,gemeinde_name,state_name,population_2023\n1004,Öd,31507,Dorf,Niederösterreich,7\n")
	write(t, dir, "source.json", `{"stichtag":"2026-10-01","attribution":"© BEV, 2026"}`)
	write(t, dir, "tiles/kataster/15/1/1.pbf", "x")
	v := take(t, dir)
	if !v.Ready || slices.ContainsFunc(v.Items, func(i inventory.Item) bool { return i.Topic == "boundaries" }) {
		t.Errorf("%+v", v)
	}
	writeBoundaries(t, filepath.Join(dir, boundaryFile))
	if b := item(t, take(t, dir), boundaryFile); b.State != inventory.NotRead {
		t.Errorf("%+v", b)
	}
	if err := os.Remove(filepath.Join(dir, "gemeinden.geojson")); err != nil {
		t.Fatal(err)
	}
	if b := item(t, take(t, dir), boundaryFile); b.State != inventory.Read {
		t.Errorf("without municipalities: %+v", b)
	}
	write(t, dir, boundaryFile, "an error page")
	if v := take(t, dir); v.Ready {
		t.Errorf("boundaries that cannot be read: %+v", v)
	}
}

// The real register of KGs is read as it is.
func TestRealRegisterOfKGs(t *testing.T) {
	body, err := os.ReadFile(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, "registers/kg.csv", string(body))
	if i := item(t, take(t, dir), "registers/kg.csv"); i.State != inventory.Read || !slices.Contains(i.Holds, "7 850 rows") ||
		len(i.Notes) != 0 {
		t.Errorf("%+v", i)
	}
}

// Older editions, tiles beside a GeoPackage and files of another date are told apart.
func TestEditionsAndDates(t *testing.T) {
	dir := t.TempDir()
	writeMap(t, filepath.Join(dir, mapFile), true)
	writeMap(t, filepath.Join(dir, "KAT_DKM_GST_epsg31287_20260401.gpkg"), true)
	writeBoundaries(t, filepath.Join(dir, "VGD_Oesterreich_gen_50_20251001.zip"))
	write(t, dir, "tiles/kataster/15/1/1.pbf", "x")
	v := take(t, dir)
	if old := item(t, v, "KAT_DKM_GST_epsg31287_20260401.gpkg"); old.State != inventory.NotRead {
		t.Errorf("%+v", old)
	}
	if tiles := item(t, v, "tiles"); tiles.State != inventory.NotRead {
		t.Errorf("%+v", tiles)
	}
	if b := item(t, v, "VGD_Oesterreich_gen_50_20251001.zip"); !strings.Contains(strings.Join(b.Notes, "; "),
		"another date than the data (2026-10-01)") {
		t.Errorf("%+v", b)
	}
	if m := item(t, v, mapFile); strings.Contains(strings.Join(m.Notes, "; "), "another date") ||
		strings.Contains(strings.Join(m.Notes, "; "), "index") {
		t.Errorf("%+v", m)
	}
}
