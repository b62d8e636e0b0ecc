package shares

import (
	"encoding/json"
	"errors"
	"strings"

	"mappe/shared/web/jsonin"
)

// maxVertices bounds the vertices of a result: an object has fewer.
const maxVertices = MaxBytes / 8

// featuresOf reads the features of an object, and what its result says of licences.
func featuresOf(object []byte) (features []feature, about string, err error) {
	var parts struct {
		Geometry json.RawMessage `json:"geometry"`
		Result   struct {
			Type     string          `json:"type"`
			Features json.RawMessage `json:"features"`
			Data     json.RawMessage `json:"data"`
			Meta     struct {
				License json.RawMessage `json:"license"`
			} `json:"meta"`
		} `json:"result"`
	}
	if err := json.Unmarshal(object, &parts); err != nil {
		return nil, "", err
	}
	about = licence(parts.Result.Meta.License)
	budget := &jsonin.Budget{Left: maxVertices, Max: maxVertices}
	if parts.Result.Type == "FeatureCollection" {
		r := jsonin.New(parts.Result.Features)
		err = r.Array("features", func(int) error {
			f, err := readFeature(r, budget)
			features = append(features, f)
			return err
		})
		return features, about, err
	}
	f := feature{}
	if len(parts.Geometry) > 0 && string(parts.Geometry) != "null" {
		if err := f.place(jsonin.New(parts.Geometry), budget); err != nil {
			return nil, "", err
		}
	}
	if len(parts.Result.Data) == 0 {
		return nil, "", errors.New("the result has neither features nor data")
	}
	f.properties, err = figures(jsonin.New(parts.Result.Data), "")
	return []feature{f}, about, err
}

// licence is the licence of a result in one line.
func licence(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var l struct {
		License     string `json:"license"`
		Attribution string `json:"attribution"`
		Dataset     string `json:"dataset"`
	}
	if json.Unmarshal(raw, &l) != nil {
		return ""
	}
	return strings.Trim(l.Dataset+". "+l.License+", "+l.Attribution, ". ,")
}

// place reads a geometry.
func (f *feature) place(r *jsonin.Reader, budget *jsonin.Budget) error {
	if r.Null() {
		return nil
	}
	g, err := r.ReadGeometry("geometry", budget)
	if err != nil {
		return err
	}
	f.polygons = g.Polygons
	for _, p := range g.Paths {
		if len(p) == 1 {
			f.points = append(f.points, p[0])
		} else {
			f.lines = append(f.lines, p)
		}
	}
	return nil
}

func readFeature(r *jsonin.Reader, budget *jsonin.Budget) (f feature, err error) {
	err = r.Object("feature", func(key string) (err error) {
		switch {
		case key == "geometry":
			return f.place(r, budget)
		case key == "id":
			var raw []byte
			raw, err = r.Raw()
			f.id = string(raw)
			return err
		case key == "properties" && r.Peek() == '{':
			f.properties, err = members(r)
			return err
		}
		return r.Skip()
	})
	return f, err
}

// members are those of an object as they stand.
func members(r *jsonin.Reader) (all []property, err error) {
	err = r.Object("properties", func(key string) error {
		name := strings.Clone(key)
		raw, err := r.Raw()
		all = append(all, property{name, string(raw)})
		return err
	})
	return all, err
}

// figures are the members of an object; those of objects in it have both names.
func figures(r *jsonin.Reader, before string) (all []property, err error) {
	err = r.Object("data", func(key string) error {
		name := before + key
		if r.Peek() == '{' {
			inner, err := figures(r, name+"_")
			all = append(all, inner...)
			return err
		}
		raw, err := r.Raw()
		all = append(all, property{name, string(raw)})
		return err
	})
	return all, err
}
