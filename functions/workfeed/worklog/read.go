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

// Query selects entries of a state of the feed.
type Query struct {
	Mark   Mark // the state
	Filter Filter
	Since  time.Time // entries completed after it; zero: all
	Behind Cursor    // the page follows it; zero: the first page
	Limit  int       // entries of a page
}

// rows is the part of the feed's order that Newest reads, before its limit; ok is false where it is empty.
func (q Query) rows() (rows ledger.Query, ok bool) {
	rows = ledger.Query{Partition: q.Filter.partition(), Descending: true}
	if q.Since.UnixMicro() >= maxMicros {
		return rows, false
	}
	if !q.Since.IsZero() {
		rows.From = timeSort(q.Since.UTC().Truncate(time.Microsecond).Add(time.Microsecond))
	}
	if q.Behind != (Cursor{}) {
		rows.To = q.Behind.sort()
	}
	return rows, true
}

// Newest are the entries that a query selects, newest completed_at first, ties by falling id.
func (l *Log) Newest(ctx context.Context, ask Query) (Page, error) {
	p, limit := Page{Entries: []Entry{}}, ask.Limit
	var err error
	if p.After, err = ask.Mark.cursor(); err != nil {
		return p, err
	}
	q, ok := ask.rows()
	if !ok {
		return p, nil
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
			if e.Slot > ask.Mark.Slot { // recorded since the state was read
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

// Recorded are the entries that a query selects, in the order they were recorded. A page may hold fewer than the
// limit, also none, with More: the cursor moves over what the filter leaves out.
func (l *Log) Recorded(ctx context.Context, ask Query) (Page, error) {
	p := Page{Entries: []Entry{}, After: ask.Behind}
	if err := l.own(ctx, ask.Behind); err != nil {
		return p, err
	}
	m, f, since, limit := ask.Mark, ask.Filter, ask.Since, ask.Limit
	last := ask.Behind.at
	for seen := 0; last < m.Slot && seen < maxScan && len(p.Entries) < limit; {
		most := min(maxRows, maxScan-seen)
		if f == (Filter{}) && since.IsZero() { // every entry is taken: none is read in vain
			most = min(most, limit-len(p.Entries))
		}
		rows, err := l.ledger.Query(ctx, ledger.Query{Partition: logPartition, From: slotSort(last + 1), To: slotSort(m.Slot + 1),
			Limit: most})
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

// own says whether a cursor of the order of recording was made by this log; ErrOtherLog.
func (l *Log) own(ctx context.Context, c Cursor) error {
	if c.at == 0 {
		return nil
	}
	there, err := l.at(ctx, c.at)
	if errors.Is(err, ledger.ErrNotFound) {
		return ErrOtherLog
	}
	if err != nil {
		return err
	}
	if made, err := cursorOf(logOrder, there.Slot, there.ID); err != nil || made != c {
		return ErrOtherLog
	}
	return nil
}

func (m Mark) cursor() (Cursor, error) {
	if m.Slot == 0 {
		return Beginning, nil
	}
	return cursorOf(logOrder, m.Slot, m.ID)
}
