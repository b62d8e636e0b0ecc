// Package command is the program of one machine: it makes the demo country, builds artefacts from raw
// sources, verifies and serves them, with the same packages that run in the cloud. It wires; the work is in
// the packages it calls. Two programs are nothing but it: localdev, which go run ./localdev starts in the
// checkout, and mappe, which go install puts beside other programs.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
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
		fmt.Fprintln(os.Stderr, cancelled(err))
		os.Exit(exitCancelled)
	case !errors.Is(err, errSilent):
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	os.Exit(1)
}

// exitCancelled is what shells give a program that Ctrl-C has ended.
const exitCancelled = 130

// errCancelled is an end that a person has asked for, with what there is to know of it.
var errCancelled = errors.New("cancelled")

// cancelled is the last line of a command that was interrupted: no error, and none of the errors that follow
// from it.
func cancelled(err error) string {
	if errors.Is(err, errCancelled) {
		return err.Error()
	}
	return errCancelled.Error()
}

// errSilent ends the program with a failure whose reason was already printed.
var errSilent = errors.New("failed")

func root() *cobra.Command {
	c := &cobra.Command{
		Use:           programName(),
		Version:       version(),
		Short:         "Mappe on one machine: build open Austrian land data into artefacts and serve them",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	c.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	c.AddCommand(demoCommand(), buildCommand(), verifyCommand(), pruneCommand(), upCommand(), startCommand(), expandCommand(), pressCommand(), booksCommand(), workPollCommand(), workTokenCommand(), siteCommand(), coverageCommand())
	speakOf(c, commandLine())
	return c
}
