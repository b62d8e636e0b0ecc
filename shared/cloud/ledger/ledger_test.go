package ledger_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
)

func TestKeysAreChecked(t *testing.T) {
	for part, want := range map[string]string{
		"": "0 bytes", strings.Repeat("x", ledger.MaxPart+1): "513 bytes", "a\xff": "UTF-8", "a\x1fb": "control", "\x7f": "control",
		"a": "", "ä 🏔/#?%": "", strings.Repeat("x", ledger.MaxPart): "", "\u0080": "",
	} {
		for name, k := range map[string]ledger.Key{"partition": {Partition: part, Sort: "s"}, "sort": {Partition: "p", Sort: part}} {
			err := k.Check()
			if want == "" {
				if err != nil {
					t.Errorf("%s %.20q: want it taken, got %v", name, part, err)
				}
			} else if !errors.Is(err, ledger.ErrKey) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %.20q: want ErrKey naming %s and %q, got %v", name, part, name, want, err)
			}
		}
	}
}

func TestExpiriesAreNumbers(t *testing.T) {
	for _, at := range []time.Time{{}, time.Unix(0, 1).UTC(), time.Date(2026, 11, 21, 6, 0, 0, 123456789, time.UTC),
		time.Unix(0, math.MaxInt64).UTC()} {
		if got := ledger.Time(ledger.Nanos(at)); !got.Equal(at) || got.IsZero() != at.IsZero() {
			t.Errorf("want %v, got %v", at, got)
		}
	}
	for _, past := range []time.Time{time.Unix(0, 0), time.Unix(-1, 0), time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)} {
		if got := ledger.Nanos(past); got != 1 {
			t.Errorf("%v: want 1, which has passed, got %d", past, got)
		}
	}
}

// one is a ledger of one record whose first writes are refused.
type one struct {
	ledger.Ledger
	record  ledger.Record
	refuse  int
	puts    int
	failing error
}

func (o *one) Get(context.Context, ledger.Key) (ledger.Record, error) {
	if o.record.Version == ledger.Absent {
		return ledger.Record{}, ledger.ErrNotFound
	}
	return o.record, nil
}

func (o *one) Put(_ context.Context, r ledger.Record, was int64) (int64, error) {
	if o.puts++; o.failing != nil {
		return 0, o.failing
	}
	if o.refuse > 0 { // another writer was faster
		o.refuse--
		o.record.Version++
		o.record.Value = append(o.record.Value, 'o')
		return 0, ledger.ErrConflict
	}
	if was != o.record.Version {
		return 0, ledger.ErrConflict
	}
	o.record.Value, o.record.Version = r.Value, was+1
	return o.record.Version, nil
}

func appendMine(r *ledger.Record) (bool, error) {
	r.Value = append(append([]byte(nil), r.Value...), 'm')
	return true, nil
}

func TestUpdateStartsAgain(t *testing.T) {
	k := ledger.Key{Partition: "p", Sort: "s"}
	o := &one{refuse: 3}
	got, err := ledger.Update(t.Context(), o, k, appendMine)
	if err != nil || string(got.Value) != "ooom" || got.Version != 4 {
		t.Errorf("want ooom at version 4, got %+v, %v", got, err)
	}
	o.puts = 0
	if got, err := ledger.Update(t.Context(), o, k, func(*ledger.Record) (bool, error) { return false, nil }); err != nil ||
		got.Version != 4 || o.puts != 0 {
		t.Errorf("nothing to write: got %+v, %v, %d writes", got, err, o.puts)
	}
	own := errors.New("no credit")
	if _, err := ledger.Update(t.Context(), o, k, func(*ledger.Record) (bool, error) { return true, own }); !errors.Is(err, own) ||
		o.puts != 0 {
		t.Errorf("want the change's error and no write, got %v, %d writes", err, o.puts)
	}
	o.failing = errors.New("unknown outcome")
	if _, err := ledger.Update(t.Context(), o, k, appendMine); !errors.Is(err, o.failing) || o.puts != 1 {
		t.Errorf("an unknown outcome is not repeated: got %v, %d writes", err, o.puts)
	}
	o.failing = ledger.ErrConflict
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := ledger.Update(ctx, o, k, appendMine); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("want the context to end it, got %v", err)
	}
}
