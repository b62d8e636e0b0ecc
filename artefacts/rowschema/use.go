package rowschema

import (
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// Columns of both land-use layers.
var (
	landUseID = format.Column{Name: "landuse_id",
		Doc: "<kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot."}
	useCode = format.Column{Name: "code", Type: format.TypeInt, Doc: "Land-use code (Nutzungscode), 2 digits."}
	useAbbr = format.Column{Name: "abbr", Doc: "Abbreviation of the code."}
	useName = format.Column{Name: "type_name", Doc: "German name of the code."}
)

// numbered is <kg_code><kind><n>, put together in b.
func numbered(b []byte, kg *kgfile.KG, kind string, n int) []byte {
	return strconv.AppendInt(append(append(b[:0], kg.Code...), kind...), int64(n), 10)
}

// LabelRow is a label of a KG, as a row.
type LabelRow struct {
	KG *kgfile.KG
	L  *kgfile.Label
	id []byte
}

// Label is the layer of parcel numbers as the map prints them.
var Label = format.NewSchema("labels", "Parcel-number labels of the map.", format.Drawing[LabelRow]{
	Point: func(r *LabelRow) geom.Point { return r.L.At },
}, format.Fields[LabelRow]{
	{Column: parcelID, Get: func(r *LabelRow) format.Value {
		r.id = austria.ParcelID{KG: r.KG.Code, GNR: r.L.GNR}.AppendTo(r.id[:0])
		return format.Borrowed(r.id)
	}},
	{Column: kgCode, Get: func(r *LabelRow) format.Value { return format.String(string(r.KG.Code)) }},
	{Column: gnr, Get: func(r *LabelRow) format.Value { return format.String(string(r.L.GNR)) }},
	{Column: status, Get: func(r *LabelRow) format.Value { return format.Text(r.L.Status.String()) }},
	{Column: format.Column{Name: "rotation", Type: format.TypeFloat, Decimals: 2, Unit: "°",
		Doc: "Rotation of the label as the source gives it."},
		Get: func(r *LabelRow) format.Value { return format.Float(r.L.Rotation, 2) }},
	{Column: atLon, Get: func(r *LabelRow) format.Value { return format.Degrees(r.L.At.X) }},
	{Column: atLat, Get: func(r *LabelRow) format.Value { return format.Degrees(r.L.At.Y) }},
})

// LandUsePolygonRow is a land-use area of a KG, as a row; N counts from 1 in the snapshot's order.
type LandUsePolygonRow struct {
	KG *kgfile.KG
	U  *kgfile.LandUseArea
	N  int
	id []byte
}

// LandUsePolygon is the layer of land-use areas.
var LandUsePolygon = format.NewSchema("landuse_polygons", "Land-use areas put together again (source nfl).",
	format.Drawing[LandUsePolygonRow]{
		Point:    func(r *LandUsePolygonRow) geom.Point { return r.U.Inside },
		Polygons: func(r *LandUsePolygonRow) geom.MultiPolygon { return r.U.Geometry },
	}, format.Fields[LandUsePolygonRow]{
		{Column: landUseID, Get: func(r *LandUsePolygonRow) format.Value {
			r.id = numbered(r.id, r.KG, "_lu_", r.N)
			return format.Borrowed(r.id)
		}},
		{Column: kgCode, Get: func(r *LandUsePolygonRow) format.Value { return format.String(string(r.KG.Code)) }},
		{Column: useCode, Get: func(r *LandUsePolygonRow) format.Value { return landUseCode(r.U.NS) }},
		{Column: useAbbr, Get: func(r *LandUsePolygonRow) format.Value { return format.Text(r.U.NS.Abbr()) }},
		{Column: useName, Get: func(r *LandUsePolygonRow) format.Value { return format.Text(r.U.NS.Name()) }},
		{Column: areaSqm, Get: func(r *LandUsePolygonRow) format.Value { return format.Float(r.U.AreaSqm, sqm) }},
		{Column: format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of a point on the surface, WGS84."},
			Get: func(r *LandUsePolygonRow) format.Value { return format.Degrees(r.U.Inside.X) }},
		{Column: format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of a point on the surface, WGS84."},
			Get: func(r *LandUsePolygonRow) format.Value { return format.Degrees(r.U.Inside.Y) }},
	})

// LandUsePointRow is a land-use symbol of a KG, as a row; N counts from 1 in the snapshot's order, Parcel is
// nil outside every parcel.
type LandUsePointRow struct {
	KG         *kgfile.KG
	S          *kgfile.Symbol
	Parcel     *kgfile.Parcel
	N          int
	id, parcel []byte
}

// LandUsePoint is the layer of land-use symbols.
var LandUsePoint = format.NewSchema("landuse_points", "Land-use symbols of the map (source nsy).", format.Drawing[LandUsePointRow]{
	Point: func(r *LandUsePointRow) geom.Point { return r.S.At },
}, format.Fields[LandUsePointRow]{
	{Column: landUseID, Get: func(r *LandUsePointRow) format.Value {
		r.id = numbered(r.id, r.KG, "_sy_", r.N)
		return format.Borrowed(r.id)
	}},
	{Column: kgCode, Get: func(r *LandUsePointRow) format.Value { return format.String(string(r.KG.Code)) }},
	{Column: parcelID, Get: func(r *LandUsePointRow) (v format.Value) {
		r.parcel, v = heldBy(r.parcel, r.KG, r.Parcel)
		return v
	}},
	{Column: useCode, Get: func(r *LandUsePointRow) format.Value { return landUseCode(r.S.NS) }},
	{Column: useAbbr, Get: func(r *LandUsePointRow) format.Value { return format.Text(r.S.NS.Abbr()) }},
	{Column: useName, Get: func(r *LandUsePointRow) format.Value { return format.Text(r.S.NS.Name()) }},
	{Column: atLon, Get: func(r *LandUsePointRow) format.Value { return format.Degrees(r.S.At.X) }},
	{Column: atLat, Get: func(r *LandUsePointRow) format.Value { return format.Degrees(r.S.At.Y) }},
})
