package area

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// xml reads KML and GPX: elements by their local names, in whatever namespace.
//
//	KML  Point, LineString, LinearRing, Polygon with outerBoundaryIs and innerBoundaryIs, in MultiGeometry or not
//	GPX  wpt is a point; each trkseg and rte a line
func (in *reading) xml(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // coordinates are ASCII
	x := xmlReading{in: in}
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fault.New(fault.BadBody, "the XML cannot be read: expected KML or GPX").Because(err)
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

// xmlReading is the element that is being read.
type xmlReading struct {
	in       *reading
	known    bool // kml or gpx was there
	coords   *strings.Builder
	polygon  geom.Polygon
	within   bool // a polygon
	line     []geom.Point
	vertices int
}

func (x *xmlReading) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "kml", "gpx":
		x.known = true
	case "Polygon":
		x.within, x.polygon = true, nil
	case "coordinates":
		x.coords = &strings.Builder{}
	case "trkseg", "rte":
		x.line = nil
	case "wpt", "trkpt", "rtept":
		words := []string{"", ""}
		for _, a := range t.Attr {
			switch a.Name.Local {
			case "lon":
				words[0] = a.Value
			case "lat":
				words[1] = a.Value
			}
		}
		p, err := position(words)
		if err != nil {
			return err
		}
		if t.Name.Local == "wpt" {
			return x.in.add(Feature{Points: []geom.Point{p}})
		}
		return x.vertex(p)
	}
	return nil
}

func (x *xmlReading) vertex(p geom.Point) error {
	if x.vertices++; x.vertices > maxVertices {
		return fault.New(fault.TooLarge, "the geometry has more than %d vertices", maxVertices)
	}
	x.line = append(x.line, p)
	return nil
}

func (x *xmlReading) text(t xml.CharData) {
	if x.coords != nil {
		x.coords.Write(t)
	}
}

func (x *xmlReading) end(name string) error {
	switch name {
	case "coordinates":
		if x.coords == nil {
			return nil
		}
		words := x.coords.String()
		x.line, x.coords = nil, nil
		for word := range strings.FieldsSeq(words) {
			p, err := position(strings.Split(word, ","))
			if err == nil {
				err = x.vertex(p)
			}
			if err != nil {
				return err
			}
		}
	case "LinearRing":
		if r := opened(x.line); x.within && len(r) > 0 {
			x.polygon = append(x.polygon, r)
		} else if len(r) > 2 {
			return x.in.add(Feature{Polygons: geom.MultiPolygon{{r}}})
		}
	case "Polygon":
		x.within = false
		if len(x.polygon) > 0 {
			return x.in.add(Feature{Polygons: geom.MultiPolygon{x.polygon}})
		}
	case "Point":
		if len(x.line) == 1 {
			return x.in.add(Feature{Points: x.line})
		}
	case "LineString", "trkseg", "rte":
		if len(x.line) > 0 {
			return x.in.add(Feature{Lines: [][]geom.Point{x.line}})
		}
	}
	return nil
}

// opened is a ring without the repeated closing vertex.
func opened(line []geom.Point) geom.Ring {
	if n := len(line); n > 1 && line[0] == line[n-1] {
		line = line[:n-1]
	}
	return line
}
