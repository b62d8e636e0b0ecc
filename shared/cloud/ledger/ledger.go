// Package ledger is the port for small records that change under a condition: payment claims, credits,
// passes, jobs, feed entries. It owns the interface, its contract suite (ledgertest) and the
// implementations sqlite and dynamo in packages of their own; ledgerurl chooses by URL. It knows nothing
// of what the records mean.
//
// Every write touches one record and names the version it replaces, so two writers never both succeed:
// no transactions are needed, and a debit is one conditional write.
package ledger

import (
	"context"
	"errors"
	"time"
)

// The outcomes a caller decides on; everything else is an I/O error wrapped with the key.
var (
	// ErrNotFound: no record has the key (an expired record is not there).
	ErrNotFound = errors.New("no such record")
	// ErrConflict: the record is not at the version the write names; nothing was written.
	ErrConflict = errors.New("the record has changed")
	// ErrTooLarge: the value is longer than MaxValue; nothing was written.
	ErrTooLarge = errors.New("value too large")
	// ErrKey: the key breaks the grammar that Key.Check writes down.
	ErrKey = errors.New("key not allowed")
)

// Bounds of a record, below what DynamoDB allows (400 KB an item, 2,048 and 1,024 bytes of keys).
const (
	MaxValue = 256 << 10
	MaxPart  = 512 // bytes of Key.Partition and of Key.Sort
)

// Key names a record. Records of one partition are ordered by Sort, as bytes, and can be listed; a
// partition is a thing that is read together (the jobs of a project, the entries of a feed).
type Key struct{ Partition, Sort string }

// Record is a value under a key. Version counts the writes of the key, deletions too, from 1; it is never
// reused, also not after a Delete, as long as the implementation remembers the key (Remember).
type Record struct {
	Key     Key
	Value   []byte
	Version int64
	Expires time.Time // zero: never. Afterwards the record is not there; it is removed some time later.
}

// Any as the version of a write: whatever is there, or nothing, is replaced. Absent: only when no record
// has the key. Versions of records are positive.
const (
	Absent int64 = 0
	Any    int64 = -1
)

// Query is a range of one partition: Sort from From (included) to To (excluded; "" is the end), rising,
// or falling with Descending; at most Limit records (1 to MaxLimit). From and To are any bytes: every
// record whose Sort begins with x lies from x to x+"\xff".
type Query struct {
	Partition  string
	From, To   string
	Descending bool
	Limit      int
}

// Ledger holds records. All methods are safe for concurrent use, by several processes too, and honour
// the context. Reads see the newest completed write. Implementations retry what is safe to repeat; a
// write whose outcome stays unknown gives an error other than those above, and the caller reads the
// record to learn what became of it.
type Ledger interface {
	// Get reads a record.
	Get(ctx context.Context, key Key) (Record, error)
	// Put writes r.Value and r.Expires under r.Key when the record is at version was (Absent, Any or the
	// version read) and gives the new version; ErrConflict otherwise. r.Version is not looked at.
	Put(ctx context.Context, r Record, was int64) (version int64, err error)
	// Delete removes the record when it is at version was (Any or the version read); ErrConflict
	// otherwise. With Any a missing record is no error.
	Delete(ctx context.Context, key Key, was int64) error
	// Query lists records of a partition in order of Sort.
	Query(ctx context.Context, q Query) ([]Record, error)
}

// Update reads the record (a zero Record with the key when the record does not exist), lets change make the new one
// and writes it, again from the start as long as others write between. change returns false to leave the
// record as it is. It must have no effects of its own: it may run several times.
func Update(ctx context.Context, l Ledger, key Key, change func(r *Record) (write bool, err error)) (Record, error) {
	for try := 0; ; try++ {
		r, err := l.Get(ctx, key)
		if errors.Is(err, ErrNotFound) {
			r, err = Record{Key: key}, nil
		}
		if err != nil {
			return Record{}, err
		}
		write, err := change(&r)
		if err != nil || !write {
			return r, err
		}
		version, err := l.Put(ctx, r, r.Version)
		if err == nil {
			r.Version = version
			return r, nil
		}
		if !errors.Is(err, ErrConflict) {
			return Record{}, err
		}
		if err := backOff(ctx, try); err != nil {
			return Record{}, err
		}
	}
}
