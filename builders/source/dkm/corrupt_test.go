package dkm_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"mappe/builders/source/dkm"
	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/infra/oracles"
	"mappe/shared/geo/mvt"
)

// Files with bytes changed at random are read or refused; nothing else happens.
func TestBrokenFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "whole.gpkg")
	geopackagetest.Write(t, path, parcels("gst", false, true, village()))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	grid := mvt.Grid{Z: dkm.Zoom, Extent: 1}
	x, y := grid.Project(boxOf(50, 50, 51, 51).Center())
	id := mvt.TileID{Z: dkm.Zoom, X: uint32(x), Y: uint32(y)}
	broken := filepath.Join(t.TempDir(), "broken.gpkg")
	for seed := range oracles.Rounds(t, 150) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := append([]byte(nil), whole...)
		for range 1 + r.IntN(40) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		if r.IntN(4) == 0 {
			b = b[:r.IntN(len(b))]
		}
		if err := os.WriteFile(broken, b, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := dkm.Open(t.Context(), broken)
		if err != nil {
			continue
		}
		tile, err := s.Tile(t.Context(), "kataster", id)
		if err == nil {
			if _, err := mvt.Decode(tile, mvt.Limits{}); err != nil {
				t.Errorf("seed %d: the tile cannot be read: %v", seed, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("seed %d: close: %v", seed, err)
		}
	}
}
