package recurrence

import (
	"slices"
	"strings"
	"testing"

	"mappe/shared/recurrence/zones"
)

func wall(t *testing.T, text string) Wall {
	t.Helper()
	w, err := ParseWall(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// vienna is the zone as calendar files describe it since 1996.
func vienna(t *testing.T) []Observance {
	return []Observance{
		{Start: wall(t, "1996-03-31T02:00:00"), RRule: "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", From: 3600, To: 7200, DST: true},
		{Start: wall(t, "1996-10-27T03:00:00"), RRule: "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", From: 7200, To: 3600},
	}
}

// A zone made of its observances shows the same instants, gaps and overlaps as the zone of the same name.
func TestAZoneOfItsObservances(t *testing.T) {
	own, err := NewZone("Vienna of a calendar", vienna(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{"1996-01-01T02:30:00", "2026-03-20T02:30:00", "2026-10-20T02:30:00", "2400-03-20T02:00:00",
		"2400-10-20T03:00:00"} {
		r := Rule{RRule: "FREQ=DAILY", Start: start, TZ: "Europe/Vienna", Count: number(400)}
		want, err := ExpandRule(r, Setting{}, 400)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ExpandRule(r, Setting{Zone: own}, 400)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := shown(want.Results[0]), shown(got.Results[0]); a != b || len(want.Results[0].Occurrences) != 400 {
			t.Errorf("from %s: want\n%s\ngot\n%s", start, a, b)
		}
	}
}

// A zone has the intervals between the onsets of its observances; onsets that change nothing, or come twice,
// make none, and before the first its clock shows what it came from.
func TestIntervalsOfObservances(t *testing.T) {
	at := func(text string, offset int64) int64 { return int64(wall(t, text)) - offset }
	list := []Observance{
		{Start: wall(t, "2000-01-01T00:00:00"), From: 0, To: 3600},
		{Start: wall(t, "2001-01-01T00:00:00"), Dates: []Wall{wall(t, "2001-01-01T00:00:00"), wall(t, "2003-01-01T00:00:00")}, From: 3600,
			To: 7200, DST: true},
		{Start: wall(t, "2002-01-01T00:00:00"), From: 7200, To: 3600},
		{Start: wall(t, "2002-06-01T00:00:00"), From: 3600, To: 3600}, // changes nothing
	}
	zone, err := NewZone("made up", list)
	if err != nil {
		t.Fatal(err)
	}
	want := []zones.Interval{
		{Start: zones.Forever, End: at("2000-01-01T00:00:00", 0)},
		{Start: at("2000-01-01T00:00:00", 0), End: at("2001-01-01T00:00:00", 3600), Offset: 3600},
		{Start: at("2001-01-01T00:00:00", 3600), End: at("2002-01-01T00:00:00", 7200), Offset: 7200, DST: true},
		{Start: at("2002-01-01T00:00:00", 7200), End: at("2003-01-01T00:00:00", 3600), Offset: 3600},
		{Start: at("2003-01-01T00:00:00", 3600), End: -zones.Forever, Offset: 7200, DST: true},
	}
	got, shift := zone.Around(at("1999-01-01T00:00:00", 0), at("2004-01-01T00:00:00", 0))
	if shift != 0 || !slices.Equal(got, want) {
		t.Errorf("want\n%v\ngot\n%v, shifted by %d", want, got, shift)
	}
}

func TestObservancesRefused(t *testing.T) {
	const day = secondsPerDay
	start := wall(t, "2000-01-01T00:00:00")
	one := func(from, to Offset) []Observance { return []Observance{{Start: start, From: from, To: to}} }
	for _, c := range []struct {
		name  string
		list  []Observance
		fault string
	}{
		{"none", nil, "1 to 200 observances"},
		{"as many as may be", slices.Repeat(one(0, 0), maxObservances), ""},
		{"one more", slices.Repeat(one(0, 0), maxObservances+1), "1 to 200 observances"},
		{"nearly a day behind", one(-day+1, -day+1), ""},
		{"nearly a day ahead", one(day-1, day-1), ""},
		{"from a day behind", one(-day, 0), "less than a day"},
		{"from a day ahead", one(day, 0), "less than a day"},
		{"to a day behind", one(0, -day), "less than a day"},
		{"to a day ahead", one(0, day), "less than a day"},
		{"more onsets than may be", []Observance{{Start: start, RRule: "FREQ=HOURLY"}}, "20000 onsets"},
		{"an invalid rule", []Observance{{Start: start, RRule: "FREQ=NEVER"}}, "FREQ"},
	} {
		_, err := NewZone(c.name, c.list)
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: want %q, got %v", c.name, c.fault, err)
		}
	}
}
