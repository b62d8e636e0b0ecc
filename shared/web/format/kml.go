package format

import "mappe/shared/geo/geom"

// WriteKML writes a KML 2.2 document: a placemark for each row, named by its first column, with its columns as data and its
// geometry in degrees. About is the description of the document: licence and attribution belong there.
func WriteKML(b *Buffer, name, about string, l *Layout, rows Seq) error {
	return KML{Name: name, About: about, Folders: []KMLFolder{{Layout: l, Rows: rows}}}.Write(b)
}

// KML is a document of several folders, whose placemarks have colours.
type KML struct {
	Name, About string
	Colours     []KMLColour
	Folders     []KMLFolder
}

// KMLColour is how placemarks are drawn that name it: areas and icons in a colour #rrggbb.
type KMLColour struct{ ID, Fill string }

// KMLFolder are rows under a name; "": they stand in the document itself.
type KMLFolder struct {
	Name   string
	Layout *Layout
	Rows   Seq
	Colour func(Row) string // id of its colour; nil: none
}

// Write writes the document as WriteKML does.
func (k KML) Write(b *Buffer) error {
	b.b = append(b.b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>`...)
	b.b = appendXML(b.b, k.Name)
	b.b = append(b.b, `</name><description>`...)
	b.b = appendXML(b.b, k.About)
	b.b = append(b.b, "</description>\n"...)
	for _, c := range k.Colours {
		b.b = appendXML(append(b.b, `<Style id="`...), c.ID)
		colour := "ff" + c.Fill[5:7] + c.Fill[3:5] + c.Fill[1:3] // alpha, blue, green, red
		b.b = append(b.b, `"><IconStyle><color>`+colour+
			`</color></IconStyle><LineStyle><color>ff424242</color></LineStyle><PolyStyle><color>b0`+
			colour[2:]+"</color></PolyStyle></Style>\n"...)
	}
	for i := range k.Folders {
		if err := k.Folders[i].write(b); err != nil {
			return err
		}
	}
	b.b = append(b.b, "</Document></kml>\n"...)
	return b.err
}

func (f *KMLFolder) write(b *Buffer) error {
	if f.Name != "" {
		b.b = append(appendXML(append(b.b, `<Folder><name>`...), f.Name), "</name>\n"...)
	}
	for r, err := range f.Rows {
		if err == nil {
			err = b.err
		}
		if err != nil {
			return err
		}
		colour := ""
		if f.Colour != nil {
			colour = f.Colour(r)
		}
		b.b = appendPlacemark(b.b, f.Layout, r, colour)
		b.spill()
	}
	if f.Name != "" {
		b.b = append(b.b, "</Folder>\n"...)
	}
	return b.err
}

func appendPlacemark(b []byte, l *Layout, r Row, colour string) []byte {
	p := l.part(r.RowType())
	b = append(b, `<Placemark>`...)
	if len(p.columns) > 0 {
		b = append(b, `<name>`...)
		b = append(appendXMLValue(b, r.Value(p.columns[0])), `</name>`...)
	}
	if colour != "" {
		b = append(appendXML(append(b, `<styleUrl>#`...), colour), `</styleUrl>`...)
	}
	b = append(b, `<ExtendedData>`...)
	for _, c := range p.columns {
		v := r.Value(c)
		if v.IsNull() {
			continue
		}
		b = append(b, `<Data name="`...)
		b = appendXML(b, p.rowType.Columns[c].Name)
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
