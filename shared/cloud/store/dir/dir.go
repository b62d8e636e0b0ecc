// Package dir is the store in a directory: every object is a plain file at its key, so the directory can
// be served, copied and looked into by anything.
//
//	<root>/<key>                    the object's bytes and nothing else
//	<root>/.store/tmp/              files being written; a rename publishes them
//	<root>/.store/locks/<hex>       256 lock files; a write holds the one its key hashes to
//	<root>/.store/headers/<hex>     headers that store.Derived would not give, named by the key's hash
//
// Headers that follow from the key's name need no file beside the object. A key cannot be both a file
// and a folder ("a" and "a/b"), as in every file system. A write locks across processes (flock), syncs
// the file, renames it and syncs the folder; readers never lock. A local file system is assumed: flock
// over some network file systems is not dependable.
package dir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"mappe/shared/cloud/store"
)

// Store is a directory of objects.
type Store struct {
	root  string
	etags etagCache
	tidy  sync.Once
}

var (
	_ store.Local   = (*Store)(nil)
	_ store.Summing = (*Store)(nil)
)

// Open names the directory. It need not exist: the first Put makes it, until then it is empty.
func Open(root string) (*Store, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("store: directory %q: %w", root, err)
	}
	if fi, err := os.Stat(root); err == nil && !fi.IsDir() {
		return nil, fmt.Errorf("store: %s is a file, want a directory", root)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: %w", err)
	}
	return &Store{root: root}, nil
}

// Root is the directory's absolute path.
func (s *Store) Root() string { return s.root }

func (s *Store) path(key string) string { return filepath.Join(s.root, filepath.FromSlash(key)) }

// Head implements store.Store.
func (s *Store) Head(ctx context.Context, key string) (store.Info, error) {
	f, info, err := s.open(ctx, key)
	if err != nil {
		return store.Info{}, err
	}
	return info, f.Close()
}

// Stat implements store.Local.
func (s *Store) Stat(ctx context.Context, key string) (store.Info, error) {
	f, info, err := s.openPlain(ctx, key)
	if err != nil {
		return store.Info{}, err
	}
	return info, f.Close()
}

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	open := s.open
	if opt.Plain && opt.IfNoneMatch == "" {
		open = s.openPlain
	}
	f, info, err := open(ctx, key)
	if err != nil {
		return nil, err
	}
	offset, length, err := opt.Range.Resolve(info.Size)
	if opt.IfNoneMatch != "" && opt.IfNoneMatch == info.ETag {
		err = store.ErrNotModified
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("store: %s: %w", key, err)
	}
	body := &body{ctx: ctx, file: f, SectionReader: io.NewSectionReader(f, offset, length)}
	return &store.Object{Info: info, Body: body, Offset: offset, Length: length}, nil
}

// body reads a part of an open file until the context ends. It can seek, which http.ServeContent uses.
type body struct {
	*io.SectionReader
	ctx  context.Context
	file *os.File
}

func (b *body) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.SectionReader.Read(p)
}

func (b *body) Close() error { return b.file.Close() }

// open gives the file and what is known of it; both belong to one version of the object.
func (s *Store) open(ctx context.Context, key string) (*os.File, store.Info, error) {
	if err := check(ctx, key); err != nil {
		return nil, store.Info{}, err
	}
	for attempt := 0; ; attempt++ {
		f, err := os.Open(s.path(key))
		if err != nil {
			return nil, store.Info{}, readError(key, err)
		}
		info, settled, err := s.describe(ctx, key, f)
		// A swap between the two reads leaves headers that do not speak of these bytes: look again.
		if err == nil && (settled || attempt == 3) {
			return f, info, nil
		}
		f.Close()
		if err != nil {
			return nil, store.Info{}, err
		}
	}
}

// openPlain gives the file with its size and time; for the ETag it would have to be read.
func (s *Store) openPlain(ctx context.Context, key string) (*os.File, store.Info, error) {
	if err := check(ctx, key); err != nil {
		return nil, store.Info{}, err
	}
	f, err := os.Open(s.path(key))
	if err != nil {
		return nil, store.Info{}, readError(key, err)
	}
	info, _, err := sizeOf(key, f)
	if err != nil {
		f.Close()
		return nil, store.Info{}, err
	}
	return f, info, nil
}

// sizeOf gives what the file system says of an open file.
func sizeOf(key string, f *os.File) (store.Info, fs.FileInfo, error) {
	fi, err := f.Stat()
	if err != nil {
		return store.Info{}, nil, fmt.Errorf("store: %s: %w", key, err)
	}
	if !fi.Mode().IsRegular() {
		return store.Info{}, nil, fmt.Errorf("store: %s: %w", key, store.ErrNotFound)
	}
	return store.Info{Key: key, Size: fi.Size(), Modified: fi.ModTime().UTC()}, fi, nil
}

// describe reads size, time, ETag and headers of an open file; settled is false when the headers file
// speaks of other versions only.
func (s *Store) describe(ctx context.Context, key string, f *os.File) (info store.Info, settled bool, err error) {
	info, fi, err := sizeOf(key, f)
	if err != nil {
		return info, false, err
	}
	if known, ok := s.etags.get(key, fi); ok {
		info.ETag, info.Headers = known.etag, known.headers
		return info, true, nil
	}
	if info.ETag, err = hashFile(ctx, f); err != nil {
		return info, false, fmt.Errorf("store: %s: %w", key, err)
	}
	if info.Headers, settled, err = s.headers(key, info.ETag); err != nil {
		return info, false, err
	}
	if settled {
		s.etags.put(key, fi, known{info.ETag, info.Headers})
	}
	return info, settled, nil
}

// readError: a missing file, a folder on the way that is a file, or a folder at the key.
func readError(key string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return fmt.Errorf("store: %s: %w", key, store.ErrNotFound)
	}
	return fmt.Errorf("store: %s: %w", key, err)
}

func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return store.CheckKey(key)
}
