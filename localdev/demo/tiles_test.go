package demo

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"mappe/shared/austria"
	"mappe/shared/geo/mvt"
)

// eachTile decodes the tiles of a tileset and zoom.
func eachTile(t testing.TB, tileset, zoom string, f func(path string, tile *mvt.Tile)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(sourceDir(t), "tiles", tileset, zoom), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		tile, err := mvt.Decode(b, mvt.Limits{})
		if err != nil {
			return err
		}
		f(p, tile)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTilesHoldEveryParcelAndLabel(t *testing.T) {
	seen, labels := map[string]bool{}, map[string]bool{}
	onDemand, kinds := map[string]bool{}, map[string]int{}
	invertedRings := 0
	eachTile(t, "kataster", "15", func(path string, tile *mvt.Tile) {
		for layer, into := range map[string]map[string]bool{"gst": seen, "gnr": labels} {
			l := tile.Layer(layer)
			if l == nil {
				continue
			}
			for i := range l.Features {
				f := &l.Features[i]
				kgValue, _ := l.Value(f, l.Key("kg"))
				gnr, _ := l.Value(f, l.Key("gnr"))
				id, err := austria.ParseParcelID(kgValue.Text() + "-" + gnr.Text())
				if err != nil {
					t.Fatalf("%s, %s %d: %v", path, layer, i, err)
				}
				if id.KG == Unbuilt { // is not of the truth: what is built at first
					onDemand[id.String()] = true
					continue
				}
				into[id.String()] = true
				switch {
				case kgValue.Kind != mvt.KindString:
					kinds["number"]++
				case len(kgValue.S) < 5:
					kinds["unpadded text"]++
				default:
					kinds["padded text"]++
				}
				if layer == "gst" && len(f.Parts) > 1 && -mvt.Area2(f.Parts[1]) > mvt.Area2(f.Parts[0]) {
					invertedRings++
				}
			}
		}
	})
	want := readTruth(t).Parcels
	if len(seen) != want || len(labels) != want {
		t.Errorf("want %d parcels and as many labelled, got %d and %d", want, len(seen), len(labels))
	}
	if len(onDemand) < 20 {
		t.Errorf("KG %s has %d parcels in the tiles, want some dozens", Unbuilt, len(onDemand))
	}
	for _, k := range []string{"number", "unpadded text", "padded text"} {
		if kinds[k] == 0 {
			t.Errorf("no kg attribute is spelled as %s", k)
		}
	}
	if invertedRings != invertedParcels {
		t.Errorf("want %d parcels with inverted rings, got %d", invertedParcels, invertedRings)
	}
}

func TestLandUseCodesAreInTheTable(t *testing.T) {
	codes := map[int64]bool{}
	for _, s := range [][2]string{{"kataster", "nfl"}, {"symbole", "nsy"}} {
		eachTile(t, s[0], "16", func(path string, tile *mvt.Tile) {
			l := tile.Layer(s[1])
			if l == nil {
				t.Fatalf("%s has no layer %s", path, s[1])
			}
			for i := range l.Features {
				v, _ := l.Value(&l.Features[i], l.Key("ns"))
				n, ok := v.Int64()
				if !ok {
					t.Fatalf("%s: ns %v is no number", path, v)
				}
				codes[n] = true
			}
		})
	}
	current := map[int64]bool{40: true, 41: true, 42: true, 48: true, 52: true, 53: true, 54: true, 55: true, 56: true, 57: true, 58: true,
		59: true, 60: true, 61: true,
		62: true, 63: true, 64: true, 65: true, 72: true, 83: true, 84: true, 87: true, 88: true, 92: true, 95: true, 96: true}
	for c := range codes {
		if !current[c] {
			t.Errorf("code %d is not in force", c)
		}
	}
	if len(codes) < 18 {
		t.Errorf("want at least 18 codes, got %d", len(codes))
	}
}
