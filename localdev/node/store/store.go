// Package store keeps blobs in one file, with the index by which documents are found. All that is kept has been checked: names match
// bytes, and signatures their signers. A write is there wholly or not at all, also when the process is killed in it.
//
//	bucket      key                                value
//	blobs       CID                                bytes; the bucket's sequence is their number
//	refs        account 34 · path · 00 · CID       account of the signer
//	rights      account 34 · delegate 34 · CID     -
//	profiles    account 34 · CID                   -
//	comments    account 34 · path · 00 · CID       -
package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ipfs/go-cid"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/replay"
)

var (
	// ErrNotFound is that of a blob that is not kept.
	ErrNotFound = errors.New("the blob is not kept here")
	// ErrFull is that of a ref without right when a space has MaxStash of them.
	ErrFull = errors.New("too many refs of accounts without a right wait for one")
)

const (
	// MaxStash is how many refs of other accounts without a capability are kept of a space: a capability may come later.
	MaxStash = 1000
	// MaxAhead is how far a blob may lie in the future.
	MaxAhead = 40 * time.Second
)

var buckets = [][]byte{blobs, refs, rights, profiles, comments}

var (
	blobs    = []byte("blobs")
	refs     = []byte("refs")
	rights   = []byte("rights")
	profiles = []byte("profiles")
	comments = []byte("comments")
)

// Item is a blob that is offered. The CID may be undefined: the bytes are then DAG-CBOR and named by their BLAKE2b-256 hash.
type Item struct {
	ID   cid.Cid
	Data []byte
}

// Store is a file of blobs; one process at a time has it open, and many goroutines may use it.
type Store struct {
	db  *bbolt.DB
	now func() time.Time
	// writes counts the writes: what was read at one count holds until the next.
	writes atomic.Uint64
}

// Open opens the file of a folder, which is made where it is not there. now tells the time; it is not asked but for refusing blobs of
// the future.
func Open(folder string, now func() time.Time) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "blobs.bolt")
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: 2 * time.Second, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%s is in use by another process", file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		if b := tx.Bucket(blobs); b.Sequence() == 0 { // a new file, or one of before blobs were counted
			return b.SetSequence(uint64(b.Stats().KeyN))
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{db: db, now: now}, nil
}

// Close ends all use.
func (s *Store) Close() error { return s.db.Close() }

// Writes is the number of writes since the start: what was read at one number holds as long as it stays.
func (s *Store) Writes() uint64 { return s.writes.Load() }

// checked is an item that has been read.
type checked struct {
	Item
	blob *blob.Blob // nil for the bytes of files
}

// check reads an item as far as that can be done without the others.
func (s *Store) check(i Item) (checked, error) {
	if len(i.Data) > blob.MaxSize {
		return checked{}, fmt.Errorf("a blob has %d bytes: at most %d are allowed", len(i.Data), blob.MaxSize)
	}
	if !i.ID.Defined() {
		i.ID = blob.Sum(i.Data)
	}
	if err := blob.Matches(i.ID, i.Data); err != nil {
		return checked{}, err
	}
	if i.ID.Prefix().Codec != cid.DagCBOR {
		return checked{Item: i}, nil
	}
	b, err := blob.Decode(i.Data)
	if err != nil {
		return checked{}, fmt.Errorf("%s: %w", i.ID, err)
	}
	if ahead := time.UnixMilli(b.Time).Sub(s.now()); ahead > MaxAhead {
		return checked{}, fmt.Errorf("%s: it is %s in the future: at most %s are allowed", i.ID, ahead.Round(time.Second), MaxAhead)
	}
	if private(b) {
		return checked{}, fmt.Errorf("%s: private documents are not kept by this node, which would serve them to everyone", i.ID)
	}
	return checked{i, b}, nil
}

func private(b *blob.Blob) bool {
	return b.Ref != nil && b.Ref.Private || b.Comment != nil && b.Comment.Private
}

// Put keeps all of the items or none: the error is of the first that is refused. It gives their names.
func (s *Store) Put(items ...Item) ([]cid.Cid, error) {
	kept, failed, err := s.put(items, true)
	for _, e := range failed {
		if e != nil {
			return nil, e
		}
	}
	return kept, err
}

// PutGood keeps the items that are good. The errors are those of the others, by their place; kept has their names, undefined for a
// refused one.
func (s *Store) PutGood(items []Item) (kept []cid.Cid, refused []error, err error) {
	return s.put(items, false)
}

var errNone = errors.New("an item is refused")

func (s *Store) put(items []Item, all bool) ([]cid.Cid, []error, error) {
	list, refused := make([]checked, len(items)), make([]error, len(items))
	for i, item := range items {
		if list[i], refused[i] = s.check(item); refused[i] != nil && all {
			return nil, refused, errNone
		}
	}
	kept := make([]cid.Cid, len(items))
	err := s.db.Update(func(tx *bbolt.Tx) error {
		// What refs and changes follow may come after them: changes by time, then the rest.
		order := make([]int, 0, len(list))
		for i := range list {
			if refused[i] == nil {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return list[a].order(list[b]) })
		for _, i := range order {
			if refused[i] = keep(tx, list[i]); refused[i] != nil {
				if all {
					return errNone
				}
				continue
			}
			kept[i] = list[i].ID
		}
		return nil
	})
	if err == nil {
		s.writes.Add(1)
	} else if errors.Is(err, errNone) {
		err = nil
	}
	return kept, refused, err
}

// order puts capabilities first, then changes by their time.
func (c checked) order(d checked) int {
	rank := func(c checked) int64 {
		switch {
		case c.blob == nil || c.blob.Ref != nil:
			return blob.MaxTime
		case c.blob.Change != nil:
			return c.blob.Time
		}
		return -1
	}
	switch a, b := rank(c), rank(d); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// keep writes an item and its index.
func keep(tx *bbolt.Tx, c checked) error {
	name := c.ID.Bytes()
	if tx.Bucket(blobs).Get(name) != nil {
		return nil
	}
	if c.blob != nil {
		if err := index(tx, name, c.blob); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	b := tx.Bucket(blobs)
	if _, err := b.NextSequence(); err != nil { // it counts the blobs
		return err
	}
	return b.Put(name, c.Data)
}

func index(tx *bbolt.Tx, name []byte, b *blob.Blob) error {
	switch {
	case b.Change != nil:
		return fits(tx, b.Change)
	case b.Ref != nil:
		if b.Ref.Space != b.Signer && !mayWrite(tx, b.Ref.Space, b.Ref.Path, b.Signer) && stashed(tx, b.Ref.Space) >= MaxStash {
			return ErrFull
		}
		return tx.Bucket(refs).Put(under(placeKey(b.Ref.Space, b.Ref.Path), name), b.Signer.Bytes())
	case b.Capability != nil:
		return tx.Bucket(rights).Put(under(rightsKey(b.Signer, b.Capability.Delegate), name), []byte{})
	case b.Profile != nil:
		return tx.Bucket(profiles).Put(under(b.Profile.Account.Bytes(), name), []byte{})
	case b.Comment != nil:
		return tx.Bucket(comments).Put(under(placeKey(b.Comment.Space, b.Comment.Path), name), []byte{})
	}
	return nil
}

// fits holds a change to those that it follows, as far as they are kept.
func fits(tx *bbolt.Tx, c *blob.Change) error {
	for _, dep := range c.Deps {
		data := tx.Bucket(blobs).Get(dep.Bytes())
		if data == nil {
			continue
		}
		b, err := blob.Decode(data)
		if err != nil {
			return fmt.Errorf("change %s: %w", dep, err)
		}
		if b.Change == nil {
			return fmt.Errorf("%s, which it follows, is no change", dep)
		}
		if b.Change.First() && !dep.Equals(c.Genesis) {
			return fmt.Errorf("it follows %s, which begins another document", dep)
		}
		if err := replay.Follows(c, b.Change, c.Genesis); err != nil {
			return err
		}
	}
	return nil
}

// placeKey is the beginning of the keys of a document.
func placeKey(space ident.Account, path ident.Path) []byte {
	return append(append(space.Bytes(), path...), 0)
}

func rightsKey(owner, delegate ident.Account) []byte { return append(owner.Bytes(), delegate...) }

func under(prefix, name []byte) []byte { return append(slices.Clip(prefix), name...) }
