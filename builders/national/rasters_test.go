package national

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/rasters"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/geo/raster"
)

// scanned publishes a generation with a height model over two tiles, the first of which has its own height, and a model of another
// date; the files are as old as that.
func scanned(t *testing.T, root string, st store.Store, n, days int) {
	t.Helper()
	source := t.TempDir()
	model := func(name string, east, height float64) {
		g := raster.New(east, 2_700_100, 1, 20, 20)
		for i := range g.Z {
			g.Z[i] = float32(height)
		}
		b, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: 3035})
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(source, "rasters", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model("DTM_20240915_a.tif", 4_400_100, 500+float64(n))
	model("DTM_20240915_b.tif", 4_406_000, 700)
	if n == 0 {
		model("DTM_20220915.tif", 4_400_100, 400)
	}
	from, err := rasters.Read(os.DirFS(source), "made up")
	if err != nil {
		t.Fatal(err)
	}
	snap := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 1, Seed: uint64(n)})
	snap.Build.Stichtag = fmt.Sprintf("2026-%02d-01", n+1)
	made, err := kgbuild.WriteSnapshot(t.Context(), st, snap)
	if err != nil {
		t.Fatal(err)
	}
	p := Publication{Store: st, Digests: []kgbuild.Made{made}}
	p.Country.Rasters = from
	if _, err := Publish(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	settle(t, root, days)
}

func tilesIn(t *testing.T, st store.Store) (keys []string) {
	t.Helper()
	for info, err := range st.List(t.Context(), "rasters/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// A tile that a newer one replaced goes with the generations that named it; one that is served, of a date too whose file is
// gone, or that was served within Kept stays. All tiles of the served index are checked.
func TestPruneTakesReplacedTiles(t *testing.T) {
	root := t.TempDir()
	st, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	scanned(t, root, st, 0, 40)
	first := tilesIn(t, st)
	scanned(t, root, st, 1, 20)
	scanned(t, root, st, 2, 2)
	all := tilesIn(t, st)
	if len(first) != 3 || len(all) != 5 {
		t.Fatalf("%v, then %v", first, all)
	}
	if _, err := Prune(t.Context(), st, PruneOptions{}); err != nil {
		t.Fatal(err)
	}
	left := tilesIn(t, st)
	gone := slices.DeleteFunc(slices.Clone(all), func(key string) bool { return slices.Contains(left, key) })
	// The generation of 20 days ago was served until two days ago.
	if len(gone) != 1 || !strings.HasPrefix(gone[0], "rasters/dtm/2024-09-15/E4400N2700-") || !slices.Contains(first, gone[0]) {
		t.Errorf("%v are deleted of %v", gone, all)
	}
	if c, err := Check(t.Context(), st, func(rowschema.Quality) {}); err != nil || len(c.Broken) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, key := range left {
		if slices.Contains(first, key) && strings.Contains(key, "2022-09-15") {
			if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(key)), []byte("II"), 0o600); err != nil {
				t.Fatal(err)
			}
			if c, err := Check(t.Context(), st, func(rowschema.Quality) {}); err != nil || !slices.Contains(c.Broken, key) {
				t.Errorf("a damaged tile is not found: %v, %v", c.Broken, err)
			}
		}
	}
}
