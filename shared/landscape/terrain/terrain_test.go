package terrain

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/infra/realdata"
	"mappe/shared/geo/raster"
)

// plane is a plane that rises by so much for each metre to the east and to the north.
func plane(side int, east, north float64) *raster.Grid {
	g := raster.New(4_400_000, 2_700_000, 1, side, side)
	for row := range side {
		for col := range side {
			g.Z[row*side+col] = float32(1500 + east*float64(col) - north*float64(row))
		}
	}
	return g
}

// all are the cells of a grid but those at its border.
func inner(g *raster.Grid) *raster.Mask {
	return raster.MaskOf(g, []raster.Polygon{{{{X: g.West + 1, Y: g.South() + 1}, {X: g.East() - 1, Y: g.South() + 1},
		{X: g.East() - 1, Y: g.North - 1}, {X: g.West + 1, Y: g.North - 1}}}})
}

func near(a, b, by float64) bool { return math.Abs(a-b) <= by }

// A plane has one slope, one aspect and no curvature; its TRI is √6 times its gradient, which no plane of another class has.
func TestPlanes(t *testing.T) {
	for _, c := range []struct {
		east, north float64 // rise
		aspect      float64
		sector      string
		class       string
	}{
		{0, 0, -1, "flat", "level"},
		{0, -0.04, -1, "flat", "level"}, // 2.29°, TRI 0.098: directed below
		{0, -0.1, 0, "N", "nearly_level"},
		{-0.2, -0.2, 45, "NE", "slightly_rugged"},
		{-0.5, 0, 90, "E", "intermediately_rugged"},
		{-0.7, 0.7, 135, "SE", "moderately_rugged"},
		{0, 1.5, 180, "S", "highly_rugged"},
		{2, 2, 225, "SW", "extremely_rugged"},
		{1, 0, 270, "W", "moderately_rugged"},
		{0.05, -0.05, 315, "NW", "nearly_level"},
	} {
		g := plane(40, c.east, c.north)
		s := Summarise(g, inner(g))
		rise := math.Hypot(c.east, c.north)
		name := fmt.Sprintf("%g east, %g north", c.east, c.north)
		if rise == 0.04 {
			c.aspect, c.sector = 0, "N"
		}
		if s.Cells != 38*38 || s.Known != s.Cells || s.Derived != s.Cells {
			t.Errorf("%s: %d cells, %d, %d", name, s.Cells, s.Known, s.Derived)
		}
		if want := math.Atan(rise) * degrees; !near(s.Slope.Mean, want, 0.01) || !near(s.Slope.Max, want, 0.02) ||
			!near(s.SlopeP90, want, 0.11) {
			t.Errorf("%s: slope %+v, p90 %g, expected %g", name, s.Slope, s.SlopeP90, want)
		}
		if want := math.Sqrt(6) * rise; !near(s.TRI.Mean, want, 0.001) {
			t.Errorf("%s: TRI %+v, expected %g", name, s.TRI, want)
		}
		if !near(s.TPI.Mean, 0, 1e-4) || !near(s.Curvature.Mean, 0, 1e-4) {
			t.Errorf("%s: TPI %+v, curvature %+v", name, s.TPI, s.Curvature)
		}
		if !near(s.AspectMean, c.aspect, 0.1) && !near(s.AspectMean, c.aspect+360, 0.1) || s.AspectDominant != c.sector {
			t.Errorf("%s: aspect %g %s, expected %g %s", name, s.AspectMean, s.AspectDominant, c.aspect, c.sector)
		}
		if s.Class != c.class {
			t.Errorf("%s: %s (TRI %g), expected %s", name, s.Class, s.TRI.Mean, c.class)
		}
	}
}

// A dome is a ridge and convex everywhere: z = -r²/2R has the curvature 2/R and a TPI of 0.75 L²/R.
func TestDome(t *testing.T) {
	for sign, name := range map[float64]string{1: "dome", -1: "bowl"} {
		const radius = 50.0
		g := raster.New(0, 100, 1, 41, 41)
		for row := range 41 {
			for col := range 41 {
				dx, dy := float64(col-20), float64(row-20)
				g.Z[row*41+col] = float32(-sign * (dx*dx + dy*dy) / (2 * radius))
			}
		}
		s := Summarise(g, inner(g))
		if !near(s.Curvature.Mean, sign*2/radius, 1e-4) || !near(s.TPI.Mean, sign*0.75/radius, 1e-4) {
			t.Errorf("%s: curvature %g, TPI %g", name, s.Curvature.Mean, s.TPI.Mean)
		}
		if s.AspectMean != -1 && s.AspectDominant == "flat" {
			t.Errorf("%s: aspect %g", name, s.AspectMean)
		}
	}
}

// A cell beside an unknown height has a height and no slope; the border of the grid likewise. Nothing known is no number.
func TestUnknownHeights(t *testing.T) {
	g := plane(10, 0.3, 0)
	g.Z[5*10+5] = float32(math.NaN())
	whole := raster.MaskOf(g, []raster.Polygon{{{{X: g.West, Y: g.South()}, {X: g.East(), Y: g.South()}, {X: g.East(), Y: g.North},
		{X: g.West, Y: g.North}}}})
	s := Summarise(g, whole)
	if s.Cells != 100 || s.Known != 99 || s.Derived != 64-9 {
		t.Errorf("%d cells, %d known, %d with a slope", s.Cells, s.Known, s.Derived)
	}
	for i := range g.Z {
		g.Z[i] = float32(math.NaN())
	}
	s = Summarise(g, whole)
	if s.Known != 0 || !math.IsNaN(s.Elevation.Mean) || !math.IsNaN(s.Slope.Mean) || !math.IsNaN(s.AspectMean) || s.Class != "" {
		t.Errorf("of nothing: %+v", s)
	}
}

// An area is flat where most of its cells are below 2 degrees, and not where flat is the most frequent of nine: a third
// of the cells is flat, the others look to five directions.
func TestFlatIsWhatMostCellsAre(t *testing.T) {
	for _, c := range []struct {
		flat int // rows of 60
		want string
	}{{20, "W"}, {29, "W"}, {34, "flat"}} {
		g := raster.New(0, 60, 1, 90, 60)
		for row := range g.Rows {
			for col := range g.Cols {
				x, y := float64(col), float64(row)
				switch {
				case row < c.flat:
					g.Z[row*g.Cols+col] = 0
				case col < 36:
					g.Z[row*g.Cols+col] = float32(0.2 * x)
				case col < 54:
					g.Z[row*g.Cols+col] = float32(7.2 - 0.2*(x-36))
				case col < 72:
					g.Z[row*g.Cols+col] = float32(0.2 * y)
				default:
					g.Z[row*g.Cols+col] = float32(-0.2 * y)
				}
			}
		}
		if s := Summarise(g, inner(g)); s.AspectDominant != c.want || (s.AspectMean == -1) != (c.want == "flat") {
			t.Errorf("%d of 60 rows are flat: %s %g, expected %s; %v", c.flat, s.AspectDominant, s.AspectMean, c.want, s.Aspects)
		}
	}
}

// The ninth decile of the slopes is that of the sorted slopes, not the border of a class.
func TestNinthDecile(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, rough := range []float64{0.001, 0.05, 1} {
		g := raster.New(0, 1000, 1, 120, 120)
		for i := range g.Z {
			g.Z[i] = float32(500 + rough*r.Float64())
		}
		s := Summarise(g, inner(g))
		var slopes []float64
		row := newGradients(g.Cols)
		for i := 1; i < g.Rows-1; i++ {
			row.compute(g, i, 1, g.Cols-1)
			for _, v := range row.slope[1 : g.Cols-1] {
				slopes = append(slopes, float64(v))
			}
		}
		slices.Sort(slopes)
		at := 0.9 * float64(len(slopes)-1)
		lower := slopes[int(at)]
		if want := lower + (at-math.Floor(at))*(slopes[int(at)+1]-lower); !near(s.SlopeP90, want, 0.005) {
			t.Errorf("roughness %g m: %g, expected %g", rough, s.SlopeP90, want)
		}
	}
}

// An area that comes in strips has the terrain of the whole.
func TestStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	g := raster.New(0, 1000, 1, 50, 700)
	for i := range g.Z {
		if g.Z[i] = float32(1000 + r.Float64()); r.IntN(50) == 0 {
			g.Z[i] = nan
		}
	}
	m := inner(g)
	want := Summarise(g, m)
	var s Sum
	for _, b := range [][2]int{{0, 2 * band}, {2 * band, 3 * band}, {3 * band, g.Rows}} {
		first, last := max(b[0]-1, 0), min(b[1]+1, g.Rows)
		strip := &raster.Grid{West: g.West, North: g.North - float64(first), Step: 1, Cols: g.Cols, Rows: last - first,
			Z: g.Z[first*g.Cols : last*g.Cols]}
		s.Add(strip, innerOf(strip, g), b[0]-first, b[1]-first)
	}
	if got := s.Summary(); *got != *want {
		t.Errorf("in strips %+v\nexpected %+v", got.Slope, want.Slope)
	}
}

// innerOf are the cells of a strip that inner gives of the whole.
func innerOf(strip, g *raster.Grid) *raster.Mask {
	return raster.MaskOf(strip, []raster.Polygon{{{{X: g.West + 1, Y: g.South() + 1}, {X: g.East() - 1, Y: g.South() + 1},
		{X: g.East() - 1, Y: g.North - 1}, {X: g.West + 1, Y: g.North - 1}}}})
}

// Sums of bands are those of all cells at once, whatever their number.
func TestManyBands(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := raster.New(0, 1000, 1, 30, 3*band+17)
	for i := range g.Z {
		g.Z[i] = float32(2000 + 30*r.Float64())
	}
	s := Summarise(g, inner(g))
	var sum, sq, n float64
	for row := 1; row < g.Rows-1; row++ {
		for col := 1; col < g.Cols-1; col++ {
			z := float64(g.Z[row*g.Cols+col])
			sum, n = sum+z, n+1
		}
	}
	mean := sum / n
	for row := 1; row < g.Rows-1; row++ {
		for col := 1; col < g.Cols-1; col++ {
			d := float64(g.Z[row*g.Cols+col]) - mean
			sq += d * d
		}
	}
	if !near(s.Elevation.Mean, mean, 1e-9) || !near(s.Elevation.SD, math.Sqrt(sq/n), 1e-9) {
		t.Errorf("mean %v, sd %v; expected %v, %v", s.Elevation.Mean, s.Elevation.SD, mean, math.Sqrt(sq/n))
	}
}

// The metrics are those of gdaldem on a real model of 1 m: TPI and TRI to the digit that float32 keeps, slope within
// 0.01°, aspect within 0.5° where there is a slope (gdaldem takes differences of float32 heights of some thousand metres).
func TestBesideGDAL(t *testing.T) {
	gdal := oracles.Program(t, "gdaldem")
	file := realdata.Path(t, "landscape/avaPfa_1m.asc")
	want := map[string][][]float64{}
	dir := t.TempDir()
	for kind, args := range map[string][]string{"slope": nil, "aspect": {"-zero_for_flat"}, "TRI": {"-alg", "Riley"}, "TPI": nil} {
		out := filepath.Join(dir, kind+".asc")
		if b, err := exec.Command(gdal, append([]string{kind, file, out, "-q", "-of", "AAIGrid", "-co", "DECIMAL_PRECISION=6"},
			args...)...).CombinedOutput(); err != nil {
			t.Fatalf("gdaldem %s: %v: %s", kind, err, b)
		}
		want[kind] = ascii(t, out)
	}
	heights := ascii(t, file)
	g := raster.New(0, float64(len(heights)), 1, len(heights[0]), len(heights))
	for row, line := range heights {
		for col, v := range line {
			g.Z[row*g.Cols+col] = float32(v)
		}
	}
	worst := map[string]float64{}
	row, cells := newGradients(g.Cols), 0
	for r := 1; r < g.Rows-1; r++ {
		row.compute(g, r, 1, g.Cols-1)
		for c := 1; c < g.Cols-1; c++ {
			if math.IsNaN(want["TPI"][r][c]) != math.IsNaN(float64(row.tpi[c])) {
				t.Fatalf("row %d, column %d: TPI %g, expected %g", r, c, row.tpi[c], want["TPI"][r][c])
			}
			if math.IsNaN(want["TPI"][r][c]) {
				continue
			}
			cells++
			for kind, got := range map[string]float32{"slope": row.slope[c], "TRI": row.tri[c], "TPI": row.tpi[c]} {
				worst[kind] = max(worst[kind], math.Abs(float64(got)-want[kind][r][c]))
			}
			if row.slope[c] > 1 {
				d := math.Abs(math.Mod(math.Atan2(-row.p[c], row.q[c])*degrees+360, 360) - want["aspect"][r][c])
				worst["aspect"] = max(worst["aspect"], min(d, 360-d))
			}
		}
	}
	if cells < 50_000 {
		t.Errorf("%d cells with neighbours", cells)
	}
	for kind, limit := range map[string]float64{"slope": 0.01, "aspect": 0.5, "TRI": 5e-4, "TPI": 5e-4} {
		if w, ok := worst[kind]; !ok || w > limit {
			t.Errorf("%s: differs by up to %g in %d cells, expected at most %g", kind, w, cells, limit)
		}
	}
}

// ascii reads an ASCII grid.
func ascii(t *testing.T, name string) [][]float64 {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for line := range bytes.Lines(b) {
		words := strings.Fields(string(line))
		if len(words) < 3 {
			continue // of the head
		}
		var row []float64
		for _, w := range words {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			if v == -9999 {
				v = math.NaN()
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows
}

func BenchmarkSummarise(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	g := raster.New(0, 1000, 1, 5000, 5000)
	for i := range g.Z {
		g.Z[i] = float32(2000 + r.Float64())
	}
	m := inner(g)
	b.SetBytes(int64(4 * len(g.Z)))
	for b.Loop() {
		Summarise(g, m)
	}
}
