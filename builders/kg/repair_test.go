package kg

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	valid "mappe/shared/geo/region"
)

// rect is a counter-clockwise ring of grid pixels from the origin of the test tile.
func rect(x, y, w, h int64) geom.Ring {
	x, y = x+originX, y+originY
	return geom.Ring{g15.Point(x, y+h), g15.Point(x+w, y+h), g15.Point(x+w, y), g15.Point(x, y)}
}

func parcel(gnr string, m ...geom.Polygon) tilecut.Feature {
	return tilecut.Feature{Layer: "gst", Geometry: m, Attrs: []mvt.Attr{
		{Key: "kg", Value: mvt.String("1004")}, {Key: "gnr", Value: mvt.String(gnr)}, {Key: "ez", Value: mvt.Uint(9)},
		{Key: "rstatus", Value: mvt.String("G")},
	}}
}

func labelAt(gnr string, x, y int64) tilecut.Feature {
	return tilecut.Feature{Layer: "gnr", At: g15.Point(x+originX, y+originY), Attrs: []mvt.Attr{
		{Key: "kg", Value: mvt.Uint(1004)}, {Key: "gnr", Value: mvt.String(gnr)}, {Key: "rstatus", Value: mvt.String("E")},
		{Key: "rot", Value: mvt.Sint(-30)},
	}}
}

func boxed(fs []tilecut.Feature) geom.Box {
	b := geom.EmptyBox
	for _, f := range fs {
		if f.Geometry == nil {
			b = b.Extend(f.At)
		} else {
			b = b.Union(f.Geometry.Bounds())
		}
	}
	return b
}

// assembleFeatures cuts, assembles and returns the parcels by number. edit may change the tiles.
func assembleFeatures(t *testing.T, fs []tilecut.Feature, edit func(map[mvt.TileID][]byte)) (map[austria.GNR]kgfile.Parcel,
	*kgfile.Snapshot, *Report) {
	t.Helper()
	tiles := cutTiles(t, fs, 15, 4096, 80)
	if edit != nil {
		edit(tiles)
	}
	s, rep := mustAssemble(t, Input{Code: testKG, Box: boxed(fs), Tiles: memory{"kataster": tiles}})
	out := map[austria.GNR]kgfile.Parcel{}
	for _, p := range s.Parcels {
		out[p.GNR] = p
		if f := p.Geometry.Check(); len(f) > 0 {
			t.Errorf("parcel %s is not valid: %v", p.GNR, f)
		}
	}
	kgfile.Quantise(s)
	if _, err := kgfile.Encode(s); err != nil {
		t.Error(err)
	}
	return out, s, rep
}

// editTile decodes, changes and encodes every tile, in the order of their names: a change by chance is the
// same in each run.
func editTile(t *testing.T, change func(*mvt.Tile)) func(map[mvt.TileID][]byte) {
	return func(tiles map[mvt.TileID][]byte) {
		for _, id := range slices.SortedFunc(maps.Keys(tiles),
			func(a, b mvt.TileID) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) }) {
			tile, err := mvt.Decode(tiles[id], mvt.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			change(tile)
			if tiles[id], err = mvt.Encode(*tile); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func wantArea(t *testing.T, p kgfile.Parcel, want geom.MultiPolygon) {
	t.Helper()
	near(t, "area of "+string(p.GNR), p.AreaSqm, want.Area(crs.EqualArea), 1e-6)
}

// A small ring stands as exterior, the two real outer rings as its interiors; the parcel lies over a
// tile corner, so that some tiles see no small ring at all.
func TestSmallExteriorWithRealRingsAsInteriors(t *testing.T) {
	outer, second, hole := rect(-900, -900, 2000, 2000), rect(1500, 0, 300, 300), rect(200, 200, 50, 50)
	wrong := geom.Polygon{hole, outer, second}
	got, s, _ := assembleFeatures(t, []tilecut.Feature{parcel("1/2", wrong), parcel("3", geom.Polygon{rect(200, 200, 50, 50)})}, nil)
	p := got["1/2"]
	wantArea(t, p, geom.MultiPolygon{{outer, hole}, {second}})
	if len(p.Geometry) != 2 || p.Repairs != kgfile.RepairInvertedRings|kgfile.RepairRingOrder {
		t.Errorf("parts %d, repairs %b", len(p.Geometry), p.Repairs)
	}
	if got["3"].Repairs != 0 {
		t.Errorf("the island needs no repair: %b", got["3"].Repairs)
	}
	want := []kgfile.RepairCount{{Repair: kgfile.RepairRingOrder, N: 1}, {Repair: kgfile.RepairInvertedRings, N: 1}}
	if !slices.Equal(s.Build.Repairs, want) {
		t.Errorf("counted repairs: want %v, got %v", want, s.Build.Repairs)
	}
}

func TestWindingOfTheFirstFormatVersion(t *testing.T) {
	m := geom.Polygon{rect(-500, -500, 2000, 2000), rect(100, 100, 60, 60)}
	got, _, _ := assembleFeatures(t, []tilecut.Feature{parcel("7", m)}, editTile(t, func(tile *mvt.Tile) {
		for _, f := range tile.Layers[0].Features {
			for _, r := range f.Parts {
				slices.Reverse(r)
			}
		}
	}))
	wantArea(t, got["7"], geom.MultiPolygon{m})
	if got["7"].Repairs != kgfile.RepairRingOrder {
		t.Errorf("repairs %b", got["7"].Repairs)
	}
}

func TestFeaturesThatStandTwice(t *testing.T) {
	f := parcel("7", geom.Polygon{rect(-500, -500, 2000, 2000)})
	got, _, _ := assembleFeatures(t, []tilecut.Feature{f, f}, nil)
	wantArea(t, got["7"], f.Geometry)
	if got["7"].Repairs != kgfile.RepairDuplicate {
		t.Errorf("repairs %b", got["7"].Repairs)
	}
}

// The parts of a parcel may be features of their own.
func TestPartsInSeparateFeatures(t *testing.T) {
	a, b := parcel("7", geom.Polygon{rect(-500, -500, 900, 900)}), parcel("7", geom.Polygon{rect(3000, -500, 2000, 100)})
	got, _, _ := assembleFeatures(t, []tilecut.Feature{a, b}, nil)
	wantArea(t, got["7"], geom.MultiPolygon{a.Geometry[0], b.Geometry[0]})
	if len(got["7"].Geometry) != 2 || got["7"].Repairs != 0 {
		t.Errorf("%d parts, repairs %b", len(got["7"].Geometry), got["7"].Repairs)
	}
}

// Features of one number that lie side by side are one area, whatever stands between their corners.
func TestPartsThatShareABorderAreOneArea(t *testing.T) {
	for name, fs := range map[string][]tilecut.Feature{
		"two halves": {parcel("1", geom.Polygon{rect(100, 100, 100, 100)}),
			parcel("1", geom.Polygon{rect(200, 100, 100, 100)})},
		"a hole and its filling": {parcel("1", geom.Polygon{rect(100, 100, 200, 100), hole(150, 120, 50, 50)}),
			parcel("1", geom.Polygon{rect(150, 120, 50, 50)})},
		"of different heights": {parcel("1", geom.Polygon{rect(100, 100, 100, 100)}), parcel("1", geom.Polygon{rect(200, 100, 100, 40)}),
			parcel("1", geom.Polygon{rect(200, 140, 100, 60)})},
		"over a tile's edge": {parcel("1", geom.Polygon{rect(3900, 100, 100, 100)}),
			parcel("1", geom.Polygon{rect(4000, 100, 300, 100)})},
	} {
		rows, _, _ := assembleFeatures(t, append(fs, parcel("2", geom.Polygon{rect(100, 200, 200, 50)})), nil)
		p := rows["1"]
		if at, err := valid.Check(p.Geometry); at != nil || err != nil || len(p.Geometry) != 1 || len(p.Geometry[0]) != 1 {
			t.Errorf("%s: want one valid ring, got %v: %v %v", name, p.Geometry, at, err)
		}
		if p.Repairs&kgfile.RepairDuplicate == 0 {
			t.Errorf("%s: the parcel is not flagged", name)
		}
	}
	// Parts that only touch stay two.
	rows, _, _ := assembleFeatures(t, []tilecut.Feature{parcel("1", geom.Polygon{rect(100, 100, 50, 50)}),
		parcel("1", geom.Polygon{rect(150, 150, 50, 50)})}, nil)
	if p := rows["1"]; len(p.Geometry) != 2 || p.Repairs != 0 {
		t.Errorf("parts that touch: got %v, repairs %d", p.Geometry, p.Repairs)
	}
}

// hole is rect the other way round.
func hole(x, y, w, h int64) geom.Ring {
	r := rect(x, y, w, h)
	slices.Reverse(r)
	return r
}

func TestSelfCrossingRingIsMadeValid(t *testing.T) {
	p := func(x, y int64) geom.Point { return g15.Point(originX+x, originY+y) }
	bow := geom.Ring{p(100, 100), p(500, 500), p(500, 100), p(100, 500)} // crosses itself at 300, 300
	got, _, _ := assembleFeatures(t, []tilecut.Feature{parcel("5", geom.Polygon{bow})}, func(tiles map[mvt.TileID][]byte) {})
	if len(got) != 0 {
		// A bow tie has no signed area and the cutter drops it; the next case has some.
		t.Logf("%v", got)
	}
	bow[0] = p(100, 0)
	got, _, _ = assembleFeatures(t, []tilecut.Feature{parcel("5", geom.Polygon{bow})}, nil)
	q, ok := got["5"]
	if !ok || q.Repairs&kgfile.RepairSelfCrossing == 0 || len(q.Geometry) != 2 {
		t.Errorf("want two parts and the flag: %+v", q)
	}
}

// Every vertex once or twice on a ring, a spike, and a ring that touches itself.
func TestPinchedRingBecomesAHole(t *testing.T) {
	p := func(x, y int64) geom.Point { return g15.Point(originX+x, originY+y) }
	r := geom.Ring{p(0, 1000), p(1000, 1000), p(1000, 0), p(500, 0), p(700, 400), p(300, 400), p(500, 0), p(0, 0)}
	got, _, _ := assembleFeatures(t, []tilecut.Feature{parcel("5", geom.Polygon{r})}, nil)
	q := got["5"]
	if len(q.Geometry) != 1 || len(q.Geometry[0]) != 2 || q.Repairs != kgfile.RepairSelfCrossing {
		t.Errorf("want one part with a hole: %v, repairs %b", q.Geometry, q.Repairs)
	}
}

func TestMissingTileKeepsWhatIsThere(t *testing.T) {
	f := parcel("7", geom.Polygon{rect(-3000, 500, 6000, 900)})
	id := mvt.TileID{Z: 15, X: 17830, Y: 11387}
	got, _, rep := assembleFeatures(t, []tilecut.Feature{f}, func(tiles map[mvt.TileID][]byte) {
		if tiles[id] == nil {
			t.Fatal("the tile should exist")
		}
		delete(tiles, id)
	})
	p := got["7"]
	// West of the tile 3000 pixels remain, and the 80 that the western tile shows beyond its edge.
	want := geom.MultiPolygon{{rect(-3000, 500, 3080, 900)}}
	if p.Repairs != kgfile.RepairMissingTile || rep.OpenShapes != 1 {
		t.Errorf("repairs %b, report %+v", p.Repairs, rep)
	}
	wantArea(t, p, want)
}

func TestLabelsKeepWhatPolygonsLose(t *testing.T) {
	bare := parcel("x", geom.Polygon{rect(0, 0, 600, 600)})
	bare.Attrs = bare.Attrs[:1] // kg alone
	lost := parcel("not a number", geom.Polygon{rect(2000, 0, 600, 600)})
	noStatus := parcel(".8", geom.Polygon{rect(600, 0, 600, 600)})
	noStatus.Attrs = noStatus.Attrs[:3]
	fs := []tilecut.Feature{bare, lost, noStatus, labelAt("4", 300, 300), labelAt(".8", 900, 300), labelAt("99/1", 4200, 5000),
		labelAt("99/1", 100, 900)}
	got, s, rep := assembleFeatures(t, fs, nil)
	wantArea(t, got["4"], bare.Geometry)
	if got["4"].Repairs != kgfile.RepairNoLabel || got["4"].Status != austria.StatusE {
		t.Errorf("4: %+v", got["4"])
	}
	if got[".8"].Status != austria.StatusE || got[".8"].Repairs != kgfile.RepairNoLabel || got[".8"].EZ != 9 {
		t.Errorf(".8: %+v", got[".8"])
	}
	only := got["99/1"]
	if !aPixel(only) || only.Repairs != kgfile.RepairNoLabel|kgfile.RepairDegenerate || only.Inside != g15.Point(originX+100, originY+900) {
		t.Errorf("99/1: %+v", only)
	}
	if len(got) != 3 || rep.Unnumbered != 1 || rep.BadNumbers != 2 || s.Build.SourceLabels != 3 || s.Build.SourceParcels != 1 {
		t.Errorf("%d parcels, %+v, %+v", len(got), rep, s.Build)
	}
	if len(s.Labels) != 4 || s.Labels[0].Rotation != -30 {
		t.Errorf("labels %v", s.Labels)
	}
}

// aPixel says whether a parcel is the smallest ring around its position.
func aPixel(p kgfile.Parcel) bool {
	return len(p.Geometry) == 1 && p.Geometry.Contains(p.Inside) && p.AreaSqm > 0.03 && p.AreaSqm < 0.05 && p.Geometry.Validate() == nil
}

// A strip of 25 m by 10 cm is thinner than a pixel: the server draws nothing of it but its number.
func TestParcelThinnerThanAPixelIsFoundByItsNumber(t *testing.T) {
	fine := mvt.Grid{Z: 15, Extent: 4096 * 16}
	at := func(x, y int64) geom.Point { return fine.Point(16*(originX+600)+x, 16*(originY+300)+y) }
	strip := geom.Ring{at(-7, 2), at(-7, 16*125), at(1, 16*125), at(1, 2)}
	fs := []tilecut.Feature{parcel("1", geom.Polygon{rect(100, 100, 500, 500)}), parcel("2", geom.Polygon{strip}), labelAt("1", 300, 300),
		labelAt("2", 600, 350)}
	got, s, _ := assembleFeatures(t, fs, nil)
	p, ok := got["2"]
	if !ok || !aPixel(p) || !p.Geometry.Contains(g15.Point(originX+600, originY+350)) || p.Repairs&kgfile.RepairDegenerate == 0 {
		t.Errorf("%+v", p)
	}
	if len(s.Parcels) != 2 || s.Build.SourceLabels != 2 {
		t.Errorf("%d parcels, %+v", len(s.Parcels), s.Build)
	}
}

func TestParcelWithoutAreaStays(t *testing.T) {
	f := parcel("12", geom.Polygon{rect(50, 50, 300, 300)})
	got, _, _ := assembleFeatures(t, []tilecut.Feature{f, labelAt("12", 60, 60)}, editTile(t, func(tile *mvt.Tile) {
		for i := range tile.Layers {
			for _, ft := range tile.Layers[i].Features {
				if ft.Type == mvt.Polygons {
					ft.Parts[0] = ft.Parts[0][:2]
				}
			}
		}
	}))
	p, ok := got["12"]
	if !ok || !aPixel(p) || p.Repairs != kgfile.RepairDegenerate || p.EZ != 9 || p.Inside != g15.Point(originX+60, originY+60) {
		t.Errorf("%+v", p)
	}
}

// Neighbours that do not share the corners on their border: every other parcel of the tessellation loses
// the corners that lie straight on its sides.
func TestJunctionsAreSharedAgain(t *testing.T) {
	for seed := range uint64(6) {
		w := tessellate(plan{seed: seed, grid: g15, x: originX + 100, y: originY + 50, cols: 12, rows: 12, cell: 500, jitter: 0.3, bends: 3,
			offPixel: seed%2 == 0})
		for i := range w.areas {
			if (i/12+i)%2 == 0 {
				for _, p := range w.areas[i] {
					for j := range p {
						p[j] = straightened(p[j])
					}
				}
			}
		}
		c, rep := w.assembled(t, 80)
		if rep.Junctions == 0 {
			t.Fatal("the test has no junctions")
		}
		outline := outlineOf(c.areas())
		if len(outline) != 1 || len(outline[0]) != 1 {
			t.Errorf("seed %d: outline of %d parts and %d rings", seed, len(outline), len(outline[0]))
		}
		sum := int64(0)
		for _, polys := range c.areas() {
			for _, p := range polys {
				for _, r := range p {
					sum += area2(r)
				}
			}
		}
		if got := area2(outline[0][0]); got != sum {
			t.Errorf("seed %d: parcels sum to %d, outline holds %d", seed, sum, got)
		}
	}
}

// straightened drops vertices within 0.3 m of the line between their neighbours.
func straightened(r geom.Ring) geom.Ring {
	var out geom.Ring
	for i, p := range r {
		a, b := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
		l := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))
		if off := math.Abs(float64(int64(b.X-a.X)*int64(p.Y-a.Y)-int64(b.Y-a.Y)*int64(p.X-a.X))) / l; off > 12 {
			out = append(out, p)
		}
	}
	return out
}

func TestAddressesOfNeighbours(t *testing.T) {
	other := parcel("1", geom.Polygon{rect(1000, 0, 1000, 1000)})
	other.Attrs = slices.Clone(other.Attrs)
	other.Attrs[0].Value = mvt.Uint(1005)
	fs := []tilecut.Feature{parcel("1", geom.Polygon{rect(0, 0, 1000, 1000)}), other}
	at := func(id uint64, kg austria.KGCode, x int64) Address {
		return Address{KG: kg, Building: kgfile.Building{ID: austria.BuildingID{ADRCD: id}, At: g15.Point(originX+x, originY+500)}}
	}
	in := Input{Code: testKG, Box: boxed(fs), Tiles: memory{"kataster": cutTiles(t, fs, 15, 4096, 80)}, Addresses: []Address{
		at(4, testKG, 500),   // in a parcel
		at(3, "01005", 500),  // in a parcel, whatever KG it names
		at(2, testKG, 1500),  // names the KG and lies in another's parcel
		at(1, testKG, -1500), // names the KG and lies in none
		at(5, "01005", -1500),
	}}
	s, rep := mustAssemble(t, in)
	var got []string
	for _, b := range s.Buildings {
		got = append(got, fmt.Sprint(b.ID.ADRCD, ":", b.Parcel))
	}
	if want := []string{"1:-1", "3:0", "4:0"}; !slices.Equal(got, want) || rep.AddressesOutside != 1 {
		t.Errorf("want %v, got %v, %+v", want, got, rep)
	}
	if len(s.Parcels) != 1 || s.Parcels[0].BuildingCount != 2 {
		t.Errorf("%+v", s.Parcels)
	}
}
