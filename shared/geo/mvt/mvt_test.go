package mvt_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	// orb decodes tiles independently of this package, as a judge of its encoder; only tests use it.
	"github.com/paulmach/orb"
	orbmvt "github.com/paulmach/orb/encoding/mvt"
	"pgregory.net/rapid"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

func square(x, y, s int32) []mvt.Point {
	return []mvt.Point{{X: x, Y: y}, {X: x + s, Y: y}, {X: x + s, Y: y + s}, {X: x, Y: y + s}}
}

func reversed(r []mvt.Point) []mvt.Point {
	out := append([]mvt.Point(nil), r...)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// sample holds every geometry type and every value type.
func sample(t testing.TB) mvt.Tile {
	t.Helper()
	b := mvt.NewLayer("gst", 4096)
	// Given with the wrong winding: AppendPolygon turns both rings.
	parts := mvt.AppendPolygon(nil, [][]mvt.Point{reversed(square(-80, 0, 900)), square(100, 100, 50)}, mvt.DropZeroArea)
	parts = mvt.AppendPolygon(parts, [][]mvt.Point{square(2000, 2000, 10)}, mvt.DropZeroArea)
	b.Add(mvt.Feature{ID: 7, HasID: true, Type: mvt.Polygons, Parts: parts},
		mvt.Attr{Key: "kg", Value: mvt.Uint(1004)}, mvt.Attr{Key: "gnr", Value: mvt.String(".17/2")},
		mvt.Attr{Key: "none", Value: mvt.Value{}},
		mvt.Attr{Key: "f", Value: mvt.Float(1.5)}, mvt.Attr{Key: "d", Value: mvt.Double(-2.25)},
		mvt.Attr{Key: "i", Value: mvt.Int(-3)}, mvt.Attr{Key: "s", Value: mvt.Sint(math.MinInt64)},
		mvt.Attr{Key: "b", Value: mvt.Bool(true)})
	b.Add(mvt.Feature{Type: mvt.Lines, Parts: [][]mvt.Point{{{X: 1, Y: 1}, {X: 5, Y: 9}}, {{X: 0, Y: 0}, {X: -3, Y: 3}, {X: 7, Y: 7}}}},
		mvt.Attr{Key: "gnr", Value: mvt.String(".17/2")})
	p := mvt.NewLayer("gnr", 512)
	p.Add(mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{{X: 3, Y: 4}, {X: -5, Y: 600}}}})
	return mvt.Tile{Layers: []mvt.Layer{b.Layer(), p.Layer()}}
}

func encode(t testing.TB, tile mvt.Tile) []byte {
	t.Helper()
	b, err := mvt.Encode(tile)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEncodeDecodeAreInverse(t *testing.T) {
	tile := sample(t)
	b := encode(t, tile)
	got, err := mvt.Decode(b, mvt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if again := encode(t, *got); !bytes.Equal(b, again) {
		t.Errorf("encoding the decoded tile gives other bytes: want %d, got %d", len(b), len(again))
	}
	for i := range tile.Layers {
		for j := range tile.Layers[i].Features {
			want, have := tile.Layers[i].Features[j], got.Layers[i].Features[j]
			if len(want.Tags) == 0 {
				want.Tags = nil
			}
			if !reflect.DeepEqual(want, have) {
				t.Errorf("layer %d feature %d: want %v, got %v", i, j, want, have)
			}
		}
	}
	l := got.Layer("gst")
	if v, _ := l.Value(&l.Features[0], l.Key("kg")); v.Text() != "1004" {
		t.Errorf("kg: want 1004, got %q", v.Text())
	}
	if _, ok := l.Value(&l.Features[0], l.Key("none")); ok {
		t.Error("an attribute without a value must not be encoded")
	}
}

func TestWindingIsAsTheFormatDemands(t *testing.T) {
	parts := sample(t).Layers[0].Features[0].Parts
	want := []int64{2 * 900 * 900, -2 * 50 * 50, 2 * 10 * 10}
	for i, r := range parts {
		if got := mvt.Area2(r); got != want[i] {
			t.Errorf("ring %d: want doubled area %d, got %d", i, want[i], got)
		}
	}
}

func TestZeroAreaRingsAreTheCallersChoice(t *testing.T) {
	flat := [][]mvt.Point{{{X: 1, Y: 1}, {X: 5, Y: 5}, {X: 9, Y: 9}}, square(2, 2, 1)}
	if got := mvt.AppendPolygon(nil, flat, mvt.DropZeroArea); got != nil {
		t.Errorf("a polygon without area must be dropped whole, got %v", got)
	}
	if got := mvt.AppendPolygon(nil, flat[:1], mvt.KeepZeroArea); len(got) != 1 || len(got[0]) != 3 {
		t.Errorf("want the flat ring kept, got %v", got)
	}
	dot := mvt.AppendPolygon(nil, [][]mvt.Point{{{X: 1, Y: 1}, {X: 2, Y: 1}, {X: 1, Y: 1}}}, mvt.KeepZeroArea)
	l := mvt.NewLayer("x", 0)
	l.Add(mvt.Feature{Type: mvt.Polygons, Parts: dot})
	got, err := mvt.Decode(encode(t, mvt.Tile{Layers: []mvt.Layer{l.Layer()}}), mvt.Limits{})
	if err != nil || len(got.Layers[0].Features[0].Parts[0]) != 2 {
		t.Errorf("a ring of two vertices must survive: %v %v", got, err)
	}
}

// orb's decoder is the second judge of the bytes.
func TestSecondDecoderReadsTheSame(t *testing.T) {
	tile := sample(t)
	layers, err := orbmvt.Unmarshal(encode(t, tile))
	if err != nil {
		t.Fatal(err)
	}
	if len(layers) != 2 || layers[0].Version != 2 || layers[1].Extent != 512 || layers[0].Name != "gst" {
		t.Fatalf("layers: %v", layers)
	}
	f := layers[0].Features[0]
	mp, ok := f.Geometry.(orb.MultiPolygon)
	if !ok || len(mp) != 2 || len(mp[0]) != 2 {
		t.Fatalf("want two polygons, the first with a hole, got %T %v", f.Geometry, f.Geometry)
	}
	if mp[0][0][0] != (orb.Point{-80, 900}) {
		t.Errorf("first vertex: want -80 900, got %v", mp[0][0][0])
	}
	for k, want := range map[string]any{"kg": 1004.0, "gnr": ".17/2", "f": 1.5, "d": -2.25, "i": -3.0, "b": true} {
		if got := f.Properties[k]; got != want {
			t.Errorf("%s: want %v, got %v (%T)", k, want, got, got)
		}
	}
}

func TestGzip(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(encode(t, sample(t)))
	w.Close()
	if got, err := mvt.Decode(z.Bytes(), mvt.Limits{}); err != nil || len(got.Layers) != 2 {
		t.Fatalf("gzipped tile: %v", err)
	}
	if _, err := mvt.Decode(z.Bytes()[:z.Len()-9], mvt.Limits{}); err == nil {
		t.Error("a gzip stream cut short must be refused")
	}
	var bomb bytes.Buffer
	w = gzip.NewWriter(&bomb)
	w.Write(make([]byte, 1<<20))
	w.Close()
	if _, err := mvt.Decode(bomb.Bytes(), mvt.Limits{Bytes: 1 << 16}); err == nil || !strings.Contains(err.Error(), "65536") {
		t.Errorf("a gzip bomb must be refused naming the limit, got %v", err)
	}
}

func msg(field, typ byte, body ...byte) []byte {
	if typ == 2 {
		return append([]byte{field<<3 | 2, byte(len(body))}, body...)
	}
	return append([]byte{field<<3 | typ}, body...)
}

func layerOf(parts ...[]byte) []byte {
	return msg(3, 2, bytes.Join(append([][]byte{msg(1, 2, 'a')}, parts...), nil)...)
}

func polygon(cmds ...byte) []byte {
	return layerOf(msg(2, 2, append(msg(3, 0, 3), msg(4, 2, cmds...)...)...))
}

func TestHostileTilesAreRefused(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f} // 32 bits set
	cases := []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"not a tile", []byte("<html>"), "wire type"},
		{"layer longer than the tile", []byte{0x1a, 0x7f, 1}, "length 127"},
		{"field number 0", []byte{0x02, 0x00}, "field number 0"},
		{"group", []byte{0x0b}, "wire type 3"},
		{"varint of eleven bytes", append([]byte{0x10}, bytes.Repeat([]byte{0xff}, 11)...), "varint"},
		{"layer without a name", msg(3, 2, msg(15, 0, 2)...), "without a name"},
		{"version 3", layerOf(msg(15, 0, 3)), "version 3"},
		{"extent 0", layerOf(msg(5, 0, 0)), "extent 0"},
		{"name is a number", msg(3, 2, msg(1, 0, 9)...), "name has wire type 0"},
		{"name is not UTF-8", msg(3, 2, msg(1, 2, 0xff)...), "UTF-8"},
		{"two layers of one name", append(layerOf(), layerOf()...), "two layers"},
		{"tag out of range", layerOf(msg(2, 2, msg(2, 2, 0, 0)...)), "tag 0 names entry 0 of 0"},
		{"odd tags", layerOf(msg(3, 2, 'k'), msg(4, 2, 8, 1), msg(2, 2, msg(2, 2, 0)...)), "value 0"},
		{"two types in a value", layerOf(msg(4, 2, 0x20, 1, 0x28, 1)), "more than one type"},
		{"geometry type 4", layerOf(msg(2, 2, msg(3, 0, 4)...)), "geometry type 4"},
		{"starts with LineTo", polygon(10, 0, 0), "command 2 where MoveTo"},
		{"two starts of a ring", polygon(17, 0, 0, 0, 0), "MoveTo with count 2"},
		{"count 0", polygon(9, 0, 0, 2), "LineTo with count 0"},
		{"ring not closed", polygon(9, 0, 0, 18, 2, 2, 4, 4), "varint"},
		{"more vertices than bytes", polygon(9, 0, 0, 0xfa, 0xff, 0xff, 0xff, 0x0f), "vertices announced"},
		{"vertex far away", polygon(append(append([]byte{9}, huge...), huge...)...), "far outside"},
		{"step over 32 bits", polygon(9, 0xff, 0xff, 0xff, 0xff, 0x7f, 0), "more than 32 bits"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := mvt.Decode(c.bytes, mvt.Limits{})
			var e *mvt.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an *mvt.Error with %q, got %v", c.want, err)
			}
		})
	}
	_, err := mvt.Decode(polygon(9, 0, 0, 2), mvt.Limits{})
	if e := new(mvt.Error); !errors.As(err, &e) || e.Layer != "a" || e.Feature != 0 {
		t.Errorf("the error must name layer a, feature 0: %v", err)
	}
	b := encode(t, sample(t))
	for n := 1; n < len(b); n++ {
		tile, err := mvt.Decode(b[:n], mvt.Limits{})
		if err == nil && len(tile.Layers) == 2 {
			t.Errorf("tile cut to %d of %d bytes is taken as whole", n, len(b))
		}
	}
}

func TestLimits(t *testing.T) {
	b := encode(t, sample(t))
	for name, lim := range map[string]mvt.Limits{
		"bytes": {Bytes: 10}, "layers": {Layers: 1}, "features": {Features: 2}, "vertices": {Vertices: 12}, "keys": {Entries: 3},
	} {
		if _, err := mvt.Decode(b, lim); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("limit on %s: want an error that names it, got %v", name, err)
		}
	}
}

func TestEncodeRefusesWhatTheFormatCannotHold(t *testing.T) {
	for name, f := range map[string]mvt.Feature{
		"no parts":       {Type: mvt.Polygons},
		"no type":        {Parts: [][]mvt.Point{square(0, 0, 1)}},
		"one-point line": {Type: mvt.Lines, Parts: [][]mvt.Point{{{X: 1, Y: 1}}}},
		"tag unknown":    {Type: mvt.Points, Parts: [][]mvt.Point{{{X: 1, Y: 1}}}, Tags: []uint32{0, 0}},
	} {
		if _, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{{Name: "l", Features: []mvt.Feature{f}}}}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestGridRoundTrip(t *testing.T) {
	for _, g := range []mvt.Grid{{Z: 15, Extent: 4096}, {Z: 16, Extent: 4096}, {Z: 15, Extent: 8192}, {Z: 15, Extent: 512}} {
		size := g.Size()
		x0, y0 := g.Snap(geom.Point{X: 131234567, Y: 473456789})
		for i := int64(0); i < 200_000; i++ {
			x, y := x0+i*7919%100_000, y0+i*104_729%100_000
			if gx, gy := g.Snap(g.Point(x, y)); gx != x || gy != y {
				t.Fatalf("%v: %d,%d comes back as %d,%d", g, x, y, gx, gy)
			}
		}
		if p := g.Point(0, size/2); p != (geom.Point{X: -1800000000, Y: 0}) {
			t.Errorf("%v: west end of the equator is %v", g, p)
		}
		if p := g.Point(size, size/2); p.X != 1800000000 {
			t.Errorf("%v: east end is %v", g, p)
		}
	}
}

// Known position: tile 15/17830/11387 starts at 15.8862305° E (17830/32768*360-180).
// The finest grid, 2^31 wide, is as exact as arithmetic without bounds, to its last position, and positions of
// 1e-7 degrees come back within half a pixel.
func TestFinestGrid(t *testing.T) {
	g := mvt.Grid{Z: 14, Extent: 1 << 17}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Int64Range(0, g.Size()).Draw(t, "x")
		turn := big.NewInt(int64(360 * geom.Scale))
		n := new(big.Int).Mul(big.NewInt(2*x), turn)
		n.Add(n, big.NewInt(g.Size()))
		want := new(big.Int).Div(n, big.NewInt(2*g.Size())).Int64() - int64(180*geom.Scale)
		if got := g.Point(x, g.Size()/2).X; int64(got) != want {
			t.Fatalf("position %d: want %d, got %d", x, want, got)
		}
		p := geom.Point{X: rapid.Int32Range(90_000_000, 175_000_000).Draw(t, "lon"), Y: rapid.Int32Range(460_000_000, 495_000_000).Draw(t,
			"lat")}
		fx, fy := g.ProjectDegrees(p.Lon(), p.Lat())
		if q := g.Point(int64(math.Floor(fx+0.5)), int64(math.Floor(fy+0.5))); max(q.X-p.X, p.X-q.X, q.Y-p.Y, p.Y-q.Y) > 1 {
			t.Fatalf("%v comes back as %v", p, q)
		}
		if ax, ay := g.Project(p); math.Abs(ax-fx) > 1e-3 || math.Abs(ay-fy) > 1e-3 {
			t.Fatalf("%v: %f %f and %f %f", p, ax, ay, fx, fy)
		}
	})
}

func TestKnownTile(t *testing.T) {
	g := mvt.Grid{Z: 15, Extent: 4096}
	p := geom.Point{X: 158862305, Y: 479899216}
	x, y := g.Snap(p)
	if id := g.Tile(x, y); id.X != 17830 && id.X != 17829 {
		t.Errorf("tile of %v: got %v", p, id)
	}
	b := mvt.TileID{Z: 15, X: 17830, Y: 11387}.Bounds()
	if b.MinX != 158862305 || !(b.MinY < b.MaxY) {
		t.Errorf("bounds %v", b)
	}
	ids, ok := mvt.Cover(b, 15, 100)
	if !ok || len(ids) < 1 || len(ids) > 9 {
		t.Errorf("cover of one tile's box: %v", ids)
	}
	if _, ok := mvt.Cover(geom.Box{MinX: -1e9, MinY: -5e8, MaxX: 1e9, MaxY: 5e8}, 15, 1000); ok {
		t.Error("a cover over the limit must be refused")
	}
}

func FuzzDecode(f *testing.F) {
	b, _ := mvt.Encode(sample(f))
	f.Add(b)
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Add(polygon(9, 0, 0, 18, 2, 2, 4, 4, 15))
	f.Fuzz(func(t *testing.T, b []byte) {
		tile, err := mvt.Decode(b, mvt.Limits{Bytes: 1 << 20})
		if err != nil {
			return
		}
		// What decodes and can be encoded must come back the same.
		one, err := mvt.Encode(*tile)
		if err != nil {
			return
		}
		again, err := mvt.Decode(one, mvt.Limits{Bytes: 1 << 22})
		if err != nil {
			t.Fatalf("own bytes are refused: %v", err)
		}
		if two, _ := mvt.Encode(*again); !bytes.Equal(one, two) {
			t.Fatal("encoding is not stable")
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	l := mvt.NewLayer("gst", 4096)
	for i := int32(0); i < 700; i++ {
		l.Add(mvt.Feature{Type: mvt.Polygons, Parts: [][]mvt.Point{square(i*5, i*3, 40)}}, mvt.Attr{Key: "kg", Value: mvt.Uint(14168)},
			mvt.Attr{Key: "n", Value: mvt.Int(int64(i))})
	}
	data, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{l.Layer()}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mvt.Decode(data, mvt.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
