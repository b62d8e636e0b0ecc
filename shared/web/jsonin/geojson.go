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

// Budget bounds the vertices of all geometries of one body.
type Budget struct{ Left, Max int }

// Geometry is a GeoJSON value as read: its polygons in foreign ring order with the closing vertex removed, its
// lines and points, and what of the feature's names could serve as an id.
type Geometry struct {
	Type     string // of the geometry; "" for a feature with geometry null
	Polygons geom.MultiPolygon
	Parts    []int             // where in Polygons the polygons of each geometry of a collection begin; one, 0, of another geometry
	Paths    [][]geom.Point    // lines; a path of one position is a point
	IDs      map[string]string // properties.id, properties.ID, properties.fid, as JSON text; nil without any
}

// The types of geometries, and how many arrays lie around the positions of each.
var geometryDepth = map[string]int{"Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}

const (
	collection = "GeometryCollection"
	// maxNesting bounds collections within collections.
	maxNesting = 8
)

// geometryReader reads one value.
type geometryReader struct {
	*Reader
	budget *Budget
	into   *Geometry
	depth  int
}

// ReadGeometry reads a GeoJSON geometry of any type, or a Feature of one. Members may stand in any order; foreign
// members are skipped, members that are read may stand once. A feature's geometry may be null.
func (r *Reader) ReadGeometry(member string, budget *Budget) (*Geometry, error) {
	g := geometryReader{Reader: r, budget: budget, into: &Geometry{}}
	if r.Peek() != '{' {
		return nil, r.Bad(member, expectedGeometry)
	}
	if r.Type() != "Feature" {
		return g.into, g.geometry(member)
	}
	seen := map[string]bool{}
	err := r.Object(member, func(key string) (err error) {
		if key == "type" || key == "geometry" || key == "properties" {
			if seen[key] {
				return twice(join(member, key))
			}
			seen[key] = true
		}
		switch {
		case key == "geometry" && r.Peek() == 'n' && r.Null():
			return nil
		case key == "geometry":
			return g.geometry(join(member, key))
		case key == "properties" && r.Peek() == '{':
			g.into.IDs, err = r.ids(join(member, key))
			return err
		}
		return r.Skip()
	})
	if err == nil && !seen["geometry"] {
		err = bad(join(member, "geometry"), "missing", expectedGeometry)
	}
	return g.into, err
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
const expectedGeometry = "a GeoJSON geometry (Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection), or a Feature with one"

// geometry reads one geometry object and adds what it holds.
func (r *geometryReader) geometry(member string) error {
	if r.Peek() != '{' {
		return r.Bad(member, expectedGeometry)
	}
	typ := r.Type()
	depth, known := geometryDepth[typ]
	holds := "coordinates"
	if typ == collection {
		known, holds = true, "geometries"
	}
	if !known {
		if probe := *r.Reader; typ == "" {
			if err := probe.Skip(); err != nil {
				return err // it is no JSON before its type is found
			}
		}
		return bad(join(member, "type"), typ, expectedGeometry)
	}
	if r.into.Type == "" {
		r.into.Type = typ
	}
	if typ != collection {
		r.into.Parts = append(r.into.Parts, len(r.into.Polygons))
	}
	seen, types := false, 0
	before := len(r.into.Polygons) + len(r.into.Paths)
	err := r.Object(member, func(key string) error {
		switch {
		case key == "type":
			if types++; types > 1 {
				return twice(join(member, key))
			}
			return r.Skip()
		case key != holds:
			return r.Skip()
		case seen:
			return twice(join(member, key))
		}
		seen = true
		if typ == collection {
			return r.collection(join(member, key))
		}
		return r.coordinates(join(member, key), typ, depth)
	})
	if err != nil {
		return err
	}
	if !seen || len(r.into.Polygons)+len(r.into.Paths) == before {
		value := "missing"
		if seen {
			value = "[]"
		}
		return bad(join(member, holds), value, "the "+holds+" of a "+typ)
	}
	return nil
}

// collection reads the geometries of a collection.
func (r *geometryReader) collection(member string) error {
	if r.depth++; r.depth > maxNesting {
		return bad(member, "collections within collections", "at most "+strconv.Itoa(maxNesting)+" of them")
	}
	err := r.Array(member, func(n int) error { return r.geometry(index(member, n)) })
	r.depth--
	return err
}

// coordinates reads the coordinates of a type.
func (r *geometryReader) coordinates(member, typ string, depth int) error {
	switch {
	case typ == "Polygon":
		p, err := r.polygon(member, r.budget)
		r.into.Polygons = append(r.into.Polygons, p)
		return err
	case typ == "MultiPolygon":
		return r.Array(member, func(n int) error {
			p, err := r.polygon(index(member, n), r.budget)
			r.into.Polygons = append(r.into.Polygons, p)
			return err
		})
	case depth == 2:
		return r.Array(member, func(n int) error { return r.path(index(member, n)) })
	case typ == "LineString":
		return r.path(member)
	case typ == "MultiPoint":
		return r.Array(member, func(n int) error { return r.point(index(member, n)) })
	}
	return r.point(member)
}

// point reads the position of a point.
func (r *geometryReader) point(member string) error {
	if err := r.spend(member, r.budget); err != nil {
		return err
	}
	p, err := r.position(func() string { return member })
	r.into.Paths = append(r.into.Paths, []geom.Point{p})
	return err
}

// path reads the positions of a line.
func (r *geometryReader) path(member string) error {
	var path []geom.Point
	err := r.Array(member, func(k int) error {
		if err := r.spend(member, r.budget); err != nil {
			return err
		}
		p, err := r.position(func() string { return index(member, k) })
		path = append(path, p)
		return err
	})
	if err == nil && len(path) < 2 {
		err = bad(member, strconv.Itoa(len(path))+" positions", "a line of at least 2 positions")
	}
	r.into.Paths = append(r.into.Paths, path)
	return err
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
// the body; null is no name.
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
		if err := r.spend(member, budget); err != nil {
			return err
		}
		p, err := r.position(func() string { return index(index(member, n), k) })
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

// spend takes one vertex of the budget.
func (r *Reader) spend(member string, budget *Budget) error {
	if budget.Left--; budget.Left < 0 {
		return &Error{member, "more than " + strconv.Itoa(budget.Max) + " vertices",
			"at most " + strconv.Itoa(budget.Max) + " vertices in one request", true}
	}
	return nil
}

// position reads [lon, lat, ...]; further numbers (height) are read over. The path is only put together for errors:
// what is read allocates nothing.
func (r *Reader) position(path func() string) (geom.Point, error) {
	var p geom.Point
	bad := func(err error, axis int) error {
		e, ok := err.(*Error)
		if !ok || e.Member != "" || axis > 1 {
			return err
		}
		return bad(index(path(), axis), e.Value, e.Expected)
	}
	if r.Peek() != '[' {
		return p, r.Bad(path(), "a position [lon, lat]")
	}
	r.i++
	var err error
	if p.X, err = r.Degrees("", 180, lonRange); err != nil {
		return p, bad(err, 0)
	}
	if r.Peek() != ',' {
		return p, r.Bad(path(), "a position [lon, lat]")
	}
	r.i++
	if p.Y, err = r.Degrees("", 90, latRange); err != nil {
		return p, bad(err, 1)
	}
	for r.Peek() == ',' {
		r.i++
		if _, err := r.number("", "numbers only in a position"); err != nil {
			return p, named(err, path)
		}
	}
	if r.Peek() != ']' {
		return p, r.syntax("',' or ']'")
	}
	r.i++
	return p, nil
}

// named gives an error without a member the one it came from.
func named(err error, path func() string) error {
	if e, ok := err.(*Error); ok && e.Member == "" {
		return bad(path(), e.Value, e.Expected)
	}
	return err
}

func join(member, key string) string {
	if member == "" {
		return key
	}
	return member + "." + key
}

func index(member string, n int) string { return member + "[" + strconv.Itoa(n) + "]" }
