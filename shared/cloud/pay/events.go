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
// another, at most once in flushEvery; a process that is killed loses what it counted in that while. What
// the ledger did not take is tried again after pauses that double, and once more by Close. The books are
// exact, these counters are not: they count what no ledger holds, probes for example.
type Events struct {
	l         ledger.Ledger
	partition string
	process   string
	now       func() time.Time
	log       *slog.Logger

	mu      sync.Mutex
	days    map[string]Counts // of this process; those that forget has left
	changed map[string]bool   // days to be written
	timer   *time.Timer       // of the next flush; nil: none is due
	pause   time.Duration     // before the next try; 0: the last flush wrote everything
	closed  bool
	writing sync.Mutex // one flush at a time: an older one must not land last
}

// flushEvery is how long counts stay in memory at most while the ledger takes them; flushRetry is the
// longest pause while it does not.
const (
	flushEvery = time.Second
	flushRetry = time.Minute
)

// keepEvents is how long counts are kept: in the ledger, and in a process that cannot write them.
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
	e.mu.Lock()
	defer e.mu.Unlock()
	day := e.now().UTC().Format(time.DateOnly)
	if e.days[day] == nil {
		e.days[day] = Counts{}
	}
	e.days[day][event] += n
	e.changed[day] = true
	e.flushIn(flushEvery)
}

// flushIn has the counts flushed after a while, unless that is on its way or the end has come. The caller
// holds mu.
func (e *Events) flushIn(d time.Duration) {
	if e.timer == nil && !e.closed {
		e.timer = time.AfterFunc(d, e.flushDue)
	}
}

// flushDue is the timer's flush.
func (e *Events) flushDue() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := e.Flush(ctx); err != nil {
		e.log.Warn("event counts could not be written", "error", err)
	}
}

// Flush writes what was counted. What it could not write is tried again later.
func (e *Events) Flush(ctx context.Context) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	var errs []error
	for day, b := range e.due() {
		r := ledger.Record{Key: ledger.Key{Partition: e.partition, Sort: day + "/" + e.process}, Value: b, Expires: e.now().Add(keepEvents)}
		if _, err := e.l.Put(ctx, r, ledger.Any); err != nil {
			errs = append(errs, err)
			e.mu.Lock()
			e.changed[day] = true
			e.mu.Unlock()
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget()
	if len(errs) == 0 {
		e.pause = 0
		return nil
	}
	e.pause = min(max(flushEvery, 2*e.pause), flushRetry)
	e.stopTimer() // of an event meanwhile
	e.flushIn(e.pause)
	return errors.Join(errs...)
}

// due takes the records that are to be written, by their days.
func (e *Events) due() map[string][]byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	records := map[string][]byte{}
	for day := range e.changed {
		b, err := json.Marshal(e.days[day])
		if err != nil { // a map of numbers marshals
			panic(err)
		}
		records[day] = b
	}
	clear(e.changed)
	e.stopTimer()
	return records
}

// stopTimer needs mu, as flushIn does.
func (e *Events) stopTimer() {
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
}

// forget lets the days go that nothing is added to any more: before yesterday and written, or so old that
// the ledger would not keep them. Yesterday stays, for clocks that are set back: a record is written whole,
// so one that began again would be written over what was counted. The caller holds mu.
func (e *Events) forget() {
	now := e.now().UTC()
	yesterday, kept := now.AddDate(0, 0, -1).Format(time.DateOnly), now.Add(-keepEvents).Format(time.DateOnly)
	for day := range e.days {
		if day < kept || day < yesterday && !e.changed[day] {
			delete(e.days, day)
			delete(e.changed, day)
		}
	}
}

// Close writes what was counted, a last time. What is counted afterwards is lost.
func (e *Events) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	return e.Flush(ctx)
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
