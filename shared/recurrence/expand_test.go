package recurrence

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// expandOne expands a single rule and fails the test where it is refused.
func expandOne(t testing.TB, r Rule) Result {
	t.Helper()
	response, err := Expand(Request{Rules: []Rule{r}}, Full)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return response.Results[0]
}

func locals(r Result) (list []string) {
	for _, o := range r.Occurrences {
		list = append(list, o.Local.String())
	}
	return list
}

func number(n int) *int { return &n }

// The examples of RFC 5545 3.8.5.3 and the rules that libraries get wrong. Dates only where every
// occurrence is at the start's time of day.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule, start, want string
	}{
		{"FREQ=DAILY;COUNT=3", "1997-09-02T09:00:00", "1997-09-02 1997-09-03 1997-09-04"},
		{"FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02T09:00:00", "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"},
		{"FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=4", "1997-09-02T09:00:00", "1997-09-02 1997-09-16 1997-09-30 1997-10-14"},
		{"FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05T09:00:00", "1997-08-05 1997-08-10 1997-08-19 1997-08-24"},
		{"FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05T09:00:00", "1997-08-05 1997-08-17 1997-08-19 1997-08-31"},
		{"FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "1997-09-05T09:00:00", "1997-09-05 1997-10-03 1997-11-07"},
		{"FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU", "1997-09-07T09:00:00",
			"1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25"},
		{"FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "1997-09-28T09:00:00", "1997-09-28 1997-10-29 1997-11-28"},
		{"FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", "1997-01-01T09:00:00", "1997-01-01 1997-04-10 1997-07-19 2000-01-01"},
		{"FREQ=YEARLY;BYDAY=20MO;COUNT=3", "1997-05-19T09:00:00", "1997-05-19 1998-05-18 1999-05-17"},
		{"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "1997-05-12T09:00:00", "1997-05-12 1998-05-11 1999-05-17"},
		{"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "1997-09-02T09:00:00", "1998-02-13 1998-03-13 1998-11-13"},
		{"FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3", "1996-11-05T09:00:00",
			"1996-11-05 2000-11-07 2004-11-02"},
		{"FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04T09:00:00", "1997-09-04 1997-10-07 1997-11-06"},
		{"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3", "1997-09-29T09:00:00", "1997-09-29 1997-10-30 1997-11-27"},
		{"FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15T09:00:00", "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"},
		// BYDAY with plain and numbered days is their union.
		{"FREQ=MONTHLY;BYDAY=MO,2TU;COUNT=5", "2026-01-01T09:00:00", "2026-01-05 2026-01-12 2026-01-13 2026-01-19 2026-01-26"},
		// A set of BYSETPOS begins with its week, not with the start.
		{"FREQ=WEEKLY;BYDAY=FR,WE,SA;BYSETPOS=2,3;COUNT=3", "2026-01-02T09:00:00", "2026-01-02 2026-01-03 2026-01-09"},
		// Week 53 of 2020 ends in 2021 and still belongs to the year the interval names.
		{"FREQ=YEARLY;INTERVAL=4;BYWEEKNO=10,53;BYDAY=SU;COUNT=3", "2020-01-05T09:00:00", "2020-03-08 2021-01-03 2024-03-10"},
		// Values that stand twice count once; invalid dates are passed over.
		{"FREQ=MONTHLY;BYMONTHDAY=31,31;COUNT=3", "2026-01-31T09:00:00", "2026-01-31 2026-03-31 2026-05-31"},
		{"FREQ=YEARLY;COUNT=3", "2024-02-29T09:00:00", "2024-02-29 2028-02-29 2032-02-29"},
		// No horizon of 292 years.
		{"FREQ=YEARLY;INTERVAL=100;BYYEARDAY=60;BYMONTHDAY=1;COUNT=4", "2000-01-01T09:00:00",
			"2100-03-01 2200-03-01 2300-03-01 2500-03-01"},
		{"rrule:freq=daily;count=2;", "2026-01-01T09:00:00", "2026-01-01 2026-01-02"},
	} {
		want := strings.Fields(c.want)
		for i := range want {
			want[i] += c.start[10:]
		}
		if got := locals(expandOne(t, Rule{RRule: c.rule, TZ: "America/New_York", Start: c.start})); !slices.Equal(want, got) {
			t.Errorf("%s from %s:\nwant %v\ngot  %v", c.rule, c.start, want, got)
		}
	}
}

func TestJSONIsThatOfEncodingJSON(t *testing.T) {
	response, err := Expand(Request{Rules: []Rule{
		{ID: "<a&b>", RRule: "FREQ=HOURLY;COUNT=30", TZ: "Europe/Vienna", Start: "2026-03-28T22:30:00"},
		{RRule: "FREQ=DAILY;COUNT=300", TZ: "America/New_York", Start: "2026-03-08T02:30:00", Disambiguation: "later"},
		{Cron: "30 1 * * SUN", TZ: "America/Winnipeg", Start: "2026-10-31T00:00:00", Count: number(4)},
		{Cron: "0 0 30 2 *", TZ: "UTC", Start: "2026-10-31T00:00:00"},
	}}, Full)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(response.AppendJSON(nil)); string(want) != got {
		t.Errorf("want %s\ngot  %s", want, got)
	}
}

// BenchmarkExpand is the figure of the service: 25 rules of 500 occurrences with zones, written as JSON.
func BenchmarkExpand(b *testing.B) {
	request := benchmarkRequest()
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		response, err := Expand(request, Full)
		if err != nil {
			b.Fatal(err)
		}
		if out = response.AppendJSON(out[:0]); response.TotalOccurrences != 25*500 {
			b.Fatalf("%d occurrences", response.TotalOccurrences)
		}
	}
	b.SetBytes(int64(len(out)))
}

func benchmarkRequest() Request {
	rules := []Rule{
		{RRule: "FREQ=DAILY"}, {RRule: "FREQ=WEEKLY;BYDAY=MO,WE,FR"}, {RRule: "FREQ=MONTHLY;BYDAY=2TU"},
		{RRule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"}, {Cron: "*/15 * * * *"}, {Cron: "0 9 * * 1-5"},
		{RRule: "FREQ=HOURLY;INTERVAL=5"}, {RRule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
		{RRule: "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"}, {RRule: "FREQ=MINUTELY;INTERVAL=90"},
	}
	zones := []string{"Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata", "America/Santiago",
		"UTC"}
	var r Request
	for i := range 25 {
		rule := rules[i%len(rules)]
		rule.TZ, rule.Start, rule.Count = zones[i%len(zones)], "2026-01-01T02:30:00", number(500)
		r.Rules = append(r.Rules, rule)
	}
	return r
}
