package demo

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/cog/cogtest"
	"mappe/builders/source/rasters"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/raster"
)

// scanned is a file of the laser scans.
func scanned(t *testing.T, dir, date, layer string) *raster.Grid {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "rasters", date, "ALS_"+layer+"_CRS3035_lorfachtal.tif"))
	if err != nil {
		t.Fatal(err)
	}
	return cogtest.Whole(t, b)
}

// The surface lies never below the terrain; houses stand on footprints, trees grow, and in the clearing there are none at
// the second date.
func TestLaserScans(t *testing.T) {
	w, err := world.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := (&output{dir: dir}).rasters(w); err != nil {
		t.Fatal(err)
	}
	dtm, dsm := scanned(t, dir, "20220915", "DTM"), scanned(t, dir, "20220915", "DSM")
	later, laterGround := scanned(t, dir, "20240915", "DSM"), scanned(t, dir, "20240915", "DTM")
	if len(dtm.Z) != scanSide*scanSide {
		t.Fatalf("%d cells", len(dtm.Z))
	}
	var houses []raster.Polygon
	for i := range w.Footprints {
		houses = append(houses, polygonsOf([]planar.Poly{w.Footprints[i].Shape})...)
	}
	m := raster.MaskOf(dtm, houses)
	tall, built, grown, gone := 0, 0, 0, 0
	for i := range dtm.Z {
		h, h2 := dsm.Z[i]-dtm.Z[i], later.Z[i]-laterGround.Z[i]
		if h < -0.001 {
			t.Fatalf("cell %d: the surface lies %g m below the ground", i, -h)
		}
		house := m.Has(i%dtm.Cols, i/dtm.Cols)
		switch {
		case house && h > 2:
			built++
		case house:
			t.Fatalf("cell %d: a house of %g m", i, h)
		case h > 10:
			tall++
			if d := h2 - h; d > 0.4 && d < 1.2 {
				grown++
			} else if h2 < 1 {
				gone++
			}
		}
	}
	if tall < 10_000 || built < 500 || gone < 1000 || grown < tall/2 {
		t.Errorf("%d cells are taller than 10 m, of these %d grew and %d are gone; %d cells of houses", tall, grown, gone, built)
	}
	// The pictures of the square are a source of every layer; the clearing is a loss of forest.
	found, passed, err := rasters.Look(os.DirFS(dir))
	if err != nil || len(passed) > 0 {
		t.Fatal(err, passed)
	}
	layers := map[string]int{}
	for _, f := range found {
		layers[f.Layer+" "+f.Part+" "+f.Date]++
	}
	for _, name := range []string{"dtm  2022-09-15", "ortho rgb 2022-01-28", "ortho nir 2025-04-15", "ndvi 07 2024-01-01",
		"sar vv 2022-01-01", "landcover  2024-01-01", "forest loss_year 2024-01-01", "forest cover 2024-01-01"} {
		if layers[name] != 1 {
			t.Errorf("%d files of %s in %v", layers[name], name, layers)
		}
	}
	loss, err := os.ReadFile(filepath.Join(dir, "rasters", "satellite", "2024", "FOREST_LOSS_YEAR.tif"))
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, v := range cogtest.Whole(t, loss).Z {
		if v == 23 {
			lost++
		}
	}
	if lost < 5 || lost > 60 {
		t.Errorf("%d cells of 30 m lost their forest", lost)
	}
	if d := math.Abs(float64(dtm.Z[0]) - float64(laterGround.Z[0])); d > 0.2 {
		t.Errorf("the ground rose by %g m", d)
	}
}
