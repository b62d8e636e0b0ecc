package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/builders/source/inventory"
	"mappe/infra/golden"
	"mappe/localdev/terminal"
	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
	"mappe/shared/geo/wkb"
)

func sources(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := sourcesCommand()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&out)
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

// A folder with two downloads and an older edition, told to a person and to a program.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	at := [][2]float64{{500_000, 480_000}, {500_000, 480_100}, {500_100, 480_100}}
	var area []wkb.XY
	var outline []shapefile.XY
	for _, v := range at {
		area, outline = append(area, v), append(outline, v)
	}
	for _, date := range []string{"20261001", "20260401"} {
		geopackagetest.Write(t, filepath.Join(dir, "KAT_DKM_GST_epsg31287_"+date+".gpkg"),
			geopackagetest.Table{Name: "GST", Type: "MULTIPOLYGON", SRS: 31287, Index: true,
				Columns: []string{"KG", "GNR"}, Rows: []geopackagetest.Row{geopackagetest.Areas([][][]wkb.XY{{area}}, "01004", "1")}})
	}
	f := shapefiletest.File{Prj: shapefiletest.MGILambert, Columns: []string{"KG_NR", "KG", "GKZ", "PG"},
		Rows: []shapefiletest.Row{{Rings: [][]shapefile.XY{outline}, Cells: []string{"01004", "Öd", "31507", "Dorf"}}}}
	f.WriteZip(t, filepath.Join(dir, "VGD_Oesterreich_gen_50_20260401.zip"))
	text, err := sources(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "sources.txt", []byte(text))
	body, err := sources(t, dir, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var v inventory.Inventory
	if err := json.Unmarshal([]byte(body), &v); err != nil || !v.Ready || v.Stichtag != "2026-10-01" || len(v.Items) < 5 {
		t.Errorf("%v\n%s", err, body)
	}
}

// A folder that is no source ends with exit code 1 and says what it lacks; no folder is an error.
func TestSourcesOfNothing(t *testing.T) {
	text, err := sources(t, t.TempDir())
	if !errors.Is(err, terminal.ErrSilent) {
		t.Errorf("got %v", err)
	}
	golden.Check(t, "sources-none.txt", []byte(text))
	if _, err := sources(t, filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
