// Package context measures the place context over a made-up country of Austria's size: functions/context/place with all
// blocks, over a store in memory. `make bench` runs it with the other Go benchmarks.
package context

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/proximity"
	"mappe/artefacts/toponyms"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Size is what a country holds. Its municipalities are always as many as Austria's, and its sites.
type Size struct {
	Names, RoadEdges, RailEdges, WaterEdges, Lakes, Stops, Stations, Settlements int
}

// National is as many as Austria has: the names of the national map, the edges of its roads.
var National = Size{Names: 233_000, RoadEdges: 1_200_000, RailEdges: 15_000, WaterEdges: 120_000, Lakes: 8_000, Stops: 60_000,
	Stations: 1_100, Settlements: 20_000}

// Part is a country with one of n of what this one holds, so thin that the nearest is often far.
func (s Size) Part(n int) Size {
	return Size{s.Names / n, s.RoadEdges / n, s.RailEdges / n, s.WaterEdges / n, s.Lakes / n, s.Stops / n, s.Stations / n,
		s.Settlements / n}
}

const (
	municipalities = 46 * 46 // 2,116 of 2,118
	sites          = 350
	areas          = 1_500
)

// The country is a box on Austria's place and of its size, in degrees.
const (
	West, South, East, North = 9.53, 46.37, 17.16, 49.02
	side                     = 46 // municipalities along an edge
)

// Country is what is published.
type Country struct {
	Over  *overlays.Source
	World *proximity.Country
	Names *toponyms.Country
}

// at is a point; the numbers lie in the country.
func at(lon, lat float64) geom.Point {
	p, _ := geom.PointAt(lon, lat)
	return p
}

// Make makes a country. The same seed and size give the same country.
func Make(seed uint64, size Size) Country {
	r := rand.New(rand.NewPCG(seed, 1))
	centres := make([][2]float64, size.Settlements)
	for i := range centres {
		centres[i] = [2]float64{West + r.Float64()*(East-West), South + r.Float64()*(North-South)}
	}
	return Country{shapesOf(r), community(r, size, centres), named(r, size.Names, centres)}
}

// near is a place around a settlement: most within a kilometre or two, some far out.
func near(r *rand.Rand, centres [][2]float64) (lon, lat float64) {
	c := centres[r.IntN(len(centres))]
	return bounded(c[0]+r.NormFloat64()*0.012, West, East), bounded(c[1]+r.NormFloat64()*0.008, South, North)
}

func bounded(v, least, most float64) float64 { return min(max(v, least+0.001), most-0.001) }

// walk is a line of n vertices with steps of some 30 m.
func walk(r *rand.Rand, lon, lat float64, n int) []geom.Point {
	line := make([]geom.Point, n)
	angle := r.Float64() * 2 * math.Pi
	for i := range line {
		line[i] = at(lon, lat)
		angle += r.NormFloat64() * 0.3
		lon, lat = bounded(lon+0.0004*math.Cos(angle), West, East), bounded(lat+0.00027*math.Sin(angle), South, North)
	}
	return line
}

// blob is a ring of n vertices around a place, moved into the country where it lies at its edge; radius in degrees of
// latitude.
func blob(r *rand.Rand, lon, lat, radius float64, n int) geom.Ring {
	lon, lat = min(max(lon, West+1.6*radius), East-1.6*radius), min(max(lat, South+1.1*radius), North-1.1*radius)
	ring := make(geom.Ring, 0, n+1)
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		d := radius * (0.7 + 0.3*r.Float64())
		ring = append(ring, at(lon+1.5*d*math.Cos(a), lat+d*math.Sin(a)))
	}
	return append(ring, ring[0])
}

func class(c proximity.Category, name string) proximity.Class {
	k, ok := proximity.ParseClass(c, name)
	if !ok {
		panic("no class " + name)
	}
	return k
}

// roadClasses are those of the edges, by their share in a hundred.
var roadClasses = []struct {
	name  string
	share int
}{{"motorway", 1}, {"primary", 4}, {"secondary", 6}, {"tertiary", 9}, {"residential", 30}, {"service", 20}, {"track", 30}}

func community(r *rand.Rand, size Size, centres [][2]float64) *proximity.Country {
	c := &proximity.Country{Date: "2026-09-30", Attribution: "made-up contributors"}
	pick := make([]proximity.Class, 0, 100)
	for _, k := range roadClasses {
		for range k.share {
			pick = append(pick, class(proximity.Road, k.name))
		}
	}
	lines := func(n, vertices int, of func() (proximity.Class, string)) {
		for range n {
			lon, lat := near(r, centres)
			k, name := of()
			c.Lines = append(c.Lines, proximity.Line{Class: k, Name: name, Vertices: walk(r, lon, lat, vertices)})
		}
	}
	lines(size.RoadEdges, 4, func() (proximity.Class, string) {
		n := r.IntN(len(pick))
		return pick[n], fmt.Sprintf("Straße %d", r.IntN(9000))
	})
	lines(size.RailEdges, 8, func() (proximity.Class, string) { return class(proximity.Rail, "rail"), "" })
	lines(size.WaterEdges, 8, func() (proximity.Class, string) {
		return class(proximity.Water, "stream"), fmt.Sprintf("Bach %d", r.IntN(5000))
	})
	points := func(n int, k proximity.Class, name string, population int) {
		for i := range n {
			lon, lat := near(r, centres)
			c.Points = append(c.Points, proximity.Point{Class: k, Name: fmt.Sprintf("%s %d", name, i), At: at(lon, lat),
				Population: population})
		}
	}
	points(size.Stops, class(proximity.Transit, "bus_stop"), "Haltestelle", -1)
	points(size.Stations, class(proximity.Transit, "railway_station"), "Bahnhof", -1)
	for i, p := range centres {
		c.Points = append(c.Points, proximity.Point{Class: class(proximity.Place, "village"), Name: fmt.Sprintf("Dorf %d", i),
			At: at(bounded(p[0], West, East), bounded(p[1], South, North)), Population: 900})
	}
	for i := range size.Lakes {
		lon, lat := near(r, centres)
		c.Areas = append(c.Areas, proximity.Area{Class: class(proximity.Water, "water"), Name: fmt.Sprintf("Teich %d", i),
			Geometry: geom.MultiPolygon{{blob(r, lon, lat, 0.001, 24)}}})
	}
	return c
}

func named(r *rand.Rand, names int, centres [][2]float64) *toponyms.Country {
	c := &toponyms.Country{Stichtag: "2026-10-01", Attribution: "made-up names"}
	layers := []struct {
		layer   toponyms.Layer
		code    int
		feature string
	}{{toponyms.Siedlung, 7101, "Ort"}, {toponyms.Gelaende, 7302, "Berggipfel"}, {toponyms.Gewaesser, 7501,
		"Fließgewässer"}, {toponyms.Ried, 7701, "Riedname"}}
	for i := range names {
		lon, lat := near(r, centres)
		l := layers[i%len(layers)]
		c.Names = append(c.Names, toponyms.Name{ID: fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i), Layer: l.layer, Code: l.code,
			Feature: l.feature,
			Name:    fmt.Sprintf("%s %d", l.feature, r.IntN(100_000)), Elevation: toponyms.NoElevation, At: at(lon, lat), Year: 2022})
	}
	return c
}

// corner is a corner of the grid of municipalities; edge is the border between two, in steps, the same from both sides.
func corner(x, y int) (lon, lat float64) {
	return West + (East-West)*float64(x)/side, South + (North-South)*float64(y)/side
}

const steps = 100 // vertices of one side of a municipality

func edge(x0, y0, x1, y1 int) []geom.Point {
	if x1 < x0 || y1 < y0 {
		back := edge(x1, y1, x0, y0)
		slices.Reverse(back)
		return back
	}
	r, b := rand.New(rand.NewPCG(uint64(x0*100+y0), uint64(x1*100+y1))), make([]geom.Point, 0, steps+1)
	lon0, lat0 := corner(x0, y0)
	lon1, lat1 := corner(x1, y1)
	for i := range steps + 1 {
		f := float64(i) / steps
		bend := 0.0
		if i > 0 && i < steps {
			calm := min(1, 8*min(f, 1-f)) // at the corners, where borders would cross each other
			bend = 0.004*math.Sin(2*math.Pi*f) + 0.0004*calm*r.NormFloat64()
		}
		b = append(b, at(lon0+(lon1-lon0)*f+bend*float64(y1-y0), lat0+(lat1-lat0)*f+bend*float64(x1-x0)))
	}
	return b
}

func shapesOf(r *rand.Rand) *overlays.Source {
	s := &overlays.Source{}
	for i := range municipalities {
		x, y := i%side, i/side
		ring := geom.Ring{}
		for _, e := range [][]geom.Point{edge(x, y, x+1, y), edge(x+1, y, x+1, y+1), edge(x+1, y+1, x, y+1), edge(x, y+1, x, y)} {
			ring = append(ring, e[:len(e)-1]...)
		}
		ring = append(ring, ring[0])
		m := geom.MultiPolygon{{ring}}
		s.Municipalities = append(s.Municipalities,
			overlays.Municipality{Code: austria.GemeindeCode(fmt.Sprintf("3%02d%02d", 1+i/50, 1+i%50)), Name: fmt.Sprintf("Gemeinde %d", i),
				Geometry: m, Box: m.Bounds()})
	}
	place := func() (float64, float64) { return West + r.Float64()*(East-West), South + r.Float64()*(North-South) }
	for i := range sites {
		lon, lat := place()
		m := geom.MultiPolygon{{blob(r, lon, lat, 0.05, 1500)}}
		s.Sites = append(s.Sites, overlays.Site{Code: fmt.Sprintf("AT%07d", i+1), Name: fmt.Sprintf("Au %d", i), Type: overlays.Both,
			AreaHa: 4000, Features: 1, Geometry: m, Box: m.Bounds()})
	}
	for i := range areas {
		lon, lat := place()
		m := geom.MultiPolygon{{blob(r, lon, lat, 0.02, 400)}}
		s.Areas = append(s.Areas, overlays.Area{Name: fmt.Sprintf("Schutzgebiet %d", i), Desig: "Naturschutzgebiet",
			DesigEng: "Nature Conservation Area", DesigType: "National", IUCN: "IV",
			RepArea: 10, GISArea: 10, Realm: "Terrestrial", Geometry: m, Box: m.Bounds()})
	}
	return s
}
