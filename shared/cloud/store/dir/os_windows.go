package dir

import "io/fs"

// syncFolder does nothing: Windows cannot sync a folder, renames are journalled.
func syncFolder(string) error { return nil }

// inode does not come with a FileInfo on Windows; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// isNotDir: Windows reports ErrNotExist in this case.
func isNotDir(error) bool { return false }
