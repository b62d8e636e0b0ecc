package changes

import (
	"encoding/json"
	"fmt"
	"math"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/change"
	"mappe/shared/web/format"
)

// layer is the name of the layer in files.
const layer = "changes"

// row is a change in an answer.
type row struct {
	*change.Event
	id string
}

var rows = format.NewSchema("change", "A change of the land between two laser scans.",
	format.Drawing[row]{Polygons: outline, Point: middle, Multi: true},
	format.Fields[row]{
		{Column: format.Column{Name: "change_id",
			Doc: "Place of its middle in EPSG:3035 and its type: the same in every answer that finds it."},
			Get: func(r *row) format.Value { return format.String(r.id) }},
		{Column: format.Column{Name: "type", Enum: typeNames(), Doc: "What has happened."},
			Get: func(r *row) format.Value { return format.String(r.Kind.String()) }},
		number("area_sqm", "m²", 0, "Area of its outline.", func(r *row) float64 { return r.Area }),
		number("change_m", "m", 2, "By how much 95 % of it have changed at most: the terrain, or the 90th percentile of what stands on it.",
			func(r *row) float64 { return r.Change }),
		number("terrain_volume_m3", "m³", 1, "What the terrain has gained; negative: lost.", func(r *row) float64 {
			return r.TerrainVolume
		}),
		number("terrain_volume_error_m3", "m³", 1, "The true volume lies within plus or minus this in 95 of 100 cases.",
			func(r *row) float64 { return r.TerrainVolumeError }),
		number("surface_volume_m3", "m³", 1, "What the surface has gained: crowns, buildings, ground.",
			func(r *row) float64 { return r.SurfaceVolume }),
		number("surface_volume_error_m3", "m³", 1, "Its error, as that of the terrain.", func(r *row) float64 {
			return r.SurfaceVolumeError
		}),
		number("terrain_before_m", "m", 2, "Mean of the terrain above the Adriatic at date_a, levelled to date_b.",
			func(r *row) float64 { return r.TerrainBefore }),
		number("terrain_after_m", "m", 2, "At date_b.", func(r *row) float64 { return r.TerrainAfter }),
		number("height_before_m", "m", 2, "95th percentile of what stood above the terrain at date_a.",
			func(r *row) float64 { return r.HeightBefore }),
		number("height_after_m", "m", 2, "At date_b.", func(r *row) float64 { return r.HeightAfter }),
		number("confidence", "", 2, "0 to 1: how sure the type is.", func(r *row) float64 { return r.Confidence }),
		hint("footprint_share", "Share of its cells in buildings of the cadastre as it is now; null where they are not known.",
			func(r *row) *float64 { return r.Footprint }),
		hint("ndvi_before", "Mean vegetation index, -1 to 1, on the orthophoto nearest to date_a; null where less than half of it is known.",
			func(r *row) *float64 { return r.IndexBefore }),
		hint("ndvi_after", "On that nearest to date_b.", func(r *row) *float64 { return r.IndexAfter }),
		{Column: format.Column{Name: "evidence", Type: format.TypeJSON, Shape: []string{}, Doc: "What the type was told by."},
			Get: func(r *row) format.Value { return format.RawJSON(list(r.Evidence)) }},
		{Column: format.Column{Name: "cut_off", Type: format.TypeBool,
			Doc: "Whether it goes on beyond the area, or into places without heights."},
			Get: func(r *row) format.Value { return format.Bool(r.Edge) }},
		{Column: format.Column{Name: "centroid_lon", Type: format.TypeFloat, Decimals: 7, Unit: "degrees", Doc: "Its middle, WGS84."},
			Get: func(r *row) format.Value { return format.Degrees(middle(r).X) }},
		{Column: format.Column{Name: "centroid_lat", Type: format.TypeFloat, Decimals: 7, Unit: "degrees", Doc: "Its middle, WGS84."},
			Get: func(r *row) format.Value { return format.Degrees(middle(r).Y) }},
	})

func typeNames() (names []string) {
	for _, k := range change.AllTypes() {
		names = append(names, k.String())
	}
	return names
}

func number(name, unit string, decimals int, doc string, get func(*row) float64) format.Field[row] {
	return format.Field[row]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: decimals, Unit: unit, Doc: doc},
		Get: func(r *row) format.Value { return format.Float(get(r), decimals) }}
}

func hint(name, doc string, get func(*row) *float64) format.Field[row] {
	return number(name, "", 2, doc, func(r *row) float64 {
		if v := get(r); v != nil {
			return *v
		}
		return math.NaN()
	})
}

// list is a JSON array of texts.
func list(texts []string) string {
	b, err := json.Marshal(append([]string{}, texts...))
	if err != nil {
		return "[]" // texts always have a form
	}
	return string(b)
}

// rowsOf are the changes with their names, each its own.
func rowsOf(events []change.Event) []row {
	out, seen := make([]row, len(events)), map[string]int{}
	for i := range events {
		e := &events[i]
		id := fmt.Sprintf("E%.0fN%.0f-%s", e.X, e.Y, e.Kind)
		if seen[id]++; seen[id] > 1 {
			id = fmt.Sprintf("%s-%d", id, seen[id])
		}
		out[i] = row{e, id}
	}
	return out
}

func middle(r *row) geom.Point { return onplane.Degrees(raster.XY{X: r.X, Y: r.Y}) }

func outline(r *row) geom.MultiPolygon { return onplane.Outline(r.Outline) }

// style draws each type in its colour.
var style = landscape.ChangeStyle
