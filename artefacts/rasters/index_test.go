package rasters

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/shared/geo/raster"
)

// tile is a tile of a layer with made-up contents.
func tile(l *Layer, e, n int) Tile {
	t := Tile{E: e, N: n, Km: l.TileKm, Known: 1 + (e+n)%900, Inputs: fmt.Sprintf("%016x", e*7919+n)}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d", l.Layer, l.Date, e, n))
	t.SHA256, t.Bytes = hex.EncodeToString(sum[:]), 1000+int64(sum[0])
	t.Key = keys.Raster{Layer: l.Layer, Date: l.Date, E: e, N: n, Sum: t.SHA256[:16]}.String()
	if sum[1] < 20 {
		t.Cover = make([]byte, coverBytes(t.Km))
		t.Cover[int(sum[2])%len(t.Cover)] = 0x80
	}
	return t
}

// country is all kinds at two dates in a box.
func country(b raster.Box) (out []Listed) {
	for _, k := range AllLayerTypes() {
		for _, date := range []string{"2022-01-01", "2024-01-01"} {
			l := Listed{Layer: k.New(date, k.Credit)}
			for _, at := range Cover(b, k.TileKm) {
				l.Tiles = append(l.Tiles, tile(&l.Layer, at[0], at[1]))
			}
			out = append(out, l)
		}
	}
	return out
}

func encoded(t *testing.T, layers []Listed) []byte {
	t.Helper()
	b, err := Encode(layers)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What is written is read, square by square; the same layers in another order give the same bytes.
func TestIndexRoundTrip(t *testing.T) {
	layers := country(raster.Box{West: 4_395_000, South: 2_690_000, East: 4_421_000, North: 2_712_500})
	b := encoded(t, layers)
	got, err := All(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(layers) {
		t.Fatalf("%d layers, expected %d", len(got), len(layers))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], layers[i]) {
			t.Errorf("layer %s of %s is read otherwise than written", got[i].Layer.Layer, got[i].Date)
		}
	}
	slices.Reverse(layers)
	for i := range layers {
		slices.Reverse(layers[i].Tiles)
	}
	if again := encoded(t, layers); !bytes.Equal(b, again) {
		t.Error("another order gives other bytes")
	}
	x, d, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || d.Len() != 4*3 || x.Find(DTM, "20240101") == nil || x.Find(NDVI, "2024") == nil || x.Find(NDVI, "20240101") != nil {
		t.Errorf("%d squares, %v", d.Len(), err)
	}
	none, err := Each(bytes.NewReader(encoded(t, nil)), int64(len(encoded(t, nil))), func(*Index,
		*Square) error {
		t.Error("a square of nothing")
		return nil
	})
	if err != nil || len(none.Layers) != 0 {
		t.Errorf("an empty index: %v", err)
	}
}

// Each layer says what its numbers are; tiles and bytes of the country are counted.
func TestHeadDeclares(t *testing.T) {
	layers := country(raster.Box{West: 4_400_000, South: 2_700_000, East: 4_410_000, North: 2_710_000})
	head, err := Head(layers)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ParseHead(head)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Layers {
		l := &x.Layers[i]
		k := LayerTypeOf(l.Layer)
		if l.Form != k.Form || l.Step != k.Step || l.Resampling == "" || l.License == "" || len(l.Bands) != len(k.Bands) ||
			(l.NoData == nil) != (l.Form == "float32") {
			t.Errorf("%+v", l)
		}
		if want := 100 / l.TileKm / l.TileKm; l.Count != want || l.Bytes < int64(want)*1000 || l.KnownKm <= 0 {
			t.Errorf("%s: %d tiles, %d bytes, %g km²", l.Layer, l.Count, l.Bytes, l.KnownKm)
		}
	}
	for name, change := range map[string]func(*Index){
		"an unknown form":         func(x *Index) { x.Layers[0].Form = "int7" },
		"tiles of 3 km":           func(x *Index) { x.Layers[0].TileKm = 3 },
		"cells of 0.3 m":          func(x *Index) { x.Layers[0].Step = 0.3 },
		"no bands":                func(x *Index) { x.Layers[0].Bands = nil },
		"an invalid date":         func(x *Index) { x.Layers[0].Date = "2024-02-30" },
		"an unknown precision":    func(x *Index) { x.Layers[0].Precision = "hour" },
		"layers out of order":     func(x *Index) { slices.Reverse(x.Layers) },
		"another format":          func(x *Index) { x.Format = 3 },
		"a nodata of float32":     func(x *Index) { x.Find(DTM, "20240101").NoData = new(float64) },
		"bytes without a nodata":  func(x *Index) { x.Find(LandCover, "2024").NoData = nil },
		"the same layer twice":    func(x *Index) { x.Layers[1] = x.Layers[0] },
		"cells larger than a km²": func(x *Index) { x.Layers[0].Step = 2000 },
	} {
		var y Index
		if err := json.Unmarshal(head, &y); err != nil {
			t.Fatal(err)
		}
		change(&y)
		b, err := json.Marshal(y)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseHead(b); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// A box touches the squares that its tiles stand in, and no other.
func TestSquaresOfABox(t *testing.T) {
	for _, c := range []struct {
		b    raster.Box
		want string
	}{
		{raster.Box{West: 4_401_000, South: 2_701_000, East: 4_409_000, North: 2_709_000}, "N270E440"},
		{raster.Box{West: 4_400_000, South: 2_700_000, East: 4_410_000, North: 2_710_000}, "N270E440"},
		{raster.Box{West: 4_399_999, South: 2_709_999, East: 4_400_001, North: 2_710_001}, "N270E439 N270E440 N271E439 N271E440"},
		{raster.Box{West: -5000, South: 5000, East: 5000, North: 6000}, "N000E000"},
		{raster.Box{West: 9_999_000, South: 5000, East: 10_001_000, North: 6000}, "N000E999"},
	} {
		if got := strings.Join(Squares(c.b), " "); got != c.want {
			t.Errorf("%v: %s, expected %s", c.b, got, c.want)
		}
	}
	if got := Cover(raster.Box{West: -1, South: 0, East: 1, North: 1}, 5); len(got) != 2 || got[0] != [2]int{-5, 0} {
		t.Errorf("beyond the origin: %v", got)
	}
}

// Sections of an index are held to the head.
func TestSquaresThatAreNone(t *testing.T) {
	layers := country(raster.Box{West: 4_400_000, South: 2_700_000, East: 4_410_000, North: 2_710_000})
	head, err := Head(layers)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ParseHead(head)
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	for i := range layers {
		for _, tile := range layers[i].Tiles {
			all = append(all, row{i, tile})
		}
	}
	body, err := encodeSquare("N270E440", all)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSquare(x, "N270E440", body)
	if err != nil || len(s.Of(x.Find(Ortho, "20240101"))) != 100 || s.Memory() < 1000 {
		t.Fatalf("%v", err)
	}
	dtm := slices.IndexFunc(all, func(r row) bool { return layers[r.layer].Layer.Layer == DTM })
	for name, c := range map[string]struct {
		square string
		change func(rows []row) []row
	}{
		"another name":           {"N27E440", func(r []row) []row { return r }},
		"a layer that is not":    {"N270E440", func(r []row) []row { r[0].layer = 99; return r }},
		"a tile twice":           {"N270E440", func(r []row) []row { return append(r[:1], r...) }},
		"another order":          {"N270E440", func(r []row) []row { slices.Reverse(r); return r }},
		"a corner off the grid":  {"N270E440", func(r []row) []row { r[dtm].E++; return r }},
		"a cover that is short":  {"N270E440", func(r []row) []row { r[0].Cover = []byte{1}; return r }},
		"an empty file":          {"N270E440", func(r []row) []row { r[0].Bytes = 0; return r }},
		"as it is, for contrast": {"", nil},
	} {
		if c.change == nil {
			continue
		}
		body, err := encodeSquare(c.square, c.change(slices.Clone(all)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseSquare(x, c.square, body); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// A list of the former form is read as it was; its frozen file opens for ever.
func TestListsOfFormat1(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "frozen", "list-1.json"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseList(b)
	if err != nil || len(got) != 2 || got[0].Layer.Layer != DSM || got[1].Layer.Layer != DTM || len(got[1].Tiles) != 2 ||
		got[1].Attribution != "made up" {
		t.Fatalf("%v %+v", err, got)
	}
	if l := got[1].Tiles.At(4400, 2700); l == nil || l.Known != 25 || l.Inputs != "0123456789abcdef" || l.Km != HeightKm {
		t.Errorf("%+v", l)
	}
	for name, change := range map[string][2]string{
		"another format": {`"format":1`, `"format":2`}, "another layer": {`"layer":"dsm"`,
			`"layer":"dxm"`}, "another place": {`"e":4405`, `"e":4410`},
		"no date": {`"date":"2022-09-15"`, `"date":"2022-13-15"`}, "no JSON": {"}]}", "}]"},
	} {
		if _, err := ParseList(bytes.Replace(b, []byte(change[0]), []byte(change[1]), 1)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// The frozen file of format 2 opens for ever.
func TestFrozenIndex(t *testing.T) {
	name := filepath.Join("testdata", "frozen", "index-2.parts")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := All(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(got) != 14 {
		t.Fatalf("%d layers, %v", len(got), err)
	}
	for i := range got { // titles and credits may be others today
		l := &got[i]
		var want Tiles
		for _, at := range Cover(raster.Box{West: 4_400_000, South: 2_700_000, East: 4_405_000, North: 2_705_000}, l.TileKm) {
			want = append(want, tile(&l.Layer, at[0], at[1]))
		}
		if !reflect.DeepEqual(l.Tiles, want) {
			t.Errorf("%s of %s: other tiles than were written", l.Layer.Layer, l.Date)
		}
	}
}

func FuzzSquare(f *testing.F) {
	layers := country(raster.Box{West: 4_400_000, South: 2_700_000, East: 4_405_000, North: 2_705_000})
	head, err := Head(layers)
	if err != nil {
		f.Fatal(err)
	}
	x, err := ParseHead(head)
	if err != nil {
		f.Fatal(err)
	}
	var rows []row
	for i := range layers {
		for _, tile := range layers[i].Tiles {
			rows = append(rows, row{i, tile})
		}
	}
	body, err := encodeSquare("N270E440", rows)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseSquare(x, "N270E440", b)
		if err != nil {
			return
		}
		var again []row
		for i := range x.Layers {
			for _, tile := range s.Of(&x.Layers[i]) {
				again = append(again, row{i, tile})
			}
		}
		body, err := encodeSquare("N270E440", again)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := ParseSquare(x, "N270E440", body); err != nil || !reflect.DeepEqual(other, s) {
			t.Fatalf("written again it is another square: %v", err)
		}
	})
}

func FuzzHead(f *testing.F) {
	head, err := Head(country(raster.Box{West: 4_400_000, South: 2_700_000, East: 4_401_000, North: 2_701_000}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(head)
	f.Fuzz(func(t *testing.T, b []byte) {
		if x, err := ParseHead(b); err == nil {
			for i := range x.Layers {
				if x.Find(x.Layers[i].Layer, x.Layers[i].Dataset()) == nil {
					t.Fatalf("%+v is not found", x.Layers[i])
				}
			}
		}
	})
}

// Covers are bits of squares of 100 m, in tiles of every size.
func TestCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, km := range []int{1, 5, 10} {
		tile := Tile{E: 4400, N: 2700, Km: km, Known: 1}
		g := raster.New(4_400_000, 2_700_000+float64(km)*1000, 20, km*50, km*50)
		if c := CoverOf(tile, g); len(c) != coverBytes(km) || bytes.ContainsFunc(c, func(r rune) bool { return r != 0 }) {
			t.Errorf("%d km: nothing known: %d bytes", km, len(c))
		}
		for range 30 {
			g.Z[r.IntN(len(g.Z))] = 1
		}
		tile.Cover = CoverOf(tile, g)
		for range 200 {
			x, y := 4_400_000+float64(r.IntN(km*10))*100, 2_700_000+float64(r.IntN(km*10))*100
			square := raster.Box{West: x, South: y, East: x + 100, North: y + 100}
			want := false
			for dx := 10.0; dx < 100; dx += 20 {
				for dy := 10.0; dy < 100; dy += 20 {
					z := g.At(x+dx, y+dy)
					want = want || z == z
				}
			}
			if got := tile.Covers(square); got != want {
				t.Fatalf("%d km, %v: %v, expected %v", km, square, got, want)
			}
		}
		for i := range g.Z {
			g.Z[i] = 1
		}
		if c := CoverOf(tile, g); c != nil {
			t.Errorf("%d km: all known: %d bytes", km, len(c))
		}
	}
}

// Scans are chosen among dates of which both models are there in cells of 1 m; the earlier one is chosen as the first is.
func TestScans(t *testing.T) {
	x := &Index{}
	for _, m := range []struct {
		layer, date string
		step        float64
	}{{DTM, "2014-09-15", 1}, {DSM, "2014-09-15", 2}, {DTM, "2016-09-15", 1}, {DSM, "2016-09-15", 1}, {DTM, "2018-09-15", 1},
		{DSM, "2018-09-15", 1}, {DTM, "2020-09-15", 1}, {DTM, "2022-09-15", 1}, {DSM, "2022-09-15", 1}} {
		l := LayerTypeOf(m.layer).New(m.date, Credit{})
		l.Step = m.step
		x.Layers = append(x.Layers, l)
	}
	elsewhere := ""
	newest := func(list []*Layer) (*Layer, error) {
		for _, l := range slices.Backward(list) {
			if l.Dataset() != elsewhere {
				return l, nil
			}
		}
		return nil, nil
	}
	date := func(l *Layer, kind string) string {
		if l == nil {
			return ""
		}
		if l.Layer != kind {
			t.Errorf("a %s, want a %s", l.Layer, kind)
		}
		return l.Dataset()
	}
	for _, c := range []struct{ elsewhere, only, ground, earlier string }{{"", "", "20220915", "20180915"},
		{"20180915", "", "20220915", "20160915"},
		{"20220915", "", "20180915", "20160915"}, {"20160915", "20180915", "20180915", ""}, {"", "20160915", "20160915", ""},
		{"20220915", "20220915", "", ""}} {
		elsewhere = c.elsewhere
		allowed := slices.DeleteFunc(x.Pairs(), func(l *Layer) bool { return c.only != "" && l.Dataset() != c.only })
		s, err := x.Scans(allowed, newest)
		if err != nil || date(s.Ground, DTM) != c.ground || date(s.Top, DSM) != c.ground || date(s.EarlierGround, DTM) != c.earlier ||
			date(s.EarlierTop, DSM) != c.earlier {
			t.Errorf("%+v: %+v %v", c, s, err)
		}
	}
	broken := errors.New("no index")
	for after := range 2 {
		calls := 0
		if _, err := x.Scans(x.Pairs(), func(list []*Layer) (*Layer, error) {
			if calls++; calls > after {
				return nil, broken
			}
			return list[len(list)-1], nil
		}); !errors.Is(err, broken) {
			t.Errorf("after %d: %v", after, err)
		}
	}
}
