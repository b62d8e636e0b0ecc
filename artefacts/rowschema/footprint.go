package rowschema

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// FootprintRow is a building footprint of a KG, as a row; Parcel is the one that holds most of it, nil for
// none. The slices are room for the texts that are put together.
type FootprintRow struct {
	KG         *kgfile.KG
	F          *kgfile.Footprint
	Parcel     *kgfile.Parcel
	id, parcel []byte
}

// Footprint is the layer of building outlines. They can be drawn as their polygons or their centroid.
var Footprint = format.NewSchema("building_footprints", "Building footprints, land-use code 41 put together again.",
	format.Drawing[FootprintRow]{
		Point:    func(r *FootprintRow) geom.Point { return r.F.Centroid },
		Polygons: func(r *FootprintRow) geom.MultiPolygon { return r.F.Geometry },
	}, format.Fields[FootprintRow]{
		{Column: format.Column{Name: "footprint_id", Doc: "<kg_code>_fp_<n>; n counts within the snapshot."},
			Get: func(r *FootprintRow) format.Value {
				r.id = austria.FootprintID{KG: r.KG.Code, N: r.F.N}.AppendTo(r.id[:0])
				return format.Borrowed(r.id)
			}},
		{Column: kgCode, Get: func(r *FootprintRow) format.Value { return format.String(string(r.KG.Code)) }},
		{Column: parcelID, Get: func(r *FootprintRow) (v format.Value) {
			r.parcel, v = heldBy(r.parcel, r.KG, r.Parcel)
			return v
		}},
		{Column: areaSqm, Get: func(r *FootprintRow) format.Value { return format.Float(r.F.AreaSqm, sqm) }},
		{Column: format.Column{Name: "perimeter_m", Type: format.TypeFloat, Decimals: metres, Unit: "m", Doc: "Length of all rings."},
			Get: func(r *FootprintRow) format.Value { return format.Float(r.F.PerimeterM, metres) }},
		{Column: compactness, Get: func(r *FootprintRow) format.Value { return format.Float(r.F.Compactness, ratio) }},
		{Column: elongation, Get: func(r *FootprintRow) format.Value { return format.Float(r.F.Elongation, ratio) }},
		{Column: vertexCount, Get: func(r *FootprintRow) format.Value { return format.Int(int64(r.F.VertexCount)) }},
		{Column: format.Column{Name: "size_class", Enum: []string{"tiny", "small", "medium", "large", "xlarge"},
			Doc: "tiny under 30 m², small 30 to 100, medium 100 to 300, large 300 to 1000, xlarge from 1000."},
			Get: func(r *FootprintRow) format.Value { return format.Text(SizeName(r.F.Size)) }},
		{Column: format.Column{Name: "shape_class", Enum: []string{"rectangular", "regular", "lshaped", "complex"},
			Doc: "Shape of the footprint."},
			Get: func(r *FootprintRow) format.Value { return format.Text(ShapeName(r.F.Shape)) }},
		{Column: format.Column{Name: "ns_code", Type: format.TypeInt, Doc: "Land-use code of the source polygon."},
			Get: func(r *FootprintRow) format.Value { return landUseCode(r.F.NS) }},
		{Column: lon, Get: func(r *FootprintRow) format.Value { return format.Degrees(r.F.Centroid.X) }},
		{Column: lat, Get: func(r *FootprintRow) format.Value { return format.Degrees(r.F.Centroid.Y) }},
	})
