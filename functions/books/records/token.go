package records

import (
	"context"
	"errors"
	"slices"

	"mappe/shared/cloud/bearer"
	"mappe/shared/cloud/ledger"
)

// Token opens one project, as long as the project names it. Its text is mbk_{id}_{secret}.
type Token struct {
	bearer.Kept
	Project int64 `json:"project"`
}

func (s *Records) tokens() bearer.Store[Token, *Token] {
	key := func(id string) ledger.Key { return ledger.Key{Partition: "books/token/" + id, Sort: "token"} }
	return bearer.Store[Token, *Token]{Ledger: s.ledger, Prefix: "mbk_", Key: key, Now: s.now}
}

// RotateToken gives a project a new token and ends those it had; the text is kept nowhere. With keep the
// old ones go on working. ErrNotFound.
func (s *Records) RotateToken(ctx context.Context, project int64, keep bool) (Token, string, error) {
	if _, err := s.Project(ctx, project); err != nil {
		return Token{}, "", err
	}
	t, text, err := s.tokens().Add(ctx, Token{Project: project}, 0)
	if err != nil {
		return Token{}, "", err
	}
	// A token opens what its project names: those it names no more are ended by the one write.
	_, err = change(ctx, s, projectKey(project), func(p *Project) (bool, error) {
		if !keep {
			p.Tokens = nil
		}
		p.Tokens = append(p.Tokens, t.ID)
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
	t, err := s.tokens().Find(ctx, text)
	if bearer.Refused(err) {
		return Project{}, ErrToken
	}
	if err != nil {
		return Project{}, err
	}
	p, err := s.Project(ctx, t.Project)
	if errors.Is(err, ErrNotFound) || err == nil && !slices.Contains(p.Tokens, t.ID) {
		return Project{}, ErrToken
	}
	return p, err
}
