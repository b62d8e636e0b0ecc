package tilecut

import (
	"testing"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

func TestPiecesCoverTheSquareWithTheirBuffers(t *testing.T) {
	g := mvt.Grid{Z: 15, Extent: 4096}
	x, y := int64(17830*4096), int64(11387*4096)
	// A square with a hole around the corner where four tiles meet; north is smaller y.
	ring := func(r int64) geom.Ring {
		return geom.Ring{g.Point(x-r, y+r), g.Point(x+r, y+r), g.Point(x+r, y-r), g.Point(x-r, y-r)}
	}
	f := []Feature{
		{Layer: "gst", Geometry: geom.MultiPolygon{{ring(500), ring(30)}}, Attrs: []mvt.Attr{{Key: "gnr", Value: mvt.String("1")}}},
		{Layer: "gnr", At: g.Point(x, y)},
	}
	tiles, err := Cut(f, 15, 4096, 80)
	if err != nil {
		t.Fatal(err)
	}
	if len(tiles) != 4 {
		t.Fatalf("want 4 tiles, got %d", len(tiles))
	}
	for id, b := range tiles {
		tile, err := mvt.Decode(b, mvt.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		parts := tile.Layer("gst").Features[0].Parts
		if len(parts) != 2 {
			t.Fatalf("%v: want exterior and hole, got %d rings", id, len(parts))
		}
		if got, want := mvt.Area2(parts[0]), int64(2*580*580); got != want {
			t.Errorf("%v: exterior piece has doubled area %d, want %d", id, got, want)
		}
		if got, want := mvt.Area2(parts[1]), int64(-2*60*60); got != want {
			t.Errorf("%v: the hole lies in every buffer whole: doubled area %d, want %d", id, got, want)
		}
		if tile.Layer("gnr") == nil {
			t.Errorf("%v: the point on the corner must be in every tile", id)
		}
	}
}

func TestBufferMustLeaveATile(t *testing.T) {
	if _, err := Cut(nil, 15, 4096, 2048); err == nil {
		t.Error("a buffer of half the extent must be refused")
	}
}
