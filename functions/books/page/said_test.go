package page

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	verb        = regexp.MustCompile(`%[-+#0-9.]*[a-z]`)
	sentenceEnd = regexp.MustCompile(`[.!?] [A-Z]`)
	aValue      = regexp.MustCompile(`\\\{[a-z]\\\}`)
)

// TestGermanOfWhatIsSaid: every sentence that the press and the readers refuse a manuscript with, and that the
// jobs end a build with, has a German one.
func TestGermanOfWhatIsSaid(t *testing.T) {
	var patterns []*regexp.Regexp
	for _, m := range entry.FindAllStringSubmatch(text("said.js"), -1) {
		patterns = append(patterns, regexp.MustCompile("^"+aValue.ReplaceAllString(regexp.QuoteMeta(m[1]), "(.+)")+"$"))
		if a, b := len(bracketed.FindAllString(m[1], -1)), len(bracketed.FindAllString(m[2], -1)); a != b {
			t.Errorf("%q has %d values, in German %d", m[1], a, b)
		}
	}
	found := 0
	for _, where := range saidIn(t) {
		for _, sentence := range sentences(where) {
			found++
			known := sentence == advised
			for _, p := range patterns {
				known = known || p.MatchString(sentence)
			}
			if !known {
				t.Errorf("%q has no German", sentence)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d sentences were found", found)
	}
}

// advised stands for what mends a finding: the page knows that by the finding's type.
const advised = "Mend it."

func sentences(text string) []string {
	var all []string
	for {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			return append(all, text)
		}
		all, text = append(all, text[:at[0]+1]), text[at[0]+2:]
	}
}

// saidIn are the texts of Refuse(…, text, …), Fault{Plain: text} and the jobs' own, with § for each value.
func saidIn(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"shared/book/reader/*.go", "shared/book/reader/*/*.go", "shared/book/press/*.go", "shared/cloud/jobs/claim.go"} {
		some, err := filepath.Glob(filepath.Join("../../..", filepath.FromSlash(pattern)))
		if err != nil || some == nil {
			t.Fatal(pattern, err)
		}
		files = append(files, some...)
	}
	var all []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		constants := map[string]string{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if len(n.Values) == 1 {
					constants[n.Names[0].Name] = literal(n.Values[0], constants)
					if strings.HasPrefix(n.Names[0].Name, "text") && strings.HasSuffix(name, "claim.go") {
						all = append(all, literal(n.Values[0], constants))
					}
				}
			case *ast.CallExpr:
				if called(n) == "Refuse" && len(n.Args) > 1 {
					all = append(all, literal(n.Args[1], constants))
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Plain" {
					if s := literal(n.Value, constants); s != "§" { // a reader's, which is found there
						all = append(all, s)
					}
				}
			}
			return true
		})
	}
	return all
}

func called(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// literal is the text of an expression; § stands for what is not written there.
func literal(e ast.Expr, constants map[string]string) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return verb.ReplaceAllString(s, "§")
		}
	case *ast.BinaryExpr:
		return literal(e.X, constants) + literal(e.Y, constants)
	case *ast.CallExpr:
		if called(e) == "Sprintf" && len(e.Args) > 0 {
			return literal(e.Args[0], constants)
		}
		if called(e) == "Fix" {
			return advised
		}
	case *ast.Ident:
		if s, ok := constants[e.Name]; ok {
			return s
		}
	}
	return "§"
}
