package spatial

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/csvin"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// The names that columns of a table of points have, the first is the usual one.
var (
	lonNames = []string{"lon", "longitude", "lng", "long", "x"}
	latNames = []string{"lat", "latitude", "y"}
	idNames  = []string{"id", "ID", "fid", "name"}
)

// readPointTable reads CSV with a header line: columns for longitude and latitude in degrees, and one for the id
// where there is one. The separator is that of the header: comma, semicolon or tab; beside the latter two numbers
// may have a decimal comma. A line whose position cannot be read is an item with a problem, so that the answer has
// a row for each line.
func readPointTable(body []byte) ([]point, error) {
	t, err := csvin.Read(body)
	if err != nil {
		return nil, csvin.Fault(err)
	}
	t.Ragged()
	lonAt, latAt, idAt := t.Column(lonNames...), t.Column(latNames...), t.Column(idNames...)
	if lonAt < 0 || latAt < 0 {
		return nil, fault.Of(fault.Missing, "header", fault.Shorten(t.Header()), "columns named lon and lat, and id where there are ids")
	}
	var list []point
	for {
		row, err := t.Next()
		switch {
		case errors.Is(err, io.EOF) && len(list) == 0:
			return nil, fault.Of(fault.OutOfRange, "body", "0 points", "1 to "+strconv.Itoa(maxPoints)+" points")
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, csvin.Fault(err)
		case len(list) == maxPoints:
			return nil, fault.Of(fault.TooLarge, "body", "more than "+strconv.Itoa(maxPoints)+" points",
				"1 to "+strconv.Itoa(maxPoints)+" points")
		}
		list = append(list, tablePoint(t, row, [3]int{lonAt, latAt, idAt}, len(list)))
	}
}

// tablePoint reads one line; at are the columns of longitude, latitude and id.
func tablePoint(t *csvin.Table, row csvin.Row, at [3]int, n int) point {
	p := point{id: strconv.Itoa(n)}
	if id := row.Cell(at[2]); id != "" {
		if text, err := json.Marshal(id); err == nil && len(id) <= maxTableID {
			p.id = string(text)
		} else {
			p.problem = "the id is longer than " + strconv.Itoa(maxTableID) + " bytes"
		}
	}
	number := func(text, name string, most float64) int32 {
		v, err := t.Number(text)
		if err != nil || !(v >= -most && v <= most) {
			p.problem = name + " " + strconv.Quote(fault.Shorten(text)) + " is no number from -" + strconv.Itoa(int(most)) + " to " +
				strconv.Itoa(int(most))
			return 0
		}
		return int32(math.Round(v * geom.Scale))
	}
	p.at = geom.Point{X: number(row.Cell(at[0]), "lon", 180)}
	if p.problem == "" {
		p.at.Y = number(row.Cell(at[1]), "lat", 90)
	}
	if p.problem == "" && austria.Swapped(p.at.Lon(), p.at.Lat()) {
		p.problem = "lon and lat look swapped, " + austria.Where
	}
	return p
}

// maxTableID bounds the ids of a table, in bytes.
const maxTableID = 200

// pointMatch is a point with the parcel that holds it, as a row.
type pointMatch struct {
	p      *point
	l      *located
	c      *containment
	parcel rowschema.ParcelRow
}

// matchedParcel are columns of the parcel, null if the point lies in no parcel.
func matchedParcel(of format.Fields[rowschema.ParcelRow]) format.Fields[pointMatch] {
	// The point has columns of these names itself.
	left := slices.DeleteFunc(slices.Clone(of), func(f format.Field[rowschema.ParcelRow]) bool {
		return slices.Contains([]string{"kg_code", "gemeinde_code", "lon", "lat"}, f.Name)
	})
	fields := format.Lift(left, func(m *pointMatch) *rowschema.ParcelRow { return &m.parcel })
	for i := range fields {
		get := fields[i].Get
		fields[i].Get = func(m *pointMatch) format.Value {
			if m.l.parcel == nil {
				return format.Null
			}
			return get(m)
		}
	}
	return fields
}

// matchRows are the rows of the flat forms of POST /spatial/points.
var matchRows = format.NewSchema("point", "A point with the parcel that holds it.", format.Drawing[pointMatch]{
	Point: func(m *pointMatch) geom.Point { return m.p.at },
}, append(format.Fields[pointMatch]{
	{Column: format.Column{Name: "id", Doc: "The given id, or the point's number from 0."}, Get: func(m *pointMatch) format.Value {
		var text string
		if json.Unmarshal([]byte(m.p.id), &text) == nil {
			return format.String(text)
		}
		return format.String(m.p.id)
	}},
	{Column: format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of the point."},
		Get: func(m *pointMatch) format.Value { return m.position(m.p.at.X) }},
	{Column: format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of the point."},
		Get: func(m *pointMatch) format.Value { return m.position(m.p.at.Y) }},
	{Column: format.Column{Name: "matched", Type: format.TypeBool, Doc: "Whether a parcel holds the point."},
		Get: func(m *pointMatch) format.Value { return format.Bool(m.l.parcel != nil) }},
	{Column: format.Column{Name: "pending", Type: format.TypeBool,
		Doc: "The point's KG is not loaded: matched false is unknown, not absent."}, Get: func(m *pointMatch) format.Value {
		return format.Bool(m.l.pending != "")
	}},
	{Column: format.Column{Name: "error", Doc: "Why the line of a table is no point."}, Get: func(m *pointMatch) format.Value {
		return format.Text(m.p.problem)
	}},
}, append(matchedKG(), matchedParcel(rowschema.Parcel.Fields)...)...))

// matchOverlaidRows are the same with what lies over the parcel.
var matchOverlaidRows = matchRows.With(matchedParcel(rowschema.ParcelOverlay)...)

func (m *pointMatch) position(e7 int32) format.Value {
	if m.p.problem != "" {
		return format.Null
	}
	return format.Degrees(e7)
}

// table gives a row for each point, in their order.
func (c *containment) table() *reply.Rows {
	of := choose(c.over != nil, matchOverlaidRows, matchRows)
	return &reply.Rows{
		Total: len(c.points), RowTypes: []*format.RowType{of.RowType}, Geometry: true,
		Rows: func(yield func(format.Row, error) bool) {
			row := of.Record()
			row.Item.c = c
			for i := range c.points {
				row.Item.p, row.Item.l = &c.points[i], &c.results[i]
				if l := row.Item.l; l.parcel != nil {
					row.Item.parcel = c.shown(l)
				}
				if !yield(row, nil) {
					return
				}
			}
		},
	}
}
