package command

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite testdata/help.txt")

// processors is the default of --jobs, which is the machine's.
var processors = regexp.MustCompile(`(KGs built at once \(default )\d+`)

// TestHelp: names, flags, defaults and texts of every command are what people and scripts know; a difference is
// read as a change of the interface.
func TestHelp(t *testing.T) {
	var got bytes.Buffer
	c := root()
	c.InitDefaultHelpCmd()
	c.InitDefaultCompletionCmd()
	writeHelp(t, &got, c)
	text := processors.ReplaceAll(got.Bytes(), []byte("${1}N"))
	golden := filepath.Join("testdata", "help.txt")
	if *update {
		if err := os.WriteFile(golden, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wants, gots := bytes.Split(want, []byte("\n")), bytes.Split(text, []byte("\n"))
	for i := range min(len(wants), len(gots)) {
		if !bytes.Equal(wants[i], gots[i]) {
			t.Fatalf("%s:%d\nwant %s\ngot  %s", golden, i+1, wants[i], gots[i])
		}
	}
	if len(wants) != len(gots) {
		t.Errorf("%s has %d lines, the help %d", golden, len(wants), len(gots))
	}
}

// writeHelp writes the help of a command and of those below it.
func writeHelp(t *testing.T, out *bytes.Buffer, c *cobra.Command) {
	t.Helper()
	out.WriteString("==== " + c.CommandPath() + "\n")
	c.SetOut(out)
	if err := c.Help(); err != nil {
		t.Fatal(err)
	}
	for _, below := range c.Commands() {
		writeHelp(t, out, below)
	}
}
