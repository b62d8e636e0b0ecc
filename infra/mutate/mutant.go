package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"mappe/infra/golist"
)

// mutant is one change of one operator or literal.
type mutant struct {
	pkg, file  string // import path; path of the source file
	line       int
	function   string // "Type.Method" or "function"; "" outside of one
	expression string // as gofmt writes it, on one line
	from, to   string
	at         int // offset of from in the file
	nth        int // among the same changes of the same expression of the function, from 1
}

// key names a mutant without its position, so that lines may move: tab-separated package, function,
// expression and change.
func (m mutant) key() string {
	change := m.from + " → " + cmp.Or(m.to, "nothing")
	if m.nth > 1 {
		change += fmt.Sprintf(" #%d", m.nth)
	}
	return strings.Join([]string{golist.Name(m.pkg), m.function, m.expression, change}, "\t")
}

// changes are what each operator may become: the other side of the bound, the opposite, the other sign.
var changes = map[token.Token][]string{
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD: {"-"}, token.SUB: {"+"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="},
}

// mutantsOf are the changes of a source file, in its order. A change may not compile: + joins strings too.
func mutantsOf(pkg, file string) ([]mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(parsed) {
		return nil, nil
	}
	c := collector{set: set, source: source, pkg: pkg, file: file, seen: map[string]int{}}
	for _, d := range parsed.Decls {
		c.function = ""
		if f, ok := d.(*ast.FuncDecl); ok {
			c.function = nameOf(f)
		}
		c.walk(d)
	}
	return c.found, nil
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

type collector struct {
	set                 *token.FileSet
	source              []byte
	pkg, file, function string
	seen                map[string]int
	found               []mutant
}

// walk visits a declaration; a boolean literal is told with the statement or the expression around it.
func (c *collector) walk(d ast.Decl) {
	var around []ast.Node
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		c.visit(n, around)
		around = append(around, n)
		return true
	})
}

func (c *collector) visit(n ast.Node, around []ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		c.add(n, n.OpPos, n.Op.String(), changes[n.Op]...)
	case *ast.AssignStmt:
		c.add(n, n.TokPos, n.Tok.String(), changes[n.Tok]...)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			c.add(n, n.OpPos, n.Op.String(), "")
		}
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			other := map[string]string{"true": "false", "false": "true"}[n.Name]
			c.add(surroundings(n, around), n.Pos(), n.Name, other)
		}
	}
}

// surroundings is the smallest statement, field or call around a literal, which tells more than the literal.
func surroundings(n ast.Node, around []ast.Node) ast.Node {
	for i := len(around) - 1; i >= 0; i-- {
		switch a := around[i].(type) {
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.CallExpr, *ast.KeyValueExpr, *ast.ValueSpec, *ast.BinaryExpr:
			return a
		case *ast.BlockStmt, *ast.FuncLit:
			return n
		}
	}
	return n
}

func (c *collector) add(n ast.Node, pos token.Pos, from string, to ...string) {
	var text bytes.Buffer
	if err := format.Node(&text, c.set, n); err != nil {
		return // a node that cannot be printed cannot be named
	}
	for _, t := range to {
		at := c.set.Position(pos)
		m := mutant{
			pkg: c.pkg, file: c.file, line: at.Line, at: at.Offset, function: c.function, from: from, to: t,
			expression: strings.Join(strings.Fields(text.String()), " "),
		}
		c.seen[m.key()]++
		m.nth = c.seen[m.key()]
		c.found = append(c.found, m)
	}
}

// write puts the changed source and the overlay that shows it to the compiler into a folder; it gives the
// overlay's path.
func (m mutant) write(folder string) (string, error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(source[m.at:], []byte(m.from)) {
		return "", fmt.Errorf("%s has changed since it was read", m.file)
	}
	changed := string(source[:m.at]) + cmp.Or(m.to, " ") + string(source[m.at+len(m.from):])
	copied := filepath.Join(folder, filepath.Base(m.file))
	if err := os.WriteFile(copied, []byte(changed), 0o600); err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace":{%q:%q}}`, m.file, copied), 0o600)
}
