package demo

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestTwiceTheSameBytes(t *testing.T) {
	a, b := sourceDir(t), t.TempDir()
	sum, err := Generate(context.Background(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(a, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		rel, _ := filepath.Rel(a, p)
		x, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		y, err := os.ReadFile(filepath.Join(b, rel))
		if err != nil {
			return err
		}
		if string(x) != string(y) {
			t.Errorf("%s differs between two runs", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files != sum.Files {
		t.Errorf("want %d files as summed, got %d", sum.Files, files)
	}
}
