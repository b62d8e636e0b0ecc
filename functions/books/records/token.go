package records

import (
	"context"
	"errors"
	"slices"
	"time"

	"mappe/shared/cloud/bearer"
	"mappe/shared/cloud/ledger"
)

// Token opens one project. Its text is mbk_{id}_{secret}, of which a hash is kept (package bearer).
type Token struct {
	ID      string    `json:"id"`
	Project int64     `json:"project"`
	Created time.Time `json:"created"`
	Hash    []byte    `json:"hash"`
}

const tokenPrefix = "mbk_"

func tokenKey(id string) ledger.Key {
	return ledger.Key{Partition: "books/token/" + id, Sort: "token"}
}

// RotateToken gives a project a new token and ends those it had; the text is kept nowhere. With keep the
// old ones go on working. ErrNotFound.
func (s *Records) RotateToken(ctx context.Context, project int64, keep bool) (Token, string, error) {
	if _, err := s.Project(ctx, project); err != nil {
		return Token{}, "", err
	}
	id, text, hash := bearer.New(tokenPrefix)
	t := Token{ID: id, Project: project, Created: s.Now(), Hash: hash}
	if err := create(ctx, s, tokenKey(id), t); err != nil {
		return Token{}, "", err
	}
	// A token opens what its project names: those it names no more are ended by the one write.
	_, err := change(ctx, s, projectKey(project), func(p *Project) (bool, error) {
		if !keep {
			p.Tokens = nil
		}
		p.Tokens = append(p.Tokens, id)
		return true, nil
	})
	return t, text, err
}

// RevokeToken ends a token of a project, or all of them where id is empty. ErrNotFound.
func (s *Records) RevokeToken(ctx context.Context, project int64, id string) error {
	_, err := change(ctx, s, projectKey(project), func(p *Project) (bool, error) {
		before := len(p.Tokens)
		p.Tokens = slices.DeleteFunc(p.Tokens, func(t string) bool { return id == "" || t == id })
		if len(p.Tokens) == before && id != "" {
			return false, ErrNotFound
		}
		return len(p.Tokens) != before, nil
	})
	return err
}

// Open finds the project that a token's text opens; ErrToken.
func (s *Records) Open(ctx context.Context, text string) (Project, error) {
	id, secret, ok := bearer.Split(tokenPrefix, text)
	if !ok {
		return Project{}, ErrToken
	}
	t, err := read[Token](ctx, s, tokenKey(id))
	if errors.Is(err, ErrNotFound) {
		return Project{}, ErrToken
	}
	if err != nil {
		return Project{}, err
	}
	if !secret.Is(t.Hash) {
		return Project{}, ErrToken
	}
	p, err := s.Project(ctx, t.Project)
	if errors.Is(err, ErrNotFound) || err == nil && !slices.Contains(p.Tokens, t.ID) {
		return Project{}, ErrToken
	}
	return p, err
}
