package web

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"mappe/localdev/server/web/webtest"
)

func TestFilesOfABundle(t *testing.T) {
	files := webtest.Bundle(t, map[string]string{"map.js": "1", "index.html": "<title>map</title>", ".hidden": "x"})
	files[".sources"] = &fstest.MapFile{Data: []byte("0  a\n")}
	files["plain.js"] = &fstest.MapFile{Data: []byte("2")} // nobody has packed it
	p := Of(files)
	if !p.Bundled() {
		t.Error("not bundled")
	}
	if names, err := p.Names(); err != nil || !slices.Equal(names, []string{"index.html", "map.js"}) {
		t.Errorf("names %v %v", names, err)
	}
	packed, err := p.Packed("index.html")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := packed.Plain(); err != nil || string(plain) != "<title>map</title>" {
		t.Errorf("plain %q %v", plain, err)
	}
	for _, name := range []string{"", ".", "..", "/", "../web.go", "a/../map.js", "./map.js", "map.js/", "/map.js", ".hidden", ".sources",
		".gitkeep", "plain.js", "missing.js", "map.js.gz", `..\map.js`} {
		if b, err := p.Packed(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %d bytes, %v, want fs.ErrNotExist", name, len(b), err)
		}
	}
}

func TestNoBundle(t *testing.T) {
	for what, p := range map[string]Pages{"the zero value": {}, "a folder before the first bundle": Of(webtest.Bundle(t, nil)),
		"no folder": Of(os.DirFS(filepath.Join(t.TempDir(), "nothing")))} {
		if _, err := p.Packed("index.html"); p.Bundled() || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v %v", what, p.Bundled(), err)
		}
		if names, _ := p.Names(); len(names) > 0 {
			t.Errorf("%s: %v", what, names)
		}
	}
}

func TestAFileThatIsDamaged(t *testing.T) {
	whole := webtest.Packed(t, "a text that is long enough to be cut")
	for _, bad := range [][]byte{nil, []byte("plain"), whole[:len(whole)-9], append(slices.Clone(whole[:len(whole)-5]), 0, 0, 0, 0, 0)} {
		if plain, err := Packed(bad).Plain(); err == nil {
			t.Errorf("%x is %q", bad, plain)
		}
	}
}

// In a checkout the folder counts, if there is a bundle in it; elsewhere, what the program was compiled with.
func TestWhichPagesCount(t *testing.T) {
	title := func(p Pages) string {
		packed, err := p.Packed("index.html")
		if err != nil {
			return ""
		}
		plain, err := packed.Plain()
		if err != nil {
			t.Fatal(err)
		}
		return string(plain)
	}
	disk, program, none := Of(webtest.Bundle(t, map[string]string{"index.html": "disk"})), Of(webtest.Bundle(t, map[string]string{"index.html": "program"})),
		Of(webtest.Bundle(t, nil))
	for _, c := range []struct {
		disk, program Pages
		want          string
	}{{disk, program, "disk"}, {none, program, "program"}, {Pages{}, program, "program"}, {disk, none, "disk"}, {none, none, ""}} {
		if got := title(first(c.disk, c.program)); got != c.want {
			t.Errorf("want %q, got %q", c.want, got)
		}
	}

	checkout := t.TempDir()
	if got, want := title(In(checkout)), title(Compiled()); got != want {
		t.Errorf("outside of a checkout: %.80q, want what was compiled, %.80q", got, want)
	}
	in := filepath.Join(checkout, "localdev", "server", "web", "packed")
	if err := os.MkdirAll(in, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(in, "index.html.gz"), webtest.Packed(t, "here"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := title(In(checkout)); got != "here" {
		t.Errorf("in a checkout: %q", got)
	}
}

// The names that git keeps a folder by and the list of sources are in the program, and no pages.
func TestTheProgramIsCompiledWithoutABundleToo(t *testing.T) {
	if _, err := fs.Stat(compiled, "packed/.gitkeep"); err != nil {
		t.Error(err)
	}
	names, err := Compiled().Names()
	if err != nil || Compiled().Bundled() != (len(names) > 0) {
		t.Errorf("%v %v", names, err)
	}
}
