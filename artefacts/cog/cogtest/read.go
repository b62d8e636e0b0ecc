// Package cogtest reads whole GeoTIFFs in tests.
package cogtest

import (
	"bytes"
	"testing"

	"mappe/artefacts/cog"
	"mappe/shared/geo/raster"
)

// Whole is the first band of a file in full resolution.
func Whole(t testing.TB, b []byte) *raster.Grid {
	t.Helper()
	f, err := cog.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Read(bytes.NewReader(b), &f.Images[0], 0, f.Images[0].Whole())
	if err != nil {
		t.Fatal(err)
	}
	return g
}
