package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mappe/infra/oracles"
)

// goFile is a parsed file of the checkout.
type goFile struct {
	path   string // within the checkout, with slashes
	syntax *ast.File
}

// parsed are the Go files of all modules of the checkout with their comments, read once; folders that are not the project's are left out.
var parsed = sync.OnceValues(func() (files []goFile, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "node_modules" || name == "testdata" || name == "build" || strings.HasPrefix(name, ".") && name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, path)
		files = append(files, goFile{filepath.ToSlash(within), file})
		return err
	})
	return files, err
})

// positions are those of what parsed has read.
var positions = token.NewFileSet()

func goFiles(t *testing.T) []goFile {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// calls visits the calls of a method or a package's function in the project's Go files.
func calls(t *testing.T, visit func(at token.Position, called *ast.SelectorExpr, args []ast.Expr)) {
	t.Helper()
	for _, f := range goFiles(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if s, ok := c.Fun.(*ast.SelectorExpr); ok {
					visit(positions.Position(c.Pos()), s, c.Args)
				}
			}
			return true
		})
	}
}

// literal is the text of an argument that is one, else "".
func literal(args []ast.Expr, i int) string {
	if i < len(args) {
		if lit, ok := args[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			return text
		}
	}
	return ""
}

var (
	debianPackage = regexp.MustCompile(`\(Debian package ([a-z0-9.+-]+)\)`)
	// wanted are the lines of .ci/run that install a package: for a program, or for what a command finds.
	wanted = regexp.MustCompile(`(?m)^want (\S+) (\S+)|^want_for (\S+)`)
)

// TestSkipsSayWhy: a skipped test says so in one manner, and what it asks for is installed by .ci/run and
// stands in CONTRIBUTING.md. Programs are looked for by infra/oracles alone, so that no test is skipped unseen.
func TestSkipsSayWhy(t *testing.T) {
	packages, folders := map[string]bool{}, map[string]bool{}
	told := text(t, "CONTRIBUTING.md")
	skips := 0
	calls(t, func(at token.Position, called *ast.SelectorExpr, args []ast.Expr) {
		x, _ := called.X.(*ast.Ident)
		switch called.Sel.Name {
		case "Skip", "Skipf", "SkipNow":
			if x == nil || !slices.Contains([]string{"t", "b", "f", "tb"}, x.Name) {
				return // a reader that passes over bytes
			}
			skips++
			message := literal(args, 0)
			if !strings.HasPrefix(message, "skipped: ") {
				t.Errorf("%s: a skipped test says why: want a text that begins with \"skipped: \", got %q", at, message)
			}
			if reason := strings.TrimPrefix(message, "skipped: "); !strings.HasSuffix(reason, "is not installed") &&
				!strings.Contains(told, "| `"+reason+"` |") {
				t.Errorf("%s: CONTRIBUTING.md does not say why a test may be skipped with %q", at, reason)
			}
			for _, m := range debianPackage.FindAllStringSubmatch(message, -1) {
				packages[m[1]] = true
			}
		case "LookPath":
			if strings.HasSuffix(at.Filename, "_test.go") {
				t.Errorf("%s: a test finds programs with oracles.Program", at)
			}
		case "Folder":
			if x != nil && x.Name == "oracles" || strings.HasSuffix(filepath.ToSlash(at.Filename), "infra/oracles/oracles.go") {
				folders[literal(args, 1)] = true
			}
		}
	})
	if skips < 10 || len(folders) < 5 {
		t.Fatalf("only %d skips and %d folders of npm packages were found", skips, len(folders))
	}
	installs := map[string][]string{}
	for _, m := range wanted.FindAllStringSubmatch(text(t, ".ci/run"), -1) {
		installs[m[1]+m[3]] = append(installs[m[1]+m[3]], m[2])
	}
	for program, pkg := range oracles.Programs() {
		if !slices.Contains(installs[pkg], program) {
			t.Errorf("tests ask for %s: .ci/run wants a line \"want %s %s\"", program, pkg, program)
		}
		if !strings.Contains(told, "`"+program+"`") || !strings.Contains(told, "| "+pkg+" |") {
			t.Errorf("tests ask for %s: CONTRIBUTING.md does not say that it comes from %s", program, pkg)
		}
	}
	for pkg := range packages {
		if installs[pkg] == nil || !strings.Contains(told, "| "+pkg+" |") {
			t.Errorf("tests ask for the Debian package %s: it is not in .ci/run and CONTRIBUTING.md both", pkg)
		}
	}
	rule := text(t, "Makefile")
	for folder := range folders {
		if !strings.Contains(told, "`"+folder+"`") {
			t.Errorf("tests ask for the npm packages of %q: CONTRIBUTING.md does not name the folder", folder)
		}
		if !strings.Contains(rule, folder) && !strings.Contains(rule, "$(ORACLES)/"+filepath.Base(folder)) {
			t.Errorf("tests ask for the npm packages of %q: make does not install them", folder)
		}
	}
}
