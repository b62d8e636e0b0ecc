package worklog

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"mappe/shared/cloud/ledger"
)

// memory is a ledger whose every step goes through turn: it may wait there for others, or be told that
// its process has ended.
type memory struct {
	mu      *sync.Mutex
	records map[ledger.Key]ledger.Record
	turn    func(write bool) (before, after error)
}

func newMemory() *memory {
	return &memory{mu: &sync.Mutex{}, records: map[ledger.Key]ledger.Record{}, turn: func(bool) (error, error) { return nil, nil }}
}

// through is the same ledger as another process sees it.
func (m *memory) through(turn func(write bool) (before, after error)) *memory {
	return &memory{m.mu, m.records, turn}
}

func (m *memory) Get(_ context.Context, key ledger.Key) (ledger.Record, error) {
	before, after := m.turn(false)
	if before != nil {
		return ledger.Record{}, before
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.records[key]
	if !ok && after == nil {
		after = ledger.ErrNotFound
	}
	return r, after
}

func (m *memory) Put(_ context.Context, r ledger.Record, was int64) (int64, error) {
	before, after := m.turn(true)
	if before != nil {
		return 0, before
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := r.Key.Check(); err != nil {
		return 0, err
	}
	now := m.records[r.Key].Version
	if was != ledger.Any && was != now {
		return 0, ledger.ErrConflict
	}
	r.Version = now + 1
	m.records[r.Key] = r
	return r.Version, after
}

func (m *memory) Delete(context.Context, ledger.Key, int64) error { panic("nothing is deleted") }

func (m *memory) Query(_ context.Context, q ledger.Query) ([]ledger.Record, error) {
	before, after := m.turn(false)
	if before != nil || after != nil {
		return nil, before
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(m.records), func(a, b ledger.Key) int { return strings.Compare(a.Sort, b.Sort) })
	if q.Descending {
		slices.Reverse(keys)
	}
	var rows []ledger.Record
	for _, k := range keys {
		if k.Partition == q.Partition && k.Sort >= q.From && (q.To == "" || k.Sort < q.To) && len(rows) < q.Limit {
			rows = append(rows, m.records[k])
		}
	}
	return rows, nil
}
