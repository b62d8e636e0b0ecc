package tiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
)

func analysed(seed uint64) *landscape.KG {
	return landtest.KG(landtest.Options{Code: "99001", Box: geom.Box{MinX: 150000000, MinY: 480000000, MaxX: 150040000, MaxY: 480020000},
		Trees: 30, Seed: seed})
}

// Every segment is on tiles of the zooms 14 to 16 and every tree on one of 15 and of 16, with what is known of it.
func TestLandscape(t *testing.T) {
	k := analysed(1)
	k.Trees[0].Height = float32(math.NaN())
	b, err := Landscape(k, "© BEV, 2026", "2024-09-15", 2)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Landscape(k, "© BEV, 2026", "2024-09-15", 1); err != nil || !bytes.Equal(b, again) {
		t.Errorf("the same KG gives other bytes, %v", err)
	}
	trees, unknown, types := map[uint8]int{}, 0, map[uint8]map[string]bool{}
	for at, tile := range decode(t, b) {
		if l := tile.Layer("trees"); l != nil {
			trees[at.Z] += len(l.Features)
			for i := range l.Features {
				if _, ok := l.Value(&l.Features[i], l.Key("height_m")); !ok && at.Z == 16 {
					unknown++
				}
			}
		}
		if l := tile.Layer("segments"); l != nil {
			for i := range l.Features {
				v, _ := l.Value(&l.Features[i], l.Key("type"))
				if types[at.Z] == nil {
					types[at.Z] = map[string]bool{}
				}
				types[at.Z][v.Text()] = true
			}
		}
	}
	if len(trees) != 2 || trees[15] != 30 || trees[16] != 30 || unknown != 1 {
		t.Errorf("trees by zoom %v, %d without a height", trees, unknown)
	}
	if len(types) != 3 || len(types[14]) != 5 || len(types[16]) != 5 || !types[16]["road"] {
		t.Errorf("types by zoom %v", types)
	}
	if _, err := Landscape(&landscape.KG{}, "", "", 1); !errors.Is(err, ErrNothing) {
		t.Errorf("an empty KG: %v", err)
	}
}

// Archives of neighbours are joined, and another reader reads what comes of it.
func TestMergedLandscape(t *testing.T) {
	var archives [][]byte
	for seed := range uint64(2) {
		b, err := Landscape(analysed(seed+1), "© BEV, 2026", "2024-09-15", 1)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, b)
	}
	merged, err := mergeAll(archives)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "land.pmtiles")
	if err := os.WriteFile(path, merged, 0o600); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Header   struct{ MinZoom, MaxZoom int }
		Layers   map[string]int
		BadRings int
	}
	if err := json.Unmarshal(oracles.Run(t, "pmtiles.mjs", path, "16"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Header.MinZoom != 14 || got.Header.MaxZoom != 16 || got.Layers["trees"] != 60 || got.Layers["segments"] < 12 ||
		got.BadRings != 0 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(string(merged[:8]), "PMTiles") {
		t.Error("no archive")
	}
}
