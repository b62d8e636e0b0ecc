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
	r, err := recurrence.ExpandRule(e.Rule, e.Setting, 20)
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
		{"a time with a zone", calendar(event("DTSTART;TZID=Europe/Vienna:20270327T023000", "RRULE:FREQ=DAILY;COUNT=2")),
			[]string{"2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z"}},
		{"UTC", calendar(event("DTSTART:20270327T023000Z", "RRULE:FREQ=DAILY;COUNT=2")),
			[]string{"2027-03-27T02:30:00Z", "2027-03-28T02:30:00Z"}},
		{"floating", calendar(event("DTSTART:20270327T023000")), []string{"2027-03-27T08:30:00Z"}},
		{"a date", calendar(event("DTSTART;VALUE=DATE:20270327", "RRULE:FREQ=DAILY;UNTIL=20270328")),
			[]string{"2027-03-27T00:00:00Z", "2027-03-28T00:00:00Z"}},
		{"no rule", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000")), []string{"2027-01-01T11:00:00Z"}},
		{"folded lines, small letters, a quoted zone",
			calendar(event("dtstart;tzid=\"Europe/\r\n Vienna\":20270327T0\r\n\t23000", "rrule:freq=daily;co\r\n unt=1")),
			[]string{"2027-03-27T01:30:00Z"}},
		{"a zone with a prefix", calendar(event("DTSTART;TZID=/mozilla.org/20050126_1/America/Argentina/Salta:20270101T120000")),
			[]string{"2027-01-01T15:00:00Z"}},
		{"a zone as Outlook writes it", calendar(event(`DTSTART;TZID="W. Europe Standard Time":20270701T120000`)),
			[]string{"2027-07-01T10:00:00Z"}},
		{"a zone named by its VTIMEZONE", calendar(vienna, event("DTSTART;TZID=Customized:20270101T120000")),
			[]string{"2027-01-01T11:00:00Z"}},
		{"an old zone name", calendar(event("DTSTART;TZID=US/Eastern:20270101T120000")), []string{"2027-01-01T17:00:00Z"}},
		{"UNTIL without Z", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "RRULE:FREQ=DAILY;UNTIL=20270102T120000")),
			[]string{"2027-01-01T11:00:00Z", "2027-01-02T11:00:00Z"}},
		{"EXDATE in its forms", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "RRULE:FREQ=DAILY;COUNT=6",
			"EXDATE;TZID=Europe/Vienna:20270102T120000,20270103T120000", "EXDATE:20270104T110000Z",
			"EXDATE;TZID=America/New_York:20270105T060000", "EXDATE;VALUE=DATE:20270106")), []string{"2027-01-01T11:00:00Z"}},
		{"RDATE", calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "RDATE;TZID=Europe/Vienna:20270201T120000",
			"RDATE;VALUE=PERIOD:20270301T110000Z/PT1H")), []string{"2027-01-01T11:00:00Z", "2027-02-01T11:00:00Z", "2027-03-01T11:00:00Z"}},
		{"RDATE of dates", calendar(event("DTSTART;VALUE=DATE:20270101", "RDATE;VALUE=DATE:20270105")),
			[]string{"2027-01-01T00:00:00Z", "2027-01-05T00:00:00Z"}},
		{"a start in a gap", calendar(event("DTSTART;TZID=Europe/Vienna:20270328T023000")), []string{"2027-03-28T01:30:00Z"}},
		{"an alarm has times of its own",
			calendar(event("DTSTART;TZID=Europe/Vienna:20270101T120000", "BEGIN:VALARM", "DTSTART:19990101T000000Z", "END:VALARM")),
			[]string{"2027-01-01T11:00:00Z"}},
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
		{"a zone of its own", []string{"DTSTART;TZID=Customized Time Zone:20270101T120000"},
			`"Customized Time Zone" is no zone name of IANA or Windows`},
		{"a zone nearly right", []string{"DTSTART;TZID=europe/vienna:20270101T120000"}, "nearest is Europe/Vienna"},
		{"no zone", []string{"DTSTART:20270101T120000"}, "--tz"},
		{"no time", []string{"DTSTART:2027-01-01"}, "YYYYMMDDTHHMMSS"},
		{"a date that says it is a time", []string{"DTSTART;VALUE=DATE-TIME:20270101"}, "DATE-TIME"},
		{"two rules", []string{start, "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"}, "second RRULE"},
		{"a rule of nothing", []string{start, "RRULE:UNTIL=20270105"}, "no FREQ"},
		{"EXRULE", []string{start, "EXRULE:FREQ=DAILY"}, "EXRULE"},
		{"all before", []string{start, "RECURRENCE-ID;RANGE=THISANDPRIOR:20270101T110000Z"}, "THISANDFUTURE"},
		{"an invalid UNTIL", []string{start, "RRULE:FREQ=DAILY;UNTIL=tomorrow"}, "UNTIL"},
		{"an invalid EXDATE", []string{start, "EXDATE:x"}, "EXDATE"},
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
	f.Add(calendar(event("UID:1", "DTSTART;TZID=\"Europe/Vienna\":20270327T023000", "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20280101",
		"EXDATE;TZID=America/New_York:20270328T000000")))
	f.Add(calendar(event("UID:1", "RECURRENCE-ID:20270327T013000Z", "DTSTART;VALUE=DATE:20270327",
		"RDATE;VALUE=PERIOD:20270327T013000Z/PT1H")))
	f.Add([]byte("BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:/x/Europe/Vienna\n X\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=/x/Europe/Vienna:20270327T023000\nEND:VEVENT\nEND:VCALENDAR"))
	f.Add(calendar(vtimezone("A", "16010101T020000", "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
		event("UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20270327T013000Z", "DTSTART;TZID=A:20270327T023000"),
		event("UID:1", "DTSTART;TZID=A:20270101T023000", "RRULE:FREQ=DAILY")))
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
			r, err := recurrence.ExpandRule(e.Rule, e.Setting, 5)
			if err == nil && r.TotalOccurrences > 5 {
				t.Error("more than was asked for")
			}
		}
	})
}

func TestWindowsZonesAreThere(t *testing.T) {
	if len(windows) != 141 || len(shownByWindows) < 90 {
		t.Errorf("%d names, %d as they are shown", len(windows), len(shownByWindows))
	}
	for name, zone := range shownByWindows {
		if _, ok := zones.Load(zone); !ok {
			t.Errorf("%s: %s is no zone", name, zone)
		}
	}
	for name, zone := range windows {
		if _, ok := zones.Load(zone); !ok {
			t.Errorf("%s: %s is no zone", name, zone)
		}
	}
}

// vtimezone describes a zone of +01:00, +02:00 in summer: from an onset in spring by a rule to the last Sunday of
// October.
func vtimezone(name, spring, rule string) string {
	return strings.Join([]string{"BEGIN:VTIMEZONE", "TZID:" + name, "BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:+0200",
		"TZOFFSETTO:+0100",
		"RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:" + spring, "TZOFFSETFROM:+0100",
		"TZOFFSETTO:+0200", "RRULE:" + rule, "END:DAYLIGHT", "END:VTIMEZONE"}, "\r\n")
}

// What the calendars of other programs hold.
func TestFilesOfOthers(t *testing.T) {
	india := "BEGIN:VTIMEZONE\r\nTZID:GMT+0530\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\nTZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE"
	custom := vtimezone("Customized Time Zone", "16010101T020000", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3")
	for _, c := range []struct {
		name string
		file []byte
		want []string // of the first event
	}{
		{"a birthday", calendar(event("DTSTART;VALUE=DATE:19550714", "RRULE:FREQ=YEARLY;COUNT=2")),
			[]string{"1955-07-14T00:00:00Z", "1956-07-14T00:00:00Z"}},
		{"a birthday without a year", calendar(event("DTSTART;VALUE=DATE:16040229", "RRULE:FREQ=YEARLY;COUNT=2")),
			[]string{"1604-02-29T00:00:00Z", "1608-02-29T00:00:00Z"}},
		{"a time before 1970", calendar(event("DTSTART;TZID=Europe/Vienna:19550714T120000")), []string{"1955-07-14T11:00:00Z"}},
		{"a zone of its own", calendar(custom, event("DTSTART;TZID=Customized Time Zone:20270327T120000", "RRULE:FREQ=DAILY;COUNT=2")),
			[]string{"2027-03-27T11:00:00Z", "2027-03-28T10:00:00Z"}},
		{"the same in 2077", calendar(custom, event("DTSTART;TZID=Customized Time Zone:20770327T120000", "RRULE:FREQ=DAILY;COUNT=2")),
			[]string{"2077-03-27T11:00:00Z", "2077-03-28T10:00:00Z"}},
		{"a gap of it", calendar(custom, event("DTSTART;TZID=Customized Time Zone:20270328T023000")), []string{"2027-03-28T01:30:00Z"}},
		{"an EXDATE of it", calendar(custom, event("DTSTART;TZID=Customized Time Zone:20270327T120000", "RRULE:FREQ=DAILY;COUNT=2",
			"EXDATE;TZID=Customized Time Zone:20270327T120000")), []string{"2027-03-28T10:00:00Z"}},
		{"an offset for a name", calendar(india, event("DTSTART;TZID=GMT+0530:20270101T120000")), []string{"2027-01-01T06:30:00Z"}},
		{"a zone as Exchange shows it",
			calendar(event(`DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna":20270701T120000`)),
			[]string{"2027-07-01T10:00:00Z"}},
		{"as older ones showed it", calendar(
			event(`DTSTART;TZID="(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna":20270701T120000`)),
			[]string{"2027-07-01T10:00:00Z"}},
		{"Kamchatka", calendar(event("DTSTART;TZID=Kamchatka Standard Time:20270701T120000")), []string{"2027-07-01T00:00:00Z"}},
		{"Mid-Atlantic", calendar(event("DTSTART;TZID=Mid-Atlantic Standard Time:20270701T120000")), []string{"2027-07-01T14:00:00Z"}},
		{"RDATE before DTSTART", calendar(event("DTSTART;TZID=Europe/Vienna:20270105T120000", "RRULE:FREQ=DAILY;COUNT=1",
			"RDATE;TZID=Europe/Vienna:20270101T120000")), []string{"2027-01-01T11:00:00Z", "2027-01-05T11:00:00Z"}},
		{"EXDATE with the time of an all-day event",
			calendar(event("DTSTART;VALUE=DATE:20270101", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Europe/Vienna:20270102T000000",
				"EXDATE:20270103T000000Z")), []string{"2027-01-01T00:00:00Z"}},
		{"a leap second", calendar(event("DTSTART:20161231T235960Z")), []string{"2016-12-31T23:59:59Z"}},
		{"an override that cannot be read", calendar(event("UID:a", "DTSTART:20270101T120000Z", "RRULE:FREQ=DAILY;COUNT=2"),
			event("UID:a", "RECURRENCE-ID:20270102T120000Z", "DTSTART;TZID=Nowhere:20270102T150000")),
			[]string{"2027-01-01T12:00:00Z", "2027-01-02T12:00:00Z"}},
		{"one before its event", calendar(event("UID:a", "DTSTART:20270101T120000Z", "RRULE:FREQ=DAILY;COUNT=2"),
			event("UID:a", "RECURRENCE-ID:x", "DTSTART:20270102T150000Z")),
			[]string{"2027-01-01T12:00:00Z", "2027-01-02T12:00:00Z"}},
	} {
		list, err := Parse(c.file, Options{FloatingZone: "America/Denver"})
		if err != nil || len(list) == 0 {
			t.Errorf("%s: %d events, %v", c.name, len(list), err)
			continue
		}
		if got := instants(t, list[0]); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if strings.HasPrefix(c.name, "one ") || strings.HasPrefix(c.name, "an override") {
			if len(list) != 2 || list[1].Err == nil {
				t.Errorf("%s: %+v", c.name, list)
			}
		}
	}
}

// RANGE=THISANDFUTURE ends the event and goes on with it, moved.
func TestAllThatFollow(t *testing.T) {
	master := event("UID:a", "DTSTART;TZID=Europe/Vienna:20270301T120000", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6",
		"EXDATE;TZID=Europe/Vienna:20270322T120000")
	for name, c := range map[string]struct {
		change []string // of the occurrence of March 15
		first  []string
		then   []string
	}{
		"a day later": {[]string{"RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20270315T120000",
			"DTSTART;TZID=Europe/Vienna:20270316T130000"},
			[]string{"2027-03-01T11:00:00Z", "2027-03-08T11:00:00Z"}, []string{"2027-03-16T12:00:00Z", "2027-03-30T11:00:00Z",
				"2027-04-06T11:00:00Z"}},
		"named in UTC": {[]string{"RECURRENCE-ID;RANGE=THISANDFUTURE:20270315T110000Z", "DTSTART;TZID=Europe/Vienna:20270315T150000"},
			[]string{"2027-03-01T11:00:00Z", "2027-03-08T11:00:00Z"}, []string{"2027-03-15T14:00:00Z", "2027-03-29T13:00:00Z",
				"2027-04-05T13:00:00Z"}},
		"with a rule of its own": {[]string{"RECURRENCE-ID;RANGE=THISANDFUTURE:20270315T110000Z",
			"DTSTART;TZID=Europe/Vienna:20270315T150000", "RRULE:FREQ=DAILY;COUNT=2"},
			[]string{"2027-03-01T11:00:00Z", "2027-03-08T11:00:00Z"}, []string{"2027-03-15T14:00:00Z", "2027-03-16T14:00:00Z"}},
		"cancelled": {[]string{"RECURRENCE-ID;RANGE=THISANDFUTURE:20270315T110000Z", "DTSTART;TZID=Europe/Vienna:20270315T120000",
			"STATUS:CANCELLED"},
			[]string{"2027-03-01T11:00:00Z", "2027-03-08T11:00:00Z"}, nil},
	} {
		list, err := Parse(calendar(master, event(append([]string{"UID:a"}, c.change...)...)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := instants(t, list[0]); !reflect.DeepEqual(got, c.first) {
			t.Errorf("%s: before it %v", name, got)
		}
		if c.then == nil && len(list) != 1 || c.then != nil && !reflect.DeepEqual(instants(t, list[1]), c.then) {
			t.Errorf("%s: %d events, then %v", name, len(list), instants(t, list[len(list)-1]))
		}
	}
	// One occurrence of those that follow has moved again.
	list, err := Parse(calendar(master, event("UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20270315T110000Z",
		"DTSTART;TZID=Europe/Vienna:20270316T120000"),
		event("UID:a", "RECURRENCE-ID;TZID=Europe/Vienna:20270329T120000", "DTSTART;TZID=Europe/Vienna:20270401T120000")), Options{})
	if err != nil || len(list) != 3 {
		t.Fatal(len(list), err)
	}
	if got := instants(t, list[1]); !reflect.DeepEqual(got, []string{"2027-03-16T11:00:00Z", "2027-04-06T10:00:00Z"}) {
		t.Errorf("what follows: %v", got)
	}
}
