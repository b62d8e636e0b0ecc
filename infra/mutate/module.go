package main

import (
	"fmt"
	"slices"

	"mappe/infra/golist"
)

// module is the packages by import path.
type module map[string]golist.Package

func loadModule() (module, error) {
	packages, err := golist.List(".", golist.Module+"...")
	if err != nil {
		return nil, err
	}
	m := module{}
	for _, p := range packages {
		m[p.ImportPath] = p
	}
	return m, nil
}

// mutants are the changes of all sources of a package.
func (m module) mutants(pkg string) ([]mutant, error) {
	p, ok := m[pkg]
	if !ok {
		return nil, fmt.Errorf("there is no package %s", pkg)
	}
	var all []mutant
	for _, file := range p.Sources() {
		found, err := mutantsOf(pkg, file)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// users are the packages with tests that import a package, in order.
func (m module) users(pkg string) []string {
	var out []string
	for path, p := range m {
		if path != pkg && p.Tested() && slices.Contains(slices.Concat(p.Imports, p.TestImports, p.XTestImports), pkg) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
