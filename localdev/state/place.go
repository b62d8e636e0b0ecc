package state

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Place is what a server's state directory is chosen by.
type Place struct {
	State  string // --state; "": beside the data
	Data   string // --data
	Source string // --source; "": nothing is built
}

// Directory finds where a server keeps what it writes (payments, work feed, books): State, or the data directory,
// or .localdev beside an object store, or, where that cannot be written, a directory that remove deletes.
func (s Place) Directory(out io.Writer) (dir string, remove func(), err error) {
	remove = func() {}
	dir = s.State
	if dir == "" {
		if dir = s.Data; strings.Contains(s.Data, "://") {
			dir = ".localdev"
		}
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", remove, fmt.Errorf("--state: %w", err)
	}
	if err := probe(dir); err == nil || errors.Is(err, os.ErrNotExist) { // what is not there is made
		return dir, remove, nil
	} else if s.State != "" {
		return "", remove, fmt.Errorf("--state %s cannot be written to: %w", dir, err)
	}
	if s.Source != "" {
		return "", remove, fmt.Errorf("--source builds KGs into --data %s, which cannot be written to", s.Data)
	}
	temporary, err := os.MkdirTemp("", "mappe-state-")
	if err != nil {
		return "", remove, fmt.Errorf("%s cannot be written to, and no temporary directory made (--state DIR names one): %w", dir, err)
	}
	fmt.Fprintf(out, "%s is read-only: payments, the work feed and books are kept in %s until the server ends (--state DIR keeps them)\n",
		dir, temporary)
	return temporary, func() { os.RemoveAll(temporary) }, nil
}

// probe says why a directory cannot be written to.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Writable finds out before the work that a data directory can be written to, and makes one that is missing.
// undo removes what it has made and nothing has been written into.
func Writable(data string) (undo func(), err error) {
	undo = func() {}
	if strings.Contains(data, "://") {
		return undo, nil // an object store says so with the first object
	}
	made := missing(data)
	undo = func() {
		for _, dir := range made {
			if os.Remove(dir) != nil {
				return // it holds something
			}
		}
	}
	if err := os.MkdirAll(data, 0o755); err != nil {
		undo()
		return func() {}, fmt.Errorf("--data %s cannot be made: %w", data, err)
	}
	if err := probe(data); err != nil {
		undo()
		return func() {}, fmt.Errorf("--data %s cannot be written to: %w", data, err)
	}
	return undo, nil
}

// missing are the directories on the way to one that are not there, the innermost first.
func missing(dir string) []string {
	var all []string
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			return all
		}
		all = append(all, dir)
	}
}
