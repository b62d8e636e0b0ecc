package dir

import (
	"context"
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"mappe/shared/cloud/store"
)

// maxKnown bounds the cache of ETags: about 300 bytes each. When full it starts over.
const maxKnown = 100_000

// etagCache remembers the hash of files it has read. Every write makes a new file, so identity, size and
// time of the file tell whether it still holds.
type etagCache struct {
	mu      sync.Mutex
	entries map[string]entry
}

type entry struct {
	size     int64
	modified time.Time
	inode    uint64
	known
}

type known struct {
	etag    string
	headers store.Headers
}

func (c *etagCache) get(key string, fi fs.FileInfo) (known, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	ok = ok && e.size == fi.Size() && e.modified.Equal(fi.ModTime()) && e.inode == inode(fi)
	return e.known, ok
}

func (c *etagCache) put(key string, fi fs.FileInfo, k known) {
	if time.Since(fi.ModTime()) < raceWindow(fi.ModTime()) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || len(c.entries) >= maxKnown {
		c.entries = map[string]entry{}
	}
	c.entries[key] = entry{fi.Size(), fi.ModTime(), inode(fi), k}
}

// raceWindow: a file replaced twice within one tick of the file system's clock may show the same inode,
// size and time with other bytes. So a hash is remembered only once the tick is surely over: ticks are
// up to 10 ms, two seconds on file systems that keep whole seconds.
func raceWindow(modified time.Time) time.Duration {
	if modified.Nanosecond() == 0 {
		return 3 * time.Second
	}
	return 100 * time.Millisecond
}

// hashFile reads the whole file without moving its offset.
func hashFile(ctx context.Context, f *os.File) (string, error) {
	hash := sha256.New()
	r := io.NewSectionReader(f, 0, 1<<62)
	buf := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := r.Read(buf)
		hash.Write(buf[:n])
		if err == io.EOF {
			return store.QuoteETag(hash.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
}
