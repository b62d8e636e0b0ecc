package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/localdev/server/web"
	"mappe/localdev/server/web/webtest"
)

// sources are those of a made-up checkout, whose packages are installed.
func sources(t *testing.T) (checkout, folder string) {
	t.Helper()
	checkout = t.TempDir()
	folder = filepath.Join(checkout, filepath.FromSlash(web.Folder))
	for name, text := range map[string]string{"build.mjs": "b", "src/main.js": "m", "../../../shared/table.csv": "t",
		"package-lock.json": "{}"} {
		write(t, filepath.Join(folder, filepath.FromSlash(name)), text)
	}
	write(t, filepath.Join(folder, "node_modules", ".package-lock.json"), "{}") // after the other, as npm does
	return checkout, folder
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// packs writes what build.mjs writes of the sources as they are.
func packs(t *testing.T, folder string) {
	t.Helper()
	var list strings.Builder
	for _, name := range []string{"../../../shared/table.csv", "build.mjs", "src/main.js"} {
		b, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(b), name)
	}
	write(t, filepath.Join(folder, "packed", "index.html.gz"), string(webtest.Packed(t, "<title>map</title>")))
	write(t, filepath.Join(folder, "packed", ".sources"), list.String())
}

// npm puts a program of that name in place of all others: it notes in a file what it is asked for, and does what the script says.
func npm(t *testing.T, script string) (asked func() string) {
	t.Helper()
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	write(t, filepath.Join(bin, "npm"), "#!/bin/sh\necho \"$1 $2\" >>"+log+"\n"+script+"\n")
	if err := os.Chmod(filepath.Join(bin, "npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	return func() string {
		b, _ := os.ReadFile(log) // none: nobody has asked
		return strings.ReplaceAll(string(b), "\n", ";")
	}
}

func TestABundleIsMadeOfTheSourcesAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, folder string)
		asked  string
	}{
		{"made of these", func(*testing.T, string) {}, ""},
		{"a script changed", func(t *testing.T, folder string) { write(t, filepath.Join(folder, "src", "main.js"), "n") }, "run build;"},
		{"a table of another folder changed", func(t *testing.T, folder string) {
			write(t, filepath.Join(folder, "..", "..", "..", "shared", "table.csv"), "u")
		}, "run build;"},
		{"a source is gone", func(t *testing.T, folder string) { remove(t, filepath.Join(folder, "src", "main.js")) }, "run build;"},
		{"never made", func(t *testing.T, folder string) { remove(t, filepath.Join(folder, "packed")) }, "run build;"},
		{"the making was ended", func(t *testing.T, folder string) {
			remove(t, filepath.Join(folder, "packed", ".sources"))
		}, "run build;"},
		{"packages are not installed", func(t *testing.T, folder string) {
			remove(t, filepath.Join(folder, "packed"))
			remove(t, filepath.Join(folder, "node_modules"))
		}, "ci --ignore-scripts;run build;"},
		{"other packages are wanted", func(t *testing.T, folder string) {
			write(t, filepath.Join(folder, "build.mjs"), "c")
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(filepath.Join(folder, "package-lock.json"), later, later); err != nil {
				t.Fatal(err)
			}
		}, "ci --ignore-scripts;run build;"},
		{"no checkout", func(t *testing.T, folder string) { remove(t, folder) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkout, folder := sources(t)
			packs(t, folder)
			c.change(t, folder)
			asked := npm(t, "")
			var out bytes.Buffer
			if err := bundle(t.Context(), &out, checkout); err != nil {
				t.Error(err)
			}
			if got := asked(); got != c.asked || (out.Len() > 0) != (got != "") {
				t.Errorf("npm was asked for %q and %q was printed, want %q", got, &out, c.asked)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// What keeps the pages from being bundled is said in a line, and keeps nothing from being served.
func TestAServerStartsWithoutItsPages(t *testing.T) {
	refused := "echo npm error code ECONNREFUSED; echo 'npm error FetchError: request failed'; echo npm error at x; exit 1"
	broken := "echo; echo '✘ [ERROR] Could not resolve \"./dom.js\"'; echo; echo 1 error; exit 1"
	for _, c := range []struct {
		name    string
		npm     string // "" without npm
		earlier bool   // pages were bundled before
		want    string
	}{
		{"no npm", "", false, "npm is not installed"},
		{"no npm, earlier pages", "", true, "npm is not installed"},
		{"no network", refused, false, "npm run in localdev/server/web: exit status 1: FetchError: request failed"},
		{"a script with an error", broken, true, `npm run in localdev/server/web: exit status 1: ✘ [ERROR] Could not resolve "./dom.js"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkout, folder := sources(t)
			if c.earlier {
				packs(t, folder)
				write(t, filepath.Join(folder, "src", "main.js"), "later")
			}
			if npm(t, c.npm); c.npm == "" {
				t.Setenv("PATH", t.TempDir())
			}
			t.Chdir(checkout)
			var out bytes.Buffer
			p, err := pages(t.Context(), &out)
			said := strings.TrimPrefix(out.String(), "map page: bundling\n")
			there := c.earlier || web.Compiled().Bundled()
			want := map[bool]string{true: "the map page is an earlier one: ", false: "the map page is left out: "}[there] + c.want
			if err != nil || !strings.HasPrefix(said, want) || strings.Count(said, "\n") != 1 || p.Bundled() != there {
				t.Errorf("%v, printed %q, want %q; pages: %v, want %v", err, said, want, p.Bundled(), there)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if _, err := pages(ended, &out); err == nil {
				t.Error("goes on after it was ended")
			}
		})
	}
}

// Outside of a checkout nothing is bundled, and there are the pages that were compiled in.
func TestPagesOutsideOfACheckout(t *testing.T) {
	asked := npm(t, "")
	t.Chdir(t.TempDir())
	write(t, "localdev", "the program, beside which it is started")
	var out bytes.Buffer
	p, err := pages(t.Context(), &out)
	if err != nil || p.Bundled() != web.Compiled().Bundled() || asked() != "" {
		t.Errorf("%v %v, npm was asked for %q", p.Bundled(), err, asked())
	}
	said := "the map page is left out: this program was compiled without it"
	if p.Bundled() && out.Len() > 0 || !p.Bundled() && !strings.HasPrefix(out.String(), said) {
		t.Errorf("printed %q, pages: %v", &out, p.Bundled())
	}
}
