package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A landscape is written step by step, with its truth.
func TestALandscapeIsMadeUp(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the whole-system test")
	}
	dir := filepath.Join(t.TempDir(), "scene")
	c := exec.Command(program(t), "demo", "--scene", "1", "--seed", "3", "--ortho", "0", "--out", dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"landscape: 1 of 6, laser scan 20220915", "landscape: 6 of 6, truth", "landscape of 1 km² in " + dir} {
		if !strings.Contains(string(out), want) {
			t.Errorf("printed %q, expected %q", out, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "truth", "events.geojson")); err != nil {
		t.Error(err)
	}
}
