package build

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func demoRun(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := demoCommand()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&out)
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

// A landscape is written step by step; what cannot be made is refused before anything is written.
func TestLandscapes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "scene")
	for _, c := range [][]string{
		{"--scene", "0"}, {"--scene", "26"}, {"--seed", "2"}, {"--scene", "1", "--seed-set", "mine"}, {"--scene", "1", "--seed-set", "sealed"}, {"--scene", "1", "--ortho", "30"},
	} {
		if out, err := demoRun(t, append(c, "--out", dir)...); err == nil {
			t.Errorf("%v: no error, printed %q", c, out)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a refused landscape leaves a directory")
	}
	out, err := demoRun(t, "--scene", "1", "--seed", "3", "--ortho", "0", "--out", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"landscape: 1 of 6, laser scan 20220915", "landscape: 6 of 6, truth", "landscape of 1 km² in " + dir} {
		if !strings.Contains(out, want) {
			t.Errorf("printed %q, expected %q", out, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "truth", "events.geojson")); err != nil {
		t.Error(err)
	}
}
