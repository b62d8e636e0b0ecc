package kgbuild

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/builders/source/tiles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

var update = flag.Bool("update", false, "write the sums of a new recipe")

// frozen is the folder of the source that is never changed, and of the sums of what is made of it.
const frozen = "testdata/recipe"

// sumsOf builds the frozen source: a KG with a bow tie, a hole, a spike, labels without a KG, a parcel thinner
// than a pixel, symbols, houses and addresses.
func sumsOf(t *testing.T) []string {
	t.Helper()
	reader, err := tiles.Open(frozen, tiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := mem.New()
	task := Task{
		Facts: Facts{Code: "99001", Name: "Probe", GemeindeCode: "50999", GemeindeName: "Probe", DistrictName: "Probe",
			Outline: sourcetest.Outline(0), RegisterSqm: 134_000},
		Settings: Settings{Stichtag: "2026-10-01", Attribution: "made-up test data", ParcelZoom: 15, LandUseZoom: 16},
		Tiles:    reader, Store: st, Workers: 2, AcceptGaps: true,
		Addresses: []kg.Address{{KG: "99001", Building: kgfile.Building{ID: austria.BuildingID{ADRCD: 7, SUBCD: 1},
			At: geom.Point{X: sourcetest.X + 14_000, Y: sourcetest.Y + 4_000}}}},
	}
	made, err := Build(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if made.Digest.Entry.Parcels != 17 || len(made.Quality.Inexact) == 0 || made.Digest.Build.SourceLabels != 2 {
		t.Errorf("the source holds %d parcels, %+v, %+v", made.Digest.Entry.Parcels, made.Quality.Inexact, made.Digest.Build)
	}
	out := []string{"recipe " + Recipe}
	for _, o := range made.Digest.Entry.Forms.All() {
		b, err := objects.Read(t.Context(), st, o.Key)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s", o.Key[strings.IndexByte(o.Key, '.')+1:], objects.Sum(b)))
	}
	return out
}

// The bytes of a KG's forms change only with the recipe: else a store would hold KGs of two kinds of bytes
// under one recipe, and what is built in one run would depend on what was built before.
func TestNewBytesAreANewRecipe(t *testing.T) {
	file := filepath.Join(frozen, "sums.txt")
	b, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	was, now := strings.Split(strings.TrimSpace(string(b)), "\n"), sumsOf(t)
	if slices.Equal(was, now) {
		return
	}
	if was[0] == now[0] {
		t.Fatalf("the bytes of the forms changed and the recipe is still %q: give Recipe the next number and run this test with -update\nwas %q\nnow %q", Recipe, was, now)
	}
	if !*update {
		t.Fatalf("the recipe is %q, the sums are those of %q: run this test with -update", Recipe, was[0])
	}
	if err := os.WriteFile(file, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
