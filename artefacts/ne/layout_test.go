package ne

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// The layout that the service publishes is the one that the package comment draws.
func TestLayoutIsThePackageComment(t *testing.T) {
	src, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", src, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	text := f.Doc.Text()
	_, drawn, ok := strings.Cut(text, "# Rows")
	if !ok || "# Rows"+drawn != Layout {
		t.Errorf("layout.txt and the package comment differ:\n%s\n---\n%s", "# Rows"+drawn, Layout)
	}
	if pin := Pin(); len(pin) != 64 || pin == strings.Repeat("0", 64) {
		t.Errorf("pin %q", pin)
	}
}
