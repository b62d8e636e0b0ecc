// Package areas reads GeoJSON of areas with a library of others, orb, so that tests have real shapes independently of
// the project's own readers. It is imported by tests only.
package areas

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"mappe/shared/geo/geom"
)

// Area is a feature: its polygons as they are drawn, rings open.
type Area struct {
	Geometry   geom.MultiPolygon
	Properties geojson.Properties
}

// Text is a property as text.
func (a Area) Text(name string) string { return fmt.Sprint(a.Properties[name]) }

// Read reads a file of polygons and multipolygons.
func Read(t testing.TB, file string) []Area {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fc geojson.FeatureCollection
	if err := json.Unmarshal(b, &fc); err != nil {
		t.Fatal(err)
	}
	out := make([]Area, len(fc.Features))
	for i, f := range fc.Features {
		out[i] = Area{multiPolygon(f.Geometry), f.Properties}
	}
	return out
}

func multiPolygon(g orb.Geometry) (out geom.MultiPolygon) {
	all, ok := g.(orb.MultiPolygon)
	if !ok {
		all = orb.MultiPolygon{g.(orb.Polygon)}
	}
	for _, p := range all {
		var q geom.Polygon
		for _, r := range p {
			var ring geom.Ring
			for _, v := range r[:len(r)-1] {
				at, _ := geom.PointAt(v[0], v[1])
				ring = append(ring, at)
			}
			q = append(q, ring)
		}
		out = append(out, q)
	}
	return out
}
