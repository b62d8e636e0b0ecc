package archtest

import (
	"slices"
	"strings"
	"testing"

	"mappe/infra/golist"
)

// TestBudgetsNamePackages: a budget is of a package with tests; one that is no more would hide a new name.
func TestBudgetsNamePackages(t *testing.T) {
	tested := map[string]bool{"*": true}
	for _, p := range append(slices.Clone(goList(t)), nodeList(t)...) {
		tested[golist.Name(p.ImportPath)] = p.Tested()
	}
	for line := range strings.Lines(text(t, ".ci/budgets.tsv")) {
		if name, _, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") && !tested[name] {
			t.Errorf(".ci/budgets.tsv gives seconds to %q, which is no package with tests", name)
		}
	}
}
