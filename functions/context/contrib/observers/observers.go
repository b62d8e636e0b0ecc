// Package observers keeps who may report on cells, and what they have seen. Tokens are made and ended by an operator
// (localdev cells token); a hash of their text is kept. Records stand in the ledger:
//
//	cells/token              {id}        a token
//	cells/seen/{kg}/{layer}/{baseline}   {observer}  the chunks that an observer sees otherwise than the baseline
//
// A record of sightings belongs to one observer and is written under its version: two reports at once are both in it.
package observers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/cloud/bearer"
	"mappe/shared/cloud/ledger"
	"mappe/shared/geo/hexgrid"
)

// Token lets an observer report. Its text is mne_{id}_{secret} (package bearer).
type Token struct {
	ID       string    `json:"id"`
	Observer string    `json:"observer"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires"`
	Revoked  time.Time `json:"revoked,omitzero"`
	Hash     []byte    `json:"hash"`
}

const (
	tokenPrefix    = "mne_"
	tokenPartition = "cells/token"
	// MaxObserver bounds the name of an observer in bytes.
	MaxObserver = 64
	// seenFor is how long a sighting waits for a second one.
	seenFor = 180 * 24 * time.Hour
	// MaxSeen bounds the chunks of one record, to some 190 KB.
	MaxSeen = 5_000
	// maxObservers of one baseline are compared with each other.
	maxObservers = 64
)

// Why a token opens nothing.
var (
	ErrUnknown = errors.New("the token is not known here")
	ErrRevoked = errors.New("the token was revoked")
	ErrExpired = errors.New("the token has expired")
)

// Records are the tokens and sightings of a ledger.
type Records struct {
	ledger ledger.Ledger
	now    func() time.Time
}

// New keeps records in a ledger; now nil is time.Now.
func New(l ledger.Ledger, now func() time.Time) *Records {
	if now == nil {
		now = time.Now
	}
	return &Records{l, now}
}

// CheckObserver says whether a text can name an observer.
func CheckObserver(name string) error {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' && c != '.' && c != '_' || i == 0) {
			return fmt.Errorf("an observer of lower-case letters, digits, hyphens, dots and underscores, at most %d", MaxObserver)
		}
	}
	if name == "" || len(name) > MaxObserver {
		return fmt.Errorf("an observer of 1 to %d characters", MaxObserver)
	}
	return nil
}

// Grant makes a token of an observer and gives its text, which is kept nowhere.
func (r *Records) Grant(ctx context.Context, observer string, life time.Duration) (Token, string, error) {
	if err := CheckObserver(observer); err != nil {
		return Token{}, "", err
	}
	id, text, hash := bearer.New(tokenPrefix)
	now := r.now().UTC().Truncate(time.Second)
	t := Token{ID: id, Observer: observer, Created: now, Expires: now.Add(life), Hash: hash}
	value, err := json.Marshal(t)
	if err != nil {
		return t, "", err
	}
	_, err = r.ledger.Put(ctx, ledger.Record{Key: ledger.Key{Partition: tokenPartition, Sort: id}, Value: value}, ledger.Absent)
	return t, text, err
}

// Tokens lists the tokens, revoked and expired ones too, by id.
func (r *Records) Tokens(ctx context.Context) ([]Token, error) {
	var all []Token
	const page = 100
	for from := "0"; ; {
		rows, err := r.ledger.Query(ctx, ledger.Query{Partition: tokenPartition, From: from, Limit: page})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			var t Token
			if err := json.Unmarshal(row.Value, &t); err != nil {
				return nil, fmt.Errorf("record %v: %w", row.Key, err)
			}
			all = append(all, t)
			from = row.Key.Sort + "\x20" // sorts behind the id and before any other
		}
		if len(rows) < page {
			return all, nil
		}
	}
}

// Revoke ends a token. ledger.ErrNotFound where there is none of this id.
func (r *Records) Revoke(ctx context.Context, id string) error {
	_, err := ledger.Update(ctx, r.ledger, ledger.Key{Partition: tokenPartition, Sort: id}, func(row *ledger.Record) (bool, error) {
		if row.Version == ledger.Absent {
			return false, ledger.ErrNotFound
		}
		var t Token
		if err := json.Unmarshal(row.Value, &t); err != nil || !t.Revoked.IsZero() {
			return false, err
		}
		t.Revoked = r.now().UTC().Truncate(time.Second)
		var err error
		row.Value, err = json.Marshal(t)
		return true, err
	})
	return err
}

// Bearer finds the token of a text: ErrUnknown, ErrRevoked, ErrExpired. Only who has the secret learns more than that a
// token is unknown.
func (r *Records) Bearer(ctx context.Context, text string) (Token, error) {
	id, secret, ok := bearer.Split(tokenPrefix, text)
	if !ok {
		return Token{}, ErrUnknown
	}
	row, err := r.ledger.Get(ctx, ledger.Key{Partition: tokenPartition, Sort: id})
	if errors.Is(err, ledger.ErrNotFound) {
		return Token{}, ErrUnknown
	}
	if err != nil {
		return Token{}, err
	}
	var t Token
	if err := json.Unmarshal(row.Value, &t); err != nil {
		return Token{}, fmt.Errorf("record %v: %w", row.Key, err)
	}
	switch {
	case !secret.Is(t.Hash):
		return Token{}, ErrUnknown
	case !t.Revoked.IsZero():
		return Token{}, ErrRevoked
	case !r.now().Before(t.Expires):
		return Token{}, ErrExpired
	}
	return t, nil
}

// Subject is what sightings are about: a layer of the container of a KG.
type Subject struct {
	KG       austria.KGCode
	Layer    ne.Layer
	Baseline string // generation of the container
}

func (s Subject) partition() string {
	return "cells/seen/" + string(s.KG) + "/" + string(s.Layer) + "/" + s.Baseline
}

// Seen are the digests of chunks.
type Seen map[hexgrid.Cell]string

// ErrTooMany: an observer sees more chunks otherwise than are kept.
var ErrTooMany = fmt.Errorf("more than %d chunks", MaxSeen)

// Note adds what an observer sees otherwise than the baseline to what it has seen before, and takes off it what it now
// sees as the baseline does.
func (r *Records) Note(ctx context.Context, s Subject, observer string, changed Seen, same []hexgrid.Cell) error {
	key := ledger.Key{Partition: s.partition(), Sort: observer}
	_, err := ledger.Update(ctx, r.ledger, key, func(row *ledger.Record) (bool, error) {
		seen := Seen{}
		if len(row.Value) > 0 {
			if err := json.Unmarshal(row.Value, &seen); err != nil {
				return false, fmt.Errorf("record %v: %w", key, err)
			}
		}
		write := false
		for _, c := range same {
			if _, ok := seen[c]; ok {
				delete(seen, c)
				write = true
			}
		}
		for c, digest := range changed {
			if seen[c] != digest {
				seen[c] = digest
				write = true
			}
		}
		if !write {
			return false, nil
		}
		if len(seen) > MaxSeen {
			return false, ErrTooMany
		}
		var err error
		row.Value, err = json.Marshal(seen)
		row.Expires = r.now().Add(seenFor)
		return true, err
	})
	return err
}

// Others are the digests that other observers of the baseline have reported, by chunk.
func (r *Records) Others(ctx context.Context, s Subject, observer string) (map[hexgrid.Cell]map[string]bool, error) {
	rows, err := r.ledger.Query(ctx, ledger.Query{Partition: s.partition(), From: "0", Limit: maxObservers})
	if err != nil {
		return nil, err
	}
	out := map[hexgrid.Cell]map[string]bool{}
	for _, row := range rows {
		if row.Key.Sort == observer {
			continue
		}
		var seen Seen
		if err := json.Unmarshal(row.Value, &seen); err != nil {
			return nil, fmt.Errorf("record %v: %w", row.Key, err)
		}
		for c, digest := range seen {
			if out[c] == nil {
				out[c] = map[string]bool{}
			}
			out[c][digest] = true
		}
	}
	return out, nil
}
