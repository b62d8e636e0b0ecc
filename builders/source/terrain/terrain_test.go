package terrain

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/infra/realdata"
	"mappe/shared/geo/crs"
)

const small = `ncols 3
nrows 2
xllcorner 13.0
yllcorner 47.0
cellsize 0.01
NODATA_value -9999
100 200 300
400 500.04 -9999
`

func parse(name, text string) (*Grid, error) {
	return Parse(strings.NewReader(text), int64(len(text)), name, maxCells)
}

func TestHeights(t *testing.T) {
	g, err := parse("a.asc", small)
	if err != nil {
		t.Fatal(err)
	}
	m := Model{g}
	for _, c := range []struct {
		lon, lat, want float64
		ok             bool
	}{
		{13.005, 47.015, 100, true}, // centre of the north-western cell
		{13.005, 47.005, 400, true}, // of the south-western
		{13.01, 47.005, 450, true},  // between it and its neighbour
		{13.01, 47.01, 300, true},   // between four
		{13.02, 47.01, 0, false},    // beside one without a height
		{13.001, 47.01, 0, false},   // west of the first centre
		{13.5, 47.01, 0, false},
	} {
		h, ok := m.At(c.lon+1e-9, min(c.lat+1e-9, 47.015-1e-9)) // within the cells, whatever rounding does
		if ok != c.ok || ok && math.Abs(h-c.want) > 0.1 {
			t.Errorf("%v: got %g, %v", c, h, ok)
		}
	}
	box := m.Box()
	if math.Abs(box[0]-13.005) > 1e-9 || math.Abs(box[1]-47.005) > 1e-9 || math.Abs(box[2]-13.025) > 1e-9 ||
		math.Abs(box[3]-47.015) > 1e-9 {
		t.Errorf("box %v", box)
	}
}

// A grid in the survey office's projection, and a finer one in degrees over a part of it.
func TestSystemsAndPriority(t *testing.T) {
	flat := func(value string, n int) string { return strings.Repeat(strings.Repeat(value+" ", n)+"\n", n) }
	files := fstest.MapFS{
		"terrain/a_EPSG31287.asc": {Data: []byte("NCOLS 11\nNROWS 11\nXLLCENTER 400000\nYLLCENTER 400000\nCELLSIZE 100\n" + flat("700",
			11))},
		"terrain/fine.asc": {Data: []byte("ncols 5\nnrows 5\nxllcenter 13.3340\nyllcenter 47.5\ncellsize 0.0001\n" + flat("800",
			5))},
		"terrain/readme.txt": {Data: []byte("no grid")},
	}
	m, err := Read(files)
	if err != nil || len(m) != 2 || m[0].metres() > 12 || m[1].metres() != 100 {
		t.Fatalf("%v, %v", m, err)
	}
	lon, lat := m[1].System.Inverse(400_500, 400_500)
	if h, ok := m.At(lon, lat); !ok || h != 700 {
		t.Errorf("in the projection: %g, %v", h, ok)
	}
	if h, ok := m.At(13.3342, 47.5002); !ok || h != 800 {
		t.Errorf("in degrees: %g, %v", h, ok)
	}
	if m, err := Read(fstest.MapFS{}); m != nil || err != nil {
		t.Errorf("no folder: %v, %v", m, err)
	}
}

func TestBadGrids(t *testing.T) {
	edit := func(from, to string) string { return strings.Replace(small, from, to, 1) }
	for name, c := range map[string]struct{ file, text, want string }{
		"no grid":        {"a.asc", "PK\x03\x04", "no ASCII grid"},
		"empty":          {"a.asc", "", "ends in its head"},
		"one column":     {"a.asc", edit("ncols 3", "ncols 1"), "ncols is 1"},
		"half a row":     {"a.asc", edit("nrows 2", "nrows 2.5"), "nrows is 2.5"},
		"no cell size":   {"a.asc", edit("cellsize 0.01", "cellsize 0"), "cellsize is 0"},
		"no corner":      {"a.asc", edit("yllcorner 47.0\n", ""), "neither yllcorner"},
		"metres":         {"a.asc", edit("xllcorner 13.0", "xllcorner 4000000"), "its reference system"},
		"unknown system": {"a_epsg9999.asc", small, "EPSG:9999"},
		"too high":       {"a.asc", edit("300", "9000"), "is 9000: want"},
		"text":           {"a.asc", edit("300", "high"), `"high" is no number`},
		"too few":        {"a.asc", edit("-9999\n", "\n") + strings.Repeat(" ", 20), ""},
		"truncated":      {"a.asc", small[:strings.Index(small, "500.04")], "the file ends"},
		"too many":       {"a.asc", small + "1", "more follows"},
		"a head alone":   {"a.asc", "ncols 10000\nnrows 10000\nxllcorner 13\nyllcorner 47\ncellsize 0.00001\n1", "cannot hold"},
		"more than can be": {"a.asc", "ncols 1000000\nnrows 1000000\nxllcorner 13\nyllcorner 47\ncellsize 0.0000001\n1",
			"at most 200000000 cells"},
		"long word": {"a.asc", strings.Repeat("1", 100), "is no number"},
	} {
		_, err := parse(c.file, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A model as a state hands it out: metres in the survey office's projection, and no word of it.
func TestARealModel(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "landscape/avaPfa_1m.asc"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Parse(bytes.NewReader(b), int64(len(b)), "avaPfa_1m.asc", maxCells)
	if err != nil {
		t.Fatal(err)
	}
	if g.System != crs.LambertMGI || g.Cols != 433 || g.Rows != 350 {
		t.Errorf("%v, %d columns, %d rows", g.System, g.Cols, g.Rows)
	}
	lon, lat := g.System.Inverse(167739.5+217, 364076.5+175)
	h, ok := Model{g}.At(lon, lat)
	if !ok || h < 1200 || h > 1400 || lon < 10 || lon > 13 {
		t.Errorf("%g %g: %g m, %v", lon, lat, h, ok)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("ncols 2 nrows 2 xllcenter 0 yllcenter 0 cellsize 1 1 2 3 nan"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := Parse(strings.NewReader(string(b)), int64(len(b)), "a.asc", 1<<16)
		if err != nil {
			return
		}
		m := Model{g}
		box := m.Box()
		if h, ok := m.At((box[0]+box[2])/2, (box[1]+box[3])/2); ok && !(h >= lowest && h <= 6053) {
			t.Errorf("height %g", h)
		}
	})
}
