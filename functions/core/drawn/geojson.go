package drawn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// separator stands before each value of a sequence (RFC 8142); others have a line for each.
const separator = 0x1e

// json reads GeoJSON, one value or a sequence, or an object with members geometry and params.
func (in *reading) json(b []byte) error {
	if bytes.IndexByte(b, separator) >= 0 {
		b = bytes.ReplaceAll(b, []byte{separator}, []byte{'\n'})
	}
	d := json.NewDecoder(bytes.NewReader(b))
	for n := 0; ; n++ {
		if err := in.ctx.Err(); err != nil {
			return err
		}
		var value json.RawMessage
		err := d.Decode(&value)
		if err == io.EOF && n > 0 {
			return nil
		}
		if err != nil {
			return noJSON(b, err, d.InputOffset())
		}
		if n > 0 && in.params != nil {
			return fault.New(fault.BadBody, "something follows the object with geometry and params at %s",
				placeOf(b, d.InputOffset()-int64(len(value))))
		}
		if err := in.value(value, ""); err != nil {
			return err
		}
	}
}

// noJSON says where a body cannot be read.
func noJSON(b []byte, err error, at int64) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		at = max(at, 0) + max(syntax.Offset-at, 0) - 1
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fault.New(fault.BadBody, "the body is no JSON: it ends early, at %s", placeOf(b, int64(len(b)))).Because(err)
	}
	return fault.New(fault.BadBody, "the body is no JSON that is read: %s is not what was expected there", placeOf(b, at)).Because(err)
}

// value reads one value of a body, or of its member at.
func (in *reading) value(b []byte, at string) error {
	m, others, err := jsonin.Members(b, "", "type", "features", "geometry", "params", "crs")
	if err != nil {
		var e *jsonin.Error
		if errors.As(err, &e) && e.Member == "" && at != "" {
			return e.Fault(at)
		}
		return foreign(err)
	}
	typ, err := textOf(m["type"], "type")
	if err != nil {
		return err
	}
	switch {
	case typ == "" && len(m["geometry"]) > 0:
		if m["crs"] != nil {
			others = append(others, "crs")
		}
		for _, name := range others {
			if !slices.Contains(ofFeatures, name) {
				return fault.UnknownName(name, "", []string{"geometry", "params"})
			}
		}
		if err := in.readParams(m["params"]); err != nil {
			return err
		}
		return in.geometry(m["geometry"])
	case typ == "FeatureCollection":
		return in.collection(m)
	}
	return in.feature(b, "", crs.WGS84)
}

// ofFeatures are the members of a Feature beside its geometry: a Feature without type is taken.
var ofFeatures = []string{"properties", "id", "bbox"}

// foreign is what a client is told of an error of the reader.
func foreign(err error) error {
	var e *jsonin.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Member == "" {
		return fault.New(fault.BadBody, "the body is no JSON that is read: expected %s, found "+
			"%s", e.Expected, fault.Shorten(e.Value)).Because(err)
	}
	return e.Fault(e.Member)
}

// textOf is a member that is a text; "" where it is absent or null.
func textOf(raw json.RawMessage, name string) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	text, err := jsonin.New(raw).String(name)
	return text, foreign(err)
}

// readParams reads the parameters beside a geometry, each of which stands once.
func (in *reading) readParams(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	r := jsonin.New(raw)
	in.params = map[string]json.RawMessage{}
	err := r.Object("params", func(name string) error {
		if _, twice := in.params[name]; twice {
			return fault.Of(fault.Duplicate, "params."+fault.Shorten(name), "", "it once")
		}
		if len(in.params) == maxParams {
			return fault.BadValue("params", "more than 50 members", "at most 50")
		}
		value, err := r.Raw()
		in.params[strings.Clone(name)] = value
		return err
	})
	return foreign(err)
}

// collection reads the features of a FeatureCollection.
func (in *reading) collection(m map[string]json.RawMessage) error {
	system, err := systemOf(m["crs"], crs.WGS84)
	if err != nil || len(m["features"]) == 0 || string(m["features"]) == "null" {
		return err
	}
	r := jsonin.New(m["features"])
	return foreign(r.Array("features", func(n int) error {
		f, err := r.Raw()
		if err != nil {
			return err
		}
		return in.feature(f, fmt.Sprintf("features[%d]", n), system)
	}))
}

// geometry reads the member geometry: GeoJSON, or a text of one of the other forms.
func (in *reading) geometry(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		return in.body([]byte(text), maxDepth-1)
	}
	return in.value(b, member)
}

// isGeoJSON says whether a file of an archive is one that is read: others end in .json too.
func isGeoJSON(b []byte) bool {
	switch jsonin.New(b).Type() {
	case "FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon",
		"MultiPolygon":
		return true
	}
	return false
}

// systemOf is the system that a member crs of the GeoJSON of 2008 names; without one it is that of the object around.
func systemOf(b json.RawMessage, around crs.System) (crs.System, error) {
	if len(b) == 0 || string(b) == "null" {
		return around, nil
	}
	var o struct {
		Properties struct {
			Name string      `json:"name"`
			Code json.Number `json:"code"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return 0, fault.BadValue("crs", fmt.Sprintf("%.60s", b), `{"type":"name","properties":{"name":"EPSG:31287"}}`)
	}
	name := o.Properties.Name
	if name == "" {
		name = o.Properties.Code.String()
	}
	system, err := crs.ParseSource(name)
	if err != nil {
		return 0, fault.New(fault.Invalid, "crs: %v", err)
	}
	return system, nil
}

// feature reads a Feature or a geometry in a system, unless it names another one.
func (in *reading) feature(b []byte, at string, system crs.System) error {
	if err := in.ctx.Err(); err != nil {
		return err
	}
	m, _, err := jsonin.Members(b, at, "type", "properties", "id", "crs")
	if err != nil && jsonin.New(b).Peek() == '{' {
		return foreign(err)
	}
	if system, err = systemOf(m["crs"], system); err != nil {
		return err
	}
	if system != crs.WGS84 {
		var err error
		if b, err = inDegrees(b, &placing{system: system, of: cmpAt(at)}); err != nil {
			return err
		}
	}
	r := jsonin.New(b)
	// closing vertices count there; add counts what stays
	g, err := r.ReadGeometry(at, &jsonin.Budget{Left: 2 * maxVertices, Max: maxVertices})
	if err == nil {
		err = r.End()
	}
	if err != nil {
		var e *jsonin.Error
		if errors.As(err, &e) {
			if e.Member == "" {
				e.Member = member
			}
			return e.Fault(e.Member)
		}
		return err
	}
	f := Feature{Polygons: g.Polygons, parts: g.Parts}
	if string(m["type"]) == `"Feature"` {
		if p := m["properties"]; len(p) > 0 && p[0] == '{' {
			f.Properties = p
		}
		if id := m["id"]; len(id) > 0 && id[0] != 'n' {
			f.ID = id
		}
	}
	for _, p := range g.Paths {
		if len(p) == 1 {
			f.Points = append(f.Points, p[0])
		} else {
			f.Lines = append(f.Lines, p)
		}
	}
	return in.add(f)
}

func cmpAt(at string) string {
	if at == "" {
		return "the body"
	}
	return at
}

// inDegrees is a feature or geometry of another system with its positions in degrees; what is no geometry of it stays.
func inDegrees(b []byte, to *placing) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, noJSON(b, err, 0)
	}
	if err := placeMembers(v, to, 0); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// placeMembers lays the coordinates of an object and of the geometries in it.
func placeMembers(v any, to *placing, depth int) error {
	o, ok := v.(map[string]any)
	if !ok || depth > jsonin.MaxDepth {
		return nil
	}
	if c, ok := o["coordinates"].([]any); ok {
		if err := placeArray(c, to, 0); err != nil {
			return err
		}
	}
	if list, ok := o["geometries"].([]any); ok {
		for _, g := range list {
			if err := placeMembers(g, to, depth+1); err != nil {
				return err
			}
		}
	}
	return placeMembers(o["geometry"], to, depth+1)
}

// placeArray lays a position, or the arrays in an array.
func placeArray(c []any, to *placing, depth int) error {
	if depth > jsonin.MaxDepth {
		return nil // which the reader of the geometry refuses
	}
	if x, y, ok := numbers(c); ok {
		p, err := place(to, [][2]float64{{x, y}})
		if err == nil {
			c[0], c[1] = degreesOf(p[0].X), degreesOf(p[0].Y)
		}
		return err
	}
	for _, v := range c {
		if list, ok := v.([]any); ok {
			if err := placeArray(list, to, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers are the first two numbers of a position.
func numbers(c []any) (x, y float64, ok bool) {
	if len(c) < 2 {
		return 0, 0, false
	}
	a, ok1 := c[0].(json.Number)
	b, ok2 := c[1].(json.Number)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	return x, y, err1 == nil && err2 == nil
}

// degreesOf writes a coordinate of the grid.
func degreesOf(v int32) json.Number {
	return json.Number(strconv.FormatFloat(float64(v)/geom.Scale, 'f', 7, 64))
}
