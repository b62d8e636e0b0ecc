//go:build unix

package safefile

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// patience is how long a lock is waited for: who holds one reads and writes a small file.
const patience = 5 * time.Second

// Lock locks a name against every other Lock of it on this machine, in this process and in others. The file of that name, mode 0600,
// stays; the system frees the lock when its process ends, however it ends.
func Lock(name string) (unlock func() error, err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return f.Close, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
		case time.Now().After(end):
			return nil, errors.Join(fmt.Errorf("%s is held by another process", name), f.Close())
		}
	}
}
