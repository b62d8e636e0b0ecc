package state

import (
	"errors"
	"os"
	"path/filepath"

	"mappe/shared/cloud/filelock"
)

// ErrHeld is Hold's where another process has the folder.
var ErrHeld = errors.New(`another "localdev up" or "localdev start" serves this directory: end it, or serve another one`)

// Hold keeps a folder for this process until release, or its death: a facilitator has the balances of its
// books in memory, so of two over one folder each would let accounts spend what the other has taken.
func Hold(folder string) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(folder, "held"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	held, err := filelock.Try(f)
	if err == nil && !held {
		err = ErrHeld
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil // closing frees the lock
}
