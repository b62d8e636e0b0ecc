package national

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
)

// spoil changes the first tile of a folder.
func spoil(t *testing.T, dir, folder string, change func(file string) error) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "tiles", filepath.FromSlash(folder), "*", "*.pbf"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no tile below %s: %v", folder, err)
	}
	if err := change(names[len(names)/2]); err != nil {
		t.Fatal(err)
	}
}

// The first build of an incomplete source publishes nothing of the KGs it concerns, unless an operator
// accepts the gaps.
func TestAnIncompleteSourceIsRefused(t *testing.T) {
	empty := func(file string) error { return os.WriteFile(file, nil, 0o644) }
	page := func(file string) error { return os.WriteFile(file, []byte("<!DOCTYPE html><p>busy"), 0o644) }
	for name, c := range map[string]struct {
		folder string
		change func(string) error
		says   string
	}{
		"a missing tile of parcels":  {"kataster/15", os.Remove, "missing"},
		"a missing tile of land use": {"kataster/16", os.Remove, "land-use shapes are cut"},
		"a tile of 0 bytes":          {"kataster/15", empty, "failed download"},
		"a page for a tile":          {"kataster/16", page, "failed download"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
			spoil(t, dir, c.folder, c.change)
			s := mustBuild(t, dir, st, Options{})
			bad := s.Count(kgbuild.Refused) + s.Count(kgbuild.Failed)
			if bad == 0 {
				t.Fatalf("published: %+v", s.Results)
			}
			for _, r := range s.Results {
				if r.Err != nil && !strings.Contains(r.Err.Error(), c.says) {
					t.Errorf("want %q said, got %v", c.says, r.Err)
				}
			}
			accepted := mustBuild(t, dir, st, Options{AcceptGaps: true})
			if n := accepted.Count(kgbuild.Refused) + accepted.Count(kgbuild.Failed); n > 0 || !accepted.Published {
				t.Errorf("accepted: %d are not published: %+v", n, accepted.Results)
			}
			for _, r := range accepted.Results {
				if r.Outcome == kgbuild.Built && r.Quality.Verdict == rowschema.Pass && s.Count(kgbuild.Built) == 0 {
					t.Errorf("KG %s passes without a word", r.Code)
				}
			}
			intact(t, st)
		})
	}
}
