package spool

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A process that is killed leaves no file behind: what stands in one has no name while it is written and read.
func TestAFileHasNoName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := New(4)
	defer s.Close()
	if _, err := s.Write([]byte("more than four")); err != nil || s.Held() > 0 {
		t.Fatalf("%d held, %v", s.Held(), err)
	}
	f, err := NewFile("")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("kept"); err != nil {
		t.Fatal(err)
	}
	w, err := Write("out.txt", func(path string) error { return os.WriteFile(path, []byte("written"), 0o600) })
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("a process that is killed now leaves behind %q", got)
	}
	for i, want := range []string{"more than four", "kept", "written"} {
		got, err := io.ReadAll(io.NewSectionReader([]io.ReaderAt{s, f, w}[i], 0, 64))
		if string(got) != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if w.Size != 7 {
		t.Errorf("size %d, want 7", w.Size)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A file that could not be written leaves no folder.
func TestWriteThatFails(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, write := range []func(string) error{func(string) error { return os.ErrPermission }, func(string) error { return nil }} {
		if w, err := Write("out.txt", write); err == nil {
			t.Errorf("%v of a file that is not there", w)
		}
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
}

// Folders of killed processes go, those in which a file is written stay, and what is another's.
func TestFoldersThatWereLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	old := time.Now().Add(-2 * stale)
	for _, name := range []string{prefix + "left", prefix + "written", "other"} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != prefix+"written" {
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(folder, old, old); err != nil {
			t.Fatal(err)
		}
	}
	path, done, err := Folder("new")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(filepath.Dir(path)), prefix + "written", "other"}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
