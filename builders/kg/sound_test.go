package kg

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mappe/builders/kg/tilecut"
	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// hurt draws a parcel as surveys and exports draw some: a bow tie, holes that touch the exterior or each
// other, a hole along a side, a part over another.
func hurt(r *rand.Rand, m geom.MultiPolygon) geom.MultiPolygon {
	if len(m) == 0 {
		return m
	}
	out := make(geom.MultiPolygon, len(m))
	for i, p := range m {
		out[i] = append(geom.Polygon(nil), p...)
		for j := range p {
			out[i][j] = append(geom.Ring(nil), p[j]...)
		}
	}
	p := &out[r.IntN(len(out))]
	ring := (*p)[0]
	k := r.IntN(len(ring))
	v, w := ring[k], ring[(k+1)%len(ring)]
	inside, _ := geom.MultiPolygon{*p}.Inside()
	d := int32(30 + r.IntN(300))
	diamond := func(c geom.Point) geom.Ring {
		return geom.Ring{{X: c.X, Y: c.Y - d}, {X: c.X - d, Y: c.Y}, {X: c.X, Y: c.Y + d}, {X: c.X + d, Y: c.Y}}
	}
	switch r.IntN(6) {
	case 0: // bow tie
		ring[k], ring[(k+1)%len(ring)] = w, v
	case 1: // a hole from a corner
		*p = append(*p, geom.Ring{v, {X: (v.X + 2*inside.X) / 3, Y: (v.Y + 2*inside.Y) / 3}, inside})
	case 2: // a chain of holes
		*p = append(*p, diamond(inside), diamond(geom.Point{X: inside.X + 2*d, Y: inside.Y}),
			diamond(geom.Point{X: inside.X + d, Y: inside.Y + d}))
	case 3: // a hole along a side
		*p = append(*p, geom.Ring{v, inside, w})
	case 4: // a hole that touches the middle of a side
		*p = append(*p, geom.Ring{{X: (v.X + w.X) / 2, Y: (v.Y + w.Y) / 2}, inside, {X: inside.X + d, Y: inside.Y + d/2}})
	case 5: // a part over another
		out = append(out, geom.Polygon{diamond(v)})
		out[len(out)-1][0].Orient(true)
	}
	return out
}

func published(t *testing.T, in Input) (names []string, shapes []geom.MultiPolygon, rep *Report) {
	s, rep := mustAssemble(t, in)
	add := func(name string, m geom.MultiPolygon) {
		names, shapes = append(names, name), append(shapes, m)
		if f := m.Validate(); f != nil {
			t.Errorf("%s: %v", name, f)
		}
	}
	for _, p := range s.Parcels {
		if len(p.Geometry) == 0 {
			t.Errorf("parcel %s has no geometry", p.GNR)
		}
		add("parcel "+string(p.GNR), p.Geometry)
	}
	for i, u := range s.LandUse {
		add(fmt.Sprint("land use ", i), u.Geometry)
	}
	for i, f := range s.Footprints {
		add(fmt.Sprint("footprint ", i), f.Geometry)
	}
	add("outline", s.Outline)
	return names, shapes, rep
}

// Whatever the source draws, every geometry that is published is valid for GEOS, and no parcel is lost.
func TestPublishedGeometriesAreValid(t *testing.T) {
	for seed := range oracles.Rounds(t, 4) {
		r := rand.New(rand.NewPCG(seed, 31))
		pl := plan{seed: seed, grid: g15, x: originX + r.Int64N(4000), y: originY + r.Int64N(4000), cols: 18, rows: 18,
			cell: int64(25 << r.IntN(5)), jitter: 0.3, bends: r.IntN(4), parcels: 1 + r.IntN(300), clump: r.Float64() / 2, spikes: 0.15,
			offPixel: true}
		w := tessellate(pl)
		hurts := 0.0
		if seed%3 > 0 {
			hurts = 0.2
		}
		var use []tilecut.Feature
		for i := range w.areas {
			if r.Float64() < hurts {
				w.areas[i] = hurt(r, w.areas[i])
			}
			if w.areas[i] != nil {
				use = append(use, tilecut.Feature{Layer: "nfl", Geometry: w.areas[i],
					Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint([]uint64{41, 48, 52}[r.IntN(3)])}}})
			}
		}
		tiles := cutTiles(t, w.features(), 15, 4096, 80)
		for id, b := range cutTiles(t, use, 16, 4096, 80) {
			tiles[id] = b
		}
		names, shapes, _ := published(t, Input{Code: testKG, Box: w.box(), Tiles: memory{"kataster": tiles}})
		for i, why := range oracles.Invalid(t, shapes) {
			t.Errorf("%s: %s\n%v", names[i], why, shapes[i])
		}
		if t.Failed() {
			t.Fatalf("plan %+v", pl)
		}
	}
}

// Parcels as dense cities have them: a spike of nearly no width where the ring begins and ends, or whose way
// back doubles back at the tip. In the source they are valid; the pixels and the grid of degrees turn their
// sides over. Each comes back valid, with its area, beside a neighbour that follows the spike.
func TestSpikesOfNearlyNoWidth(t *testing.T) {
	fine := mvt.Grid{Z: 15, Extent: 4096 * 16}
	at := func(x, y float64) geom.Point { // in pixels from the origin, south is positive
		return fine.Point(int64(16*(originX+x)), int64(16*(originY+y)))
	}
	for name, ring := range map[string][]geom.Point{
		"a lasso": {at(100, 100), at(101.9, 101.3), at(300, 140), at(310, 300), at(120, 290), at(101.95, 101.4),
			at(100.1, 100.2)},
		"a lasso of 40 m": {at(-100, 10), at(101.9, 101.3), at(300, 140), at(310, 300), at(120, 290), at(101.95, 101.4),
			at(-100.1, 10.3)},
		"the tip doubles back": {at(100, 100), at(300, 100), at(300, 200), at(340, 207.3), at(318.6, 203.5), at(300, 200.4),
			at(300, 300), at(100, 300)},
		"the tip passes the base": {at(100, 100), at(300, 100), at(300, 200), at(340, 207.3), at(260.2, 192.8), at(300, 200.4),
			at(300, 300), at(100, 300)},
		"a corner beside a far line":  {at(100, 100), at(700, 113.7), at(700, 114.2), at(400.4, 107.3), at(400, 300), at(100, 300)},
		"a hole a hair from the line": {at(100, 100), at(700, 113.7), at(700, 300), at(100, 300)},
	} {
		source := geom.MultiPolygon{{geom.Ring(ring)}}
		source[0][0].Orient(true)
		if strings.HasPrefix(name, "a hole") {
			source[0] = append(source[0], geom.Ring{at(400, 106.9), at(380, 200), at(420, 200)})
		}
		fs := []tilecut.Feature{parcel("1", source...), parcel("2", geom.Polygon{rect(340, 207, 60, 60)}), labelAt("1", 200, 250),
			labelAt("2", 370, 240)}
		tiles := cutTiles(t, fs, 15, 4096, 80)
		names, shapes, rep := published(t, Input{Code: testKG, Box: boxed(fs), Tiles: memory{"kataster": tiles}})
		for i, why := range oracles.Invalid(t, shapes) {
			t.Errorf("%s: %s: %s", name, names[i], why)
		}
		for i, m := range shapes {
			if names[i] == "parcel 1" {
				near(t, name, m.Area(crs.EqualArea), source.Area(crs.EqualArea), 0.01*source.Area(crs.EqualArea))
			}
		}
		if len(names) != 3 || rep.OpenShapes > 0 {
			t.Errorf("%s: published %v, %+v", name, names, rep)
		}
	}
}

// What no repair can make valid costs this parcel its shape, not the KG: it is named with its area.
func TestAParcelBeyondRepairIsNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var ring geom.Ring
	for range 4000 {
		ring = append(ring, g15.Point(originX+r.Int64N(4000), originY+r.Int64N(4000)))
	}
	fs := []tilecut.Feature{parcel("1", geom.Polygon{ring}), parcel("2", geom.Polygon{rect(5000, 0, 600, 600)}), labelAt("1", 2000, 2000)}
	_, shapes, rep := published(t, Input{Code: testKG, Box: boxed(fs), Tiles: memory{"kataster": cutTiles(t, fs, 15, 4096, 80)}})
	if len(rep.Inexact) != 1 || rep.Inexact[0].GNR != "1" || rep.Inexact[0].Sqm > 0.1 || rep.Inexact[0].DrawnSqm == 0 || len(shapes) != 3 {
		t.Errorf("%+v", rep.Inexact)
	}
}
