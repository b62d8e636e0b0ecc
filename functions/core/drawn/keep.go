package drawn

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
)

// What was read is kept for another process (functions/core/tasks) in one spelling, whatever form it came in: the same area
// drawn as GeoJSON and uploaded as KML is the same text.

// keptArea is an Area as JSON.
type keptArea struct {
	Geometry json.RawMessage `json:"geometry"` // GeoJSON
	Repaired bool            `json:"repaired"`
	Warnings []string        `json:"warnings,omitempty"`
}

// MarshalJSON writes the united geometry as GeoJSON and what was repaired. Features and Params are left out.
func (a *Area) MarshalJSON() ([]byte, error) {
	f := Feature{Polygons: a.Geometry}
	return json.Marshal(keptArea{f.GeoJSON(), a.Repaired, a.Warnings})
}

// UnmarshalJSON reads what MarshalJSON wrote; it repairs nothing.
func (a *Area) UnmarshalJSON(text []byte) error {
	var k keptArea
	if err := json.Unmarshal(text, &k); err != nil {
		return err
	}
	in, err := Read(context.Background(), k.Geometry)
	if err != nil {
		return err
	}
	if len(in.Features) != 1 {
		return errors.New("an area has one geometry")
	}
	g := in.Features[0].Polygons
	*a = Area{Geometry: g, Polygons: onplane.Polygons(g), M2: g.Area(crs.EqualArea), Repaired: k.Repaired, Warnings: k.Warnings}
	return nil
}

// keptList is a List as JSON.
type keptList struct {
	Features []keptFeature `json:"features"`
	Warnings []string      `json:"warnings,omitempty"`
}

type keptFeature struct {
	Type       string          `json:"type"`
	ID         json.RawMessage `json:"id,omitempty"`
	Geometry   json.RawMessage `json:"geometry"`
	Properties json.RawMessage `json:"properties"`
}

// MarshalJSON writes the features as GeoJSON and what was repaired. Params are left out.
func (l *List) MarshalJSON() ([]byte, error) {
	k := keptList{Features: make([]keptFeature, len(l.Features)), Warnings: l.Warnings}
	for i := range l.Features {
		f := &l.Features[i]
		k.Features[i] = keptFeature{"Feature", f.ID, f.GeoJSON(), f.Properties}
		if f.Properties == nil {
			k.Features[i].Properties = json.RawMessage("null")
		}
	}
	return json.Marshal(k)
}

// UnmarshalJSON reads what MarshalJSON wrote; it repairs nothing.
func (l *List) UnmarshalJSON(text []byte) error {
	var k keptList
	if err := json.Unmarshal(text, &k); err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		Type     string        `json:"type"`
		Features []keptFeature `json:"features"`
	}{"FeatureCollection", k.Features})
	if err != nil {
		return err
	}
	in, err := Read(context.Background(), body)
	if err != nil {
		return err
	}
	*l = List{Features: in.Features, Warnings: k.Warnings}
	return nil
}

// GeoJSON writes the geometry of the feature: one kind as itself, several kinds as a collection, nothing as null.
func (f *Feature) GeoJSON() json.RawMessage {
	var parts []string
	if n := len(f.Points); n == 1 {
		parts = append(parts, `{"type":"Point","coordinates":`+positionText(f.Points[0])+`}`)
	} else if n > 1 {
		parts = append(parts, `{"type":"MultiPoint","coordinates":`+array(f.Points, positionText)+`}`)
	}
	line := func(l []geom.Point) string { return array(l, positionText) }
	if n := len(f.Lines); n == 1 {
		parts = append(parts, `{"type":"LineString","coordinates":`+line(f.Lines[0])+`}`)
	} else if n > 1 {
		parts = append(parts, `{"type":"MultiLineString","coordinates":`+array(f.Lines, line)+`}`)
	}
	ring := func(r geom.Ring) string { return line(append(append([]geom.Point{}, r...), r[0])) }
	polygon := func(p geom.Polygon) string { return array(p, ring) }
	if n := len(f.Polygons); n == 1 {
		parts = append(parts, `{"type":"Polygon","coordinates":`+polygon(f.Polygons[0])+`}`)
	} else if n > 1 {
		parts = append(parts, `{"type":"MultiPolygon","coordinates":`+array(f.Polygons, polygon)+`}`)
	}
	switch len(parts) {
	case 0:
		return json.RawMessage("null")
	case 1:
		return json.RawMessage(parts[0])
	}
	return json.RawMessage(`{"type":"GeometryCollection","geometries":` + array(parts, func(s string) string { return s }) + `}`)
}

func positionText(p geom.Point) string {
	b := append([]byte{'['}, strconv.FormatFloat(p.Lon(), 'f', -1, 64)...)
	b = append(append(b, ','), strconv.FormatFloat(p.Lat(), 'f', -1, 64)...)
	return string(append(b, ']'))
}

// array writes a JSON array.
func array[T any](of []T, write func(T) string) string {
	b := []byte{'['}
	for i, v := range of {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, write(v)...)
	}
	return string(append(b, ']'))
}
