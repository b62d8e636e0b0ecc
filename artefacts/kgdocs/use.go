package kgdocs

import (
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/shared/web/format"
)

// Columns of both land-use layers.
var (
	landUseID = format.Column{Name: "landuse_id", Doc: "<kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot."}
	useCode   = format.Column{Name: "code", Type: format.TypeInt, Doc: "Land-use code (Nutzungscode), 2 digits."}
	useAbbr   = format.Column{Name: "abbr", Doc: "Abbreviation of the code."}
	useName   = format.Column{Name: "type_name", Doc: "German name of the code."}
)

// Label is the layer of parcel numbers as the map prints them.
var Label = format.NewKind("labels", "Parcel-number labels of the map.", format.ShapePoint,
	parcelID, kgCode, gnr, status,
	format.Column{Name: "rotation", Type: format.TypeFloat, Decimals: 2, Unit: "°", Doc: "Rotation of the label as the source gives it."},
	atLon, atLat,
)

// LabelRow is one row of Label.
type LabelRow struct {
	KG *kgfile.KG
	L  *kgfile.Label
}

// Kind is Label.
func (r *LabelRow) Kind() *format.Kind { return Label }

// Geometry is the label's position.
func (r *LabelRow) Geometry() format.Geometry { return format.PointGeometry(r.L.At) }

// Value is the value of a column of Label.
func (r *LabelRow) Value(column int) format.Value {
	l := r.L
	switch column {
	case 0:
		return format.String(string(r.KG.Code) + "-" + string(l.GNR))
	case 1:
		return format.String(string(r.KG.Code))
	case 2:
		return format.String(string(l.GNR))
	case 3:
		return format.Text(l.Status.String())
	case 4:
		return format.Float(l.Rotation, 2)
	case 5:
		return format.Degrees(l.At.X)
	case 6:
		return format.Degrees(l.At.Y)
	}
	return format.Null
}

// LandUsePolygon is the layer of land-use areas.
var LandUsePolygon = format.NewKind("landuse_polygons", "Land-use areas put together again (source nfl).", format.ShapeMultiPolygon,
	landUseID, kgCode, useCode, useAbbr, useName, areaSqm,
	format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of a point on the surface, WGS84."},
	format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of a point on the surface, WGS84."},
)

// LandUsePolygonRow is one row of LandUsePolygon; N counts from 1 in the snapshot's order.
type LandUsePolygonRow struct {
	KG *kgfile.KG
	U  *kgfile.LandUseArea
	N  int
}

// Kind is LandUsePolygon.
func (r *LandUsePolygonRow) Kind() *format.Kind { return LandUsePolygon }

// Geometry is the area's polygons.
func (r *LandUsePolygonRow) Geometry() format.Geometry { return format.PolygonGeometry(r.U.Geometry) }

// Value is the value of a column of LandUsePolygon.
func (r *LandUsePolygonRow) Value(column int) format.Value {
	u := r.U
	switch column {
	case 0:
		return format.String(string(r.KG.Code) + "_lu_" + strconv.Itoa(r.N))
	case 1:
		return format.String(string(r.KG.Code))
	case 2:
		return landUseCode(u.NS)
	case 3:
		return format.Text(u.NS.Abbr())
	case 4:
		return format.Text(u.NS.Name())
	case 5:
		return format.Float(u.AreaSqm, sqm)
	case 6:
		return format.Degrees(u.Inside.X)
	case 7:
		return format.Degrees(u.Inside.Y)
	}
	return format.Null
}

// LandUsePoint is the layer of land-use symbols.
var LandUsePoint = format.NewKind("landuse_points", "Land-use symbols of the map (source nsy).", format.ShapePoint,
	landUseID, kgCode, parcelID, useCode, useAbbr, useName, atLon, atLat,
)

// LandUsePointRow is one row of LandUsePoint; N counts from 1 in the snapshot's order, Parcel is nil
// outside every parcel.
type LandUsePointRow struct {
	KG     *kgfile.KG
	S      *kgfile.Symbol
	Parcel *kgfile.Parcel
	N      int
}

// Kind is LandUsePoint.
func (r *LandUsePointRow) Kind() *format.Kind { return LandUsePoint }

// Geometry is the symbol's position.
func (r *LandUsePointRow) Geometry() format.Geometry { return format.PointGeometry(r.S.At) }

// Value is the value of a column of LandUsePoint.
func (r *LandUsePointRow) Value(column int) format.Value {
	s := r.S
	switch column {
	case 0:
		return format.String(string(r.KG.Code) + "_sy_" + strconv.Itoa(r.N))
	case 1:
		return format.String(string(r.KG.Code))
	case 2:
		return parcelOf(r.KG, r.Parcel)
	case 3:
		return landUseCode(s.NS)
	case 4:
		return format.Text(s.NS.Abbr())
	case 5:
		return format.Text(s.NS.Name())
	case 6:
		return format.Degrees(s.At.X)
	case 7:
		return format.Degrees(s.At.Y)
	}
	return format.Null
}
