// Package drawn reads the areas that clients draw or upload: GeoJSON of any type,
// {geometry, params}, KML and KMZ, GPX, WKT, coordinates as lon,lat;lon,lat, zipped shapefiles and GeoPackages in the
// systems of shared/geo/crs, alone or as a file of a form. It repairs and
// unites them and lays them into the plane in which rasters lie (EPSG:3035), or says what is wrong and where.
//
// A geometry whose rings cross, or whose holes stand as parts of their own, is rebuilt by the even-odd rule, each feature by
// itself; several features, and the geometries of a collection, become their union; a point becomes a circle of 100 m. Lines enclose an
// area where they are closed, and are refused where they are not; a recorded track is closed over a small gap, else it is
// a line with 100 m on either side.
package drawn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mappe/functions/core/geometry"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// The limits of an input.
const (
	MaxBytes    = 4 << 20 // a function is sent 6 MB at most, of which base64 takes a quarter
	MaxM2       = 25e6    // 25 km²
	maxVertices = 100_000
	maxFeatures = 10_000
	TrackBuffer = 100 // metres on either side of a recorded track that stays open
	pointRadius = TrackBuffer
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
	Params   map[string]json.RawMessage // of {geometry, params}; nil without params
	Fields   map[string]string          // parameters that are fields of a form; nil without such fields
	repairs  geometry.Repairs
}

// Feature is one of the features as it came.
type Feature struct {
	Polygons   geom.MultiPolygon
	Lines      [][]geom.Point
	Points     []geom.Point
	Properties json.RawMessage // object; nil if the feature has no properties
	ID         json.RawMessage // nil if the feature has no id
	parts      []int           // where in Polygons those of each geometry of a collection begin
	recorded   bool            // the lines are recorded tracks
}

// Box is the rectangle around the area in EPSG:3035.
func (a *Area) Box() raster.Box { return raster.BoxOf(a.Polygons) }

// maxTime bounds how long a body is read and its features are united.
const maxTime = 2 * time.Second

// read reads the features of a body. done ends the time it is given.
func read(ctx context.Context, body []byte) (in *reading, done func(), err error) {
	ctx, done = context.WithTimeout(ctx, maxTime)
	in = &reading{ctx: ctx}
	if err := in.body(body, 0); err != nil {
		return in, done, err
	}
	return in, done, nil
}

// late is the fault of a body that takes too long; the error of a client that left stays.
func late(ctx context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return fault.BadValue(member, "an area that takes too long to read", "a simpler area").Because(err)
	}
	return err
}

// Parse reads a body; the form is told from its first bytes. It ends when the context does.
func Parse(ctx context.Context, body []byte) (*Area, error) {
	in, done, err := read(ctx, body)
	defer done()
	if err != nil {
		return nil, late(ctx, err)
	}
	a, err := in.area()
	return a, late(ctx, err)
}

// area unites what was read.
func (in *reading) area() (*Area, error) {
	if len(in.features) == 0 {
		return nil, fault.BadValue(member, "nothing", "at least one polygon or point")
	}
	a := &Area{Features: in.features, Params: in.params, Fields: in.fields, Warnings: in.warnings}
	return a, a.unite(in.ctx)
}

// List are the features of a body, each for itself.
type List struct {
	Features []Feature
	Params   map[string]json.RawMessage // of {geometry, params}; nil without params
	Fields   map[string]string          // parameters that are fields of a form; nil without such fields
	Warnings []string
}

// Features reads the features of a body without uniting them: lines need not be closed. Polygons are repaired.
func Features(ctx context.Context, body []byte) (*List, error) {
	in, done, err := read(ctx, body)
	defer done()
	if err != nil {
		return nil, late(ctx, err)
	}
	if len(in.features) == 0 {
		return nil, fault.BadValue("features", "nothing", "at least one feature")
	}
	a := &Area{Warnings: in.warnings}
	if err := a.each(in.ctx, in.features); err != nil {
		return nil, late(ctx, err)
	}
	return &List{in.features, in.params, in.fields, a.Warnings}, nil
}

// Read reads the features of a body as they came, wherever they lie and however large: nothing is repaired or united.
func Read(ctx context.Context, body []byte) (*List, error) {
	in, done, err := read(ctx, body)
	defer done()
	if err != nil {
		return nil, late(ctx, err)
	}
	if len(in.features) == 0 {
		return nil, fault.BadValue("features", "nothing", "at least one feature")
	}
	return &List{in.features, in.params, in.fields, in.warnings}, nil
}

// Drawn is the feature as GeoJSON would have it: polygons with the parts of a collection, lines and points as paths.
func (f *Feature) Drawn() *jsonin.Geometry {
	g := &jsonin.Geometry{Type: "GeometryCollection", Polygons: f.Polygons, Parts: f.parts, Paths: slices.Clone(f.Lines)}
	for _, p := range f.Points {
		g.Paths = append(g.Paths, []geom.Point{p})
	}
	return g
}

// each repairs the polygons of features and holds them to their bounds.
func (a *Area) each(ctx context.Context, features []Feature) error {
	left, borders := maxReach, 0.0
	for i := range features {
		f := &features[i]
		if err := errors.Join(ctx.Err(), f.inAustria()); err != nil {
			return err
		}
		b := f.reach()
		w, h := max(b.East-b.West, 0), max(b.North-b.South, 0)
		if w*h > 2*MaxM2 {
			return fault.New(fault.TooLarge, "feature %d reaches over %.1f x %.1f km: at most %.0f km²", i, w/1000, h/1000, 2*MaxM2/1e6)
		}
		if left -= w * h; left < 0 {
			return fault.New(fault.TooLarge, "the features reach over more than %.0f km² together", maxReach/1e6)
		}
		if f.Polygons == nil {
			continue
		}
		m, err := a.repair(f.Polygons, f.parts, i)
		if err != nil {
			return err
		}
		f.Polygons, f.parts = m, nil
		if borders += northing(onplane.Polygons(m)); borders > maxBorders {
			return longBorders(borders)
		}
	}
	return nil
}

// maxBorders bounds how far the borders of an area run to the north and the south together, in metres: each crosses a row
// of cells for each of them.
const maxBorders = 5e6

func longBorders(metres float64) error {
	return fault.New(fault.TooLarge, "the borders of the area are more than %.0f km long: at most %.0f km", metres/1000, maxBorders/1000)
}

// northing is how far borders run to the north and the south together.
func northing(polygons []raster.Polygon) float64 {
	sum := 0.0
	for _, p := range polygons {
		for _, r := range p {
			for i, v := range r {
				sum += math.Abs(v.Y - r[(i+1)%len(r)].Y)
			}
		}
	}
	return sum
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

// unite repairs the polygons, unites them and lays them into the plane.
func (a *Area) unite(ctx context.Context) error {
	var parts []geom.MultiPolygon
	points, areas := 0, 0
	for i := range a.Features {
		f := &a.Features[i]
		if err := errors.Join(ctx.Err(), f.inAustria()); err != nil {
			return err
		}
		points, areas = points+len(f.Points), areas+len(f.Polygons)+len(f.Lines)
		if points > maxBuffered {
			return fault.New(fault.TooLarge, "there are more than %d points, of which each becomes a circle of %d m", maxBuffered,
				pointRadius)
		}
		of, err := a.partsOf(f, i)
		if err != nil {
			return err
		}
		parts = append(parts, of...)
	}
	if points > 0 && areas > 0 {
		a.warn("%d points beside the polygons or lines count as circles of %d m", points, pointRadius)
	}
	united, err := together(ctx, parts)
	if errors.Is(err, geom.ErrTooComplex) {
		return fault.BadValue(member, fmt.Sprintf("%d polygons that cross each other too often", len(parts)), "a simpler area")
	}
	if err != nil {
		return err
	}
	if len(united) == 0 {
		return fault.BadValue(member, "rings without area", "rings that enclose an area on the grid of 1e-7 degrees")
	}
	a.Geometry, a.M2, a.Polygons = united, united.Area(crs.EqualArea), onplane.Polygons(united)
	return a.bounds()
}

// bounds holds an area to its limits.
func (a *Area) bounds() error {
	if a.M2 > MaxM2 {
		decimals := 2
		for decimals < 6 && fmt.Sprintf("%.*f", decimals, a.M2/1e6) == fmt.Sprintf("%.*f", decimals, MaxM2/1e6) {
			decimals++
		}
		return fault.New(fault.TooLarge, "the area has %.*f km²: at most %.0f km² are analysed at a time; split it", decimals, a.M2/1e6,
			MaxM2/1e6)
	}
	// Many small places far from each other are one area whose rasters would be read between them.
	if b := a.Box(); (b.East-b.West)*(b.North-b.South) > raster.MaxCells {
		return fault.New(fault.TooLarge, "the area reaches over %.1f x %.1f km: at most %d km² in all; ask for its parts one by one",
			(b.East-b.West)/1000, (b.North-b.South)/1000, raster.MaxCells/1_000_000)
	}
	if n := northing(a.Polygons); n > maxBorders {
		return longBorders(n)
	}
	return nil
}

// partsOf are the areas of a feature, each valid.
func (a *Area) partsOf(f *Feature, i int) (parts []geom.MultiPolygon, err error) {
	if f.Polygons != nil {
		if f.Polygons, err = a.repair(f.Polygons, f.parts, i); err != nil {
			return nil, err
		}
		f.parts = nil
		parts = append(parts, f.Polygons)
	}
	for _, p := range f.Points {
		parts = append(parts, circle(p))
	}
	for _, l := range f.Lines {
		if f.recorded {
			of, err := a.trackParts(l, i)
			if err != nil {
				return nil, err
			}
			parts = append(parts, of...)
			continue
		}
		n := len(l)
		if n < 4 || l[0] != l[n-1] {
			return nil, fault.BadValue(member, fmt.Sprintf("feature %d with an open line of %d positions", i, n),
				"polygons, points, or lines that are closed")
		}
		m, err := a.repair(geom.MultiPolygon{{l[:n-1]}}, nil, i)
		if err != nil {
			return nil, err
		}
		parts = append(parts, m)
	}
	return parts, nil
}

// unitedAtOnce is how many polygons are united in one step.
const unitedAtOnce = 64

// together is the union of areas, step by step, so that it ends when the context does.
func together(ctx context.Context, parts []geom.MultiPolygon) (geom.MultiPolygon, error) {
	for {
		next := parts[:0:0]
		for chunk := range slices.Chunk(parts, unitedAtOnce) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			m, err := geom.Dissolve(chunk, 0)
			if err != nil {
				return nil, err
			}
			next = append(next, m)
		}
		if len(next) <= 1 {
			return slices.Concat(next...), nil
		}
		parts = next
	}
}

// maxWarnings bounds what is told of repairs.
const maxWarnings = 20

// repair makes the polygons of a feature valid by the even-odd rule and notes what was wrong with them. Geometries of a
// collection, which begin where parts says, are repaired each for itself and united.
func (a *Area) repair(m geom.MultiPolygon, parts []int, feature int) (geom.MultiPolygon, error) {
	r, err := a.repairs.Repair(m, parts, fmt.Sprintf("feature %d", feature))
	if err != nil {
		return nil, fault.BadValue(member, fmt.Sprintf("feature %d with %d vertices that cross each other too often", feature,
			m.Vertices()), "a simpler polygon")
	}
	a.Repaired = a.Repaired || len(r.Warnings) > 0
	for _, text := range r.Warnings {
		a.warn("%s", text)
	}
	return r.Polygons, nil
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
		return fault.BadValue(member, fmt.Sprintf("position %.6f, %.6f", at.Lon(), at.Lat()),
			"positions as lon, lat: the axes look swapped")
	}
	for _, p := range []geom.Point{at, {X: b.MaxX, Y: b.MaxY}} {
		if p.Lon() < 9 || p.Lon() > 17.5 || p.Lat() < 46 || p.Lat() > 49.2 {
			return fault.BadValue(member, fmt.Sprintf("position %.6f, %.6f", p.Lon(), p.Lat()), austria.Where)
		}
	}
	return nil
}

// Held are the parameters of a body.
func (a *Area) Held() endpoint.Held {
	if a == nil {
		return endpoint.Held{}
	}
	return endpoint.Held{Members: a.Params, Fields: a.Fields}
}

// Held are the parameters of a body.
func (l *List) Held() endpoint.Held {
	if l == nil {
		return endpoint.Held{}
	}
	return endpoint.Held{Members: l.Params, Fields: l.Fields}
}
