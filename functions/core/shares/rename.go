package shares

import (
	"bytes"
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/spool"
)

// Rename gives a share a name of its own: it is kept from then on and listed, and the old name leads to it. The object is
// copied before the name is taken, the name before the old one is changed: a process that dies between leaves a share under
// both names, and repeating the rename ends it.
func (s *Shares) Rename(ctx context.Context, from, to string) (Share, error) {
	if err := CheckName(to); err != nil {
		return Share{}, err
	}
	if strings.HasPrefix(to, Auto) {
		return Share{}, fmt.Errorf("name %q: names that begin with %s are those of results without a name", to, Auto)
	}
	old, err := s.Find(ctx, from)
	if err != nil {
		return Share{}, err
	}
	if old.Moved == to {
		return s.Find(ctx, to)
	}
	if old.Moved != "" {
		return Share{}, fmt.Errorf("share %s has the name %s: rename that", from, old.Moved)
	}
	named := old
	named.Name, named.Expires, named.Listed = to, time.Time{}, true
	if err := s.copy(ctx, old, &named); err != nil {
		return Share{}, err
	}
	if named, err = s.take(ctx, named); err != nil {
		return Share{}, err
	}
	if err := s.move(ctx, old, to); err != nil {
		return Share{}, err
	}
	return named, nil
}

// copy stores the objects of a share under names that nothing removes.
func (s *Shares) copy(ctx context.Context, h Share, named *Share) (err error) {
	front, err := Front(named.Name, named.Expires)
	if err != nil {
		return err
	}
	object, err := s.spooled(ctx, h, s.Object)
	if err != nil {
		return err
	}
	defer object.Close()
	stem := "named/" + named.Name + "-" + strings.ToLower(cryptorand.Text())
	named.File, named.FrontAt = stem+".json", int64(len(front))
	named.ResultAt += named.FrontAt - h.kindAt()
	whole := spool.Joined{bytes.NewReader(front), object}
	named.Bytes = whole.Size()
	if h.Raw == "" {
		return s.store(ctx, *named, whole, nil)
	}
	raw, err := s.spooled(ctx, h, s.Result)
	if err != nil {
		return err
	}
	defer raw.Close()
	named.Raw, named.Bytes = stem+".bin", max(whole.Size(), raw.Size())
	return s.store(ctx, *named, whole, raw)
}

// spooled is one of the objects of a share, in a file where it is not small. The caller closes it.
func (s *Shares) spooled(ctx context.Context, h Share, part func(context.Context, Share) (*Stored, error)) (*spool.Spool, error) {
	o, err := part(ctx, h)
	if err != nil {
		return nil, err
	}
	return o.spooled(ctx)
}

// take enters a share under a name that nobody has, or that the same result has already.
func (s *Shares) take(ctx context.Context, h Share) (Share, error) {
	value, err := json.Marshal(h)
	if err != nil {
		return h, err
	}
	if _, err = s.Ledger.Put(ctx, ledger.Record{Key: entryKey(&h), Value: []byte(h.Name)}, ledger.Any); err != nil {
		return h, fmt.Errorf("share %s: %w", h.Name, err)
	}
	_, err = s.Ledger.Put(ctx, ledger.Record{Key: recordKey(h.Name), Value: value}, ledger.Absent)
	if errors.Is(err, ledger.ErrConflict) {
		there, found := s.Find(ctx, h.Name)
		if found != nil || there.Job != h.Job || there.Moved != "" {
			err := errors.Join(s.Ledger.Delete(ctx, entryKey(&h), ledger.Any), s.remove(ctx, h))
			return h, errors.Join(fmt.Errorf("%w: %s", ErrTaken, h.Name), err)
		}
		h, err = there, s.remove(ctx, h)
	}
	if err != nil {
		return h, fmt.Errorf("share %s: %w", h.Name, err)
	}
	return h, nil
}

// move has the old name lead to the new one.
func (s *Shares) move(ctx context.Context, old Share, to string) error {
	_, err := ledger.Update(ctx, s.Ledger, recordKey(old.Name), func(r *ledger.Record) (bool, error) {
		r.Expires = time.Time{}
		var err error
		r.Value, err = json.Marshal(Share{Name: old.Name, Kind: old.Kind, Created: old.Created, Moved: to})
		return true, err
	})
	if err == nil {
		err = s.Ledger.Delete(ctx, entryKey(&old), ledger.Any)
	}
	if err == nil {
		err = s.remove(ctx, old)
	}
	if err != nil {
		return fmt.Errorf("share %s: %w", old.Name, err)
	}
	return nil
}
