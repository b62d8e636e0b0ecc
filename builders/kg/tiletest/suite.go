// Package tiletest is the one contract suite of kg.TileReader. Every implementation runs it: RunFiles where tiles are
// files or bodies of others, Run where they are made.
package tiletest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"mappe/builders/kg"
	"mappe/builders/source/tiles"
	"mappe/shared/geo/mvt"
)

// Source is a reader, and what is known of its tiles.
type Source struct {
	kg.TileReader
	Tileset string
	Filled  []mvt.TileID // tiles with features
	Empty   mvt.TileID   // a tile of the same zoom without features
}

type test struct {
	name string
	run  func(t *testing.T, s Source)
}

// Run holds a reader to what all of them do. open gives a fresh one for each test.
func Run(t *testing.T, open func(t *testing.T) Source) {
	for _, c := range []test{
		{"a tile with features can be decoded", filled},
		{"a tile without features is nil", empty},
		{"a tileset that the source does not have is empty", otherTileset},
		{"a tile outside the scheme is an error that names it", outside},
		{"a cancelled context is an error", cancelled},
		{"a tile is the same for all who ask at once", atOnce},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

func filled(t *testing.T, s Source) {
	for _, id := range s.Filled {
		b, err := s.Tile(t.Context(), s.Tileset, id)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(b, zipMagic) {
			t.Errorf("tile %v is zipped", id)
		}
		tile, err := mvt.Decode(b, mvt.Limits{})
		if err != nil || len(tile.Layers) == 0 {
			t.Errorf("tile %v of %d bytes: %v", id, len(b), err)
		}
	}
}

func empty(t *testing.T, s Source) { wantEmpty(t, s, s.Tileset, s.Empty) }

func otherTileset(t *testing.T, s Source) { wantEmpty(t, s, "other", s.Filled[0]) }

func wantEmpty(t *testing.T, r kg.TileReader, tileset string, id mvt.TileID) {
	t.Helper()
	if b, err := r.Tile(t.Context(), tileset, id); b != nil || err != nil {
		t.Errorf("tile %s/%v: want the empty tile, got %d bytes, %v", tileset, id, len(b), err)
	}
}

func outside(t *testing.T, s Source) {
	for _, id := range []mvt.TileID{{Z: s.Empty.Z, X: 1 << s.Empty.Z}, {Z: s.Empty.Z, Y: 1 << s.Empty.Z}, {Z: 40}} {
		b, err := s.Tile(t.Context(), s.Tileset, id)
		if b != nil || err == nil || !strings.Contains(err.Error(), s.Tileset+"/"+id.String()) {
			t.Errorf("tile %v: want an error that names it, got %d bytes, %v", id, len(b), err)
		}
	}
}

func cancelled(t *testing.T, s Source) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if b, err := s.Tile(ctx, s.Tileset, s.Filled[0]); b != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("want %v, got %d bytes, %v", context.Canceled, len(b), err)
	}
}

func atOnce(t *testing.T, s Source) {
	const readers = 8
	got := make([][][]byte, readers)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			for range 3 {
				for _, id := range s.Filled {
					b, err := s.Tile(t.Context(), s.Tileset, id)
					if err != nil {
						t.Error(err)
					}
					got[i] = append(got[i], b)
				}
			}
		})
	}
	all.Wait()
	for i := range got {
		for k, b := range got[i] {
			if want := got[0][k%len(s.Filled)]; !bytes.Equal(want, b) {
				t.Errorf("tile %v: %d bytes for one reader, %d for another", s.Filled[k%len(s.Filled)], len(want), len(b))
			}
		}
	}
}

const tileset = "kataster"

var (
	first, second = mvt.TileID{Z: 15, X: 17830, Y: 11387}, mvt.TileID{Z: 15, X: 17831, Y: 11387}
	zipMagic      = []byte{0x1f, 0x8b}
)

// Files are tiles as they lie in a source: by tileset/z/x/y.pbf.
type Files map[string][]byte

// RunFiles holds a reader of files to the contract. open gives one of a source that holds these files.
func RunFiles(t *testing.T, open func(t *testing.T, files Files) kg.TileReader) {
	Run(t, func(t *testing.T) Source {
		files := Files{}
		for i, id := range []mvt.TileID{first, second} {
			files[name(id)] = tile(t, i)
		}
		files[name(second)] = zip(t, files[name(second)])
		return Source{open(t, files), tileset, []mvt.TileID{first, second}, mvt.TileID{Z: 15, X: 17832, Y: 11387}}
	})
	t.Run("a zipped tile has the bytes of the plain one", func(t *testing.T) {
		plain := tile(t, 1)
		r := open(t, Files{name(first): plain, name(second): zip(t, plain)})
		for _, id := range []mvt.TileID{first, second} {
			if b, err := r.Tile(t.Context(), tileset, id); err != nil || !bytes.Equal(b, plain) {
				t.Errorf("tile %v: want %d bytes, got %d, %v", id, len(plain), len(b), err)
			}
		}
	})
	t.Run("a zipped file of nothing is the empty tile", func(t *testing.T) {
		wantEmpty(t, open(t, Files{name(first): zip(t, nil)}), tileset, first)
	})
	t.Run("a failed download is not the empty tile", func(t *testing.T) {
		page := []byte("\n<!DOCTYPE html><title>503</title>")
		for what, body := range map[string][]byte{"0 bytes": {}, "a page": page, "a zipped page": zip(t, page), "JSON": []byte(`{"error":1}`),
			"the head of a zipped file": zipMagic} {
			b, err := open(t, Files{name(first): body}).Tile(t.Context(), tileset, first)
			if b != nil || !errors.Is(err, tiles.ErrBroken) || !strings.Contains(err.Error(), tileset+"/"+first.String()) {
				t.Errorf("%s: want ErrBroken with the tile's name, got %d bytes, %v", what, len(b), err)
			}
		}
	})
	t.Run("a zipped file that ends early is an error", func(t *testing.T) {
		whole := zip(t, tile(t, 1))
		if b, err := open(t, Files{name(first): whole[:len(whole)-10]}).Tile(t.Context(), tileset, first); b != nil || err == nil {
			t.Errorf("got %d bytes, %v", len(b), err)
		}
	})
	t.Run("a tileset is a plain name", func(t *testing.T) {
		r := open(t, Files{name(first): tile(t, 1), "a/" + name(first): tile(t, 1)})
		for _, set := range []string{"", "..", "../tiles/" + tileset, "a/" + tileset, `a\` + tileset, "a/../" + tileset} {
			if b, err := r.Tile(t.Context(), set, first); b != nil || err == nil {
				t.Errorf("tileset %q: want an error, got %d bytes", set, len(b))
			}
		}
	})
}

func name(id mvt.TileID) string { return tileset + "/" + id.String() + ".pbf" }

// tile is a tile with a feature of its own.
func tile(t *testing.T, n int) []byte {
	t.Helper()
	l := mvt.NewLayer("gst", mvt.DefaultExtent)
	l.Add(mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{{X: 1, Y: 2}}}}, mvt.Attr{Key: "gnr", Value: mvt.Int(int64(n))})
	b, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{l.Layer()}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func zip(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
