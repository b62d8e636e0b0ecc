package demo

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What a run has left that was killed is no whole country, and the next run writes it anew.
func TestAKilledRunIsDoneAnew(t *testing.T) {
	dir := t.TempDir()
	if err := clear(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, Stamp), []byte(Version), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	_, err := Generate(ctx, dir, Options{Progress: func(step string, _, _ int) {
		if step == "parcel tiles" {
			kill()
		}
	}})
	if err == nil {
		t.Fatal("want the run ended")
	}
	if _, err := os.Stat(filepath.Join(dir, "tiles")); err != nil {
		t.Fatalf("want the run ended in the middle: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, Stamp)); err == nil {
		t.Error("half a country bears the stamp of a whole one")
	}
	if err := clear(dir); err != nil {
		t.Errorf("the next run: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("want the marker's folder alone, got %v, %v", left, err)
	}
}

// The second run leaves the scans out, which take most of the time: that their bytes stay the same localdev/demo/scene holds.
func TestTwiceTheSameBytes(t *testing.T) {
	a, b := sourceDir(t), t.TempDir()
	sum, err := Generate(context.Background(), b, Options{Without: []string{"laser scans"}})
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(b, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		rel, _ := filepath.Rel(b, p)
		x, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		y, err := os.ReadFile(filepath.Join(a, rel))
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
