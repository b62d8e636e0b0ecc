package server

import (
	"os/exec"
	"testing"

	"mappe/infra/judges"
)

// What the map page's scripts do without a page: reading what is typed, the colours, both languages.
func TestTheMapsScripts(t *testing.T) {
	node, web := judges.Program(t, "node"), judges.Folder(t, "localdev/server/web", "culori")
	c := exec.Command(node, "--test", "test/palette.test.mjs", "test/query.test.mjs", "test/places.test.mjs", "test/nearest.test.mjs", "test/prices.test.mjs", "test/changes.test.mjs", "test/cells.test.mjs",
		"test/coordinates.test.mjs", "test/address.test.mjs", "test/shapes.test.mjs", "test/analyses.test.mjs", "test/filter.test.mjs", "test/kgparts.test.mjs",
		"test/tablefiles.test.mjs", "test/areaparts.test.mjs")
	c.Dir = web
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
