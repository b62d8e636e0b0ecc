// Package openapi asks two public validators for the services' descriptions.
package openapi

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/functions/families"
	"mappe/infra/oracles"
)

func TestTheDescriptionsAreValid(t *testing.T) {
	node, folder := oracles.Program(t, "node"), oracles.Folder(t, "infra/oracles/openapi", "@apidevtools/swagger-parser")
	args := []string{filepath.Join(folder, "validate.mjs")}
	for _, s := range families.All(families.Deps{}) {
		doc, err := s.Lead().Service.OpenAPI(s.Prefix)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), strings.ReplaceAll(strings.Trim(s.Prefix, "/"), "/", "-")+".json")
		if err := os.WriteFile(file, doc, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	if len(args) < 6 {
		t.Fatalf("only %d services are described", len(args)-1)
	}
	if out, err := exec.Command(node, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
