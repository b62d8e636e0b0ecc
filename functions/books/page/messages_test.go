package page

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

var (
	verb        = regexp.MustCompile(`%[-+#0-9.]*[a-z]`)
	sentenceEnd = regexp.MustCompile(`[.!?] [A-Z]`)
	aValue      = regexp.MustCompile(`\\\{[a-z]\\\}`)
)

// TestGermanOfEveryMessage: every sentence that the press and the readers refuse a manuscript with, and that the
// jobs end a build with, has a German one.
func TestGermanOfEveryMessage(t *testing.T) {
	patterns := germanPatterns(t)
	found := 0
	for _, where := range messagesIn(t) {
		for _, sentence := range sentences(where) {
			found++
			if sentence != advised && !patterns.match(sentence) {
				t.Errorf("%q has no German", sentence)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d sentences were found", found)
	}
}

// translations are the patterns of the messages that the page has in German.
type translations []*regexp.Regexp

func germanPatterns(t *testing.T) (all translations) {
	t.Helper()
	for _, m := range entry.FindAllStringSubmatch(text("messages.js"), -1) {
		all = append(all, regexp.MustCompile("^"+aValue.ReplaceAllString(regexp.QuoteMeta(m[1]), "(.+)")+"$"))
		if a, b := len(bracketed.FindAllString(m[1], -1)), len(bracketed.FindAllString(m[2], -1)); a != b {
			t.Errorf("%q has %d values, in German %d", m[1], a, b)
		}
	}
	return all
}

func (s translations) match(text string) bool {
	return slices.ContainsFunc(s, func(p *regexp.Regexp) bool { return p.MatchString(text) })
}

// TestGermanOfWhatAFieldMayHold: what the transmittal and the index say of a wrong field stands beside it.
func TestGermanOfWhatAFieldMayHold(t *testing.T) {
	patterns := germanPatterns(t)
	for _, data := range []map[string]any{
		{"title": strings.Repeat("x", 301)}, {"size_pt": 40.0}, {"bleed_mm": 0.5}, {"isbn": "978-3-16-148410-1"}, {"trim": "A0"},
		{"size_pt": 14.0, "leading_pt": 12.0},
		{"outer_mm": 1.0, "printer": "kdp"}, {"top_mm": 1.0}, {"bottom_mm": 1.0}, {"inner_mm": 60.0, "outer_mm": 40.0},
		{"top_mm": 80.0, "bottom_mm": 60.0}, {"bottom_mm": 80.0, "trim": "90x140"},
		{"trim": "90x140", "inner_mm": 60.0, "outer_mm": 60.0}, {"trim": "90x140", "size_pt": 18.0, "leading_pt": 18.0},
		{"trim": "90x140", "leading_pt": 30.0, "top_mm": 30.0, "bottom_mm": 20.0},
	} {
		_, err := spec.Apply(spec.Default(), data)
		var wrong *spec.FieldError
		if !errors.As(err, &wrong) {
			t.Errorf("%v: want it refused, got %v", data, err)
		} else if !patterns.match(wrong.Allowed) {
			t.Errorf("%v: %q has no German", data, wrong.Allowed)
		}
	}
	b := manuscript.Book{}
	newton := bookindex.Entry{ID: "n", Term: "Newton", Keep: true}
	for name, entries := range map[string][]bookindex.Entry{
		"no term": {{ID: "a"}}, "a space": {{ID: "a", Term: "A "}}, "two lines": {{ID: "a", Term: "A\nB"}},
		"nobody":   {{ID: "a", Term: "A", See: []string{"B"}, Keep: true}},
		"itself":   {{ID: "a", Term: "A", See: []string{"A"}, Keep: true}},
		"a circle": {{ID: "a", Term: "A", See: []string{"Newton"}, Keep: true}, {ID: "n", Term: "Newton", See: []string{"A"}, Keep: true}},
		"places":   {{ID: "a", Term: "A", See: []string{"Newton"}, Locators: []bookindex.Locator{{Anchor: "p1"}}}, newton},
		"no place": {{ID: "a", Term: "A", Locators: []bookindex.Locator{{Anchor: "p1"}}}},
		"many":     {{ID: "a", Term: "A", See: slices.Repeat([]string{"Newton"}, 1000), Keep: true}, newton},
	} {
		err := bookindex.Validate(entries, b)
		var wrong *bookindex.EntryError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: want it refused, got %v", name, err)
		} else if !patterns.match(wrong.Wrong) {
			t.Errorf("%s: %q has no German", name, wrong.Wrong)
		}
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

// messagesIn are the texts of Refuse(…, text, …), Fault{Plain: text} and the jobs' own, with § for each value.
func messagesIn(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"shared/book/reader/*.go", "shared/book/reader/*/*.go", "shared/book/press/*.go",
		"shared/cloud/jobs/claim.go"} {
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
