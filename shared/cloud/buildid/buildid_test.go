package buildid

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestOwn compares with what the Go tool reads.
func TestOwn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: the build ID is read on Linux only")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "buildid", exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	if want, got := strings.TrimSpace(string(out)), Own(); got != want || got == "" {
		t.Errorf("want %q, got %q", want, got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte("\x04\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00Go\x00\x00abc"))
	f.Add([]byte("\x04\x00\x00\x00Go\x00\x00"))
	f.Add([]byte("\xff\xff\xff\xff\x04\x00\x00\x00Go\x00\x00abc"))
	f.Fuzz(func(t *testing.T, head []byte) {
		if id := of(head); len(id) > maxID || !strings.Contains(string(head), id) {
			t.Errorf("got %q", id)
		}
	})
}
