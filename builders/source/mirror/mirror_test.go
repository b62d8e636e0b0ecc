package mirror

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/builders/source/tiles"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/mvt"
)

func TestCopyLeavesTilesWhereTheyAre(t *testing.T) {
	ctx := context.Background()
	st := mem.New()
	for key, body := range map[string]string{
		"source.json": "{}", "registers/kg.csv": "kg_code", "tiles/kataster/15/1/2.pbf": "tile", "truth/summary.json": "{}",
		"epochs/01004-2025-10-01.geojson": "epoch", "epochs/01004-2024-10-01.geojson": "", "epochs/README.md": "",
		"KAT_DKM_GST_epsg31287_20261001.gpkg": "map",
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
	for file, want := range map[string]bool{"source.json": true, "registers/kg.csv": true, "tiles": false, "truth": false, "epochs": false,
		"KAT_DKM_GST_epsg31287_20261001.gpkg": false} {
		_, err := os.Stat(filepath.Join(dir, file))
		if got := err == nil; got != want {
			t.Errorf("%s: want copied %v, got %v", file, want, got)
		}
	}
	earlier := Epochs{st}
	list, err := earlier.Of(ctx, "01004")
	if err != nil || len(list) != 2 || list[0].Date != "2024-10-01" {
		t.Fatalf("%v, %v", list, err)
	}
	in, err := earlier.Open(ctx, list[1])
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(in); err != nil || string(b) != "epoch" {
		t.Errorf("epoch: got %q, %v", b, err)
	}
	source := Tiles{st}
	if b, err := source.Tile(ctx, "kataster", mvt.TileID{Z: 15, X: 1, Y: 2}); err != nil || string(b) != "tile" {
		t.Errorf("tile: got %q, %v", b, err)
	}
	if b, err := source.Tile(ctx, "kataster", mvt.TileID{Z: 15, X: 1, Y: 3}); err != nil || b != nil {
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

// listed is a store whose listing names keys that Put would refuse: others write into a source's bucket.
type listed struct {
	store.Store
	key  string
	body []byte
	size int64
}

func (l listed) List(context.Context, string) iter.Seq2[store.Info, error] {
	return func(yield func(store.Info, error) bool) { yield(store.Info{Key: l.key, Size: l.size}, nil) }
}

func (l listed) Get(context.Context, string, store.GetOptions) (*store.Object, error) {
	return &store.Object{Body: io.NopCloser(bytes.NewReader(l.body))}, nil
}

// FuzzCopy lists one object of any name: it is copied below the directory with the bytes that are listed, or
// nothing is.
func FuzzCopy(f *testing.F) {
	f.Add("registers/kg.csv", []byte("kg_code"), int64(7))
	f.Add("registers/", []byte{}, int64(0))
	f.Add("../outside", []byte("x"), int64(1))
	f.Add("a/../../outside", []byte("x"), int64(1))
	f.Add("/etc/x", []byte("x"), int64(1))
	f.Add("short", []byte("x"), int64(2))
	f.Add("long", []byte("xyz"), int64(2))
	f.Add("huge", []byte{}, int64(1)<<40)
	f.Fuzz(func(t *testing.T, key string, body []byte, size int64) {
		root := t.TempDir()
		dir := filepath.Join(root, "source")
		err := Copy(t.Context(), listed{key: key, body: body, size: size}, dir)
		var files []string
		walk := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(file, ".part") {
				files = append(files, file)
			}
			return err
		})
		if walk != nil {
			t.Fatal(walk)
		}
		if len(files) > 1 || len(files) == 1 && files[0] != filepath.Join(dir, filepath.FromSlash(key)) {
			t.Fatalf("key %q made %v", key, files)
		}
		if len(files) == 1 {
			if got, _ := os.ReadFile(files[0]); err != nil || !bytes.Equal(got, body) || int64(len(got)) != size {
				t.Fatalf("key %q: %v, %d bytes of %d", key, err, len(got), size)
			}
		}
	})
}

// FuzzTile reads a tile that the store holds as anything.
func FuzzTile(f *testing.F) {
	for _, b := range []string{"", "\x1atile", "<html>", "{}", "\x1f\x8b"} {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		st := mem.New()
		if _, err := st.Put(t.Context(), "tiles/kataster/15/1/2.pbf", body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		b, err := Tiles{st}.Tile(t.Context(), "kataster", mvt.TileID{Z: 15, X: 1, Y: 2})
		if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) { // zipped, or the beginning of it
			if err == nil && b != nil && len(b) == 0 {
				t.Error("an empty tile that is not nil")
			}
			return
		}
		if err == nil && (len(b) == 0 || !bytes.Equal(b, body)) || err != nil && !errors.Is(err, tiles.ErrBroken) {
			t.Errorf("%q, %v", b, err)
		}
	})
}
