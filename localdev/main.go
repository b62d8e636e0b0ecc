// Command localdev is Mappe on one machine: it makes the demo country, builds artefacts from raw
// sources, verifies and serves them, with the same packages that run in the cloud. It wires; the work
// is in the packages it calls.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := root().ExecuteContext(ctx); err != nil {
		if !errors.Is(err, errSilent) {
			fmt.Fprintln(os.Stderr, "error:", err)
		}
		os.Exit(1)
	}
}

// errSilent ends the program with a failure whose reason was already printed.
var errSilent = errors.New("failed")

func root() *cobra.Command {
	c := &cobra.Command{
		Use:           "localdev",
		Short:         "Mappe on one machine: build open Austrian land data into artefacts and serve them",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	c.AddCommand(demoCommand(), buildCommand(), verifyCommand(), pruneCommand(), upCommand(), startCommand(), expandCommand(), pressCommand(), booksCommand(), workPollCommand(), workTokenCommand(), siteCommand(), coverageCommand())
	return c
}
