package stac

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/functions/core/geometry"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// The bounds of a search.
const (
	defaultLimit = 10
	maxLimit     = 500
	maxIDs       = 1000
	bodyBytes    = 1 << 20
)

var (
	pLimit = endpoint.Int("limit", fmt.Sprintf("Items in one answer at most; more than %d are taken for %d.", maxLimit, maxLimit),
		endpoint.AtLeast(1), endpoint.Default(strconv.Itoa(defaultLimit)))
	pCursor = endpoint.Parsed("cursor", "The last item of the page before, as the link to the next page carries it.", parseCursor)
	pBox    = endpoint.Parsed("bbox",
		"Only items that reach into this box: west,south,east,north in degrees. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian.", geometry.ParseNumbers, endpoint.Between(7, 300), endpoint.Example("13.27,47.318,13.28,47.325"))
	pTime = endpoint.Parsed("datetime",
		"Only items of this time: RFC 3339 with a time zone, or an interval of two with a slash between them, of which one may be open (.. or nothing). Snapshots are of midnight UTC of their date.", parseInterval, endpoint.Example("2026-01-01T00:00:00Z/.."))
	pIDs        = endpoint.Strings("ids", "Only these items, as a comma list.", endpoint.Between(1, maxIDs))
	pCollecting = endpoint.Strings("collections", "Only items of these collections, as a comma list; there is "+snapshots+".",
		endpoint.Between(1, 100))
	pIntersects = endpoint.Parsed("intersects",
		"Only items that reach into this GeoJSON geometry, percent-encoded; it does not go together with bbox. Addresses of more than 8,192 bytes do not pass the CDN: send larger ones by POST.", parseIntersects, endpoint.Between(2, 200_000))
)

func parseIntersects(text string) (geometry.Shape, error) {
	s, err := geometry.Read([]byte(text), "intersects")
	if err == nil {
		err = valid(s)
	}
	return s, err
}

// valid refuses a geometry that would have to be repaired: answers have no place to say so.
func valid(s geometry.Shape) error {
	if !s.Repaired {
		return nil
	}
	what, _, _ := strings.Cut(strings.TrimPrefix(s.Warnings[0], "intersects: "), ";")
	return fault.BadValue("intersects", what, "rings that neither cross nor share a stretch of border, with holes inside their exterior")
}

// parseCursor reads the id of an item.
func parseCursor(text string) (itemID, error) {
	id, ok := parseID(text)
	if !ok {
		return id, errors.New("a cursor as a link to the next page carries it")
	}
	return id, nil
}

// interval is a time or an interval of two; zero times are open.
type interval struct{ from, to time.Time }

var errInterval = errors.New("an RFC 3339 time with a time zone such as 2026-10-01T00:00:00Z, or two with a slash between them, of which one may be .. for an open end")

// rfc3339 is the form of a time in the standard, which time.Parse takes more than.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$`)

// parseInterval reads what datetime says.
func parseInterval(text string) (interval, error) {
	from, to, two := strings.Cut(text, "/")
	if !two {
		at, ok := instant(text)
		if !ok || at.IsZero() {
			return interval{}, errInterval
		}
		return interval{at, at}, nil
	}
	a, okA := instant(from)
	b, okB := instant(to)
	if !okA || !okB || a.IsZero() && b.IsZero() {
		return interval{}, errInterval
	}
	if !a.IsZero() && !b.IsZero() && b.Before(a) {
		return interval{}, errors.New("an interval whose beginning is not behind its end")
	}
	return interval{a, b}, nil
}

// instant reads a time; the zero time is an open end.
func instant(text string) (time.Time, bool) {
	if text == "" || text == ".." {
		return time.Time{}, true
	}
	if !rfc3339.MatchString(text) {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	return t, err == nil && !t.IsZero()
}

// asked are the members of a search as they were given, by GET or POST; nil and empty is not given.
type asked struct {
	limit       int
	cursor      itemID
	box         geometry.Numbers
	intersects  *geometry.Shape
	time        interval
	ids         []string
	collections []string
	// body are the members of a body but the cursor, for the link to the next page.
	body map[string]any
}

// query is what these members ask for.
func (a *asked) query() (query, error) {
	q := query{limit: min(a.limit, maxLimit), after: a.cursor, from: a.time.from, to: a.time.to}
	switch {
	case a.box != nil && a.intersects != nil:
		return q, fault.New(fault.Conflict, "bbox and intersects do not go together: give one of them")
	case a.box != nil:
		area, ok := a.box.Box()
		if !ok {
			return q, fault.BadValue("bbox", a.box.String(), geometry.BoxExpected)
		}
		q.area, q.field = area, "bbox"
	case a.intersects != nil:
		q.area, q.field = a.intersects.Area(0), "intersects"
	}
	if len(a.collections) > 0 && !slices.Contains(a.collections, snapshots) {
		q.nothing = true
	}
	if len(a.ids) > 0 {
		for _, text := range a.ids {
			if id, ok := parseID(text); ok {
				q.ids = append(q.ids, id)
			}
		}
		q.nothing = q.nothing || len(q.ids) == 0
	}
	return q, nil
}

// fromGET are the members that the parameters of a request give. Those that an endpoint has not are not given.
func fromGET(r *endpoint.Request) *asked {
	a := &asked{limit: pLimit.Of(r), cursor: pCursor.Of(r), box: pBox.Of(r), time: pTime.Of(r), ids: pIDs.Of(r),
		collections: pCollecting.Of(r)}
	if pIntersects.Given(r) {
		s := pIntersects.Of(r)
		a.intersects = &s
	}
	return a
}

// stacSearch is the shape of a body, for the description of the service.
type stacSearch struct {
	Limit       int       `json:"limit,omitempty"`
	Cursor      string    `json:"cursor,omitempty"`
	BBox        []float64 `json:"bbox,omitempty"`
	Datetime    string    `json:"datetime,omitempty"`
	Intersects  any       `json:"intersects,omitempty"`
	IDs         []string  `json:"ids,omitempty"`
	Collections []string  `json:"collections,omitempty"`
}

var bodyMembers = []string{"limit", "cursor", "bbox", "datetime", "intersects", "ids", "collections"}

var searchIn = endpoint.ParsedBody(
	"A JSON object with any of limit, cursor, bbox (an array), datetime, intersects (a GeoJSON geometry), ids and collections (arrays).",
	bodyBytes, stacSearch{}, readSearch).OnlyJSON()

// readSearch reads a body. A member that is null is not given.
func readSearch(data []byte) (*asked, error) {
	a := &asked{limit: defaultLimit, body: map[string]any{}}
	seen := map[string]bool{}
	r := jsonin.New(data)
	err := r.Object("", func(name string) error {
		if !slices.Contains(bodyMembers, name) {
			return fault.UnknownName(name, "", bodyMembers)
		}
		if name = strings.Clone(name); seen[name] {
			return fault.Of(fault.Duplicate, name, "", "it once")
		}
		seen[name] = true
		if r.Null() {
			return nil
		}
		raw, err := r.Raw()
		if err != nil {
			return err
		}
		if name != "cursor" {
			a.body[name] = json.RawMessage(raw)
		}
		return a.member(name, raw)
	})
	if err == nil {
		err = r.End()
	}
	return a, geometry.Foreign(err, "body")
}

// member reads one member of a body.
func (a *asked) member(name string, raw []byte) (err error) {
	r := jsonin.New(raw)
	switch name {
	case "limit":
		const expected = "a whole number of at least 1"
		n, err := r.Float(name, expected)
		if err != nil {
			return err
		}
		if n != math.Trunc(n) || n < 1 {
			return fault.Of(fault.OutOfRange, name, string(raw), expected)
		}
		a.limit = int(min(n, maxLimit))
	case "bbox":
		err := r.Array(name, func(n int) error {
			at := name + "[" + strconv.Itoa(n) + "]"
			v, err := r.Float(at, "an array of four numbers, or of six")
			if n >= 6 && err == nil {
				err = r.Bad(at, "four numbers, or six")
			}
			a.box = append(a.box, v)
			return err
		})
		if err != nil {
			return err
		}
		if a.box, err = a.box.Flat(); err != nil {
			return fault.BadValue(name, string(raw), "an array of four numbers, or of six")
		}
	case "intersects":
		g, err := r.ReadGeometry(name, &jsonin.Budget{Left: geometry.MaxVertices, Max: geometry.MaxVertices})
		if err != nil {
			return err
		}
		s, err := new(geometry.Repairs).Tidy(g, name)
		a.intersects = &s
		if err == nil {
			err = valid(s)
		}
		return err
	case "ids":
		a.ids, err = texts(r, name)
	case "collections":
		a.collections, err = texts(r, name)
	default:
		text, err := r.String(name)
		if err != nil {
			return err
		}
		if name == "cursor" {
			a.cursor, err = parseCursor(text)
		} else {
			a.time, err = parseInterval(text)
		}
		if err != nil {
			return fault.BadValue(name, text, err.Error())
		}
	}
	return err
}

// texts reads an array of names.
func texts(r *jsonin.Reader, name string) (list []string, err error) {
	err = r.Array(name, func(n int) error {
		if n >= maxIDs {
			return fault.Of(fault.TooLarge, name, "more than "+strconv.Itoa(maxIDs), "at most "+strconv.Itoa(maxIDs))
		}
		s, err := r.String(name + "[" + strconv.Itoa(n) + "]")
		list = append(list, s)
		return err
	})
	return list, err
}
