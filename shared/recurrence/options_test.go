package recurrence

import (
	"slices"
	"strings"
	"testing"
)

// The options beyond the written members, and the bounds of a rule itself. All in New York from
// 2026-03-06T09:00:00, which is 14:00Z and from the 8th 13:00Z; the days of March are listed.
func TestOptions(t *testing.T) {
	for name, c := range map[string]struct {
		rule Rule
		want string
	}{
		"UNTIL is an instant":           {Rule{RRule: "FREQ=DAILY;UNTIL=20260309T130000Z"}, "06 07 08 09"},
		"UNTIL a second too early":      {Rule{RRule: "FREQ=DAILY;UNTIL=20260309T125959Z"}, "06 07 08"},
		"until of the zone":             {Rule{RRule: "FREQ=DAILY", Until: "2026-03-08T09:00:00"}, "06 07 08"},
		"until date is the whole day":   {Rule{RRule: "FREQ=DAILY", Until: "2026-03-08"}, "06 07 08"},
		"UNTIL before start":            {Rule{RRule: "FREQ=DAILY;UNTIL=20260101T000000Z"}, ""},
		"until":                         {Rule{RRule: "FREQ=DAILY", Until: "2026-03-08T13:00:00Z"}, "06 07 08"},
		"until bounds COUNT too":        {Rule{RRule: "FREQ=DAILY;COUNT=9", Until: "2026-03-07"}, "06 07"},
		"end is outside":                {Rule{RRule: "FREQ=DAILY", End: "2026-03-08T09:00:00"}, "06 07"},
		"end as a date is its midnight": {Rule{RRule: "FREQ=DAILY", End: "2026-03-08"}, "06 07"},
		"count":                         {Rule{RRule: "FREQ=DAILY;COUNT=9", Count: number(2)}, "06 07"},
		"COUNT counts what is left out": {Rule{RRule: "FREQ=DAILY;COUNT=4",
			ExDates: []string{"2026-03-07T09:00:00", "2026-03-08T13:00:00Z"}}, "06 09"},
		"a date leaves out its day":     {Rule{RRule: "FREQ=DAILY;COUNT=4", ExDates: []string{"2026-03-07"}}, "06 08 09"},
		"count is filled after exdates": {Rule{RRule: "FREQ=DAILY", Count: number(2), ExDates: []string{"2026-03-06"}}, "07 08"},
		"rdates are merged": {Rule{RRule: "FREQ=DAILY;COUNT=2;INTERVAL=3",
			RDates: []string{"2026-03-08T09:00:00", "2026-03-07T14:00:00Z"}}, "06 07 08 09"},
		"an rdate that the rule has": {Rule{RRule: "FREQ=DAILY;COUNT=2",
			RDates: []string{"2026-03-07T09:00:00", "2026-03-07T14:00:00Z"}}, "06 07"},
		"count cuts the union": {Rule{RRule: "FREQ=DAILY", Count: number(2), RDates: []string{"2026-03-20T09:00:00"}}, "06 07"},
		"exdates bind rdates": {Rule{RRule: "FREQ=DAILY;COUNT=1", RDates: []string{"2026-03-07T09:00:00"},
			ExDates: []string{"2026-03-07"}}, "06"},
		"end binds rdates": {Rule{RRule: "FREQ=DAILY;COUNT=1", RDates: []string{"2026-03-07T09:00:00"}, End: "2026-03-07"},
			"06"},
		"COUNT and a start out of pattern": {Rule{RRule: "FREQ=WEEKLY;BYDAY=MO;COUNT=2"}, "09 16"},
	} {
		c.rule.TZ, c.rule.Start = "America/New_York", "2026-03-06T09:00:00"
		var got []string
		for _, l := range locals(expandOne(t, c.rule)) {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(l, "2026-03-"), "T09:00:00"))
		}
		if want := strings.Fields(c.want); !slices.Equal(want, got) {
			t.Errorf("%s: want %v, got %v", name, want, got)
		}
	}
}

func types(r Result) (list []string) {
	for _, a := range r.Anomalies {
		list = append(list, string(a.Type))
	}
	return list
}

func TestRemarks(t *testing.T) {
	for name, c := range map[string]struct {
		rule Rule
		want string
	}{
		"none":         {Rule{RRule: "FREQ=DAILY;COUNT=2"}, ""},
		"out of rule":  {Rule{RRule: "FREQ=WEEKLY;BYDAY=MO;COUNT=2"}, "start_not_in_rule"},
		"cron has not": {Rule{Cron: "0 0 * * *", Count: number(2)}, ""},
		"end of time":  {Rule{RRule: "FREQ=YEARLY;INTERVAL=4000"}, "horizon_reached"},
	} {
		c.rule.Start = "2026-03-06T09:00:00"
		if c.rule.TZ == "" {
			c.rule.TZ = "UTC"
		}
		if want, got := strings.Fields(c.want), types(expandOne(t, c.rule)); !slices.Equal(want, got) {
			t.Errorf("%s: want %v, got %v", name, want, got)
		}
	}
}

func TestLimitIsTakenInRuleOrder(t *testing.T) {
	rule := Rule{RRule: "FREQ=DAILY;COUNT=4", TZ: "UTC", Start: "2026-03-06T09:00:00"}
	response, err := Expand(Request{Rules: []Rule{rule, rule, rule}, Limit: number(6)}, Full)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Result{{Count: 4}, {Count: 2, Truncated: true}, {Count: 0, Truncated: true}} {
		if got := response.Results[i]; got.Count != want.Count || got.Truncated != want.Truncated || len(got.Anomalies) != 0 {
			t.Errorf("rule %d: want %d %v, got %+v", i, want.Count, want.Truncated, got)
		}
	}
	if response.TotalOccurrences != 6 {
		t.Errorf("want 6, got %d", response.TotalOccurrences)
	}
	if preview, err := Expand(Request{Rules: []Rule{rule}}, Preview); err != nil || preview.Results[0].Count != 3 ||
		!preview.Results[0].Truncated {
		t.Errorf("preview: got %+v, %v", preview, err)
	}
}
