package kgdocs

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Building is the layer of address points.
var Building = format.NewKind("buildings", "Address points of the address register.", format.ShapePoint,
	format.Column{Name: "building_id", Doc: "<ADRCD>-<SUBCD> of the address register."},
	kgCode, gemeindeCode, parcelID, ez,
	format.Column{Name: "house_number", Doc: "House number with its letter."},
	format.Column{Name: "street", Doc: "Street, or the locality where streets have no names."},
	format.Column{Name: "postal_code", Doc: "Postal code (PLZ), 4 digits; never a join key."},
	format.Column{Name: "ort", Doc: "Locality (Ortschaft)."},
	format.Column{Name: "full_address", Doc: "Street, house number, postal code and locality in one line."},
	format.Column{Name: "object_type", Doc: "Kind of building as the address register says it."},
	atLon, atLat,
)

// BuildingRow is one row of Building; Parcel is the containing one, nil outside every parcel.
type BuildingRow struct {
	KG     *kgfile.KG
	B      *kgfile.Building
	Parcel *kgfile.Parcel
}

// Kind is Building.
func (r *BuildingRow) Kind() *format.Kind { return Building }

// Geometry is the address point.
func (r *BuildingRow) Geometry() format.Geometry { return format.PointGeometry(r.B.At) }

// Value is the value of a column of Building.
func (r *BuildingRow) Value(column int) format.Value {
	b := r.B
	switch column {
	case 0:
		return format.String(b.ID.String())
	case 1:
		return format.String(string(r.KG.Code))
	case 2:
		return format.Text(string(r.KG.GemeindeCode))
	case 3:
		return parcelOf(r.KG, r.Parcel)
	case 4:
		if r.Parcel == nil {
			return format.Null
		}
		return folio(r.Parcel.EZ)
	case 5:
		return format.Text(b.HouseNumber)
	case 6:
		return format.Text(b.Street)
	case 7:
		return format.Text(string(b.PLZ))
	case 8:
		return format.Text(b.Ort)
	case 9:
		return format.Text(FullAddress(b))
	case 10:
		return format.Text(b.ObjectType)
	case 11:
		return format.Degrees(b.At.X)
	case 12:
		return format.Degrees(b.At.Y)
	}
	return format.Null
}

// parcelOf is the id of a parcel, null without one.
func parcelOf(kg *kgfile.KG, p *kgfile.Parcel) format.Value {
	if p == nil {
		return format.Null
	}
	return format.String(austria.ParcelID{KG: kg.Code, GNR: p.GNR}.String())
}

// FullAddress is "Street 5, 6080 Ort" with what is known of it; without a street the locality stands
// before the house number.
func FullAddress(b *kgfile.Building) string {
	first := b.Street
	if first == "" {
		first = b.Ort
	}
	line := join(first, " ", b.HouseNumber)
	return join(line, ", ", join(string(b.PLZ), " ", b.Ort))
}

func join(a, sep, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// Footprint is the layer of building outlines.
var Footprint = format.NewKind("building_footprints", "Building footprints, land-use code 41 put together again.", format.ShapeMultiPolygon,
	format.Column{Name: "footprint_id", Doc: "<kg_code>_fp_<n>; n counts within the snapshot."},
	kgCode, parcelID, areaSqm,
	format.Column{Name: "perimeter_m", Type: format.TypeFloat, Decimals: metres, Unit: "m", Doc: "Length of all rings."},
	compactness, elongation, vertexCount,
	format.Column{Name: "size_class", Enum: []string{"tiny", "small", "medium", "large", "xlarge"}, Doc: "tiny under 30 m², small 30 to 100, medium 100 to 300, large 300 to 1000, xlarge from 1000."},
	format.Column{Name: "shape_class", Enum: []string{"rectangular", "regular", "lshaped", "complex"}, Doc: "Shape of the footprint."},
	format.Column{Name: "ns_code", Type: format.TypeInt, Doc: "Land-use code of the source polygon."},
	lon, lat,
)

// FootprintRow is one row of Footprint; Parcel is the one that holds most of it, nil for none.
type FootprintRow struct {
	KG     *kgfile.KG
	F      *kgfile.Footprint
	Parcel *kgfile.Parcel
}

// Kind is Footprint.
func (r *FootprintRow) Kind() *format.Kind { return Footprint }

// Geometry is the footprint's polygons.
func (r *FootprintRow) Geometry() format.Geometry { return format.PolygonGeometry(r.F.Geometry) }

// Value is the value of a column of Footprint.
func (r *FootprintRow) Value(column int) format.Value {
	f := r.F
	switch column {
	case 0:
		return format.String(austria.FootprintID{KG: r.KG.Code, N: f.N}.String())
	case 1:
		return format.String(string(r.KG.Code))
	case 2:
		return parcelOf(r.KG, r.Parcel)
	case 3:
		return format.Float(f.AreaSqm, sqm)
	case 4:
		return format.Float(f.PerimeterM, metres)
	case 5:
		return format.Float(f.Compactness, ratio)
	case 6:
		return format.Float(f.Elongation, ratio)
	case 7:
		return format.Int(int64(f.VertexCount))
	case 8:
		return format.Text(SizeName(f.Size))
	case 9:
		return format.Text(ShapeName(f.Shape))
	case 10:
		return landUseCode(f.NS)
	case 11:
		return format.Degrees(f.Centroid.X)
	case 12:
		return format.Degrees(f.Centroid.Y)
	}
	return format.Null
}
