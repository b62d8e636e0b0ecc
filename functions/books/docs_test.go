package books

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"mappe/shared/book/spec"
)

// TestDocsNameEveryField: the table of docs/books.md is the press's.
func TestDocsNameEveryField(t *testing.T) {
	raw, err := os.ReadFile("../../docs/books.md")
	if err != nil {
		t.Fatal(err)
	}
	text, defaults := string(raw), spec.Default().Data()
	for _, f := range spec.Fields() {
		allowed := strings.Join(f.Allowed, ", ")
		if f.Doc != "" {
			allowed = strings.TrimPrefix(allowed+"; "+f.Doc, "; ")
		}
		if allowed == "" {
			allowed = "true or false"
		}
		if row := fmt.Sprintf("| `%s` | %s | %s | %v |", f.Name, f.Label, allowed, defaults[f.Name]); !strings.Contains(text, row) {
			t.Errorf("docs/books.md lacks the row\n%s", row)
		}
	}
}
