//go:build unix

package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Of is the space of the file system that a directory is on; Free is what a user without privileges may take.
func Of(dir string) (Space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return Space{}, fmt.Errorf("space of %s: %w", dir, err)
	}
	return Space{uint64(s.Blocks) * uint64(s.Bsize), uint64(s.Bavail) * uint64(s.Bsize)}, nil
}
