package rowschema

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// BuildingRow is an address point of a KG, as a row; Parcel is the containing one, nil outside every parcel.
// The slices are room for the texts that are put together.
type BuildingRow struct {
	KG                  *kgfile.KG
	B                   *kgfile.Building
	Parcel              *kgfile.Parcel
	Joined              bool // the address points of the KG are joined to their parcels
	id, parcel, address []byte
}

// Building is the layer of address points.
var Building = format.NewSchema("buildings", "Address points of the address register.", format.Drawing[BuildingRow]{
	Point: func(r *BuildingRow) geom.Point { return r.B.At },
}, format.Fields[BuildingRow]{
	{Column: format.Column{Name: "building_id", Doc: "<ADRCD>-<SUBCD> of the address register."},
		Get: func(r *BuildingRow) format.Value {
			r.id = r.B.ID.AppendTo(r.id[:0])
			return format.Borrowed(r.id)
		}},
	{Column: kgCode, Get: func(r *BuildingRow) format.Value { return format.String(string(r.KG.Code)) }},
	{Column: gemeindeCode, Get: func(r *BuildingRow) format.Value { return format.Text(string(r.KG.GemeindeCode)) }},
	{Column: parcelID, Get: func(r *BuildingRow) (v format.Value) {
		r.parcel, v = heldBy(r.parcel, r.KG, r.Parcel)
		return v
	}},
	{Column: ez, Get: func(r *BuildingRow) format.Value {
		if r.Parcel == nil {
			return format.Null
		}
		return folio(r.Parcel.EZ)
	}},
	{Column: format.Column{Name: "house_number", Doc: "House number with its letter."},
		Get: func(r *BuildingRow) format.Value { return format.Text(r.B.HouseNumber) }},
	{Column: format.Column{Name: "street", Doc: "Street, or the locality where streets have no names."},
		Get: func(r *BuildingRow) format.Value { return format.Text(r.B.Street) }},
	{Column: format.Column{Name: "postal_code", Doc: "Postal code (PLZ), 4 digits; never a join key."},
		Get: func(r *BuildingRow) format.Value { return format.Text(string(r.B.PLZ)) }},
	{Column: format.Column{Name: "ort", Doc: "Locality (Ortschaft)."},
		Get: func(r *BuildingRow) format.Value { return format.Text(r.B.Ort) }},
	{Column: format.Column{Name: "full_address", Doc: "Street, house number, postal code and locality in one line."},
		Get: func(r *BuildingRow) format.Value {
			r.address = AppendFullAddress(r.address[:0], r.B)
			return format.Borrowed(r.address)
		}},
	{Column: format.Column{Name: "object_type", Doc: "Kind of building as the address register says it."},
		Get: func(r *BuildingRow) format.Value { return format.Text(r.B.ObjectType) }},
	{Column: atLon, Get: func(r *BuildingRow) format.Value { return format.Degrees(r.B.At.X) }},
	{Column: atLat, Get: func(r *BuildingRow) format.Value { return format.Degrees(r.B.At.Y) }},
})

// BuildingShown is an address point as answers list it: with its KG's name. Published files have the columns of
// Building.
var BuildingShown = Building.With(
	format.Field[BuildingRow]{Column: kgName, Get: func(r *BuildingRow) format.Value { return format.Text(r.KG.Name) }},
)

// AppendFullAddress appends "Street 5, 6080 Ort" with what is known of it to an empty slice; without a street the locality stands
// before the house number.
func AppendFullAddress(to []byte, b *kgfile.Building) []byte {
	first := b.Street
	if first == "" {
		first = b.Ort
	}
	to = joined(append(to, first...), " ", b.HouseNumber)
	if b.PLZ == "" {
		return joined(to, ", ", b.Ort)
	}
	return joined(joined(to, ", ", string(b.PLZ)), " ", b.Ort)
}

// joined appends a text that is known, with the separator where something stands before it.
func joined(to []byte, separator, text string) []byte {
	if len(to) > 0 && text != "" {
		to = append(to, separator...)
	}
	return append(to, text...)
}
