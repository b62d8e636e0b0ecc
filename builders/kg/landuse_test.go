package kg

import (
	"fmt"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

var g16 = mvt.Grid{Z: 16, Extent: 4096}

// rect16 is a ring of zoom-16 pixels from the test tile's corner.
func rect16(x, y, w, h int64) geom.Ring {
	x, y = x+2*originX, y+2*originY
	return geom.Ring{g16.Point(x, y+h), g16.Point(x+w, y+h), g16.Point(x+w, y), g16.Point(x, y)}
}

func nfl(ns uint64, p ...geom.Ring) tilecut.Feature {
	return tilecut.Feature{Layer: "nfl", Geometry: geom.MultiPolygon{p}, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(ns)}}}
}

func symbolAt(ns uint64, x, y int64) tilecut.Feature {
	return tilecut.Feature{Layer: "any", At: g16.Point(x+2*originX, y+2*originY),
		Attrs: []mvt.Attr{{Key: "ns", Value: mvt.String(fmt.Sprint(ns))}}}
}

func withUse(t *testing.T, parcels, uses, symbols []tilecut.Feature) (*kgfile.Snapshot, *Report) {
	t.Helper()
	tiles := cutTiles(t, parcels, 15, 4096, 80)
	for id, b := range cutTiles(t, uses, 16, 4096, 80) {
		tiles[id] = b
	}
	return mustAssemble(t, Input{Code: testKG, Box: boxed(parcels),
		Tiles: memory{"kataster": tiles, "symbole": cutTiles(t, symbols, 16, 4096, 80)}})
}

func TestLandUseIsUnitedAcrossTiles(t *testing.T) {
	// Two parcels side by side, 400 m wide together, over several tiles of zoom 16.
	parcels := []tilecut.Feature{parcel("1", geom.Polygon{rect(-1000, -1000, 1000, 2000)}),
		parcel("2", geom.Polygon{rect(0, -1000, 1000, 2000)})}
	uses := []tilecut.Feature{
		nfl(56, rect16(-2000, -2000, 4000, 3000), rect16(-30, -30, 60, 60)), // over both, with a clearing at a tile corner
		nfl(56, rect16(-2000, 1000, 4000, 500)),                             // same code, same border: another shape
		nfl(41, rect16(-40, 1600, 140, 80)),                                 // over the parcels' border and a tile edge
		nfl(41, rect16(200, 1600, 60, 30)),
		nfl(52, rect16(3000, 0, 500, 500)), // in no parcel
	}
	s, rep := withUse(t, parcels, uses, []tilecut.Feature{symbolAt(48, -500, 0), symbolAt(48, 500, 0), symbolAt(48, 500, 100),
		symbolAt(48, 5000, 100)})
	if len(s.LandUse) != 2 || len(s.Footprints) != 2 || rep.OpenShapes != 0 || rep.LandUseOutside != 0 {
		t.Fatalf("%d land-use shapes, %d footprints, %+v", len(s.LandUse), len(s.Footprints), rep)
	}
	var want []geom.MultiPolygon
	for _, u := range uses[:4] {
		want = append(want, u.Geometry.Normalise())
	}
	got := []geom.MultiPolygon{s.LandUse[0].Geometry, s.LandUse[1].Geometry, s.Footprints[0].Geometry, s.Footprints[1].Geometry}
	for i, w := range want {
		if !slices.ContainsFunc(got, w.Equal) {
			t.Errorf("shape %d is not among the results", i)
		}
	}
	for _, p := range s.Parcels {
		x := -1000.0
		if p.GNR == "2" {
			x = 0
		}
		clip := geom.MultiPolygon{{rect(int64(x), -1000, 1000, 2000)}}
		for _, a := range p.UseAreas {
			sum := 0.0
			for _, u := range uses {
				if v, _ := u.Attrs[0].Value.Int64(); austria.LandUse(v) == a.Code {
					sum += geom.CommonArea(u.Geometry, clip, crs.EqualArea)
				}
			}
			near(t, "area of code "+a.Code.Abbr()+" in "+string(p.GNR), a.Sqm, sum, 1e-6)
		}
		if len(p.UseAreas) != 2 || p.DominantLandUse != 56 {
			t.Errorf("parcel %s: %v", p.GNR, p.UseAreas)
		}
		near(t, "buildings of "+string(p.GNR), p.BuildingAreaSqm, p.UseAreas[0].Sqm, 1e-9)
	}
	for _, f := range s.Footprints {
		if s.Parcels[f.Parcel].GNR != "2" {
			t.Errorf("footprint %d lies mostly in parcel 2, not in %s", f.N, s.Parcels[f.Parcel].GNR)
		}
	}
	var counts []int
	for _, p := range s.Parcels {
		counts = append(counts, p.SymbolCounts[0].N)
	}
	slices.Sort(counts)
	if len(s.Symbols) != 3 || !slices.Equal(counts, []int{1, 2}) {
		t.Errorf("%d symbols, per parcel %v", len(s.Symbols), counts)
	}
}

// A forest larger than its KG: the tiles it runs out into are read, its holes there too.
func TestLandUseThatRunsOutOfTheKG(t *testing.T) {
	parcels := []tilecut.Feature{parcel("1", geom.Polygon{rect(500, 500, 3000, 3000)})}
	forest := nfl(56, rect16(-9000, -9000, 26000, 26000), rect16(9000, 12000, 300, 300))
	s, rep := withUse(t, parcels, []tilecut.Feature{forest}, nil)
	if len(s.LandUse) != 1 || rep.ExtraTiles == 0 || rep.OpenShapes != 0 {
		t.Fatalf("%d shapes, %+v", len(s.LandUse), rep)
	}
	if !s.LandUse[0].Geometry.Equal(forest.Geometry.Normalise()) {
		t.Error("the forest is not whole")
	}
	near(t, "forest in the parcel", s.Parcels[0].UseAreas[0].Sqm, s.Parcels[0].AreaSqm, 0.5)

	// The inside point of this one lies in another KG: no row, but the parcel is forest all the same.
	s, _ = withUse(t, parcels, []tilecut.Feature{nfl(56, rect16(-9000, 0, 26000, 20000))}, nil)
	if len(s.LandUse) != 0 || len(s.Parcels[0].UseAreas) != 1 {
		t.Fatalf("%d shapes, areas %v", len(s.LandUse), s.Parcels[0].UseAreas)
	}
	near(t, "neighbour's forest in the parcel", s.Parcels[0].UseAreas[0].Sqm, s.Parcels[0].AreaSqm, 0.5)

	// One far larger than the tiles a KG may ask for ends at the last tile read; the parcel's share is right.
	huge := nfl(56, rect16(-90000, -90000, 180000, 180000))
	s, rep = withUse(t, parcels, []tilecut.Feature{huge}, nil)
	if len(s.Parcels[0].UseAreas) != 1 {
		t.Fatalf("%d shapes, %+v", len(s.LandUse), rep)
	}
	near(t, "huge forest in the parcel", s.Parcels[0].UseAreas[0].Sqm, s.Parcels[0].AreaSqm, 0.5)
}

// Each parcel of a random tessellation is a land-use shape of one of three codes: neighbours of one code
// stay apart, because their rings stay apart.
func TestLandUseOfATessellation(t *testing.T) {
	for seed := range uint64(4) {
		w := tessellate(plan{seed: seed, grid: g15, x: originX + 300, y: originY + 300, cols: 16, rows: 16, cell: 700, jitter: 0.3,
			bends: 2, parcels: 60, clump: 0.5})
		var uses []tilecut.Feature
		want := 0
		sum := map[austria.LandUse]float64{}
		for i, m := range w.areas {
			if m == nil {
				continue
			}
			ns := []uint64{48, 56, 52}[i%3]
			uses = append(uses, tilecut.Feature{Layer: "nfl", Geometry: m, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(ns)}}})
			want += len(m)
			sum[austria.LandUse(ns)] += m.Area(crs.EqualArea)
		}
		s, rep := withUse(t, w.features(), uses, nil)
		if len(s.LandUse) != want || rep.OpenShapes != 0 || rep.LandUseOutside != 0 {
			t.Errorf("seed %d: want %d shapes, got %d, %+v", seed, want, len(s.LandUse), rep)
		}
		got := map[austria.LandUse]float64{}
		for _, u := range s.LandUse {
			got[u.NS] += u.AreaSqm
		}
		for code, a := range sum {
			near(t, "area", got[code], a, 1e-6*a)
		}
	}
}

func TestUnreadableCodesAreCounted(t *testing.T) {
	parcels := []tilecut.Feature{parcel("1", geom.Polygon{rect(500, 500, 300, 300)})}
	bad := nfl(0, rect16(1100, 1100, 90, 90))
	bad.Attrs[0].Value = mvt.String("forest")
	s, rep := withUse(t, parcels, []tilecut.Feature{bad, nfl(300, rect16(1100, 1100, 90, 90))}, nil)
	if len(s.LandUse) != 0 || rep.BadCodes == 0 {
		t.Errorf("%d shapes, %+v", len(s.LandUse), rep)
	}
}

func TestFootprintClasses(t *testing.T) {
	p := func(x, y int64) geom.Point { return g16.Point(2*originX+x, 2*originY+y) }
	l := geom.Ring{p(0, 100), p(40, 100), p(40, 40), p(100, 40), p(100, 0), p(0, 0)}
	straight := geom.Ring{p(0, 100), p(50, 100), p(100, 100), p(100, 0), p(0, 0)} // a vertex on a side is no corner
	many := geom.Ring{p(0, 100), p(20, 50), p(40, 100), p(60, 50), p(80, 100), p(100, 50), p(120, 100), p(120, 0), p(100, 30), p(80, 0),
		p(60, 30), p(40, 0), p(20, 30), p(0, 0)}
	octagon := geom.Ring{p(30, 100), p(70, 100), p(100, 70), p(100, 30), p(70, 0), p(30, 0), p(0, 30), p(0, 70)}
	plane := crs.Around(p(0, 0))
	for name, c := range map[string]struct {
		m    geom.MultiPolygon
		want kgfile.ShapeClass
	}{
		"rectangle":           {geom.MultiPolygon{{rect16(0, 0, 100, 60)}}, kgfile.ShapeRectangular},
		"rectangle, straight": {geom.MultiPolygon{{straight}}, kgfile.ShapeRectangular},
		"L":                   {geom.MultiPolygon{{l}}, kgfile.ShapeL},
		"octagon":             {geom.MultiPolygon{{octagon}}, kgfile.ShapeRegular},
		"zigzag":              {geom.MultiPolygon{{many}}, kgfile.ShapeComplex},
		"courtyard":           {geom.MultiPolygon{{rect16(0, 0, 100, 100), rect16(30, 30, 20, 20)}}, kgfile.ShapeComplex},
		"nothing":             {nil, kgfile.ShapeUnknown},
	} {
		if got := footprintShape(c.m, c.m.Area(crs.EqualArea), plane.Project); got != c.want {
			t.Errorf("%s: want class %d, got %d", name, c.want, got)
		}
	}
	for sqm, want := range map[float64]kgfile.SizeClass{0: kgfile.SizeUnknown, 29.99: kgfile.SizeTiny, 30: kgfile.SizeSmall,
		100: kgfile.SizeMedium, 300: kgfile.SizeLarge, 1000: kgfile.SizeXLarge} {
		if got := footprintSize(sqm); got != want {
			t.Errorf("%g m²: want %d, got %d", sqm, want, got)
		}
	}
}

func TestParcelClasses(t *testing.T) {
	for _, c := range []struct {
		compactness, elongation float64
		vertices                int
		want                    kgfile.ShapeClass
	}{
		{0.785, 1, 4, kgfile.ShapeRegular}, {0.785, 4, 4, kgfile.ShapeRegular}, {0.3, 4.01, 4, kgfile.ShapeStrip},
		{0.59, 1, 4, kgfile.ShapeModerate}, {0.785, 1, 9, kgfile.ShapeModerate}, {0.44, 1, 4, kgfile.ShapeIrregular},
		{0.19, 1, 4, kgfile.ShapeComplex}, {0.785, 1, 61, kgfile.ShapeComplex}, {0, 1, 0, kgfile.ShapeUnknown},
	} {
		if got := parcelShape(c.compactness, c.elongation, c.vertices); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

func TestTypologies(t *testing.T) {
	for _, c := range []struct {
		density, ratio float64
		want           kgfile.Typology
	}{
		{800, 0, kgfile.Urban}, {0, 0.12, kgfile.Urban}, {250, 0, kgfile.Suburban}, {10, 0.04, kgfile.Suburban},
		{40, 0, kgfile.RuralSettled}, {39, 0.0079, kgfile.RuralAgrarian},
	} {
		if got := typology(&kgfile.KG{TotalAreaSqm: 1, BuildingDensity: c.density, BuiltUpRatio: c.ratio}); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

// A hole, and a shape, that cut over a tile's corner have no vertex in that tile.
func TestCornersCutWithoutAVertex(t *testing.T) {
	p := func(x, y int64) geom.Point { return g16.Point(2*originX+x, 2*originY+y) }
	parcels := []tilecut.Feature{parcel("1", geom.Polygon{rect(-1500, -1500, 3000, 3000)})}
	hole := geom.Ring{p(-300, 20), p(20, -300), p(-300, -300)} // the tile south-east of the corner sees only its buffer
	passing := geom.Ring{p(-200, 260), p(300, -240), p(320, 0), p(0, 320)}
	uses := []tilecut.Feature{nfl(56, rect16(-2900, -2900, 5800, 5800), hole), nfl(52, passing)}
	s, rep := withUse(t, parcels, uses, nil)
	if len(s.LandUse) != 2 || rep.OpenShapes != 0 || rep.ExtraTiles != 0 {
		t.Fatalf("%d shapes, %+v", len(s.LandUse), rep)
	}
	for _, u := range s.LandUse {
		if want := uses[map[austria.LandUse]int{56: 0, 52: 1}[u.NS]].Geometry.Normalise(); !u.Geometry.Equal(want) {
			t.Errorf("code %d: want %v, got %v", u.NS, want, u.Geometry)
		}
	}
}
