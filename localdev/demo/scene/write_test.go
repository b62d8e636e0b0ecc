package scene

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/cog/cogtest"
	"mappe/builders/source/rasters"
)

// What is written is read as a source is, and the truth beside it speaks of the same scene.
func TestWrite(t *testing.T) {
	s := made(t, "gate", 11, 1, nil)
	dir := t.TempDir()
	var steps []string
	w := &Writer{Dir: dir, Pixels: 1, Progress: func(step string, done, total int) {
		if steps = append(steps, step); len(steps) != done+1 || done >= total {
			t.Errorf("step %q is %d of %d", step, done, total)
		}
	}}
	if err := w.Write(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	found, passed, err := rasters.Look(os.DirFS(dir))
	if err != nil || len(passed) > 0 {
		t.Fatal(err, passed)
	}
	layers := map[string]int{}
	for _, f := range found {
		layers[f.Layer]++
	}
	want := map[string]int{"dtm": 3, "dsm": 3, "ortho": 8, "ndvi": 36, "sar": 6, "landcover": 3, "forest": 1}
	if !maps.Equal(layers, want) {
		t.Errorf("as a source it has the files %v, expected %v", layers, want)
	}
	if c, err := rasters.Credits(os.DirFS(dir)); err != nil || c["ndvi"].Attribution != "made-up demonstration data" {
		t.Errorf("%v, %v", c, err)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	dtm, _ := s.Scan(0, 0, 1)
	if digest(cogtest.Whole(t, read("rasters/20230915/ALS_DTM_CRS3035_scene.tif"))) != digest(dtm) {
		t.Error("the terrain of the second date is not the scene's")
	}
	rows, err := csv.NewReader(strings.NewReader(string(read("truth/trees.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	trees, _ := s.Owned(0, 0)
	if len(rows)-1 != len(trees) {
		t.Errorf("%d trees in the table, %d in the scene", len(rows)-1, len(trees))
	}
	crowns := cogtest.Whole(t, read("truth/crowns_20220915.tif"))
	for _, i := range []int{5, len(trees) / 2, len(trees) - 1} {
		x := &trees[i]
		if v := crowns.At(x.Crown.X, x.Crown.Y); v == float32(i+1) {
			continue
		} else if v > 0 && trees[int(v)-1].Height[0] < x.Height[0]-3 {
			t.Errorf("tree %d of %.1f m is hidden by one of %.1f m", i+1, x.Height[0], trees[int(v)-1].Height[0])
		}
	}
	for name, least := range map[string]int{"truth/events.geojson": 10, "truth/buildings.geojson": 1, "truth/passing.geojson": 5,
		"vectors/parcels.geojson": 20, "vectors/buildings.geojson": 1, "vectors/infrastructure.geojson": 5} {
		var c struct{ Features []json.RawMessage }
		if err := json.Unmarshal(read(name), &c); err != nil || len(c.Features) < least {
			t.Errorf("%s: %d features, %v", name, len(c.Features), err)
		}
	}
}

// A directory with other sources is refused, and a cancelled write ends.
func TestWriteEnds(t *testing.T) {
	s := made(t, "gate", 11, 1, nil)
	w := &Writer{Dir: t.TempDir()}
	foreign := t.TempDir()
	if err := os.Mkdir(filepath.Join(foreign, "rasters"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (&Writer{Dir: foreign}).Write(t.Context(), s); err == nil {
		t.Error("a directory with other rasters is written to")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Write(stopped, s); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled write says %v", err)
	}
}

// The truth is for tests: no builder, function or artefact imports this package or names its folder.
func TestNobodyReadsTheTruth(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	c := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	c.Dir = root
	b, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if !slices.Contains(words[1:], "mappe/localdev/demo/scene") {
			continue
		}
		found = true
		if !strings.HasPrefix(words[0], "mappe/localdev/") && !strings.HasPrefix(words[0], "mappe/infra/") {
			t.Errorf("%s imports the scenes", words[0])
		}
	}
	if !found {
		t.Error("no package imports the scenes, not even the command")
	}
	for _, folder := range []string{"builders", "functions", "artefacts", "shared"} {
		err := fs.WalkDir(os.DirFS(root), folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			if name == "builders/source/mirror/mirror.go" {
				return nil // leaves it out when a source is copied
			}
			b, err := os.ReadFile(filepath.Join(root, name))
			if strings.Contains(string(b), `"truth/`) || strings.Contains(string(b), `"truth"`) {
				t.Errorf("%s names the folder of the truth", name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Three dates of a tile, terrain and surface.
func BenchmarkScans(b *testing.B) {
	s := made(b, "tune", 3, 1, nil)
	for b.Loop() {
		s.tiles, s.order = map[[2]int]*things{}, nil
		for date := range Dates {
			s.Scan(0, 0, date)
		}
	}
}
