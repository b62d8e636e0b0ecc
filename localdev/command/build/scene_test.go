package build

import (
	"bytes"
	"os"
	"path/filepath"
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

// A landscape that cannot be made is refused before anything is written.
func TestLandscapesThatCannotBe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "scene")
	for _, c := range [][]string{
		{"--scene", "0"}, {"--scene", "26"}, {"--seed", "2"}, {"--scene", "1", "--seed-set", "mine"},
		{"--scene", "1", "--seed-set", "sealed"}, {"--scene", "1", "--ortho", "30"},
	} {
		if out, err := demoRun(t, append(c, "--out", dir)...); err == nil {
			t.Errorf("%v: no error, printed %q", c, out)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a refused landscape leaves a directory")
	}
}
