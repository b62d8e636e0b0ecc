package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mappe/infra/golist"
)

// root is the module's directory as seen from here.
var root = filepath.Join("..", "..")

// text is a file of the module.
func text(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// name is the path within the module, "" for what is not ours.
func name(path string) string { return golist.Name(path) }

// listed are all packages of the module, asked for once.
var listed = sync.OnceValues(func() ([]golist.Package, error) { return golist.List(root, "./...") })

// goList gives the packages in folders of the module and below them, in the order of their paths; without folders, all.
func goList(t *testing.T, folders ...string) []golist.Package {
	t.Helper()
	packages, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) == 0 {
		return packages
	}
	var out []golist.Package
	for _, p := range packages {
		if under(name(p.ImportPath), folders...) {
			out = append(out, p)
		}
	}
	return out
}

// nodeList gives the packages of the node, which is a module of its own.
func nodeList(t *testing.T) []golist.Package {
	t.Helper()
	packages, err := golist.List(filepath.Join(root, "localdev", "node"), "./...")
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// under says whether a package is the folder or below it.
func under(pkg string, folders ...string) bool {
	for _, f := range folders {
		if pkg == f || strings.HasPrefix(pkg, f+"/") {
			return true
		}
	}
	return false
}
