// Package safefile writes files that are whole or absent, and that only their owner reads: keys lie in them.
package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder makes a folder that only its owner enters, mode 0700. One that is there and open to others is an error.
func Folder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return private(dir)
}

// private refuses what the group or others may read or change.
func private(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link: expected a file or folder of its own", name)
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		return fmt.Errorf("%s may be used by others (mode %04o): chmod go= %s", name, info.Mode().Perm(), name)
	}
	return nil
}

// Read reads a file that only its owner may read. One that others may read is refused. fs.ErrNotExist where the file does not exist.
func Read(name string) ([]byte, error) {
	if err := private(name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// Replace writes a file, mode 0600, so that at every moment the old bytes or the new ones are there: a new file that nobody else has
// opened (O_EXCL) is written, synchronised and put in the place of the old one, then the folder is synchronised.
func Replace(name string, data []byte) error {
	temporary := name + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a writer that was killed
		return err
	}
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
