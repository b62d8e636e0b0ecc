package dkm_test

import (
	"testing"

	"mappe/builders/kg"
	"mappe/builders/kg/tiletest"
	"mappe/builders/source/dkm"
	"mappe/shared/geo/mvt"
)

func TestContract(t *testing.T) {
	tiletest.Run(t, func(t *testing.T) tiletest.Source {
		filled, ok := mvt.Cover(boxOf(0, 0, 300, 250), dkm.Zoom, 10)
		if !ok || len(filled) == 0 {
			t.Fatal(filled, ok)
		}
		return tiletest.Source{TileReader: open(t, parcels("gst", false, true, village())), Tileset: kg.TilesetCadastre, Filled: filled,
			Empty: mvt.TileID{Z: dkm.Zoom, X: filled[0].X + 100, Y: filled[0].Y}}
	})
}
