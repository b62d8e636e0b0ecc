package command

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/spf13/cobra"

	"mappe/infra/golden"
)

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
	golden.Check(t, "help.txt", text)
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
