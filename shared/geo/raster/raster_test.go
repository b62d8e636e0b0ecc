package raster

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mappe/infra/oracles"
)

func TestMasksOfSimpleShapes(t *testing.T) {
	g := New(100, 200, 2, 10, 8)
	square := Polygon{{{102, 198}, {110, 198}, {110, 190}, {102, 190}}}
	holed := Polygon{square[0], {{104, 196}, {104, 192}, {108, 192}, {108, 196}}}
	twice := []Polygon{square, {{{106, 198}, {114, 198}, {114, 190}, {106, 190}}}}
	beyond := Polygon{{{0, 300}, {300, 300}, {300, 0}, {0, 0}}}
	for _, c := range []struct {
		name  string
		of    []Polygon
		count int
	}{
		{"a square", []Polygon{square}, 16},
		{"closed", []Polygon{{append(square[0], square[0][0])}}, 16},
		{"with a hole", []Polygon{holed}, 12},
		{"two that overlap count once", twice, 24},
		{"larger than the grid", []Polygon{beyond}, 80},
		{"outside", []Polygon{{{{300, 300}, {310, 300}, {310, 310}}}}, 0},
		{"smaller than a cell, beside its centre", []Polygon{{{{102.1, 197.9}, {102.2, 197.9}, {102.2, 197.8}}}}, 0},
		{"none", nil, 0},
		{"a line", []Polygon{{{{102, 198}, {110, 190}}}}, 0},
	} {
		m := MaskOf(g, c.of)
		cells := 0
		for row := range g.Rows {
			for col := range g.Cols {
				if m.Has(col, row) {
					cells++
				}
			}
		}
		if m.Count() != c.count || cells != c.count {
			t.Errorf("%s: %d cells, %d one by one, expected %d", c.name, m.Count(), cells, c.count)
		}
	}
}

// Polygons that share borders take each cell once: none twice, none left out.
func TestNeighboursShareNoCell(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	g := New(0, 50, 1, 50, 50)
	at := func(i, j int) XY { // corners of a crooked net; those at the border stay there
		p := XY{float64(i) * 10, float64(j) * 10}
		if i > 0 && i < 5 && j > 0 && j < 5 {
			s := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			p.X, p.Y = p.X+math.Round(8*s.Float64()-4)/2, p.Y+math.Round(8*s.Float64()-4)/2
		}
		return p
	}
	var owners [2500]int
	for i := range 5 {
		for j := range 5 {
			ring := []XY{at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)}
			if r.IntN(2) == 0 {
				ring[0], ring[1], ring[2], ring[3] = ring[3], ring[2], ring[1], ring[0]
			}
			m := MaskOf(g, []Polygon{{ring}})
			for row := range 50 {
				m.Each(row, func(from, to int) {
					for col := from; col < to; col++ {
						owners[row*50+col]++
					}
				})
			}
		}
	}
	for i, n := range owners {
		if n != 1 {
			t.Fatalf("row %d, column %d belongs to %d polygons", i/50, i%50, n)
		}
	}
}

// Random polygons with holes, many of them crossing themselves, have the cells that gdal_rasterize gives them.
func TestMasksBesideGDAL(t *testing.T) {
	program := oracles.Program(t, "gdal_rasterize")
	r := rand.New(rand.NewPCG(9, 10))
	dir := t.TempDir()
	for n := range 12 {
		g := New(4_400_000, 2_700_000, 1, 150+r.IntN(100), 150+r.IntN(100))
		var p Polygon
		for range 1 + r.IntN(3) {
			var ring []XY
			for range 3 + r.IntN(12) {
				ring = append(ring, XY{g.West - 20 + float64(r.IntN(2900))/10, g.North + 20 - float64(r.IntN(2900))/10})
			}
			p = append(p, append(ring, ring[0]))
		}
		var rings [][][2]float64
		for _, ring := range p {
			var vertices [][2]float64
			for _, v := range ring {
				vertices = append(vertices, [2]float64{v.X, v.Y})
			}
			rings = append(rings, vertices)
		}
		b, err := json.Marshal(map[string]any{"type": "Feature", "properties": map[string]any{},
			"geometry": map[string]any{"type": "Polygon", "coordinates": rings}})
		if err != nil {
			t.Fatal(err)
		}
		in, out := filepath.Join(dir, "in.json"), filepath.Join(dir, fmt.Sprintf("%d.bin", n))
		if err := os.WriteFile(in, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if b, err := exec.Command(program, "-q", "-burn", "1", "-ot", "Byte", "-of", "ENVI", "-te", fmt.Sprint(g.West),
			fmt.Sprint(g.South()), fmt.Sprint(g.East()), fmt.Sprint(g.North),
			"-tr", "1", "1", in, out).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		want, err := os.ReadFile(out)
		if err != nil || len(want) != g.Cols*g.Rows {
			t.Fatal(err, len(want))
		}
		m, wrong := MaskOf(g, []Polygon{p}), 0
		for i, w := range want {
			if m.Has(i%g.Cols, i/g.Cols) != (w == 1) {
				wrong++
			}
		}
		// Coordinates are multiples of 0.1 m, centres lie at .5: an edge may run through a centre, where either is right.
		if wrong > 2 {
			t.Errorf("polygon %d of %d rings: %d of %d cells differ", n, len(p), wrong, m.Count())
		}
	}
}

func TestGridsAreAddressedByPlace(t *testing.T) {
	g := New(0, 4, 1, 4, 4)
	for i := range g.Z {
		g.Z[i] = float32(i)
	}
	nan := func(v float32) bool { return v != v }
	for _, c := range []struct {
		x, y     float64
		at, line float32
	}{
		{0.5, 3.5, 0, 0}, {3.99, 0.01, 15, 15}, {1, 3, 5, 2.5}, {1.5, 2.75, 5, 4}, {2, 2, 10, 7.5},
	} {
		if a, l := g.At(c.x, c.y), g.Bilinear(c.x, c.y); a != c.at || l != c.line {
			t.Errorf("%g, %g: %g and %g, expected %g and %g", c.x, c.y, a, l, c.at, c.line)
		}
	}
	if !nan(g.At(-0.1, 1)) || !nan(g.At(1, 4.1)) || !nan(g.Bilinear(4.1, 1)) {
		t.Error("there are values outside")
	}
	g.Z[5] = float32(math.NaN())
	if v := g.Bilinear(1.9, 2.1); v != 6 && v != 10 && !nan(v) {
		t.Errorf("beside an unknown cell: %g", v)
	}
	if x, y := g.Centre(1, 1); x != 1.5 || y != 2.5 {
		t.Errorf("centre %g, %g", x, y)
	}
}

func TestPaste(t *testing.T) {
	to, from := New(0, 10, 1, 10, 10), New(-2, 12, 1, 5, 5)
	for i := range from.Z {
		from.Z[i] = float32(i)
	}
	from.Z[24] = float32(math.NaN())
	to.Z[2*10+2] = 7
	if err := to.Paste(from); err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, z := range to.Z {
		if z == z {
			known++
		}
	}
	if known != 9 || to.Z[0] != 12 || to.Z[22] != 7 {
		t.Errorf("%d cells, %g, %g", known, to.Z[0], to.Z[22])
	}
	for _, other := range []*Grid{New(0.5, 10, 1, 2, 2), New(0, 10, 2, 2, 2)} {
		if to.Paste(other) == nil {
			t.Errorf("cells of %g from %g are taken", other.Step, other.West)
		}
	}
	if _, err := Over(Box{0, 0, 10_000, 10_000}, 1); err == nil {
		t.Error("100 million cells are made")
	}
	if b := (Box{0.2, -0.2, 1.1, 3}).Aligned(1); b != (Box{0, -1, 2, 3}) {
		t.Errorf("aligned %v", b)
	}
}

// A border that a transformation moved by less than a thousandth of a millimetre is that of the whole metre.
func TestAlignedTakesNoiseForAWholeMetre(t *testing.T) {
	want := Box{4_399_800, 2_699_850, 4_400_200, 2_700_150}
	for _, by := range []float64{0, 4e-9, -4e-9} {
		got := Box{want.West + by, want.South + by, want.East + by, want.North + by}.Aligned(1)
		if got != want {
			t.Errorf("moved by %g: %v, expected %v", by, got, want)
		}
	}
	if got := (Box{0.4, 0.4, 0.6, 0.6}).Aligned(1); got != (Box{0, 0, 1, 1}) {
		t.Errorf("%v", got)
	}
}
