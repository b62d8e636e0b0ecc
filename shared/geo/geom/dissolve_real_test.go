package geom_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"mappe/infra/oracles"
	"mappe/infra/realdata"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// readAreas reads the polygons of a GeoJSON file, repaired on the grid.
func readAreas(t testing.TB, name string) (out []geom.MultiPolygon) {
	t.Helper()
	b, err := os.ReadFile(realdata.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Features []struct {
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Features {
		var parts [][][][]float64
		switch f.Geometry.Type {
		case "Polygon":
			parts = make([][][][]float64, 1)
			err = json.Unmarshal(f.Geometry.Coordinates, &parts[0])
		case "MultiPolygon":
			err = json.Unmarshal(f.Geometry.Coordinates, &parts)
		default:
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var m geom.MultiPolygon
		for _, p := range parts {
			var q geom.Polygon
			for _, r := range p {
				var ring geom.Ring
				for _, v := range r {
					if g, ok := geom.PointAt(v[0], v[1]); ok {
						ring = append(ring, g)
					}
				}
				q = append(q, ring)
			}
			m = append(m, q)
		}
		r, err := m.Repair()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Geometry)
	}
	return out
}

// The parcels of a real cadastral community and the communities of a real state become one outline each:
// valid, and as large as their sum.
func TestDissolveRealAreas(t *testing.T) {
	for _, name := range []string{"cadastre/kg14168_parcels_datum_corrected_wgs84.geojson", "admin/salzburg_kg_vgd50_wgs84.geojson"} {
		areas := readAreas(t, name)
		sum, all := 0.0, geom.EmptyBox
		for _, m := range areas {
			all = all.Union(m.Bounds())
		}
		plane := crs.Around(all.Center())
		for _, m := range areas {
			sum += m.Area(plane.Project)
		}
		for _, snap := range []int32{0, 2, 10} {
			m, err := geom.Dissolve(areas, snap)
			if err != nil {
				t.Fatalf("%s, snap %d: %v", name, snap, err)
			}
			if f := m.Validate(); f != nil {
				t.Fatalf("%s, snap %d: %v", name, snap, f)
			}
			for _, why := range oracles.Invalid(t, []geom.MultiPolygon{m}) {
				t.Errorf("%s, snap %d: GEOS: %s", name, snap, why)
			}
			got := m.Area(plane.Project)
			if len(m) != 1 || len(m[0]) != 1 || math.Abs(got-sum) > 1e-9*sum {
				t.Errorf("%s, snap %d: want one ring and %.0f m², got %d parts, %d rings, %.0f m²", name, snap, sum, len(m), len(m.Rings()),
					got)
			}
		}
	}
}

func BenchmarkDissolveRealAreas(b *testing.B) {
	for _, name := range []string{"cadastre/kg14168_parcels_datum_corrected_wgs84.geojson", "admin/salzburg_kg_vgd50_wgs84.geojson"} {
		areas := readAreas(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := geom.Dissolve(areas, 2); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
