package bearer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// Kept is what a ledger keeps of a token of any service; a service's record embeds it beside what the token opens.
type Kept struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"` // zero: never
	Revoked time.Time `json:"revoked,omitzero"` // zero: it was not
	Hash    []byte    `json:"hash"`             // SHA-256 of the secret
}

func (k *Kept) kept() *Kept { return k }

// Record is a pointer to a struct that embeds Kept.
type Record[T any] interface {
	*T
	kept() *Kept
}

// Store keeps the tokens of one kind in a ledger. It is safe for concurrent use, by several processes too.
type Store[T any, P Record[T]] struct {
	Ledger ledger.Ledger
	Prefix string                     // of the texts
	Key    func(id string) ledger.Key // where the token of an id stands
	Now    func() time.Time
}

// Why a text opens nothing.
var (
	ErrUnknown = errors.New("the token is not known here")
	ErrRevoked = errors.New("the token was revoked")
	ErrExpired = errors.New("the token has expired")
)

// Refused says whether an error of Find is about the token, not about the ledger.
func Refused(err error) bool {
	return errors.Is(err, ErrUnknown) || errors.Is(err, ErrRevoked) || errors.Is(err, ErrExpired)
}

// now is the clock, to the second.
func (s Store[T, P]) now() time.Time { return s.Now().UTC().Truncate(time.Second) }

// Add makes a token that opens what t says and ends after its life; 0: never. Its text is kept nowhere. ledger.ErrConflict
// where the id was drawn before.
func (s Store[T, P]) Add(ctx context.Context, t T, life time.Duration) (T, string, error) {
	id, text, hash := New(s.Prefix)
	k := P(&t).kept()
	*k = Kept{ID: id, Created: s.now(), Hash: hash}
	if life != 0 {
		k.Expires = k.Created.Add(life)
	}
	value, err := json.Marshal(t)
	if err != nil {
		return t, "", err
	}
	_, err = s.Ledger.Put(ctx, ledger.Record{Key: s.Key(id), Value: value}, ledger.Absent)
	return t, text, err
}

// List gives the tokens, those too that open nothing any more, by id. All stand in one partition.
func (s Store[T, P]) List(ctx context.Context) ([]T, error) {
	const page = 100
	var all []T
	for from := "0"; ; {
		rows, err := s.Ledger.Query(ctx, ledger.Query{Partition: s.Key("").Partition, From: from, Limit: page})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			t, err := read[T](r)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
			from = r.Key.Sort + "\x20" // sorts behind the id and before any other
		}
		if len(rows) < page {
			return all, nil
		}
	}
}

// Revoke ends a token; one that was revoked before stays as it is. ledger.ErrNotFound where no token has this id.
func (s Store[T, P]) Revoke(ctx context.Context, id string) error {
	_, err := ledger.Update(ctx, s.Ledger, s.Key(id), func(r *ledger.Record) (bool, error) {
		if r.Version == ledger.Absent {
			return false, ledger.ErrNotFound
		}
		t, err := read[T](*r)
		k := P(&t).kept()
		if err != nil || !k.Revoked.IsZero() {
			return false, err
		}
		k.Revoked = s.now()
		r.Value, err = json.Marshal(t)
		return true, err
	})
	return err
}

// Find gives the token of a text: ErrUnknown, ErrRevoked, ErrExpired. Only who has the secret learns more than that it is
// unknown.
func (s Store[T, P]) Find(ctx context.Context, text string) (T, error) {
	var none T
	id, secret, ok := Split(s.Prefix, text)
	if !ok {
		return none, ErrUnknown
	}
	r, err := s.Ledger.Get(ctx, s.Key(id))
	if errors.Is(err, ledger.ErrNotFound) {
		return none, ErrUnknown
	}
	if err != nil {
		return none, err
	}
	t, err := read[T](r)
	if err != nil {
		return none, err
	}
	switch k := P(&t).kept(); {
	case !secret.Is(k.Hash):
		return none, ErrUnknown
	case !k.Revoked.IsZero():
		return none, ErrRevoked
	case !k.Expires.IsZero() && !s.Now().Before(k.Expires):
		return none, ErrExpired
	}
	return t, nil
}

func read[T any](r ledger.Record) (t T, err error) {
	if err := json.Unmarshal(r.Value, &t); err != nil {
		return t, fmt.Errorf("record %v: %w", r.Key, err)
	}
	return t, nil
}
