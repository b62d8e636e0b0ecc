package build

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mappe/localdev/demo"
	"mappe/localdev/terminal"
)

// A list is completed code by code.
func TestCodesAreCompleted(t *testing.T) {
	dir := t.TempDir()
	feature := func(code, name string) string {
		return `{"type":"Feature","properties":{"kg_code":"` + code + `","kg_name":"` + name +
			`"},"geometry":{"type":"Polygon","coordinates":[[[13,47],[13.1,47],[13.1,47.1],[13,47]]]}}`
	}
	collection := `{"type":"FeatureCollection","features":[` + feature("9901", "Ullnau") + "," + feature("99102", "Sonnzerg") + "]}"
	if err := os.WriteFile(filepath.Join(dir, "kg.geojson"), []byte(collection), 0o644); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"":       "09901\tUllnau|99102\tSonnzerg",
		"99":     "09901\tUllnau|99102\tSonnzerg", // the shell picks what begins so
		"99102,": "99102,09901\tUllnau",
	} {
		if got, _ := completeKGs(dir, typed); strings.Join(got, "|") != want {
			t.Errorf("%q: want %q, got %q", typed, want, got)
		}
	}
	if _, d := completeKGs(filepath.Join(dir, "none"), ""); d != cobra.ShellCompDirectiveError {
		t.Errorf("no source: got %v", d)
	}
}

// A build that was interrupted ends with what a person wants to know, not with the errors that follow.
func TestCancelledIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	source := filepath.Join(dir, "source")
	if _, err := demo.Generate(t.Context(), source,
		demo.Options{Without: []string{"terrain", "laser scans", "community map"}}); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	err = Run(ctx, out, Options{Source: source, Data: filepath.Join(dir, "data"), Jobs: 1})
	printed, _ := os.ReadFile(out.Name()) // a missing file shows below
	if line := terminal.Cancelled(err); !strings.HasPrefix(line, "cancelled: ") || strings.Contains(line, "context") ||
		strings.Contains(string(printed), "fail") || strings.Contains(string(printed), "context") {
		t.Errorf("got %q and\n%s", line, printed)
	}
	if got := terminal.Cancelled(context.Canceled); got != "cancelled" {
		t.Errorf("got %q", got)
	}
}
