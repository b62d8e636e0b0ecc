package state

import (
	"os"
	"path/filepath"
	"testing"
)

// The first build writes into a directory that is not there yet.
func TestWritable(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "new", "data")
	undo, err := Writable(dir)
	if err != nil {
		t.Fatalf("want a new directory, got %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("want it empty, got %v, %v", left, err)
	}
	if _, err := Writable("s3://bucket/artefacts"); err != nil {
		t.Errorf("want an object store left alone, got %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Writable(file); err == nil {
		t.Error("want a file refused")
	}
	if undo(); !exists(file) {
		t.Error("what was written is gone")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if undo(); exists(filepath.Join(home, "new")) || !exists(home) {
		t.Error("want what was made removed, and nothing else")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
