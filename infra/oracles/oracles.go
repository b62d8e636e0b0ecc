// Package oracles finds the programs of others that tests ask, and runs the independent readers of the
// published forms: Node.js scripts over packages that `make oracles` installs into this folder. It is imported
// by tests only; they are skipped, saying so, where a program or a package is absent.
package oracles

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"
)

// Run runs a script of this folder and gives what it prints.
func Run(t testing.TB, script string, args ...string) []byte {
	t.Helper()
	node, folder := Program(t, "node"), Folder(t, "infra/oracles", "pmtiles")
	cmd := exec.Command(node, append([]string{filepath.Join(folder, script)}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr.Bytes())
	}
	return out
}
