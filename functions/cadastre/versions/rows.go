package versions

import (
	"encoding/json"
	"math"
	"strings"

	"mappe/artefacts/kgdiff"
	"mappe/artefacts/kgfile"
	"mappe/functions/core/lineage"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// change is a row of a comparison with the KG it is of.
type change struct {
	code austria.KGCode
	row  *kgdiff.Row
}

func rounded(sqm float64) float64 { return math.Round(sqm*100) / 100 }

func area(name, doc string, get func(*change) float64) format.Field[change] {
	return format.Field[change]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: 2, Unit: "m²", Doc: doc},
		Get: func(c *change) format.Value { return format.Float(get(c), 2) }}
}

func areaOf(p *kgfile.Parcel) float64 {
	if p == nil {
		return math.NaN()
	}
	return p.AreaSqm
}

func text(c format.Column, get func(*change) string) format.Field[change] {
	return format.Field[change]{Column: c, Get: func(ch *change) format.Value { return format.Text(get(ch)) }}
}

// attributeChange is an attribute that differs.
type attributeChange struct {
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// diffRows are the rows of a comparison.
var diffRows = format.NewSchema("parcel_change", "A parcel number that came, went or changed.", format.Drawing[change]{
	Point:    func(c *change) geom.Point { return shownParcel(c.row).Centroid },
	Polygons: func(c *change) geom.MultiPolygon { return shownParcel(c.row).Geometry },
}, format.Fields[change]{
	text(format.Column{Name: "parcel_id", Doc: "<kg_code>-<gnr>, the key of a parcel."}, func(c *change) string {
		return austria.ParcelID{KG: c.code, GNR: c.row.GNR}.String()
	}),
	text(format.Column{Name: "kg_code", Doc: "Code of the Katastralgemeinde, 5 digits."}, func(c *change) string { return string(c.code) }),
	text(format.Column{Name: "gnr", Doc: "Parcel number."}, func(c *change) string { return string(c.row.GNR) }),
	text(format.Column{Name: "change", Enum: names(kgdiff.AllChanges()), Doc: "What became of the number."}, func(c *change) string {
		return c.row.Change.String()
	}),
	text(format.Column{Name: "events",
		Doc: "What happened to the ground: split, merge, renumbered, as a comma list; null without such changes."}, func(c *change) string {
		return eventsOf(c.row.Events)
	}),
	{Column: format.Column{Name: "geometry_changed", Type: format.TypeBool, Doc: "Whether a parcel of both snapshots covers another area."},
		Get: func(c *change) format.Value { return format.Bool(c.row.Reshaped) }},
	area("area_before_sqm", "Area in the earlier snapshot; null for an added parcel.", func(c *change) float64 {
		return areaOf(c.row.Before)
	}),
	area("area_after_sqm", "Area in the later snapshot; null for a removed parcel.", func(c *change) float64 {
		return areaOf(c.row.After)
	}),
	area("symmetric_difference_sqm",
		"Area that one of the two shapes covers and the other does not; of an added or removed parcel its area.", func(c *change) float64 {
			return c.row.SymmetricSqm
		}),
	text(format.Column{Name: "attributes_changed", Doc: "Names of the attributes that differ, as a comma list: " +
		strings.Join(kgdiff.AttributeNames(), ", ") + "."}, func(c *change) string {
		var list []string
		for _, a := range c.row.Attributes {
			list = append(list, a.Name)
		}
		return strings.Join(list, ",")
	}),
	{Column: format.Column{Name: "attributes", Type: format.TypeJSON, Shape: map[string]attributeChange{},
		Doc: "The attributes that differ, each with its value before and after."}, Get: attributesOf},
	links("from", "Parcels of the earlier snapshot on the ground of this one, the largest common area first.",
		func(r *kgdiff.Row) []kgdiff.Link { return r.From }),
	links("to", "Parcels of the later snapshot on the ground of this one, the largest common area first.",
		func(r *kgdiff.Row) []kgdiff.Link { return r.To }),
	{Column: format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of the centroid, WGS84."},
		Get: func(c *change) format.Value { return format.Degrees(shownParcel(c.row).Centroid.X) }},
	{Column: format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of the centroid, WGS84."},
		Get: func(c *change) format.Value { return format.Degrees(shownParcel(c.row).Centroid.Y) }},
})

// attributesOf are the values of attributes by name, in the order of the names.
func attributesOf(c *change) format.Value {
	values := map[string]attributeChange{} // written in the order of its keys
	for _, a := range c.row.Attributes {
		values[a.Name] = attributeChange{optional(a.Before), optional(a.After)}
	}
	return raw(values)
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// raw is a value as JSON text.
func raw(v any) format.Value {
	b, err := json.Marshal(v)
	if err != nil { // texts and finite numbers
		return format.Null
	}
	return format.RawJSON(string(b))
}

func links(name, doc string, of func(*kgdiff.Row) []kgdiff.Link) format.Field[change] {
	return format.Field[change]{Column: format.Column{Name: name, Type: format.TypeJSON, Shape: []lineage.Heir{}, Doc: doc},
		Get: func(c *change) format.Value { return raw(lineage.Links(c.code, of(c.row))) }}
}
