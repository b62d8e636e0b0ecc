package place

import (
	"encoding/json"
	"math"

	"mappe/artefacts/register"
	artefact "mappe/artefacts/toponyms"
	"mappe/functions/core/toponyms"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var noticeToponyms = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Geographical names"}

// accuracy is how far in metres a name may be from what it names.
const accuracy = 50

// toponymRow is a name, as a row.
type toponymRow struct {
	toponyms.Found
	Register *register.Register
	Stichtag string
}

// kg is the KG that the name lies in, nil in none that the register has.
func (r *toponymRow) kg() *register.KG {
	if r.KG == "" {
		return nil
	}
	return r.Register.KG(r.KG)
}

// kgValue is a column of the KG, null in none.
func kgValue(name, doc string, get func(k *register.KG) string) format.Field[toponymRow] {
	return format.Field[toponymRow]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *toponymRow) format.Value {
		k := r.kg()
		if k == nil {
			return format.Null
		}
		return format.Text(get(k))
	}}
}

func toponymText(name, doc string, get func(r *toponymRow) string) format.Field[toponymRow] {
	return format.Field[toponymRow]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *toponymRow) format.Value {
		return format.Text(get(r))
	}}
}

func toponymInt(name, unit, doc string, get func(r *toponymRow) (int, bool)) format.Field[toponymRow] {
	return format.Field[toponymRow]{Column: format.Column{Name: name, Type: format.TypeInt, Unit: unit, Doc: doc},
		Get: func(r *toponymRow) format.Value {
			v, ok := get(r)
			if !ok {
				return format.Null
			}
			return format.Int(int64(v))
		}}
}

// found is a column of what a question found out; left out where it was not asked.
func found(name, unit, doc string, decimals int, get func(r *toponymRow) float64) format.Field[toponymRow] {
	return format.Field[toponymRow]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: decimals, Unit: unit, Doc: doc,
		Sparse: true}, Get: func(r *toponymRow) format.Value {
		v := get(r)
		if math.IsNaN(v) {
			return format.Omit
		}
		return format.Float(v, decimals)
	}}
}

func layerNames() (names []string) {
	for _, l := range artefact.AllLayers() {
		names = append(names, l.String())
	}
	return names
}

// toponymRows are geographical names, drawn as points.
var toponymRows = format.NewSchema("toponym", "A geographical name, drawn as a point.", format.Drawing[toponymRow]{
	Point: func(r *toponymRow) geom.Point { return r.At },
}, format.Fields[toponymRow]{
	toponymText("id", "Stable id.", func(r *toponymRow) string { return r.ID }),
	{Column: format.Column{Name: "layer", Enum: layerNames(), Doc: "Layer of the name; ried are field names."},
		Get: func(r *toponymRow) format.Value { return format.Text(r.Layer.String()) }},
	toponymInt("f_code", "", "Code of what the name is of; null where the source has none.", func(r *toponymRow) (int, bool) {
		return r.Code, r.Code > 0
	}),
	toponymText("f_name", "What the code means.", func(r *toponymRow) string { return r.Feature }),
	toponymText("name", "The name.", func(r *toponymRow) string { return r.Name.Name }),
	toponymText("variant_name", "Another spelling; null without one.", func(r *toponymRow) string { return r.Variant }),
	{Column: format.Column{Name: "minority_names", Type: format.TypeJSON, Shape: []artefact.Other{},
		Doc: "The name in the languages of minorities."}, Get: func(r *toponymRow) format.Value {
		if len(r.Others) == 0 {
			return format.RawJSON("[]")
		}
		b, err := json.Marshal(r.Others)
		if err != nil {
			return format.Null
		}
		return format.RawJSON(string(b))
	}},
	toponymInt("elevation_m", "m", "Height; null where it is not known.", func(r *toponymRow) (int, bool) {
		return r.Elevation, r.Elevation != artefact.NoElevation
	}),
	toponymText("kg_code", "KG that the name lies in; null in none.", func(r *toponymRow) string { return string(r.KG) }),
	kgValue("kg_name", "Name of the KG.", func(k *register.KG) string { return k.Name }),
	kgValue("gemeinde_code", "Municipality of the KG.", func(k *register.KG) string { return string(k.GemeindeCode) }),
	kgValue("gemeinde_name", "Its name.", func(k *register.KG) string { return k.GemeindeName }),
	kgValue("district_code", "District of the KG.", func(k *register.KG) string { return string(k.DistrictCode) }),
	kgValue("district_name", "Its name.", func(k *register.KG) string { return k.DistrictName }),
	kgValue("state_code", "State of the KG.", func(k *register.KG) string { return string(k.State()) }),
	kgValue("state_name", "Its name.", func(k *register.KG) string { return k.State().Name() }),
	{Column: format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude, WGS84."},
		Get: func(r *toponymRow) format.Value { return format.Degrees(r.At.X) }},
	{Column: format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude, WGS84."},
		Get: func(r *toponymRow) format.Value { return format.Degrees(r.At.Y) }},
	toponymText("stichtag", "Date of the names.", func(r *toponymRow) string { return r.Stichtag }),
	toponymInt("currency_year", "", "Year of the last revision of the name; null where not known.", func(r *toponymRow) (int, bool) {
		return r.Year, r.Year > 0
	}),
	format.Constant[toponymRow](format.Column{Name: "positional_accuracy_m", Type: format.TypeInt, Unit: "m",
		Doc: "How far the place may be off."}, format.Int(accuracy)),
	found("distance_m", "m", "From the point asked for; left out without one.", 1, func(r *toponymRow) float64 { return r.Metres }),
	found("score", "", "How alike the spellings are, 1 the same; left out without a search.", 3, func(r *toponymRow) float64 {
		return r.Score
	}),
})

// sequence are names as rows.
func sequence(v *view.View, n *toponyms.Names, list []toponyms.Found) format.Seq {
	return func(yield func(format.Row, error) bool) {
		row := toponymRows.Record()
		row.Item.Register, row.Item.Stichtag = v.Register(), n.Stichtag
		for i := range list {
			row.Item.Found = list[i]
			if !yield(row, nil) {
				return
			}
		}
	}
}
