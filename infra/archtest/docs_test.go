package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxReadme is how long the page for users may be; the rest has pages below docs.
const maxReadme = 150

// links are those of Markdown to files of the repository.
var links = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)

// The README is short, and what the pages link to is there.
func TestPagesForPeople(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(readme), "\n"); n > maxReadme {
		t.Errorf("README.md has %d lines, at most %d: move what is not for every user below docs", n, maxReadme)
	}
	pages := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "node_modules" || name == "testdata" || name == "build" || path != root && strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".md" {
			return nil
		}
		pages++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
		return nil
	})
	if err != nil || pages < 10 {
		t.Errorf("%d pages, %v", pages, err)
	}
}
