package rasters

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/cog/cogtest"
	"mappe/artefacts/rasters"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/raster"
)

// reads counts what is read.
type reads struct {
	store.Store
	n int
}

func (r *reads) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	r.n++
	return r.Store.Get(ctx, key, o)
}

// An overview has the cells that GDAL reads of it, costs one read, and meets those of its neighbour.
func TestOverviews(t *testing.T) {
	c := country()
	// Two tiles, the first of which is filled from the west to the east, so that it has the overview of 16 m.
	x := made(t, folder(t, map[string]*raster.Grid{"DTM_20240915.tif": slope(4_395_000, 2_700_300, 1, 5600, 300)}), c)
	l := x.Find(rasters.DTM, "20240915")
	counted := &reads{Store: c.Store}
	var got [2]*Overview
	for i := range got {
		o, err := ReadOverview(t.Context(), counted, &l.Tiles[i], 26)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = o
	}
	if n := counted.n; n != 2 {
		t.Errorf("%d reads of two tiles", n)
	}
	west, east := got[0], got[1]
	if west.Step != 16 || west.Cols != 313 || west.Extent.East != 4_400_000 || east.Step != 2 {
		t.Fatalf("cells of %g m, %d columns, to %g, then cells of %g m", west.Step, west.Cols, west.Extent.East, east.Step)
	}
	for y := 2_700_020.0; y < 2_700_280; y += 7 {
		// The height of the middle of a cell of 16 m is nearly its mean.
		for _, at := range []float64{4_395_003, 4_397_777, 4_399_970} {
			want := slope(at-0.5, y+0.5, 1, 1, 1).Z[0]
			if z := west.At(at, y); !(math.Abs(float64(z-want)) < 0.6) {
				t.Errorf("at %g, %g: %g m, expected %g", at, y, z, want)
			}
		}
		if a, b := west.At(4_399_999.9, y), east.At(4_400_000.1, y); !(math.Abs(float64(a-b)) < 0.6) {
			t.Errorf("at %g: %g m, and %g behind the border", y, a, b)
		}
	}
	if z := west.At(4_400_001, 2_700_100); z == z {
		t.Errorf("beyond the file: %g", z)
	}
	body, _, err := store.ReadAll(t.Context(), c.Store, l.Tiles[0].Key, 1<<28, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tile, out := filepath.Join(dir, "tile.tif"), filepath.Join(dir, "overview.tif")
	if err := os.WriteFile(tile, body, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, oracles.Program(t, "gdal_translate"), "-q", "-oo", "OVERVIEW_LEVEL=3", tile, out)
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	judged := cogtest.Whole(t, b)
	if judged.Cols != west.Cols || judged.Rows != west.Rows {
		t.Fatalf("GDAL has %d x %d cells, expected %d x %d", judged.Cols, judged.Rows, west.Cols, west.Rows)
	}
	for i, z := range judged.Z {
		if z != west.Z[i] {
			t.Fatalf("cell %d: GDAL has %g, expected %g", i, z, west.Z[i])
		}
	}
}

func TestOverviewsOfDamagedTiles(t *testing.T) {
	c := country()
	x := made(t, folder(t, map[string]*raster.Grid{"DTM_20240915.tif": slope(4_395_000, 2_700_300, 1, 600, 300)}), c)
	tile := x.Find(rasters.DTM, "20240915").Tiles[0]
	half := tile
	half.Bytes = tile.Bytes / 2
	if _, err := ReadOverview(t.Context(), c.Store, &half, 1); !errors.Is(err, cog.ErrFormat) {
		t.Errorf("half a tile: %v", err)
	}
	if err := c.Store.Delete(t.Context(), tile.Key); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadOverview(t.Context(), c.Store, &tile, 26); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a tile that is gone: %v", err)
	}
}
