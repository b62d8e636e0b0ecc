package kg

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg/tilecut"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// assembledFrom is assembled with the tiles changed first.
func (w *world) assembledFrom(t testing.TB, tiles map[mvt.TileID][]byte) (*cadastre, *Report) {
	t.Helper()
	in := Input{Code: testKG, Box: w.box(), Tiles: memory{"kataster": tiles}}
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	rep := &Report{}
	c, err := readCadastre(t.Context(), &in, rep)
	if err != nil {
		t.Fatal(err)
	}
	c.assemble(rep)
	return c, rep
}

// A server that projects tile by tile can round a vertex one pixel apart in two tiles. Only the tile that
// owns the vertex decides, so the result is still exact.
func TestBuffersMayDifferByAPixel(t *testing.T) {
	for seed := range uint64(8) {
		w := tessellate(plan{seed: seed, grid: g15, x: originX + 100, y: originY + 50, cols: 24, rows: 24, cell: 420, jitter: 0.3, bends: 2,
			parcels: 150, clump: 0.4})
		tiles := cutTiles(t, w.features(), 15, 4096, 80)
		r := rand.New(rand.NewPCG(seed, 5))
		editTile(t, func(tile *mvt.Tile) {
			for _, f := range tile.Layers[0].Features {
				for _, ring := range f.Parts {
					for i, p := range ring {
						if outer := p.X < -2 || p.Y < -2 || p.X > 4098 || p.Y > 4098; outer && r.IntN(3) == 0 {
							ring[i].X += int32(r.IntN(3) - 1)
							ring[i].Y += int32(r.IntN(3) - 1)
						}
					}
				}
			}
		})(tiles)
		c, rep := w.assembledFrom(t, tiles)
		w.equal(t, c, rep)
	}
}

// Tiles of different extents do not share a grid: shapes over their edges are united, and none is lost.
func TestMixedExtents(t *testing.T) {
	w := tessellate(plan{seed: 3, grid: g15, x: originX + 100, y: originY + 50, cols: 20, rows: 20, cell: 500, jitter: 0.3, bends: 2})
	tiles := cutTiles(t, w.features(), 15, 4096, 80)
	fine, err := tilecut.Cut(w.features(), 15, 8192, 160)
	if err != nil {
		t.Fatal(err)
	}
	for id := range tiles {
		if (id.X+id.Y)%2 == 0 {
			tiles[id] = fine[id]
		}
	}
	c, rep := w.assembledFrom(t, tiles)
	if c.region.grid.Extent != 8192 || len(c.parcels) != len(w.areas) {
		t.Fatalf("grid %v, %d parcels of %d", c.region.grid, len(c.parcels), len(w.areas))
	}
	sum, want := int64(0), int64(0)
	for _, p := range c.parcels {
		for _, poly := range p.polys {
			for _, r := range poly {
				sum += area2(r)
			}
		}
	}
	for i := range w.areas {
		for _, p := range w.areas[i] {
			for _, r := range p {
				var q []pt
				for _, v := range r {
					x, y := c.region.grid.Snap(v)
					q = append(q, pt{X: int32(x), Y: int32(y)})
				}
				want -= area2(q)
			}
		}
	}
	if math.Abs(float64(sum)/float64(want)-1) > 1e-4 {
		t.Errorf("area %d of %d, %+v", sum, want, rep)
	}
}

// A tile that draws something else where its neighbour goes on: nothing panics, no parcel is lost.
func TestTilesThatDisagree(t *testing.T) {
	for seed := range uint64(6) {
		w := tessellate(plan{seed: seed, grid: g15, x: originX + 100, y: originY + 50, cols: 20, rows: 20, cell: 900, jitter: 0.3, bends: 2,
			parcels: 80, clump: 0.3})
		tiles := cutTiles(t, w.features(), 15, 4096, 80)
		r := rand.New(rand.NewPCG(seed, 5))
		editTile(t, func(tile *mvt.Tile) {
			for _, f := range tile.Layers[0].Features {
				for _, ring := range f.Parts {
					for i := range ring {
						if r.IntN(20) == 0 {
							ring[i].X += int32(r.IntN(200) - 100)
							ring[i].Y += int32(r.IntN(200) - 100)
						}
					}
				}
			}
		})(tiles)
		s, rep := mustAssemble(t, Input{Code: testKG, Box: w.box(), Tiles: memory{"kataster": tiles}})
		if want := len(w.features()); len(s.Parcels) != want {
			t.Errorf("seed %d: %d parcels of %d, %+v", seed, len(s.Parcels), want, rep)
		}
		total := 0.0
		for _, p := range s.Parcels {
			if p.Geometry != nil && !(p.AreaSqm >= 0) {
				t.Errorf("parcel %s has area %g", p.GNR, p.AreaSqm)
			}
			total += p.AreaSqm
		}
		if want := 20 * 20 * 900 * 900 * 0.04; math.Abs(total/want-1) > 0.2 {
			t.Errorf("seed %d: total %.0f m², about %.0f drawn", seed, total, want)
		}
		kgfile.Quantise(s)
		if _, err := kgfile.Encode(s); err != nil {
			t.Error(err)
		}
	}
}

// everywhere serves one tile's bytes in a few places.
type everywhere []byte

func (e everywhere) Tile(_ context.Context, _ string, id mvt.TileID) ([]byte, error) {
	if id.X > 17830<<(id.Z-15)+2 || id.X+1 < 17830<<(id.Z-15) || id.Y > 11387<<(id.Z-15)+2 || id.Y+1 < 11387<<(id.Z-15) {
		return nil, nil
	}
	return e, nil
}

func FuzzAssemble(f *testing.F) {
	for _, seed := range []uint64{1, 2} {
		w := tessellate(plan{seed: seed, grid: g15, x: originX - 500, y: originY - 500, cols: 3, rows: 3, cell: 900, jitter: 0.3, bends: 1,
			parcels: 4})
		for _, b := range cutTiles(f, w.features(), 15, 4096, 80) {
			f.Add(b)
		}
	}
	for _, b := range cutTiles(f, []tilecut.Feature{nfl(41, rect16(-50, -50, 100, 100)), nfl(56, rect16(-5000, -5000, 10000, 10000))}, 16,
		4096, 80) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, y := g15.Point(originX, originY), g15.Point(originX+100, originY+100)
		box := geom.Box{MinX: x.X, MinY: y.Y, MaxX: y.X, MaxY: x.Y}
		s, _, err := Assemble(context.Background(), Input{Code: testKG, Box: box, Tiles: everywhere(b)})
		if err != nil {
			return
		}
		kgfile.Quantise(s)
		if _, err := kgfile.Encode(s); err != nil {
			t.Fatal(err)
		}
	})
}

// A server that makes its pieces valid gives polygons of their own where ring-by-ring clipping leaves
// bridges along the clip lines.
func TestPiecesMadeValidByTheServer(t *testing.T) {
	all := plans()
	for _, name := range []string{"holes and parts", "huge parcels", "between pixels", "huge between pixels"} {
		pl := all[name]
		pl.seed = 11
		w := tessellate(pl)
		tiles := cutTiles(t, w.features(), 15, 4096, 80)
		rebuilt := 0
		editTile(t, func(tile *mvt.Tile) {
			for i := range tile.Layers[0].Features {
				f := &tile.Layers[0].Features[i]
				var rings []geom.Ring
				for _, part := range f.Parts {
					var r geom.Ring
					for _, p := range part {
						r = append(r, p)
					}
					rings = append(rings, r)
				}
				m, err := geom.Rebuild(rings)
				if err != nil {
					t.Fatal(err)
				}
				var parts [][]mvt.Point
				for _, p := range m {
					var poly [][]mvt.Point
					for _, r := range p {
						var ring []mvt.Point
						for _, v := range r {
							ring = append(ring, v)
						}
						poly = append(poly, ring)
					}
					parts = mvt.AppendPolygon(parts, poly, mvt.DropZeroArea)
				}
				if len(parts) != len(f.Parts) {
					rebuilt++
				}
				if len(parts) > 0 {
					f.Parts = parts
				}
			}
		})(tiles)
		if rebuilt == 0 && name != "huge parcels" {
			t.Errorf("%s: no piece had to be made valid", name)
		}
		c, rep := w.assembledFrom(t, tiles)
		w.equal(t, c, rep)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// A ring of 100,000 random vertices crosses itself beyond any repair: it is kept and flagged, within
// bounded time and memory.
func TestRingBeyondRepair(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	r := rand.New(rand.NewPCG(1, 1))
	ring := make([]mvt.Point, n)
	for i := range ring {
		ring[i] = mvt.Point{X: int32(r.IntN(4096)), Y: int32(r.IntN(4096))}
	}
	l := mvt.NewLayer("gst", 4096)
	for _, gnr := range []string{"1", "2"} {
		l.Add(mvt.Feature{Type: mvt.Polygons, Parts: mvt.AppendPolygon(nil, [][]mvt.Point{ring}, mvt.KeepZeroArea)},
			mvt.Attr{Key: "kg", Value: mvt.Uint(1004)}, mvt.Attr{Key: "gnr", Value: mvt.String(gnr)})
	}
	b, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{l.Layer()}})
	if err != nil {
		t.Fatal(err)
	}
	p := g15.Point(originX+10, originY+10)
	s, _ := mustAssemble(t, Input{Code: testKG, Box: geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y},
		Tiles: memory{"kataster": {mvt.TileID{Z: 15, X: 17830, Y: 11387}: b}}})
	if len(s.Parcels) != 2 || s.Parcels[0].Repairs&kgfile.RepairSelfCrossing == 0 {
		t.Errorf("%d parcels, repairs %b", len(s.Parcels), s.Parcels[0].Repairs)
	}
}

// A source that is not what it should be is named by what it holds.
func TestTilesWithoutTheKGSayWhatTheyHold(t *testing.T) {
	foreign := func(key, value, layer string) []tilecut.Feature {
		f := parcel("1", geom.Polygon{rect(100, 100, 100, 100)})
		f.Layer, f.Attrs[0] = layer, mvt.Attr{Key: key, Value: mvt.String(value)}
		return []tilecut.Feature{f}
	}
	for want, fs := range map[string][]tilecut.Feature{
		`the KGs "2002"`: foreign("kg", "2002", "gst"),
		`the attributes "KGNR", "ez", "gnr", "rstatus": expected kg`: foreign("KGNR", "1004", "gst"),
		`the layers "parcels": expected gst`:                         foreign("kg", "1004", "parcels"),
	} {
		if _, s, rep := assembleFeatures(t, fs, nil); len(s.Parcels) != 0 || !strings.Contains(rep.Instead, want) {
			t.Errorf("want %s, got %s", want, rep.Instead)
		}
	}
	if _, _, rep := assembleFeatures(t, []tilecut.Feature{parcel("1", geom.Polygon{rect(100, 100, 100, 100)})}, nil); rep.Instead != "" {
		t.Errorf("of a KG that is there: got %s", rep.Instead)
	}
}
