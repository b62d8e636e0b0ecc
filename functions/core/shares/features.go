package shares

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"mappe/shared/web/jsonin"
)

const (
	// maxVertices bounds the vertices of a feature.
	maxVertices = 8 << 20
	// readAhead is how many bytes of an object are read at a time.
	readAhead = 1 << 20
)

// parts are what stands in an object beside its features.
type parts struct {
	collection bool            // the result is a collection of features
	geometry   json.RawMessage // of the area
	data       json.RawMessage // of a result that is no collection
	about      string          // the licence
}

// scanned reads an object, from its kind or from its beginning, as a stream, and gives the features of its result one after the
// other. Only one of them is held.
func scanned(r io.Reader, each func(*feature) error) (p parts, err error) {
	d := json.NewDecoder(bufio.NewReaderSize(r, readAhead))
	err = members(d, func(name string) error {
		switch name {
		case "geometry":
			return d.Decode(&p.geometry)
		case "result":
			return p.result(d, each)
		}
		return skip(d)
	})
	return p, err
}

// result reads the result of an object.
func (p *parts) result(d *json.Decoder, each func(*feature) error) error {
	return members(d, func(name string) error {
		switch name {
		case "type":
			var typ any
			err := d.Decode(&typ)
			p.collection = typ == "FeatureCollection"
			return err
		case "features":
			if p.collection {
				return elements(d, each)
			}
		case "data":
			return d.Decode(&p.data)
		case "meta":
			var meta struct {
				License json.RawMessage `json:"license"`
			}
			err := d.Decode(&meta)
			p.about = licence(meta.License)
			return err
		}
		return skip(d)
	})
}

// members reads an object; each is called behind the name of a member and reads its value.
func members(d *json.Decoder, each func(name string) error) error {
	if err := opened(d, '{'); err != nil {
		return err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		if err := each(name); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// elements reads the features of a list.
func elements(d *json.Decoder, each func(*feature) error) error {
	if err := opened(d, '['); err != nil {
		return err
	}
	var raw json.RawMessage
	for d.More() {
		raw = raw[:0]
		if err := d.Decode(&raw); err != nil {
			return err
		}
		f, err := readFeature(jsonin.New(raw), &jsonin.Budget{Left: maxVertices, Max: maxVertices})
		if err != nil {
			return err
		}
		if err := each(&f); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func opened(d *json.Decoder, delimiter json.Delim) error {
	t, err := d.Token()
	if err == nil && t != delimiter {
		err = fmt.Errorf("%v stands where %s was expected", t, delimiter)
	}
	return err
}

func skip(d *json.Decoder) error {
	var raw json.RawMessage
	return d.Decode(&raw)
}

// alone is the only feature of a result that is no collection: its area with the figures.
func (p *parts) alone() (f feature, err error) {
	if len(p.geometry) > 0 && string(p.geometry) != "null" {
		if err := f.place(jsonin.New(p.geometry), &jsonin.Budget{Left: maxVertices, Max: maxVertices}); err != nil {
			return f, err
		}
	}
	if len(p.data) == 0 {
		return f, errors.New("the result has neither features nor data")
	}
	f.properties, err = figures(jsonin.New(p.data), "")
	return f, err
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
			f.properties, err = propertiesOf(r)
			return err
		}
		return r.Skip()
	})
	return f, err
}

// propertiesOf are the members of an object as they stand.
func propertiesOf(r *jsonin.Reader) (all []property, err error) {
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
