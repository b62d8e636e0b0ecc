package rasters

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/cog/cogtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	"mappe/builders/stage"
	"mappe/infra/judges"
	"mappe/infra/realdata"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/raster"
)

// slope is a grid of heights to a centimetre.
func slope(west, north, step float64, cols, rows int) *raster.Grid {
	g := raster.New(west, north, step, cols, rows)
	for row := range rows {
		for col := range cols {
			x, y := g.Centre(col, row)
			g.Z[row*cols+col] = float32(math.Round(100*(800+0.02*(x-4_400_000)+0.01*(y-2_700_000)+3*math.Sin(x/40)*math.Cos(y/30))) / 100)
		}
	}
	return g
}

// folder is a source with files of a plane.
func folder(t *testing.T, files map[string]*raster.Grid) string {
	t.Helper()
	dir := t.TempDir()
	for name, g := range files {
		write(t, filepath.Join(dir, "rasters", name), g)
	}
	return dir
}

func write(t *testing.T, name string, g *raster.Grid) {
	t.Helper()
	b, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: 3035})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// made runs the stage.
func made(t *testing.T, dir string, c *stage.Country) *rasters.Index {
	t.Helper()
	s, err := Read(os.DirFS(dir), "made up")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Stages(s)[0].Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Live = manifest.Artefacts{rasters.Artefact: o}
	x, err := served(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// stored is the whole tile as the store has it.
func stored(t *testing.T, c *stage.Country, tile rasters.Tile) *raster.Grid {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), c.Store, tile.Key, 1<<28, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return cogtest.Whole(t, b)
}

// writes counts what is written.
type writes struct {
	store.Store
	n int
}

func (w *writes) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (store.Info, error) {
	w.n++
	return w.Store.Put(ctx, key, body, o)
}

func country() *stage.Country { return &stage.Country{Store: mem.New(), Workers: 2} }

// A file over the corner of four tiles is in all of them, cell by cell; of two files the finest counts; what is no height
// is not there.
func TestTilesOfAFile(t *testing.T) {
	fine := slope(4_399_800, 2_700_150, 1, 400, 300)
	fine.Z[0], fine.Z[1] = -9999, float32(math.NaN())
	coarse := slope(4_399_700, 2_700_200, 10, 60, 40)
	c := country()
	x := made(t, folder(t, map[string]*raster.Grid{"20240915/DTM_fine.tif": fine, "dgm_2024-09-15_coarse.tif": coarse, "DSM_20220915.tiff": fine}), c)
	if len(x.Layers) != 2 || x.Layers[0].Layer != rasters.DSM || x.Layers[1].Date != "2024-09-15" {
		t.Fatalf("layers %+v", x.Layers)
	}
	l := x.Find(rasters.DTM, "20240915")
	if l == nil || len(l.Tiles) != 4 || l.Step != 1 {
		t.Fatalf("%+v", l)
	}
	all := raster.New(4_399_000, 2_701_000, 1, 2000, 2000)
	for _, tile := range l.Tiles {
		if err := all.Paste(stored(t, c, tile)); err != nil {
			t.Fatal(err)
		}
	}
	known := 0
	for row := range all.Rows {
		for col := range all.Cols {
			z := all.Z[row*all.Cols+col]
			if z == z {
				known++
			}
			px, py := all.Centre(col, row)
			want := fine.At(px, py)
			if want == want && want > 0 && z != want {
				t.Fatalf("at %g, %g: %g, expected %g", px, py, z, want)
			}
			if !(want > 0) && z == z { // from the coarse one, between its cells
				if w := coarse.Bilinear(px, py); math.Abs(float64(z-w)) > 0.011 {
					t.Fatalf("at %g, %g: %g, expected %g", px, py, z, w)
				}
			}
		}
	}
	sum := 0
	for _, tile := range l.Tiles {
		sum += tile.Known
	}
	if known != 600*400 || sum != known {
		t.Errorf("%d cells are known, %d by the list, expected %d", known, sum, 600*400)
	}
}

// A tile whose files did not change is taken over unread, one whose files did is made again, a date that the source does
// not hold any more stays.
func TestOnlyWhatChangedIsMadeAgain(t *testing.T) {
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915_a.tif": slope(4_390_000, 2_700_000, 1, 50, 50), "DTM_20240915_b.tif": slope(4_410_000, 2_700_000, 1, 50, 50), "DSM_20240915.tif": slope(4_390_000, 2_700_000, 1, 50, 50)})
	counted := &writes{Store: mem.New()}
	c := &stage.Country{Store: counted, Workers: 2}
	first := made(t, dir, c)
	if got := counted.n; got != 4 {
		t.Fatalf("%d writes, expected three tiles and the list", got)
	}
	counted.n = 0
	again := made(t, dir, c)
	if got := counted.n; got != 1 {
		t.Errorf("%d writes of the same, expected the list", got)
	}
	if a, b := fmt.Sprint(first), fmt.Sprint(again); a != b {
		t.Errorf("%s\nthen %s", a, b)
	}
	write(t, filepath.Join(dir, "rasters", "DTM_20240915_b.tif"), slope(4_410_000, 2_700_001, 1, 50, 50))
	if err := os.Remove(filepath.Join(dir, "rasters", "DSM_20240915.tif")); err != nil {
		t.Fatal(err)
	}
	counted.n = 0
	third := made(t, dir, c)
	if got := counted.n; got > 3 { // the tile that changed, one that it reaches now, the list
		t.Errorf("%d writes after one file changed", got)
	}
	if third.Find(rasters.DSM, "20240915") == nil {
		t.Error("a date is gone with its file")
	}
	a, b := first.Find(rasters.DTM, "20240915").Tiles, third.Find(rasters.DTM, "20240915").Tiles
	if a[0].Key != b[0].Key || a[1].Key == b[len(b)-1].Key {
		t.Errorf("tiles %v, then %v", a, b)
	}
}

func TestFilesThatSayTooLittle(t *testing.T) {
	for name, want := range map[string]string{
		"20240915/heights.tif": "DTM (DGM) is the ground",
		"DTM.tif":              "YYYYMMDD",
		"DTM_20241315.tif":     "YYYYMMDD",
	} {
		dir := folder(t, map[string]*raster.Grid{name: slope(4_390_000, 2_700_000, 1, 5, 5)})
		if _, err := Read(os.DirFS(dir), ""); err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%s: %v, expected %q", name, err, want)
		}
	}
	dir := t.TempDir()
	if s, err := Read(os.DirFS(dir), ""); s != nil || err != nil || Stages(s) != nil {
		t.Errorf("without a folder: %v, %v", s, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "rasters"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rasters", "DTM_20240915.tif"), []byte("<html>404</html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(os.DirFS(dir), ""); err == nil {
		t.Error("a page of HTML is a raster")
	}
}

// A real model of 1 m in the Lambert projection of MGI lies where gdalwarp lays it: the two transform by the same Helmert
// parameters. Heights differ by up to 6 cm on steep ground; TestAPlaneOfAnotherSystem says which of the two is exact.
func TestARealModelBesideGDAL(t *testing.T) {
	translate, warp := judges.Program(t, "gdal_translate"), judges.Program(t, "gdalwarp")
	file := realdata.Path(t, "landscape/avaPfa_1m.asc")
	dir := t.TempDir()
	in := filepath.Join(dir, "rasters", "DGM_2018-06-01.tif")
	if err := os.MkdirAll(filepath.Dir(in), 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, translate, "-q", "-a_srs", "EPSG:31287", "-co", "COMPRESS=LZW", "-co", "PREDICTOR=3", file, in)
	c := country()
	x := made(t, dir, c)
	l := x.Find(rasters.DTM, "20180601")
	if l == nil || len(l.Tiles) == 0 {
		t.Fatalf("%+v", x)
	}
	known, worst := 0, 0.0
	for _, tile := range l.Tiles {
		got := stored(t, c, tile)
		b := raster.Box{West: got.West, South: got.South(), East: got.East(), North: got.North}
		out := filepath.Join(dir, "warped.bin")
		run(t, warp, "-q", "-overwrite", "-of", "ENVI", "-r", "bilinear", "-et", "0", "-s_srs", "EPSG:31287", "-t_srs", "EPSG:3035", "-dstnodata", "-9999", "-tr", "1", "1",
			"-te", fmt.Sprint(b.West), fmt.Sprint(b.South), fmt.Sprint(b.East), fmt.Sprint(b.North), in, out)
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range got.Z {
			w := math.Float32frombits(uint32(raw[4*i]) | uint32(raw[4*i+1])<<8 | uint32(raw[4*i+2])<<16 | uint32(raw[4*i+3])<<24)
			// At the border of what is known one takes the nearest cell, the other a mean of those that it has.
			if w == -9999 || !amid(got, i%got.Cols, i/got.Cols) {
				continue
			}
			known++
			worst = max(worst, math.Abs(float64(z-w)))
		}
	}
	if known < 90_000 || worst > 0.07 {
		t.Errorf("%d cells are known to both, heights differ by up to %g m", known, worst)
	}
}

// amid says whether a cell and those around it are known.
func amid(g *raster.Grid, col, row int) bool {
	for r := row - 2; r <= row+2; r++ {
		for c := col - 2; c <= col+2; c++ {
			if r < 0 || c < 0 || r >= g.Rows || c >= g.Cols || g.Z[r*g.Cols+c] != g.Z[r*g.Cols+c] {
				return false
			}
		}
	}
	return true
}

func run(t *testing.T, program string, args ...string) {
	t.Helper()
	if b, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", program, args, err, b)
	}
}
