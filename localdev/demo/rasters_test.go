package demo

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/cog/cogtest"
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
	if d := math.Abs(float64(dtm.Z[0]) - float64(laterGround.Z[0])); d > 0.2 {
		t.Errorf("the ground rose by %g m", d)
	}
}
