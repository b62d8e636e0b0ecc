package feedback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// Intake keeps the reports of one service.
type Intake struct {
	ledger  ledger.Ledger
	service string
	now     func() time.Time
}

// NewIntake keeps reports of a service ("cadastre") in a ledger; nil now is time.Now.
func NewIntake(l ledger.Ledger, service string, now func() time.Time) *Intake {
	if now == nil {
		now = time.Now
	}
	return &Intake{l, service, now}
}

// Partition is the ledger's partition with the reports of a service.
func Partition(service string) string { return "feedback/" + service }

const (
	// maxDaily bounds the reports of a service in 24 hours, from all clients together: the ledger stays small.
	maxDaily = 1000
	// repeats are how many of the newest reports a new one is compared with, so that a client whose answer was lost
	// may send it again.
	repeats = 20
	// attempts bounds how often a writer looks for a free number while others write.
	attempts = 50
	day      = 24 * time.Hour
)

// errFull says that the day's reports are in.
var errFull = errors.New("the reports of this day are in")

// stored is a record as the ledger has it. The contact is in no Record: listings are public.
type stored struct {
	Record
	Digest  string `json:"digest"`
	Contact string `json:"contact,omitempty"`
}

func sortKey(n int) string { return fmt.Sprintf("%012d", n) }

func id(n int) string { return "fb-" + strconv.Itoa(n) }

// newest gives the newest reports, the first first, and the number of the first; 0 without any.
func (i *Intake) newest(ctx context.Context, limit int) ([]stored, int, error) {
	records, err := i.ledger.Query(ctx, ledger.Query{Partition: Partition(i.service), Descending: true, Limit: limit})
	if err != nil || len(records) == 0 {
		return nil, 0, err
	}
	list := make([]stored, len(records))
	for k, r := range records {
		if err := json.Unmarshal(r.Value, &list[k]); err != nil {
			return nil, 0, fmt.Errorf("feedback record %s: %w", r.Key, err)
		}
	}
	n, err := strconv.Atoi(strings.TrimLeft(records[0].Key.Sort, "0"))
	return list, n, err
}

// Add stores a report. One of the same content that came in within a day, among the newest, is that record again.
func (i *Intake) Add(ctx context.Context, r Report) (Record, bool, error) {
	digest := r.digest()
	for range attempts {
		list, n, err := i.newest(ctx, repeats)
		if err != nil {
			return Record{}, false, err
		}
		now := i.now().UTC()
		for _, s := range list {
			if s.Digest == digest && within(s.Record, now) {
				return s.Record, false, nil
			}
		}
		if full, err := i.full(ctx, n, now); full || err != nil {
			return Record{}, false, errors.Join(err, map[bool]error{true: errFull}[full])
		}
		s := stored{Digest: digest, Contact: r.Contact, Record: Record{
			ID: id(n + 1), Agent: r.Agent, Category: r.Category, Severity: r.Severity, Status: open, Title: r.Title,
			Description: r.Description, Endpoint: r.Endpoint, Context: r.Context, CreatedAt: now.Format(time.RFC3339),
		}}
		value, err := json.Marshal(s)
		if err != nil {
			return Record{}, false, err
		}
		_, err = i.ledger.Put(ctx, ledger.Record{Key: ledger.Key{Partition: Partition(i.service), Sort: sortKey(n + 1)}, Value: value},
			ledger.Absent)
		if !errors.Is(err, ledger.ErrConflict) {
			return s.Record, err == nil, err
		}
	}
	return Record{}, false, fmt.Errorf("no free number in %d attempts", attempts)
}

// full says whether a day's reports came in during the last day.
func (i *Intake) full(ctx context.Context, n int, now time.Time) (bool, error) {
	if n < maxDaily {
		return false, nil
	}
	r, err := i.ledger.Get(ctx, ledger.Key{Partition: Partition(i.service), Sort: sortKey(n - maxDaily + 1)})
	if errors.Is(err, ledger.ErrNotFound) { // an operator has removed it
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var s stored
	if err := json.Unmarshal(r.Value, &s); err != nil {
		return false, fmt.Errorf("feedback record %s: %w", r.Key, err)
	}
	return within(s.Record, now), nil
}

// within says whether a record is of the last day.
func within(r Record, now time.Time) bool {
	at, err := time.Parse(time.RFC3339, r.CreatedAt)
	return err == nil && now.Sub(at) < day
}

// List gives the newest reports and how many there are.
func (i *Intake) List(ctx context.Context, limit int) ([]Record, int, error) {
	list, n, err := i.newest(ctx, limit)
	records := make([]Record, len(list))
	for k := range list {
		records[k] = list[k].Record
	}
	return records, n, err
}
