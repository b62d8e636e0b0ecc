package kg

import (
	"math"
	"slices"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/builders/kg/tilecut"
	"mappe/infra/realdata"
	"mappe/infra/realdata/areas"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// umbach is the real KG 14168: parcels by number, and the whole's area in EPSG:3035.
func umbach(t testing.TB) (features []tilecut.Feature, sqm float64) {
	t.Helper()
	for _, f := range areas.Read(t, realdata.Path(t, "cadastre/kg14168_parcels_datum_corrected_wgs84.geojson")) {
		m := f.Geometry
		sqm += m.Area(crs.EqualArea)
		features = append(features, tilecut.Feature{Layer: "gst", Geometry: m, Attrs: []mvt.Attr{
			{Key: "kg", Value: mvt.Uint(14168)}, {Key: "gnr", Value: mvt.String(f.Properties.MustString("gnr"))},
			{Key: "ez", Value: mvt.Uint(uint64(f.Properties.MustInt("ez", 0)))},
			{Key: "rstatus", Value: mvt.String(f.Properties.MustString("status"))},
		}})
	}
	return features, sqm
}

func TestRealKGComesBack(t *testing.T) {
	features, want := umbach(t)
	box := geom.EmptyBox
	var numbers []string
	for _, f := range features {
		box = box.Union(f.Geometry.Bounds())
		numbers = append(numbers, f.Attrs[1].Value.Text())
	}
	s, rep, err := Assemble(t.Context(), Input{Code: "14168", Name: "Umbach", Box: box, Stichtag: "2011-01-01", Attribution: "© BEV, 2011",
		Tiles: memory{"kataster": cutTiles(t, features, 15, 4096, 80)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range s.Parcels {
		got = append(got, string(p.GNR))
	}
	slices.Sort(numbers)
	slices.Sort(got)
	if len(got) != 100 || !slices.Equal(numbers, got) {
		t.Errorf("want the 100 numbers of the file, got %d", len(got))
	}
	off := s.KG.TotalAreaSqm/want - 1
	overlap, gap := coverage(t, s.Outline, func(yield func(geom.MultiPolygon)) {
		for _, p := range s.Parcels {
			yield(p.Geometry)
		}
	}, s.KG.TotalAreaSqm)
	t.Logf("area %.1f m² of %.1f (%+.4f %%), overlap %.3f m², gaps %.3f m², %d corners set, repairs %v, %+v", s.KG.TotalAreaSqm, want,
		100*off, overlap, gap, rep.Junctions, s.Build.Repairs, *rep)
	if math.Abs(off) > 0.0002 {
		t.Errorf("area is off by %.4f %%", 100*off)
	}
	if overlap > 1 || gap > 1 {
		t.Errorf("overlap %.2f m², gaps %.2f m²: want at most 1 m²", overlap, gap)
	}
	for _, p := range s.Parcels {
		if f := p.Geometry.Check(); len(f) > 0 {
			t.Errorf("parcel %s: %v", p.GNR, f)
		}
	}
}

// coverage measures with an independent overlay how much parcels overlap, and what their union leaves
// open inside the outline.
func coverage(t testing.TB, outline geom.MultiPolygon, each func(func(geom.MultiPolygon)), sum float64) (overlap, gap float64) {
	t.Helper()
	var all []sf.Geometry
	each(func(m geom.MultiPolygon) { all = append(all, toSF(m)) })
	union, err := sf.UnionMany(all)
	if err != nil {
		t.Fatal(err)
	}
	area := 0.0
	for _, part := range union.Dump() {
		p := part.MustAsPolygon()
		area += ringArea(p.ExteriorRing())
		for i := range p.NumInteriorRings() {
			hole := ringArea(p.InteriorRingN(i))
			area -= hole
			gap += hole
		}
	}
	return sum - area, gap
}

func toSF(m geom.MultiPolygon) sf.Geometry {
	var polys []sf.Polygon
	for _, p := range m {
		var rings []sf.LineString
		for _, r := range p {
			var xy []float64
			for i := 0; i <= len(r); i++ {
				xy = append(xy, float64(r[i%len(r)].X), float64(r[i%len(r)].Y))
			}
			rings = append(rings, sf.NewLineString(sf.NewSequence(xy, sf.DimXY)))
		}
		polys = append(polys, sf.NewPolygon(rings))
	}
	return sf.NewMultiPolygon(polys).AsGeometry()
}

func ringArea(l sf.LineString) float64 {
	var r geom.Ring
	for q, i := l.Coordinates(), 0; i < q.Length()-1; i++ {
		r = append(r, geom.Point{X: int32(math.Round(q.GetXY(i).X)), Y: int32(math.Round(q.GetXY(i).Y))})
	}
	return math.Abs(r.SignedArea(crs.EqualArea))
}
