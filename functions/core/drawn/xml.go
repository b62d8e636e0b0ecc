package drawn

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// xml reads KML and GPX: elements by their local names, in whatever namespace.
//
//	KML  Placemark is a feature: Point, LineString, LinearRing, Track, Polygon with outerBoundaryIs and innerBoundaryIs, in
//	     MultiGeometry or not; its name, description and ExtendedData are properties
//	GPX  wpt, trk and rte are features with name and desc: a point, a line for each trkseg, a line
func (in *reading) xml(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = false
	d.CharsetReader = charset
	x := xmlReading{in: in}
	for n := 0; ; n++ {
		if n%1000 == 0 && in.ctx.Err() != nil {
			return in.ctx.Err()
		}
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			var known *fault.Fault
			if errors.As(err, &known) {
				return known
			}
			line, column := d.InputPos()
			return fault.New(fault.BadBody, "the XML cannot be read at line %d, column %d: expected KML or GPX", line, column).Because(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			err = x.start(t)
		case xml.CharData:
			x.text(t)
		case xml.EndElement:
			err = x.end(t.Name.Local)
		}
		if err != nil {
			return err
		}
	}
	if !x.known {
		return fault.New(fault.BadBody, "the XML is neither KML nor GPX")
	}
	return nil
}

// Bounds of what travels of a feature beside its geometry.
const (
	maxText       = 1000 // bytes of a value
	maxProperties = 50
)

// xmlReading is the element that is being read.
type xmlReading struct {
	in       *reading
	known    bool   // kml or gpx was there
	owner    string // Placemark, wpt, trk or rte; "" outside of them
	feature  Feature
	about    map[string]string
	key      string           // property that the next text is of
	data     string           // name of the Data around a value
	words    *strings.Builder // text that is gathered: positions, or a property
	polygon  geom.Polygon
	within   bool // a polygon
	line     []geom.Point
	vertices int
}

// owners are the elements that are features.
var owners = map[string]bool{"Placemark": true, "wpt": true, "trk": true, "rte": true}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (x *xmlReading) start(t xml.StartElement) error {
	name := t.Name.Local
	if owners[name] && x.owner == "" {
		x.owner, x.feature, x.about = name, Feature{}, nil
	}
	switch name {
	case "kml", "gpx":
		x.known = true
	case "Polygon":
		x.within, x.polygon = true, nil
	case "coordinates", "coord":
		x.words, x.key = &strings.Builder{}, ""
	case "trkseg", "rte", "Track":
		x.line = nil
	case "Data":
		x.data = attribute(t, "name")
	case "SimpleData":
		x.property(attribute(t, "name"))
	case "value":
		x.property(x.data)
	case "name", "description", "desc":
		x.property(name)
	case "wpt", "trkpt", "rtept":
		p, err := position([]string{attribute(t, "lon"), attribute(t, "lat")})
		if err != nil {
			return err
		}
		if name == "wpt" {
			x.feature.Points = append(x.feature.Points, p)
			return nil
		}
		x.key = ""
		return x.vertex(p)
	}
	return nil
}

// property begins the text of a property, where it is one of a feature.
func (x *xmlReading) property(name string) {
	if x.owner == "" || name == "" || x.words != nil || len(x.about) == maxProperties || len(x.line) > 0 && x.owner != "Placemark" {
		return
	}
	x.words, x.key = &strings.Builder{}, name[:min(len(name), maxText)]
}

func (x *xmlReading) vertex(p geom.Point) error {
	if x.vertices++; x.vertices > 2*maxVertices { // closing vertices count here; add counts what stays
		return tooManyVertices()
	}
	x.line = append(x.line, p)
	return nil
}

func (x *xmlReading) text(t xml.CharData) {
	if x.words != nil && (x.key == "" || x.words.Len() < maxText) {
		x.words.Write(t)
	}
}

// positions adds the positions of a text, each with commas or, in a track, blanks between its numbers.
func (x *xmlReading) positions(text string, track bool) error {
	if track {
		p, err := position(strings.Fields(text))
		if err == nil {
			err = x.vertex(p)
		}
		return err
	}
	x.line = nil
	for word := range strings.FieldsSeq(text) {
		p, err := position(strings.Split(word, ","))
		if err == nil {
			err = x.vertex(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *xmlReading) end(name string) error {
	if x.words != nil {
		switch text := x.words.String(); {
		case x.key == "" && (name == "coordinates" || name == "coord"):
			x.words = nil
			if err := x.positions(text, name == "coord"); err != nil {
				return err
			}
		case x.key != "" && (name == "name" || name == "description" || name == "desc" || name == "value" || name == "SimpleData"):
			x.words = nil
			if text = strings.TrimSpace(text); text != "" {
				if x.about == nil {
					x.about = map[string]string{}
				}
				x.about[x.key] = strings.ToValidUTF8(text[:min(len(text), maxText)], "")
			}
		}
	}
	x.shape(name)
	if name == x.owner {
		return x.close()
	}
	if x.owner == "" {
		return x.flush()
	}
	return nil
}

// shape takes up the geometry that an element was.
func (x *xmlReading) shape(name string) {
	f := &x.feature
	part := func(p geom.Polygon) {
		f.parts = append(f.parts, len(f.Polygons))
		f.Polygons = append(f.Polygons, p)
	}
	switch name {
	case "LinearRing":
		if r := opened(x.line); x.within && len(r) > 0 {
			x.polygon = append(x.polygon, r)
		} else if len(r) > 2 {
			part(geom.Polygon{r})
		}
		x.line = nil
	case "Polygon":
		if x.within = false; len(x.polygon) > 0 {
			part(x.polygon)
		}
	case "Point":
		if len(x.line) == 1 {
			f.Points = append(f.Points, x.line[0])
		}
		x.line = nil
	case "LineString", "trkseg", "rte", "Track":
		if len(x.line) > 0 {
			f.Lines, f.recorded = append(f.Lines, x.line), name != "LineString"
		}
		x.line = nil
	}
}

// close ends a feature.
func (x *xmlReading) close() error {
	x.owner = ""
	if len(x.about) > 0 {
		b, err := json.Marshal(x.about)
		if err != nil {
			return err
		}
		x.feature.Properties = b
	}
	return x.flush()
}

// flush hands on what was read; a feature without geometry is passed over.
func (x *xmlReading) flush() error {
	f := x.feature
	x.feature = Feature{}
	if len(f.Polygons)+len(f.Lines)+len(f.Points) == 0 {
		return nil
	}
	return x.in.add(f)
}

// opened is a ring without the repeated closing vertex.
func opened(line []geom.Point) geom.Ring {
	if n := len(line); n > 1 && line[0] == line[n-1] {
		line = line[:n-1]
	}
	return line
}
