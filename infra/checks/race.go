package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"mappe/infra/golist"
)

// part is a set of packages that are tested in one way.
type part struct {
	what     string
	flags    []string
	env      []string
	packages []string // import paths
}

// pure are packages that hold a lock or start a goroutine and are tested without the race detector all the
// same, with the reason. Everything else with concurrency is tested with it.
var pure = map[string]string{}

// split puts the packages of the patterns into the part with the race detector and the one without. The
// second is built without cgo, as the functions are: its objects are those that vet and the archives need.
func (o options) split(patterns []string) ([]part, error) {
	packages, err := golist.List(".", patterns...)
	if err != nil {
		return nil, err
	}
	race := part{what: "with the race detector", flags: []string{"-race"}, env: []string{"CGO_ENABLED=1"}}
	plain := part{what: "without the race detector", env: []string{"CGO_ENABLED=0"}}
	for _, p := range packages {
		to := &plain
		switch concurrent, err := concurrent(p); {
		case err != nil:
			return nil, err
		case o.race == "all", o.race == "auto" && concurrent && pure[p.ImportPath] == "":
			to = &race
		}
		to.packages = append(to.packages, p.ImportPath)
	}
	return []part{plain, race}, nil
}

// concurrent says whether goroutines meet in the package: it or its tests start some, or it holds locks or
// atomic values, which are there for the goroutines of its callers. sync.Once and its kin do not count:
// what they guard is written once and by themselves. A package without tests is never run.
func concurrent(p golist.Package) (bool, error) {
	if !p.Tested() {
		return false, nil
	}
	for _, file := range append(p.Sources(), p.Tests()...) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		if meets(f) {
			return true, nil
		}
	}
	return false, nil
}

// meets says whether a file starts goroutines, locks or counts atomically.
func meets(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				found = found || x.Name == "atomic" || x.Name == "errgroup" || x.Name == "sync" && !strings.HasPrefix(n.Sel.Name, "Once")
			}
		}
		return !found
	})
	return found
}
