package mirror

import (
	"context"
	"errors"
	"io/fs"
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

// A source of a new date often has files of the same size; and a file that is gone is gone.
func TestCopyFollowsTheSource(t *testing.T) {
	ctx := context.Background()
	st, dir := mem.New(), t.TempDir()
	put := func(key, body string) {
		t.Helper()
		if _, err := st.Put(ctx, key, []byte(body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	put("source.json", `{"stichtag":"2026-04-01"}`)
	put("addresses.zip", "old")
	if err := Copy(ctx, st, dir); err != nil {
		t.Fatal(err)
	}
	const want = `{"stichtag":"2026-10-01"}`
	put("source.json", want)
	if err := st.Delete(ctx, "addresses.zip"); err != nil {
		t.Fatal(err)
	}
	if err := Copy(ctx, st, dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "source.json")); err != nil || string(got) != want {
		t.Errorf("want %s, got %s, %v", want, got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "addresses.zip")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that left the source is still there: %v", err)
	}
}
