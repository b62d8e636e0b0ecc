package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/localdev/examples"
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
		{[]string{"up", "--data", nowhere, "--addr", "127.0.0.1:0", "--servers"}, "are for the functions of --exact"},
		{[]string{"up", "--data", nowhere, "--addr", "127.0.0.1:0", "--faults", "cold"}, "are for the functions of --exact"},
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

// The files that the README's command lines name are those that start writes, and the commands take them.
func TestExamplesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := examples.Write(dir, time.Now()); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		examples.Manuscript: {"press", "--out", filepath.Join(dir, "out")},
		examples.Board:      {"work-poll", "--dry-run", "--board"},
		examples.Calendar:   {"expand", "--ics"},
	} {
		if !strings.Contains(string(readme), " .localdev/"+examples.Dir+"/"+name) {
			t.Errorf("no command line of the README names .localdev/%s/%s", examples.Dir, name)
		}
		c := root()
		var out strings.Builder
		c.SetArgs(append(args, filepath.Join(dir, examples.Dir, name)))
		c.SetOut(&out)
		c.SetErr(&out)
		if err := c.ExecuteContext(t.Context()); err != nil {
			t.Errorf("%v %s: %v\n%s", args, name, err, out.String())
		}
	}
}

func TestVersion(t *testing.T) {
	c := root()
	var out strings.Builder
	c.SetArgs([]string{"--version"})
	c.SetOut(&out)
	if err := c.Execute(); err != nil || !strings.HasPrefix(out.String(), "localdev ") || !strings.Contains(out.String(), "go1.") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// TestTheInstalledProgram: help, examples and completion speak of the program as it was installed.
func TestTheInstalledProgram(t *testing.T) {
	defer func(name string) { os.Args[0] = name }(os.Args[0])
	os.Args[0] = "/home/somebody/go/bin/mappe"
	for _, args := range [][]string{{"completion", "bash"}, {"build", "--help"}, {"--version"}, {"--help"}} {
		c := root()
		var out strings.Builder
		c.SetArgs(args)
		c.SetOut(&out)
		if err := c.Execute(); err != nil || !strings.Contains(out.String(), "mappe") || strings.Contains(out.String(), "localdev ") {
			t.Errorf("%v: %v\n%s", args, err, out.String())
		}
	}
}
