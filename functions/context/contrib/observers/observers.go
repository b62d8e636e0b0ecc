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
	"fmt"
	"time"

	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/cloud/bearer"
	"mappe/shared/cloud/ledger"
	"mappe/shared/geo/hexgrid"
)

// Token lets an observer report. Its text is mne_{id}_{secret}.
type Token struct {
	bearer.Kept
	Observer string `json:"observer"`
}

const (
	// MaxObserver bounds the name of an observer in bytes.
	MaxObserver = 64
	// seenFor is how long a sighting waits for a second one.
	seenFor = 180 * 24 * time.Hour
	// MaxSeen bounds the chunks of one record, to some 190 KB.
	MaxSeen = 5_000
	// maxObservers of one baseline are compared with each other.
	maxObservers = 64
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
	return r.tokens().Add(ctx, Token{Observer: observer}, life)
}

func (r *Records) tokens() bearer.Store[Token, *Token] {
	key := func(id string) ledger.Key { return ledger.Key{Partition: "cells/token", Sort: id} }
	return bearer.Store[Token, *Token]{Ledger: r.ledger, Prefix: "mne_", Key: key, Now: r.now}
}

// Tokens lists the tokens, revoked and expired ones too, by id.
func (r *Records) Tokens(ctx context.Context) ([]Token, error) { return r.tokens().List(ctx) }

// Revoke ends a token. ledger.ErrNotFound where no token has this id.
func (r *Records) Revoke(ctx context.Context, id string) error { return r.tokens().Revoke(ctx, id) }

// Bearer finds the token of a text; an error that bearer.Refused knows where it opens nothing.
func (r *Records) Bearer(ctx context.Context, text string) (Token, error) {
	return r.tokens().Find(ctx, text)
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
