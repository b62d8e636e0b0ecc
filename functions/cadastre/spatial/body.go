package spatial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/functions/core/drawn"
	"mappe/functions/core/geometry"
	"mappe/functions/core/memory"
	"mappe/functions/core/picked"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/csvin"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// point is one point of a list; id is the client's name of it as JSON text, its number where it has none.
type point struct {
	at      geom.Point
	id      string
	problem string // why a line of a table is no point; "" where it is one
}

// members reads an object whose members are known; each may stand once.
func members(r *jsonin.Reader, known []string, read func(name string) error) error {
	seen := 0
	return r.Object("", func(name string) error {
		i := slices.Index(known, name)
		if i < 0 {
			return fault.UnknownName(name, "", known)
		}
		if seen&(1<<i) != 0 {
			return fault.Of(fault.Duplicate, name, "", "it once")
		}
		seen |= 1 << i
		return read(known[i])
	})
}

// whole runs a reader over the body and turns its errors into faults.
func whole(body []byte, read func(r *jsonin.Reader) error) error {
	r := jsonin.New(body)
	err := read(r)
	if err == nil {
		err = r.End()
	}
	return geometry.Foreign(err, "body")
}

// readPoints reads [{lon, lat, id?}], 1 to 1000 of them.
func readPoints(r *jsonin.Reader) ([]point, error) {
	var list []point
	err := r.Array("points", func(n int) error {
		if n >= maxPoints {
			return fault.Of(fault.TooLarge, "points", "more than "+strconv.Itoa(maxPoints)+" points",
				"1 to "+strconv.Itoa(maxPoints)+" points")
		}
		if list == nil {
			list = make([]point, 0, 64)
		}
		p, err := readPoint(r, n)
		list = append(list, p)
		return err
	})
	if err == nil && len(list) == 0 {
		err = fault.Of(fault.OutOfRange, "points", "0 points", "1 to "+strconv.Itoa(maxPoints)+" points")
	}
	return list, err
}

var pointMembers = []string{"lon", "lat", "id"}

// readPoint reads one point. Member paths are only put together for errors.
func readPoint(r *jsonin.Reader, n int) (point, error) {
	var p point
	var got [3]bool
	path := func(member string) string { return pointPath(n, member) }
	err := r.Object("", func(name string) (err error) {
		i := slices.Index(pointMembers, name)
		if i < 0 {
			return fault.Of(fault.Unknown, path(fault.Shorten(name)), "", "one of "+strings.Join(pointMembers, ", ")+fault.DidYouMean(name,
				pointMembers))
		}
		if got[i] {
			return fault.Of(fault.Duplicate, path(name), "", "it once")
		}
		got[i] = true
		switch i {
		case 0:
			p.at.X, err = r.Degrees("", 180, "a longitude from -180 to 180 (degrees, WGS84)")
		case 1:
			p.at.Y, err = r.Degrees("", 90, "a latitude from -90 to 90 (degrees, WGS84)")
		default:
			p.id, got[2], err = r.ID("")
		}
		if err != nil {
			err = named(err, n, name)
		}
		return err
	})
	if err != nil {
		return p, named(err, n, "")
	}
	for i, m := range pointMembers[:2] {
		if !got[i] {
			return p, fault.Of(fault.Missing, path(m), "", "degrees (WGS84)")
		}
	}
	if austria.Swapped(p.at.Lon(), p.at.Lat()) {
		return p, fault.BadValue(path("lon"), strconv.FormatFloat(p.at.Lon(), 'f', -1, 64),
			"a longitude: lon and lat look swapped, "+austria.Where)
	}
	if !got[2] {
		p.id = strconv.Itoa(n)
	}
	return p, nil
}

func pointPath(n int, member string) string {
	p := "points[" + strconv.Itoa(n) + "]"
	if member != "" {
		p += "." + member
	}
	return p
}

// named gives a reader's error the path of the member it came from.
func named(err error, n int, member string) error {
	var e *jsonin.Error
	if !errors.As(err, &e) || e.Member != "" {
		return err
	}
	return &jsonin.Error{Member: pointPath(n, member), Value: e.Value, Expected: e.Expected}
}

// readLayers reads an array of layer names; a single text stands for an array of one.
func readLayers(r *jsonin.Reader, allowed []layer) ([]layer, error) {
	var list []layer
	names := make([]string, len(allowed))
	for i, l := range allowed {
		names[i] = string(l)
	}
	named := strings.Join(names, ", ")
	one := func(member string) error {
		s, err := r.String(member)
		if err != nil {
			return err
		}
		for _, l := range allowed {
			if s == string(l) || s+"s" == string(l) || s == string(l)+"s" {
				if !slices.Contains(list, l) {
					list = append(list, l)
				}
				return nil
			}
		}
		return fault.BadValue(member, s, "one of "+named)
	}
	if r.Peek() == '"' {
		return list, one("layers")
	}
	err := r.Array("layers", func(n int) error { return one("layers[" + strconv.Itoa(n) + "]") })
	if err == nil && len(list) == 0 {
		err = fault.BadValue("layers", "[]", "one or more of "+named)
	}
	return list, err
}

// pointsBody is the body of POST /spatial/points and /spatial/point, which may hold their parameters too.
type pointsBody struct {
	points []point
	params map[string]json.RawMessage
}

func (b pointsBody) held() endpoint.Held { return endpoint.Held{Members: b.params} }

// ownPoints are the members of the body that are no parameters.
var ownPoints = []string{"points"}

func readPointsBody(body []byte) (b pointsBody, err error) {
	err = whole(body, func(r *jsonin.Reader) (err error) {
		b.params, err = endpoint.Beside(r, ownPoints, func(string) (err error) {
			b.points, err = readPoints(r)
			return err
		})
		return err
	})
	if err == nil && b.points == nil {
		err = missingPoints()
	}
	return b, err
}

// readContainBody also reads a table.
func readContainBody(body []byte) (b pointsBody, err error) {
	if csvin.Is(body) {
		b.points, err = readPointTable(body)
		return b, err
	}
	return readPointsBody(body)
}

func missingPoints() error {
	return fault.Of(fault.Missing, "points", "", "an array of 1 to "+strconv.Itoa(maxPoints)+" objects {lon, lat, id?}")
}

// item is one geometry of a batch.
type item struct {
	id string // JSON text
	drawing
	problem string // why it has no answer; "" where it has one
}

// polygonBody is the body of POST /spatial/polygon: one geometry, or a batch with its layers.
type polygonBody struct {
	one      drawing
	named    picked.Name // in place of one
	batch    []item      // nil for one polygon
	layers   []layer
	warnings []string // of the file of a batch
}

func readPolygonBody(body []byte) (polygonBody, error) {
	b := polygonBody{layers: []layer{parcels}}
	budget := &jsonin.Budget{Left: geometry.MaxVertices, Max: geometry.MaxVertices}
	err := whole(body, func(r *jsonin.Reader) error {
		switch typ := r.Type(); {
		case typ == "FeatureCollection":
			return b.collection(r, budget)
		case typ != "" || r.Peek() != '{' || hasType(body):
			g, err := r.ReadGeometry("", budget)
			if err != nil {
				return err
			}
			b.one.shape, err = new(geometry.Repairs).Tidy(g, "body")
			return err
		}
		return b.members(r, budget)
	})
	if err == nil && b.one.shape.Empty() && b.named.Kind == "" && b.batch == nil {
		err = fault.Of(fault.Missing, "polygons", "", "1 to 500 GeoJSON geometries, or a body that is "+geometry.Expected+
			", a FeatureCollection of such features, or {area: "+picked.Forms+"}")
	}
	return b, err
}

// members reads a body without type: a batch, or the name of an area.
func (b *polygonBody) members(r *jsonin.Reader, budget *jsonin.Budget) error {
	layered := false
	err := members(r, []string{"polygons", "layers", "area"}, func(name string) (err error) {
		switch name {
		case "layers":
			layered = true
			b.layers, err = readLayers(r, []layer{parcels, buildings})
			return err
		case "area":
			b.named, err = readPicked(r)
			return err
		}
		return b.items(r, "polygons", budget)
	})
	if err == nil && b.named.Kind != "" && (layered || b.batch != nil) {
		err = fault.Of(fault.Conflict, "area", b.named.String(), "it alone; layers stand in the query then")
	}
	return err
}

// readPicked reads the name of an area.
func readPicked(r *jsonin.Reader) (picked.Name, error) {
	text, err := r.String("area")
	if err != nil {
		return picked.Name{}, err
	}
	if utf8.RuneCountInString(text) > maxAreaName {
		return picked.Name{}, fault.Of(fault.OutOfRange, "area", text, fmt.Sprintf("1 to %d letters", maxAreaName))
	}
	n, err := picked.Parse(text)
	if err != nil {
		return n, fault.Of(fault.Invalid, "area", text, err.Error())
	}
	return n, nil
}

// readPolygons reads a body of any form. One feature of a file is a polygon, several are a batch of parcels, as those of a
// FeatureCollection.
func readPolygons(ctx context.Context, body []byte) (polygonBody, error) {
	if start := bytes.TrimLeft(body, " \t\r\n"); len(start) == 0 || strings.IndexByte(`{["`, start[0]) >= 0 {
		return readPolygonBody(body)
	}
	release, err := memory.Of(nil).Take(ctx, drawn.MemoryOf(body))
	if err != nil {
		return polygonBody{}, err
	}
	defer release()
	list, err := drawn.Read(ctx, body)
	if err != nil {
		return polygonBody{}, err
	}
	return polygonsOf(list)
}

// polygonsOf takes the features of a file.
func polygonsOf(list *drawn.List) (polygonBody, error) {
	b := polygonBody{layers: []layer{parcels}, warnings: list.Warnings}
	if n := len(list.Features); n > maxPolygons {
		return b, fault.Of(fault.TooLarge, "features", strconv.Itoa(n)+" features", "1 to "+strconv.Itoa(maxPolygons)+" features")
	}
	var repairs geometry.Repairs
	for i := range list.Features {
		f := &list.Features[i]
		warnings, open := f.CloseTracks(i)
		shape, err := repairs.Tidy(f.Drawn(), "features["+strconv.Itoa(i)+"]")
		if err != nil {
			return b, err
		}
		shape.Warnings = append(warnings, shape.Warnings...)
		b.batch = append(b.batch, item{id: strconv.Itoa(i), drawing: drawing{shape, open && len(shape.Polygons) == 0}})
	}
	if len(b.batch) == 1 {
		b.one, b.batch = b.batch[0].drawing, nil
		b.one.shape.Warnings = append(b.warnings, b.one.shape.Warnings...)
	}
	return b, nil
}

// hasType says whether an object has a member type, of whatever form.
func hasType(body []byte) bool {
	m, _, _ := jsonin.Members(body, "", "type") // what ends the reading is told by the reader that follows
	return m["type"] != nil
}

// collection reads a FeatureCollection; foreign members are skipped, as GeoJSON wants.
func (b *polygonBody) collection(r *jsonin.Reader, budget *jsonin.Budget) error {
	seen := map[string]bool{}
	err := r.Object("", func(name string) (err error) {
		if name != "type" && name != "features" && name != "layers" {
			return r.Skip()
		}
		if seen[name] {
			return fault.Of(fault.Duplicate, name, "", "it once")
		}
		seen[name] = true
		switch name {
		case "features":
			return b.items(r, "features", budget)
		case "layers":
			b.layers, err = readLayers(r, []layer{parcels, buildings})
			return err
		}
		return r.Skip()
	})
	if err == nil && !seen["features"] {
		err = fault.Of(fault.Missing, "features", "", "1 to 500 features")
	}
	return err
}

// told are the warnings of a batch.
func (b *polygonBody) told() (repaired bool, warnings []string) {
	warnings = append(warnings, b.warnings...)
	for i := range b.batch {
		repaired = repaired || b.batch[i].shape.Repaired
		warnings = append(warnings, b.batch[i].shape.Warnings...)
	}
	return repaired, warnings
}

func (b *polygonBody) items(r *jsonin.Reader, member string, budget *jsonin.Budget) error {
	b.batch = nil
	var repairs geometry.Repairs
	err := r.Array(member, func(n int) error {
		if n >= maxPolygons {
			return fault.Of(fault.TooLarge, member, "more than "+strconv.Itoa(maxPolygons)+" polygons",
				"1 to "+strconv.Itoa(maxPolygons)+" polygons")
		}
		path := member + "[" + strconv.Itoa(n) + "]"
		g, err := r.ReadGeometry(path, budget)
		if err != nil {
			return err
		}
		it := item{id: strconv.Itoa(n)}
		for _, key := range []string{"id", "ID", "fid"} {
			if id, ok := g.IDs[key]; ok {
				it.id = id
				break
			}
		}
		if g.Type == "" { // a feature without a place must not cost the others their answer
			it.problem = "geometry is null: expected " + geometry.Expected
		} else {
			it.shape, err = repairs.Tidy(g, path)
		}
		b.batch = append(b.batch, it)
		return err
	})
	if err == nil && len(b.batch) == 0 {
		err = fault.Of(fault.OutOfRange, member, "0 polygons", "1 to "+strconv.Itoa(maxPolygons)+" polygons")
	}
	return err
}

// readOneShape is the body of POST /spatial/kgs.
func readOneShape(body []byte) (geometry.Shape, error) { return geometry.Read(body, "body") }

// readIDs reads {ids: [...]} or a bare array of ids.
func readIDs[T any](parse func(string) (T, error)) func(body []byte) ([]T, error) {
	return func(body []byte) ([]T, error) {
		var ids []T
		list := func(r *jsonin.Reader) error {
			return r.Array("ids", func(n int) error {
				if n >= maxIDs {
					return fault.Of(fault.TooLarge, "ids", "more than "+strconv.Itoa(maxIDs)+" ids", "1 to "+strconv.Itoa(maxIDs)+" ids")
				}
				path := "ids[" + strconv.Itoa(n) + "]"
				s, err := r.String(path)
				if err != nil {
					return err
				}
				id, err := parse(s)
				if err != nil {
					return badID(path, err)
				}
				ids = append(ids, id)
				return nil
			})
		}
		err := whole(body, func(r *jsonin.Reader) error {
			if r.Peek() == '[' {
				return list(r)
			}
			return members(r, []string{"ids"}, func(string) error { return list(r) })
		})
		if err == nil && len(ids) == 0 {
			err = fault.Of(fault.Missing, "ids", "", "1 to "+strconv.Itoa(maxIDs)+" ids")
		}
		return ids, err
	}
}

// parseShape reads the geojson= parameter.
func parseShape(text string) (geometry.Shape, error) { return geometry.Read([]byte(text), "geojson") }
