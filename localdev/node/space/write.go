package space

import (
	"errors"
	"fmt"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/replay"
	"mappe/localdev/node/store"
)

var (
	// ErrRight is that of a key that may not write the place.
	ErrRight = errors.New("the key has no right to write there")
	// ErrBase is that of a change of a document that exists, without or with a wrong base version.
	ErrBase = errors.New("base_version")
)

// Signer signs as an account.
type Signer struct {
	Account ident.Account
	Sign    func([]byte) ([]byte, error)
}

// Draft is what a change of a document begins with.
type Draft struct {
	Space ident.Account
	Path  ident.Path
	Base  ident.Version
	// base is the document of the base version, nil for a new one.
	base *replay.Document
	// first are the blobs that a new home document begins with.
	first []store.Item
	found *Found
}

// Begin prepares a change of the document at a place. A document that exists needs its base version; a new one has none, but that a
// home document may begin with its first change, which has to be kept here.
func (l *Library) Begin(space ident.Account, path ident.Path, base ident.Version) (*Draft, error) {
	d := &Draft{Space: space, Path: path, Base: base}
	var err error
	d.found, err = l.Document(space, path)
	var moved *Moved
	if err != nil && !errors.Is(err, ErrNotFound) && !errors.As(err, &moved) {
		return nil, err
	}
	err = nil
	switch {
	case d.found != nil && len(base) == 0:
		return nil, fmt.Errorf("%w is missing: the document exists, its version is %s", ErrBase, d.found.Heads)
	case d.found != nil:
		d.base, err = d.found.At(base)
	case len(base) > 0:
		d.base, err = l.Load(base)
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrBase, base, err)
	}
	return d, nil
}

// Edit is one of the document that the draft begins with.
func (d *Draft) Edit() *replay.Edit { return replay.NewEdit(d.base) }

// Change is the change by operations, not signed, at a time in milliseconds; 0 is now.
func (l *Library) Change(d *Draft, ops []blob.Op, at int64) (*blob.Change, error) {
	now := at
	if at == 0 {
		now = l.clock.next()
		if d.found != nil { // the clock may have been set back: a key gives no time twice in a document
			now = max(now, d.found.Entries[len(d.found.Entries)-1].Change.Time+1)
		}
	}
	c := replay.Next(d.base, ops, now)
	if at != 0 && c.Time != at {
		return nil, fmt.Errorf("timestamp: %d ms is not later than the base version", at)
	}
	return c, nil
}

// Write signs and keeps the change by operations and a ref to it, at a time in milliseconds; 0 is now.
func (l *Library) Write(d *Draft, ops []blob.Op, signer Signer, at int64) error {
	if !l.Store.MayWrite(d.Space, d.Path, signer.Account) {
		return ErrRight
	}
	if d.base == nil && d.Path == "" {
		if err := l.home(d, signer); err != nil {
			return err
		}
	}
	c, err := l.Change(d, ops, at)
	if err != nil {
		return err
	}
	data, err := blob.Sign(c.Fields(), signer.Account, signer.Sign)
	if err != nil {
		return err
	}
	id := blob.Sum(data)
	ended, _, _ := l.Claims(d.Space, d.Path)
	ref := &blob.Ref{Space: d.Space, Path: d.Path, Genesis: id, Heads: []cid.Cid{id}, Time: c.Time, Generation: max(c.Time, ended+1)}
	if !c.First() {
		ref.Genesis = c.Genesis
	}
	if d.found != nil {
		ref.Generation = d.found.Generation
	}
	refData, err := l.SignRef(ref, signer)
	if err != nil {
		return err
	}
	_, err = l.Store.Put(append(d.first, store.Item{ID: id, Data: data}, store.Item{Data: refData})...)
	return err
}

// home makes the first change of a home document, which is the same whenever it is made, by its owner.
func (l *Library) home(d *Draft, signer Signer) error {
	if signer.Account != d.Space {
		return fmt.Errorf("%w: a home document is begun by its owner", ErrRight)
	}
	data, err := blob.Sign((&blob.Change{}).Fields(), signer.Account, signer.Sign)
	if err != nil {
		return err
	}
	id := blob.Sum(data)
	d.first = []store.Item{{ID: id, Data: data}}
	b, err := blob.Decode(data)
	if err != nil {
		return err
	}
	d.base, err = replay.New([]replay.Entry{{ID: id, Change: b.Change}})
	return err
}

// SignRef signs a ref; a signer who is not the owner adds the capability that gives him the right.
func (l *Library) SignRef(r *blob.Ref, signer Signer) ([]byte, error) {
	if !l.Store.MayWrite(r.Space, r.Path, signer.Account) {
		return nil, ErrRight
	}
	if r.Time == 0 {
		r.Time = l.clock.next()
		if all := l.claims(r.Space, r.Path); len(all) > 0 { // the clock may have been set back: the latest ref is what counts
			r.Time = max(r.Time, all[len(all)-1].Time+1)
		}
	}
	if signer.Account != r.Space && !r.Capability.Defined() {
		for _, id := range l.Store.Rights(r.Space, signer.Account) {
			if b, err := l.Store.Blob(id); err == nil && b.Capability != nil && b.Capability.Allows(r.Space, signer.Account, r.Path) {
				r.Capability = id
				break
			}
		}
	}
	return blob.Sign(r.Fields(signer.Account), signer.Account, signer.Sign)
}

// Claims says whether the place has refs, of which generation and beginning with which change, those of ended documents too.
func (l *Library) Claims(space ident.Account, path ident.Path) (generation int64, genesis cid.Cid, any bool) {
	all := l.claims(space, path)
	if len(all) == 0 {
		return 0, cid.Undef, false
	}
	return all[0].Generation, all[0].Genesis, true
}
