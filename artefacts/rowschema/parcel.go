package rowschema

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// Decimals of the numbers, the grid kgfile.Quantise puts them on.
const (
	sqm    = 2
	metres = 2
	ratio  = 4
)

// Columns that several row types share.
var (
	kgCode       = format.Column{Name: "kg_code", Doc: "Code of the Katastralgemeinde, 5 digits."}
	kgName       = format.Column{Name: "kg_name", Doc: "Name of the Katastralgemeinde."}
	gemeindeCode = format.Column{Name: "gemeinde_code", Doc: "Code of the municipality, 5 digits."}
	parcelID     = format.Column{Name: "parcel_id", Doc: "<kg_code>-<gnr>, the key of a parcel."}
	gnr          = format.Column{Name: "gnr", Doc: "Parcel number (Grundstücksnummer); a leading dot marks a building plot."}
	ez           = format.Column{Name: "ez", Type: format.TypeInt, Doc: "Land-register folio (Einlagezahl), unique within the KG."}
	status       = format.Column{Name: "status", Enum: []string{"E", "G"},
		Doc: "G when the boundary is held in the boundary cadastre (Grenzkataster), else E."}
	areaSqm = format.Column{Name: "area_sqm", Type: format.TypeFloat, Decimals: sqm, Unit: "m²",
		Doc: "Drawn area in the equal-area plane EPSG:3035; the register area may differ."}
	lon       = format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of the centroid, WGS84."}
	lat       = format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of the centroid, WGS84."}
	insideLon = format.Column{Name: "inside_lon", Type: format.TypeDegrees, Unit: "°",
		Doc: "Longitude of a point in the parcel, WGS84: where the centroid may lie beside it."}
	insideLat   = format.Column{Name: "inside_lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of that point, WGS84."}
	atLon       = format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude, WGS84."}
	atLat       = format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude, WGS84."}
	compactness = format.Column{Name: "compactness", Type: format.TypeFloat, Decimals: ratio,
		Doc: "4πA/P² of the largest part: 1.0 circle, 0.785 square."}
	elongation = format.Column{Name: "elongation", Type: format.TypeFloat, Decimals: ratio,
		Doc: "Long by short side of the smallest rotated box: 1.0 square, above 4 strip."}
	vertexCount = format.Column{Name: "vertex_count", Type: format.TypeInt, Doc: "Vertices of all rings, the closing one not counted."}
)

// ParcelRow is a parcel of a KG, as a row. The slices are room for the texts that are put together.
type ParcelRow struct {
	KG                 *kgfile.KG
	P                  *kgfile.Parcel
	Over               Over // of ParcelOverlay
	id, codes, summary []byte
}

// ID is the parcel's id.
func (r *ParcelRow) ID() string {
	return austria.ParcelID{KG: r.KG.Code, GNR: r.P.GNR}.String()
}

// Parcel is the layer of parcels. They can be drawn as their polygons or their centroid.
var Parcel = format.NewSchema("parcels", "Parcels (Grundstücke) with their metrics.", format.Drawing[ParcelRow]{
	Point:    func(r *ParcelRow) geom.Point { return r.P.Centroid },
	Polygons: func(r *ParcelRow) geom.MultiPolygon { return r.P.Geometry },
}, format.Fields[ParcelRow]{
	{Column: parcelID, Get: func(r *ParcelRow) format.Value {
		r.id = austria.ParcelID{KG: r.KG.Code, GNR: r.P.GNR}.AppendTo(r.id[:0])
		return format.Borrowed(r.id)
	}},
	{Column: kgCode, Get: func(r *ParcelRow) format.Value { return format.String(string(r.KG.Code)) }},
	{Column: gemeindeCode, Get: func(r *ParcelRow) format.Value { return format.Text(string(r.KG.GemeindeCode)) }},
	{Column: gnr, Get: func(r *ParcelRow) format.Value { return format.String(string(r.P.GNR)) }},
	{Column: ez, Get: func(r *ParcelRow) format.Value { return folio(r.P.EZ) }},
	{Column: status, Get: func(r *ParcelRow) format.Value { return format.Text(r.P.Status.String()) }},
	{Column: areaSqm, Get: func(r *ParcelRow) format.Value { return format.Float(r.P.AreaSqm, sqm) }},
	{Column: lon, Get: func(r *ParcelRow) format.Value { return format.Degrees(r.P.Centroid.X) }},
	{Column: lat, Get: func(r *ParcelRow) format.Value { return format.Degrees(r.P.Centroid.Y) }},
	{Column: format.Column{Name: "building_count", Type: format.TypeInt, Doc: "Address points on the parcel."},
		Get: func(r *ParcelRow) format.Value { return format.Int(int64(r.P.BuildingCount)) }},
	{Column: format.Column{Name: "footprint_count", Type: format.TypeInt, Doc: "Building footprints that lie mostly on the parcel."},
		Get: func(r *ParcelRow) format.Value { return format.Int(int64(r.P.FootprintCount)) }},
	{Column: format.Column{Name: "total_building_area_sqm", Type: format.TypeFloat, Decimals: sqm, Unit: "m²",
		Doc: "Footprint area on the parcel."},
		Get: func(r *ParcelRow) format.Value { return format.Float(r.P.BuildingAreaSqm, sqm) }},
	{Column: format.Column{Name: "landuse_codes", Doc: "Land-use codes of the parcel's symbols and areas, rising, comma-separated."},
		Get: func(r *ParcelRow) format.Value {
			r.codes = AppendLandUseCodes(r.codes[:0], r.P)
			return format.Borrowed(r.codes)
		}},
	{Column: format.Column{Name: "landuse_summary", Type: format.TypeJSON, Shape: map[string]int{},
		Doc: "Number of land-use symbols per code."},
		Get: func(r *ParcelRow) format.Value {
			r.summary = AppendLandUseSummary(r.summary[:0], r.P.SymbolCounts)
			return format.BorrowedJSON(r.summary)
		}},
	{Column: compactness, Get: func(r *ParcelRow) format.Value { return format.Float(r.P.Compactness, ratio) }},
	{Column: elongation, Get: func(r *ParcelRow) format.Value { return format.Float(r.P.Elongation, ratio) }},
	{Column: vertexCount, Get: func(r *ParcelRow) format.Value { return format.Int(int64(r.P.VertexCount)) }},
	{Column: format.Column{Name: "far", Type: format.TypeFloat, Decimals: ratio, Doc: "Footprint area by parcel area."},
		Get: func(r *ParcelRow) format.Value { return format.Float(r.P.FAR, ratio) }},
	{Column: format.Column{Name: "shape_class", Enum: []string{"regular", "moderate", "irregular", "complex", "strip"},
		Doc: "Shape of the parcel."},
		Get: func(r *ParcelRow) format.Value { return format.Text(ShapeName(r.P.Shape)) }},
	{Column: format.Column{Name: "dominant_landuse", Type: format.TypeInt,
		Doc: "Land-use code with the largest area, without areas the most frequent symbol."},
		Get: func(r *ParcelRow) format.Value { return landUseCode(r.P.DominantLandUse) }},
	{Column: format.Column{Name: "repairs",
		Doc: "What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was."},
		Get: func(r *ParcelRow) format.Value { return format.Text(RepairNames(r.P.Repairs)) }},
})

// folio is null when no folio is known.
func folio(e austria.EZ) format.Value {
	if e == 0 {
		return format.Null
	}
	return format.Int(int64(e))
}

// ParcelAt is the parcel with an index, nil where the index names none: features outside every parcel of
// their KG have -1.
func ParcelAt(parcels []kgfile.Parcel, i int32) *kgfile.Parcel {
	if i < 0 || int(i) >= len(parcels) {
		return nil
	}
	return &parcels[i]
}

// heldBy is the id of the parcel that holds a feature, put together in b; null and b emptied without one.
func heldBy(b []byte, kg *kgfile.KG, p *kgfile.Parcel) ([]byte, format.Value) {
	b = b[:0]
	if p != nil {
		b = austria.ParcelID{KG: kg.Code, GNR: p.GNR}.AppendTo(b)
	}
	return b, format.Borrowed(b)
}
