package archtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mappe/infra/golden"
	"mappe/localdev/exact"
)

// compiled is what `go list -deps` says of a package that a function links.
type compiled struct {
	ImportPath      string
	Standard        bool
	Module          *struct{ Path, Version string }
	GoFiles, SFiles []string
}

// linked are the packages of all functions for a processor, by path.
func linked(t *testing.T, arch string) map[string]compiled {
	t.Helper()
	args := append([]string{"list", "-deps", "-json=ImportPath,Standard,Module,GoFiles,SFiles"}, exact.BuildFlags...)
	for _, f := range declared(t).Functions {
		args = append(args, f.Main)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOFLAGS=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list for %s: %v\n%s", arch, err, stderr.String())
	}
	packages := map[string]compiled{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p compiled
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

// TestFilesOfAProcessor: the tests and the automatic checks compile the functions for amd64, the cloud runs them on arm64.
// Every file of ours is compiled for both. The modules of others that have files for a processor, or packages that only one
// processor needs, are listed with their versions; who changes the list (go test ./infra/archtest -update) builds the
// archives of both, make build.
func TestFilesOfAProcessor(t *testing.T) {
	tested, run := linked(t, "amd64"), linked(t, "arm64")
	paths := maps.Clone(tested)
	maps.Copy(paths, run)
	var others []string
	ours := 0
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		p, a, b := paths[path], tested[path], run[path]
		if name(path) != "" {
			ours++
		}
		if p.Standard || a.ImportPath == b.ImportPath && slices.Equal(a.GoFiles, b.GoFiles) && slices.Equal(a.SFiles, b.SFiles) {
			continue
		}
		if name(path) != "" || p.Module == nil {
			t.Errorf("%s: files %v and %v for amd64, %v and %v for arm64: what runs in the cloud is not what is tested",
				path, a.GoFiles, a.SFiles, b.GoFiles, b.SFiles)
			continue
		}
		others = append(others, fmt.Sprintf("%s %s", path, p.Module.Version))
	}
	if ours < 100 {
		t.Errorf("only %d packages of ours are linked by functions", ours)
	}
	golden.Check(t, "processors.golden", []byte(strings.Join(others, "\n")+"\n"))
}
