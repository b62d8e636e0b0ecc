package recurrence

import (
	"errors"
	"strings"
	"testing"
)

func TestRefused(t *testing.T) {
	good := func(change func(*Rule)) Request {
		r := Rule{ID: "a", RRule: "FREQ=DAILY", TZ: "Europe/Vienna", Start: "2026-01-01T09:00:00"}
		change(&r)
		return Request{Rules: []Rule{{Cron: "0 0 * * *", TZ: "UTC", Start: "2026-01-01T00:00:00"}, r}}
	}
	rrule := func(text string) Request { return good(func(r *Rule) { r.RRule = text }) }
	cron := func(text string) Request { return good(func(r *Rule) { r.RRule, r.Cron = "", text }) }
	for name, c := range map[string]struct {
		request Request
		field   string
		says    string
	}{
		"both":      {good(func(r *Rule) { r.Cron = "0 0 * * *" }), "cron", "not both"},
		"neither":   {rrule(""), "rrule", "required"},
		"zone":      {good(func(r *Rule) { r.TZ = "europe/vienna" }), "tz", "Europe/Vienna"},
		"near zone": {good(func(r *Rule) { r.TZ = "Europe/Viena" }), "tz", "nearest is Europe/Vienna"},
		"gap and reject": {good(func(r *Rule) { r.Start, r.Disambiguation = "2026-03-29T02:30:00", "reject" }), "start",
			"from 2026-03-29T02:00:00 to 2026-03-29T03:00:00 at 2026-03-29T01:00:00Z"},
		"no zone":          {good(func(r *Rule) { r.TZ = "" }), "tz", "IANA"},
		"offset":           {good(func(r *Rule) { r.Start = "2026-01-01T09:00:00+01:00" }), "start", "no offset"},
		"Z":                {good(func(r *Rule) { r.Start = "2026-01-01T09:00:00Z" }), "start", "no offset"},
		"before 1900":      {good(func(r *Rule) { r.Start = "1899-12-31T23:59:59" }), "start", "1900"},
		"leap second":      {good(func(r *Rule) { r.Start = "2016-12-31T23:59:60" }), "start", "leap second"},
		"blank in a name":  {rrule("FR EQ=DAILY"), "rrule", "FR EQ"},
		"X- only":          {rrule("X-FREQ=DAILY"), "rrule", "missing"},
		"no such date":     {good(func(r *Rule) { r.Start = "2026-02-29T09:00:00" }), "start", "no such date"},
		"fraction":         {good(func(r *Rule) { r.Start = "2026-01-01T09:00:00.5" }), "start", "fraction"},
		"count 0":          {good(func(r *Rule) { r.Count = number(0) }), "count", "1 to 500"},
		"count 501":        {good(func(r *Rule) { r.Count = number(501) }), "count", "1 to 500"},
		"COUNT=0":          {rrule("FREQ=DAILY;COUNT=0"), "rrule", "COUNT 1 to"},
		"COUNT=-5":         {rrule("FREQ=DAILY;COUNT=-5"), "rrule", "COUNT 1 to"},
		"INTERVAL=0":       {rrule("FREQ=DAILY;INTERVAL=0"), "rrule", "INTERVAL 1 to"},
		"INTERVAL of 64":   {rrule("FREQ=DAILY;INTERVAL=9999999999"), "rrule", "INTERVAL 1 to"},
		"INTERVAL letters": {rrule("FREQ=DAILY;INTERVAL=1abcdefghi"), "rrule", "INTERVAL 1 to"},
		"INTERVAL huge":    {rrule("FREQ=DAILY;INTERVAL=9223372036854775807"), "rrule", "INTERVAL 1 to"},
		"COUNT and UNTIL":  {rrule("FREQ=DAILY;COUNT=1;UNTIL=20260101T000000Z"), "rrule", "not both"},
		"UNTIL form":       {rrule("FREQ=DAILY;UNTIL=2026-01-01T00:00:00Z"), "rrule", "YYYYMMDDTHHMMSSZ"},
		"-53MO":            {rrule("FREQ=MONTHLY;BYDAY=-53MO"), "rrule", "-53MO"},
		"54MO":             {rrule("FREQ=YEARLY;BYDAY=54MO"), "rrule", "54MO"},
		"0MO":              {rrule("FREQ=YEARLY;BYDAY=0MO"), "rrule", "0MO"},
		"weekly 1MO":       {rrule("FREQ=WEEKLY;BYDAY=1MO"), "rrule", "FREQ=WEEKLY"},
		"week and 1MO":     {rrule("FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO"), "rrule", "BYWEEKNO"},
		"monthly week":     {rrule("FREQ=MONTHLY;BYWEEKNO=3"), "rrule", "BYWEEKNO"},
		"daily year day":   {rrule("FREQ=DAILY;BYYEARDAY=3"), "rrule", "BYYEARDAY"},
		"weekly monthday":  {rrule("FREQ=WEEKLY;BYMONTHDAY=3"), "rrule", "BYMONTHDAY"},
		"setpos alone":     {rrule("FREQ=MONTHLY;BYSETPOS=1"), "rrule", "another BY part"},
		"setpos 0":         {rrule("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0"), "rrule", "BYSETPOS"},
		"FREQ twice":       {rrule("FREQ=DAILY;FREQ=DAILY"), "rrule", "once"},
		"no FREQ":          {rrule("COUNT=3"), "rrule", "missing"},
		"BYEASTER":         {rrule("FREQ=YEARLY;BYEASTER=1"), "rrule", "BYEASTER"},
		"BYHOUR=24":        {rrule("FREQ=DAILY;BYHOUR=24"), "rrule", "0 to 23"},
		"BYHOUR=-1":        {rrule("FREQ=DAILY;BYHOUR=-1"), "rrule", "0 to 23"},
		"BYMONTHDAY=0":     {rrule("FREQ=MONTHLY;BYMONTHDAY=0"), "rrule", "-31 to -1"},
		"cron six":         {cron("0 0 0 * * *"), "cron", "five fields"},
		"cron macro":       {cron("@daily"), "cron", "five fields"},
		"cron step 0":      {cron("*/0 * * * *"), "cron", "step"},
		"cron 5/15":        {cron("5/15 * * * *"), "cron", "range before the slash"},
		"cron reversed":    {cron("0 0 * * FRI-MON"), "cron", "backwards"},
		"cron 60":          {cron("60 * * * *"), "cron", "0 to 59"},
		"cron L":           {cron("0 0 L * *"), "cron", "1 to 31"},
		"cron empty item":  {cron("1,,2 * * * *"), "cron", "0 to 59"},
		"disambiguation":   {good(func(r *Rule) { r.Disambiguation = "first" }), "disambiguation", "compatible"},
		"rejected": {good(func(r *Rule) { r.Start, r.Disambiguation = "2026-03-01T02:30:00", "reject" }), "disambiguation",
			"2026-03-29T02:30:00"},
		"rdate early":     {good(func(r *Rule) { r.RDates = []string{"2025-01-01T00:00:00"} }), "rdates[0]", "before start"},
		"rdate early UTC": {good(func(r *Rule) { r.RDates = []string{"2025-01-01T00:00:00Z"} }), "rdates[0]", "before start"},
		"exdate":          {good(func(r *Rule) { r.ExDates = []string{"tomorrow"} }), "exdates[0]", "YYYY-MM-DD"},
		"id":              {good(func(r *Rule) { r.ID = strings.Repeat("x", 201) }), "id", "200"},
	} {
		_, err := Expand(c.request, Full)
		var faults Faults
		if !errors.As(err, &faults) {
			t.Errorf("%s: not refused", name)
			continue
		}
		if f := faults[0]; f.Field != c.field || !strings.Contains(f.Message, c.says) || f.Rule == nil || *f.Rule != 1 {
			t.Errorf("%s: want %s and %q, got %+v", name, c.field, c.says, f)
		}
	}
}

func TestRequestIsRefused(t *testing.T) {
	rule := Rule{RRule: "FREQ=DAILY", TZ: "UTC", Start: "2026-01-01T00:00:00"}
	for name, r := range map[string]Request{
		"rules": {}, "rules of 26": {Rules: make([]Rule, 26)},
		"limit 0": {Rules: []Rule{rule}, Limit: number(0)}, "limit 501": {Rules: []Rule{rule}, Limit: number(501)},
	} {
		_, err := Expand(r, Full)
		var faults Faults
		if !errors.As(err, &faults) || faults[0].Field != strings.Fields(name)[0] || faults[0].Rule != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Every spelling that JSON has for a whole number is one.
func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "1e2": 100, "1E+2": 100, "100.0": 100, "2.50e1": 25, "50000e-2": 500, "0.3e1": 3,
		"500": 500} {
		r, err := Decode([]byte(`{"rules":[{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00","count":` + text + `}],"limit":` +
			text + `}`))
		if err != nil || *r.Rules[0].Count != want || *r.Limit != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"1.5", "1e-1", "1e9", "1e999999999", "25e-1", `"5"`, "true", "1e101", "[1]"} {
		if _, err := Decode([]byte(`{"rules":[{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00","count":` + text +
			`}]}`)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, body := range []string{``, `[]`, `{"rules":[]} x`, `{"rule":[]}`, `{"rules":[{"tz":1}]}`, `{"rules":[{"count":1.5}]}`,
		`{"rules":[{"count":"5"}]}`, `{"limit":"5"}`, strings.Repeat(" ", MaxBody) + `{}`} {
		if _, err := Decode([]byte(body)); err == nil {
			t.Errorf("%.40q is taken", body)
		}
	}
	r, err := Decode([]byte(`{"rules":[{"id":"a","cron":"0 9 * * 1-5","tz":"UTC","start":"2026-01-01T00:00","count":3}],"limit":2}`))
	if err != nil {
		t.Fatal(err)
	}
	response, err := Expand(r, Full)
	if err != nil || response.TotalOccurrences != 2 || !response.Results[0].Truncated || response.Results[0].ID != "a" {
		t.Errorf("got %+v, %v", response, err)
	}
}
