package dkm_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/paulmach/orb" // orb reads real files independently of the project's own readers
	"github.com/paulmach/orb/geojson"

	"mappe/shared/geo/geom"
)

type area struct {
	geometry geom.MultiPolygon
	props    map[string]any
}

func (a *area) text(name string) string { return fmt.Sprint(a.props[name]) }

func geojsonAreas(t *testing.T, b []byte) (out []area) {
	t.Helper()
	var fc geojson.FeatureCollection
	if err := json.Unmarshal(b, &fc); err != nil {
		t.Fatal(err)
	}
	for _, f := range fc.Features {
		all, ok := f.Geometry.(orb.MultiPolygon)
		if !ok {
			all = orb.MultiPolygon{f.Geometry.(orb.Polygon)}
		}
		var m geom.MultiPolygon
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
			m = append(m, q)
		}
		out = append(out, area{m, f.Properties})
	}
	return out
}
