package dir

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes an exclusive lock on an open file, or says that another holds it.
func tryLock(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// syncFolder does nothing: Windows cannot sync a folder, renames are journalled.
func syncFolder(string) error { return nil }

// inode does not come with a FileInfo on Windows; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// isNotDir: Windows reports ErrNotExist in this case.
func isNotDir(error) bool { return false }
