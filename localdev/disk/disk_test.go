package disk

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSpaceAndWritable(t *testing.T) {
	dir := t.TempDir()
	s, err := Of(dir)
	if err != nil || s.Total == 0 || s.Free == 0 || s.Free > s.Total {
		t.Errorf("space of a directory: %+v, %v", s, err)
	}
	if err := Writable(dir); err != nil {
		t.Errorf("a new directory cannot be written: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	gone := filepath.Join(dir, "gone")
	if Writable(gone) == nil {
		t.Error("a directory that is not there can be written")
	}
	if _, err := Of(gone); err == nil {
		t.Error("a directory that is not there has space")
	}
}
