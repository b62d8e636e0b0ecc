package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// What cannot be meant is refused before anything is read or made.
func TestCommandsThatCannotBeMeant(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"build", "--source", "raw", "--data", nowhere, "--kg", ""}, "--kg names no KG"},
		{[]string{"build", "--source", "raw", "--data", nowhere, "--cache", "tiles"}, "--tiles"},
		{[]string{"build", "--source", "raw", "--data", nowhere, "--jobs", "0"}, "--jobs is 0"},
		{[]string{"up", "--data", nowhere, "--addr", "127.0.0.1:0"}, "nothing is published in " + nowhere},
		{[]string{"up", "--data", nowhere, "--addr", "127.0.0.1:0", "--exact"}, "nothing is published in " + nowhere},
		{[]string{"build", "--source", nowhere, "--data", nowhere}, nowhere},
		{[]string{"verify", "--data", nowhere}, nowhere + ": nothing is published"},
	} {
		c := root()
		c.SetArgs(tt.args)
		c.SetOut(io.Discard)
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: want an error with %q, got %v", tt.args, tt.want, err)
		}
		if _, err := os.Stat(nowhere); err == nil {
			t.Fatalf("%v made %s", tt.args, nowhere)
		}
	}
}

// A list is completed code by code.
func TestCodesAreCompleted(t *testing.T) {
	dir := t.TempDir()
	feature := func(code, name string) string {
		return `{"type":"Feature","properties":{"kg_code":"` + code + `","kg_name":"` + name + `"},"geometry":{"type":"Polygon","coordinates":[[[13,47],[13.1,47],[13.1,47.1],[13,47]]]}}`
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

// The first build writes into a directory that is not there yet.
func TestWritable(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "new", "data")
	undo, err := writable(dir)
	if err != nil {
		t.Fatalf("want a new directory, got %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("want it empty, got %v, %v", left, err)
	}
	if _, err := writable("s3://bucket/artefacts"); err != nil {
		t.Errorf("want an object store left alone, got %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := writable(file); err == nil {
		t.Error("want a file refused")
	}
	if undo(); !exists(file) {
		t.Error("what was written is gone")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if undo(); exists(filepath.Join(home, "new")) || !exists(home) {
		t.Error("want what was made removed, and nothing else")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
