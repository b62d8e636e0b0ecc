package worklog

import (
	"context"
	"errors"
	"time"

	"mappe/shared/cloud/ledger"
)

// Page is a part of the feed.
type Page struct {
	Entries []Entry
	More    bool   // entries follow in the same order
	Before  Cursor // behind the last entry, where More holds and the order is the feed's
	After   Cursor // the order of recording: what this page, or the state it was read from, has covered
}

// Newest are the entries of a state that the filter selects, newest completed_at first, ties by falling
// id: those completed after since (zero: all) and behind before (zero: the first).
func (l *Log) Newest(ctx context.Context, m Mark, f Filter, since time.Time, before Cursor, limit int) (Page, error) {
	q := ledger.Query{Partition: f.partition(), Descending: true}
	p := Page{Entries: []Entry{}}
	var err error
	if p.After, err = m.cursor(); err != nil || since.UnixMicro() >= maxMicros {
		return p, err
	}
	if !since.IsZero() {
		q.From = timeSort(since.UTC().Truncate(time.Microsecond).Add(time.Microsecond))
	}
	if before != (Cursor{}) {
		q.To = before.sort()
	}
	for q.From == "" || q.To == "" || q.From < q.To {
		q.Limit = min(limit+1-len(p.Entries), maxRows)
		rows, err := l.ledger.Query(ctx, q)
		if err != nil {
			return p, err
		}
		for _, r := range rows {
			e, err := decode(r)
			if err != nil {
				return p, err
			}
			q.To = r.Key.Sort
			if e.Slot > m.Slot { // recorded since the state was read
				continue
			}
			if len(p.Entries) == limit {
				last := p.Entries[limit-1]
				p.More = true
				p.Before, err = cursorOf(feedOrder, last.CompletedAt.UnixMicro(), last.ID)
				return p, err
			}
			p.Entries = append(p.Entries, e)
		}
		if len(rows) < q.Limit {
			break
		}
	}
	return p, nil
}

// maxRows is the ledger's bound of a query.
const maxRows = 1000

// maxScan bounds how many slots one page of Recorded looks at.
const maxScan = 1000

// ErrOtherLog: the cursor was made by another log.
var ErrOtherLog = errors.New("the cursor is of another log")

// Recorded are the entries of a state in the order they were recorded, behind a cursor. A page may hold
// fewer than limit, also none, with More: the cursor moves over what the filter leaves out.
func (l *Log) Recorded(ctx context.Context, m Mark, f Filter, since time.Time, after Cursor, limit int) (Page, error) {
	p := Page{Entries: []Entry{}, After: after}
	if after.at > 0 {
		there, err := l.at(ctx, after.at)
		if errors.Is(err, ledger.ErrNotFound) {
			return p, ErrOtherLog
		}
		if err != nil {
			return p, err
		}
		if c, err := cursorOf(logOrder, there.Slot, there.ID); err != nil || c != after {
			return p, ErrOtherLog
		}
	}
	last := after.at
	for seen := 0; last < m.Slot && seen < maxScan && len(p.Entries) < limit; {
		most := min(maxRows, maxScan-seen)
		if f == (Filter{}) && since.IsZero() { // every entry is taken: none is read in vain
			most = min(most, limit-len(p.Entries))
		}
		rows, err := l.ledger.Query(ctx, ledger.Query{Partition: logPartition, From: slotSort(last + 1), To: slotSort(m.Slot + 1), Limit: most})
		if err != nil {
			return p, err
		}
		if len(rows) == 0 {
			break
		}
		for _, r := range rows {
			e, err := decode(r)
			if err != nil {
				return p, err
			}
			seen++
			last = e.Slot
			if p.After, err = cursorOf(logOrder, e.Slot, e.ID); err != nil {
				return p, err
			}
			if f.takes(&e) && (since.IsZero() || e.CompletedAt.After(since)) {
				p.Entries = append(p.Entries, e)
			}
			if len(p.Entries) == limit {
				break
			}
		}
	}
	p.More = last < m.Slot
	return p, nil
}

func (m Mark) cursor() (Cursor, error) {
	if m.Slot == 0 {
		return Beginning, nil
	}
	return cursorOf(logOrder, m.Slot, m.ID)
}
