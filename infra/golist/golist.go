// Package golist asks `go list` what packages there are. The programs and tests of infra use it.
package golist

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

// Module is the beginning of the import paths of the module's packages.
const Module = "mappe/"

// Package is what `go list -json` says of a package; the names are its.
type Package struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Deps                               []string // all, of all it imports; tests not counted
}

// List gives the packages of the patterns, in the order of their paths, as seen from a folder of the module.
func List(folder string, patterns ...string) ([]Package, error) {
	const fields = "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Deps"
	cmd := exec.Command("go", append([]string{"list", fields}, patterns...)...)
	cmd.Dir = folder
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("go list: %s", exit.Stderr)
	}
	if err != nil {
		return nil, err
	}
	var packages []Package
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p Package
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// Name is the path within the module, "" for what is not ours.
func Name(path string) string {
	rest, ours := strings.CutPrefix(path, Module)
	if !ours {
		return ""
	}
	return rest
}

// Tested says whether the package has tests.
func (p Package) Tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// Sources are the paths of the package's Go files, its tests left out.
func (p Package) Sources() []string { return p.paths(p.GoFiles) }

// Tests are the paths of the package's test files.
func (p Package) Tests() []string { return p.paths(p.TestGoFiles, p.XTestGoFiles) }

func (p Package) paths(names ...[]string) []string {
	out := slices.Concat(names...)
	for i, name := range out {
		out[i] = filepath.Join(p.Dir, name)
	}
	return out
}
