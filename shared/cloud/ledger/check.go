package ledger

import (
	"fmt"
	"math"
	"time"
)

// Remember is how long an implementation keeps the version of a record that was deleted or has expired.
// Until then a new record under the key goes on counting; afterwards it starts at 1. A writer that acts
// on what it read a week ago is not a case.
const Remember = 7 * 24 * time.Hour

// MaxLimit is the most records one Query gives.
const MaxLimit = 1000

// maxBound is how long From and To may be: a key and what a caller appends to end behind it.
const maxBound = 2 * MaxPart

// lastExpires: times are kept in nanoseconds of 64 bits.
var lastExpires = time.Unix(0, math.MaxInt64)

// CheckPut holds the arguments of Put to the bounds; implementations call it first.
func CheckPut(r Record, was int64) error {
	if err := r.Key.Check(); err != nil {
		return err
	}
	if len(r.Value) > MaxValue {
		return fmt.Errorf("ledger: %s: %w: %d bytes, allowed are %d", r.Key, ErrTooLarge, len(r.Value), MaxValue)
	}
	if was < Any {
		return fmt.Errorf("ledger: %s: put at version %d: want Any (-1), Absent (0) or the version read", r.Key, was)
	}
	if r.Expires.After(lastExpires) {
		return fmt.Errorf("ledger: %s: expires %s: want a time before %s, or none", r.Key, r.Expires.UTC().Format(time.DateOnly),
			lastExpires.UTC().Format(time.DateOnly))
	}
	return nil
}

// CheckDelete holds the arguments of Delete to the bounds.
func CheckDelete(key Key, was int64) error {
	if err := key.Check(); err != nil {
		return err
	}
	if was < Any || was == Absent {
		return fmt.Errorf("ledger: %s: delete at version %d: want Any (-1) or the version read", key, was)
	}
	return nil
}

// Check says whether a range can be asked for. From and To are any bytes: a bound need not be a key.
func (q Query) Check() error {
	if err := (Key{q.Partition, "s"}).Check(); err != nil {
		return err
	}
	if len(q.From) > maxBound || len(q.To) > maxBound {
		return fmt.Errorf("ledger: %s: %w: a bound of the query is %d bytes, allowed are %d", q.Partition, ErrKey,
			max(len(q.From), len(q.To)), maxBound)
	}
	if q.Limit < 1 || q.Limit > MaxLimit {
		return fmt.Errorf("ledger: %s: limit %d of the query: want 1 to %d", q.Partition, q.Limit, MaxLimit)
	}
	return nil
}

// Empty says that no key lies in the range.
func (q Query) Empty() bool { return q.To != "" && q.From >= q.To }

// Nanos writes an expiry down: nanoseconds since 1970, 0 for never. What lies before 1970 has passed all
// the same.
func Nanos(expires time.Time) int64 {
	if expires.IsZero() {
		return 0
	}
	if expires.Before(time.Unix(0, 1)) {
		return 1
	}
	return expires.UnixNano()
}

// Time is the inverse of Nanos.
func Time(nanos int64) time.Time {
	if nanos == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}

// String names the key in errors.
func (k Key) String() string { return k.Partition + "/" + k.Sort }
