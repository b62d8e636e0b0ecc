// Package oracles finds the programs of others that tests ask, as infra/oracles does for the main module, and says how long a random
// search runs. Tests alone import it.
package oracles

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Node is the path of Node.js; the test is skipped, saying so, where it is not installed.
func Node(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: node (Debian package nodejs) is not installed")
	}
	return path
}

// Folder is a folder of the repository in which make has installed an npm package; the test is skipped, saying so, where the package
// is not there. up leads from the test's folder to the repository.
func Folder(t testing.TB, folder, pkg, up string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(up, filepath.FromSlash(folder)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(pkg))); err != nil {
		t.Skipf("skipped: %s (npm, folder %s) is not installed", pkg, folder)
	}
	return dir
}

// Rounds yields the numbers of a random search from 0: as many as short says, or for as long as MAPPE_SOAK says (a Go duration). It logs
// how many those were; infra/soak reads it.
func Rounds(t testing.TB, short int) func(yield func(uint64) bool) {
	t.Helper()
	var long time.Duration
	if v := os.Getenv("MAPPE_SOAK"); v != "" {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			t.Fatalf("MAPPE_SOAK is %q: expected a duration above zero, for example 10m", v)
		}
		long = d
	}
	end := time.Now().Add(long)
	return func(yield func(uint64) bool) {
		i := uint64(0)
		for ; i < uint64(short) || time.Now().Before(end); i++ {
			if !yield(i) {
				return
			}
		}
		t.Logf("%d rounds", i)
	}
}
