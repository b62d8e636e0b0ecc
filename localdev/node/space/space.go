// Package space finds documents in the store: which refs of a place count, which changes they name, and what these make. It also
// writes changes and refs with the right of a key.
package space

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/replay"
	"mappe/localdev/node/store"
)

var (
	// ErrNotFound is that of a place without a document, or with one that has ended.
	ErrNotFound = errors.New("there is no such document")
	// ErrMissing is that of changes whose predecessors are not kept here.
	ErrMissing = errors.New("a change of the document is not kept here")
)

// Moved is the error of a document that has been redirected.
type Moved struct {
	Space     ident.Account
	Path      ident.Path
	Republish bool
}

func (m *Moved) Error() string {
	return fmt.Sprintf("the document has moved to hm://%s%s", m.Space, m.Path)
}

// Found is a document at a place.
type Found struct {
	Space ident.Account
	Path  ident.Path
	*replay.Document
	Genesis    cid.Cid
	Generation int64
	Refs       []cid.Cid // those that make it
}

const (
	// maxChanges and maxBytes bound the changes of a document.
	maxChanges = 100_000
	maxBytes   = 64 << 20
	// maxRead and maxFound bound what is remembered of blobs and documents that were read, by the bytes of the blobs: they take up to
	// 16 times as many in memory (cbor.MaxMemory, blob.MaxSize).
	maxRead  = 16 << 20
	maxFound = 16 << 20
	// entrySize is about what an entry takes beside its blob, in the same measure.
	entrySize = 64
)

// Library finds documents. Many goroutines may use it.
type Library struct {
	Store *store.Store
	clock clock

	mu     sync.Mutex
	writes uint64
	found  map[place]answer
	size   int // bytes of the blobs in found
	read   map[cid.Cid]reading
	kept   int // bytes of the blobs in read
}

// reading is a blob that was read. Blobs do not change: it holds as long as it is kept.
type reading struct {
	blob *blob.Blob
	sum  cid.Cid
	size int // bytes
}

type place struct {
	space ident.Account
	path  ident.Path
}

type answer struct {
	found *Found
	err   error
}

// New gives the library of a store; now tells the time.
func New(s *store.Store, now func() time.Time) *Library {
	return &Library{Store: s, clock: clock{now: now}, found: map[place]answer{}, read: map[cid.Cid]reading{}}
}

// clock gives milliseconds of which none is given twice: two changes of a key at one time would have operations of one id.
type clock struct {
	now func() time.Time

	mu   sync.Mutex
	last int64
}

func (c *clock) next() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.now().UnixMilli(), c.last+1)
	return c.last
}

// get reads a blob.
func (l *Library) get(id cid.Cid) (reading, error) {
	l.mu.Lock()
	r, ok := l.read[id]
	l.mu.Unlock()
	if ok {
		return r, nil
	}
	data, err := l.Store.Get(id)
	if err != nil {
		return r, fmt.Errorf("%w: %s", ErrMissing, id)
	}
	r.sum, r.size = blob.Sum(data), len(data)
	if r.blob, err = blob.Decode(data); err != nil {
		return r, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, again := l.read[id]; again { // another has read it in the meantime
		return r, nil
	}
	if l.kept += entrySize + r.size; l.kept > maxRead {
		l.kept = entrySize + r.size
		clear(l.read)
	}
	l.read[id] = r
	return r, nil
}

// Document finds the document at a place: ErrNotFound, a *Moved, or what its newest generation is.
func (l *Library) Document(space ident.Account, path ident.Path) (*Found, error) {
	at := place{space, path}
	writes := l.Store.Writes()
	l.mu.Lock()
	if l.writes != writes {
		l.writes, l.size = writes, 0
		clear(l.found)
	}
	a, ok := l.found[at]
	l.mu.Unlock()
	if ok {
		return a.found, a.err
	}
	a.found, a.err = l.resolve(space, path)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, again := l.found[at]; again || l.writes != writes {
		return a.found, a.err
	}
	size := entrySize + len(path)
	if a.found != nil {
		for _, e := range a.found.Entries {
			size += entrySize + e.Size
		}
	}
	if l.size += size; l.size > maxFound {
		l.size = size
		clear(l.found)
	}
	l.found[at] = a
	return a.found, a.err
}

// claim is a ref that counts.
type claim struct {
	id cid.Cid
	*blob.Ref
}

// claims are the refs of a place whose signers may write it, of the newest generation, the oldest first.
func (l *Library) claims(space ident.Account, path ident.Path) []claim {
	var all []claim
	for _, id := range l.Store.Refs(space, path) {
		r, err := l.get(id)
		if err == nil && r.blob.Ref != nil && l.Store.MayWrite(space, path, r.blob.Signer) {
			all = append(all, claim{id, r.blob.Ref})
		}
	}
	slices.SortFunc(all, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Time, b.Time), cmp.Compare(a.id.KeyString(), b.id.KeyString()))
	})
	if len(all) == 0 {
		return nil
	}
	newest := all[len(all)-1]
	return slices.DeleteFunc(all, func(c claim) bool {
		return c.Generation != newest.Generation || !c.Genesis.Equals(newest.Genesis)
	})
}

func (l *Library) resolve(space ident.Account, path ident.Path) (*Found, error) {
	all := l.claims(space, path)
	if len(all) == 0 {
		return nil, ErrNotFound
	}
	switch last := all[len(all)-1]; {
	case last.Tombstone():
		return nil, ErrNotFound
	case last.Redirect != nil:
		to := last.Redirect
		return nil, &Moved{cmp.Or(to.Space, space), to.Path, to.Republish}
	}
	// A ref whose changes are not all here, or do not go together with those of the earlier ones, is not seen.
	f := &Found{Space: space, Path: path, Genesis: all[0].Genesis, Generation: all[0].Generation}
	var heads []cid.Cid
	var failed error
	for _, c := range all {
		if len(c.Heads) == 0 {
			continue
		}
		if _, err := l.closure(c.Heads, c.Genesis); err != nil {
			failed = err
			continue
		}
		heads, f.Refs = append(heads, c.Heads...), append(f.Refs, c.id)
	}
	for n := len(f.Refs); n > 0; n = len(f.Refs) {
		entries, err := l.closure(heads, f.Genesis)
		if err == nil {
			if f.Document, err = replay.New(entries); err == nil {
				return f, nil
			}
		}
		failed = err
		f.Refs = f.Refs[:n-1]
		heads = nil
		for _, c := range all {
			if slices.ContainsFunc(f.Refs, c.id.Equals) {
				heads = append(heads, c.Heads...)
			}
		}
	}
	return nil, fmt.Errorf("%w: %w", ErrNotFound, failed)
}

// Load computes a document from the changes that heads name, whatever refs there are.
func (l *Library) Load(v ident.Version) (*replay.Document, error) {
	entries, err := l.closure(v, cid.Undef)
	if err != nil {
		return nil, err
	}
	return replay.New(entries)
}

// closure are the changes that heads name and follow. The same bytes may have two names: one stands for both.
func (l *Library) closure(heads []cid.Cid, genesis cid.Cid) ([]replay.Entry, error) {
	names := map[cid.Cid]cid.Cid{}   // every name to the one that stands for it
	content := map[cid.Cid]cid.Cid{} // the name of the bytes to the one that stands for it
	var entries []replay.Entry
	bytes := 0
	for queue := slices.Clone(heads); len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		if names[id].Defined() {
			continue
		}
		r, err := l.get(id)
		if err != nil {
			return nil, err
		}
		b := r.blob
		if content[r.sum].Defined() {
			names[id] = content[r.sum]
			continue
		}
		if b.Change == nil {
			return nil, fmt.Errorf("%s is a %s, expected a Change", id, b.Type)
		}
		names[id], content[r.sum] = id, id
		entries = append(entries, replay.Entry{ID: id, Change: b.Change, Size: r.size})
		if bytes += r.size; len(entries) > maxChanges || bytes > maxBytes {
			return nil, fmt.Errorf("the document has more than %d changes, or more than %d bytes of them", maxChanges, maxBytes)
		}
		queue = append(queue, b.Change.Deps...)
		if !b.Change.First() {
			queue = append(queue, b.Change.Genesis)
		}
	}
	for i, e := range entries {
		c := *e.Change
		c.Deps = slices.Clone(c.Deps)
		for j, dep := range c.Deps {
			c.Deps[j] = names[dep]
		}
		if !c.First() {
			c.Genesis = names[c.Genesis]
		} else if genesis.Defined() && !names[genesis].Equals(e.ID) {
			return nil, errors.New("the ref names another first change than its heads")
		}
		entries[i].Change = &c
	}
	return entries, nil
}
