package worklog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/shared/cloud/bearer"
	"mappe/shared/cloud/ledger"
)

// Token lets its bearer record completions. Its text is mwf_{id}_{secret}, of which a hash is kept (package
// bearer).
type Token struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`             // who bears it, for the list of tokens
	Boards  []string  `json:"boards,omitempty"` // the only ones it may write; none: every board
	Created time.Time `json:"created"`
	Revoked time.Time `json:"revoked,omitzero"`
	Hash    []byte    `json:"hash"`
}

const (
	tokenPrefix    = "mwf_"
	tokenPartition = "work/token"
)

// May says whether the token lets a board be written.
func (t *Token) May(board string) bool { return len(t.Boards) == 0 || slices.Contains(t.Boards, board) }

// AddToken makes a token and gives its text, which is kept nowhere.
func (l *Log) AddToken(ctx context.Context, name string, boards []string) (Token, string, error) {
	id, text, hash := bearer.New(tokenPrefix)
	t := Token{ID: id, Name: name, Boards: boards, Created: l.now().UTC().Truncate(time.Second), Hash: hash}
	value, err := json.Marshal(t)
	if err != nil {
		return t, "", err
	}
	_, err = l.ledger.Put(ctx, ledger.Record{Key: ledger.Key{Partition: tokenPartition, Sort: id}, Value: value}, ledger.Absent)
	return t, text, err
}

// Tokens lists every token, revoked ones too, by id.
func (l *Log) Tokens(ctx context.Context) ([]Token, error) {
	var all []Token
	for from := "0"; ; {
		rows, err := l.ledger.Query(ctx, ledger.Query{Partition: tokenPartition, From: from, Limit: maxRows})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			var t Token
			if err := json.Unmarshal(r.Value, &t); err != nil {
				return nil, fmt.Errorf("record %v: %w", r.Key, err)
			}
			all = append(all, t)
			from = r.Key.Sort + "\x20" // sorts behind the id and before any other
		}
		if len(rows) < maxRows {
			return all, nil
		}
	}
}

// RevokeToken ends a token. ledger.ErrNotFound where there is none of this id.
func (l *Log) RevokeToken(ctx context.Context, id string) error {
	_, err := ledger.Update(ctx, l.ledger, ledger.Key{Partition: tokenPartition, Sort: id}, func(r *ledger.Record) (bool, error) {
		if r.Version == ledger.Absent {
			return false, ledger.ErrNotFound
		}
		var t Token
		if err := json.Unmarshal(r.Value, &t); err != nil || !t.Revoked.IsZero() {
			return false, err
		}
		t.Revoked = l.now().UTC().Truncate(time.Second)
		var err error
		r.Value, err = json.Marshal(t)
		return true, err
	})
	return err
}

// ErrToken: the text is no token, or one that is revoked.
var ErrToken = errors.New("no such token")

// Bearer finds the token of a text; ErrToken.
func (l *Log) Bearer(ctx context.Context, text string) (Token, error) {
	id, secret, ok := bearer.Split(tokenPrefix, text)
	if !ok {
		return Token{}, ErrToken
	}
	r, err := l.ledger.Get(ctx, ledger.Key{Partition: tokenPartition, Sort: id})
	if errors.Is(err, ledger.ErrNotFound) {
		return Token{}, ErrToken
	}
	if err != nil {
		return Token{}, err
	}
	var t Token
	if err := json.Unmarshal(r.Value, &t); err != nil {
		return Token{}, fmt.Errorf("record %v: %w", r.Key, err)
	}
	if !secret.Is(t.Hash) || !t.Revoked.IsZero() {
		return Token{}, ErrToken
	}
	return t, nil
}

// keyLife is how long an Idempotency-Key is remembered. The task itself is remembered for ever.
const keyLife = 7 * 24 * time.Hour

// UseKey notes what a bearer's Idempotency-Key is used for; ErrDiffers where it was used for another
// completion. It records nothing: a completion that did not get further is tried again under its key.
func (l *Log) UseKey(ctx context.Context, token Token, key string, c Completion) error {
	at := ""
	if !c.CompletedAt.IsZero() {
		at = timeSort(c.CompletedAt)
	}
	use := []byte(hash(c.Board, c.TaskID, c.Assignee, c.Title, c.Summary, at))
	k := useKey(token.ID, key)
	for {
		_, err := l.ledger.Put(ctx, ledger.Record{Key: k, Value: use, Expires: l.now().Add(keyLife)}, ledger.Absent)
		if err == nil || !errors.Is(err, ledger.ErrConflict) {
			return err
		}
		r, err := l.ledger.Get(ctx, k)
		switch {
		case errors.Is(err, ledger.ErrNotFound): // it expired between the two
			continue
		case err != nil:
			return err
		case string(r.Value) != string(use):
			return ErrDiffers
		}
		return nil
	}
}
