// Command skips runs `go test` with the arguments it is given, prints what it would print, and at the end the
// tests that were skipped and why: a skipped test proves nothing, and the reader should know of it.
//
//	go run ./infra/skips -race ./...
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "skips:", err)
		os.Exit(2)
	}
	r := newReport(os.Stdout)
	readErr := r.read(out)
	err = cmd.Wait()
	r.summary()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(max(exit.ExitCode(), 1))
	case err != nil || readErr != nil:
		fmt.Fprintln(os.Stderr, "skips:", errors.Join(err, readErr))
		os.Exit(2)
	}
}
