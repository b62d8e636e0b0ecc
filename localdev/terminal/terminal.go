// Package terminal is what the commands have in common towards the person who runs them: the program's name in
// texts, the ends of a command that are no plain error, and a progress line. The families below localdev/command
// use it; it runs nothing itself.
package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// ErrSilent ends the program with a failure whose reason was already printed.
var ErrSilent = errors.New("failed")

// ErrCancelled is an end that a person has asked for, wrapped with what there is to know of it.
var ErrCancelled = errors.New("cancelled")

// Cancelled is the last line of a command that was interrupted: no error, and none of the errors that follow
// from it.
func Cancelled(err error) string {
	if errors.Is(err, ErrCancelled) {
		return err.Error()
	}
	return ErrCancelled.Error()
}

// CheckoutLine starts the program in the checkout; texts of commands are written with it.
const CheckoutLine = "go run ./localdev"

// ProgramName is what the command was started as, so that help and completion speak of the program that a
// person has: mappe where it was installed by that name.
func ProgramName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if strings.HasSuffix(name, ".test") {
		return "localdev"
	}
	return name
}

// CommandLine is how a message names the program.
func CommandLine() string {
	if name := ProgramName(); name != "localdev" {
		return name
	}
	return CheckoutLine
}

// Is says whether a writer is a terminal.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Line is a line that is written over on a terminal. Elsewhere nothing is shown: callers print lines of their own
// there.
type Line struct {
	w    io.Writer
	Live bool // w is a terminal
}

// NewLine is a line of w.
func NewLine(w io.Writer) Line { return Line{w, Is(w)} }

// Show replaces the line.
func (l Line) Show(format string, args ...any) {
	if l.Live {
		fmt.Fprintf(l.w, "\r\x1b[K"+format, args...)
	}
}

// Clear removes the line.
func (l Line) Clear() { l.Show("") }
