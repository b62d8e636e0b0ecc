package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"mappe/infra/golist"
)

// Goroutines meet where one is started, or where a value is locked or counted atomically.
func TestWhereGoroutinesMeet(t *testing.T) {
	for _, c := range []struct {
		source string
		want   bool
	}{
		{"func f() { go f() }", true},
		{"var mu sync.Mutex", true},
		{"func f(wg *sync.WaitGroup) {}", true},
		{"var n atomic.Int64", true},
		{"func f() { var g errgroup.Group; _ = g }", true},
		{"var once sync.Once", false},
		{"var table = sync.OnceValue(f)", false},
		{"var scratch sync.Pool", false},
		{"func f() int { return 1 }", false},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+c.source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := meets(f); got != c.want {
			t.Errorf("%s: want %t, got %t", c.source, c.want, got)
		}
	}
}

// Every package of the module is tested once as a whole; a narrowed one without the race detector, and again
// with it in some of its tests.
func TestEveryPackageIsTested(t *testing.T) {
	parts, err := options{race: "auto"}.split([]string{"mappe/..."})
	if err != nil {
		t.Fatal(err)
	}
	plain, inC, race, narrow := parts[0], parts[1], parts[2], parts[3]
	if !slices.Contains(inC.packages, golist.Module+"shared/geo/hexgrid") {
		t.Errorf("shared/geo/hexgrid has an oracle in C: want it tested with cgo, got %v", inC.packages)
	}
	all, err := golist.List(".", "mappe/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		in := func(of part) bool { return slices.Contains(of.packages, p.ImportPath) }
		whole := 0
		for _, of := range []part{plain, inC, race} {
			if in(of) {
				whole++
			}
		}
		if whole != 1 {
			t.Errorf("%s: want it whole in one of the parts, got it in %d", p.ImportPath, whole)
		}
		if want := len(narrowed[golist.Name(p.ImportPath)]) > 0; in(narrow) != want || want && !in(plain) {
			t.Errorf("%s: want it narrowed %t, got %t", p.ImportPath, want, in(narrow))
		}
	}
	nested, err := options{race: "auto", folder: filepath.Join("..", "..", "localdev", "node")}.split([]string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	plain.packages = append(plain.packages, nested[0].packages...)
	for name := range narrowed {
		if !slices.Contains(plain.packages, golist.Module+name) {
			t.Errorf("%s is narrowed and no package of the module", name)
		}
	}
	for _, sure := range []string{"shared/cloud/jobs", "shared/cloud/ledger/sqlite", "artefacts/library", "shared/cloud/pay"} {
		if !slices.Contains(slices.Concat(race.packages, narrow.packages), golist.Module+sure) {
			t.Errorf("%s shares values between goroutines: want it tested with the race detector", sure)
		}
	}
	if !slices.Equal(narrow.flags[:2], []string{"-race", "-run"}) {
		t.Errorf("narrowed: %q", narrow.flags)
	}
}
