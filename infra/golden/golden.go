// Package golden compares an answer with a file that was reviewed. `go test PACKAGE -update` writes the files
// anew; their difference is then reviewed as code. It is imported by tests only.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// How much is printed of two answers before and behind the place where they part, in bytes.
const before, behind = 200, 800

// Check compares with testdata/NAME of the package that is tested.
func Check(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		at := 0
		for at < min(len(want), len(got)) && want[at] == got[at] {
			at++
		}
		part := func(b []byte) []byte { return b[max(0, at-before):min(len(b), at+behind)] }
		t.Errorf("%s:%d (byte %d; refresh with -update and read the difference):\nwant %s\ngot  %s", path,
			1+bytes.Count(want[:at], []byte("\n")), at, part(want), part(got))
	}
}
