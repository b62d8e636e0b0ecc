package canopy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/shared/geo/raster"
)

// bumpy is ground with crowns at random places, a roof, a crop and a hole without heights.
func bumpy(seed uint64, side int) Layers {
	r := rand.New(rand.NewPCG(seed, 7))
	dtm, dsm := raster.New(4_500_000, 2_700_000+float64(side), 1, side, side), raster.New(4_500_000, 2_700_000+float64(side), 1, side, side)
	for row := range side {
		for col := range side {
			z := 500 + float32(col)/8
			dtm.Row(row)[col], dsm.Row(row)[col] = z, z
		}
	}
	for range side * side / 30 {
		x, y, h := r.IntN(side), r.IntN(side), float32(4+24*r.Float64())
		radius := 0.8 + 0.07*float64(h)
		for dy := -6; dy <= 6; dy++ {
			for dx := -6; dx <= 6; dx++ {
				if d := math.Hypot(float64(dx), float64(dy)); d <= radius && x+dx >= 0 && y+dy >= 0 && x+dx < side && y+dy < side {
					cell := (y+dy)*side + x + dx
					dsm.Z[cell] = max(dsm.Z[cell], dtm.Z[cell]+h*float32(1-0.5*d/radius))
				}
			}
		}
	}
	for dy := range 12 {
		for dx := range 12 {
			roof, crop := (side/4+dy)*side+side/4+dx, (side/2+dy)*side+side/4+dx
			dsm.Z[roof], dsm.Z[crop] = 530, dtm.Z[crop]+3.5+float32(dx%2)*0.02
		}
	}
	nan := float32(math.NaN())
	for dy := range 6 {
		for dx := range 6 {
			dsm.Z[(side/2+dy)*side+side/2+dx] = nan
		}
	}
	return Layers{DTM: dtm, DSM: dsm, BuildingsKnown: true,
		Buildings: []raster.Polygon{{{{X: 4_500_010, Y: 2_700_010}, {X: 4_500_030, Y: 2_700_010}, {X: 4_500_030, Y: 2_700_030},
			{X: 4_500_010, Y: 2_700_030}}}}}
}

// part is a window of layers.
func part(l Layers, b raster.Box) Layers {
	cut := func(g *raster.Grid) *raster.Grid {
		b := raster.Box{West: max(b.West, g.West), South: max(b.South, g.South()), East: min(b.East, g.East()),
			North: min(b.North, g.North)}
		out := raster.New(b.West, b.North, 1, int(b.East-b.West), int(b.North-b.South))
		for row := range out.Rows {
			for col := range out.Cols {
				x, y := out.Centre(col, row)
				out.Row(row)[col] = g.At(x, y)
			}
		}
		return out
	}
	l.DTM, l.DSM = cut(l.DTM), cut(l.DSM)
	return l
}

// digest is what was found, to the last bit.
func digest(trees []Tree) string {
	h := sha256.New()
	for i := range trees {
		t := &trees[i]
		for _, v := range []float64{t.X, t.Y, t.Height, t.MeanHeight, t.P90, t.CrownArea, t.RadiusMax, t.Compactness, t.Elongation,
			t.Surface.Roughness, t.Surface.Planarity, t.Surface.Relief,
			t.Surface.BuildingShare, t.Likelihood, t.Conifer, t.DBH, t.Volume} {
			_ = binary.Write(h, binary.LittleEndian, v)
		}
		h.Write([]byte(t.ID() + string(t.Shape) + string(t.Class) + string(t.Leaf)))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// A tree is the same in whatever window it is found, by the widest crowns that a request may ask for, too.
func TestWindowsAgree(t *testing.T) {
	usual := Default()
	usual.MinProminence = 0.2
	wide := usual
	wide.RadiusA, wide.RadiusB, wide.CapFactor, wide.MaxCrownArea, wide.SmoothSigma = 5, 0.3, 3, 1000, 3
	windowsAgree(t, usual, 1000)
	windowsAgree(t, wide, 50)
}

// windowsAgree looks for trees in all and in parts of made-up canopies.
func windowsAgree(t *testing.T, p Params, least int) {
	t.Helper()
	const side = 400
	for seed := range uint64(3) {
		l := bumpy(seed, side)
		all := raster.Box{West: 4_500_000, South: 2_700_000, East: 4_500_000 + side, North: 2_700_000 + side}
		whole := Find(l, all, p)
		for _, size := range []float64{57, 100, 133} {
			var parts []Tree
			for north := all.North; north > all.South; north -= size {
				for west := all.West; west < all.East; west += size {
					b := raster.Box{West: west, South: north - size, East: west + size, North: north}
					parts = append(parts, Find(part(l, b.Grown(Halo)), b, p)...)
				}
			}
			order := func(a, b Tree) int {
				if a.Y != b.Y {
					return int(2 * (b.Y - a.Y))
				}
				return int(2 * (a.X - b.X))
			}
			slices.SortFunc(parts, order)
			slices.SortFunc(whole, order)
			if len(whole) < least || len(parts) != len(whole) || digest(parts) != digest(whole) {
				t.Fatalf("seed %d, parts of %g m: %d trees %s, whole %d %s", seed, size, len(parts), digest(parts), len(whole),
					digest(whole))
			}
		}
	}
}

// The same trees on every processor: the digests were recorded on amd64.
func TestDigests(t *testing.T) {
	for seed, want := range []string{"e9e5b2088ce878af", "766d8b711e4aa414"} {
		l := bumpy(uint64(seed), 300)
		if got := digest(Find(l, raster.Box{West: 4_500_000, South: 2_700_000, East: 4_500_300, North: 2_700_300},
			Default())); got != want {
			t.Errorf("seed %d: %s, recorded %s", seed, got, want)
		}
	}
}

// Every cell of a crown is reached from its apex, belongs to one tree and is canopy.
func TestCrowns(t *testing.T) {
	l := bumpy(5, 300)
	trees := Find(l, raster.Box{West: 4_500_000, South: 2_700_000, East: 4_500_300, North: 2_700_300}, Default())
	owner := map[int32]int{}
	for i := range trees {
		x := &trees[i]
		if x.Height < 3 || x.CrownArea > 250 || x.CrownArea != float64(len(x.Cells)) {
			t.Fatalf("%+v", x)
		}
		for _, cell := range x.Cells {
			if other, twice := owner[cell]; twice {
				t.Fatalf("cell %d belongs to %d and %d", cell, other, i)
			}
			owner[cell] = i
			h := l.DSM.Z[cell] - l.DTM.Z[cell]
			reach := 1.5*(1.2+0.08*(x.Height)) + 0.01
			if d := math.Hypot(float64(int(cell)%300-x.Col), float64(int(cell)/300-x.Row)); d > reach || h != h {
				t.Fatalf("a cell %g m from the apex of %g m, height %g", d, x.Height, h)
			}
		}
		area := 0.0
		for _, p := range x.Outline(l.DSM) {
			for _, ring := range p {
				for k, a := range ring {
					b := ring[(k+1)%len(ring)]
					area += (b.X - a.X) * (a.Y + b.Y) / 2
				}
			}
		}
		if math.Abs(area-x.CrownArea) > 1e-6 {
			t.Fatalf("an outline of %g m² around %g", area, x.CrownArea)
		}
	}
}

// Surfaces are told in their order.
func TestVerdicts(t *testing.T) {
	side := 80
	make := func(h func(col, row int) float64) Layers {
		dtm, dsm := raster.New(0, float64(side), 1, side, side), raster.New(0, float64(side), 1, side, side)
		for row := range side {
			for col := range side {
				dtm.Row(row)[col], dsm.Row(row)[col] = 0, float32(h(col, row))
			}
		}
		return Layers{DTM: dtm, DSM: dsm}
	}
	block := func(height, slope, noise float64) func(col, row int) float64 {
		return func(col, row int) float64 {
			if col < 35 || col > 44 || row < 35 || row > 44 {
				return 0
			}
			return height + slope*float64(col-35) + noise*float64((col*7+row*13)%5)
		}
	}
	cone := func(col, row int) float64 { return max(0, 20-3*math.Hypot(float64(col-40), float64(row-40))) }
	box := raster.Box{East: float64(side), North: float64(side)}
	footprint := []raster.Polygon{{{{X: 34, Y: 35}, {X: 46, Y: 35}, {X: 46, Y: 46}, {X: 34, Y: 46}}}}
	photo := func(red, nir float32) Bands {
		var out Bands
		for _, v := range []float32{red, red, red, nir} {
			g := raster.New(0, float64(side), 1, side, side)
			for i := range g.Z {
				g.Z[i] = v
			}
			out = append(out, g)
		}
		return out
	}
	for name, c := range map[string]struct {
		l    Layers
		want Class
	}{
		"a cone":         {make(cone), TreeSurface},
		"a block of 4 m": {make(block(4, 0.02, 0.01)), Crop},
		"a block of 9 m": {make(block(9, 0.02, 0.01)), FlatStructure},
		"a cone in a footprint": {Layers{DTM: make(cone).DTM, DSM: make(cone).DSM, Buildings: footprint, BuildingsKnown: true},
			Building},
		"a block that is no plant": {Layers{DTM: make(cone).DTM, DSM: make(block(9, 0.02, 0.01)).DSM, Photo: photo(100, 100)},
			HardSurface},
		"a block of green": {Layers{DTM: make(cone).DTM, DSM: make(block(9, 0.02, 0.01)).DSM, Photo: photo(60, 150)},
			FlatStructure},
		"a grey cone":  {Layers{DTM: make(cone).DTM, DSM: make(cone).DSM, Photo: photo(100, 100)}, DeadCandidate},
		"a green cone": {Layers{DTM: make(cone).DTM, DSM: make(cone).DSM, Photo: photo(60, 150)}, TreeSurface},
		"a block without a photo of it": {Layers{DTM: make(cone).DTM, DSM: make(block(4, 0.02, 0.01)).DSM,
			Photo: photo(float32(math.NaN()), 1)}, Crop},
	} {
		trees := Find(c.l, box, Default())
		if len(trees) == 0 || trees[0].Class != c.want {
			t.Errorf("%s: expected %s", name, c.want)
			for i := range trees {
				t.Errorf("found %s, likelihood %.2f: %+v", trees[i].Class, trees[i].Likelihood, trees[i].Surface)
			}
		}
	}
}

// Stems by the published tables and formulae.
func TestStems(t *testing.T) {
	for _, c := range []struct {
		dbh, height float64
		s           Species
		want        float64
	}{{30, 25, Spruce, 0.829}, {30, 25, SomeConifer, 0.829}, {30, 25, SomeBroadleaf, 0.829}, {40, 30, Spruce, 1.684}, {40, 30,
		SomeBroadleaf, 1.753}, {4, 5, Spruce, 0}, {30, 1, Spruce, 0}} {
		if got := Volume(c.dbh, c.height, c.s); math.Abs(got-c.want) > 0.0006 {
			t.Errorf("d %g cm, h %g m, %s: %.4f m³, the table has %.3f", c.dbh, c.height, c.s, got, c.want)
		}
	}
	for _, c := range []struct{ h, cd, conifer, want float64 }{
		{25, 5, 1, 0.974 * math.Pow(125, 0.748) * math.Exp(0.028)}, {25, 8, 0, 0.694 * math.Pow(200, 0.730) * math.Exp(0.028)},
	} {
		if got := Diameter(c.h, c.cd, c.conifer); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("h %g, crown %g: %g cm, expected %g", c.h, c.cd, got, c.want)
		}
	}
	for x := -20.0; x <= 20; x += 0.37 {
		if math.Abs(exp(x)/math.Exp(x)-1) > 1e-14 || x > 0 && math.Abs(ln(x)-math.Log(x)) > 1e-14*(1+math.Abs(math.Log(x))) {
			t.Errorf("exp and ln of %g: %g, %g", x, exp(x), ln(x))
		}
	}
}

// Figures of a list that was made by hand.
func TestSummarise(t *testing.T) {
	var trees []Tree
	for i := range 200 {
		trees = append(trees, Tree{Height: float64(i+1) / 10, CrownArea: 10, Leaf: Coniferous, Edge: i == 0})
	}
	g := &Ground{Cells: 10_000, Known: 10_000, Canopy: 5000, Stand: 6000, Gaps: 600, Profile: []int{0, 2500, 2500}}
	s := Summarise(each(trees), g, OfCanopy)
	for name, v := range map[string][2]float64{"n": {float64(s.Trees), 200}, "edge": {float64(s.Edge), 1}, "area": {s.AreaHa, 1},
		"stems": {s.StemsTotal, 200}, "stems of canopy": {s.StemsCanopy, 400},
		"mean": {s.Mean, 10.05}, "p50": {s.P50, 10.05}, "max": {s.Max, 20}, "dominant": {s.Dominant, 17.55}, "top 100": {s.Top100, 15.05},
		"crowns": {s.CrownArea, 2000},
		"cover":  {s.CoverTotal, 20}, "cover of canopy": {s.CoverCanopy, 40}, "gaps": {s.GapFraction, 0.1},
		"profile": {s.Profile[1], 0.5}} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s: %g, expected %g", name, v[0], v[1])
		}
	}
	if total := Summarise(each(trees), g, OfTotal); math.Abs(total.Dominant-15.05) > 1e-9 {
		t.Errorf("dominant of the total area: %g", total.Dominant)
	}
	if none := Summarise(each(nil), &Ground{}, OfCanopy); !math.IsNaN(none.Mean) || !math.IsNaN(none.StemsTotal) || none.Trees != 0 {
		t.Errorf("nothing: %+v", none)
	}
}

// each gives trees one by one.
func each(trees []Tree) iter.Seq[*Tree] {
	return func(yield func(*Tree) bool) {
		for i := range trees {
			if !yield(&trees[i]) {
				return
			}
		}
	}
}
