package drawn

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/shapefile"
	"mappe/shared/web/fault"
)

// maxShape bounds the bytes of one shape: positions of 32 bytes with height and measure, and a part for each.
const maxShape = 40 * maxVertices

// shapefiles reads the shapefiles of an archive, in its order: the features are those of all of them. A .dbf tells which
// records are deleted and has the attributes, a .cpg their encoding, a .prj the system; other members are passed over.
func (in *reading) shapefiles(z *zip.Reader) (n int, err error) {
	beside := map[string]*zip.File{}
	for _, f := range z.File {
		if !hidden(f.Name) {
			beside[strings.ToLower(f.Name)] = f
		}
	}
	for _, f := range z.File {
		name := strings.ToLower(f.Name)
		stem, ok := strings.CutSuffix(name, ".shp")
		if !ok || beside[name] != f {
			continue
		}
		s := &shapes{in: in, name: path.Base(f.Name), shp: f, dbf: beside[stem+".dbf"], prj: beside[stem+".prj"], cpg: beside[stem+".cpg"]}
		if err := s.read(); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// shapes is a shapefile that is read.
type shapes struct {
	in                 *reading
	name               string
	shp, dbf, prj, cpg *zip.File
	place              placing
}

func (s *shapes) read() error {
	if err := s.system(); err != nil {
		return err
	}
	shp, err := s.shp.Open()
	if err != nil {
		return unreadable(s.shp, err)
	}
	defer shp.Close() // read only
	var table io.Reader
	if s.dbf != nil {
		dbf, err := s.dbf.Open()
		if err != nil {
			return unreadable(s.dbf, err)
		}
		defer dbf.Close() // read only
		table = &unpacking{dbf, &s.in.unpacked, maxUnpacked}
	}
	page := ""
	if s.cpg != nil {
		text, err := unpack(s.cpg, &s.in.unpacked, maxUnpacked)
		if err != nil {
			return err
		}
		page = string(text[:min(len(text), 64)])
	}
	r, err := shapefile.New(&unpacking{shp, &s.in.unpacked, maxUnpacked}, table, page)
	if err != nil {
		return s.bad(err)
	}
	r.Limit(maxShape)
	for rec, ok := r.Next(); ok; rec, ok = r.Next() {
		if s.in.records++; s.in.records > maxFeatures {
			return fault.New(fault.TooLarge, "the shapefiles have more than %d records", maxFeatures)
		}
		if err := s.add(rec); err != nil {
			return err
		}
	}
	if err := r.Err(); err != nil {
		return s.bad(err)
	}
	if r.More() {
		return s.bad(errors.New("the .dbf has fewer rows than the .shp has shapes"))
	}
	return nil
}

// bad is a shapefile that cannot be read.
func (s *shapes) bad(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return known
	}
	return fault.New(fault.BadBody, "the shapefile %.80q cannot be read: %v", s.name, err).Because(err)
}

// system reads the system of the .prj; without one positions must be degrees.
func (s *shapes) system() error {
	s.place = placing{system: crs.WGS84, of: fmt.Sprintf("the shapefile %.80q", s.name)}
	if s.prj == nil {
		s.place.assumed = true
		return nil
	}
	text, err := unpack(s.prj, &s.in.unpacked, maxUnpacked)
	if err != nil {
		return err
	}
	if s.place.system, err = crs.FromWKT(string(text)); err != nil {
		return fault.New(fault.BadBody, "the .prj of the shapefile %.80q: %v", s.name, err)
	}
	return nil
}

func (s *shapes) add(rec *shapefile.Record) error {
	var f Feature
	var rings []geom.Ring
	for _, r := range rec.Rings {
		line, err := place(&s.place, r)
		if err != nil {
			return err
		}
		rings = append(rings, line)
	}
	for _, l := range rec.Lines {
		line, err := place(&s.place, l)
		if err != nil {
			return err
		}
		f.Lines = append(f.Lines, line)
	}
	var err error
	if f.Points, err = place(&s.place, rec.Points); err != nil {
		return err
	}
	if f.Polygons, err = assemble(rings); err != nil {
		return fault.BadValue(member, fmt.Sprintf("record %d with rings that cross each other too often", rec.Number), "a simpler polygon")
	}
	if len(f.Polygons)+len(f.Lines)+len(f.Points) == 0 {
		return nil // a shape of nothing
	}
	f.Properties, err = attributesOf(rec)
	if err != nil {
		return err
	}
	return s.in.add(f)
}

// attributesOf are the cells of a record as an object; nil where it has none.
func attributesOf(rec *shapefile.Record) (json.RawMessage, error) {
	of := map[string]any{}
	rec.Cells(func(column string, kind byte, text string) {
		of[column] = cellValue(kind, text)
	})
	if len(of) == 0 {
		return nil, nil
	}
	return json.Marshal(of)
}

// cellValue is a cell of a table: a number, yes or no, a text; nil for an empty one.
func cellValue(kind byte, text string) any {
	switch {
	case text == "":
		return nil
	case kind == 'N' || kind == 'F':
		if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			if json.Valid([]byte(text)) {
				return json.Number(text)
			}
			return v
		}
	case kind == 'L':
		switch text {
		case "T", "t", "Y", "y":
			return true
		case "F", "f", "N", "n":
			return false
		case "?":
			return nil
		}
	}
	return text
}

// placing lays positions of a file's system onto the grid.
type placing struct {
	system  crs.System
	assumed bool   // the file does not say its system
	of      string // what the file is called in errors
}

// place lays positions onto the grid. What a projection does not give back is outside of where it holds.
func place[P ~[2]float64](s *placing, in []P) ([]geom.Point, error) {
	if len(in) == 0 {
		return nil, nil
	}
	out := make([]geom.Point, len(in))
	for i, v := range in {
		p, ok := s.system.Point(v[0], v[1])
		if ok {
			x, y := s.system.Project(p)
			ok = math.Hypot(x-v[0], y-v[1]) < 1
		}
		if !ok && s.assumed {
			return nil, fault.New(fault.BadBody, "%s has no .prj and its positions are no degrees (%.10g, %.10g): add the .prj", s.of, v[0],
				v[1])
		}
		if !ok {
			return nil, fault.BadValue(member, fmt.Sprintf("%.10g, %.10g", v[0], v[1]), fmt.Sprintf("in %s positions of %v, east and north",
				s.of, s.system))
		}
		out[i] = p
	}
	return out, nil
}

// maxCompared bounds the vertices that are looked at to find the rings around holes.
const maxCompared = 50_000_000

// assemble makes polygons of the rings of a record: exteriors run clockwise, and a hole belongs to the smallest exterior
// around it. A hole that has none becomes a part of its own, which the repair then tells of. Where no ring runs clockwise,
// and where there are too many to compare them, the even-odd rule decides.
func assemble(rings []geom.Ring) (geom.MultiPolygon, error) {
	var out geom.MultiPolygon
	var holes []geom.Ring
	var areas []float64
	for _, r := range rings {
		a := r.Area2().Float()
		switch {
		case len(r) < 3:
		case a <= 0: // also a ring that crosses itself and has as much on either side
			out, areas = append(out, geom.Polygon{r}), append(areas, -a)
		default:
			holes = append(holes, r)
		}
	}
	if len(out) == 1 || len(holes) == 0 {
		for i := range out {
			out[i] = append(out[i], holes...)
		}
		return out, nil
	}
	if len(out) == 0 {
		return geom.Rebuild(rings)
	}
	boxes := make([]geom.Box, len(out))
	for i, p := range out {
		boxes[i] = p[0].Bounds()
	}
	left := maxCompared
	for _, h := range holes {
		b, at := h.Bounds(), -1
		for i := range boxes {
			if !boxes[i].Holds(b) || at >= 0 && areas[at] <= areas[i] {
				continue
			}
			if left -= len(out[i][0]); left < 0 {
				return geom.Rebuild(rings)
			}
			if holds(out[i][0], h) {
				at = i
			}
		}
		if at < 0 {
			out = append(out, geom.Polygon{h})
		} else {
			out[at] = append(out[at], h)
		}
	}
	return out, nil
}

// holds says whether a ring lies in another one: some may lie on its border, where Contains decides by the side.
func holds(exterior, hole geom.Ring) bool {
	for _, p := range hole[:min(len(hole), 3)] {
		if exterior.Contains(p) {
			return true
		}
	}
	return false
}
