package edition_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"mappe/builders/source/edition"
)

func TestNewest(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"MAP_A_20251001.gpkg", "MAP_A_20261001.gpkg", "MAP_A_20240401.gpkg", "MAP_B_20251001.gpkg", "map_c.gpkg",
		"other_20261001.gpkg"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "MAP_D_20261001.gpkg"), 0o755); err != nil {
		t.Fatal(err)
	}
	files, older, err := edition.Newest(dir, regexp.MustCompile(`(?i)^map_.*\.gpkg$`))
	base := func(all []string) (out []string) {
		for _, f := range all {
			out = append(out, filepath.Base(f))
		}
		return out
	}
	if want := []string{"MAP_A_20261001.gpkg", "MAP_B_20251001.gpkg", "map_c.gpkg"}; err != nil || !reflect.DeepEqual(base(files), want) {
		t.Errorf("want %v, got %v (%v)", want, base(files), err)
	}
	if want := []string{"MAP_A_20240401.gpkg", "MAP_A_20251001.gpkg"}; !reflect.DeepEqual(base(older), want) {
		t.Errorf("older: want %v, got %v", want, base(older))
	}
}

func TestDate(t *testing.T) {
	for name, want := range map[string]string{
		"KAT_DKM_GST_epsg31287_20261001.gpkg": "2026-10-01", "dir/20251001_VGD.zip": "2025-10-01", "VGD_gen_50.zip": "",
		"x_20261301.zip": "", "x_120261001.zip": "", "x_20261001a": "2026-10-01",
	} {
		if got := edition.Date(name); got != want {
			t.Errorf("%s: want %q, got %q", name, want, got)
		}
	}
}
