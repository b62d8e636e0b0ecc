// Package disk says how full the file system of a directory is and whether the directory can be written, for the health
// and the metrics of a server.
package disk

import (
	"os"
	"path/filepath"
)

// Space is what a file system has, in bytes.
type Space struct{ Total, Free uint64 }

// Writable says whether a file can be made in a directory: its rights, a read-only mount and a full disk show in no other
// way. The file is removed again.
func Writable(dir string) error {
	f, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return err
	}
	name := f.Name()
	_, err = f.Write([]byte{0})
	if e := f.Close(); err == nil {
		err = e
	}
	if e := os.Remove(filepath.Clean(name)); err == nil {
		err = e
	}
	return err
}
