package forms

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// The drawn parcels of a real KG, Umbach, come back from all five forms.
func TestParityOfARealKG(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "cadastre/kg14168_parcels_datum_corrected_wgs84.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Features []struct {
			Properties struct {
				GNR    string  `json:"gnr"`
				EZ     uint32  `json:"ez"`
				Status string  `json:"status"`
				Area   float64 `json:"area_shape_sqm"`
			}
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "14168", Name: "Umbach", GemeindeCode: "31507", Box: geom.EmptyBox}, Build: kgfile.Build{Stichtag: "2011-01-01", Source: "© BEV, 2011", AssemblyVersion: "tile_partition_v1", IngestGeneration: "tile_partition_v1"}}
	for _, f := range doc.Features {
		var parts [][][][2]float64
		if f.Geometry.Type == "Polygon" {
			parts = make([][][][2]float64, 1)
			err = json.Unmarshal(f.Geometry.Coordinates, &parts[0])
		} else {
			err = json.Unmarshal(f.Geometry.Coordinates, &parts)
		}
		if err != nil {
			t.Fatal(err)
		}
		var m geom.MultiPolygon
		for _, part := range parts {
			var p geom.Polygon
			for _, ring := range part {
				var r geom.Ring
				for _, c := range ring[:len(ring)-1] {
					r = append(r, geom.Point{X: int32(math.Round(c[0] * 1e7)), Y: int32(math.Round(c[1] * 1e7))})
				}
				p = append(p, r)
			}
			m = append(m, p)
		}
		at := m[0][0][0]
		status, _ := austria.ParseStatus(f.Properties.Status)
		s.KG.Box = s.KG.Box.Union(m.Bounds())
		s.Parcels = append(s.Parcels, kgfile.Parcel{GNR: austria.GNR(f.Properties.GNR), EZ: austria.EZ(f.Properties.EZ), Status: status, AreaSqm: f.Properties.Area, Geometry: m, Centroid: at, Inside: at, VertexCount: m.Vertices(), Compactness: math.NaN(), Elongation: math.NaN(), FAR: math.NaN()})
	}
	s.KG.ParcelCount = len(s.Parcels)
	files, err := Write(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := Parity(s, files); err != nil {
		t.Error(err)
	}
	if len(s.Parcels) != 100 {
		t.Errorf("%d parcels, want 100", len(s.Parcels))
	}
}
