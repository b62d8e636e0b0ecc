package ics

import (
	"reflect"
	"strings"
	"testing"

	"mappe/shared/recurrence"
	"mappe/shared/recurrence/zones"
)

// calendar wraps events in a file.
func calendar(lines ...string) []byte {
	return []byte("BEGIN:VCALENDAR\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VCALENDAR\r\n")
}

func event(lines ...string) string {
	return "BEGIN:VEVENT\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT"
}

// instants are the UTC times of an event.
func instants(t *testing.T, e Event) []string {
	t.Helper()
	if e.Err != nil {
		t.Fatal(e.Err)
	}
	r, err := recurrence.Expand(recurrence.Request{Rules: []recurrence.Rule{e.Rule}}, recurrence.Full)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, o := range r.Results[0].Occurrences {
		list = append(list, o.UTC.String())
	}
	return list
}

func TestEventsBecomeRules(t *testing.T) {
	const vienna = "BEGIN:VTIMEZONE\r\nTZID:Customized\r\nX-LIC-LOCATION:Europe/Vienna\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE"
	for _, c := range []struct {
		name string
		file []byte
		want []string // of the first event
	}{
		{"a time with a zone", calendar(event("DTSTART;TZID=Europe/Vienna:20270327T023000", "RRULE:FREQ=DAILY;COUNT=2")), []string{"2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z"}},
		{"UTC", calendar(event("DTSTART:20270327T023000Z", "RRULE:FREQ=DAILY;COUNT=2")), []string{"2027-03-27T02:30:00Z", "2027-03-28T02:30:00Z"}},
		{"floating", calendar(event("DTSTART:20270327T023000")), []string{"2027-03-27T08:30:00Z"}},
		{"a date", calendar(event("DTSTART;VALUE=DATE:20270327", "RRULE:FREQ=DAILY;UNTIL=20270328")), []string{"2027-03-27T00:00:00Z", "2027-03-28T00:00:00Z"}},
		{"no rule", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000")), []string{"2027-01-01T11:00:00Z"}},
		{"folded lines, small letters, a quoted zone", calendar(event("dtstart;tzid=\"Europe/\r\n Vienna\":20270327T0\r\n\t23000", "rrule:freq=daily;co\r\n unt=1")), []string{"2027-03-27T01:30:00Z"}},
		{"a zone with a prefix", calendar(event("DTSTART;TZID=/mozilla.org/20050126_1/America/Argentina/Salta:20270101T120000")), []string{"2027-01-01T15:00:00Z"}},
		{"a zone as Outlook writes it", calendar(event(`DTSTART;TZID="W. Europe Standard Time":20270701T120000`)), []string{"2027-07-01T10:00:00Z"}},
		{"a zone named by its VTIMEZONE", calendar(vienna, event("DTSTART;TZID=Customized:20270101T120000")), []string{"2027-01-01T11:00:00Z"}},
		{"an old zone name", calendar(event("DTSTART;TZID=US/Eastern:20270101T120000")), []string{"2027-01-01T17:00:00Z"}},
		{"UNTIL without Z", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "RRULE:FREQ=DAILY;UNTIL=20270102T120000")), []string{"2027-01-01T11:00:00Z", "2027-01-02T11:00:00Z"}},
		{"EXDATE in its forms", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "RRULE:FREQ=DAILY;COUNT=6",
			"EXDATE;TZID=Europe/Vienna:20270102T120000,20270103T120000", "EXDATE:20270104T110000Z", "EXDATE;TZID=America/New_York:20270105T060000", "EXDATE;VALUE=DATE:20270106")), []string{"2027-01-01T11:00:00Z"}},
		{"RDATE", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "RDATE;TZID=Europe/Vienna:20270201T120000", "RDATE;VALUE=PERIOD:20270301T110000Z/PT1H")), []string{"2027-01-01T11:00:00Z", "2027-02-01T11:00:00Z", "2027-03-01T11:00:00Z"}},
		{"RDATE of dates", calendar(event("DTSTART;VALUE=DATE:20270101", "RDATE;VALUE=DATE:20270105")), []string{"2027-01-01T00:00:00Z", "2027-01-05T00:00:00Z"}},
		{"a start in a gap", calendar(event("DTSTART;TZID=Europe/Vienna:20270328T023000")), []string{"2027-03-28T01:30:00Z"}},
		{"an alarm has times of its own", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "BEGIN:VALARM", "DTSTART:19990101T000000Z", "END:VALARM")), []string{"2027-01-01T11:00:00Z"}},
	} {
		list, err := Parse(c.file, Options{FloatingZone: "America/Denver"})
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d events, %v", c.name, len(list), err)
			continue
		}
		if got := instants(t, list[0]); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestChangedOccurrences(t *testing.T) {
	list, err := Parse(calendar(
		event("UID:b", "RECURRENCE-ID;TZID=Europe/Vienna:20270102T120000", "DTSTART;TZID=Europe/Vienna:20270102T150000"),
		event("UID:b", "RECURRENCE-ID:20270103T110000Z", "DTSTART;TZID=Europe/Vienna:20270103T120000", "STATUS:CANCELLED"),
		event("UID:b", "SUMMARY:Walk\\, then\\nrest", "DTSTART;TZID=Europe/Vienna:20270101T120000", "RRULE:FREQ=DAILY;COUNT=4"),
		event("UID:c", "STATUS:CANCELLED", "DTSTART:20270101T120000Z"),
	), Options{})
	if err != nil || len(list) != 3 {
		t.Fatal(len(list), err)
	}
	if got, want := instants(t, list[0]), []string{"2027-01-02T14:00:00Z"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the changed one: %v", got)
	}
	if got, want := instants(t, list[1]), []string{"2027-01-01T11:00:00Z", "2027-01-04T11:00:00Z"}; !reflect.DeepEqual(got, want) {
		t.Errorf("what is left: %v", got)
	}
	if list[1].Summary != "Walk, then rest" || list[1].Cancelled || !list[2].Cancelled {
		t.Errorf("%+v", list[1:])
	}
}

func TestFaultsOfOneEvent(t *testing.T) {
	const start = "DTSTART;TZID=Europe/Vienna:20270101T120000"
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"no DTSTART", []string{"RRULE:FREQ=DAILY"}, "DTSTART is missing"},
		{"two of them", []string{start, start}, "DTSTART stands twice"},
		{"a zone of its own", []string{"DTSTART;TZID=Customized Time Zone:20270101T120000"}, `"Customized Time Zone" is no zone name of IANA or Windows`},
		{"a zone nearly right", []string{"DTSTART;TZID=europe/vienna:20270101T120000"}, "nearest is Europe/Vienna"},
		{"no zone", []string{"DTSTART:20270101T120000"}, "--tz"},
		{"no time", []string{"DTSTART:2027-01-01"}, "YYYYMMDDTHHMMSS"},
		{"a date that says it is a time", []string{"DTSTART;VALUE=DATE-TIME:20270101"}, "DATE-TIME"},
		{"two rules", []string{start, "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"}, "second RRULE"},
		{"a rule of nothing", []string{start, "RRULE:UNTIL=20270105"}, "no FREQ"},
		{"EXRULE", []string{start, "EXRULE:FREQ=DAILY"}, "EXRULE"},
		{"all that follow", []string{start, "RECURRENCE-ID;RANGE=THISANDFUTURE:20270101T110000Z"}, "THISANDFUTURE"},
		{"an UNTIL that is none", []string{start, "RRULE:FREQ=DAILY;UNTIL=tomorrow"}, "UNTIL"},
		{"an EXDATE that is none", []string{start, "EXDATE:x"}, "EXDATE"},
		{"a date among times", []string{start, "RDATE;VALUE=DATE:20270105"}, "a date among times"},
		{"too many", []string{start, "EXDATE:" + strings.TrimSuffix(strings.Repeat("20270105,", 1001), ",")}, "more than 1000"},
	} {
		list, err := Parse(calendar(event(c.lines...), event("DTSTART:20270101T120000Z")), Options{})
		if err != nil || len(list) != 2 {
			t.Errorf("%s: %d events, %v", c.name, len(list), err)
			continue
		}
		if list[0].Err == nil || !strings.Contains(list[0].Err.Error(), c.want) || list[1].Err != nil {
			t.Errorf("%s: want %q, got %v and %v", c.name, c.want, list[0].Err, list[1].Err)
		}
	}
}

func TestFilesThatAreNone(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"empty":             {"", "VCALENDAR"},
		"cut":               {"BEGIN:VCALENDAR\nBEGIN:VEVENT\n", "ends within VEVENT"},
		"crossed":           {"BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n", "line 3"},
		"no content line":   {"BEGIN:VCALENDAR\nhello\n", "line 2"},
		"an open parameter": {"BEGIN:VCALENDAR\nX;A=\"b:c\n", "line 2"},
		"an event alone":    {"BEGIN:VEVENT\nEND:VEVENT\n", "outside of VCALENDAR"},
		"not UTF-8":         {"BEGIN:VCALENDAR\nX:\xff\n", "UTF-8"},
		"a long line":       {"BEGIN:VCALENDAR\nX:" + strings.Repeat("a", maxLine) + "\n", "longer"},
		"deep":              {strings.Repeat("BEGIN:X\n", 20), "nested"},
		"too large":         {strings.Repeat(" ", MaxBytes+1), "expected at most"},
		"too many events":   {"BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", MaxEvents+1), "more than 10000 events"},
	} {
		if _, err := Parse([]byte(c.file), Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
}

// FuzzParse: any bytes give events or an error; events without one have rules that the expander takes or
// refuses with words.
func FuzzParse(f *testing.F) {
	f.Add(calendar(event("UID:1", "DTSTART;TZID=\"Europe/Vienna\":20270327T023000", "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20280101", "EXDATE;TZID=America/New_York:20270328T000000")))
	f.Add(calendar(event("UID:1", "RECURRENCE-ID:20270327T013000Z", "DTSTART;VALUE=DATE:20270327", "RDATE;VALUE=PERIOD:20270327T013000Z/PT1H")))
	f.Add([]byte("BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:/x/Europe/Vienna\n X\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=/x/Europe/Vienna:20270327T023000\nEND:VEVENT\nEND:VCALENDAR"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Parse(data, Options{FloatingZone: "Europe/Vienna"})
		if err != nil && len(list) > 0 {
			t.Error("events beside an error")
		}
		for _, e := range list {
			if e.Err != nil {
				continue
			}
			if e.Rule.TZ == "" || e.Rule.Start == "" || e.Rule.RRule == "" {
				t.Errorf("%+v", e)
			}
			r, err := recurrence.Expand(recurrence.Request{Rules: []recurrence.Rule{e.Rule}}, recurrence.Limits{Rules: 1, Count: 5})
			if err == nil && r.TotalOccurrences > 5 {
				t.Error("more than was asked for")
			}
		}
	})
}

func TestWindowsZonesAreThere(t *testing.T) {
	for name, zone := range windows {
		if _, ok := zones.Load(zone); !ok {
			t.Errorf("%s: %s is no zone", name, zone)
		}
	}
}
