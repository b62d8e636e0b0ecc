package recurrence

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"mappe/shared/recurrence/zones"
)

// instants gives every reading of utc that the zone's clock shows as the wall time: none, one or two,
// found by trying each offset the zone has near it and reading the clock there.
func instants(z *zones.Zone, w Wall) (list []int64) {
	read := func(u int64) int64 {
		around, _ := z.Around(u, u)
		return int64(around[0].Offset)
	}
	tried := map[int64]bool{}
	for u := int64(w) - daySlack; u <= int64(w)+daySlack; u += 900 {
		offset := read(u)
		if tried[offset] {
			continue
		}
		tried[offset] = true
		if candidate := int64(w) - offset; read(candidate) == offset {
			list = append(list, candidate)
		}
	}
	slices.Sort(list)
	return list
}

// Every change of every zone 2024-2031: in a gap the offset before it, in an overlap the first; a
// judge that knows the transitions only by reading the clock counts the instants.
func TestEveryGapAndOverlap(t *testing.T) {
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	to := time.Date(2032, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	gaps, overlaps := 0, 0
	for _, name := range zones.Names() {
		z, _ := zones.Load(name)
		list, _ := z.Around(from, to)
		for i := 1; i < len(list); i++ {
			before, after := int64(list[i-1].Offset), int64(list[i].Offset)
			change := list[i].Start
			low, high := change+min(before, after), change+max(before, after)
			for _, l := range []int64{low - 1, low, (low + high) / 2, high - 1, high} {
				w := Wall(l)
				found := instants(z, w)
				compatible := (&clock{zone: z, policy: Compatible}).resolve(w)
				earlier := (&clock{zone: z, policy: Earlier}).resolve(w)
				later := (&clock{zone: z, policy: Later}).resolve(w)
				switch {
				case l >= low && l < high && after > before:
					gaps++
					if len(found) != 0 || compatible.kind != nonexistent || int64(compatible.utc) != l-before ||
						later.utc != compatible.utc || int64(earlier.utc) != l-after || int64(compatible.other) != l-after {
						t.Fatalf("%s %s in a gap of %v: %+v", name, w, found, compatible)
					}
					if compatible.shows() != w+Wall(after-before) {
						t.Fatalf("%s %s in a gap: the clock shows %s", name, w, compatible.shows())
					}
				case l >= low && l < high:
					overlaps++
					if len(found) != 2 || compatible.kind != ambiguousFirst || int64(compatible.utc) != found[0] ||
						earlier.utc != compatible.utc || int64(later.utc) != found[1] || int64(compatible.other) != found[1] ||
						later.kind != ambiguousSecond {
						t.Fatalf("%s %s occurs at %v: %+v", name, w, found, compatible)
					}
				case len(found) != 1 || compatible.kind != plain || int64(compatible.utc) != found[0]:
					t.Fatalf("%s %s occurs at %v: %+v", name, w, found, compatible)
				}
			}
		}
	}
	t.Logf("%d points in gaps, %d in overlaps", gaps, overlaps)
	if gaps < 3000 || overlaps < 3000 {
		t.Errorf("only %d points in gaps and %d in overlaps", gaps, overlaps)
	}
}

func TestGapCountsAndIsFlagged(t *testing.T) {
	r := expandOne(t, Rule{RRule: "FREQ=DAILY;COUNT=3", TZ: "America/New_York", Start: "2026-03-07T02:30:00"})
	want := []string{"2026-03-07T02:30:00", "2026-03-08T03:30:00", "2026-03-09T02:30:00"}
	if got := locals(r); !slices.Equal(want, got) {
		t.Errorf("want %v, got %v", want, got)
	}
	if o := r.Occurrences[1]; o.UTC.String() != "2026-03-08T07:30:00Z" || o.UTCOffset.String() != "-04:00" || !o.IsDST ||
		!slices.Equal(o.Flags, []Flag{NonexistentShifted}) {
		t.Errorf("got %+v", o)
	}
	got, _ := json.Marshal(r.Anomalies)
	if want := `[{"type":"nonexistent_local_time","local":"2026-03-08T02:30:00","transition_utc":"2026-03-08T07:00:00Z","offset_before":"-05:00","offset_after":"-04:00","chosen_utc":"2026-03-08T07:30:00Z","alternatives_utc":["2026-03-08T06:30:00Z"]}]`; want != string(got) {
		t.Errorf("want %s\ngot  %s", want, got)
	}
	if !r.CrossesDST {
		t.Error("crosses_dst_transition: want true")
	}
}

func TestOverlapTakesTheFirst(t *testing.T) {
	r := expandOne(t, Rule{Cron: "30 2 * * *", TZ: "Europe/Berlin", Start: "2026-10-25T00:00:00", Count: number(2)})
	if o := r.Occurrences[0]; r.Kind != KindCron || o.UTC.String() != "2026-10-25T00:30:00Z" ||
		!slices.Equal(o.Flags, []Flag{AmbiguousEarlier}) {
		t.Errorf("got %+v", o)
	}
	if o := r.Occurrences[1]; o.UTC.String() != "2026-10-26T01:30:00Z" || len(o.Flags) != 0 {
		t.Errorf("got %+v", o)
	}
}

// In spring two hours of the rule fall on one instant, and dropping what is flagged leaves each once.
func TestDuplicateInstants(t *testing.T) {
	r := expandOne(t, Rule{RRule: "FREQ=HOURLY;COUNT=4", TZ: "Europe/Berlin", Start: "2026-03-29T01:00:00"})
	want := []string{"2026-03-29T01:00:00", "2026-03-29T03:00:00", "2026-03-29T03:00:00", "2026-03-29T04:00:00"}
	if got := locals(r); !slices.Equal(want, got) {
		t.Errorf("want %v, got %v", want, got)
	}
	if !slices.Equal(r.Occurrences[1].Flags, []Flag{NonexistentShifted}) ||
		!slices.Equal(r.Occurrences[2].Flags, []Flag{DuplicateInstant}) {
		t.Errorf("got %v", r.Occurrences)
	}
}

func TestStartInAGap(t *testing.T) {
	for policy, want := range map[string]string{"compatible": "2026-10-04T02:45:00", "later": "2026-10-04T02:45:00",
		"earlier": "2026-10-04T01:45:00"} {
		r := expandOne(t, Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Australia/Lord_Howe", Start: "2026-10-04T02:15:00",
			Disambiguation: policy})
		if o := r.Occurrences[0]; o.Local.String() != want || !slices.Equal(o.Flags, []Flag{NonexistentShifted, StartAdjusted}) {
			t.Errorf("%s: got %+v", policy, o)
		}
	}
}

// A start that occurs twice is taken: the first of it, flagged.
func TestStartInAnOverlap(t *testing.T) {
	r := expandOne(t, Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Europe/Berlin", Start: "2026-10-25T02:30:00"})
	if o := r.Occurrences[0]; o.UTC.String() != "2026-10-25T00:30:00Z" || !slices.Equal(o.Flags, []Flag{AmbiguousEarlier}) {
		t.Errorf("got %+v", o)
	}
}

// Dublin's winter is tzdata's summer time: the flag is reported as it is, changes come from offsets.
func TestDublin(t *testing.T) {
	r := expandOne(t, Rule{RRule: "FREQ=MONTHLY;INTERVAL=6;COUNT=2", TZ: "Europe/Dublin", Start: "2026-01-15T12:00:00"})
	if r.Occurrences[0].UTCOffset != 0 || r.Occurrences[1].UTCOffset != 3600 || !r.CrossesDST {
		t.Errorf("got %+v", r)
	}
	if r := expandOne(t, Rule{RRule: "FREQ=MONTHLY;INTERVAL=6;COUNT=2", TZ: "Asia/Kolkata", Start: "2026-01-15T12:00:00"}); r.CrossesDST {
		t.Error("Asia/Kolkata: crosses_dst_transition: want false")
	}
}

func TestDisambiguation(t *testing.T) {
	for policy, want := range map[string]string{"earlier": "2026-03-29T00:30:00Z", "later": "2026-03-29T01:30:00Z",
		"compatible": "2026-03-29T01:30:00Z"} {
		r := expandOne(t, Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Europe/Berlin", Start: "2026-03-29T02:30:00", Disambiguation: policy})
		if got := r.Occurrences[0].UTC.String(); want != got {
			t.Errorf("%q: want %s, got %s", policy, want, got)
		}
	}
	r := expandOne(t, Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Europe/Berlin", Start: "2026-10-25T02:30:00", Disambiguation: "later"})
	if o := r.Occurrences[0]; o.UTC.String() != "2026-10-25T01:30:00Z" || !slices.Equal(o.Flags, []Flag{AmbiguousLater}) {
		t.Errorf("got %+v", o)
	}
}
