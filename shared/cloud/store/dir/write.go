package dir

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mappe/shared/cloud/store"
)

// staleTemp: a temporary file that nobody wrote to for this long was left by a killed writer.
const staleTemp = time.Hour

// copyBytes are copied at once.
const copyBytes = 1 << 20

// Put implements store.Store.
func (s *Store) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, err
	}
	write := func() (string, error) { return s.writeTemp(bytes.NewReader(body)) }
	return s.replace(ctx, key, version{store.ETagOf(body), int64(len(body)), write}, opt)
}

// PutFrom implements store.Store. The bytes are copied to a temporary file before the key is locked, so
// that a long copy keeps nobody waiting.
func (s *Store) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, err
	}
	if err := store.CheckSize(key, size); err != nil {
		return store.Info{}, err
	}
	tmp, sum, err := s.copyTemp(ctx, key, r, size)
	if err != nil {
		return store.Info{}, err
	}
	return s.publishTemp(ctx, key, tmp, version{etag: store.QuoteETag(sum), size: size}, opt)
}

// PutSummed implements store.Summing.
func (s *Store) PutSummed(ctx context.Context, r io.ReaderAt, size int64,
	as func(sum []byte) (string, store.PutOptions)) (store.Info, error) {
	const unnamed = "an object that is named by its bytes"
	if err := store.CheckSize(unnamed, size); err != nil {
		return store.Info{}, err
	}
	tmp, sum, err := s.copyTemp(ctx, unnamed, r, size)
	if err != nil {
		return store.Info{}, err
	}
	key, opt := as(sum)
	if err := check(ctx, key); err != nil {
		os.Remove(tmp)
		return store.Info{}, err
	}
	return s.publishTemp(ctx, key, tmp, version{etag: store.QuoteETag(sum), size: size}, opt)
}

// copyTemp copies bytes to a temporary file and gives their sum. key is for messages.
func (s *Store) copyTemp(ctx context.Context, key string, r io.ReaderAt, size int64) (tmp string, sum []byte, err error) {
	h := sha256.New()
	from := &counted{ctx: ctx, r: io.TeeReader(io.NewSectionReader(r, 0, size), h)}
	tmp, err = s.writeTemp(bufio.NewReaderSize(from, int(min(size, copyBytes))))
	if err == nil && from.n < size {
		os.Remove(tmp)
		err = store.Short(key, from.n, size, nil)
	}
	if err != nil {
		return "", nil, fmt.Errorf("store: %s: %w", key, err)
	}
	return tmp, h.Sum(nil), nil
}

// publishTemp has a temporary file stand under a key.
func (s *Store) publishTemp(ctx context.Context, key, tmp string, v version, opt store.PutOptions) (store.Info, error) {
	defer os.Remove(tmp) // after a rename it is gone
	v.write = func() (string, error) { return tmp, nil }
	return s.replace(ctx, key, v, opt)
}

// counted counts what is read and stops with the context.
type counted struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (c *counted) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// version is what is about to stand under a key; write gives a temporary file that holds it.
type version struct {
	etag  string
	size  int64
	write func() (tmp string, err error)
}

// replace decides on the condition and renames, both under the key's lock.
func (s *Store) replace(ctx context.Context, key string, v version, opt store.PutOptions) (store.Info, error) {
	unlock, err := s.lock(ctx, key)
	if err != nil {
		return store.Info{}, fmt.Errorf("store: lock %s: %w", key, err)
	}
	defer unlock()
	s.tidy.Do(s.removeStale)

	old, err := s.Head(ctx, key)
	exists := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.Info{}, err
	}
	if opt.Immutable && exists && old.ETag == v.etag {
		return old, nil
	}
	if err := store.CheckCondition(key, opt, exists, old.ETag); err != nil {
		return store.Info{}, err
	}
	info := store.Info{Key: key, Size: v.size, ETag: v.etag, Headers: opt.Headers.OrDerived(key)}
	if err := s.keepHeaders(key, old.ETag, v.etag, info.Headers); err != nil {
		return store.Info{}, err
	}
	if err := ctx.Err(); err != nil {
		return store.Info{}, err
	}
	tmp, err := v.write()
	if err == nil {
		err = moveTo(tmp, s.path(key))
	}
	if err != nil {
		return store.Info{}, fmt.Errorf("store: %s: %w", key, err)
	}
	fi, err := os.Stat(s.path(key))
	if err != nil {
		return store.Info{}, fmt.Errorf("store: %s: %w", key, err)
	}
	info.Modified = fi.ModTime().UTC()
	return info, nil
}

// publish writes a file under a temporary name, syncs it, renames it to path and syncs the folder.
func (s *Store) publish(path string, body []byte) error {
	tmp, err := s.writeTemp(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return moveTo(tmp, path)
}

// moveTo renames a synced temporary file to path and syncs the folder.
func moveTo(tmp, path string) (err error) {
	folder := filepath.Dir(path)
	// A Delete may prune the folder between the two steps; three rounds outlast any such neighbour.
	for range 3 {
		if err = os.MkdirAll(folder, 0o755); err != nil {
			break
		}
		if err = os.Rename(tmp, path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		os.Remove(tmp)
		return err
	}
	return syncFolder(folder)
}

// tempFile is a new file in the folder that removeStale clears.
func (s *Store) tempFile() (*os.File, error) {
	folder := filepath.Join(s.root, ".store", "tmp")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return os.CreateTemp(folder, "put-*")
}

func (s *Store) writeTemp(body io.Reader) (name string, err error) {
	f, err := s.tempFile()
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, body)
	err = errors.Join(err, f.Chmod(0o644), f.Sync())
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// removeStale clears what killed writers left behind. Failing to is no harm to any object.
func (s *Store) removeStale() {
	folder := filepath.Join(s.root, ".store", "tmp")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && time.Since(fi.ModTime()) > staleTemp {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// Delete implements store.Store. Folders that become empty go too.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	if _, err := os.Lstat(s.path(key)); err != nil {
		if err := readError(key, err); !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return nil
	}
	unlock, err := s.lock(ctx, key)
	if err != nil {
		return fmt.Errorf("store: lock %s: %w", key, err)
	}
	defer unlock()
	path := s.path(key)
	if fi, err := os.Lstat(path); err != nil || fi.IsDir() {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: delete %s: %w", key, err)
	}
	if err := os.Remove(s.headersPath(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: delete headers of %s: %w", key, err)
	}
	for folder := filepath.Dir(path); folder != s.root && os.Remove(folder) == nil; {
		folder = filepath.Dir(folder)
	}
	return nil
}
