package forms

import (
	"math"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/infra/realdata"
	"mappe/infra/realdata/areas"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// The drawn parcels of a real KG, Umbach, come back from all five forms.
func TestParityOfARealKG(t *testing.T) {
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "14168", Name: "Umbach", GemeindeCode: "31507", Box: geom.EmptyBox},
		Build: kgfile.Build{Stichtag: "2011-01-01", Source: "© BEV, 2011", AssemblyVersion: "tile_partition_v1",
			IngestGeneration: "tile_partition_v1"}}
	for _, f := range areas.Read(t, realdata.Path(t, "cadastre/kg14168_parcels_datum_corrected_wgs84.geojson")) {
		m, p := f.Geometry, f.Properties
		at := m[0][0][0]
		status, _ := austria.ParseStatus(p.MustString("status"))
		s.KG.Box = s.KG.Box.Union(m.Bounds())
		s.Parcels = append(s.Parcels, kgfile.Parcel{GNR: austria.GNR(p.MustString("gnr")), EZ: austria.EZ(p.MustInt("ez", 0)),
			Status: status, AreaSqm: p.MustFloat64("area_shape_sqm"), Geometry: m, Centroid: at, Inside: at, VertexCount: m.Vertices(),
			Compactness: math.NaN(), Elongation: math.NaN(), FAR: math.NaN()})
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
