package rasters

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/shared/geo/raster"
)

// text is a grid as an ASCII grid.
func text(g *raster.Grid) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "ncols %d\nnrows %d\nxllcorner %g\nyllcorner %g\ncellsize %g\nNODATA_value -9999\n", g.Cols, g.Rows, g.West, g.South(),
		g.Step)
	for row := range g.Rows {
		for _, z := range g.Row(row) {
			if z != z {
				z = -9999
			}
			fmt.Fprintf(&b, "%.2f ", z)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// grids writes files below the folder of rasters.
func grids(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, b := range files {
		name = filepath.Join(dir, "rasters", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// An ASCII grid makes the tiles that a GeoTIFF of the same heights makes: where its cells are those of the tiles, and where not.
func TestASCIIGridsAreScans(t *testing.T) {
	for name, west := range map[string]float64{"cells of the tiles": 4_399_900, "other cells": 4_399_900.25} {
		g := slope(west, 2_700_100, 1, 200, 150)
		g.Z[5000] = float32(-9999)
		of := [2]*index{}
		c := country()
		of[0] = made(t, folder(t, map[string]*raster.Grid{"20240915/DTM_a.tif": g}), c)
		dir := t.TempDir()
		grids(t, dir, map[string][]byte{"20240915/DTM_a_epsg3035.ASC": text(g)})
		d := country()
		of[1] = made(t, dir, d)
		a, b := of[0].Find(rasters.DTM, "20240915"), of[1].Find(rasters.DTM, "20240915")
		if a == nil || b == nil || len(a.Tiles) != 4 || len(a.Tiles) != len(b.Tiles) {
			t.Fatalf("%s: %+v, %+v", name, a, b)
		}
		for i := range a.Tiles {
			if a.Tiles[i].Key != b.Tiles[i].Key {
				t.Errorf("%s: %s of a GeoTIFF, %s of a grid", name, a.Tiles[i].Key, b.Tiles[i].Key)
			}
		}
	}
}

// Grids without a date or layer, of pictures, or in no place are passed over; damaged ones are named while the tiles are made.
func TestASCIIGridsThatCannotBeUsed(t *testing.T) {
	g := slope(4_395_000, 2_700_100, 1, 60, 50)
	good := text(g)
	dir := t.TempDir()
	grids(t, dir, map[string][]byte{"DTM_20240915_a_epsg3035.asc": good, "DTM_20240915_b.asc": good, "RGB_20240915_epsg3035.asc": good,
		"DTM_epsg3035.asc": good, "DTM_20240915_page_epsg3035.asc": []byte("<html>404</html>"),
		"DTM_20240915_half_epsg3035.asc": good[:len(good)*2/3]})
	s, err := Read(os.DirFS(dir), "made up")
	if err != nil {
		t.Fatal(err)
	}
	passed := strings.Join(s.Passed, "\n")
	for _, want := range []string{"DTM_20240915_b.asc is passed over: its south-western cell", "heights (DTM, DSM) are expected",
		"DTM_epsg3035.asc is passed over: neither its name nor its folder", "the file is no ASCII grid"} {
		if !strings.Contains(passed, want) {
			t.Errorf("%q is missing in\n%s", want, passed)
		}
	}
	var warned []string
	s.Warn = func(line string) { warned = append(warned, line) }
	c := country()
	if _, err := Stages(s)[0].Make(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if len(s.Passed) != 4 || len(warned) != 1 || !strings.Contains(warned[0], "half_epsg3035.asc is passed over") {
		t.Errorf("%v, %v", s.Passed, warned)
	}
}
