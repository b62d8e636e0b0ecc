// Command node is a node of the hypermedia network on this machine, and what a user does with it: node -help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"mappe/localdev/node/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(client.Main(ctx, os.Args[1:], os.Getenv, client.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
