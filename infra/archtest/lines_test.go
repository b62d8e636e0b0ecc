package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

const (
	maxColumns = 140
	tabColumns = 4
)

// wide are the numbers of the lines of a file that have more than 140 columns, but for those whose column 140 lies in a string: a text
// is not broken for its length.
func wide(set *token.FileSet, file *ast.File, text string) []int {
	var found []int
	ends := map[int]int{} // offset of the first byte beyond the columns, by line
	at := 0
	for i, line := range strings.Split(text, "\n") {
		columns := 0
		for j, r := range line {
			if columns++; r == '\t' {
				columns += tabColumns - 1
			}
			if columns > maxColumns {
				found, ends[i+1] = append(found, i+1), at+j
				break
			}
		}
		at += len(line) + 1
	}
	if len(found) == 0 {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			from, to := set.Position(l.Pos()), set.Position(l.End())
			found = slices.DeleteFunc(found, func(line int) bool { return from.Offset <= ends[line] && ends[line] <= to.Offset })
		}
		return true
	})
	return found
}

// TestLinesAreNarrow: no line of code or of a comment has more than 140 columns, a tab counted as four.
func TestLinesAreNarrow(t *testing.T) {
	for _, f := range goFiles(t) {
		if ast.IsGenerated(f.syntax) || f.path == "shared/geo/hexgrid/tables.go" { // numbers, one table
			continue
		}
		for _, line := range wide(positions, f.syntax, text(t, f.path)) {
			t.Errorf("%s:%d has more than %d columns: break it in its outermost list, condition or sum", f.path, line, maxColumns)
		}
	}
}

// TestColumnsAreCounted: what counts as too wide.
func TestColumnsAreCounted(t *testing.T) {
	letters := func(n int) string { return strings.Repeat("ä", n) }
	source := fmt.Sprintf(`package p
// %s
// %s
var a = "%s"
var b = "x" + c // %s
func f() {
	%s()
	%s()
}
var d = "%s" + %s
`, letters(137), letters(138), letters(200), letters(130), letters(134), letters(135), letters(100), letters(50))
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := wide(set, file, source), []int{3, 5, 8, 10}; !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}
