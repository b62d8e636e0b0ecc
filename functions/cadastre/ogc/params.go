package ogc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mappe/functions/core/geometry"
	"mappe/functions/core/rows"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/cql"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// The bounds of limit.
const (
	defaultLimit = 100
	maxLimit     = 10_000
)

var (
	pLimit = endpoint.Int("limit", fmt.Sprintf("Features in one answer at most; more than %d are taken for %d.", maxLimit, maxLimit),
		endpoint.AtLeast(1), endpoint.Default(strconv.Itoa(defaultLimit)))
	pOffset = endpoint.Int("offset", "Features to leave out from the start; links to next and prev carry it.", endpoint.Between(0, 1<<40),
		endpoint.Default("0"))
	pPage = endpoint.Parsed("page",
		"Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it.", parsePage, endpoint.Between(16, 80))
	pBox = endpoint.Parsed("bbox",
		"Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian.", geometry.ParseNumbers, endpoint.Between(7, 300), endpoint.Example("13.27,47.318,13.28,47.325"))
	pBoxCRS = endpoint.Parsed("bbox-crs", "Coordinate reference system of bbox, by its URI.", parseCRS, endpoint.Default(crs84))
	pCRS    = endpoint.Parsed("crs", "Coordinate reference system of the answer, by its URI: one of those that the collection lists.",
		parseCRS, endpoint.Default(crs84))
	pTime = endpoint.Parsed("datetime",
		"An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass.", parseTime)
	pFilter = endpoint.String("filter",
		"Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection.", endpoint.Between(1, cql.MaxText))
	pLang = endpoint.Enum("filter-lang", "Language of filter.", []string{"cql2-text"}, endpoint.Default("cql2-text"))
	pFCRS = endpoint.Parsed("filter-crs", "Coordinate reference system of geometries in filter, which has none.", parseCRS,
		endpoint.Default(crs84))
)

// pageAt is where a page begins: in a generation, and at a position; nil: at the offset.
type pageAt struct {
	generation string
	from       *rows.Position
}

// String is the text that a link carries.
func (p pageAt) String() string {
	if p.from == nil {
		return p.generation
	}
	return p.generation + "." + p.from.String()
}

func parsePage(text string) (pageAt, error) {
	generation, position, _ := strings.Cut(text, ".")
	from, err := rows.ParsePosition(position)
	if err != nil || len(generation) != 16 || strings.Trim(generation, "0123456789abcdef") != "" {
		return pageAt{}, errors.New("what a link to another page carries, unchanged")
	}
	return pageAt{generation, from}, nil
}

// crs84 is WGS84 with longitude first, the system of answers that name none.
const crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"

// system is a coordinate reference system with the order of its axes.
type system struct {
	crs.System
	latFirst bool // EPSG:4326, which is the same as CRS84 but for the order
}

// String is the URI of the system.
func (s system) String() string {
	if s.System == crs.WGS84 && !s.latFirst {
		return crs84
	}
	return "http://www.opengis.net/def/crs/EPSG/0/" + strconv.Itoa(int(s.System))
}

// turned says whether the second axis goes east: as EPSG defines the system.
func (s system) turned() bool {
	return s.latFirst || s.System != crs.WGS84 && s.System != crs.WebMercator
}

// systems are those that answers can be in, CRS84 first.
func systems() []system {
	list := []system{{System: crs.WGS84}, {System: crs.WGS84, latFirst: true}}
	for _, s := range crs.AllSystems() {
		if s != crs.WGS84 {
			list = append(list, system{System: s})
		}
	}
	return list
}

func parseCRS(text string) (system, error) {
	known := systems()
	uris := make([]string, len(known))
	for i, s := range known {
		uris[i] = s.String()
		if uris[i] == text {
			return s, nil
		}
	}
	return system{}, errors.New("one of " + strings.Join(uris, ", "))
}

// projection draws geometries in the system.
func (s system) projection() format.Projection {
	if s.System == crs.WGS84 && !s.latFirst {
		return format.Projection{}
	}
	p := format.Projection{EPSG: int(s.System), Forward: s.Forward}
	if s.System == crs.WGS84 {
		p.Decimals = uint8(s.Decimals())
	}
	if s.turned() {
		p.Forward = func(lon, lat float64) (float64, float64) {
			x, y := s.Forward(lon, lat)
			return y, x
		}
	}
	return p
}

// degrees are the longitude and latitude of a position in the order of the system's axes.
func (s system) degrees(a, b float64) (lon, lat float64) {
	if s.turned() {
		a, b = b, a
	}
	return s.Inverse(a, b)
}

// boxSides is into how many pieces the side of a projected box is cut: a straight line in one system is not straight in
// another.
const boxSides = 32

// areaOf is the area of bbox, nil without one. It is grown by a unit of the grid, 1e-7 degrees, so that what only
// touches the box is found too, as the standard wants.
func areaOf(r *endpoint.Request) (*region.Area, error) {
	if !pBox.Given(r) {
		return nil, nil
	}
	b, s := pBox.Of(r), pBoxCRS.Of(r)
	if s.System == crs.WGS84 {
		if s.latFirst {
			b = geometry.Numbers{b[1], b[0], b[3], b[2]}
		}
		area, ok := b.Box()
		if !ok {
			return nil, pBox.Bad(r, geometry.BoxExpected)
		}
		return area, nil
	}
	if b[0] > b[2] || b[1] > b[3] {
		return nil, pBox.Bad(r, "the lower corner before the upper one")
	}
	var ring geom.Ring
	for _, side := range [][4]float64{{b[0], b[1], b[2], b[1]}, {b[2], b[1], b[2], b[3]}, {b[2], b[3], b[0], b[3]},
		{b[0], b[3], b[0], b[1]}} {
		for i := range boxSides {
			f := float64(i) / boxSides
			lon, lat := s.degrees(side[0]+(side[2]-side[0])*f, side[1]+(side[3]-side[1])*f)
			p, ok := geometry.Position(lon, lat)
			if !ok {
				return nil, pBox.Bad(r, "a box in the area of use of "+s.String())
			}
			if n := len(ring); n == 0 || ring[n-1] != p {
				ring = append(ring, p)
			}
		}
	}
	m, ok := region.Tidy(geom.MultiPolygon{{ring}}) // turns it counter-clockwise where the first axis goes north
	if !ok {
		return nil, pBox.Bad(r, "a box that has an area")
	}
	return region.Of(m), nil
}

// parseTime checks a time or an interval; nothing is chosen by it.
func parseTime(text string) (string, error) {
	wrong := errors.New("an RFC 3339 time such as 2026-10-01T00:00:00Z, or two with a slash between them, where .. is an open end of one")
	from, to, interval := strings.Cut(text, "/")
	at, okFrom := instant(from)
	until, okTo := instant(to)
	switch {
	case !interval && (!okFrom || at.IsZero()):
		return "", wrong
	case interval && (!okFrom || !okTo || at.IsZero() && until.IsZero()):
		return "", wrong
	case interval && !at.IsZero() && !until.IsZero() && until.Before(at):
		return "", errors.New("an interval whose beginning is not behind its end")
	}
	return text, nil
}

// instant reads a time; the zero time is an open end.
func instant(text string) (time.Time, bool) {
	if text == "" || text == ".." {
		return time.Time{}, true
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// window is the page that is asked for.
func window(r *endpoint.Request) (offset, limit int) {
	return pOffset.Of(r), min(pLimit.Of(r), maxLimit)
}

// notFound is the fault of a feature that does not exist.
func notFound(c *collection, id string) *fault.Fault {
	return fault.New(fault.NotFound, "collection %s has no feature %q", c.id, fault.Shorten(id))
}
