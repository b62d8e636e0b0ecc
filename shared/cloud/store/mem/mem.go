// Package mem is the store in memory: for tests and for work that leaves nothing behind.
package mem

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"mappe/shared/cloud/store"
)

// Store is an empty store when new.
type Store struct {
	mu      sync.RWMutex
	objects map[string]object
	writes  int64
}

type object struct {
	info store.Info
	body []byte
}

// New is an empty store.
func New() *Store { return &Store{objects: map[string]object{}} }

var _ store.Store = (*Store)(nil)

// Clone is a store that holds the same objects. What is written to one of the two is not seen in the other.
func (s *Store) Clone() *Store {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &Store{objects: maps.Clone(s.objects), writes: s.writes}
}

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	o, err := s.find(ctx, key)
	if err != nil {
		return nil, err
	}
	if opt.IfNoneMatch == o.info.ETag {
		return nil, fmt.Errorf("store: %s: %w", key, store.ErrNotModified)
	}
	offset, length, err := opt.Range.Resolve(o.info.Size)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", key, err)
	}
	body := io.NopCloser(bytes.NewReader(o.body[offset : offset+length]))
	return &store.Object{Info: o.info, Body: body, Offset: offset, Length: length}, nil
}

// Head implements store.Store.
func (s *Store) Head(ctx context.Context, key string) (store.Info, error) {
	o, err := s.find(ctx, key)
	return o.info, err
}

func (s *Store) find(ctx context.Context, key string) (object, error) {
	if err := check(ctx, key); err != nil {
		return object{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.objects[key]
	if !ok {
		return object{}, fmt.Errorf("store: %s: %w", key, store.ErrNotFound)
	}
	return o, nil
}

// Put implements store.Store.
func (s *Store) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, err
	}
	etag := store.ETagOf(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, exists := s.objects[key]
	if opt.Immutable && exists && old.info.ETag == etag {
		return old.info, nil
	}
	if err := store.CheckCondition(key, opt, exists, old.info.ETag); err != nil {
		return store.Info{}, err
	}
	s.writes++ // one second a write: Modified rises and tests see the same times in every run
	info := store.Info{Key: key, Size: int64(len(body)), ETag: etag, Modified: time.Unix(s.writes, 0).UTC(),
		Headers: opt.Headers.OrDerived(key)}
	s.objects[key] = object{info, bytes.Clone(body)}
	return info, nil
}

// PutFrom implements store.Store.
func (s *Store) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, err
	}
	body, err := store.ReadFrom(key, r, size)
	if err != nil {
		return store.Info{}, err
	}
	return s.Put(ctx, key, body, opt)
}

// List implements store.Store.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[store.Info, error] {
	return func(yield func(store.Info, error) bool) {
		if err := store.CheckPrefix(prefix); err != nil {
			yield(store.Info{}, err)
			return
		}
		for _, info := range s.snapshot(prefix) {
			if err := ctx.Err(); err != nil {
				yield(store.Info{}, err)
				return
			}
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (s *Store) snapshot(prefix string) []store.Info {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var infos []store.Info
	for key, o := range s.objects {
		if strings.HasPrefix(key, prefix) {
			infos = append(infos, store.Info{Key: key, Size: o.info.Size, Modified: o.info.Modified})
		}
	}
	slices.SortFunc(infos, func(a, b store.Info) int { return strings.Compare(a.Key, b.Key) })
	return infos
}

// Delete implements store.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, key)
	return nil
}

func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return store.CheckKey(key)
}
