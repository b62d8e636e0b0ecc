package rasters

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/cog/cogtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	"mappe/builders/stage"
	"mappe/infra/oracles"
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
func made(t *testing.T, dir string, c *stage.Country) *index {
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
	return &index{x}
}

// index are the layers that are served, with their tiles.
type index struct{ Layers []rasters.Listed }

// Find is a layer of a date; nil if the index does not list it.
func (x *index) Find(layer, dataset string) *rasters.Listed {
	for i := range x.Layers {
		if l := &x.Layers[i]; l.Layer.Layer == layer && l.Dataset() == dataset {
			return l
		}
	}
	return nil
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

func (w *writes) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, o store.PutOptions) (store.Info, error) {
	w.n++
	return w.Store.PutFrom(ctx, key, r, size, o)
}

func country() *stage.Country { return &stage.Country{Store: mem.New(), Workers: 2} }

// A file over the corner of four tiles is in all of them, cell by cell; of two files the finest counts; what is no height
// is not there.
func TestTilesOfAFile(t *testing.T) {
	fine := slope(4_399_800, 2_700_150, 1, 400, 300)
	fine.Z[0], fine.Z[1] = -9999, float32(math.NaN())
	coarse := slope(4_399_700, 2_700_200, 10, 60, 40)
	c := country()
	x := made(t, folder(t, map[string]*raster.Grid{"20240915/DTM_fine.tif": fine, "dgm_2024-09-15_coarse.tif": coarse,
		"DSM_20220915.tiff": fine}), c)
	if len(x.Layers) != 2 || x.Layers[0].Layer.Layer != rasters.DSM || x.Layers[1].Date != "2024-09-15" {
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
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915_a.tif": slope(4_390_000, 2_700_000, 1, 50, 50),
		"DTM_20240915_b.tif": slope(4_410_000, 2_700_000, 1, 50, 50), "DSM_20240915.tif": slope(4_390_000, 2_700_000, 1, 50, 50)})
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

// A file that cannot be used is named and passed over: the build goes on with the others.
func TestFilesThatCannotBeUsed(t *testing.T) {
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915.tif": slope(4_390_000, 2_700_000, 1, 600, 600)})
	at := func(name string) string { return filepath.Join(dir, "rasters", name) }
	good, err := os.ReadFile(at("DTM_20240915.tif"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, b []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("20240915/heights.tif", good)
	put("DTM.tif", good)
	put("DTM_20241315.tif", good)
	put("DTM_20240916_half.tif", good[:len(good)/2])
	put("DTM_20240916_page.tif", []byte("<html>404</html>"))
	put("hillshade_DTM_20240916.tif", good)
	translate := oracles.Program(t, "gdal_translate")
	run(t, translate, "-q", "-ot", "Byte", "-scale", at("DTM_20240915.tif"), at("DTM_20240916_grey.tif"))
	run(t, translate, "-q", "-b", "1", "-b", "1", "-b", "1", at("DTM_20240915.tif"), at("DTM_20240916_three.tif"))
	run(t, translate, "-q", "-a_srs", "EPSG:2154", at("DTM_20240915.tif"), at("DTM_20240916_france.tif"))
	run(t, translate, "-q", "-co", "COMPRESS=LZMA", at("DTM_20240915.tif"), at("DTM_20240916_lzma.tif"))
	run(t, translate, "-q", "-of", "VRT", at("DTM_20240915.tif"), at("feet.vrt"))
	vrt, err := os.ReadFile(at("feet.vrt"))
	if err != nil {
		t.Fatal(err)
	}
	put("feet.vrt", regexp.MustCompile(`<UnitType>m</UnitType>`).ReplaceAll(vrt, []byte("<UnitType>ft</UnitType>")))
	if !bytes.Contains(vrt, []byte("<UnitType>m<")) {
		put("feet.vrt", regexp.MustCompile(`<VRTRasterBand[^>]*>`).ReplaceAll(vrt, []byte("$0<UnitType>ft</UnitType>")))
	}
	run(t, translate, "-q", at("feet.vrt"), at("DTM_20240916_feet.tif"))
	s, err := Read(os.DirFS(dir), "")
	if err != nil || len(s.Files) != 1 || s.Files[0].Name != "rasters/DTM_20240915.tif" {
		t.Fatalf("%v %+v", err, s)
	}
	all := strings.Join(s.Passed, "\n")
	for name, want := range map[string]string{
		"20240915/heights.tif": "DTM (DGM) is the ground", "DTM.tif": "YYYYMMDD", "DTM_20241315.tif": "YYYYMMDD",
		"DTM_20240916_half.tif": "ends early",
		"DTM_20240916_page.tif": "II or MM", "hillshade_DTM_20240916.tif": "hillshade", "DTM_20240916_grey.tif": "0 to 255",
		"DTM_20240916_three.tif":  "3 bands",
		"DTM_20240916_france.tif": `"EPSG:2154" is not known`, "DTM_20240916_lzma.tif": "LZMA", "DTM_20240916_feet.tif": `"ft"`,
	} {
		if !regexp.MustCompile(`(?m)^rasters/` + regexp.QuoteMeta(name) + ` is passed over: .*` + regexp.QuoteMeta(want)).MatchString(all) {
			t.Errorf("%s: expected %q in\n%s", name, want, all)
		}
	}
	if len(s.Passed) != 11 {
		t.Errorf("%d are passed over:\n%s", len(s.Passed), all)
	}
	none := t.TempDir()
	if s, err := Read(os.DirFS(none), ""); s != nil || err != nil || Stages(s) != nil {
		t.Errorf("without a folder: %v, %v", s, err)
	}
}

// A file whose blocks are damaged is found while its tiles are made: they are made without it, and it is named.
func TestAFileThatIsDamagedInside(t *testing.T) {
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915_a.tif": slope(4_390_000, 2_700_000, 1, 600, 600),
		"DTM_20240915_b.tif": slope(4_390_600, 2_700_000, 1, 600, 600)})
	name := filepath.Join(dir, "rasters", "DTM_20240915_b.tif")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 2; i < len(b); i += 50 {
		b[i] ^= 0x55
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Read(os.DirFS(dir), "made up")
	if err != nil || len(s.Files) != 2 {
		t.Fatalf("%v %+v", err, s)
	}
	var told []string
	s.Warn = func(line string) { told = append(told, line) }
	c := country()
	o, err := Stages(s)[0].Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Live = manifest.Artefacts{rasters.Artefact: o}
	x, err := served(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, tile := range (&index{x}).Find(rasters.DTM, "20240915").Tiles {
		known += tile.Known
	}
	if known != 600*600 || len(told) != 1 || !strings.Contains(told[0], "DTM_20240915_b.tif") {
		t.Errorf("%d cells, %v", known, told)
	}
}

// Models in UTM and in degrees of ETRS89 lie where gdalwarp lays them; one that ends at a whole metre makes no cell more;
// masks are honoured, beside the file too.
func TestSystemsAndMasksOfStrangers(t *testing.T) {
	warp, translate := oracles.Program(t, "gdalwarp"), oracles.Program(t, "gdal_translate")
	model := slope(4_390_100, 2_700_400, 1, 300, 200)
	source := folder(t, map[string]*raster.Grid{"in.tif": model})
	in := filepath.Join(source, "rasters", "in.tif")
	for name, c := range map[string]struct {
		program string
		args    []string
		cells   int
	}{
		"whole metres": {translate, nil, 300 * 200},
		"UTM 32":       {warp, []string{"-t_srs", "EPSG:25832", "-r", "bilinear", "-tr", "1", "1"}, 0},
		"UTM 33":       {warp, []string{"-t_srs", "EPSG:32633", "-r", "bilinear", "-tr", "1", "1"}, 0},
		"ETRS89":       {warp, []string{"-t_srs", "EPSG:4258", "-r", "bilinear"}, 0},
		"opacity":      {warp, []string{"-te", "4390000", "2700100", "4390500", "2700500", "-dstalpha"}, 300 * 200},
	} {
		dir := t.TempDir()
		out := filepath.Join(dir, "rasters", "DTM_20240915.tif")
		if err := os.MkdirAll(filepath.Dir(out), 0o700); err != nil {
			t.Fatal(err)
		}
		run(t, c.program, append(append([]string{"-q"}, c.args...), in, out)...)
		ctry := country()
		x := made(t, dir, ctry)
		l := x.Find(rasters.DTM, "20240915")
		if l == nil || len(l.Tiles) != 1 {
			t.Errorf("%s: %+v", name, l)
			continue
		}
		got := stored(t, ctry, l.Tiles[0])
		if c.cells > 0 && l.Tiles[0].Known != c.cells {
			t.Errorf("%s: %d cells are known, expected %d", name, l.Tiles[0].Known, c.cells)
		}
		if name == "whole metres" && (got.Cols != 300 || got.Rows != 200) {
			t.Errorf("%d x %d cells", got.Cols, got.Rows)
		}
		n, worst := 0, 0.0
		for row := 3; row < got.Rows-3; row++ {
			for col := 3; col < got.Cols-3; col++ {
				px, py := got.Centre(col, row)
				z, want := got.Z[row*got.Cols+col], model.At(px, py)
				if amid(got, col, row) && want == want {
					n++
					worst = max(worst, math.Abs(float64(z-want)))
				}
			}
		}
		if n < 50_000 || worst > 0.08 {
			t.Errorf("%s: %d cells, heights differ by up to %g m", name, n, worst)
		}
	}
}

// A real model of 1 m in the Lambert projection of MGI lies where gdalwarp lays it: the two transform by the same Helmert
// parameters. Heights differ by up to 6 cm on steep ground; TestAPlaneOfAnotherSystem says which of the two is exact.
func TestARealModelBesideGDAL(t *testing.T) {
	translate, warp := oracles.Program(t, "gdal_translate"), oracles.Program(t, "gdalwarp")
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
		run(t, warp, "-q", "-overwrite", "-of", "ENVI", "-r", "bilinear", "-et", "0", "-s_srs", "EPSG:31287", "-t_srs", "EPSG:3035",
			"-dstnodata", "-9999", "-tr", "1", "1",
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

// failing is a source whose files break off while they are read.
type failing struct {
	fs.FS
	left int // opens that are well
}

func (f *failing) Open(name string) (fs.File, error) {
	in, err := f.FS.Open(name)
	if err == nil && filepath.Ext(name) == ".tif" {
		if f.left--; f.left < 0 {
			return broken{in}, nil
		}
	}
	return in, err
}

type broken struct{ fs.File }

var errDisk = errors.New("the disk is on fire")

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errDisk }

// A disk or a store that fails ends the build: its tiles are not made without a file of which nothing is known.
func TestADiskThatFails(t *testing.T) {
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915.tif": slope(4_390_000, 2_700_000, 1, 600, 600)})
	s, err := Read(&failing{os.DirFS(dir), 2}, "made up") // its head and its sum
	if err != nil || len(s.Files) != 1 {
		t.Fatalf("%v %+v", err, s)
	}
	s.Warn = func(line string) { t.Errorf("told: %s", line) }
	if o, err := Stages(s)[0].Make(t.Context(), country()); !errors.Is(err, errDisk) {
		t.Errorf("%+v, %v", o, err)
	}
}
