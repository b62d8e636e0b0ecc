//go:build unix

package dir

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// syncFolder makes a rename in the folder outlive a power cut.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func inode(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// isNotDir: a segment of the path before the last is a file.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
