package dir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"time"

	"mappe/shared/cloud/filelock"
)

// lock takes the lock of a key's 256th part against this and every other process on the machine. The
// system frees it when the process ends, however it ends.
func (s *Store) lock(ctx context.Context, key string) (unlock func(), err error) {
	folder := filepath.Join(s.root, ".store", "locks")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(key))
	f, err := os.OpenFile(filepath.Join(folder, hex.EncodeToString(sum[:1])), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for wait := 200 * time.Microsecond; ; wait = min(2*wait, 20*time.Millisecond) {
		held, err := filelock.Try(f)
		if held {
			return func() { f.Close() }, nil // closing frees the lock
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
