package pay

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"mappe/shared/cloud/ledger"
)

// Counts are events by name.
type Counts map[Event]int64

// Day is what happened on a day (UTC).
type Day struct {
	Day    string // 2026-10-01
	Counts Counts
}

// Events is a Recorder over a ledger. Each process writes a record of its own per day, so none waits for
// another, at most once in flushEvery; a process that is killed loses what it counted in that while. The
// books are exact, these counters are not: they count what no ledger holds, probes for example.
type Events struct {
	l         ledger.Ledger
	partition string
	process   string
	now       func() time.Time
	log       *slog.Logger

	mu      sync.Mutex
	days    map[string]Counts // of this process, since its start
	changed map[string]bool
	timer   *time.Timer
	writing sync.Mutex // one flush at a time: an older one must not land last
}

// flushEvery is how long counts stay in memory at most.
const flushEvery = time.Second

// keepEvents is how long counts are kept.
const keepEvents = 400 * 24 * time.Hour

// NewEvents counts under a name, that of the service.
func NewEvents(l ledger.Ledger, name string, now func() time.Time, log *slog.Logger) *Events {
	if now == nil {
		now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	var b [8]byte
	rand.Read(b[:]) // never fails
	return &Events{l: l, partition: "pay/events/" + name, process: hex.EncodeToString(b[:]), now: now, log: log,
		days: map[string]Counts{}, changed: map[string]bool{}}
}

// Record counts n events and returns at once.
func (e *Events) Record(_ context.Context, event Event, n int64) {
	day := e.now().UTC().Format(time.DateOnly)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.days[day] == nil {
		e.days[day] = Counts{}
	}
	e.days[day][event] += n
	e.changed[day] = true
	if e.timer == nil {
		e.timer = time.AfterFunc(flushEvery, func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if err := e.Flush(ctx); err != nil {
				e.log.Warn("event counts could not be written", "error", err)
			}
		})
	}
}

// Flush writes what was counted. A server calls it once more when it ends.
func (e *Events) Flush(ctx context.Context) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	e.mu.Lock()
	today := e.now().UTC().Format(time.DateOnly)
	records := map[string][]byte{}
	for day := range e.changed {
		b, err := json.Marshal(e.days[day])
		if err != nil { // a map of numbers marshals
			panic(err)
		}
		records[day] = b
		delete(e.changed, day)
	}
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	e.mu.Unlock()
	var errs []error
	for day, b := range records {
		r := ledger.Record{Key: ledger.Key{Partition: e.partition, Sort: day + "/" + e.process}, Value: b, Expires: e.now().Add(keepEvents)}
		_, err := e.l.Put(ctx, r, ledger.Any)
		e.mu.Lock()
		if err != nil {
			errs = append(errs, err)
			e.changed[day] = true // with the next flush
		} else if day < today && !e.changed[day] {
			delete(e.days, day)
		}
		e.mu.Unlock()
	}
	return errors.Join(errs...)
}

// Read gives the counts of the days from a day (2026-10-01) on, oldest first, over all processes; what
// this process has counted is written first.
func (e *Events) Read(ctx context.Context, from string) ([]Day, error) {
	if err := e.Flush(ctx); err != nil {
		return nil, err
	}
	var days []Day
	q := ledger.Query{Partition: e.partition, From: from, Limit: page}
	for {
		records, err := e.l.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			day := r.Key.Sort[:min(len(time.DateOnly), len(r.Key.Sort))]
			if len(days) == 0 || days[len(days)-1].Day != day {
				days = append(days, Day{day, Counts{}})
			}
			var c Counts
			if err := json.Unmarshal(r.Value, &c); err != nil {
				return nil, err
			}
			for event, n := range c {
				days[len(days)-1].Counts[event] += n
			}
		}
		if len(records) < page {
			return days, nil
		}
		q.From = records[len(records)-1].Key.Sort + "\x00"
	}
}
