// Package judges runs the independent readers of the published forms: Node.js scripts over packages
// that `make judges` installs (npm ci in this folder). It is imported by tests only; they are skipped,
// saying so, where Node.js or the packages are absent.
package judges

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Run runs a script of this folder and gives what it prints.
func Run(t testing.TB, script string, args ...string) []byte {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: Node.js is not installed")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	dir = filepath.Join(dir, "infra", "judges")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Skip("skipped: the independent readers are not installed (make judges)")
	}
	cmd := exec.Command(node, append([]string{filepath.Join(dir, script)}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr.Bytes())
	}
	return out
}
