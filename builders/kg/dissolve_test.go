package kg

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// memory serves tiles from a map, per tileset.
type memory map[string]map[mvt.TileID][]byte

func (m memory) Tile(_ context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	return m[tileset][id], nil
}

const testKG = austria.KGCode("01004")

// features are the parcels of a world, numbered from 1, with kg written in the ways real tiles do.
func (w *world) features() []tilecut.Feature {
	var out []tilecut.Feature
	for i, a := range w.areas {
		if a == nil {
			continue
		}
		kg := mvt.Uint(1004)
		if i%3 == 1 {
			kg = mvt.String("01004")
		}
		out = append(out, tilecut.Feature{Layer: "gst", Geometry: a, Attrs: []mvt.Attr{
			{Key: "kg", Value: kg}, {Key: "gnr", Value: mvt.String(fmt.Sprint(i + 1))}, {Key: "ez", Value: mvt.Uint(uint64(i/3 + 1))},
			{Key: "rstatus", Value: mvt.String("G")},
		}})
	}
	return out
}

func (w *world) box() geom.Box {
	b := geom.EmptyBox
	for _, a := range w.areas {
		b = b.Union(a.Bounds())
	}
	return b
}

func cutTiles(t testing.TB, fs []tilecut.Feature, zoom uint8, extent, buffer uint32) map[mvt.TileID][]byte {
	t.Helper()
	tiles, err := tilecut.Cut(fs, zoom, extent, buffer)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

// assembled reads and assembles the parcels of a world from its tiles.
func (w *world) assembled(t testing.TB, buffer uint32) (*cadastre, *Report) {
	t.Helper()
	in := Input{Code: testKG, Box: w.box(), Tiles: memory{"kataster": cutTiles(t, w.features(), w.grid.Z, w.grid.Extent, buffer)}}
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

// equal holds every assembled parcel against the world, edge by edge.
func (w *world) equal(t testing.TB, c *cadastre, rep *Report) {
	t.Helper()
	if rep.OpenShapes > 0 {
		t.Errorf("%d shapes could not be closed exactly", rep.OpenShapes)
	}
	seen := map[string]bool{}
	for _, p := range c.parcels {
		seen[string(p.gnr)] = true
		var o int
		fmt.Sscan(string(p.gnr), &o)
		want, got := w.snapped(o-1), edgesOf(p.polys)
		if !slices.Equal(want, got) {
			t.Errorf("parcel %s: want %d edges, got %d; lost %v, new %v", p.gnr, len(want), len(got), minus(want, got), minus(got, want))
		}
	}
	for i, a := range w.areas {
		if a != nil && !seen[fmt.Sprint(i+1)] {
			t.Errorf("parcel %d is lost", i+1)
		}
	}
}

func minus(a, b []string) []string {
	m := map[string]int{}
	for _, s := range b {
		m[s]++
	}
	var out []string
	for _, s := range a {
		if m[s]--; m[s] < 0 {
			out = append(out, s)
		}
	}
	return out[:min(len(out), 6)]
}

// near Lilienfeld: tile 15/17830/11387
const originX, originY = 17830 * 4096, 11387 * 4096

var g15 = mvt.Grid{Z: 15, Extent: 4096}

func plans() map[string]plan {
	return map[string]plan{
		"small parcels":         {grid: g15, x: originX + 3500, y: originY + 3500, cols: 14, rows: 14, cell: 90, jitter: 0.3, bends: 2},
		"corners on the border": {grid: g15, x: originX, y: originY, cols: 12, rows: 12, cell: 1024, jitter: 0.2, bends: 2},
		"sides on the border":   {grid: g15, x: originX, y: originY, cols: 10, rows: 10, cell: 2048, jitter: 0, bends: 3},
		"holes and parts": {grid: g15, x: originX + 100, y: originY + 100, cols: 30, rows: 30, cell: 300, jitter: 0.3, bends: 2,
			parcels: 40, clump: 0.4},
		"huge parcels": {grid: g15, x: originX + 700, y: originY + 900, cols: 12, rows: 12, cell: 5000, jitter: 0.33, bends: 3,
			parcels: 9, clump: 0.6},
		"long sides":          {grid: g15, x: originX + 700, y: originY + 900, cols: 3, rows: 3, cell: 21000, jitter: 0.3, bends: 0},
		"sides along the cut": {grid: g15, x: originX - 80, y: originY - 80, cols: 20, rows: 20, cell: 2088, jitter: 0.002, bends: 2},
		"between pixels": {grid: g15, x: originX + 100, y: originY + 100, cols: 25, rows: 25, cell: 400, jitter: 0.3, bends: 3,
			parcels: 90, clump: 0.4, offPixel: true},
		"huge between pixels": {grid: g15, x: originX + 300, y: originY + 300, cols: 14, rows: 14, cell: 3300, jitter: 0.33, bends: 2,
			parcels: 14, clump: 0.5, offPixel: true},
		"other extent": {grid: mvt.Grid{Z: 15, Extent: 512}, x: 17830 * 512, y: 11387 * 512, cols: 30, rows: 30, cell: 64,
			jitter: 0.3, bends: 1, parcels: 200, clump: 0.3},
	}
}

func TestTilesGiveBackTheTessellation(t *testing.T) {
	all := plans()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				pl := all[name]
				pl.seed = seed
				w := tessellate(pl)
				c, rep := w.assembled(t, 80*pl.grid.Extent/4096)
				w.equal(t, c, rep)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// Any plan at all: random cell sizes from 25 pixels to three tiles, buffers from 16 pixels up.
func TestRandomPlans(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 10
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 99))
		cell := int64(25 << r.IntN(9))
		cols := min(24, 2+int(40000/cell))
		pl := plan{seed: seed, grid: g15, x: originX + r.Int64N(8192) - 4096, y: originY + r.Int64N(8192) - 4096,
			cols: 2 + r.IntN(cols), rows: 2 + r.IntN(cols), cell: cell, jitter: r.Float64() * 0.34, bends: r.IntN(4),
			parcels: r.IntN(60), clump: r.Float64(), offPixel: cell > 60 && r.IntN(2) == 0}
		buffer := uint32(16 << r.IntN(5))
		w := tessellate(pl)
		c, rep := w.assembled(t, buffer)
		w.equal(t, c, rep)
		if t.Failed() {
			t.Fatalf("plan %+v buffer %d", pl, buffer)
		}
	}
}
