package forms

import (
	"math"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

func square(x, y, d int32) geom.Ring {
	return geom.Ring{{X: x, Y: y}, {X: x + d, Y: y}, {X: x + d, Y: y + d}, {X: x, Y: y + d}}
}

func hole(x, y, d int32) geom.Ring {
	return geom.Ring{{X: x, Y: y}, {X: x, Y: y + d}, {X: x + d, Y: y + d}, {X: x + d, Y: y}}
}

// sample is a small KG with everything that is special: a hole, several parts, a dotted number, a
// number with a slash, no folio, no status, a parcel without area, rows outside every parcel, texts
// that need escaping, and metrics that are not known.
func sample() *kgfile.Snapshot {
	const x, y = 156000000, 484000000
	s := &kgfile.Snapshot{
		KG: kgfile.KG{Code: "99901", Name: `Ober"dorf`, GemeindeCode: "30101", GemeindeName: "Krems", DistrictName: "Krems",
			Box:         geom.Box{MinX: x, MinY: y, MaxX: x + 90000, MaxY: y + 30000},
			ParcelCount: 4, BuildingCount: 3, FootprintCount: 1, LandUseCount: 4, AvgNNDistanceM: math.NaN(), FootprintMedianAreaSqm: 10,
			MedianParcelAreaSqm: 4, EZCount: 1, TotalAreaSqm: 812.34, Typology: kgfile.RuralSettled},
		Parcels: []kgfile.Parcel{
			{GNR: "1", EZ: 12, Status: 'G', Geometry: geom.MultiPolygon{{square(x, y, 30000), hole(x+5000, y+5000, 9000)}}, AreaSqm: 600.25,
				Centroid: geom.Point{X: x + 15001, Y: y + 15002}, Inside: geom.Point{X: x + 20000, Y: y + 20000},
				BuildingCount: 2, FootprintCount: 1, BuildingAreaSqm: 55.5, Compactness: 0.785, Elongation: 1, VertexCount: 8, FAR: 0.0925,
				Shape: kgfile.ShapeRegular, DominantLandUse: 41,
				SymbolCounts: []kgfile.CodeCount{{Code: 41, N: 2}, {Code: 83, N: 1}}, UseAreas: []kgfile.CodeArea{{Code: 41, Sqm: 55.5},
					{Code: 48, Sqm: 500}}},
			{GNR: ".7", EZ: 12, Status: 'E', Geometry: geom.MultiPolygon{{square(x+5000, y+5000, 9000)}}, AreaSqm: 100,
				Centroid: geom.Point{X: x + 9500, Y: y + 9500}, Inside: geom.Point{X: x + 9500, Y: y + 9500}, VertexCount: 4,
				Compactness: 0.785, Elongation: 1, Shape: kgfile.ShapeRegular, Repairs: kgfile.RepairRingOrder | kgfile.RepairNoLabel},
			{GNR: "123/4", Geometry: geom.MultiPolygon{{square(x+40000, y, 10000)},
				{square(x+60000, y, 30000), hole(x+61000, y+1000, 5000)}}, AreaSqm: 112.09,
				Centroid: geom.Point{X: x + 70000, Y: y + 12000}, Inside: geom.Point{X: x + 70000, Y: y + 12000}, VertexCount: 12,
				Compactness: 0.5, Elongation: 4.25, Shape: kgfile.ShapeStrip,
				SymbolCounts: []kgfile.CodeCount{{Code: 57, N: 1}}},
			{GNR: "9", EZ: 3, Status: 'E', Centroid: geom.Point{X: x + 1, Y: y + 1}, Inside: geom.Point{X: x + 1, Y: y + 1},
				Compactness: math.NaN(), Elongation: math.NaN(), FAR: math.NaN(), Repairs: kgfile.RepairDegenerate},
		},
		Build: kgfile.Build{Stichtag: "2026-10-01", AssemblyVersion: "tile_partition_v1", IngestGeneration: "tile_partition_v1",
			Source: "© BEV, 2026", SourceTiles: 2, SourceParcels: 4, SourceLabels: 3},
	}
	s.Buildings = []kgfile.Building{
		{Parcel: 0, HouseNumber: "5a", Street: `Weg "am <Bach>" & Söhne`, PLZ: "3500", Ort: "Krems", ObjectType: "Wohngebäude",
			At: geom.Point{X: x + 100, Y: y + 200}},
		{Parcel: 0, HouseNumber: "6", PLZ: "3500", Ort: "Krems", At: geom.Point{X: x + 300, Y: y + 200}},
		{Parcel: -1, At: geom.Point{X: x - 300, Y: y + 200}},
	}
	for i := range s.Buildings {
		s.Buildings[i].ID.ADRCD, s.Buildings[i].ID.SUBCD = 5000090, uint32(i+1)
	}
	s.Footprints = []kgfile.Footprint{{N: 1, Parcel: 0, Geometry: geom.MultiPolygon{{square(x+100, y+100, 2000), hole(x+200, y+200, 500)}},
		AreaSqm: 55.5, PerimeterM: 31.25, Compactness: 0.785, Elongation: 1, VertexCount: 8, Size: kgfile.SizeSmall,
		Shape: kgfile.ShapeRectangular, NS: 41, Centroid: geom.Point{X: x + 1100, Y: y + 1100},
		Inside: geom.Point{X: x + 1900, Y: y + 1900}}}
	s.LandUse = []kgfile.LandUseArea{{NS: 41, Geometry: s.Footprints[0].Geometry, AreaSqm: 55.5, Inside: s.Footprints[0].Inside},
		{NS: 48, Geometry: geom.MultiPolygon{{square(x+2000, y+2000, 3000)}}, AreaSqm: 500, Inside: geom.Point{X: x + 3000, Y: y + 3000}}}
	s.Symbols = []kgfile.Symbol{{NS: 57, Parcel: -1, At: geom.Point{X: x - 7, Y: y - 9}},
		{NS: 41, Parcel: 0, At: geom.Point{X: x + 7, Y: y + 9}}}
	s.Labels = []kgfile.Label{{GNR: ".7", Status: 'E', At: geom.Point{X: x + 9000, Y: y + 9000}},
		{GNR: "1", Status: 'G', Rotation: 12.5, At: geom.Point{X: x + 20000, Y: y + 20000}}}
	s.Outline = geom.MultiPolygon{{square(x, y, 30000)}, {square(x+40000, y, 10000)},
		{square(x+60000, y, 30000), hole(x+61000, y+1000, 5000)}}
	kgfile.Quantise(s)
	return s
}

func wkbOf(m geom.MultiPolygon) []byte {
	return format.AppendWKB(nil, format.PolygonGeometry(m), format.Projection{})
}
