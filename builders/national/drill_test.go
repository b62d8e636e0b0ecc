package national

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/rowschema"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/raster"
)

// drillSource is a source of all that the builders read of files that a test can write: parcels, an earlier snapshot, a laser scan.
func drillSource(t *testing.T) string {
	t.Helper()
	dir := sourcetest.Write(t, sourcetest.Three...)
	sourcetest.File(t, dir, "epochs/99001-2025-10-01.geojson", sourcetest.Epoch("99001", 5))
	g := raster.New(4_400_100, 2_700_100, 1, 20, 20)
	for i := range g.Z {
		g.Z[i] = 500
	}
	b, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: 3035})
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.File(t, dir, "rasters/DTM_20240915.tif", string(b))
	return dir
}

// again are the objects that a build from the same source does not write with the same bytes: the pointer and digests say when, marks of
// publications are needed while a generation can be read, the log of publications begins anew.
func again(key string) bool {
	return key != "current.json" && !strings.HasPrefix(key, "digests/") && !strings.HasPrefix(key, "maintenance/") &&
		!strings.HasPrefix(key, "national/publications-")
}

// A folder of the store is deleted, as docs/operation.md has it: a build from the same source brings every object of it back, byte for
// byte, in the same generation, and nothing is broken. Where the manifests are gone, the pointer is deleted too.
func TestDrillADeletedFolder(t *testing.T) {
	dir, st := drillSource(t), mem.New()
	first := mustBuild(t, dir, st, Options{})
	want := contents(t, st)
	folders := map[string][]string{}
	for key := range want {
		folder, _, _ := strings.Cut(key, "/")
		folders[folder] = append(folders[folder], key)
	}
	folders["manifests"] = append(folders["manifests"], "current.json")
	known := []string{"cells", "current.json", "digests", "kg", "latest", "maintenance", "manifests", "national", "prices", "rasters",
		"register"}
	if got := slices.Sorted(maps.Keys(folders)); !slices.Equal(got, known) {
		t.Fatalf("a build writes into %v, want %v", got, known)
	}
	for folder, keys := range folders {
		t.Run(folder, func(t *testing.T) {
			broken := st.Clone()
			for _, key := range keys {
				if err := broken.Delete(t.Context(), key); err != nil {
					t.Fatal(err)
				}
			}
			if s := mustBuild(t, dir, broken, Options{}); s.Generation != first.Generation {
				t.Errorf("generation %s is served, want %s", s.Generation, first.Generation)
			}
			got := contents(t, broken)
			for key, b := range want {
				if now, ok := got[key]; again(key) && !bytes.Equal(now, b) {
					t.Errorf("%s: there %v, %d bytes, want %d", key, ok, len(now), len(b))
				}
			}
			if c, err := Check(t.Context(), broken, func(rowschema.Quality) {}); err != nil || len(c.Broken) > 0 {
				t.Errorf("%v are broken, %v", c.Broken, err)
			}
		})
	}
}

// Single objects are lost, or cut short, one after the other.
func TestDrillSingleObjects(t *testing.T) {
	dir, st := drillSource(t), mem.New()
	mustBuild(t, dir, st, Options{})
	want, live := contents(t, st), map[string]bool{}
	m, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Manifest.KGs {
		live[e.Versions.Key] = true
	}
	for key, b := range want {
		if !again(key) || strings.HasPrefix(key, "manifests/") || strings.Contains(key, "-versions-") && !live[key] {
			continue // a list of versions that another has replaced
		}
		if err := st.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		mustBuild(t, dir, st, Options{})
		if now := contents(t, st)[key]; !bytes.Equal(now, b) {
			t.Errorf("%s: %d bytes after a build, want %d", key, len(now), len(b))
		}
	}
}
