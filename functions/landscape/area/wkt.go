package area

import (
	"fmt"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// wkt reads well-known text (OGC 06-103r4, 7), also with SRID=4326; before it.
func (in *reading) wkt(text string) error {
	if prefix, rest, ok := strings.Cut(text, ";"); ok && strings.HasPrefix(strings.ToUpper(prefix), "SRID=") {
		if code := strings.TrimSpace(prefix[5:]); code != "4326" {
			return fault.BadValue(member, prefix, "positions in degrees: SRID=4326")
		}
		text = rest
	}
	r := &wktReader{rest: text, left: maxVertices}
	err := in.wktGeometry(r, 0)
	if err == nil && r.word() != "" {
		err = r.bad()
	}
	return err
}

// wktReader takes a text apart into words: names, numbers, brackets and commas.
type wktReader struct {
	rest string
	left int // vertices
}

func (r *wktReader) bad() error {
	return fault.BadValue(member, fmt.Sprintf("text that goes on with %.40q", r.rest), "well-known text: POLYGON ((16.1 48.2, ...))")
}

// word takes the next word; "" is the end.
func (r *wktReader) word() string {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	n := strings.IndexAny(r.rest, " \t\r\n(),")
	switch {
	case r.rest == "":
		return ""
	case n < 0:
		n = len(r.rest)
	case n == 0:
		n = 1
	}
	w := r.rest[:n]
	r.rest = r.rest[n:]
	return w
}

// peek says whether the next word is one.
func (r *wktReader) peek(w string) bool {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	return strings.HasPrefix(r.rest, w)
}

func (r *wktReader) expect(w string) error {
	if !r.peek(w) {
		return r.bad()
	}
	r.rest = r.rest[len(w):]
	return nil
}

// list reads items in brackets with commas between them.
func (r *wktReader) list(item func() error) error {
	if err := r.expect("("); err != nil {
		return err
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if r.peek(",") {
			r.rest = r.rest[1:]
			continue
		}
		return r.expect(")")
	}
}

// positions reads a list of positions.
func (r *wktReader) positions() (out []geom.Point, err error) {
	err = r.list(func() error {
		var words []string
		for !r.peek(",") && !r.peek(")") && r.rest != "" {
			words = append(words, r.word())
			if len(words) > 4 {
				return r.bad()
			}
		}
		p, err := position(words)
		if r.left--; err == nil && r.left < 0 {
			err = fault.New(fault.TooLarge, "the geometry has more than %d vertices", maxVertices)
		}
		out = append(out, p)
		return err
	})
	return out, err
}

// polygon reads the rings of a polygon.
func (r *wktReader) polygon() (p geom.Polygon, err error) {
	err = r.list(func() error {
		line, err := r.positions()
		if ring := opened(line); len(ring) > 0 {
			p = append(p, ring)
		}
		return err
	})
	return p, err
}

// maxCollections bounds collections within collections.
const maxCollections = 8

// wktGeometry reads a geometry as a feature; one of a collection is a feature of its own.
func (in *reading) wktGeometry(r *wktReader, depth int) error {
	kind := strings.ToUpper(r.word())
	for _, dimension := range []string{"ZM", "Z", "M"} {
		kind = strings.TrimSuffix(kind, dimension)
		if r.rest = strings.TrimLeft(r.rest, " \t\r\n"); strings.HasPrefix(strings.ToUpper(r.rest), dimension) {
			r.rest = r.rest[len(dimension):]
			break
		}
	}
	if strings.HasPrefix(strings.ToUpper(strings.TrimLeft(r.rest, " ")), "EMPTY") {
		r.word()
		return nil
	}
	var f Feature
	var err error
	switch kind {
	case "POINT":
		f.Points, err = r.positions()
	case "MULTIPOINT":
		err = r.multiPoint(&f)
	case "LINESTRING":
		var line []geom.Point
		line, err = r.positions()
		f.Lines = [][]geom.Point{line}
	case "MULTILINESTRING":
		err = r.list(func() error {
			line, err := r.positions()
			f.Lines = append(f.Lines, line)
			return err
		})
	case "POLYGON":
		var p geom.Polygon
		p, err = r.polygon()
		f.Polygons = geom.MultiPolygon{p}
	case "MULTIPOLYGON":
		err = r.list(func() error {
			p, err := r.polygon()
			f.Polygons = append(f.Polygons, p)
			return err
		})
	case "GEOMETRYCOLLECTION":
		if depth == maxCollections {
			return r.bad()
		}
		return r.list(func() error { return in.wktGeometry(r, depth+1) })
	default:
		return fault.New(fault.BadBody, "the body begins with %.40q: expected %s", kind, Forms)
	}
	if err != nil {
		return err
	}
	return in.add(f)
}

// multiPoint reads points, each in brackets of its own or not.
func (r *wktReader) multiPoint(f *Feature) error {
	return r.list(func() error {
		if r.peek("(") {
			points, err := r.positions()
			f.Points = append(f.Points, points...)
			return err
		}
		var words []string
		for !r.peek(",") && !r.peek(")") && r.rest != "" && len(words) < 4 {
			words = append(words, r.word())
		}
		p, err := position(words)
		f.Points = append(f.Points, p)
		return err
	})
}
