package store

import (
	"bytes"

	"github.com/ipfs/go-cid"
	"go.etcd.io/bbolt"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
)

// accountSize is the length of an account's bytes.
const accountSize = 34

// Get gives the bytes of a blob.
func (s *Store) Get(id cid.Cid) ([]byte, error) {
	var out []byte
	err := s.db.View(func(tx *bbolt.Tx) error {
		data := tx.Bucket(blobs).Get(id.Bytes())
		if data == nil {
			return ErrNotFound
		}
		out = bytes.Clone(data)
		return nil
	})
	return out, err
}

// Has says whether a blob is kept.
func (s *Store) Has(id cid.Cid) bool {
	has := false
	s.view(func(tx *bbolt.Tx) { has = tx.Bucket(blobs).Get(id.Bytes()) != nil })
	return has
}

// Missing are those of the names whose blobs are not kept, in their order.
func (s *Store) Missing(ids []cid.Cid) []cid.Cid {
	var out []cid.Cid
	s.view(func(tx *bbolt.Tx) {
		b := tx.Bucket(blobs)
		for _, id := range ids {
			if b.Get(id.Bytes()) == nil {
				out = append(out, id)
			}
		}
	})
	return out
}

// Blob reads a signed blob.
func (s *Store) Blob(id cid.Cid) (*blob.Blob, error) {
	data, err := s.Get(id)
	if err != nil {
		return nil, err
	}
	return blob.Decode(data)
}

// Refs are the names of all refs of a document, those without right too.
func (s *Store) Refs(space ident.Account, path ident.Path) []cid.Cid {
	return s.names(refs, placeKey(space, path))
}

// Comments are the names of the comments of a document.
func (s *Store) Comments(space ident.Account, path ident.Path) []cid.Cid {
	return s.names(comments, placeKey(space, path))
}

// CountComments counts the comments of all documents of a space, up to a number.
func (s *Store) CountComments(space ident.Account, most int) int {
	n := 0
	s.view(func(tx *bbolt.Tx) {
		each(tx, comments, space.Bytes(), func(_, _ []byte) bool {
			n++
			return n < most
		})
	})
	return n
}

// Profiles are the names of the profiles of an account.
func (s *Store) Profiles(account ident.Account) []cid.Cid { return s.names(profiles, account.Bytes()) }

// Rights are the names of the capabilities that the owner of a space has given, to one account or, with none, to all.
func (s *Store) Rights(owner, delegate ident.Account) []cid.Cid {
	var out []cid.Cid
	s.view(func(tx *bbolt.Tx) {
		each(tx, rights, rightsKey(owner, delegate), func(key, _ []byte) bool {
			out = appendName(out, key[2*accountSize:])
			return true
		})
	})
	return out
}

// MayWrite says whether an account may write a document of a space: its own, or one for which its owner has given the right.
func (s *Store) MayWrite(space ident.Account, path ident.Path, who ident.Account) bool {
	may := false
	s.view(func(tx *bbolt.Tx) { may = mayWrite(tx, space, path, who) })
	return may
}

// Paths gives up to a number of paths of a space that have a ref, in the order of their bytes, after one; "" with first begins with
// the home document.
func (s *Store) Paths(space ident.Account, after ident.Path, first bool, most int) []ident.Path {
	var out []ident.Path
	s.view(func(tx *bbolt.Tx) {
		c := tx.Bucket(refs).Cursor()
		from := space.Bytes()
		if !first {
			from = append(append(space.Bytes(), after...), 1) // behind every key of the path
		}
		for k, _ := c.Seek(from); bytes.HasPrefix(k, space.Bytes()) && len(out) < most; {
			path := pathOf(k)
			out = append(out, path)
			k, _ = c.Seek(append(append(space.Bytes(), path...), 1))
		}
	})
	return out
}

// Spaces are the accounts that have a ref, in the order of their bytes.
func (s *Store) Spaces() []ident.Account {
	var out []ident.Account
	s.view(func(tx *bbolt.Tx) {
		c := tx.Bucket(refs).Cursor()
		for k, _ := c.First(); k != nil; {
			a := ident.Account(k[:accountSize])
			out = append(out, a)
			next := append(a.Bytes(), 0xff)
			k, _ = c.Seek(next)
		}
	})
	return out
}

// Holds says whether there is a ref of the space.
func (s *Store) Holds(space ident.Account) bool { return len(s.Paths(space, "", true, 1)) > 0 }

// Count is the number of blobs.
func (s *Store) Count() int {
	n := 0
	s.view(func(tx *bbolt.Tx) { n = int(tx.Bucket(blobs).Sequence()) })
	return n
}

// Each calls a function with every blob until it says false.
func (s *Store) Each(f func(id cid.Cid, data []byte) bool) {
	s.view(func(tx *bbolt.Tx) {
		each(tx, blobs, nil, func(key, data []byte) bool {
			c, err := cid.Cast(key)
			return err != nil || f(c, data)
		})
	})
}

// view reads; reading a file that is open does not fail.
func (s *Store) view(f func(tx *bbolt.Tx)) {
	_ = s.db.View(func(tx *bbolt.Tx) error { f(tx); return nil })
}

func (s *Store) names(bucket, prefix []byte) []cid.Cid {
	var out []cid.Cid
	s.view(func(tx *bbolt.Tx) {
		each(tx, bucket, prefix, func(key, _ []byte) bool {
			out = appendName(out, key[len(prefix):])
			return true
		})
	})
	return out
}

func appendName(out []cid.Cid, raw []byte) []cid.Cid {
	if c, err := cid.Cast(bytes.Clone(raw)); err == nil {
		return append(out, c)
	}
	return out
}

func each(tx *bbolt.Tx, bucket, prefix []byte, f func(key, value []byte) bool) {
	c := tx.Bucket(bucket).Cursor()
	for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if !f(k, v) {
			return
		}
	}
}

func pathOf(key []byte) ident.Path {
	rest := key[accountSize:]
	return ident.Path(rest[:bytes.IndexByte(rest, 0)])
}

func mayWrite(tx *bbolt.Tx, space ident.Account, path ident.Path, who ident.Account) bool {
	if who == space {
		return true
	}
	may := false
	each(tx, rights, rightsKey(space, who), func(key, _ []byte) bool {
		b, err := blob.Decode(tx.Bucket(blobs).Get(key[2*accountSize:]))
		may = err == nil && b.Capability != nil && b.Capability.Allows(space, who, path)
		return !may
	})
	return may
}

// stashed counts the refs of a space by accounts without a right.
func stashed(tx *bbolt.Tx, space ident.Account) int {
	n := 0
	each(tx, refs, space.Bytes(), func(key, signer []byte) bool {
		if !bytes.Equal(signer, space.Bytes()) && !mayWrite(tx, space, pathOf(key), ident.Account(signer)) {
			n++
		}
		return n < MaxStash
	})
	return n
}
