package jsonin

import (
	"errors"
	"strconv"

	"mappe/shared/geo/geom"
)

// What a position may be.
const (
	lonRange = "a longitude from -180 to 180 (degrees, WGS84)"
	latRange = "a latitude from -90 to 90 (degrees, WGS84)"
)

// Budget bounds the vertices of all polygons of one body.
type Budget struct{ Left, Max int }

// Geometry is a GeoJSON value as read: the type it says, its polygons in foreign ring order with the
// closing vertex removed, and what of the feature's names could serve as an id.
type Geometry struct {
	Type     string // Polygon or MultiPolygon
	Polygons geom.MultiPolygon
	IDs      map[string]string // properties.id, properties.ID, properties.fid, as JSON text; nil without any
}

// ReadGeometry reads a GeoJSON Polygon, MultiPolygon, or a Feature of one. Members may stand in any
// order; foreign members are skipped, members that are read may stand once.
func (r *Reader) ReadGeometry(member string, budget *Budget) (*Geometry, error) {
	return r.geometry(member, budget, true)
}

var errFound = errors.New("found")

// Type finds the member "type" of the object that comes next without moving on; "" when it has none.
func (r *Reader) Type() string {
	probe := *r
	found := ""
	_ = probe.Object("", func(key string) error {
		if key == "type" && probe.Peek() == '"' {
			s, err := probe.String("type")
			if found = s; err == nil {
				err = errFound
			}
			return err
		}
		return probe.Skip()
	})
	return found
}

// expectedGeometry is what a body is asked to hold.
const expectedGeometry = "a GeoJSON Polygon or MultiPolygon, or a Feature with one"

func (r *Reader) geometry(member string, budget *Budget, feature bool) (*Geometry, error) {
	if r.Peek() != '{' {
		return nil, r.Bad(member, expectedGeometry)
	}
	typ := r.Type()
	g := &Geometry{Type: typ}
	seen, types, properties := false, 0, 0
	err := r.Object(member, func(key string) error {
		var err error
		switch {
		case seen && (key == "coordinates" && typ != "Feature" || key == "geometry" && typ == "Feature"):
			return twice(join(member, key))
		case key == "type":
			if types++; types > 1 {
				return twice(join(member, key))
			}
			return r.Skip()
		case key == "coordinates" && typ == "Polygon":
			seen = true
			var p geom.Polygon
			p, err = r.polygon(join(member, key), budget)
			g.Polygons = geom.MultiPolygon{p}
			return err
		case key == "coordinates" && typ == "MultiPolygon":
			seen = true
			return r.Array(join(member, key), func(n int) error {
				p, err := r.polygon(index(join(member, key), n), budget)
				g.Polygons = append(g.Polygons, p)
				return err
			})
		case key == "geometry" && typ == "Feature" && feature:
			seen = true
			var inner *Geometry
			inner, err = r.geometry(join(member, key), budget, false)
			if err == nil {
				g.Type, g.Polygons = inner.Type, inner.Polygons
			}
			return err
		case key == "properties" && typ == "Feature" && r.Peek() == '{':
			if properties++; properties > 1 {
				return twice(join(member, key))
			}
			g.IDs, err = r.ids(join(member, key))
			return err
		}
		return r.Skip()
	})
	if err != nil {
		return nil, err
	}
	if !seen || len(g.Polygons) == 0 {
		return nil, noPolygons(member, typ, seen, feature)
	}
	return g, nil
}

// noPolygons is the fault of an object of a type that has none; seen says that their member stands there, feature
// that a Feature was allowed.
func noPolygons(member, typ string, seen, feature bool) error {
	switch {
	case typ == "Polygon" || typ == "MultiPolygon":
		value := "missing"
		if seen {
			value = "[]"
		}
		return bad(join(member, "coordinates"), value, "the rings of a "+typ)
	case typ == "Feature" && feature && !seen:
		return bad(join(member, "geometry"), "missing", expectedGeometry)
	}
	return bad(join(member, "type"), typ, expectedGeometry)
}

// twice refuses a member that stands a second time: which one counts differs from reader to reader.
func twice(member string) error { return bad(member, "given twice", "it once") }

// ids reads the properties that may name a feature.
func (r *Reader) ids(member string) (map[string]string, error) {
	var ids map[string]string
	err := r.Object(member, func(key string) error {
		if c := r.Peek(); key != "id" && key != "ID" && key != "fid" || c == 't' || c == 'f' || c == '{' || c == '[' {
			return r.Skip() // a property of the client's own, which may be anything, and names nothing
		}
		if _, known := ids[key]; known {
			return twice(join(member, key))
		}
		s, ok, err := r.ID(join(member, key))
		if ok {
			if ids == nil {
				ids = map[string]string{}
			}
			ids[key] = s
		}
		return err
	})
	return ids, err
}

// MaxID bounds the length in bytes of a name that a client gives to an item.
const MaxID = 256

// ID reads a client's own name of an item, a text or a number, and gives its JSON text as it stands in
// the body; null is none.
func (r *Reader) ID(member string) (json string, ok bool, err error) {
	const expected = "a text or number of at most 256 bytes"
	c := r.Peek()
	start := r.i
	switch {
	case c == 'n' && r.Null():
		return "", false, nil
	case c == '"':
		_, err = r.String(member)
	default:
		_, err = r.number(member, expected)
	}
	if err == nil && r.i-start > MaxID {
		err = bad(member, r.show(start), expected)
	}
	if err != nil {
		return "", false, err
	}
	return shared(r.b[start:r.i]), true, nil
}

func (r *Reader) polygon(member string, budget *Budget) (geom.Polygon, error) {
	var p geom.Polygon
	err := r.Array(member, func(n int) error {
		ring, err := r.ring(member, n, budget)
		p = append(p, ring)
		return err
	})
	if err == nil && len(p) == 0 {
		err = bad(member, "[]", "at least one ring")
	}
	return p, err
}

// ring reads one ring and drops the closing vertex; a ring left open is closed by that.
func (r *Reader) ring(member string, n int, budget *Budget) (geom.Ring, error) {
	var ring geom.Ring
	err := r.Array(index(member, n), func(k int) error {
		if budget.Left--; budget.Left < 0 {
			return &Error{member, "more than " + strconv.Itoa(budget.Max) + " vertices", "at most " + strconv.Itoa(budget.Max) + " vertices in one request", true}
		}
		p, err := r.position(member, n, k)
		ring = append(ring, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	if l := len(ring); l > 1 && ring[0] == ring[l-1] {
		ring = ring[:l-1]
	}
	if len(ring) < 3 {
		return nil, bad(index(member, n), strconv.Itoa(len(ring))+" different vertices", "a ring of at least 3 different vertices")
	}
	return ring, nil
}

// position reads [lon, lat, ...]; further numbers (height) are read over. The fast path allocates nothing.
func (r *Reader) position(member string, n, k int) (geom.Point, error) {
	var p geom.Point
	bad := func(err error, axis int) error {
		e, ok := err.(*Error)
		if !ok || e.Member != "" || axis > 1 {
			return err
		}
		return bad(index(index(index(member, n), k), axis), e.Value, e.Expected)
	}
	if r.Peek() != '[' {
		return p, r.Bad(index(index(member, n), k), "a position [lon, lat]")
	}
	r.i++
	var err error
	if p.X, err = r.Degrees("", 180, lonRange); err != nil {
		return p, bad(err, 0)
	}
	if r.Peek() != ',' {
		return p, r.Bad(index(index(member, n), k), "a position [lon, lat]")
	}
	r.i++
	if p.Y, err = r.Degrees("", 90, latRange); err != nil {
		return p, bad(err, 1)
	}
	for r.Peek() == ',' {
		r.i++
		if _, err := r.number(index(index(member, n), k), "numbers only in a position"); err != nil {
			return p, err
		}
	}
	if r.Peek() != ']' {
		return p, r.syntax("',' or ']'")
	}
	r.i++
	return p, nil
}

func join(member, key string) string {
	if member == "" {
		return key
	}
	return member + "." + key
}

func index(member string, n int) string { return member + "[" + strconv.Itoa(n) + "]" }
