package bearer

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
)

type permit struct {
	Kept
	Door string `json:"door"`
}

// permits is a store over a ledger of its own, and its clock.
func permits(t *testing.T) (Store[permit, *permit], *time.Time) {
	t.Helper()
	l, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	now := time.Date(2026, 11, 26, 8, 0, 0, 500, time.UTC)
	key := func(id string) ledger.Key { return ledger.Key{Partition: "doors/token", Sort: id} }
	return Store[permit, *permit]{l, "mdo_", key, func() time.Time { return now }}, &now
}

func TestTokensAreKeptUntilTheyEnd(t *testing.T) {
	s, now := permits(t)
	ctx := context.Background()
	p, text, err := s.Add(ctx, permit{Door: "north"}, time.Hour)
	if err != nil || p.Created.Nanosecond() != 0 {
		t.Fatal(p, err)
	}
	found, err := s.Find(ctx, text)
	if err != nil || found.Door != "north" || found.ID != p.ID {
		t.Fatalf("%+v, %v", found, err)
	}
	*now = now.Add(time.Hour)
	if _, err := s.Find(ctx, text); !errors.Is(err, ErrExpired) || !Refused(err) {
		t.Errorf("after its life: %v, want %v", err, ErrExpired)
	}
	for range 2 { // the second time it stays as it is
		if err := s.Revoke(ctx, p.ID); err != nil {
			t.Fatal(err)
		}
		*now = now.Add(time.Hour)
	}
	if _, err := s.Find(ctx, text); !errors.Is(err, ErrRevoked) {
		t.Errorf("revoked: %v, want %v", err, ErrRevoked)
	}
	all, err := s.List(ctx)
	if err != nil || len(all) != 1 || !all[0].Revoked.Equal(p.Expires) {
		t.Errorf("%+v, %v: want one, revoked at %v", all, err, p.Expires)
	}
	if err := s.Revoke(ctx, "00000000"); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("an unknown token: %v", err)
	}
}

func TestOnlyTheSecretOpens(t *testing.T) {
	s, _ := permits(t)
	ctx := context.Background()
	p, text, err := s.Add(ctx, permit{Door: "south"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, other, _ := New("mdo_")
	for name, bad := range map[string]string{"another's secret": text[:13] + other[13:], "no record": other, "no token": "south"} {
		if _, err := s.Find(ctx, bad); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v, want %v", name, err, ErrUnknown)
		}
	}
	if err := s.Revoke(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(ctx, text[:13]+other[13:]); !errors.Is(err, ErrUnknown) {
		t.Errorf("a wrong secret of a revoked token: %v, want %v", err, ErrUnknown)
	}
}

// A list longer than a page is whole, and every token stands in it once.
func TestAllTokensAreListed(t *testing.T) {
	s, _ := permits(t)
	const n = 250
	for range n {
		if _, _, err := s.Add(context.Background(), permit{}, 0); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List(context.Background())
	seen := map[string]bool{}
	for _, p := range all {
		seen[p.ID] = true
	}
	if err != nil || len(all) != n || len(seen) != n {
		t.Errorf("%d tokens, %d of them different, %v: want %d", len(all), len(seen), err, n)
	}
}
