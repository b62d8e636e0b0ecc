package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

// module is the packages by import path.
type module map[string]listed

func loadModule() (module, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./...").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("go list: %s", exit.Stderr)
	}
	if err != nil {
		return nil, err
	}
	m := module{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return m, nil
		} else if err != nil {
			return nil, err
		}
		m[p.ImportPath] = p
	}
}

func (m module) mutants(pkg string) ([]mutant, error) {
	p, ok := m[pkg]
	if !ok {
		return nil, fmt.Errorf("there is no package %s", pkg)
	}
	var all []mutant
	for _, name := range p.GoFiles {
		found, err := mutantsOf(pkg, filepath.Join(p.Dir, name))
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
		tests := len(p.TestGoFiles) + len(p.XTestGoFiles)
		if path != pkg && tests > 0 && slices.Contains(slices.Concat(p.Imports, p.TestImports, p.XTestImports), pkg) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
