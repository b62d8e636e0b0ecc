package dir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"

	"mappe/shared/cloud/store"
)

// List implements store.Store. Symbolic links are not followed.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[store.Info, error] {
	return func(yield func(store.Info, error) bool) {
		if err := store.CheckPrefix(prefix); err != nil {
			yield(store.Info{}, err)
			return
		}
		folder := "" // the deepest folder that holds every key with the prefix
		if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
			folder = prefix[:i]
		}
		w := walk{s, ctx, prefix, yield}
		w.folder(folder)
	}
}

type walk struct {
	*Store
	ctx    context.Context
	prefix string
	yield  func(store.Info, error) bool
}

// folder yields the objects below a folder; false when the caller has had enough or after an error.
func (w walk) folder(folder string) bool {
	entries, err := os.ReadDir(w.path(folder))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return true
	}
	if err == nil {
		err = w.ctx.Err()
	}
	if err != nil {
		w.yield(store.Info{}, fmt.Errorf("store: list %q: %w", w.prefix, err))
		return false
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	for _, e := range entries {
		if !w.entry(path.Join(folder, e.Name()), e) {
			return false
		}
	}
	return true
}

// entry yields one file or what is below one folder.
func (w walk) entry(key string, e fs.DirEntry) bool {
	if store.CheckKey(key) != nil {
		return true // dot files and what else is no key
	}
	if e.IsDir() {
		inside := key + "/"
		if !strings.HasPrefix(inside, w.prefix) && !strings.HasPrefix(w.prefix, inside) {
			return true
		}
		return w.folder(key)
	}
	if !e.Type().IsRegular() || !strings.HasPrefix(key, w.prefix) {
		return true
	}
	fi, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return true // deleted since
	}
	if err != nil {
		w.yield(store.Info{}, fmt.Errorf("store: list %s: %w", key, err))
		return false
	}
	return w.yield(store.Info{Key: key, Size: fi.Size(), Modified: fi.ModTime().UTC()}, nil)
}

// sortName puts "a-b" before "a/c", as keys sort.
func sortName(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}
