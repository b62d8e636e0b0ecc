package format

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"mappe/shared/geo/geom"
)

// What is written can be read as XML, with every value and place of the rows.
func TestKML(t *testing.T) {
	type thing struct {
		name string
		area float64
	}
	square := func(at int32) geom.Ring {
		return geom.Ring{{X: at, Y: at}, {X: at + 100, Y: at}, {X: at + 100, Y: at + 100}}
	}
	s := NewSchema("thing", "", Drawing[thing]{Polygons: func(x *thing) geom.MultiPolygon {
		m := geom.MultiPolygon{{square(130_000_000), square(130_000_010)}}
		if x.area > 1 {
			m = append(m, geom.Polygon{square(140_000_000)})
		}
		return m
	}}, Fields[thing]{
		{Column: Column{Name: "name"}, Get: func(x *thing) Value { return Text(x.name) }},
		{Column: Column{Name: "area", Type: TypeFloat, Decimals: 1}, Get: func(x *thing) Value { return Float(x.area, 1) }},
	})
	var out bytes.Buffer
	b := NewBuffer(&out)
	rows := func(yield func(Row, error) bool) {
		r := s.Record()
		for _, r.Item = range []thing{{"a <b> & \"c\"\x01", 1}, {"", 2.25}} {
			if !yield(r, nil) {
				return
			}
		}
	}
	if err := WriteKML(b, "things", "CC BY 4.0 & more", NewLayout(nil, s.RowType), rows); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Document struct {
			Name       string `xml:"name"`
			About      string `xml:"description"`
			Placemarks []struct {
				Name string `xml:"name"`
				Data []struct {
					Name  string `xml:"name,attr"`
					Value string `xml:"value"`
				} `xml:"ExtendedData>Data"`
				Polygon *polygonXML  `xml:"Polygon"`
				Several []polygonXML `xml:"MultiGeometry>Polygon"`
			} `xml:"Placemark"`
		}
	}
	if err := xml.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	d := doc.Document
	if d.Name != "things" || d.About != "CC BY 4.0 & more" || len(d.Placemarks) != 2 {
		t.Fatalf("%+v", d)
	}
	first, second := d.Placemarks[0], d.Placemarks[1]
	if first.Name != `a <b> & "c"` || len(first.Data) != 2 || first.Data[1].Value != "1" || first.Polygon == nil ||
		len(first.Polygon.Inner) != 1 {
		t.Errorf("%+v", first)
	}
	if got := strings.Fields(first.Polygon.Outer); len(got) != 4 || got[0] != "13.0000000,13.0000000" || got[3] != got[0] {
		t.Errorf("the ring is %v", got)
	}
	if second.Name != "" || len(second.Data) != 1 || second.Polygon != nil || len(second.Several) != 2 {
		t.Errorf("%+v", second)
	}
}

type polygonXML struct {
	Outer string   `xml:"outerBoundaryIs>LinearRing>coordinates"`
	Inner []string `xml:"innerBoundaryIs>LinearRing>coordinates"`
}
