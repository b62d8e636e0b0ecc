package vgd_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/builders/source/outlines"
	"mappe/builders/source/vgd"
	"mappe/infra/oracles"
	"mappe/infra/realdata"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
)

const east, north = 500_000.0, 480_000.0

// square runs clockwise, as exteriors do.
func square(x, y, side float64) []shapefile.XY {
	x, y = east+x, north+y
	return []shapefile.XY{{x, y}, {x, y + side}, {x + side, y + side}, {x + side, y}}
}

func turned(r []shapefile.XY) []shapefile.XY { return []shapefile.XY{r[0], r[3], r[2], r[1]} }

var columns = []string{"MERIDIAN", "GKZ", "BKZ", "BL_KZ", "ST_KZ", "FL", "KG_NR", "KG", "PG", "PB", "BL"}

func row(gkz, st, fl, kg, name, pg string, rings ...[]shapefile.XY) shapefiletest.Row {
	return shapefiletest.Row{Rings: rings, Cells: []string{"M34", gkz, gkz[:min(3, len(gkz))], gkz[:1], st, fl, kg, name, pg, "Melk",
		"Niederösterreich"}}
}

func open(t *testing.T, f shapefiletest.File) (*vgd.Boundaries, error) {
	t.Helper()
	if f.Columns == nil {
		f.Columns = columns
	}
	path := filepath.Join(t.TempDir(), "VGD_Oesterreich_gen_50_20261001.zip")
	f.WriteZip(t, path)
	return vgd.Open(path)
}

// The rows of a KG, whatever the spelling of its code, are one outline; rings in any order make holes.
func TestBoundaries(t *testing.T) {
	b, err := open(t, shapefiletest.File{Prj: shapefiletest.MGILambert, Rows: []shapefiletest.Row{
		row("31507", "1", "1000000", "14168", "Umbäch", "Dunkelsteinerwald", turned(square(400, 400, 100)), square(0, 0, 1000)),
		row("31507", "1", "500000", "1004", "Gansbach", "Dunkelsteinerwald", square(1000, 0, 1000)),
		row("31507", "", "400000", "01004", "Gansbach", "Dunkelsteinerwald", square(2000, 0, 1000)), // adjoins
		row("31507", "2", "100000", "1004.000", "Gansbach", "Dunkelsteinerwald", square(5000, 0, 100)),
		row("31508", "1", "7", "14169", "Öd", "Erlauf", square(0, 1000, 500)),
		row("31508", "1", "7", "14169", "Öd", "Erlauf", square(500, 1000, 500)), // both say the KG's area
	}})
	if err != nil || b.Problems.Total > 0 {
		t.Fatalf("%v %+v", err, b)
	}
	if len(b.KGs) != 3 || b.KGs[0].Code != "01004" || b.KGs[1].Name != "Umbäch" || b.KGs[2].GemeindeCode != "31508" {
		t.Fatalf("KGs: %+v", b.KGs)
	}
	for i, want := range []struct {
		parts, rings  int
		sqm, register float64
	}{{2, 2, 2_010_000, 1_000_000}, {1, 2, 990_000, 1_000_000}, {1, 1, 500_000, 7}} {
		k := b.KGs[i]
		if len(k.Geometry) != want.parts || len(k.Geometry.Rings()) != want.rings ||
			math.Abs(k.Geometry.Area(crs.EqualArea)/want.sqm-1) > 0.002 || k.AreaSqm != want.register {
			t.Errorf("%s: %d parts, %d rings, %.0f m², register %.0f: want %+v", k.Code, len(k.Geometry), len(k.Geometry.Rings()),
				k.Geometry.Area(crs.EqualArea), k.AreaSqm, want)
		}
	}
	gs := b.Gemeinden()
	if len(gs) != 2 || gs[0].Code != "31507" || gs[0].Name != "Dunkelsteinerwald" || len(gs[0].Geometry) != 2 {
		t.Errorf("municipalities: %+v", gs)
	}
	r := b.Registers()
	if len(r.KGs) != 3 || len(r.Gemeinden) != 2 || len(r.Districts) != 1 || r.Districts[0].Code != "315" || r.Districts[0].Name != "Melk" ||
		r.KGs[0].StateName != "Niederösterreich" {
		t.Errorf("registers: %+v", r)
	}
}

// Vienna is one municipality, as in the registers.
func TestViennaIsOneMunicipality(t *testing.T) {
	b, err := open(t, shapefiletest.File{Rows: []shapefiletest.Row{
		row("90101", "1", "1", "01004", "Innere Stadt", "Wien,Innere Stadt", square(0, 0, 100)),
		row("90201", "1", "1", "01657", "Leopoldstadt", "Wien,Leopoldstadt", square(100, 0, 100)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r := b.Registers(); len(r.Gemeinden) != 1 || r.Gemeinden[0].Code != "90001" || r.Gemeinden[0].Name != "Wien" ||
		b.Problems.Total != 0 {
		t.Errorf("%+v %+v", r.Gemeinden, b.Problems)
	}
}

// A row that is no part of a KG is reported with its number and column and costs no other row.
func TestBadRows(t *testing.T) {
	good := row("31507", "1", "5", "1004", "Gansbach", "Dunkelsteinerwald", square(0, 0, 10))
	for name, c := range map[string]struct {
		row  shapefiletest.Row
		want string
	}{
		"code":         {row("31507", "1", "1", "KG 5", "x", "x", square(0, 0, 1)), "row 2: KG_NR \"KG 5\""},
		"municipality": {row("0", "1", "1", "1005", "x", "x", square(0, 0, 1)), "GKZ"},
		"no shape":     {row("31507", "1", "1", "1005", "x", "x"), "with an area"},
		"no area":      {row("31507", "1", "1", "1005", "x", "x", []shapefile.XY{{east, north}, {east + 1, north}}), "with an area"},
		"far away": {row("31507", "1", "1", "1005", "x", "x", []shapefile.XY{{0, 0}, {0, 1}, {1, 1}}),
			"positions in Austria in EPSG:31287"},
		"no number": {row("31507", "1", "1", "1005", "x", "x", []shapefile.XY{{math.NaN(), 0}, {0, math.Inf(1)}, {1, 1}}),
			"positions in Austria"},
	} {
		b, err := open(t, shapefiletest.File{Rows: []shapefiletest.Row{good, c.row}})
		if err != nil || len(b.KGs) != 1 || b.Problems.Total != 1 || !strings.Contains(b.Problems.First[0].Error(), c.want) {
			t.Errorf("%s: want a problem with %q, got %+v %v", name, c.want, b, err)
		}
	}
}

func TestFilesThatAreNoBoundaries(t *testing.T) {
	if _, err := open(t, shapefiletest.File{Columns: []string{"KG_NR", "KG", "GKZ"}}); err == nil ||
		!strings.Contains(err.Error(), "column PG is missing: found KG_NR, KG, GKZ") {
		t.Errorf("missing column: %v", err)
	}
	if _, err := open(t, shapefiletest.File{Prj: `PROJCS["CH1903_LV03"]`}); err == nil || !strings.Contains(err.Error(), "CH1903_LV03") {
		t.Errorf("system: %v", err)
	}
	path := filepath.Join(t.TempDir(), "x.zip")
	for body, want := range map[string]string{"no archive": "no zip archive", "PK\x05\x06" + strings.Repeat("\x00", 18): "no shapefile"} {
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := vgd.Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Of several editions the one for 1:50,000 is read, in its newest state.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"VGD_Oesterreich_gen_250_20261001.zip", "VGD_Oesterreich_gen_50_20251001.zip",
		"VGD_Oesterreich_gen_50_20261001.zip", "VGD_Oesterreich_gst_20261001.zip"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, older, err := vgd.Find(dir)
	if err != nil || len(files) != 3 || filepath.Base(files[0]) != "VGD_Oesterreich_gen_50_20261001.zip" ||
		filepath.Base(files[1]) != "VGD_Oesterreich_gst_20261001.zip" || len(older) != 1 {
		t.Errorf("%v %v %v", files, older, err)
	}
}

// TestRealBoundariesAsGDALWritesThem: GDAL writes the state of Salzburg in the survey office's form; the
// outlines are those of the GeoJSON file it was made of.
func TestRealBoundariesAsGDALWritesThem(t *testing.T) {
	ogr2ogr := oracles.Program(t, "ogr2ogr")
	raw := realdata.Path(t, "admin/salzburg_kg_vgd50_wgs84.geojson")
	dir := t.TempDir()
	shp, path := filepath.Join(dir, "vgd.shp"), filepath.Join(dir, "VGD_Oesterreich_gen_50_20211001.shz")
	lambert := "+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 +ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232"
	for _, args := range [][]string{
		{"-f", "ESRI Shapefile", "-t_srs", lambert, "-lco", "ENCODING=ISO-8859-1", "-dialect", "SQLite",
			"-sql", "SELECT geometry, kg_code AS KG_NR, kg_name AS KG, gemeinde_code AS GKZ, gemeinde_name AS PG, district_code AS BKZ, district_name AS PB, state_code AS BL_KZ, state_name AS BL, 1 AS ST_KZ, area_sqm AS FL FROM \"salzburg_kg_vgd50_wgs84\"", shp, raw},
		{"-f", "ESRI Shapefile", "-a_srs", "EPSG:31287", "-lco", "ENCODING=ISO-8859-1", path, shp},
	} {
		if out, err := exec.CommandContext(t.Context(), ogr2ogr, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	b, err := vgd.Open(path)
	if err != nil || b.Problems.Total > 0 {
		t.Fatalf("%v %+v", err, b.Problems)
	}
	source := t.TempDir()
	body, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(source, "kg.geojson"), body, 0o644); err != nil {
		t.Fatal(err)
	}
	want, _, _, err := outlines.Read(os.DirFS(source))
	if err != nil || len(b.KGs) != len(want) {
		t.Fatalf("want %d KGs, got %d (%v)", len(want), len(b.KGs), err)
	}
	for i, w := range want {
		g := b.KGs[i]
		if g.Code != w.Code || g.Name != w.Name || g.GemeindeCode != w.GemeindeCode || g.GemeindeName != w.GemeindeName ||
			g.AreaSqm != w.AreaSqm {
			t.Errorf("want %s %s %s %s %g, got %s %s %s %s %g", w.Code, w.Name, w.GemeindeCode, w.GemeindeName, w.AreaSqm, g.Code, g.Name,
				g.GemeindeCode, g.GemeindeName, g.AreaSqm)
		}
		if a, c := g.Geometry.Area(crs.EqualArea), w.Geometry.Area(crs.EqualArea); math.Abs(a/c-1) > 1e-5 {
			t.Errorf("%s: want %.0f m², got %.0f", w.Code, c, a)
		}
	}
	if gs := b.Gemeinden(); len(gs) != 119 || b.Problems.Total > 0 {
		t.Errorf("want the 119 municipalities of Salzburg, got %d, %+v", len(gs), b.Problems)
	}
}
