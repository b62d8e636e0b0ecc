// Package realdata finds the real files that tests use and the project does not ship: a folder
// shared/data beside the checkout. It is imported by tests only.
package realdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Path is the file's path; the test is skipped, saying so, where the file is absent.
func Path(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		p := filepath.Join(filepath.Dir(dir), "shared", "data", filepath.FromSlash(name))
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	t.Skipf("skipped: real data file %s is not beside the checkout", name)
	return ""
}
