package recurrence

import (
	"slices"
	"testing"

	"mappe/shared/recurrence/zones"
)

// In years beyond the zone data's own table its last rules go on: gaps and overlaps fall where they do today, and the
// clock shows the offset behind them, whichever way a caller moves.
func TestFarYears(t *testing.T) {
	z, ok := zones.Load("Europe/Vienna")
	if !ok {
		t.Fatal("no zone")
	}
	for _, c := range []struct {
		wall   string
		kind   momentKind
		utc    string
		offset Offset
		dst    bool
	}{
		{"2600-03-30T01:59:59", plain, "2600-03-30T00:59:59Z", 3600, false},
		{"2600-03-30T02:30:00", nonexistent, "2600-03-30T01:30:00Z", 7200, true},
		{"2600-03-30T03:00:00", plain, "2600-03-30T01:00:00Z", 7200, true},
		{"2600-10-26T02:30:00", ambiguousFirst, "2600-10-26T00:30:00Z", 7200, true},
		{"2600-10-26T03:00:00", plain, "2600-10-26T02:00:00Z", 3600, false},
		{"9999-12-31T23:59:59", plain, "9999-12-31T22:59:59Z", 3600, false},
	} {
		w, err := ParseWall(c.wall)
		if err != nil {
			t.Fatal(err)
		}
		m := (&clock{zone: z, policy: Compatible}).resolve(w)
		if m.kind != c.kind || m.utc.String() != c.utc || m.offset != c.offset || m.dst != c.dst {
			t.Errorf("%s: %v %s %d %v, want %v %s %d %v", c.wall, m.kind, m.utc, m.offset, m.dst, c.kind, c.utc, c.offset, c.dst)
		}
	}
	forward := &clock{zone: z, policy: Compatible}
	for _, s := range []string{"2600-12-15T12:00:00", "2600-07-01T12:00:00", "2600-01-01T12:00:00", "2026-07-01T12:00:00"} {
		w, err := ParseWall(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := forward.resolve(w), (&clock{zone: z, policy: Compatible}).resolve(w); got != want {
			t.Errorf("%s behind a later time: %+v, want %+v", s, got, want)
		}
	}
}

// The last day that a year of four digits has is found.
func TestLastDay(t *testing.T) {
	for _, rule := range []string{"FREQ=DAILY;BYMONTH=12;BYMONTHDAY=31;COUNT=1", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31;COUNT=1",
		"FREQ=HOURLY;BYHOUR=8;BYMONTH=12;BYMONTHDAY=31;COUNT=1", "FREQ=WEEKLY;BYDAY=FR;COUNT=1;BYMONTH=12"} {
		r := expandOne(t, Rule{RRule: rule, TZ: "Europe/Vienna", Start: "9999-12-30T08:00:00"})
		if got := locals(r); len(got) != 1 || got[0] != "9999-12-31T08:00:00" {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

// An hourly expression that ends with the second of two hours of one name has all that was asked for and no more.
func TestEndInAnHourThatOccursTwice(t *testing.T) {
	r := expandOne(t, Rule{Cron: "30 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T00:00:00", Count: number(4)})
	if got, want := locals(r), []string{"2026-10-25T00:30:00", "2026-10-25T01:30:00", "2026-10-25T02:30:00",
		"2026-10-25T02:30:00"}; !slices.Equal(got, want) || r.Truncated || r.Count != 4 {
		t.Errorf("%v, truncated %v, count %d", got, r.Truncated, r.Count)
	}
}

// Leaving out times costs work, in whichever form they are written.
func TestExDatesCostWork(t *testing.T) {
	rule := Rule{RRule: "FREQ=DAILY;COUNT=50", TZ: "Europe/Vienna", Start: "2026-01-01T08:00:00"}
	_, bare := steps(t, rule)
	for _, ex := range []string{"2026-01-05T08:00:00", "2026-01-05T07:00:00Z", "2026-01-05"} {
		rule.ExDates = []string{ex}
		if _, n := steps(t, rule); n <= bare {
			t.Errorf("without %s %d steps, with all times %d", ex, n, bare)
		}
	}
}
