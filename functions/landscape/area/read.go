package area

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// reading is what is read of a body.
type reading struct {
	features []Feature
	params   map[string]json.RawMessage
	vertices int
	records  int   // of shapefiles and GeoPackages, with and without geometry
	unpacked int64 // bytes of shapefiles
}

// Forms names what is read, for messages and documentation.
const Forms = "GeoJSON, {geometry, params}, KML, KMZ, GPX, WKT, coordinates as lon,lat;lon,lat;..., a zipped shapefile, a GeoPackage, or one of these as a file of a form"

// maxDepth bounds files within files: a form, an archive, a document.
const maxDepth = 3

// body reads a body of any form.
func (in *reading) body(b []byte, depth int) error {
	if !isBinary(b) { // whose last bytes may be blanks by chance
		b = bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\ufeff")))
	}
	switch {
	case depth == maxDepth:
		return fault.New(fault.BadBody, "the body holds files within files")
	case len(b) == 0:
		return fault.New(fault.BadBody, "the body is empty: expected %s", Forms)
	case b[0] == '{':
		return in.json(b)
	case b[0] == '<':
		return in.xml(b)
	case bytes.HasPrefix(b, []byte("--")):
		return in.form(b, depth)
	case bytes.HasPrefix(b, []byte(zipMagic)):
		return in.archive(b, depth)
	case bytes.HasPrefix(b, []byte(sqliteMagic)):
		return in.geopackage(b)
	case b[0] >= 'A' && b[0] <= 'Z' || b[0] >= 'a' && b[0] <= 'z':
		return in.wkt(string(b))
	case b[0] >= '0' && b[0] <= '9' || b[0] == '-' || b[0] == '+' || b[0] == '.':
		return in.coordinates(string(b))
	}
	return fault.New(fault.BadBody, "the body begins with %q: expected %s", b[:1], Forms)
}

// How files begin that are no text.
const (
	zipMagic    = "PK\x03\x04"
	sqliteMagic = "SQLite format 3\x00"
)

func isBinary(b []byte) bool {
	return bytes.HasPrefix(b, []byte(zipMagic)) || bytes.HasPrefix(b, []byte(sqliteMagic))
}

// form reads the files of a form; fields that are no files are parameters.
func (in *reading) form(b []byte, depth int) error {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	boundary := strings.TrimSpace(strings.TrimPrefix(string(line), "--"))
	if boundary == "" || len(boundary) > 70 {
		return fault.New(fault.BadBody, "the form has no boundary")
	}
	r := multipart.NewReader(bytes.NewReader(append(b, '\r', '\n')), boundary)
	files := 0
	for {
		part, err := r.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fault.New(fault.BadBody, "the form cannot be read").Because(err)
		}
		content, err := io.ReadAll(io.LimitReader(part, MaxBytes))
		if err != nil {
			return fault.New(fault.BadBody, "the form ended early").Because(err)
		}
		if name := part.FormName(); part.FileName() == "" && name != "file" && name != member {
			if err := in.param(name, string(content)); err != nil {
				return err
			}
			continue
		}
		files++
		if err := in.body(content, depth+1); err != nil {
			return err
		}
	}
	if files == 0 {
		return fault.New(fault.BadBody, "the form has no file: expected one of the field file")
	}
	return nil
}

// maxParams bounds the parameters of a body.
const maxParams = 50

func (in *reading) param(name, text string) error {
	if in.params == nil {
		in.params = map[string]json.RawMessage{}
	}
	quoted, err := json.Marshal(text)
	if err != nil || len(in.params) == maxParams || len(name) > 64 || len(text) > 4096 {
		return fault.New(fault.BadBody, "the field %.64q of the form is no parameter", name)
	}
	in.params[name] = quoted
	return nil
}

// add takes a feature up.
func (in *reading) add(f Feature) error {
	n := f.Polygons.Vertices() + len(f.Points)
	for _, l := range f.Lines {
		n += len(l)
	}
	if in.vertices += n; in.vertices > maxVertices {
		return fault.New(fault.TooLarge, "the geometry has more than %d vertices", maxVertices)
	}
	if len(in.features) == maxFeatures {
		return fault.New(fault.TooLarge, "there are more than %d features", maxFeatures)
	}
	in.features = append(in.features, f)
	return nil
}

// json reads GeoJSON, or an object with members geometry and params.
func (in *reading) json(b []byte) error {
	var o struct {
		Type       string
		Features   []json.RawMessage
		Geometry   json.RawMessage
		Params     map[string]json.RawMessage
		Properties json.RawMessage
		ID         json.RawMessage
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return fault.New(fault.BadBody, "the body is no JSON that is read: expected %s", Forms).Because(err)
	}
	switch {
	case o.Type == "" && len(o.Geometry) > 0:
		if len(o.Params) > maxParams {
			return fault.BadValue("params", fmt.Sprintf("%d members", len(o.Params)), "at most 50")
		}
		in.params = o.Params
		return in.geometry(o.Geometry)
	case o.Type == "FeatureCollection":
		for i, f := range o.Features {
			if err := in.feature(f, fmt.Sprintf("features[%d]", i)); err != nil {
				return err
			}
		}
		return nil
	}
	return in.feature(b, "")
}

// geometry reads the member geometry: GeoJSON, or a text of one of the other forms.
func (in *reading) geometry(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		return in.body([]byte(text), maxDepth-1)
	}
	return in.json(b)
}

// feature reads a Feature or a geometry.
func (in *reading) feature(b []byte, at string) error {
	r := jsonin.New(b)
	g, err := r.ReadGeometry(at, &jsonin.Budget{Left: maxVertices, Max: maxVertices})
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
	var o struct {
		Type       string
		Properties json.RawMessage
		ID         json.RawMessage
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return fault.New(fault.BadBody, "the body is no JSON that is read: expected %s", Forms).Because(err)
	}
	f := Feature{Polygons: g.Polygons}
	if o.Type == "Feature" && len(o.Properties) > 0 && o.Properties[0] == '{' {
		f.Properties = o.Properties
	}
	if o.Type == "Feature" && len(o.ID) > 0 && o.ID[0] != 'n' {
		f.ID = o.ID
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

// coordinates reads lon,lat;lon,lat;...: one is a point, three or more are a polygon.
func (in *reading) coordinates(text string) error {
	var ring geom.Ring
	for part := range strings.SplitSeq(strings.TrimRight(text, "; \r\n"), ";") {
		p, err := position(strings.FieldsFunc(part, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' }))
		if err != nil {
			return err
		}
		if ring = append(ring, p); len(ring) > maxVertices {
			return fault.New(fault.TooLarge, "the geometry has more than %d vertices", maxVertices)
		}
	}
	if n := len(ring); n > 1 && ring[0] == ring[n-1] {
		ring = ring[:n-1]
	}
	switch len(ring) {
	case 1:
		return in.add(Feature{Points: ring})
	case 2:
		return fault.BadValue(member, "two coordinates", "one for a point, or three and more for a polygon")
	}
	return in.add(Feature{Polygons: geom.MultiPolygon{{ring}}})
}

// position reads longitude and latitude; a height behind them is left out.
func position(words []string) (geom.Point, error) {
	if len(words) < 2 || len(words) > 4 {
		return geom.Point{}, fault.BadValue(member, strings.Join(words, " "), "a position as lon,lat in degrees")
	}
	lon, err1 := strconv.ParseFloat(words[0], 64)
	lat, err2 := strconv.ParseFloat(words[1], 64)
	p, ok := geom.PointAt(lon, lat)
	if err1 != nil || err2 != nil || !ok {
		return geom.Point{}, fault.BadValue(member, strings.Join(words, ","), "a position as lon,lat in degrees")
	}
	return p, nil
}
