package kgbuild

import (
	"context"
	"testing"

	"mappe/builders/kg"
	"mappe/builders/kg/tiletest"
	"mappe/builders/source/mirror"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/mvt"
)

// countedTiles counts the tiles that are read.
type countedTiles struct {
	kg.TileReader
	n int
}

func (c *countedTiles) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	c.n++
	return c.TileReader.Tile(ctx, tileset, id)
}

// tilesOf are the tiles of a store with these files.
func tilesOf(t *testing.T, files tiletest.Files) kg.TileReader {
	st := mem.New()
	for name, body := range files {
		if _, err := st.Put(t.Context(), "tiles/"+name, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return mirror.Tiles{Store: st}
}

func TestRecorderContract(t *testing.T) {
	tiletest.RunFiles(t, func(t *testing.T, files tiletest.Files) kg.TileReader { return newRecorder(tilesOf(t, files), false) })
}

// The source is read once, for empty tiles and for gaps too. A gap is counted once, and only where gaps are allowed.
func TestATileIsReadOnce(t *testing.T) {
	id := mvt.TileID{Z: 15, X: 1, Y: 2}
	for name, files := range map[string]tiletest.Files{"empty": {}, "gap": {"kataster/15/1/2.pbf": []byte("<html>")}} {
		from := &countedTiles{TileReader: tilesOf(t, files)}
		r := newRecorder(from, true)
		for range 3 {
			if b, err := r.Tile(t.Context(), "kataster", id); b != nil || err != nil {
				t.Fatalf("%s: got %q, %v", name, b, err)
			}
		}
		if from.n != 1 || r.broken != len(files) {
			t.Errorf("%s: read %d times, %d gaps", name, from.n, r.broken)
		}
	}
}
