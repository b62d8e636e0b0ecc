package format

import "mappe/shared/geo/geom"

// WriteKML writes a KML 2.2 document: a placemark for each row, named by its first column, with its columns as data and its
// geometry in degrees. About is the description of the document: licence and attribution belong there.
func WriteKML(b *Buffer, name, about string, l *Layout, rows Seq) error {
	b.b = append(b.b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>`...)
	b.b = appendXML(b.b, name)
	b.b = append(b.b, `</name><description>`...)
	b.b = appendXML(b.b, about)
	b.b = append(b.b, "</description>\n"...)
	for r, err := range rows {
		if err == nil {
			err = b.err
		}
		if err != nil {
			return err
		}
		b.b = appendPlacemark(b.b, l, r)
		b.spill()
	}
	b.b = append(b.b, "</Document></kml>\n"...)
	return b.err
}

func appendPlacemark(b []byte, l *Layout, r Row) []byte {
	p := l.kind(r.Kind())
	b = append(b, `<Placemark>`...)
	if len(p.columns) > 0 {
		b = append(b, `<name>`...)
		b = append(appendXMLValue(b, r.Value(p.columns[0])), `</name>`...)
	}
	b = append(b, `<ExtendedData>`...)
	for _, c := range p.columns {
		v := r.Value(c)
		if v.IsNull() {
			continue
		}
		b = append(b, `<Data name="`...)
		b = appendXML(b, p.kind.Columns[c].Name)
		b = append(b, `"><value>`...)
		b = append(appendXMLValue(b, v), `</value></Data>`...)
	}
	b = append(b, `</ExtendedData>`...)
	if p.geometry {
		b = appendKML(b, r.Geometry())
	}
	return append(b, "</Placemark>\n"...)
}

// appendKML writes a geometry; several parts are a MultiGeometry.
func appendKML(b []byte, g Geometry) []byte {
	parts := len(g.Polygons) + len(g.Lines)
	if parts > 1 {
		b = append(b, `<MultiGeometry>`...)
	}
	switch g.Shape {
	case ShapePoint:
		b = append(b, `<Point>`...)
		b = append(appendKMLPlaces(b, []geom.Point{g.Point}, false), `</Point>`...)
	case ShapeMultiLine:
		for _, line := range g.Lines {
			b = append(b, `<LineString>`...)
			b = append(appendKMLPlaces(b, line, false), `</LineString>`...)
		}
	case ShapeMultiPolygon:
		for _, poly := range g.Polygons {
			b = append(b, `<Polygon>`...)
			for i, ring := range poly {
				side := "outerBoundaryIs"
				if i > 0 {
					side = "innerBoundaryIs"
				}
				b = append(append(append(b, '<'), side...), `><LinearRing>`...)
				b = appendKMLPlaces(b, ring, true)
				b = append(append(append(b, `</LinearRing></`...), side...), '>')
			}
			b = append(b, `</Polygon>`...)
		}
	}
	if parts > 1 {
		b = append(b, `</MultiGeometry>`...)
	}
	return b
}

// appendKMLPlaces writes places; those of a ring end with the first.
func appendKMLPlaces(b []byte, places []geom.Point, closed bool) []byte {
	b = append(b, `<coordinates>`...)
	for i, q := range places {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendXY(b, q, Projection{}, ',')
	}
	if closed && len(places) > 0 {
		b = appendXY(append(b, ' '), places[0], Projection{}, ',')
	}
	return append(b, `</coordinates>`...)
}

// appendXMLValue writes a value; what is not known is empty.
func appendXMLValue(b []byte, v Value) []byte {
	switch v.kind {
	case vNull, vOmit:
		return b
	case vString, vJSON:
		return appendXML(b, v.str)
	}
	return appendValue(b, v)
}

// appendXML writes text. Characters that XML has no place for are left out.
func appendXML(b []byte, s string) []byte {
	for _, c := range s {
		switch {
		case c == '&':
			b = append(b, "&amp;"...)
		case c == '<':
			b = append(b, "&lt;"...)
		case c == '>':
			b = append(b, "&gt;"...)
		case c == '"':
			b = append(b, "&quot;"...)
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0xfffe, c == 0xffff:
		default:
			b = append(b, string(c)...)
		}
	}
	return b
}
