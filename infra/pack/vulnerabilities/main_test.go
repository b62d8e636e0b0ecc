package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mappe/infra/pack"
)

// archived packs a real program into a folder and names a module that is linked into it.
func archived(t *testing.T) (folder, module, version string) {
	t.Helper()
	folder = t.TempDir()
	echo, err := filepath.Abs(filepath.Join("..", "..", "..", "localdev", "exact", "testdata", "echo"))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "bootstrap")
	if err := pack.Build(t.Context(), echo, runtime.GOARCH, binary); err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil || len(info.Deps) == 0 {
		t.Fatal(info, err)
	}
	raw, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	if err := pack.Zip(&z, bytes.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "echo.zip"), z.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder, info.Deps[0].Path, info.Deps[0].Version
}

// A database that names a linked module at its version and one that is not linked: the first is told, with its archive, and the end is 1.
func TestTheArchivesAreCompared(t *testing.T) {
	folder, module, version := archived(t)
	database := func(events string) string {
		db := t.TempDir()
		for id, of := range map[string]string{"GO-2026-1": module, "GO-2026-2": "example.org/notlinked"} {
			body := `{"id":"` + id + `","summary":"made up","affected":[{"package":{"name":"` + of +
				`","ecosystem":"Go"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}` + events + `]}]}]}`
			if err := os.MkdirAll(filepath.Join(db, "ID"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(db, "ID", id+".json"), []byte(body), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return db
	}
	var out bytes.Buffer
	err := run(&out, "file://"+database(""), []string{folder})
	if got := out.String(); !errors.Is(err, errConcerned) || !strings.Contains(got, "GO-2026-1  "+module+"@"+version) ||
		!strings.Contains(got, "echo.zip") || strings.Contains(got, "GO-2026-2") || !strings.Contains(got, "1 archives, 1 advisories") {
		t.Errorf("%v\n%s", err, got)
	}
	out.Reset()
	if err := run(&out, database(`,{"fixed":"`+strings.TrimPrefix(version, "v")+`"}`), []string{folder}); err != nil {
		t.Errorf("the version that is linked is the one that mends it: %v\n%s", err, out.String())
	}
	for name, c := range map[string]struct{ db, folder, want string }{
		"no database":      {"", folder, "GOVULNDB"},
		"another folder":   {folder, folder, "no copy of the Go vulnerability database"},
		"nothing is built": {database(""), t.TempDir(), "make build"},
	} {
		if err := run(&out, c.db, []string{c.folder}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q said, got %v", name, c.want, err)
		}
	}
}
