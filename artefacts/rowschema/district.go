package rowschema

import (
	"mappe/artefacts/register"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// MunicipalityRow is a municipality, as a row. Register draws it and names the source of the drawing.
type MunicipalityRow struct {
	Register *register.Register
	M        *register.Municipality
}

// located says whether the municipality's position is known.
func (r *MunicipalityRow) located() bool { return r.M.At != (geom.Point{}) }

// Municipality is what the register knows of a municipality. It can be drawn as its outline or its position.
var Municipality = format.NewSchema("municipality", "A municipality (Gemeinde), drawn as its outline.", format.Drawing[MunicipalityRow]{
	Point:    func(r *MunicipalityRow) geom.Point { return r.M.At },
	Polygons: func(r *MunicipalityRow) geom.MultiPolygon { return r.Register.MunicipalityOutline(r.M.Code) },
}, format.Fields[MunicipalityRow]{
	{Column: gemeindeCode, Get: func(r *MunicipalityRow) format.Value { return format.String(string(r.M.Code)) }},
	{Column: format.Column{Name: "name", Doc: "Name."}, Get: func(r *MunicipalityRow) format.Value { return format.Text(r.M.Name) }},
	{Column: format.Column{Name: "district_code", Doc: "Code of the district, 3 digits."}, Get: func(r *MunicipalityRow) format.Value {
		return format.Text(string(r.M.DistrictCode))
	}},
	{Column: format.Column{Name: "district_name", Doc: "Name of the district."}, Get: func(r *MunicipalityRow) format.Value {
		return format.Text(r.M.DistrictName)
	}},
	{Column: format.Column{Name: "state", Doc: "Name of the state."}, Get: func(r *MunicipalityRow) format.Value {
		return format.Text(r.M.State().Name())
	}},
	{Column: format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°",
		Doc: "Longitude of its position, WGS84; null where not known."},
		Get: func(r *MunicipalityRow) format.Value {
			if !r.located() {
				return format.Null
			}
			return format.Degrees(r.M.At.X)
		}},
	{Column: format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of its position, WGS84; null where not known."},
		Get: func(r *MunicipalityRow) format.Value {
			if !r.located() {
				return format.Null
			}
			return format.Degrees(r.M.At.Y)
		}},
	{Column: format.Column{Name: "source", Doc: "Whose data the name and the outline are."}, Get: func(r *MunicipalityRow) format.Value {
		return format.Text(r.Register.Attribution())
	}},
})

// DistrictRow is a district with the number of its KGs, as a row.
type DistrictRow struct {
	D   *register.District
	KGs int
}

// District is a political district. Names are not unique: the code is.
var District = format.NewSchema("district", "A political district (Bezirk).", format.Drawing[DistrictRow]{}, format.Fields[DistrictRow]{
	{Column: format.Column{Name: "district_code", Doc: "Code, 3 digits."}, Get: func(r *DistrictRow) format.Value {
		return format.String(string(r.D.Code))
	}},
	{Column: format.Column{Name: "district_name", Doc: "Name; several districts may have one name."},
		Get: func(r *DistrictRow) format.Value { return format.Text(r.D.Name) }},
	{Column: format.Column{Name: "state_code", Doc: "Code of the state, 1 digit."}, Get: func(r *DistrictRow) format.Value {
		return format.Text(string(r.D.State))
	}},
	{Column: format.Column{Name: "state_name", Doc: "Name of the state."}, Get: func(r *DistrictRow) format.Value {
		return format.Text(r.D.State.Name())
	}},
	{Column: format.Column{Name: "kg_count", Type: format.TypeInt, Doc: "KGs of the district."}, Get: func(r *DistrictRow) format.Value {
		return format.Int(int64(r.KGs))
	}},
})
