package kg

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// town is a synthetic KG of n parcels of about 30 by 30 m, with a number label each, a building on every
// second one, a land-use shape and a symbol each, and an address for every building.
func town(t testing.TB, n int) Input {
	t.Helper()
	side := 1
	for side*side < n {
		side++
	}
	w := tessellate(plan{seed: 7, grid: g15, x: originX + 200, y: originY + 300, cols: side, rows: (n + side - 1) / side, cell: 160,
		jitter: 0.3, bends: 2})
	g16 := mvt.Grid{Z: 16, Extent: 4096}
	r := rand.New(rand.NewPCG(1, 2))
	var z15, z16, nsy []tilecut.Feature
	var addresses []Address
	for i, m := range w.areas {
		if i >= n {
			break
		}
		gnr := mvt.String(fmt.Sprintf("%d/%d", i/7+1, i%7+1))
		kg := mvt.Uint(1004)
		at, _ := m.Inside()
		z15 = append(z15,
			tilecut.Feature{Layer: "gst", Geometry: m, Attrs: []mvt.Attr{{Key: "kg", Value: kg}, {Key: "gnr", Value: gnr},
				{Key: "ez", Value: mvt.Uint(uint64(i/3 + 1))}, {Key: "rstatus", Value: mvt.String("E")}}},
			tilecut.Feature{Layer: "gnr", At: at, Attrs: []mvt.Attr{{Key: "kg", Value: kg}, {Key: "gnr", Value: gnr},
				{Key: "rstatus", Value: mvt.String("E")}, {Key: "rot", Value: mvt.Double(12.5)}}})
		codes := []uint64{48, 52, 56, 95}
		z16 = append(z16, tilecut.Feature{Layer: "nfl", Geometry: m, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(codes[r.IntN(4)])}}})
		nsy = append(nsy, tilecut.Feature{Layer: "nsy", At: at, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(codes[r.IntN(4)])}}})
		if i%2 == 0 {
			x, y := g16.Snap(at)
			a, b := int64(30+r.IntN(20)), int64(30+r.IntN(20))
			foot := geom.Ring{g16.Point(x-a, y+b), g16.Point(x+a, y+b), g16.Point(x+a, y-b), g16.Point(x-a, y-b)}
			z16 = append(z16, tilecut.Feature{Layer: "nfl", Geometry: geom.MultiPolygon{{foot}},
				Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(41)}}})
			addresses = append(addresses, Address{KG: testKG,
				Building: kgfile.Building{ID: austria.BuildingID{ADRCD: uint64(5000000 + i), SUBCD: 1}, At: at}})
		}
	}
	cadastre := cutTiles(t, z15, 15, 4096, 80)
	maps.Copy(cadastre, cutTiles(t, z16, 16, 4096, 80))
	return Input{Code: testKG, Name: "Probe", Box: w.box(), Addresses: addresses, Stichtag: "2026-10-01", Attribution: "© BEV, 2026",
		Tiles: memory{"kataster": cadastre, "symbole": cutTiles(t, nsy, 16, 4096, 80)}}
}

func benchmarkAssemble(b *testing.B, n int) {
	in := town(b, n)
	in.Workers = 1
	b.ReportAllocs()
	for b.Loop() {
		s, _, err := Assemble(b.Context(), in)
		if err != nil {
			b.Fatal(err)
		}
		if len(s.Parcels) != n {
			b.Fatalf("%d parcels of %d", len(s.Parcels), n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/parcel")
}

func BenchmarkAssemble1300(b *testing.B)  { benchmarkAssemble(b, 1300) }
func BenchmarkAssemble20000(b *testing.B) { benchmarkAssemble(b, 20000) }
