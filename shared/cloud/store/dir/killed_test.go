package dir_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mappe/shared/cloud/store"
)

// stuck gives zeros up to the middle and then nothing more, after it has told the parent.
type stuck struct{ size int64 }

func (s stuck) ReadAt(b []byte, at int64) (int, error) {
	if at > s.size/2 {
		os.Stdout.WriteString("stuck\n")
		time.Sleep(time.Hour)
	}
	return len(b), nil
}

func TestAKilledWriterLeavesNothingVisible(t *testing.T) {
	root := t.TempDir()
	const size = 8 << 20
	if from := os.Getenv("MAPPE_TEST_KILLED"); from != "" {
		_, err := open(t, from).PutFrom(t.Context(), "national/tiles", stuck{size}, size, store.PutOptions{Immutable: true})
		t.Fatal("written: ", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "MAPPE_TEST_KILLED="+root)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	s := open(t, root)
	if _, err := s.Head(t.Context(), "national/tiles"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("want ErrNotFound, got %v", err)
	}
	for info, err := range s.List(t.Context(), "") {
		t.Errorf("left behind: %s, %v", info.Key, err)
	}
	if n := count(t, filepath.Join(root, ".store", "tmp")); n != 1 {
		t.Errorf("want the half file in .store/tmp, got %d files", n)
	}
	if _, err := s.PutFrom(t.Context(), "national/tiles", zeros{}, size, store.PutOptions{Immutable: true}); err != nil {
		t.Errorf("the next writer: %v", err)
	}
}

type zeros struct{}

func (zeros) ReadAt(b []byte, _ int64) (int, error) {
	clear(b)
	return len(b), nil
}
