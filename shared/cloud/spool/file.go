package spool

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// prefix begins the names of what this package puts into the folder of temporary files.
const prefix = "mappe-spool-"

// stale: a folder in which nobody has written for so long was left by a killed process.
const stale = time.Hour

// File is a temporary file. It has no name from the moment that it is made, so that a process that is killed leaves nothing behind;
// where the system keeps the name of a file that is open, as Windows does, Close removes it.
type File struct {
	*os.File
	named bool
}

// NewFile makes one in a folder; "": that of temporary files.
func NewFile(folder string) (*File, error) {
	f, err := os.CreateTemp(folder, prefix+"*")
	if err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	return &File{f, os.Remove(f.Name()) != nil}, nil
}

// Close gives the bytes back to the system.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named {
		if gone := os.Remove(f.Name()); err == nil {
			err = gone
		}
	}
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return nil
}

// Folder is a temporary folder for a file that another writes by its path; done removes it with what is in it. Killed processes leave
// such folders behind: each call removes those in which nobody writes any more.
func Folder(name string) (path string, done func() error, err error) {
	clearLeft(time.Now())
	dir, err := os.MkdirTemp("", prefix+"*")
	if err != nil {
		return "", nil, fmt.Errorf("spool: %w", err)
	}
	return filepath.Join(dir, name), func() error { return os.RemoveAll(dir) }, nil
}

// Written is a file in a temporary folder, open for reading.
type Written struct {
	*os.File
	Size int64
	done func() error
}

// Write has a file written by its path, and opens it. Its folder is removed at once where the system allows it, else by Close.
func Write(name string, write func(path string) error) (*Written, error) {
	path, done, err := Folder(name)
	if err != nil {
		return nil, err
	}
	f, size, err := opened(path, write)
	if err != nil {
		_ = done() // the first error says more; the next Folder tries again
		return nil, err
	}
	if done() == nil {
		done = func() error { return nil }
	}
	return &Written{f, size, done}, nil
}

func opened(path string, write func(path string) error) (*os.File, int64, error) {
	if err := write(path); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // read only
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Close gives the bytes back to the system.
func (w *Written) Close() error {
	err := w.File.Close()
	if gone := w.done(); err == nil {
		err = gone
	}
	return err
}

// clearLeft removes the folders that killed processes have left. What cannot be removed stays.
func clearLeft(now time.Time) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && now.Sub(touched(dir)) > stale {
			_ = os.RemoveAll(dir)
		}
	}
}

// touched is when something in a folder was last written.
func touched(dir string) (last time.Time) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}
