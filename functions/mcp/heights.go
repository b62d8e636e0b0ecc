package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// written is how a tool makes the body of a request of its arguments; what it does not take are parameters of the endpoint.
type written struct {
	schemas map[string]json.RawMessage // of the arguments that it takes
	// body takes its arguments out of those that are given.
	body func(given map[string]json.RawMessage) (json.RawMessage, error)
}

// maxPoints bounds the points of which heights are asked at once.
const maxPoints = 100

// The arguments of heights.
const (
	argLon    = "lon"
	argLat    = "lat"
	argPoints = "points"
)

const heightsWanted = "exactly one of " + argLon + " with " + argLat + ", " + argPoints + " ([[lon, lat], ...]), " + argArea + " (GeoJSON)"

// places of heights, as the features that the endpoint reads.
var heightsBody = written{
	schemas: map[string]json.RawMessage{
		argLon: json.RawMessage(`{"type":"number","minimum":-180,"maximum":180,"description":"Longitude in degrees (WGS84), with lat."}`),
		argLat: json.RawMessage(`{"type":"number","minimum":-90,"maximum":90,"description":"Latitude in degrees (WGS84), with lon."}`),
		argPoints: json.RawMessage(fmt.Sprintf(`{"type":"array","minItems":1,"maxItems":%d,"items":{"type":"array",`+
			`"items":{"type":"number"},"minItems":2,"maxItems":2},`+
			`"description":"Several points as [lon, lat], for example along a path: a row for each, in their order."}`, maxPoints)),
		argArea: json.RawMessage(`{"type":"object","description":"GeoJSON of any type: heights of a point, least, mean and ` +
			`greatest of a line or an area, a row for each feature. At most 25 km² each."}`),
	},
	body: heightsOf,
}

// heightsOf is the body of a question for heights.
func heightsOf(given map[string]json.RawMessage) (json.RawMessage, error) {
	lon, lat, points, area := given[argLon], given[argLat], given[argPoints], given[argArea]
	for _, name := range []string{argLon, argLat, argPoints, argArea} {
		delete(given, name)
	}
	switch point := lon != nil || lat != nil; {
	case point && (points != nil || area != nil), points != nil && area != nil:
		return nil, fault.Of(fault.Conflict, argPoints, "", heightsWanted)
	case area != nil && strings.HasPrefix(strings.TrimSpace(text(area)), "{"):
		return json.RawMessage(text(area)), nil
	case area != nil:
		return nil, fault.BadValue(argArea, fault.Shorten(text(area)), "GeoJSON as an object")
	case points != nil:
		return multiplied(points)
	case !point:
		return nil, fault.Of(fault.Missing, argLon, "", heightsWanted)
	case lon == nil:
		return nil, fault.Of(fault.Missing, argLon, "", heightsWanted)
	case lat == nil:
		return nil, fault.Of(fault.Missing, argLat, "", heightsWanted)
	}
	p, err := position(argLon, argLat, lon, lat)
	if err != nil {
		return nil, err
	}
	return json.Marshal(geometry{"Point", p})
}

// geometry is one of GeoJSON.
type geometry struct {
	Type        string `json:"type"`
	Coordinates any    `json:"coordinates"`
}

// multiplied are points as features: each is a row of its own.
func multiplied(raw json.RawMessage) (json.RawMessage, error) {
	var pairs [][]json.RawMessage
	if jsonin.Decode(raw, &pairs) != nil || len(pairs) == 0 || len(pairs) > maxPoints {
		return nil, fault.BadValue(argPoints, fault.Shorten(text(raw)), fmt.Sprintf("a list of 1 to %d points [lon, lat]", maxPoints))
	}
	type feature struct {
		Type       string   `json:"type"`
		Properties struct{} `json:"properties"`
		Geometry   geometry `json:"geometry"`
	}
	all := make([]feature, len(pairs))
	for i, pair := range pairs {
		at := fmt.Sprintf("%s[%d]", argPoints, i)
		if len(pair) != 2 {
			return nil, fault.BadValue(at, fmt.Sprintf("%d numbers", len(pair)), "two numbers, [lon, lat]")
		}
		p, err := position(at+"[0]", at+"[1]", pair[0], pair[1])
		if err != nil {
			return nil, err
		}
		all[i] = feature{Type: "Feature", Geometry: geometry{"Point", p}}
	}
	return json.Marshal(map[string]any{"type": "FeatureCollection", "features": all})
}

// position reads longitude and latitude, written as numbers or as texts of numbers.
func position(lonName, latName string, lon, lat json.RawMessage) (p [2]float64, err error) {
	for i, v := range []struct {
		name  string
		raw   json.RawMessage
		bound float64
	}{{lonName, lon, 180}, {latName, lat, 90}} {
		bare := strings.TrimSpace(text(v.raw))
		if json.Unmarshal([]byte(bare), &p[i]) != nil || bare == "null" || p[i] < -v.bound || p[i] > v.bound {
			return p, fault.BadValue(v.name, fault.Shorten(text(v.raw)), fmt.Sprintf("a number from %g to %g", -v.bound, v.bound))
		}
	}
	return p, nil
}

// heightMembers are the figures of a feature, and the name that it came with.
var heightMembers = []string{"name", "dtm_m", "dsm_m", "height_m", "dtm_min_m", "dtm_mean_m", "dtm_max_m", "dsm_min_m", "dsm_mean_m",
	"dsm_max_m",
	"height_mean_m", "height_max_m"}

// heightRows puts features into rows: where a point is, then its heights.
func heightRows(answer map[string]json.RawMessage) map[string]json.RawMessage {
	var features []struct {
		Geometry struct {
			Type        string
			Coordinates json.RawMessage
		}
		Properties map[string]json.RawMessage
	}
	if json.Unmarshal(answer["features"], &features) != nil {
		return answer
	}
	rows := make([]map[string]json.RawMessage, len(features))
	for i, f := range features {
		row := map[string]json.RawMessage{}
		var at []json.RawMessage
		if f.Geometry.Type == "Point" && json.Unmarshal(f.Geometry.Coordinates, &at) == nil && len(at) >= 2 {
			row[argLon], row[argLat] = at[0], at[1]
		}
		for _, name := range heightMembers {
			if v := f.Properties[name]; v != nil {
				row[name] = v
			}
		}
		rows[i] = row
	}
	if b, err := json.Marshal(rows); err == nil { // it is made of JSON
		answer["data"] = b
	}
	delete(answer, "features")
	delete(answer, "type")
	return answer
}

// warned are the warnings of an answer.
func warned(body map[string]any) (of []string) {
	list, _ := at(body, "meta", "warnings").([]any)
	for _, w := range list {
		if s, ok := w.(string); ok {
			of = append(of, s)
		}
	}
	return of
}

// heightTool asks for heights of points and features.
func (s *service) heightTool() tool {
	return tool{
		name: "heights_at", title: "Heights of a point, a path or an area",
		doc: "Heights in metres above the Adriatic from laser scans: of a point (lon, lat) or of several the ground (dtm_m), " +
			"what is seen from above (dsm_m) and " +
			"what stands there (height_m); of a line or an area least, mean and greatest. null where no scan is. " +
			"terrain_of_area has slope and aspect.",
		calls: []call{{of: s.ask("landscape-analysis", "Laser scans and "+
			"orthophotos"), id: "elevation", only: []string{"dataset"}, written: &heightsBody}},
		caution: []string{"Heights are those of the laser scan of answer.dataset: what was built, felled or grown since is " +
			"not in them."}, doubts: warned, words: heightRows,
	}
}
