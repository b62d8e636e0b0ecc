package mirror

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/mvt"
)

func TestCopyLeavesTilesWhereTheyAre(t *testing.T) {
	ctx := context.Background()
	st := mem.New()
	for key, body := range map[string]string{
		"source.json": "{}", "registers/kg.csv": "kg_code", "tiles/kataster/15/1/2.pbf": "tile", "truth/summary.json": "{}",
	} {
		if _, err := st.Put(ctx, key, []byte(body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for range 2 { // the second run finds everything
		if err := Copy(ctx, st, dir); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]bool{"source.json": true, "registers/kg.csv": true, "tiles": false, "truth": false} {
		_, err := os.Stat(filepath.Join(dir, file))
		if got := err == nil; got != want {
			t.Errorf("%s: want copied %v, got %v", file, want, got)
		}
	}
	tiles := Tiles{st}
	if b, err := tiles.Tile(ctx, "kataster", mvt.TileID{Z: 15, X: 1, Y: 2}); err != nil || string(b) != "tile" {
		t.Errorf("tile: got %q, %v", b, err)
	}
	if b, err := tiles.Tile(ctx, "kataster", mvt.TileID{Z: 15, X: 1, Y: 3}); err != nil || b != nil {
		t.Errorf("empty tile: want nil, got %q, %v", b, err)
	}
}
