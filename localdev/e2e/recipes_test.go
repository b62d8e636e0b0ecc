package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

// recipe is a block of shell of docs/recipes.md with the output that stands below it.
var recipe = regexp.MustCompile("(?s)## ([^\n]+)\n\n```sh\n(.*?)\n```\n\n```text\n(.*?)\n```")

// recipes runs docs/recipes.md as it stands against the demo country at base; the program of this repository is called mappe there.
func recipes(t *testing.T, bin, base string) {
	oracles.Program(t, "curl")
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "recipes.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(bin, filepath.Join(programs, "mappe")); err != nil {
		t.Fatal(err)
	}
	list := recipe.FindAllStringSubmatch(string(text), -1)
	if want := strings.Count(string(text), "\n## "); len(list) != want || want < 20 {
		t.Fatalf("%d of %d recipes have commands and an output", len(list), want)
	}
	for _, r := range list {
		c := exec.Command("sh", "-e", "-c", r[2])
		c.Dir = dir
		c.Env = append(os.Environ(), "MAPPE="+base, "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := c.Output()
		got := strings.NewReplacer("\ufeff", "", "\r\n", "\n").Replace(strings.TrimRight(string(out), "\r\n"))
		if err != nil || got != r[3] {
			t.Errorf("%s: %v\n%s\nwant\n%s", r[1], err, got, r[3])
		}
	}
}
