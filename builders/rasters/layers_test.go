package rasters

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	"mappe/builders/stage"
	"mappe/infra/oracles"
	"mappe/localdev/demo/scene"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// numbers are the samples of a tile as the store has it.
func numbers[T raster.Sample](t *testing.T, c *stage.Country, tile rasters.Tile, image int) *raster.Samples[T] {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), c.Store, tile.Key, 1<<28, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := cog.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := cog.ReadSamples[T](f, bytes.NewReader(b), &f.Images[image], f.Images[image].Whole())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// at is the cell of a place in samples.
func at[T raster.Sample](s *raster.Samples[T], x, y float64) []T {
	col, row := int((x-s.West)/s.Step), int((s.North-y)/s.Step)
	return s.Row(row)[col*s.Bands:][:s.Bands]
}

// All layers of a scene become tiles with the scene's values, declared as they are; a second build makes nothing anew.
func TestLayersOfAScene(t *testing.T) {
	s, err := scene.New(scene.Default(21, 1))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := (&scene.Writer{Dir: dir, Pixels: 1}).Write(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	c := country()
	x := made(t, dir, c)
	for layer, dates := range map[string]int{rasters.DTM: 3, rasters.DSM: 3, rasters.Ortho: 4, rasters.NDVI: 3, rasters.SAR: 3,
		rasters.LandCover: 3, rasters.Forest: 1} {
		n := 0
		for i := range x.Layers {
			l := &x.Layers[i]
			if l.Layer.Layer != layer {
				continue
			}
			n++
			known := 0.0
			for _, tile := range l.Tiles {
				known += float64(tile.Known) * l.Step * l.Step / 1e6
			}
			// Clouds, and cells of 30 m that begin outside, leave little out.
			if known < 0.9 || known > 1.08 || l.KnownKm != known || l.Count != len(l.Tiles) {
				t.Errorf("%s of %s: %g km² are known, the index says %g", layer, l.Date, known, l.KnownKm)
			}
		}
		if n != dates {
			t.Errorf("%s: %d dates, expected %d", layer, n, dates)
		}
	}
	b, mid := s.Bounds(), s.Satellite(0, 0, 1)
	cover := x.Find(rasters.LandCover, "2023")
	got := numbers[uint8](t, c, cover.Tiles[0], 0)
	radar := numbers[int16](t, c, x.Find(rasters.SAR, "2023").Tiles[0], 0)
	for i, want := range mid.Prior.Pix {
		px, py := mid.VV.Centre(i%100, i/100)
		if v := at(got, px, py)[0]; v != want {
			t.Fatalf("land cover at %g, %g is %d, expected %d", px, py, v, want)
		}
		for band, g := range []*raster.Grid{mid.VV, mid.VH} {
			if v := float64(at(radar, px, py)[band]) / 100; math.Abs(v-float64(g.Z[i])) > 0.0051 {
				t.Fatalf("radar at %g, %g is %g dB, expected %g", px, py, v, g.Z[i])
			}
		}
	}
	loss := s.ForestLoss()
	forest := x.Find(rasters.Forest, "2024")
	if forest.Bands[0].Missing || !forest.Bands[1].Missing || !forest.Bands[2].Missing || forest.Step != 10 || forest.SourceStep != 30 {
		t.Errorf("%+v", forest.Layer)
	}
	years := numbers[uint8](t, c, *forest.Tiles.At(4550, 2700), 0)
	for py := b.South + 5; py < b.North; py += 10 {
		for px := b.West + 5; px < b.East; px += 10 {
			want := loss.Pix[int((loss.North-py)/30)*loss.Cols+int((px-loss.West)/30)]
			if v := at(years, px, py); v[0] != want || v[1] != 255 || v[2] != 255 {
				t.Fatalf("loss at %g, %g is %v, expected %d", px, py, v, want)
			}
		}
	}
	again := &writes{Store: c.Store}
	made(t, dir, &stage.Country{Store: again, Workers: 2, Live: c.Live})
	if again.n != 1 {
		t.Errorf("%d writes of the same, expected the index", again.n)
	}
}

// photo is a picture of smooth colours in a strip of the survey office, of 0.2 m.
func photo(system crs.System, west, north float64, cols, rows, bands int) *scene.Bytes {
	p := &scene.Bytes{West: west, North: north, Step: 0.2, Cols: cols, Rows: rows, Bands: bands, Pix: make([]uint8,
		cols*rows*bands), EPSG: int(system), NoData: 0}
	for row := range rows {
		for col := range cols {
			x, y := float64(col)*0.2, float64(row)*0.2
			for b := range bands {
				p.Pix[(row*cols+col)*bands+b] = uint8(128 + 60*math.Sin(x/float64(3+b))*math.Cos(y/4) + 40*math.Sin((x+y)/9+float64(b)))
			}
		}
	}
	return p
}

func put(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	name = filepath.Join(dir, "rasters", name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func pictured(t *testing.T, p *scene.Bytes) []byte {
	t.Helper()
	b, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Strips of the three meridians, colours and near infrared each for itself, north up or south up, lie where gdalwarp lays
// them to a tenth of a pixel.
func TestOrthophotosBesideGDAL(t *testing.T) {
	warp := oracles.Program(t, "gdalwarp")
	for _, c := range []struct {
		system        crs.System
		meridian, lon float64
		southUp       bool
	}{{crs.GaussKruegerWest, 10 + 1.0/3, 10.6, false}, {crs.GaussKruegerMid, 13 + 1.0/3, 13.2, true}, {crs.GaussKruegerEast,
		16 + 1.0/3, 15.9, false}} {
		px, py := crs.LAEA.Forward(c.lon, 47.3)
		px, py = math.Round(px/1000)*1000, math.Round(py/1000)*1000 // near the corner of four tiles
		west, north := c.system.Forward(crs.LAEA.Inverse(px-120, py+110))
		dir := t.TempDir()
		rgb := photo(c.system, math.Round(west), math.Round(north), 1200, 1100, 3)
		nir := photo(c.system, math.Round(west)+20, math.Round(north)-10, 1000, 1000, 1)
		rgb.SouthUp, nir.SouthUp = c.southUp, c.southUp
		put(t, dir, "20240625/2023_Mosaik_RGB.tif", pictured(t, rgb))
		put(t, dir, "20240625/2023_Mosaik_NIR.tif", pictured(t, nir))
		ctry := country()
		l := made(t, dir, ctry).Find(rasters.Ortho, "20240625")
		if l == nil || len(l.Tiles) != 4 || l.Step != 0.4 || l.SourceStep != 0.2 || l.Resampling != rasters.BilinearMean {
			t.Fatalf("%d: %+v", c.system, l)
		}
		theirs := map[string][]byte{}
		box := raster.Box{West: px - 60, South: py - 60, East: px + 60, North: py + 60}
		// By the parameters themselves: east of 15.7 degrees GDAL takes those of a neighbouring country.
		from := fmt.Sprintf("+proj=tmerc +lat_0=0 +lon_0=%.12f +k=1 +x_0=0 +y_0=-5000000 +ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232 +units=m", c.meridian)
		for _, name := range []string{"RGB", "NIR"} {
			out := filepath.Join(dir, name+".bin")
			run(t, warp, "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", "-r", "bilinear", "-et", "0", "-s_srs", from, "-t_srs",
				"EPSG:3035", "-tr", "0.2", "0.2", "-te", fmt.Sprint(box.West), fmt.Sprint(box.South),
				fmt.Sprint(box.East), fmt.Sprint(box.North), filepath.Join(dir, "rasters", "20240625", "2023_Mosaik_"+name+".tif"), out)
			b, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			theirs[name] = b
		}
		tiles := make([]*raster.Samples[uint8], len(l.Tiles))
		for i := range tiles {
			tiles[i] = numbers[uint8](t, ctry, l.Tiles[i], 0)
		}
		cell := func(x, y float64) []uint8 {
			for i := range tiles {
				if b := l.Tiles[i].Box(); x > b.West && x < b.East && y > b.South && y < b.North {
					return at(tiles[i], x, y)
				}
			}
			return nil
		}
		const n = 600 // cells of 0.2 m
		bands := map[string][2]int{"RGB": {0, 3}, "NIR": {3, 1}}
		cells, worst, off := 0, 0.0, [2]float64{}
		for name, at := range bands {
			mean := func(row, col, b int) float64 { // of four of theirs
				sum := 0.0
				for k := range 4 {
					sum += float64(theirs[name][((row+k/2)*n+col+k%2)*at[1]+b])
				}
				return sum / 4
			}
			var gg, ge, hh, he float64
			for row := 2; row < n-4; row += 2 {
				for col := 2; col < n-4; col += 2 {
					got := cell(box.West+float64(col)*0.2+0.2, box.North-float64(row)*0.2-0.2)
					for b := range at[1] {
						want := mean(row, col, b)
						e := float64(got[at[0]+b]) - want
						worst = max(worst, math.Abs(e))
						// Where it lies apart: the differences beside the slopes.
						gx, gy := (mean(row, col+2, b)-mean(row, col-2, b))/4, (mean(row+2, col, b)-mean(row-2, col, b))/4
						gg, ge, hh, he = gg+gx*gx, ge+gx*e, hh+gy*gy, he+gy*e
						cells++
					}
				}
			}
			off = [2]float64{max(off[0], math.Abs(ge/gg)), max(off[1], math.Abs(he/hh))} // in pixels of 0.2 m
		}
		if cells < 300_000 || worst > 3 || off[0] > 0.1 || off[1] > 0.1 {
			t.Errorf("%d: %d values, grey values differ by up to %g, they lie %.3f and %.3f pixels apart", c.system, cells, worst,
				off[0], off[1])
		}
		t.Logf("%d: grey values differ by up to %g, they lie %.4f and %.4f pixels apart", c.system, worst, off[0], off[1])
	}
}

// What is not known of a picture is 0 in all bands, whatever says so; black that is known is not.
func TestWhatIsNotKnownOfAPicture(t *testing.T) {
	translate := oracles.Program(t, "gdal_translate")
	p := photo(crs.LAEA, 4_400_000, 2_700_200, 1000, 1000, 3)
	for i := range p.Pix { // the western half is known and dark, the eastern half is not known
		if p.Pix[i] = 0; i%3000 < 1500 && i%3 == 1 {
			p.Pix[i] = 1
		}
	}
	dir := t.TempDir()
	put(t, dir, "in.tif", pictured(t, p))
	in := filepath.Join(dir, "rasters", "in.tif")
	white := *p
	white.Pix, white.NoData = bytes.Clone(p.Pix), 255
	for i := range white.Pix {
		if i%3000 >= 1500 {
			white.Pix[i] = 255
		}
	}
	put(t, dir, "white.tif", pictured(t, &white))
	for name, args := range map[string][]string{
		"black":             {in},
		"white":             {filepath.Join(dir, "rasters", "white.tif")},
		"opacity":           {"-b", "1", "-b", "2", "-b", "3", "-b", "2", "-scale_4", "0", "1", "0", "255", "-colorinterp_4", "alpha", in},
		"a mask beside it":  {"-b", "1", "-b", "2", "-b", "3", "-mask", "2", "-a_nodata", "none", in},
		"colours and infra": {"-b", "1", "-b", "2", "-b", "3", "-b", "2", in},
	} {
		from := t.TempDir()
		out := filepath.Join(from, "rasters", "DOP_20240625.tif")
		if name == "colours and infra" {
			out = filepath.Join(from, "rasters", "20240625_RGBI.tif")
		}
		if err := os.MkdirAll(filepath.Dir(out), 0o700); err != nil {
			t.Fatal(err)
		}
		run(t, translate, append(append([]string{"-q"}, args...), out)...)
		c := country()
		l := made(t, from, c).Find(rasters.Ortho, "20240625")
		if l == nil || len(l.Tiles) != 1 {
			t.Errorf("%s: %+v", name, l)
			continue
		}
		got := numbers[uint8](t, c, l.Tiles[0], 0)
		dark, none := at(got, 4_400_050, 2_700_100), at(got, 4_400_150, 2_700_100)
		want := []uint8{1, 1, 1, 0}
		if name == "colours and infra" {
			want[3] = 1
		}
		if !bytes.Equal(dark, want) || !bytes.Equal(none, make([]uint8, 4)) || l.Tiles[0].Known != 250*500 ||
			l.Bands[3].Missing != (want[3] == 0) {
			t.Errorf("%s: %v where it is known, %v where it is not, %d cells", name, dark, none, l.Tiles[0].Known)
		}
	}
}

// The curve of a year comes back from its months, also where some are covered by clouds; where they do not tell it there is
// none.
func TestCurvesOfAYear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		want := curve{mean: 0.2 + 0.5*r.Float64(), cos: 0.4*r.Float64() - 0.2, sin: 0.4*r.Float64() - 0.2}
		var months [12]float64
		n := 0
		gone := r.IntN(8)
		for m := range months {
			turn := (float64(m) + 0.5) / 12 * 2 * math.Pi
			months[m] = want.mean + want.cos*math.Cos(turn) + want.sin*math.Sin(turn)
			if m%3 == gone%3 && gone > 0 {
				months[m] = math.NaN()
				gone--
				continue
			}
			n++
		}
		got := fit(&months, n)
		if math.Abs(got.mean-want.mean) > 1e-9 || math.Abs(got.cos-want.cos) > 1e-9 || math.Abs(got.sin-want.sin) > 1e-9 ||
			got.residual > 1e-9 {
			t.Fatalf("%d months: %+v, expected %+v", n, got, want)
		}
	}
	months := [12]float64{}
	for m := range months {
		months[m] = math.NaN()
	}
	for m := range 5 { // winter and spring alone
		months[m] = 0.3
	}
	if got := fit(&months, 5); got.mean != 0.3 && math.Abs(got.mean-0.3) > 1e-9 {
		t.Errorf("%+v", got)
	}
	months[4] = math.NaN()
	if got := fit(&months, 4); math.Abs(got.mean-0.3) > 1e-12 || got.cos == got.cos {
		t.Errorf("four months have a curve: %+v", got)
	}
}

// Files of other layers that cannot be used are named with the reason.
func TestFilesOfLayersThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	put8 := func(name string, bands int) {
		put(t, dir, name, pictured(t, photo(crs.LAEA, 4_400_000, 2_700_000, 20, 20, bands)))
	}
	put8("20240625/a_Mosaik_RGB.tif", 1)
	put8("20240625/a_Mosaik_RGBI.tif", 3)
	put8("b_Mosaik_NIR.tif", 1)
	put8("2024/NDVI_04.tif", 1)
	put8("2024/NDVI_13.tif", 1)
	put8("2024/SAR_VV.tif", 1)
	put8("LANDCOVER.tif", 1)
	put8("2024/LANDCOVER.tif", 3)
	write(t, filepath.Join(dir, "rasters", "2024", "lossyear.tif"), slope(4_400_000, 2_700_000, 1, 5, 5))
	write(t, filepath.Join(dir, "rasters", "20240625", "c_Mosaik_RGB.tif"), slope(4_400_000, 2_700_000, 1, 5, 5))
	s, err := Read(os.DirFS(dir), "")
	if err != nil || len(s.Files) != 0 {
		t.Fatalf("%v %+v", err, s.Files)
	}
	all := strings.Join(s.Passed, "\n")
	for name, want := range map[string]string{"a_Mosaik_RGB": "1 bands, 3 are expected", "a_Mosaik_RGBI": "3 bands, 4 are expected",
		"b_Mosaik_NIR": "YYYYMMDD", "NDVI_04": "names no scale", "NDVI_13": "does not say what it holds",
		"SAR_VV": "dB", "rasters/LANDCOVER": "a year", "2024/LANDCOVER": "3 bands", "lossyear": "float32", "c_Mosaik_RGB": "float32"} {
		found := false
		for _, line := range s.Passed {
			found = found || strings.Contains(line, name+".tif is passed over") && strings.Contains(line, want)
		}
		if !found {
			t.Errorf("%s: expected %q in\n%s", name, want, all)
		}
	}
}

// Whom to name stands in the source, or in the catalogue; a file of credits of another form is refused.
func TestCredits(t *testing.T) {
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915.tif": slope(4_390_000, 2_700_000, 1, 50, 50)})
	put(t, dir, "2024/LANDCOVER.tif", pictured(t, photo(crs.LAEA, 4_400_000, 2_700_000, 20, 20, 1)))
	credit := func(layer, dataset string) rasters.Credit { return made(t, dir, country()).Find(layer, dataset).Credit }
	if c := credit(rasters.DTM, "20240915"); c.Attribution != "made up" || c.License != "CC BY 4.0" {
		t.Errorf("%+v", c)
	}
	if c := credit(rasters.LandCover, "2024"); c != rasters.LayerTypeOf(rasters.LandCover).Credit {
		t.Errorf("%+v", c)
	}
	put(t, dir, "credits.json",
		[]byte(`{"landcover":{"attribution":"me","license":"CC0 1.0","license_url":"https://creativecommons.org/publicdomain/zero/1.0/"}}`))
	if c := credit(rasters.LandCover, "2024"); c.Attribution != "me" || c.License != "CC0 1.0" {
		t.Errorf("%+v", c)
	}
	for _, text := range []string{`{"lidar":{}}`, `{"dtm":{"attribution":"me"}}`,
		`{"dtm":{"attribution":"me","license":"x","license_url":"file:x"}}`, `{"dtm":{"by":"me"}}`, `[`} {
		put(t, dir, "credits.json", []byte(text))
		if _, err := Read(os.DirFS(dir), ""); err == nil || !strings.Contains(err.Error(), "rasters/credits.json") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A build takes over what a list of the former form names, and dates that the source does not hold any more.
func TestAListOfTheFormerForm(t *testing.T) {
	dir := folder(t, map[string]*raster.Grid{"DTM_20240915.tif": slope(4_390_000, 2_700_000, 1, 50, 50),
		"DSM_20220915.tif": slope(4_390_000, 2_700_000, 1, 50, 50)})
	c := country()
	x := made(t, dir, c)
	var list bytes.Buffer
	list.WriteString(`{"format":1,"layers":[`)
	for i, l := range x.Layers {
		tile := l.Tiles[0]
		fmt.Fprintf(&list,
			`%s{"layer":%q,"date":%q,"attribution":"made up","step_m":1,"tiles":[{"e":%d,"n":%d,"key":%q,"bytes":%d,"sha256":%q,"known":%d,"inputs":%q}]}`, strings.Repeat(",", min(i, 1)), l.Layer.Layer, l.Date, tile.E, tile.N, tile.Key, tile.Bytes,
			tile.SHA256, tile.Known, tile.Inputs)
	}
	list.WriteString(`]}`)
	o, err := c.Write(t.Context(), rasters.Artefact, "json", list.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "rasters", "DSM_20220915.tif")); err != nil {
		t.Fatal(err)
	}
	counted := &writes{Store: c.Store}
	then := made(t, dir, &stage.Country{Store: counted, Live: manifest.Artefacts{rasters.Artefact: o}})
	if counted.n != 1 {
		t.Errorf("%d writes, expected the index", counted.n)
	}
	for i := range x.Layers {
		if a, b := x.Layers[i].Tiles[0].Key, then.Layers[i].Tiles[0].Key; a != b {
			t.Errorf("%s became %s", a, b)
		}
	}
}
