package process

import (
	"context"
	"reflect"
	"testing"
	"time"

	"mappe/shared/cloud/store/mem"
	"mappe/shared/landscape/change"
)

// Whatever a square has found can be kept: also what is known of none of its figures.
func TestSquaresAreKeptAsTheyAre(t *testing.T) {
	k := kept{store: mem.New(), prefix: "work/landscape/99001/f/"}
	p := part{E: 4565, N: 2695, Cells: 7, Objects: make([]object, 2), Trees: make([]tree, 2), Parcels: make([]parcelPart, 2),
		Buildings: make([]building, 2),
		Events:    make([]event, 2), Samples: make([]sample, 2), Vertices: make([]vertex, 2)}
	p.Events[1].Event = change.Event{Area: 12, Evidence: []string{"roughness"}}
	if err := k.write(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	got, err := k.read(t.Context(), [2]int{p.E, p.N})
	if err != nil || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	if !reflect.DeepEqual(got.Events, p.Events) || len(got.Objects) != 2 || len(got.Vertices) != 2 || got.Cells != 7 {
		t.Errorf("kept %+v, read %+v", p, *got)
	}
}

// What waits is written once a minute, and when the work ends before the KG is done, though its context has ended too; of a KG of
// few squares nothing is.
func TestSquaresAreKeptOnceAMinute(t *testing.T) {
	st := mem.New()
	at := time.Unix(1_800_000_000, 0)
	k := kept{store: st, prefix: "work/landscape/99001/f/", now: func() time.Time { return at }, since: at}
	there := func() (n int) {
		for _, err := range st.List(context.Background(), k.prefix) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	ctx, stop := context.WithCancel(t.Context())
	for i, want := range []int{0, 0, 3, 3} { // so many are written; half a minute passes after each
		if err := k.add(ctx, &part{E: i}, few); err != nil {
			t.Fatal(err)
		}
		if got := there(); got != want {
			t.Errorf("%d squares: %d are written, expected %d", i+1, got, want)
		}
		at = at.Add(30 * time.Second)
	}
	stop()
	k.ended(ctx)
	if got := there(); got != 4 {
		t.Errorf("ended: %d are written", got)
	}
	for i := range 4 {
		if p, err := k.read(t.Context(), [2]int{i, 0}); err != nil || p == nil {
			t.Errorf("square %d: %+v, %v", i, p, err)
		}
	}
	at = at.Add(time.Hour)
	if err := k.add(t.Context(), &part{E: 9}, few-1); err != nil || there() != 4 {
		t.Errorf("a KG of few squares: %d are written, %v", there(), err)
	}
}
