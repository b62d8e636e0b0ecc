package pack_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mappe/infra/pack"
)

// copied is the source of a program in a folder of another name and depth.
func copied(t *testing.T, root, main string) string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", ".")
	cmd.Dir, cmd.Env = main, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "another", "place")
	place := func(path string) string {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(to, rel)
	}
	files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
	for dir := range strings.Lines(string(raw)) {
		found, err := filepath.Glob(filepath.Join(strings.TrimSpace(dir), "*"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || !info.Mode().IsRegular() {
			continue
		}
		b, err := os.ReadFile(f)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(place(f)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(place(f), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return place(main)
}

// Two builds in two folders give the same archive.
func TestTheSameSourceGivesTheSameArchive(t *testing.T) {
	root := repository(t)
	main := filepath.Join(root, "localdev", "exact", "testdata", "echo")
	var sums [2][sha256.Size]byte
	for i, main := range []string{main, copied(t, root, main)} {
		binary := filepath.Join(t.TempDir(), "bootstrap")
		if err := pack.Build(t.Context(), main, runtime.GOARCH, binary); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(binary)
		if err != nil {
			t.Fatal(err)
		}
		var archive bytes.Buffer
		if err := pack.Zip(&archive, bytes.NewReader(raw)); err != nil {
			t.Fatal(err)
		}
		sums[i] = sha256.Sum256(archive.Bytes())
		checkArchive(t, archive.Bytes(), raw)
	}
	if sums[0] != sums[1] {
		t.Errorf("two builds differ: %x and %x", sums[0], sums[1])
	}
}

// checkArchive: Lambda wants one executable file called bootstrap.
func checkArchive(t *testing.T, archive, want []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	if len(z.File) != 1 || z.File[0].Name != "bootstrap" || z.File[0].Mode().Perm() != 0o755 {
		t.Fatalf("want one executable bootstrap, got %v", z.File)
	}
	r, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(r); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("want the program's %d bytes, got %d, %v", len(want), got.Len(), err)
	}
}

func TestArchiveNames(t *testing.T) {
	for main, want := range map[string]string{
		"functions/cadastre/spatial/lambda": "cadastre-spatial-arm64.zip",
		"functions/expander/lambda":         "expander-arm64.zip",
		"builders/lambda":                   "builders-arm64.zip",
	} {
		got, err := pack.Archive("/m", filepath.Join("/m", filepath.FromSlash(main)), "arm64")
		if err != nil || got != want {
			t.Errorf("%s: want %s, got %s, %v", main, want, got, err)
		}
	}
}
