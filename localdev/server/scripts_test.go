package server

import (
	"os/exec"
	"testing"

	"mappe/infra/oracles"
)

// What the map page's scripts do without a page: reading what is typed, the colours, both languages.
func TestTheMapsScripts(t *testing.T) {
	node, web := oracles.Program(t, "node"), oracles.Folder(t, "localdev/server/web", "culori")
	c := exec.Command(node, "--test", "testing/scripts.mjs")
	c.Dir = web
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
