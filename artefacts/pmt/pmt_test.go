package pmt

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the frozen archive of the current version")

// The ids come from the format's specification and its reference implementation.
func TestTileIDs(t *testing.T) {
	for _, c := range []struct {
		zxy  ZXY
		want uint64
	}{
		{ZXY{0, 0, 0}, 0}, {ZXY{1, 0, 0}, 1}, {ZXY{1, 0, 1}, 2}, {ZXY{1, 1, 1}, 3}, {ZXY{1, 1, 0}, 4},
		{ZXY{2, 0, 0}, 5}, {ZXY{12, 3423, 1763}, 19078479},
	} {
		if got := c.zxy.ID(); got != c.want {
			t.Errorf("%v: id %d, want %d", c.zxy, got, c.want)
		}
	}
}

func TestIDAndAddressAreInverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.Uint8Range(0, MaxZoom).Draw(t, "z")
		a := ZXY{z, rapid.Uint32Range(0, 1<<z-1).Draw(t, "x"), rapid.Uint32Range(0, 1<<z-1).Draw(t, "y")}
		if back, ok := Address(a.ID()); !ok || back != a {
			t.Fatalf("%v gives id %d gives %v", a, a.ID(), back)
		}
	})
	for z := uint8(1); z < 6; z++ { // the curve visits neighbours one after another
		for id := zoomBase(z) + 1; id < zoomBase(z+1); id++ {
			a, _ := Address(id - 1)
			b, _ := Address(id)
			if d := absDiff(a.X, b.X) + absDiff(a.Y, b.Y); d != 1 {
				t.Fatalf("ids %d and %d are %v and %v, not neighbours", id-1, id, a, b)
			}
		}
	}
	if _, ok := Address(zoomBase(MaxZoom + 1)); ok {
		t.Error("an id above the highest zoom has an address")
	}
}

func absDiff(a, b uint32) uint32 { return max(a, b) - min(a, b) }

type meta struct {
	Name string `json:"name"`
}

func options() Options {
	return Options{Type: MVT, TileCompression: Gzip, MinLon: 130000000, MinLat: 470000000, MaxLon: 131000000, MaxLat: 471000000,
		CenterZoom: 14, Metadata: meta{"test"}}
}

// many makes n tiles of zoom 12 and 13, every seventh equal to the first and some in runs.
func many(n int) []Tile {
	var tiles []Tile
	for i, id := 0, (ZXY{12, 2200, 1400}).ID(); i < n; i, id = i+1, id+1+uint64(i%3/2)*uint64(i%11) {
		c := fmt.Appendf(nil, "content %d", i)
		if i%7 < 2 {
			c = []byte("sea")
		}
		tiles = append(tiles, Tile{id, c})
	}
	return tiles
}

func open(t testing.TB, b []byte) *Archive {
	t.Helper()
	a, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestArchiveReturnsWhatWasWritten(t *testing.T) {
	for _, n := range []int{1, 50, 60000} { // 60,000 entries need leaf directories
		tiles := many(n)
		b, err := Encode(options(), tiles)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Encode(options(), tiles)
		if !bytes.Equal(b, again) {
			t.Errorf("%d tiles: two encodings differ", n)
		}
		a := open(t, b)
		if n == 60000 && a.Header.Leaves.Length == 0 {
			t.Error("60,000 tiles: no leaf directories were written")
		}
		if a.Header.AddressedTiles != uint64(n) || !a.Header.Clustered {
			t.Errorf("%d tiles: header %+v", n, a.Header)
		}
		want := map[uint64]string{}
		for i, x := range tiles {
			want[x.ID] = string(x.Content)
			if i > 500 && i%97 > 0 {
				continue // a lookup unpacks a leaf directory: look at some
			}
			zxy, _ := Address(x.ID)
			if got, err := a.Tile(zxy); err != nil || string(got) != string(x.Content) {
				t.Fatalf("%d tiles: tile %v is %q, %v; want %q", n, zxy, got, err, x.Content)
			}
		}
		walked := 0
		for e, c := range a.All() {
			if c.Err != nil {
				t.Fatal(c.Err)
			}
			for i := range uint64(e.Run) {
				if want[e.ID+i] != string(c.Bytes) {
					t.Fatalf("walk: tile id %d is %q, want %q", e.ID+i, c.Bytes, want[e.ID+i])
				}
				walked++
			}
		}
		if walked != n {
			t.Errorf("walk gave %d tiles, want %d", walked, n)
		}
		if _, err := a.Tile(ZXY{3, 1, 1}); !errors.Is(err, ErrNoTile) {
			t.Errorf("a tile that is not there gives %v", err)
		}
		if m, err := a.Metadata(); err != nil || string(m) != `{"name":"test"}` {
			t.Errorf("metadata %q, %v", m, err)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	for name, tiles := range map[string][]Tile{
		"no tiles":        nil,
		"an empty tile":   {{5, nil}},
		"falling ids":     {{6, []byte("a")}, {5, []byte("b")}},
		"the same id":     {{6, []byte("a")}, {6, []byte("a")}},
		"an id too large": {{1 << 60, []byte("a")}},
	} {
		if _, err := Encode(options(), tiles); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	o := options()
	o.Metadata = []string{"not an object"}
	if _, err := Encode(o, many(3)); err == nil {
		t.Error("metadata that is no object was accepted")
	}
}

func TestReaderRefuses(t *testing.T) {
	good, err := Encode(options(), many(50))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		at   int
		to   byte
	}{
		{"another magic", 0, 'X'}, {"version 2", 7, 2}, {"root at 0", 8, 0}, {"root above 16 KiB", 17, 0xFF},
		{"metadata outside", 30, 1}, {"leaves outside", 46, 1}, {"tiles outside", 62, 1},
		{"clustered 2", 96, 2}, {"zstd directories", 97, byte(Zstd)}, {"zoom 30", 101, 30}, {"no gzip", 127, 0},
	} {
		b := bytes.Clone(good)
		b[c.at] = c.to
		if _, err := Open(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Errorf("%s was accepted", c.name)
		}
	}
	for n := range len(good) { // every truncation loses the last tile at least
		if _, err := Open(bytes.NewReader(good[:n]), int64(n)); err == nil {
			t.Fatalf("an archive cut to %d of %d bytes was accepted", n, len(good))
		}
	}
}

func TestDirectoriesRefused(t *testing.T) {
	for name, b := range map[string][]byte{
		"more entries than bytes": {200, 1, 1, 1, 1, 1},
		"equal ids":               {2, 5, 0, 1, 1, 1, 1, 1, 0},
		"run reaches next":        {2, 5, 1, 2, 1, 1, 1, 1, 0},
		"length 0":                {1, 5, 1, 0, 1},
		"outside":                 {1, 5, 1, 101, 1},
		"no first offset":         {1, 5, 1, 1, 0},
		"trailing":                {1, 5, 1, 1, 1, 9},
		"leaf without leaves":     {1, 5, 0, 1, 1},
		"cut":                     {1, 5, 1, 1},
	} {
		if e, err := parseDirectory(b, 100, 0); err == nil {
			t.Errorf("%s was accepted as %v", name, e)
		}
	}
}

// A leaf directory that points back at itself must not hang or blow up a reader.
func TestLeafLoop(t *testing.T) {
	leaf := pack(appendDirectory(nil, []Entry{{ID: 5, Length: 30}}))
	leaf = pack(appendDirectory(nil, []Entry{{ID: 5, Length: uint32(len(leaf))}}))
	h := Header{Root: Section{headerSize, uint64(len(leaf))}, Leaves: Section{headerSize, uint64(len(leaf))}, InternalCompression: Gzip,
		MaxZoom: 5}
	a := open(t, append(h.Append(nil), leaf...))
	if _, err := a.Tile(ZXY{2, 0, 0}); err == nil || errors.Is(err, ErrNoTile) {
		t.Errorf("lookup in a loop gives %v", err)
	}
	for _, c := range a.All() {
		if c.Err == nil {
			t.Error("walking a loop gave a tile")
		}
	}
}

// The frozen archive of version 3 opens for ever.
func TestFrozen(t *testing.T) {
	const name = "testdata/v3.pmtiles"
	if *update {
		b, err := Encode(options(), many(200))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, b)
	for _, x := range many(200) {
		zxy, _ := Address(x.ID)
		if got, err := a.Tile(zxy); err != nil || string(got) != string(x.Content) {
			t.Fatalf("tile %v is %q, %v; want %q", zxy, got, err, x.Content)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, n := range []int{1, 50} {
		b, err := Encode(options(), many(n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		a.Metadata()
		a.Tile(ZXY{12, 2200, 1400})
		last, first := uint64(0), true
		for e, c := range a.All() {
			if c.Err != nil {
				break
			}
			if !first && e.ID <= last {
				t.Fatalf("id %d after %d", e.ID, last)
			}
			last, first = e.ID+uint64(e.Run)-1, false
		}
	})
}

// An accepted directory is written back to the same entries.
func FuzzDirectory(f *testing.F) {
	f.Add(appendDirectory(nil, []Entry{{5, 0, 7, 1}, {9, 7, 3, 4}, {20, 0, 7, 1}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := parseDirectory(b, 1<<40, 1<<20)
		if err != nil {
			return
		}
		back, err := parseDirectory(appendDirectory(nil, e), 1<<40, 1<<20)
		if err != nil || fmt.Sprint(back) != fmt.Sprint(e) {
			t.Fatalf("%v came back as %v, %v", e, back, err)
		}
	})
}

func BenchmarkTile(b *testing.B) {
	tiles := many(60000)
	x, err := Encode(options(), tiles)
	if err != nil {
		b.Fatal(err)
	}
	a := open(b, x)
	zxy, _ := Address(tiles[30000].ID)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Tile(zxy); err != nil {
			b.Fatal(err)
		}
	}
}
