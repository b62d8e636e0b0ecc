package ne

import (
	"testing"

	// orb reads the real KG independently of the project's own readers; only tests use it.

	"mappe/artefacts/kgfile"
	"mappe/artefacts/ne"
	"mappe/infra/realdata"
	"mappe/infra/realdata/areas"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// umbach is the real KG 14168 with its parcels; of land use and buildings there is no real file.
func umbach(t testing.TB) *kgfile.Snapshot {
	t.Helper()
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "14168", Name: "Umbach", GemeindeCode: "31507", Box: geom.EmptyBox},
		Build: kgfile.Build{Stichtag: "2011-01-01", Source: "© BEV, 2011", AssemblyVersion: "tile_partition_v1",
			IngestGeneration: "tile_partition_v1"}}
	for _, f := range areas.Read(t, realdata.Path(t, "cadastre/kg14168_parcels_datum_corrected_wgs84.geojson")) {
		p := kgfile.Parcel{GNR: austria.GNR(f.Properties.MustString("gnr")), EZ: austria.EZ(f.Properties.MustInt("ez", 0)),
			Geometry: f.Geometry.Normalise()}
		var err error
		if p.Status, err = austria.ParseStatus(f.Properties.MustString("status")); err != nil {
			t.Fatal(err)
		}
		p.AreaSqm = p.Geometry.Area(crs.EqualArea)
		p.Inside, _ = p.Geometry.Inside()
		p.Centroid, _ = p.Geometry.Centroid()
		s.Parcels = append(s.Parcels, p)
		s.KG.Box = s.KG.Box.Union(p.Geometry.Bounds())
	}
	return s
}

// Every row of a real KG is what the slow reference says.
func TestARealKGBesideTheReference(t *testing.T) {
	s := umbach(t)
	b, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := Build(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, n := slow(s), 0
	for _, r := range parsed(layers[0].Chunks) {
		w.judge(t, "14168", r)
		n++
	}
	for _, c := range layers[1].Chunks {
		for at := 0; at < len(c.Rows); at += ne.KBytes {
			w.judgeUnits(t, ne.ParseK(c.Rows[at:]))
			n++
		}
	}
	if n < 2500 {
		t.Errorf("%d rows of 0.77 km²", n)
	}
}
