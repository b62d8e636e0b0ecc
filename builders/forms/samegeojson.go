package forms

import (
	"errors"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// sameGeoJSON reads the features in step with the parcels.
func sameGeoJSON(s *kgfile.Snapshot, b []byte) error {
	body, err := unzip(b)
	if err != nil {
		return err
	}
	c := geoJSONCheck{s: s, r: jsonReader{b: body}, by: rowschema.BuildingsByParcel(s.Parcels, s.Buildings)}
	c.row = rowschema.ParcelExport.Record()
	c.row.Item.KG, c.row.Item.Buildings = &s.KG, s.Buildings
	c.columns = map[string]int{}
	for i, col := range rowschema.ParcelExport.Columns {
		c.columns[col.Name] = i
	}
	r := &c.r
	r.members(func(name string) {
		switch name {
		case "type":
			if got := r.str(); got != "FeatureCollection" {
				c.note(difference("document", "type", got, "FeatureCollection"))
			}
		case "features":
			r.expect('[')
			for first := true; c.err == nil && r.more(first, ']'); first = false {
				c.feature()
			}
		default:
			r.skip(0)
		}
	})
	if r.peek() != 0 {
		r.fail("the end")
	}
	if c.err == nil && r.err == nil && c.n != len(s.Parcels) {
		c.note(difference("parcel table", "number of rows", c.n, len(s.Parcels)))
	}
	if c.err != nil {
		return c.err
	}
	return r.err
}

type geoJSONCheck struct {
	s       *kgfile.Snapshot
	r       jsonReader
	by      *rowschema.ByParcel
	row     *format.Record[rowschema.ParcelExportRow]
	columns map[string]int
	n       int // features read
	err     error

	vertices []geom.Point
}

func (c *geoJSONCheck) note(err error) {
	if c.err == nil && err != nil {
		c.err = err
		c.r.err = err // stop reading
	}
}

func (c *geoJSONCheck) feature() {
	if c.n >= len(c.s.Parcels) {
		c.note(errors.New("there are more features than parcels"))
		return
	}
	c.row.Item.P, c.row.Item.On = &c.s.Parcels[c.n], c.by.Of(c.n)
	c.n++
	id, fields, seen := c.row.Item.ID(), 0, false
	c.r.members(func(name string) {
		switch name {
		case "id":
			if got := c.r.str(); got != id && c.r.err == nil {
				c.note(difference(id, "id", got, id))
			}
		case "geometry":
			seen = true
			c.geometry(id)
		case "properties":
			c.r.members(func(name string) {
				fields++
				c.property(id, name)
			})
		default:
			c.r.skip(0)
		}
	})
	if c.r.err == nil && (fields != len(rowschema.ParcelExport.Columns) || !seen) {
		c.note(difference(id, "number of properties", fields, len(rowschema.ParcelExport.Columns)))
	}
}

func (c *geoJSONCheck) property(id, name string) {
	i, ok := c.columns[name]
	if !ok {
		c.note(fmt.Errorf("%s: property %s is not expected", id, name))
		return
	}
	t := rowschema.ParcelExport.Columns[i].Type
	want := cellOf(c.row.Value(i), t)
	var got cell
	if t == format.TypeDegrees {
		got = cell{kind: number, num: float64(c.r.degrees()) / geom.Scale}
	} else {
		got = c.r.cell()
	}
	if c.r.err == nil && got != want {
		c.note(difference(id, name, got, want))
	}
}

// geometry reads null, a Polygon or a MultiPolygon; type must stand before coordinates.
func (c *geoJSONCheck) geometry(id string) {
	want, r := c.row.Item.P.Geometry, &c.r
	if r.peek() == 'n' {
		r.word("null")
		c.note(sameArea(id, nil, want))
		return
	}
	var kind string
	var got geom.MultiPolygon
	c.vertices = c.vertices[:0]
	if n := want.Vertices() + 64; cap(c.vertices) < 2*n {
		c.vertices = make([]geom.Point, 0, 4*n)
	}
	r.members(func(name string) {
		switch {
		case name == "type":
			kind = r.str()
		case name == "coordinates" && kind == "Polygon":
			got = geom.MultiPolygon{c.polygon()}
		case name == "coordinates" && kind == "MultiPolygon":
			r.expect('[')
			for first := true; r.more(first, ']'); first = false {
				got = append(got, c.polygon())
			}
		default:
			r.fail("type Polygon or MultiPolygon, then coordinates")
		}
	})
	if r.err == nil {
		c.note(sameArea(id, got, want))
	}
}

func (c *geoJSONCheck) polygon() (p geom.Polygon) {
	r := &c.r
	r.expect('[')
	for first := true; r.more(first, ']'); first = false {
		at := len(c.vertices)
		r.expect('[')
		for first := true; r.more(first, ']'); first = false {
			r.expect('[')
			x := r.degrees()
			r.expect(',')
			y := r.degrees()
			r.expect(']')
			c.vertices = append(c.vertices, geom.Point{X: x, Y: y})
		}
		ring := c.vertices[at:]
		if r.err == nil && (len(ring) < 4 || ring[0] != ring[len(ring)-1]) {
			r.fail("a closed ring")
			return nil
		}
		p = append(p, geom.Ring(ring[:max(0, len(ring)-1)]))
	}
	return p
}
