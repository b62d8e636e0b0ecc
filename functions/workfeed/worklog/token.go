package worklog

import (
	"context"
	"errors"
	"slices"
	"time"

	"mappe/shared/cloud/bearer"
	"mappe/shared/cloud/ledger"
)

// Token lets its bearer record completions. Its text is mwf_{id}_{secret}.
type Token struct {
	bearer.Kept
	Name   string   `json:"name"`             // who bears it, for the list of tokens
	Boards []string `json:"boards,omitempty"` // the only ones it may write; none: every board
}

// May says whether the token lets a board be written.
func (t *Token) May(board string) bool { return len(t.Boards) == 0 || slices.Contains(t.Boards, board) }

func (l *Log) tokens() bearer.Store[Token, *Token] {
	key := func(id string) ledger.Key { return ledger.Key{Partition: "work/token", Sort: id} }
	return bearer.Store[Token, *Token]{Ledger: l.ledger, Prefix: "mwf_", Key: key, Now: l.now}
}

// AddToken makes a token and gives its text, which is kept nowhere.
func (l *Log) AddToken(ctx context.Context, name string, boards []string) (Token, string, error) {
	return l.tokens().Add(ctx, Token{Name: name, Boards: boards}, 0)
}

// Tokens lists every token, revoked ones too, by id.
func (l *Log) Tokens(ctx context.Context) ([]Token, error) { return l.tokens().List(ctx) }

// RevokeToken ends a token. ledger.ErrNotFound where no token has this id.
func (l *Log) RevokeToken(ctx context.Context, id string) error { return l.tokens().Revoke(ctx, id) }

// Bearer finds the token of a text; an error that bearer.Refused knows where it opens nothing.
func (l *Log) Bearer(ctx context.Context, text string) (Token, error) {
	return l.tokens().Find(ctx, text)
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
