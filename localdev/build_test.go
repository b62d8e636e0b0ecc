package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The first build writes into a directory that is not there yet.
func TestWritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	if err := writable(dir); err != nil {
		t.Fatalf("want a new directory, got %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("want it empty, got %v, %v", left, err)
	}
	if err := writable("s3://bucket/artefacts"); err != nil {
		t.Errorf("want an object store left alone, got %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writable(file); err == nil {
		t.Error("want a file refused")
	}
}
