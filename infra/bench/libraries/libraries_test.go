// Package libraries shows, beside the libraries that one would take instead, why the core has code of its own:
// each claim of docs/dependencies.md is a test or a benchmark here or where that page says.
package libraries

import (
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"mappe/shared/geo/geom"
	ownmvt "mappe/shared/geo/mvt"
)

// side is the number of parcels along an edge of the tessellation, step the length of a parcel in 1e-7 degrees.
const side, step = 12, 4001

// tessellation is a field of parcels that share every border; each corner is moved a little, once for all four
// parcels at it.
func tessellation() (own []geom.Polygon, theirs []orb.Polygon, corners []geom.Point) {
	r := rand.New(rand.NewPCG(1, 2))
	var at [side + 1][side + 1]geom.Point
	for i := range at {
		for j := range at[i] {
			at[i][j] = geom.Point{X: 133000000 + int32(i)*step + int32(r.IntN(step/2)),
				Y: 473000000 + int32(j)*step + int32(r.IntN(step/2))}
			if i > 0 && j > 0 && i < side && j < side {
				corners = append(corners, at[i][j])
			}
		}
	}
	for i := range side {
		for j := range side {
			ring := geom.Ring{at[i][j], at[i+1][j], at[i+1][j+1], at[i][j+1]}
			own = append(own, geom.Polygon{ring})
			var o orb.Ring
			for _, p := range append(ring, ring[0]) {
				o = append(o, orb.Point{p.Lon(), p.Lat()})
			}
			theirs = append(theirs, orb.Polygon{o})
		}
	}
	return own, theirs, corners
}

// A point on a shared corner belongs to one parcel. orb gives it to several, or to none.
func TestContainmentIsAPartition(t *testing.T) {
	own, theirs, corners := tessellation()
	wrong := 0
	for _, c := range corners {
		ours, others := 0, 0
		for i := range own {
			if own[i].Contains(c) {
				ours++
			}
			if planar.PolygonContains(theirs[i], orb.Point{c.Lon(), c.Lat()}) {
				others++
			}
		}
		if ours != 1 {
			t.Errorf("%v lies in %d parcels", c, ours)
		}
		if others != 1 {
			wrong++
		}
	}
	t.Logf("orb gives %d of %d shared corners to none or to several parcels", wrong, len(corners))
	if wrong == 0 {
		t.Error("orb's containment is a partition now: docs/dependencies.md says otherwise")
	}
}

// Exterior rings of a vector tile are clockwise on the screen (area above 0, specification 4.3.4.4), and its
// version is 2. orb writes rings as they come, which is the other way for GeoJSON, and version 1.
func TestTilesOfGeoJSONAreWoundAsTheFormatWants(t *testing.T) {
	ring := orb.Ring{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}} // counterclockwise with y up, as RFC 7946 wants it
	for i := range ring {
		ring[i][1] = 4096 - ring[i][1] // in a tile y runs down
	}
	layer := &mvt.Layer{Name: "gst", Version: mvt.NewLayer("gst", geojson.NewFeatureCollection()).Version, Extent: 4096,
		Features: []*geojson.Feature{geojson.NewFeature(orb.Polygon{ring})}}
	b, err := mvt.Marshal(mvt.Layers{layer})
	if err != nil {
		t.Fatal(err)
	}
	tile, err := ownmvt.Decode(b, ownmvt.Limits{})
	if err == nil && tile.Layers[0].Version != 1 {
		t.Errorf("orb writes version %d now", tile.Layers[0].Version)
	}
	if area := tileArea(tile.Layers[0].Features[0].Parts[0]); area > 0 {
		t.Error("orb turns rings now: docs/dependencies.md says otherwise")
	}
}

// tileArea is twice the area of a ring as the format counts it.
func tileArea(ring []ownmvt.Point) (area int64) {
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		area += int64(p.X)*int64(q.Y) - int64(q.X)*int64(p.Y)
	}
	return area
}

func BenchmarkContainment(b *testing.B) {
	own, theirs, corners := tessellation()
	b.Run("this", func(b *testing.B) {
		i := 0
		for b.Loop() {
			own[i%len(own)].Contains(corners[i%len(corners)])
			i++
		}
	})
	b.Run("orb", func(b *testing.B) {
		i := 0
		for b.Loop() {
			c := corners[i%len(corners)]
			planar.PolygonContains(theirs[i%len(theirs)], orb.Point{c.Lon(), c.Lat()})
			i++
		}
	})
}

// BenchmarkGeoJSON is orb's writing of the features that BenchmarkGeoJSON20000 of shared/web/format writes.
func BenchmarkGeoJSON(b *testing.B) {
	_, polygons, _ := tessellation()
	fc := geojson.NewFeatureCollection()
	for i, p := range polygons {
		f := geojson.NewFeature(p)
		f.Properties = geojson.Properties{"id": "01004-1/2", "n": i, "area_sqm": 712.5, "flag": true}
		fc.Append(f)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fc.MarshalJSON(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(polygons)), "ns/row")
}
