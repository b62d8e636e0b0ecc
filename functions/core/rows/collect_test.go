package rows_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// far is a store whose KG files take their time, and counts them.
type far struct {
	store.Store
	took time.Duration
	read atomic.Int64
}

func (f *far) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if strings.HasPrefix(key, "kg/") {
		time.Sleep(f.took)
		f.read.Add(1)
	}
	return f.Store.Get(ctx, key, o)
}

// The files of KGs whose rows stand on the page are read some at once, also where an index has said how many match in each: a page of the
// country does not wait for the store once for each KG. Those before and behind the page are not read.
func TestKnownRowsAreReadAhead(t *testing.T) {
	s := mem.New()
	list := fixture.Many(40)
	if err := fixture.Publish(s, list); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		st := &far{Store: s, took: time.Second}
		lib, err := library.Open(t.Context(), st, library.Options{})
		if err != nil {
			t.Fatal(err)
		}
		served, err := lib.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		q := &rows.Query{View: view.At(t.Context(), served)}
		for i := range list {
			q.Candidates = append(q.Candidates, rows.Candidate{Code: list[i].KG.Code})
		}
		first := func(_ *rows.Candidate, _ *kgfile.File, found []int32) ([]int32, error) { return append(found, 0), nil }
		layer := rows.Layer{Source: rows.Parcels(rowschema.Parcel.Record()), Match: first, Hits: func(*rows.Candidate) int { return 1 }}
		p, began := &rows.Page{Offset: 4, Limit: 24}, time.Now()
		if err := q.Collect(t.Context(), &layer, p); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		synctest.Wait()
		if p.Total != 40 || p.Returned() != 24 || st.read.Load() != 24 {
			t.Errorf("%d of %d rows, %d files read; want 24 of 40, 24 files", p.Returned(), p.Total, st.read.Load())
		}
		if most := 24 / view.Width * st.took; took > most+st.took {
			t.Errorf("the page took %v, want %v: %d files at once", took, most, view.Width)
		}
	})
}
