package kgdocs

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Decimals of the numbers, the grid kgfile.Quantise puts them on.
const (
	sqm    = 2
	metres = 2
	ratio  = 4
)

// Columns that several kinds share.
var (
	kgCode       = format.Column{Name: "kg_code", Doc: "Code of the Katastralgemeinde, 5 digits."}
	gemeindeCode = format.Column{Name: "gemeinde_code", Doc: "Code of the municipality, 5 digits."}
	parcelID     = format.Column{Name: "parcel_id", Doc: "<kg_code>-<gnr>, the key of a parcel."}
	gnr          = format.Column{Name: "gnr", Doc: "Parcel number (Grundstücksnummer); a leading dot marks a building plot."}
	ez           = format.Column{Name: "ez", Type: format.TypeInt, Doc: "Land-register folio (Einlagezahl), unique within the KG."}
	status       = format.Column{Name: "status", Enum: []string{"E", "G"}, Doc: "G when the boundary is held in the boundary cadastre (Grenzkataster), else E."}
	areaSqm      = format.Column{Name: "area_sqm", Type: format.TypeFloat, Decimals: sqm, Unit: "m²", Doc: "Drawn area in the equal-area plane EPSG:3035; the register area may differ."}
	lon          = format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of the centroid, WGS84."}
	lat          = format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of the centroid, WGS84."}
	atLon        = format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude, WGS84."}
	atLat        = format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude, WGS84."}
	compactness  = format.Column{Name: "compactness", Type: format.TypeFloat, Decimals: ratio, Doc: "4πA/P² of the largest part: 1.0 circle, 0.785 square."}
	elongation   = format.Column{Name: "elongation", Type: format.TypeFloat, Decimals: ratio, Doc: "Long by short side of the smallest rotated box: 1.0 square, above 4 strip."}
	vertexCount  = format.Column{Name: "vertex_count", Type: format.TypeInt, Doc: "Vertices of all rings, the closing one not counted."}
)

// Parcel is the layer of parcels.
var Parcel = format.NewKind("parcels", "Parcels (Grundstücke) with their metrics.", format.ShapeMultiPolygon,
	parcelID, kgCode, gemeindeCode, gnr, ez, status, areaSqm, lon, lat,
	format.Column{Name: "building_count", Type: format.TypeInt, Doc: "Address points on the parcel."},
	format.Column{Name: "footprint_count", Type: format.TypeInt, Doc: "Building footprints that lie mostly on the parcel."},
	format.Column{Name: "total_building_area_sqm", Type: format.TypeFloat, Decimals: sqm, Unit: "m²", Doc: "Footprint area on the parcel."},
	format.Column{Name: "landuse_codes", Doc: "Land-use codes of the parcel's symbols and areas, rising, comma-separated."},
	format.Column{Name: "landuse_summary", Type: format.TypeJSON, Shape: map[string]int{}, Doc: "Number of land-use symbols per code."},
	compactness, elongation, vertexCount,
	format.Column{Name: "far", Type: format.TypeFloat, Decimals: ratio, Doc: "Footprint area by parcel area."},
	format.Column{Name: "shape_class", Enum: []string{"regular", "moderate", "irregular", "complex", "strip"}, Doc: "Shape of the parcel."},
	format.Column{Name: "dominant_landuse", Type: format.TypeInt, Doc: "Land-use code with the largest area, without areas the most frequent symbol."},
	format.Column{Name: "repairs", Doc: "What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was."},
)

// ParcelRow is one row of Parcel.
type ParcelRow struct {
	KG *kgfile.KG
	P  *kgfile.Parcel
}

// ID is the parcel's id.
func (r *ParcelRow) ID() string {
	return austria.ParcelID{KG: r.KG.Code, GNR: r.P.GNR}.String()
}

// Kind is Parcel.
func (r *ParcelRow) Kind() *format.Kind { return Parcel }

// Geometry is the parcel's polygons.
func (r *ParcelRow) Geometry() format.Geometry { return format.PolygonGeometry(r.P.Geometry) }

// Value is the value of a column of Parcel.
func (r *ParcelRow) Value(column int) format.Value {
	p := r.P
	switch column {
	case 0:
		return format.String(r.ID())
	case 1:
		return format.String(string(r.KG.Code))
	case 2:
		return format.Text(string(r.KG.GemeindeCode))
	case 3:
		return format.String(string(p.GNR))
	case 4:
		return folio(p.EZ)
	case 5:
		return format.Text(p.Status.String())
	case 6:
		return format.Float(p.AreaSqm, sqm)
	case 7:
		return format.Degrees(p.Centroid.X)
	case 8:
		return format.Degrees(p.Centroid.Y)
	case 9:
		return format.Int(int64(p.BuildingCount))
	case 10:
		return format.Int(int64(p.FootprintCount))
	case 11:
		return format.Float(p.BuildingAreaSqm, sqm)
	case 12:
		return format.Text(LandUseCodes(p))
	case 13:
		return format.RawJSON(LandUseSummary(p.SymbolCounts))
	case 14:
		return format.Float(p.Compactness, ratio)
	case 15:
		return format.Float(p.Elongation, ratio)
	case 16:
		return format.Int(int64(p.VertexCount))
	case 17:
		return format.Float(p.FAR, ratio)
	case 18:
		return format.Text(ShapeName(p.Shape))
	case 19:
		return landUseCode(p.DominantLandUse)
	case 20:
		return format.Text(RepairNames(p.Repairs))
	}
	return format.Null
}

// folio is null when no folio is known.
func folio(e austria.EZ) format.Value {
	if e == 0 {
		return format.Null
	}
	return format.Int(int64(e))
}
