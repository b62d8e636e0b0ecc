package relief

import (
	"bytes"
	"fmt"
	"image/png"
	"io/fs"
	"maps"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/cog"
	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/artefacts/rasters"
	scanned "mappe/builders/rasters"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// The scan of the tests lies over the border of two tiles of 5 km, as wide as a tile so that its files have the overview of 16 m.
const (
	scanWest, scanNorth = 4_400_000, 2_700_500
	scanCols, scanRows  = 6200, 400
)

// hill is the height of the tests' ground.
func hill(x, y float64) float64 {
	return 800 + 0.05*(x-scanWest) + 0.08*(scanNorth-y) + 20*math.Sin(x/300)
}

// scan is a file of heights that are so much above the ground.
func scan(t testing.TB, above float64, cols int) []byte {
	t.Helper()
	g := raster.New(scanWest, scanNorth, 1, cols, scanRows)
	for i := range g.Z {
		g.Z[i] = float32(hill(g.Centre(i%cols, i/cols)) + above)
	}
	b, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: 3035})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// gridOver is a grid of one height over places of the plane of the scans, between two of its eastings.
func gridOver(west, east float64, step float64, height string) string {
	lon0, lat0 := crs.LAEA.Inverse(west, scanNorth-900)
	lon1, lat1 := crs.LAEA.Inverse(east, scanNorth+500)
	cols, rows := int((lon1-lon0)/step), int((lat1-lat0)/step)
	return fmt.Sprintf("ncols %d\nnrows %d\nxllcenter %.7f\nyllcenter %.7f\ncellsize %g\n", cols, rows, lon0, lat0, step) +
		strings.Repeat(strings.Repeat(height+" ", cols)+"\n", rows)
}

// made runs the stages of the rasters and of the relief.
func made(t testing.TB, files fs.FS, c *stage.Country) (relief manifest.Object, recipe string, warned []string) {
	t.Helper()
	grids, err := Read(files, "© grids")
	if err != nil {
		t.Fatal(err)
	}
	from, err := scanned.Read(files, "© scans")
	if err != nil {
		t.Fatal(err)
	}
	if from != nil {
		from.Warn = func(line string) { warned = append(warned, line) }
	}
	c.Made = manifest.Artefacts{}
	for _, s := range append(scanned.Stages(from), Stages(grids, from)...) {
		o, err := s.Make(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		c.Made[s.Artefact], recipe = o, s.Recipe
	}
	c.Live = maps.Clone(c.Made)
	return c.Made[Artefact], recipe, warned
}

// drawn reads heights out of an archive.
type drawn struct {
	t testing.TB
	a *pmt.Archive
}

func open(t testing.TB, c *stage.Country, o manifest.Object) *drawn {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), c.Store, o.Key, 1<<28, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return &drawn{t, a}
}

// pixels calls each with the pixels of the highest zoom whose middle lies in a box of the plane of the scans.
func (d *drawn) pixels(b raster.Box, each func(x, y, height float64)) {
	d.t.Helper()
	lon, lat := crs.LAEA.Inverse(b.West, b.North)
	x0, y0 := tileAt(lon, lat, maxZoom)
	lon, lat = crs.LAEA.Inverse(b.East, b.South)
	x1, y1 := tileAt(lon, lat, maxZoom)
	n := 0
	for ty := y0; ty <= y1; ty++ {
		for tx := x0; tx <= x1; tx++ {
			id := pmt.ZXY{Z: maxZoom, X: tx, Y: ty}
			body, err := d.a.Tile(id)
			if err != nil {
				d.t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(body))
			if err != nil {
				d.t.Fatal(err)
			}
			for at := range side * side {
				x, y := crs.LAEA.Forward(place(id, at%side, at/side))
				if x < b.West || x > b.East || y < b.South || y > b.North {
					continue
				}
				r, g, b, _ := img.At(at%side, at/side).RGBA()
				each(x, y, float64(r>>8)*256+float64(g>>8)+float64(b>>8)/256-32768)
				n++
			}
		}
	}
	if n < 100 {
		d.t.Fatalf("%d pixels in %+v", n, b)
	}
}

// middle is the scan without its border.
var middle = raster.Box{West: scanWest + 30, South: scanNorth - scanRows + 30, East: scanWest + scanCols - 30, North: scanNorth - 30}

// Without a grid the relief is that of the scan, over the border of its tiles too.
func TestTheReliefOfAScan(t *testing.T) {
	c := &stage.Country{Store: mem.New(), Workers: 2}
	o, _, warned := made(t, fstest.MapFS{"rasters/DTM_20240915.tif": {Data: scan(t, 0, scanCols)}}, c)
	if o.Key == "" || len(warned) > 0 {
		t.Fatalf("%+v, %v", o, warned)
	}
	d := open(t, c, o)
	d.pixels(middle, func(x, y, got float64) {
		if want := hill(x, y); math.Abs(got-want) > 1 {
			t.Fatalf("at %.0f, %.0f: %g m, expected %g", x, y, got, want)
		}
	})
	b, err := d.a.Metadata()
	if err != nil || !strings.Contains(string(b), `"attribution":"© scans"`) {
		t.Errorf("metadata %s, %v", b, err)
	}
	if h := d.a.Header; h.MaxZoom != maxZoom {
		t.Errorf("%+v", h)
	}
}

// A grid that is finer than the overviews counts before the scan, a coarser one after it; each place has the height of its own.
func TestGridsAndScans(t *testing.T) {
	for name, g := range map[string]struct {
		step   float64 // degrees
		before bool
	}{"a grid of 10 m": {0.00009, true}, "a grid of 30 m": {0.00027, false}} {
		c := &stage.Country{Store: mem.New(), Workers: 2}
		o, _, _ := made(t, fstest.MapFS{"rasters/DTM_20240915.tif": {Data: scan(t, 0, scanCols)},
			"terrain/dgm.asc": {Data: []byte(gridOver(scanWest-1500, scanWest+3000, g.step, "2500"))}}, c)
		d := open(t, c, o)
		over := middle
		over.East = scanWest + 2800
		d.pixels(over, func(x, y, got float64) {
			want := hill(x, y)
			if g.before {
				want = 2500
			}
			if math.Abs(got-want) > 1 {
				t.Fatalf("%s, under it at %.0f, %.0f: %g m, expected %g", name, x, y, got, want)
			}
		})
		over = middle
		over.West = scanWest + 3200
		d.pixels(over, func(x, y, got float64) {
			if want := hill(x, y); math.Abs(got-want) > 1 {
				t.Fatalf("%s, beside it at %.0f, %.0f: %g m, expected %g", name, x, y, got, want)
			}
		})
		d.pixels(raster.Box{West: scanWest - 1300, South: scanNorth - 300, East: scanWest - 100, North: scanNorth},
			func(x, y, got float64) {
				if math.Abs(got-2500) > 1 {
					t.Fatalf("%s, west of the scan at %.0f, %.0f: %g m", name, x, y, got)
				}
			})
		b, err := d.a.Metadata()
		if err != nil || !strings.Contains(string(b), `"attribution":"© grids, © scans"`) {
			t.Errorf("metadata %s, %v", b, err)
		}
	}
}

// The relief is made anew when a scan joins, and then of the newest one where it reaches; else the served one is taken over.
func TestANewScanMakesTheReliefAnew(t *testing.T) {
	c := &stage.Country{Store: mem.New(), Workers: 2}
	files := fstest.MapFS{"rasters/DTM_20220915.tif": {Data: scan(t, 0, scanCols)}}
	first, recipe, _ := made(t, files, c)
	written := c.Live
	again, same, _ := made(t, files, c)
	if again != first || same != recipe {
		t.Errorf("%+v by %q, then %+v by %q", first, recipe, again, same)
	}
	files["rasters/DTM_20240915.tif"] = &fstest.MapFile{Data: scan(t, 10, 5100)}
	newer, other, _ := made(t, files, c)
	if newer == first || other == recipe {
		t.Fatalf("%+v by %q", newer, other)
	}
	d := open(t, c, newer)
	for _, part := range []struct{ west, east, above float64 }{{0, 5000, 10}, {5150, scanCols, 0}} {
		box := middle
		box.West, box.East = scanWest+part.west+30, scanWest+part.east-30
		d.pixels(box, func(x, y, got float64) {
			if want := hill(x, y) + part.above; math.Abs(got-want) > 1 {
				t.Fatalf("at %.0f, %.0f: %g m, expected %g", x, y, got, want)
			}
		})
	}
	// A source that holds the scans no more, and has a grid: those that are served stay.
	c.Live = written
	kept, _, _ := made(t, fstest.MapFS{"terrain/dgm.asc": {Data: []byte(gridOver(scanWest-3000, scanWest-1000, 0.0003, "2500"))}}, c)
	open(t, c, kept).pixels(middle, func(x, y, got float64) {
		if want := hill(x, y); math.Abs(got-want) > 1 {
			t.Fatalf("at %.0f, %.0f: %g m, expected %g", x, y, got, want)
		}
	})
}

// Tiles that are gone are named; the relief without them is made anew by the next build.
func TestATileThatIsGone(t *testing.T) {
	c := &stage.Country{Store: mem.New(), Workers: 2}
	files := fstest.MapFS{"rasters/DTM_20220915.tif": {Data: scan(t, 0, scanCols)}, "rasters/DSM_20220915.tif": {Data: scan(t, 0, 600)}}
	whole, _, _ := made(t, files, c)
	index, err := scanned.ReadIndex(t.Context(), c.Store, c.Live[rasters.Artefact])
	if err != nil {
		t.Fatal(err)
	}
	var tile string
	for _, l := range index {
		if l.Layer.Layer == rasters.DTM {
			tile = l.Tiles[0].Key
		}
	}
	body, _, err := store.ReadAll(t.Context(), c.Store, tile, 1<<28, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Store.Delete(t.Context(), tile); err != nil {
		t.Fatal(err)
	}
	delete(files, "rasters/DTM_20220915.tif") // its date stays served
	delete(c.Live, Artefact)
	o, _, warned := made(t, files, c)
	if len(warned) != 1 || !strings.Contains(warned[0], tile) || o.Key == "" || o == whole {
		t.Errorf("%v, %+v", warned, o)
	}
	if _, err := c.Store.Put(t.Context(), tile, body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if o, _, warned = made(t, files, c); o != whole || len(warned) > 0 {
		t.Errorf("%+v, expected %+v, %v", o, whole, warned)
	}
}

// Rasters without a terrain model make no relief, and change nothing of that of a grid.
func TestRastersWithoutHeights(t *testing.T) {
	c := &stage.Country{Store: mem.New(), Workers: 2}
	files := fstest.MapFS{"rasters/DSM_20220915.tif": {Data: scan(t, 0, 600)}}
	if o, _, _ := made(t, files, c); o.Key != "" {
		t.Errorf("%+v", o)
	}
	files["terrain/dgm.asc"] = &fstest.MapFile{Data: []byte(slope(60))}
	with, _, _ := made(t, files, c)
	alone, _, _ := made(t, fstest.MapFS{"terrain/dgm.asc": files["terrain/dgm.asc"]}, &stage.Country{Store: mem.New(), Workers: 1})
	if with != alone {
		t.Errorf("%+v, expected %+v", with, alone)
	}
}
