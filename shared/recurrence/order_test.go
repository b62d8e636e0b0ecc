package recurrence

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

// shown lists each occurrence as its UTC time of day with the first letters of its flags.
func shown(r Result) string {
	var list []string
	for _, o := range r.Occurrences {
		text := o.UTC.String()[11:16]
		for _, f := range o.Flags {
			text += map[Flag]string{NonexistentShifted: "n", AmbiguousEarlier: "e", AmbiguousLater: "l", DuplicateInstant: "d",
				StartAdjusted: "s"}[f]
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// Occurrences stand in the order of the wall times that the rule asks for, also where that of the instants is
// another.
func TestOrderIsTheRules(t *testing.T) {
	for name, c := range map[string]struct {
		rule Rule
		want string
	}{
		"half hours over a gap": {Rule{RRule: "FREQ=MINUTELY;INTERVAL=30;COUNT=6", TZ: "Europe/Berlin", Start: "2026-03-29T01:30:00"},
			"00:30 01:00n 01:30n 01:00d 01:30d 02:00"},
		"earlier over a gap": {Rule{RRule: "FREQ=MINUTELY;INTERVAL=30;COUNT=5", TZ: "Europe/Berlin", Start: "2026-03-29T01:00:00",
			Disambiguation: "earlier"}, "00:00 00:30 00:00nd 00:30nd 01:00"},
		"later over an overlap": {Rule{RRule: "FREQ=MINUTELY;INTERVAL=30;COUNT=4", TZ: "Europe/Berlin", Start: "2026-10-25T01:30:00",
			Disambiguation: "later"}, "23:30 01:00l 01:30l 02:00"},
		"an rdate in a gap": {Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Europe/Berlin", Start: "2026-03-29T01:00:00",
			RDates: []string{"2026-03-29T03:15:00", "2026-03-29T02:30:00"}}, "00:00 01:30n 01:15"},
	} {
		if got := shown(expandOne(t, c.rule)); got != c.want {
			t.Errorf("%s: want %s, got %s", name, c.want, got)
		}
	}
}

// An expression of every hour follows the clock: nothing twice in spring, no hour left out in autumn.
func TestHourlyCronFollowsTheClock(t *testing.T) {
	for name, c := range map[string]struct {
		rule Rule
		want string
	}{
		"spring": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-03-29T01:00:00", Count: number(4)},
			"00:00 00:30 01:00 01:30"},
		"autumn": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T02:00:00", Count: number(6)},
			"00:00e 00:30e 01:00l 01:30l 02:00 02:30"},
		"0-23 is every hour": {Rule{Cron: "0 0-23 * * *", TZ: "Europe/Berlin", Start: "2026-10-25T01:00:00", Count: number(4)},
			"23:00 00:00e 01:00l 02:00"},
		"cut within the hour": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T02:00:00", Count: number(3)},
			"00:00e 00:30e 01:00l"},
		"from within the hour": {Rule{Cron: "*/15 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T02:30:00", Count: number(4)},
			"00:30e 00:45e 01:00l 01:15l"},
		"half an hour's gap": {Rule{Cron: "*/20 * * * *", TZ: "Australia/Lord_Howe", Start: "2026-10-04T01:40:00", Count: number(3)},
			"15:10 15:40 16:00"},
		"half an hour's overlap": {Rule{Cron: "*/20 * * * *", TZ: "Australia/Lord_Howe", Start: "2026-04-05T01:20:00", Count: number(5)},
			"14:20 14:40e 15:10l 15:30 15:50"},
		"until the first pass": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T02:00:00",
			Until: "2026-10-25T00:30:00Z"}, "00:00e 00:30e"},
		"until the second pass": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T02:00:00",
			Until: "2026-10-25T01:00:00Z"}, "00:00e 00:30e 01:00l"},
		"from within a gap": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-03-29T02:30:00", Count: number(2)},
			"01:30 02:00"},
		"one hour is a time": {Rule{Cron: "*/30 2 * * *", TZ: "Europe/Berlin", Start: "2026-03-29T00:00:00", Count: number(2)},
			"01:00n 01:30n"},
		"stated as the RFC's": {Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-10-25T02:00:00", Count: number(3),
			Disambiguation: "compatible"}, "00:00e 00:30e 02:00"},
	} {
		if got := shown(expandOne(t, c.rule)); got != c.want {
			t.Errorf("%s: want %s, got %s", name, c.want, got)
		}
	}
	r := expandOne(t, Rule{Cron: "*/30 * * * *", TZ: "Europe/Berlin", Start: "2026-03-29T01:00:00", Count: number(4)})
	got, _ := json.Marshal(r.Anomalies)
	const want = `[{"type":"nonexistent_local_time","local":"2026-03-29T02:00:00","transition_utc":"2026-03-29T01:00:00Z","offset_before":"+01:00","offset_after":"+02:00"},` +
		`{"type":"nonexistent_local_time","local":"2026-03-29T02:30:00","transition_utc":"2026-03-29T01:00:00Z","offset_before":"+01:00","offset_after":"+02:00"}]`
	if string(got) != want {
		t.Errorf("want %s\ngot  %s", want, got)
	}
}

// Hourly expressions have the same distance of instants over every change of offset by whole hours.
func TestHourlyCronIsEven(t *testing.T) {
	for _, zone := range []string{"Europe/Vienna", "America/New_York", "Pacific/Apia", "Africa/Casablanca", "Asia/Gaza",
		"Antarctica/Troll"} {
		for _, start := range []string{"2011-12-28T00:00:00", "2026-03-01T00:00:00", "2026-03-25T00:00:00", "2026-10-20T00:00:00",
			"1945-04-01T00:00:00"} {
			r := expandOne(t, Rule{Cron: "*/30 * * * *", TZ: zone, Start: start, Count: number(500)})
			for i := 1; i < r.Count; i++ {
				if d := r.Occurrences[i].UTC - r.Occurrences[i-1].UTC; d != 1800 &&
					r.Occurrences[i].UTCOffset == r.Occurrences[i-1].UTCOffset || d > 3600 || d <= 0 {
					t.Errorf("%s from %s: %+v then %+v", zone, start, r.Occurrences[i-1], r.Occurrences[i])
				}
			}
		}
	}
}

// The list of n occurrences is the beginning of that of n+1, whatever the rule, count, limit and place of the
// clock changes.
func TestAListIsThePrefixOfALonger(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 3))
	places := []string{"Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Gaza",
		"America/Sao_Paulo"}
	dates := []string{"2011-12-30", "2018-11-04", "2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-10-04", "2026-04-05",
		"2077-03-28"}
	for range oracles.Rounds(t, 300) {
		c := randomRule(random)
		r := Rule{RRule: c.RRule, TZ: places[random.IntN(len(places))],
			Disambiguation: []string{"", "earlier", "later", "compatible"}[random.IntN(4)]}
		if random.IntN(3) == 0 {
			r.RRule, r.Cron = "", randomCron(random)
		}
		if random.IntN(2) == 0 {
			r.RRule, r.Cron = []string{"FREQ=MINUTELY;INTERVAL=20", "FREQ=HOURLY",
				"FREQ=SECONDLY;INTERVAL=600;BYMINUTE=0,10,30"}[random.IntN(3)], ""
		}
		day := dates[random.IntN(len(dates))]
		r.Start = day + "T" + []string{"00:00:00", "01:30:00", "02:20:00", "02:00:00"}[random.IntN(4)]
		for range random.IntN(4) {
			at, _ := ParseWall(day + "T00:00:00")
			text := (at + Wall(random.IntN(6*3600)+4*3600)).String()
			switch random.IntN(4) {
			case 0:
				r.ExDates = append(r.ExDates, text)
			case 1:
				r.ExDates = append(r.ExDates, text+"Z")
			case 2:
				r.RDates = append(r.RDates, text)
			case 3:
				r.Until = text + "Z"
			}
		}
		var before *Result
		for n := 1; n <= 12; n++ {
			one := r
			one.Count = number(n)
			response, err := Expand(Request{Rules: []Rule{one}}, Full)
			if err != nil {
				break
			}
			now := response.Results[0]
			if before != nil && !equalOccurrences(before.Occurrences, now.Occurrences[:min(len(now.Occurrences), before.Count)]) {
				t.Fatalf("%+v, count %d: %s\nthen %s", r, n, shown(*before), shown(now))
			}
			limited, err := Expand(Request{Rules: []Rule{r}, Limit: number(n)}, Full)
			if err != nil || !equalOccurrences(limited.Results[0].Occurrences, now.Occurrences) {
				t.Fatalf("%+v, limit %d: %v %s\ncount %s", r, n, err, shown(limited.Results[0]), shown(now))
			}
			before = &now
		}
	}
}

func equalOccurrences(a, b []Occurrence) bool {
	return slices.EqualFunc(a, b, func(a, b Occurrence) bool {
		return a.UTC == b.UTC && a.Local == b.Local && a.UTCOffset == b.UTCOffset && slices.Equal(a.Flags, b.Flags)
	})
}

// What a rule's text and start are taken for, and what is said about it.
func TestAnomaliesOfTextAndStart(t *testing.T) {
	for name, c := range map[string]struct {
		rule Rule
		want string // first occurrence, then the anomalies
	}{
		"start in a gap": {Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Europe/Vienna", Start: "2026-03-29T02:30:00"},
			`2026-03-29T01:30:00Z [{"type":"start_adjusted","local":"2026-03-29T02:30:00","transition_utc":"2026-03-29T01:00:00Z","offset_before":"+01:00","offset_after":"+02:00","chosen_utc":"2026-03-29T01:30:00Z","alternatives_utc":["2026-03-29T00:30:00Z"]},{"type":"nonexistent_local_time","local":"2026-03-29T02:30:00","transition_utc":"2026-03-29T01:00:00Z","offset_before":"+01:00","offset_after":"+02:00","chosen_utc":"2026-03-29T01:30:00Z","alternatives_utc":["2026-03-29T00:30:00Z"]}]`},
		"a day in a gap": {Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: "Pacific/Apia", Start: "2011-12-30T09:00:00",
			Disambiguation: "earlier"}, `2011-12-29T19:00:00Z [{"type":"start_adjusted","local":"2011-12-30T09:00:00","transition_utc":"2011-12-30T10:00:00Z","offset_before":"-10:00","offset_after":"+14:00","chosen_utc":"2011-12-29T19:00:00Z","alternatives_utc":["2011-12-30T19:00:00Z"]},{"type":"nonexistent_local_time","local":"2011-12-30T09:00:00","transition_utc":"2011-12-30T10:00:00Z","offset_before":"-10:00","offset_after":"+14:00","chosen_utc":"2011-12-29T19:00:00Z","alternatives_utc":["2011-12-30T19:00:00Z"]}]`},
		"UNTIL a date": {Rule{RRule: "FREQ=DAILY;UNTIL=20260102", TZ: "Europe/Vienna", Start: "2026-01-02T23:30:00"},
			`2026-01-02T22:30:00Z [{"type":"until_local","local":"2026-01-02T23:59:59","chosen_utc":"2026-01-02T22:59:59Z"}]`},
		"UNTIL a wall time": {Rule{RRule: "FREQ=DAILY;UNTIL=20260102T090000", TZ: "America/New_York", Start: "2026-01-02T09:00:00"},
			`2026-01-02T14:00:00Z [{"type":"until_local","local":"2026-01-02T09:00:00","chosen_utc":"2026-01-02T14:00:00Z"}]`},
		"UNTIL in an hour twice": {Rule{RRule: "FREQ=DAILY;UNTIL=20261025T023000", TZ: "Europe/Vienna", Start: "2026-10-25T02:30:00",
			Disambiguation: "later"}, `2026-10-25T01:30:00Z [{"type":"until_local","local":"2026-10-25T02:30:00","chosen_utc":"2026-10-25T01:30:00Z"},{"type":"ambiguous_local_time","local":"2026-10-25T02:30:00","transition_utc":"2026-10-25T01:00:00Z","offset_before":"+02:00","offset_after":"+01:00","chosen_utc":"2026-10-25T01:30:00Z","alternatives_utc":["2026-10-25T00:30:00Z"]}]`},
		"before 1970": {Rule{RRule: "FREQ=YEARLY;COUNT=1", TZ: "Europe/Vienna", Start: "1955-06-01T12:00:00"},
			`1955-06-01T11:00:00Z [{"type":"before_1970","local":"1955-06-01T12:00:00"}]`},
		"1900, a city's time": {Rule{RRule: "FREQ=YEARLY;COUNT=1", TZ: "Europe/Amsterdam", Start: "1900-01-01T00:00:00"},
			`1899-12-31T23:40:28Z [{"type":"before_1970","local":"1900-01-01T00:00:00"}]`},
		"blanks": {Rule{RRule: " FREQ = DAILY ; COUNT=1; BYHOUR=9, 10 ", TZ: "UTC", Start: "2026-01-02T09:00:00"},
			`2026-01-02T09:00:00Z [{"type":"blanks_ignored"}]`},
		"private parts": {Rule{RRule: "FREQ=DAILY;X-WR=1;COUNT=1;x-b=;X-WR=2", TZ: "UTC", Start: "2026-01-02T09:00:00"},
			`2026-01-02T09:00:00Z [{"type":"x_parts_ignored","parts":["X-WR","X-B","X-WR"]}]`},
	} {
		r := expandOne(t, c.rule)
		anomalies, _ := json.Marshal(r.Anomalies)
		if got := r.Occurrences[0].UTC.String() + " " + string(anomalies); got != c.want {
			t.Errorf("%s:\nwant %s\ngot  %s", name, c.want, got)
		}
		if strings.Contains(name, "gap") && !slices.Contains(r.Occurrences[0].Flags, StartAdjusted) {
			t.Errorf("%s: flags %v", name, r.Occurrences[0].Flags)
		}
	}
}

// Every name of the zone database is a zone, with its own data.
func TestEveryNameIsTaken(t *testing.T) {
	for name, want := range map[string]string{"US/Eastern": "America/New_York", "Asia/Calcutta": "Asia/Kolkata",
		"Europe/Kiev": "Europe/Kyiv", "EST5EDT": "America/New_York", "Europe/Vienna": "Europe/Vienna",
		"UTC": "UTC", "Etc/UTC": "Etc/UTC", "Zulu": "UTC", "Iceland": "Atlantic/Reykjavik"} {
		r := expandOne(t, Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: name, Start: "2026-01-01T00:00:00"})
		if r.TZ != name || r.TZCanonical != want {
			t.Errorf("%s: tz %s, tz_canonical %s", name, r.TZ, r.TZCanonical)
		}
	}
}
