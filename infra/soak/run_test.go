package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/infra/golist"
)

// A target is fuzzed for its slice, and of that no input takes more than some executions to be made smaller: with the
// default of a minute a target with large inputs executes nothing else.
func TestASliceIsSpentOnFuzzing(t *testing.T) {
	s := &soak{slice: 14 * time.Second}
	args := s.fuzzing(row{kind: fuzz, pkg: golist.Package{ImportPath: "example/a"}, test: "FuzzRead"}, "^FuzzRead$")
	for name, want := range map[string]string{"-fuzz": "^FuzzRead$", "-fuzztime": "14s", "-fuzzminimizetime": "100x", "-run": "^$"} {
		if i := slices.Index(args, name); i < 0 || i+1 >= len(args) || args[i+1] != want {
			t.Errorf("want %s %s in %q", name, want, args)
		}
	}
	if args[len(args)-1] != "example/a" {
		t.Errorf("want the package last, got %q", args)
	}
	make, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(make)) {
		if strings.Contains(line, "-fuzztime") && !strings.Contains(line, "-fuzzminimizetime $(FUZZMIN)") {
			t.Errorf("the bound is missing in %s", line)
		}
	}
}
