package dir

import (
	"context"
	"fmt"
	"os"
	"time"

	"mappe/shared/cloud/store"
)

// Copy implements store.Copier: the two keys share their bytes on the disk until one is written anew. Both are Modified
// now. A file system without links gets a copy.
func (s *Store) Copy(ctx context.Context, from, to string, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, to); err != nil {
		return store.Info{}, err
	}
	have, err := s.Head(ctx, from)
	if err != nil {
		return store.Info{}, err
	}
	tmp, err := s.link(from)
	if err != nil {
		return store.Info{}, fmt.Errorf("store: %s to %s: %w", from, to, err)
	}
	// Renaming one name of a file over another leaves both, so that this one may still be there.
	defer os.Remove(tmp)
	return s.replace(ctx, to, version{have.ETag, have.Size, func() (string, error) { return tmp, nil }}, opt)
}

// link gives a temporary file with the bytes of a key.
func (s *Store) link(key string) (string, error) {
	f, err := s.tempFile()
	if err != nil {
		return "", err
	}
	tmp := f.Name()
	f.Close()
	// The name is ours; a link wants it free.
	if err = os.Remove(tmp); err == nil {
		err = os.Link(s.path(key), tmp)
	}
	if err == nil {
		now := time.Now()
		return tmp, os.Chtimes(tmp, now, now)
	}
	in, err := os.Open(s.path(key))
	if err != nil {
		return "", err
	}
	defer in.Close() // read only
	return s.writeTemp(in)
}
