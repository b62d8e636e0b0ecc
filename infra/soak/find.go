package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"mappe/infra/golist"
)

// kind says how a test is made to run long.
type kind string

const (
	fuzz     kind = "fuzz"     // by go test -fuzz
	search   kind = "search"   // it asks MAPPE_SOAK how long
	kill     kind = "kill"     // again and again
	load     kind = "load"     // again and again, with the race detector
	property kind = "property" // again and again, from other random numbers
)

// row is a test to run.
type row struct {
	pkg  golist.Package
	kind kind
	test string
}

func (r row) name() string { return golist.Name(r.pkg.ImportPath) + " " + r.test }

// find reads which tests of a package run long.
func find(p golist.Package) ([]row, error) {
	words := map[string]map[string]bool{} // what each function of the tests names
	for _, file := range p.Tests() {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				words[fn.Name.Name] = named(fn)
			}
		}
	}
	var rows []row
	for name := range words {
		if k := kindOf(name, reached(words, name)); k != "" {
			rows = append(rows, row{pkg: p, kind: k, test: name})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.test, b.test) })
	return rows, nil
}

// named are the identifiers and the texts in a function.
func named(fn *ast.FuncDecl) map[string]bool {
	words := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			words[n.Name] = true
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				words[x.Name+"."+n.Sel.Name] = true
			}
		case *ast.BasicLit:
			words[strings.Trim(n.Value, `"`)] = true
		}
		return true
	})
	return words
}

// reached are the words of a function and of those of the same tests that it names, directly or through
// others. Helpers of one name in two files or types count as one: a test too many is soaked at worst.
func reached(words map[string]map[string]bool, name string) map[string]bool {
	all, seen := map[string]bool{}, map[string]bool{name: true}
	for queue := []string{name}; len(queue) > 0; queue = queue[1:] {
		for w := range words[queue[0]] {
			all[w] = true
			if words[w] != nil && !seen[w] && !strings.HasPrefix(w, "Test") {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return all
}

// crowds are words in the names of tests that ask much at once.
var crowds = []string{"AtOnce", "Concurrent", "ByMany", "OfMany", "ManyEnqueue", "Shared", "Parallel", "Race"}

// kindOf is how a test is soaked, "" for one that is not. A test that kills may search too: it searches.
func kindOf(test string, words map[string]bool) kind {
	switch {
	case strings.HasPrefix(test, "Fuzz"):
		return fuzz
	case !strings.HasPrefix(test, "Test") || test == "TestMain":
		return ""
	case words["oracles.Rounds"] || words["oracles.Soak"] || words["oracles.QGIS"] || words["MAPPE_SOAK"]:
		return search
	case words["Kill"]:
		return kill
	case words["rapid.Check"]:
		return property
	case slices.ContainsFunc(crowds, func(word string) bool { return strings.Contains(test, word) }):
		return load
	}
	return ""
}
