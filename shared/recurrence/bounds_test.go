package recurrence

import (
	"fmt"
	"slices"
	"testing"

	"mappe/shared/recurrence/zones"
)

// steps expands one rule and gives the work counted.
func steps(t testing.TB, r Rule) (Result, int) {
	t.Helper()
	f := ruleFaults{}
	task := r.task(Setting{}, &f)
	if len(f.list) > 0 {
		t.Fatalf("%+v: %v", r, f.list)
	}
	g := task.gather(MaxCount)
	return g.result(MaxCount), g.work
}

// Rules that hang libraries, or take them minutes: proven empty without a step, or ended by the bound.
func TestRulesThatNeverMatch(t *testing.T) {
	for rule, most := range map[string]int{
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30":                                                   0,
		"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30":                                                 0,
		"FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1":                                                   0,
		"FREQ=HOURLY;INTERVAL=2;BYHOUR=11":                                                      10,
		"FREQ=HOURLY;INTERVAL=24;BYHOUR=10":                                                     10,
		"FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30":                                                 100,
		"FREQ=SECONDLY;INTERVAL=60;BYSECOND=30":                                                 3000,
		"FREQ=SECONDLY;BYSECOND=1;BYSETPOS=366":                                                 0,
		"FREQ=HOURLY;BYHOUR=1;BYSETPOS=-19":                                                     0,
		"FREQ=DAILY;INTERVAL=7;BYDAY=FR":                                                        10,
		"FREQ=HOURLY;INTERVAL=168;BYDAY=FR":                                                     10,
		"FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2":                                                       0,
		"FREQ=YEARLY;BYWEEKNO=20;BYMONTH=12;BYDAY=MO":                                           500,
		"FREQ=YEARLY;BYWEEKNO=10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYYEARDAY=1;BYSETPOS=1": 1500,
		"FREQ=YEARLY;BYDAY=MO,TU,TH,SA;BYSETPOS=-211":                                           10_000,
		"FREQ=YEARLY;BYDAY=MO,TU,TH,SA;BYSETPOS=212":                                            10_000,
	} {
		r, n := steps(t, Rule{RRule: rule, TZ: "America/New_York", Start: "2026-01-01T00:00:00"})
		if n > most || r.Count != 0 || !slices.Contains(types(r), string(NoOccurrences)) {
			t.Errorf("%s: %d units of work, %d occurrences, %v", rule, n, r.Count, types(r))
		}
	}
}

// Years that share a list of days have the same ones.
func TestYearsOfAKindAreAlike(t *testing.T) {
	for _, text := range []string{"BYWEEKNO=1,53,-1,20;BYYEARDAY=-366,-365,-364,1,2,60,366", "BYWEEKNO=1,9,52,53",
		"BYWEEKNO=-53,-52,1;BYMONTHDAY=-1,-31,1", "BYDAY=53MO,-1TU,1WE", "BYYEARDAY=-366,366,60,-307",
		"BYWEEKNO=53,1;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=1,-1,7", "BYDAY=MO,TU;BYHOUR=1,2;BYSETPOS=207,-1"} {
		for wkst := range weekdayCodes {
			rule, faults := parseRRule("FREQ=YEARLY;" + text + ";WKST=" + weekdayCodes[wkst])
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			fresh := func() *walker {
				w := &walker{plan: rule.plan(Wall(yearStart(1990) * secondsPerDay))}
				w.impossible(&w.work)
				w.set, w.positions = w.within(), w.reachablePositions()
				return w
			}
			shared := fresh()
			for year := int64(1990); year < 2420; year++ {
				got, _ := shared.ofYear(year)
				if want, _ := fresh().ofYear(year); !slices.Equal(got, want) {
					t.Errorf("%s, weeks from %s, %d: %v, want %v", text, weekdayCodes[wkst], year, got, want)
					break
				}
			}
		}
	}
}

// Sparse rules are found in few steps.
func TestSparseRules(t *testing.T) {
	for rule, most := range map[string]int{
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO":                         80_000,
		"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=23;BYMINUTE=59;COUNT=5": 10_000,
		"FREQ=SECONDLY;INTERVAL=7;BYMONTH=12;BYHOUR=23;BYMINUTE=59;BYSECOND=3": maxWork +
			1000,
		"FREQ=MINUTELY;INTERVAL=1441;BYDAY=SU;BYHOUR=4;BYMINUTE=4": maxWork +
			1000,
		"FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23": 10_000,
	} {
		r, n := steps(t, Rule{RRule: rule, TZ: "UTC", Start: "2026-01-01T00:00:00"})
		if n > most || r.Count == 0 {
			t.Errorf("%s: %d steps, %d occurrences", rule, n, r.Count)
		}
	}
}

// FuzzExpand holds what every request keeps: bounded steps, local - offset = utc, order, counts.
func FuzzExpand(f *testing.F) {
	for _, rule := range benchmarkRequest().Rules {
		f.Add(rule.RRule, rule.Cron, uint16(3), int64(1774747800), rule.TZ+"", "2026-03-29T02:30:00")
	}
	f.Add("FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1", "", uint16(77), int64(0), "later", "2026-03-29")
	f.Add("FREQ=YEARLY;BYWEEKNO=53;BYSETPOS=-1,1,366;BYDAY=MO", "", uint16(177), int64(1774747800), "reject", "x")
	var names []string
	for _, name := range zones.Names() {
		if z, _ := zones.Load(name); z.Canonical == name {
			names = append(names, name)
		}
	}
	f.Fuzz(func(t *testing.T, rrule, cron string, zone uint16, start int64, policy, date string) {
		start = mod(start, (yearStart(lastYear+1)-2)*secondsPerDay)
		r := Rule{RRule: rrule, Cron: cron, TZ: names[int(zone)%len(names)], Start: Wall(start).String(), Disambiguation: policy,
			ExDates: []string{date}, Until: date}
		faults := ruleFaults{}
		task := r.task(Setting{}, &faults)
		if len(faults.list) > 0 {
			r.ExDates, r.Until, r.Disambiguation = nil, "", ""
			faults = ruleFaults{}
			if task = r.task(Setting{}, &faults); len(faults.list) > 0 {
				return
			}
		}
		g := task.gather(MaxCount)
		// The last period may overstep by its own size: 732 positions of a year of 371 days, in 42 kinds.
		if g.work > maxWork+42*5000 {
			t.Fatalf("%d units of work", g.work)
		}
		if len(g.refused(0)) > 0 {
			return
		}
		result := g.result(MaxCount)
		if result.Count > MaxCount || result.Count != len(result.Occurrences) || len(result.Anomalies) > 3*MaxCount+9 {
			t.Fatalf("%d occurrences, %d anomalies", len(result.Occurrences), len(result.Anomalies))
		}
		for i, o := range result.Occurrences {
			if int64(o.Local)-int64(o.UTCOffset) != int64(o.UTC) || i > 0 && o.UTC < result.Occurrences[i-1].UTC && len(o.Flags) == 0 &&
				len(result.Occurrences[i-1].Flags) == 0 {
				t.Fatalf("occurrence %d: %+v", i, o)
			}
		}
	})
}

// BenchmarkWorst is a request of the costliest rules known.
func BenchmarkWorst(b *testing.B) {
	for i, rule := range []string{
		"FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1",
		"FREQ=SECONDLY;INTERVAL=61;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1;BYMINUTE=1;BYSECOND=1",
		"FREQ=WEEKLY;INTERVAL=1;BYMONTH=2;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=7",
		"FREQ=YEARLY;BYWEEKNO=10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYYEARDAY=1;BYSETPOS=1",
		"FREQ=YEARLY;INTERVAL=3;BYDAY=53MO",
	} {
		var r Request
		for range 25 {
			r.Rules = append(r.Rules, Rule{RRule: rule, TZ: "Africa/Casablanca", Start: "2026-01-01T00:00:00"})
		}
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Expand(r, Full)
			}
		})
	}
}
