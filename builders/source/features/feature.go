// Package features reads polygons with properties from GeoJSON FeatureCollections, feature by feature. It owns the raw
// form, its limits and the repair of rings; what the properties mean its callers know (outlines, natura, protected).
//
// Coordinates are longitude, latitude in WGS84 (RFC 7946); further numbers of a position are ignored. A bad feature
// is reported with its number and left out.
package features

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"mappe/builders/source/table"
	"mappe/shared/geo/geom"
)

// Limits of a file.
const (
	maxFile     = 2 << 30
	maxVertices = 2_000_000 // of a feature
	maxFeatures = 1_000_000
)

// Feature is one that was read.
type Feature struct {
	number int
	file   string
	p      *table.Problems
	props  map[string]json.RawMessage
	geom   json.RawMessage
}

// Bad reports a property with an invalid value.
func (f *Feature) Bad(column, value, expected string) {
	f.p.Add(table.Problem{File: fmt.Sprintf("%s feature %d", f.file, f.number), Column: column, Value: value, Expected: expected})
}

// Text is a property that is a string or a number, as text.
func (f *Feature) Text(name string) string {
	raw := f.props[f.spell(name)]
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// Geometry parses and mends the feature's geometry, and says what was mended but ring order; false where there is
// none, which is reported.
func (f *Feature) Geometry() (geom.MultiPolygon, []geom.Fault, bool) {
	m, err := parseGeometry(f.geom)
	if err != nil {
		f.Bad("geometry", "", err.Error())
		return nil, nil, false
	}
	r, err := m.Repair()
	if err != nil {
		f.Bad("geometry", "", "polygons whose lines can be compared: "+err.Error())
		return nil, nil, false
	}
	if len(r.Geometry) == 0 {
		f.Bad("geometry", "", "polygons with an area")
		return nil, nil, false
	}
	mended := slices.DeleteFunc(r.Faults, func(x geom.Fault) bool { return x.Kind == geom.FaultRingOrder })
	return r.Geometry, mended, true
}

// collection is a FeatureCollection that is read feature by feature.
type collection struct {
	file    string
	limited *io.LimitedReader
	d       *json.Decoder
	p       *table.Problems
}

// fail is the error of a file that is no FeatureCollection.
func (c *collection) fail(err error) error {
	if c.limited.N <= 0 {
		return fmt.Errorf("%s: more than %d bytes", c.file, int64(maxFile))
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: no GeoJSON FeatureCollection: %w", c.file, err)
}

// Walk walks a FeatureCollection feature by feature. The error is about a file of another form.
func Walk(in io.Reader, file string, p *table.Problems, each func(*Feature)) error {
	limited := &io.LimitedReader{R: in, N: maxFile}
	c := &collection{file: file, limited: limited, d: json.NewDecoder(skipBOM(limited)), p: p}
	t, err := c.d.Token()
	if err != nil {
		return c.fail(err)
	}
	if t != json.Delim('{') {
		return c.fail(errors.New("expected an object"))
	}
	found := false
	for c.d.More() {
		key, err := c.d.Token()
		if err != nil {
			return c.fail(err)
		}
		if key != "features" {
			var skip json.RawMessage
			if err := c.d.Decode(&skip); err != nil {
				return c.fail(err)
			}
			continue
		}
		found = true
		if err := c.list(each); err != nil {
			return c.fail(err)
		}
	}
	if _, err := c.d.Token(); err != nil { // the closing brace
		return c.fail(err)
	}
	if !found {
		return c.fail(errors.New("no member features"))
	}
	return nil
}

// list reads the array of features; one of another form is reported and passed over.
func (c *collection) list(each func(*Feature)) error {
	if t, err := c.d.Token(); err != nil || t != json.Delim('[') {
		return errors.New("features is no array")
	}
	for n := 1; c.d.More(); n++ {
		if n > maxFeatures {
			return fmt.Errorf("more than %d features", maxFeatures)
		}
		var raw json.RawMessage
		if err := c.d.Decode(&raw); err != nil {
			return fmt.Errorf("feature %d: %w", n, err)
		}
		var v struct {
			Properties map[string]json.RawMessage `json:"properties"`
			Geometry   json.RawMessage            `json:"geometry"`
		}
		f := &Feature{number: n, file: c.file, p: c.p}
		if err := json.Unmarshal(raw, &v); err != nil {
			f.Bad("", "", "a GeoJSON feature with properties and geometry")
			continue
		}
		f.props, f.geom = v.Properties, v.Geometry
		each(f)
	}
	_, err := c.d.Token() // the closing bracket
	return err
}

func skipBOM(in io.Reader) io.Reader {
	var head [3]byte
	n, _ := io.ReadFull(in, head[:])
	if bytes.Equal(head[:n], []byte("\ufeff")) {
		return in
	}
	return io.MultiReader(bytes.NewReader(head[:n]), in)
}

// Raw is a property as JSON; nil where it is missing or null.
func (f *Feature) Raw(name string) json.RawMessage {
	v := f.props[f.spell(name)]
	if string(v) == "null" {
		return nil
	}
	return v
}
