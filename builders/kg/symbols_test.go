package kg

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// A symbol is a point with a code in the tile's own square, on a parcel. Lines and areas with the same
// attribute are not symbols, and points in the buffer are those of the neighbouring tile.
func TestSymbolsOf(t *testing.T) {
	const extent = 4096
	tile := square{x: 35000, y: 22700}
	grid := mvt.Grid{Z: 16, Extent: extent}
	corner := func(x, y int64) geom.Point { return grid.Point(int64(tile.x)*extent+x, int64(tile.y)*extent+y) }
	parcel := geom.MultiPolygon{{{corner(-100, 5000), corner(5000, 5000), corner(5000, -100), corner(-100, -100)}}} // over the buffer too
	where := newPlaces([]kgfile.Parcel{{Geometry: parcel, VertexCount: 4}})
	point := func(x, y int32) [][]mvt.Point { return [][]mvt.Point{{{X: x, Y: y}}} }
	read := func(l mvt.Layer) *region {
		return &region{zoom: 16, tiles: map[square]*mvt.Tile{tile: {Layers: []mvt.Layer{l}}}, order: []square{tile}}
	}
	for _, c := range []struct {
		name  string
		kind  mvt.GeomType
		parts [][]mvt.Point
		want  int
	}{
		{"in the middle", mvt.Points, point(2000, 2000), 1},
		{"the first pixel", mvt.Points, point(0, 0), 1},
		{"the last pixel", mvt.Points, point(extent-1, extent-1), 1},
		{"left of the tile", mvt.Points, point(-1, 2000), 0},
		{"above it", mvt.Points, point(2000, -1), 0},
		{"right of it", mvt.Points, point(extent, 2000), 0},
		{"below it", mvt.Points, point(2000, extent), 0},
		{"several at once", mvt.Points, [][]mvt.Point{{{X: 1, Y: 1}, {X: 2, Y: 2}, {X: -5, Y: 2}}}, 2},
		{"points without one", mvt.Points, nil, 0},
		{"a line", mvt.Lines, [][]mvt.Point{{{X: 1, Y: 1}, {X: 9, Y: 9}}}, 0},
		{"an area", mvt.Polygons, [][]mvt.Point{{{X: 1, Y: 1}, {X: 9, Y: 1}, {X: 9, Y: 9}}}, 0},
	} {
		l := &mvt.Layer{Extent: extent, Keys: []string{"ns"}, Values: []mvt.Value{mvt.Uint(48)},
			Features: []mvt.Feature{{Type: c.kind, Tags: []uint32{0, 0}, Parts: c.parts}}}
		rep := &Report{}
		got := read(*l).symbols(where, rep)
		if len(got) != c.want || rep.BadCodes != 0 {
			t.Errorf("%s: want %d symbols, got %v, %d bad codes", c.name, c.want, got, rep.BadCodes)
		}
		for _, s := range got {
			if s.NS != 48 || s.Parcel != 0 {
				t.Errorf("%s: want code 48 on the parcel, got %+v", c.name, s)
			}
		}
	}
	without := mvt.Layer{Extent: extent, Features: []mvt.Feature{{Type: mvt.Points, Parts: point(1, 1)}}}
	if got := read(without).symbols(where, &Report{}); len(got) != 0 {
		t.Errorf("a layer without codes: got %v", got)
	}
}

// What is not known of an empty KG is 0, never a number that JSON cannot hold.
func TestMeasureOfNothing(t *testing.T) {
	s := &kgfile.Snapshot{}
	measure(s)
	k := s.KG
	for name, got := range map[string]float64{
		"parcels per folio": k.AvgParcelsPerEZ, "density": k.BuildingDensity, "built-up ratio": k.BuiltUpRatio,
	} {
		if got != 0 {
			t.Errorf("%s: want 0, got %v", name, got)
		}
	}
}
