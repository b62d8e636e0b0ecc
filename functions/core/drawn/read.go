package drawn

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// reading is what is read of a body.
type reading struct {
	ctx      context.Context
	warnings []string
	features []Feature
	params   map[string]json.RawMessage
	fields   map[string]string // of a form
	vertices int
	records  int   // of shapefiles and GeoPackages, with and without geometry
	unpacked int64 // bytes of shapefiles
}

// Forms names what is read, for messages and documentation.
const Forms = "GeoJSON (also a sequence of it), {geometry, params}, KML, KMZ, GPX, WKT, coordinates as lon,lat;lon,lat;..., a zipped shapefile, a GeoPackage, or one of these as a file of a form"

// maxDepth bounds files within files: a form, an archive, a document.
const maxDepth = 3

// body reads a body of any form.
func (in *reading) body(b []byte, depth int) error {
	if !Packed(b) { // whose last bytes may be blanks by chance
		b = bytes.TrimSpace(decoded(b))
	}
	switch {
	case depth == maxDepth:
		return fault.New(fault.BadBody, "the body holds files within files")
	case len(b) == 0:
		return fault.New(fault.BadBody, "the body is empty: expected %s", Forms)
	case b[0] == '{', b[0] == separator:
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

// Packed says whether a body, or the file of a form, is an archive or a database: what it holds is larger than itself.
func Packed(b []byte) bool {
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
	if in.fields == nil {
		in.fields = map[string]string{}
	}
	if len(in.fields) == maxParams || len(name) > 64 || len(text) > 4096 {
		return fault.New(fault.BadBody, "the field %.64q of the form is no parameter", name)
	}
	in.fields[name] = text
	return nil
}

func tooManyVertices() error {
	return fault.New(fault.TooLarge, "the geometry has more than %d vertices", maxVertices)
}

// add takes a feature up. Rings are counted without the vertex that closes them.
func (in *reading) add(f Feature) error {
	if err := in.ctx.Err(); err != nil {
		return err
	}
	n := f.Polygons.Vertices() + len(f.Points)
	for _, l := range f.Lines {
		n += len(l)
	}
	if in.vertices += n; in.vertices > maxVertices {
		return tooManyVertices()
	}
	if len(in.features) == maxFeatures {
		return fault.New(fault.TooLarge, "there are more than %d features", maxFeatures)
	}
	in.features = append(in.features, f)
	return nil
}

// coordinates reads lon,lat;lon,lat;...: one is a point, three or more are a polygon.
func (in *reading) coordinates(text string) error {
	var ring geom.Ring
	for part := range strings.SplitSeq(strings.TrimRight(text, "; \r\n"), ";") {
		p, err := position(strings.FieldsFunc(part, func(r rune) bool {
			return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
		}))
		if err != nil {
			return err
		}
		if ring = append(ring, p); len(ring) > maxVertices+1 {
			return tooManyVertices()
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
