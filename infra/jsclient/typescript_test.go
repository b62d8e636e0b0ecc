package jsclient

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mappe/functions/families"
	"mappe/infra/oracles"
)

var update = flag.Bool("update", false, "write the generated files of clients/javascript anew")

// described are the services that the client speaks to, as they describe themselves.
func described(t *testing.T) []*Service {
	t.Helper()
	var out []*Service
	for _, name := range []string{"cadastre", "context", "landscape"} {
		for _, s := range families.All(families.Deps{}) {
			if s.Prefix != "/"+name {
				continue
			}
			doc, err := s.Lead().Service.OpenAPI(s.Prefix)
			if err != nil {
				t.Fatal(err)
			}
			read, err := Read(name, doc)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, read)
		}
	}
	if len(out) != 3 {
		t.Fatalf("want 3 services, got %d", len(out))
	}
	return out
}

// The generated files say what the services say today.
func TestTheGeneratedFilesAreCurrent(t *testing.T) {
	services := described(t)
	folder := filepath.Join(oracles.Root(t), "clients", "javascript")
	files := Types(services...)
	files["operations.js"] = Operations(services...)
	for name, want := range files {
		file := filepath.Join(folder, name)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the services say: run go test ./infra/jsclient -update", file)
		}
	}
}

// The client's own tests, against a server that node runs.
func TestTheClientInNode(t *testing.T) {
	c := exec.Command(oracles.Program(t, "node"), "--test", "test/")
	c.Dir = filepath.Join(oracles.Root(t), "clients", "javascript")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TypeScript reads the types: those that are right are accepted, those that are wrong refused.
func TestTypeScriptReadsTheTypes(t *testing.T) {
	node, folder := oracles.Program(t, "node"), oracles.Folder(t, "infra/oracles", "typescript")
	c := exec.Command(node, filepath.Join(folder, "node_modules", "typescript", "lib", "tsc.js"), "--noEmit", "--strict", "--target",
		"es2022",
		"--module", "nodenext", "--allowImportingTsExtensions", "test/types.ts")
	c.Dir = filepath.Join(oracles.Root(t), "clients", "javascript")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
