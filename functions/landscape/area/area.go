// Package area reads the areas that clients draw or upload for the landscape service: GeoJSON of any type,
// {geometry, params}, KML and KMZ, GPX, WKT, coordinates as lon,lat;lon,lat, zipped shapefiles and GeoPackages in the
// systems of shared/geo/crs, alone or as a file of a form. It repairs and
// unites them and lays them into the plane in which rasters lie (EPSG:3035), or says what is wrong and where.
//
// A geometry whose rings cross, or whose holes stand as parts of their own, is rebuilt by the even-odd rule, each feature by
// itself; several features become their union; a point becomes a circle of 100 m. Lines enclose an area where they are closed, and are
// refused where they are not.
package area

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
	"mappe/shared/web/fault"
)

// The limits of an input.
const (
	MaxBytes    = 4 << 20 // a function is sent 6 MB at most, of which base64 takes a quarter
	MaxM2       = 25e6    // 25 km²
	maxVertices = 100_000
	maxFeatures = 10_000
	pointRadius = 100       // metres
	maxReach    = 4 * MaxM2 // of the boxes of all features together
)

// member is the name of the geometry in errors.
const member = "geometry"

// Area is what a request is about.
type Area struct {
	Features []Feature
	Geometry geom.MultiPolygon          // the union, valid
	Polygons []raster.Polygon           // the same in EPSG:3035, in metres
	M2       float64                    // its area in EPSG:3035
	Repaired bool                       // a polygon was not valid
	Warnings []string                   // what was repaired, and where
	Params   map[string]json.RawMessage // of {geometry, params}; nil where there are none
}

// Feature is one of the features as it came.
type Feature struct {
	Polygons   geom.MultiPolygon
	Lines      [][]geom.Point
	Points     []geom.Point
	Properties json.RawMessage // object; nil where there is none
	ID         json.RawMessage // nil where there is none
}

// Box is the rectangle around the area in EPSG:3035.
func (a *Area) Box() raster.Box { return raster.BoxOf(a.Polygons) }

// Parse reads a body; the form is told from its first bytes.
func Parse(body []byte) (*Area, error) {
	in := &reading{}
	if err := in.body(body, 0); err != nil {
		return nil, err
	}
	if len(in.features) == 0 {
		return nil, fault.BadValue(member, "nothing", "at least one polygon or point")
	}
	a := &Area{Features: in.features, Params: in.params}
	return a, a.unite()
}

// List are the features of a body, each for itself.
type List struct {
	Features []Feature
	Params   map[string]json.RawMessage // of {geometry, params}; nil where there are none
}

// Features reads the features of a body without uniting them: lines need not be closed. Polygons are repaired.
func Features(body []byte) (*List, error) {
	in := &reading{}
	if err := in.body(body, 0); err != nil {
		return nil, err
	}
	if len(in.features) == 0 {
		return nil, fault.BadValue("features", "nothing", "at least one feature")
	}
	a, left := &Area{}, maxReach
	for i := range in.features {
		f := &in.features[i]
		if err := f.inAustria(); err != nil {
			return nil, err
		}
		b := f.reach()
		w, h := max(b.East-b.West, 0), max(b.North-b.South, 0)
		if w*h > 2*MaxM2 {
			return nil, fault.New(fault.TooLarge, "feature %d reaches over %.1f x %.1f km: at most %.0f km²", i, w/1000, h/1000, 2*MaxM2/1e6)
		}
		if left -= w * h; left < 0 {
			return nil, fault.New(fault.TooLarge, "the features reach over more than %.0f km² together", maxReach/1e6)
		}
		if f.Polygons = withRings(f.Polygons); len(f.Polygons) > 0 {
			m, err := a.repair(f.Polygons, i)
			if err != nil {
				return nil, err
			}
			f.Polygons = m
		}
	}
	return &List{in.features, in.params}, nil
}

// reach is the box of a feature in EPSG:3035.
func (f *Feature) reach() raster.Box {
	var all raster.Polygon
	ring := func(points []geom.Point) {
		var r []raster.XY
		for _, p := range points {
			x, y := crs.EqualArea(p)
			r = append(r, raster.XY{X: x, Y: y})
		}
		all = append(all, r)
	}
	for _, p := range f.Polygons {
		for _, r := range p {
			ring(r)
		}
	}
	for _, l := range f.Lines {
		ring(l)
	}
	ring(f.Points)
	return raster.BoxOf([]raster.Polygon{all})
}

func withRings(m geom.MultiPolygon) geom.MultiPolygon {
	return slices.DeleteFunc(m, func(p geom.Polygon) bool { return len(p) == 0 })
}

// unite repairs the polygons, unites them and lays them into the plane.
func (a *Area) unite() error {
	var parts []geom.MultiPolygon
	for i := range a.Features {
		f := &a.Features[i]
		if err := f.inAustria(); err != nil {
			return err
		}
		if f.Polygons = withRings(f.Polygons); len(f.Polygons) > 0 {
			m, err := a.repair(f.Polygons, i)
			if err != nil {
				return err
			}
			parts = append(parts, m)
		}
		for _, p := range f.Points {
			parts = append(parts, circle(p))
		}
		for _, l := range f.Lines {
			n := len(l)
			if n < 4 || l[0] != l[n-1] {
				return fault.BadValue(member, fmt.Sprintf("feature %d with an open line of %d positions", i, n), "polygons, points, or lines that are closed")
			}
			m, err := a.repair(geom.MultiPolygon{{l[:n-1]}}, i)
			if err != nil {
				return err
			}
			parts = append(parts, m)
		}
	}
	united, err := geom.Dissolve(parts, 0)
	if errors.Is(err, geom.ErrTooComplex) {
		return fault.BadValue(member, fmt.Sprintf("%d polygons that cross each other too often", len(parts)), "a simpler area")
	}
	if err != nil {
		return err
	}
	if len(united) == 0 {
		return fault.BadValue(member, "rings without area", "rings that enclose an area on the grid of 1e-7 degrees")
	}
	a.Geometry, a.M2, a.Polygons = united, united.Area(crs.EqualArea), Plane(united)
	if a.M2 > MaxM2 {
		return fault.New(fault.TooLarge, "the area has %.2f km²: at most %.0f km² are analysed at a time; split it", a.M2/1e6, MaxM2/1e6)
	}
	// Many small places far from each other are one area whose rasters would be read between them.
	if b := a.Box(); (b.East-b.West)*(b.North-b.South) > raster.MaxCells {
		return fault.New(fault.TooLarge, "the area reaches over %.1f x %.1f km: at most %d km² in all; ask for its parts one by one", (b.East-b.West)/1000, (b.North-b.South)/1000, raster.MaxCells/1_000_000)
	}
	return nil
}

// Plane are polygons in EPSG:3035.
func Plane(m geom.MultiPolygon) []raster.Polygon {
	out := make([]raster.Polygon, len(m))
	for i, p := range m {
		for _, r := range p {
			ring := make([]raster.XY, len(r))
			for k, v := range r {
				ring[k].X, ring[k].Y = crs.EqualArea(v)
			}
			out[i] = append(out[i], ring)
		}
	}
	return out
}

// maxWarnings bounds what is told of repairs.
const maxWarnings = 20

// repair makes the polygons of a feature valid by the even-odd rule and notes what was wrong with them.
func (a *Area) repair(m geom.MultiPolygon, feature int) (geom.MultiPolygon, error) {
	r, err := m.Repair()
	if err != nil {
		return nil, fault.BadValue(member, fmt.Sprintf("feature %d with %d vertices that cross each other too often", feature, m.Vertices()), "a simpler polygon")
	}
	for _, f := range r.Faults {
		switch f.Kind {
		case geom.FaultHoleOutside, geom.FaultHoleInHole, geom.FaultDisconnected, geom.FaultCrossing, geom.FaultPinch, geom.FaultPartsOverlap, geom.FaultDuplicateRing:
			a.Repaired = true
			if len(a.Warnings) < maxWarnings {
				a.Warnings = append(a.Warnings, fmt.Sprintf("feature %d: %v at lon %.7f, lat %.7f; rebuilt by the even-odd rule", feature, f.Kind, f.At.Lon(), f.At.Lat()))
			}
		}
	}
	return r.Geometry, nil
}

// inAustria refuses what lies elsewhere, and names swapped axes.
func (f *Feature) inAustria() error {
	b := f.Polygons.Bounds()
	for _, l := range f.Lines {
		b = b.Union(geom.Ring(l).Bounds())
	}
	b = b.Union(geom.Ring(f.Points).Bounds())
	if b.Empty() {
		return nil // a feature with geometry null
	}
	at := geom.Point{X: b.MinX, Y: b.MinY}
	if austria.Swapped(at.Lon(), at.Lat()) {
		return fault.BadValue(member, fmt.Sprintf("position %.6f, %.6f", at.Lon(), at.Lat()), "positions as lon, lat: the axes look swapped")
	}
	for _, p := range []geom.Point{at, {X: b.MaxX, Y: b.MaxY}} {
		if p.Lon() < 9 || p.Lon() > 17.5 || p.Lat() < 46 || p.Lat() > 49.2 {
			return fault.BadValue(member, fmt.Sprintf("position %.6f, %.6f", p.Lon(), p.Lat()), austria.Where)
		}
	}
	return nil
}

// circle is a polygon of 32 corners around a point.
func circle(p geom.Point) geom.MultiPolygon {
	x, y := crs.EqualArea(p)
	var r geom.Ring
	for i := range 32 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 32)
		if q, ok := crs.LAEA.Point(x+pointRadius*cos, y+pointRadius*sin); ok {
			r = append(r, q)
		}
	}
	return geom.MultiPolygon{{r}}.Normalise()
}
