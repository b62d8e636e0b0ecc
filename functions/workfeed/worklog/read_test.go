package worklog

import (
	"context"
	"fmt"
	"testing"

	"mappe/shared/cloud/ledger"
)

// counting counts the records that queries read.
type counting struct {
	ledger.Ledger
	rows int
}

func (c *counting) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	rows, err := c.Ledger.Query(ctx, q)
	c.rows += len(rows)
	return rows, err
}

// A page of everything reads what it holds; one with a filter has to look at more.
func TestAPageReadsWhatItHolds(t *testing.T) {
	c := &counting{Ledger: newMemory()}
	l := New(c, at)
	for i := range 40 {
		if _, _, err := l.Complete(t.Context(), task(fmt.Sprint("T-", i))); err != nil {
			t.Fatal(err)
		}
	}
	mark, err := l.Settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]struct {
		filter Filter
		rows   int
	}{"everything": {Filter{}, 3}, "a filter": {Filter{Board: task("").Board}, 40}} {
		c.rows = 0
		p, err := l.Recorded(t.Context(), Query{Mark: mark, Filter: read.filter, Behind: Beginning, Limit: 3})
		if err != nil || len(p.Entries) != 3 || !p.More || c.rows != read.rows {
			t.Errorf("%s: want 3 entries of %d records, got %d of %d, more %v, %v", name, read.rows, len(p.Entries), c.rows, p.More, err)
		}
	}
}
