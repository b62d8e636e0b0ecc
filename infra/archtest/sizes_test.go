package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// What a function may have at most, in code that is no test and not generated.
const (
	maxLines      = 60 // from func to the closing brace
	maxParameters = 5  // without the receiver
)

// oversized are the declared functions of a file that have too many lines or parameters: "lines NAME" or "parameters NAME", with how
// many. NAME is that of the function, of a method with its type before it.
func oversized(set *token.FileSet, file *ast.File) map[string]int {
	found := map[string]int{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > maxLines {
			found["lines "+functionName(f)] = n
		}
		if n := f.Type.Params.NumFields(); n > maxParameters {
			found["parameters "+functionName(f)] = n
		}
	}
	return found
}

// functionName is the name of a function, of a method TYPE.NAME.
func functionName(f *ast.FuncDecl) string {
	name := f.Name.Name
	if f.Recv == nil {
		return name
	}
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name + "." + name
		default:
			return name
		}
	}
}

// exempted reads testdata/sizes.tsv: "FILE lines|parameters NAME" of each, with the reason.
func exempted(t *testing.T, list string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			t.Errorf("testdata/sizes.tsv: %q: want FILE, lines or parameters, FUNCTION and the reason, with tabs", line)
			continue
		}
		key := strings.Join(cells[:3], " ")
		if out[key] {
			t.Errorf("testdata/sizes.tsv: %s stands there twice", key)
		}
		out[key] = true
	}
	return out
}

// TestFunctionsAreShort: no function has more than 60 lines or more than five parameters but those of testdata/sizes.tsv, and none stands
// there that holds to both: the list only ever gets shorter.
func TestFunctionsAreShort(t *testing.T) {
	exempt := exempted(t, text(t, "infra/archtest/testdata/sizes.tsv"))
	files := 0
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f.path, "_test.go") || ast.IsGenerated(f.syntax) {
			continue
		}
		files++
		for what, n := range oversized(positions, f.syntax) {
			if key := f.path + " " + what; !exempt[key] {
				t.Errorf("%s: %d; at most %d lines and %d parameters: split it along its steps, or give it a struct", key, n, maxLines,
					maxParameters)
			} else {
				delete(exempt, key)
			}
		}
	}
	if files < 1000 {
		t.Errorf("only %d files were found", files)
	}
	for _, key := range slices.Sorted(maps.Keys(exempt)) {
		t.Errorf("testdata/sizes.tsv names %s, which is not too large, or no more: take the line out", key)
	}
}

// TestSizesAreCounted: what is counted as a line and a parameter.
func TestSizesAreCounted(t *testing.T) {
	body := func(lines int) string { return "{" + strings.Repeat("\n", lines-1) + "}" }
	source := fmt.Sprintf(`package p
func fits(a, b, c, d, e int) %s
// The comment is not counted.
func long() %s
func (t *tree[K]) wide(a, b int, c string, _, _ int, rest ...any) %s
func unnamed(int, int, int, int, int, int) %s
func elsewhere(a, b, c, d, e, f int)
`, body(60), body(61), body(70), body(1))
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"lines long": 61, "lines tree.wide": 70, "parameters tree.wide": 6, "parameters unnamed": 6}
	if got := oversized(set, file); !maps.Equal(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
}
