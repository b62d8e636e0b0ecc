package records

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

// unsure is a ledger whose writes may fail before or after they are stored.
type unsure struct {
	ledger.Ledger
	fail int // 0: no; 1: the next write is not stored; 2: it is stored, and the answer is lost
}

var errLost = errors.New("connection reset")

func (u *unsure) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	how := u.fail
	u.fail = 0
	if how == 1 {
		return 0, errLost
	}
	v, err := u.Ledger.Put(ctx, r, was)
	if how == 2 && err == nil {
		return 0, errLost
	}
	return v, err
}

func newRecords(t *testing.T) (*Records, *unsure, Project, Book) {
	t.Helper()
	l := sqlitetest.Open(t, sqlite.Options{})
	u := &unsure{Ledger: l}
	s := New(u, func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) })
	if _, err := s.AddClient(t.Context(), "demo", ""); err != nil {
		t.Fatal(err)
	}
	p, err := s.AddProject(t.Context(), "demo", "atlas", "")
	if err != nil {
		t.Fatal(err)
	}
	two := 2
	if _, err := s.GrantPass(t.Context(), p.ID, Grant{Included: &two}); err != nil {
		t.Fatal(err)
	}
	b, err := s.AddBook(t.Context(), Book{ID: NewBookID(), Project: p.ID, Status: Uploaded})
	if err != nil {
		t.Fatal(err)
	}
	return s, u, p, b
}

// TestADebitWhoseAnswerIsLost: a final is debited once and its build is known, or nothing has happened.
func TestADebitWhoseAnswerIsLost(t *testing.T) {
	for how, accepted := range map[int]bool{0: true, 1: false, 2: true} {
		s, u, p, book := newRecords(t)
		u.fail = how
		b, err := s.Accept(t.Context(), Build{Project: p.ID, Book: book.ID, Edition: Final, Format: "both"}, nil)
		d, reading := s.Account(t.Context(), p.ID)
		if reading != nil {
			t.Fatal(reading)
		}
		if accepted != (err == nil) || accepted != (d.Running != nil) || accepted != (d.Pass.Used == 1) ||
			accepted && d.Running.ID != b.ID {
			t.Errorf("%d: %+v, %v; the account is %+v", how, b, err, d)
		}
		if !accepted {
			continue
		}
		u.fail = how // the refund too
		if err := s.Clear(t.Context(), b, true); how == 0 && err != nil {
			t.Error(err)
		}
		if err := s.Clear(t.Context(), b, true); err != nil {
			t.Error(err)
		}
		if d, err = s.Account(t.Context(), p.ID); err != nil || d.Pass.Used != 0 || d.Running != nil {
			t.Errorf("%d: %+v, %v", how, d, err)
		}
	}
}

// TestTheFirstOutcomeIsRight: of two workers that both believe to have the build, one decides.
func TestTheFirstOutcomeIsRight(t *testing.T) {
	s, _, p, book := newRecords(t)
	for _, first := range []string{"", "It cannot be set."} {
		b, err := s.Accept(t.Context(), Build{Project: p.ID, Book: book.ID, Edition: Final, Format: "pdf"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := []Output{{ID: b.Number, Build: b.ID, Format: "pdf", Edition: Final}}
		second := "It was interrupted."
		if first != "" {
			second = ""
		}
		for _, said := range []string{first, second} {
			got, err := s.Decide(t.Context(), book.ID, Outcome{Build: b.ID, Error: said, Outputs: rows})
			if err != nil || got.Error != first || (got.Status == Ready) != (first == "") || (len(got.Outputs) == 1) != (first == "") {
				t.Errorf("after %q: %+v, %v", said, got, err)
			}
			if err := s.Clear(t.Context(), b, got.Status == Failed); err != nil {
				t.Fatal(err)
			}
		}
		d, err := s.Account(t.Context(), p.ID)
		if err != nil || d.Pass.Used != 1 { // the first was made and stays paid, the second was refunded
			t.Errorf("%+v, %v", d.Pass, err)
		}
	}
}

// TestClearLeavesAnotherBuildAlone: what comes late does not end what runs now.
func TestClearLeavesAnotherBuildAlone(t *testing.T) {
	s, _, p, book := newRecords(t)
	first, err := s.Accept(t.Context(), Build{Project: p.ID, Book: book.ID, Edition: Final}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Clear(t.Context(), first, false); err != nil {
		t.Fatal(err)
	}
	second, err := s.Accept(t.Context(), Build{Project: p.ID, Book: book.ID, Edition: Final}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Clear(t.Context(), first, true); err != nil {
		t.Fatal(err)
	}
	d, err := s.Account(t.Context(), p.ID)
	if err != nil || d.Running == nil || d.Running.ID != second.ID || d.Pass.Used != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	var r *Refused
	if _, err := s.Accept(t.Context(), Build{Project: p.ID, Book: book.ID, Edition: Proof}, nil); !errors.As(err, &r) || r.Reason != Busy {
		t.Errorf("%v", err)
	}
}

// TestBooksOfOneSecond are listed newest first too.
func TestBooksOfOneSecond(t *testing.T) {
	s, _, p, _ := newRecords(t)
	at := s.Now()
	s.now = func() time.Time { at = at.Add(time.Millisecond); return at }
	var want []int64
	for n := range int64(20) {
		b, err := s.AddBook(t.Context(), Book{ID: 900 - n, Project: p.ID, Status: Uploaded})
		if err != nil {
			t.Fatal(err)
		}
		want = append([]int64{b.ID}, want...)
	}
	all, err := s.Books(t.Context(), p.ID, 20)
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, b := range all {
		got = append(got, b.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
