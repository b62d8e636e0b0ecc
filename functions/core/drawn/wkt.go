package drawn

import (
	"fmt"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// wkt reads well-known text (OGC 06-103r4, 7), also with SRID=31287; before it.
func (in *reading) wkt(text string) error {
	r := &wktReader{rest: text, left: 2 * maxVertices, place: placing{system: crs.WGS84, of: "the text"}}
	if len(text) >= 5 && strings.EqualFold(text[:5], "SRID=") {
		prefix, rest, _ := strings.Cut(text, ";")
		system, err := crs.ParseSource(strings.TrimSpace(prefix[5:]))
		if err != nil {
			return fault.New(fault.Invalid, "SRID: %v", err)
		}
		r.rest, r.place = rest, placing{system: system, of: fault.Shorten(prefix)}
	}
	err := in.wktGeometry(r, 0)
	if err == nil && r.word() != "" {
		err = r.bad()
	}
	return err
}

// wktReader takes a text apart into words: names, numbers, brackets and commas. Each byte is looked at a fixed number of
// times.
type wktReader struct {
	rest  string
	left  int // vertices
	items int // geometries, empty ones too
	place placing
}

func (r *wktReader) bad() error {
	return fault.BadValue(member, fmt.Sprintf("text that goes on with %q", r.rest[:min(len(r.rest), 40)]),
		"well-known text: POLYGON ((16.1 48.2, ...))")
}

func (r *wktReader) blanks() { r.rest = strings.TrimLeft(r.rest, " \t\r\n") }

// word takes the next word; "" is the end.
func (r *wktReader) word() string {
	r.blanks()
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

// peek says whether the text goes on with some letters, in either case.
func (r *wktReader) peek(w string) bool {
	r.blanks()
	return len(r.rest) >= len(w) && strings.EqualFold(r.rest[:len(w)], w)
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

// position reads the numbers of a position.
func (r *wktReader) position() (geom.Point, error) {
	if r.left--; r.left < 0 {
		return geom.Point{}, tooManyVertices()
	}
	var words []string
	for !r.peek(",") && !r.peek(")") && r.rest != "" {
		if words = append(words, r.word()); len(words) > 4 {
			return geom.Point{}, r.bad()
		}
	}
	if r.place.system == crs.WGS84 {
		return position(words)
	}
	if len(words) >= 2 {
		x, err1 := strconv.ParseFloat(words[0], 64)
		y, err2 := strconv.ParseFloat(words[1], 64)
		if err1 == nil && err2 == nil {
			p, err := place(&r.place, [][2]float64{{x, y}})
			if err != nil {
				return geom.Point{}, err
			}
			return p[0], nil
		}
	}
	return geom.Point{}, fault.BadValue(member, strings.Join(words, " "), fmt.Sprintf("a position of %v, east and north", r.place.system))
}

// positions reads a list of positions.
func (r *wktReader) positions() (out []geom.Point, err error) {
	err = r.list(func() error {
		p, err := r.position()
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

// wktKind reads the name of a geometry; the letters of its dimensions are passed over.
func (r *wktReader) wktKind() string {
	kind := strings.ToUpper(r.word())
	for _, dimension := range []string{"ZM", "Z", "M"} {
		if kind != dimension {
			kind = strings.TrimSuffix(kind, dimension)
		}
		if r.peek(dimension) {
			r.rest = r.rest[len(dimension):]
			break
		}
	}
	return kind
}

// wktGeometry reads a geometry as a feature; one of a collection is a feature of its own.
func (in *reading) wktGeometry(r *wktReader, depth int) error {
	if r.items++; r.items > 2*maxFeatures {
		return fault.New(fault.TooLarge, "there are more than %d geometries, with the empty ones", 2*maxFeatures)
	}
	if err := in.ctx.Err(); err != nil {
		return err
	}
	kind := r.wktKind()
	if r.peek("EMPTY") {
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
		return fault.New(fault.BadBody, "the body begins with %q: expected %s", kind[:min(len(kind), 40)], Forms)
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
		p, err := r.position()
		f.Points = append(f.Points, p)
		return err
	})
}
