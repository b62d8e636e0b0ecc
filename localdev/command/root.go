// Package command is the program of one machine: it makes the demo country, builds artefacts from raw
// sources, verifies and serves them, with the same packages that run in the cloud. The commands are in the
// packages below, one for each family; they wire, and the work is in the packages they call. Two programs are
// nothing but it: localdev, which go run ./localdev starts in the checkout, and mappe, which go install puts
// beside other programs.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"mappe/localdev/command/ask"
	"mappe/localdev/command/books"
	"mappe/localdev/command/build"
	"mappe/localdev/command/cells"
	"mappe/localdev/command/expander"
	"mappe/localdev/command/landscape"
	"mappe/localdev/command/serve"
	"mappe/localdev/command/sibling"
	"mappe/localdev/command/smoke"
	"mappe/localdev/command/table"
	"mappe/localdev/command/workfeed"
	"mappe/localdev/terminal"
)

// Main runs the program and ends the process.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := root().ExecuteContext(ctx)
	switch {
	case err == nil:
		return
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, terminal.Cancelled(err))
		os.Exit(exitCancelled)
	case !errors.Is(err, terminal.ErrSilent):
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	os.Exit(1)
}

// exitCancelled is what shells give a program that Ctrl-C has ended.
const exitCancelled = 130

func root() *cobra.Command {
	c := &cobra.Command{
		Use:           terminal.ProgramName(),
		Version:       version(),
		Short:         "Mappe on one machine: build open Austrian land data into artefacts and serve them",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	c.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	for _, family := range [][]*cobra.Command{build.Commands(), serve.Commands(), ask.Commands(), sibling.Commands(), smoke.Commands(),
		table.Commands(), expander.Commands(), books.Commands(), workfeed.Commands(), cells.Commands(), landscape.Commands()} {
		c.AddCommand(family...)
	}
	nameProgram(c, terminal.CommandLine())
	return c
}

// nameProgram puts the program's name into the texts of a command and those below it, which are written for the
// checkout.
func nameProgram(c *cobra.Command, name string) {
	c.Long = strings.ReplaceAll(c.Long, terminal.CheckoutLine, name)
	c.Example = strings.ReplaceAll(c.Example, terminal.CheckoutLine, name)
	for _, sub := range c.Commands() {
		nameProgram(sub, name)
	}
}
