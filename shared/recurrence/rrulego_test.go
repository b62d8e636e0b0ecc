package recurrence

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	rrulego "github.com/teambition/rrule-go"

	"mappe/infra/oracles"
)

// teambition/rrule-go is the library that this package stands in for. It is a port of python-dateutil and gives no
// vote of its own beside it; it shows what somebody who changes over gets: the same times, but for its faults.

// rruleGoFault is a class of rules that rrule-go answers wrong, or not at all.
type rruleGoFault struct {
	name  string
	holds func(rule string) bool
}

func matching(pattern string) func(string) bool { return regexp.MustCompile(pattern).MatchString }

// Sub-daily rules of a period that never meets its BYxxx are an endless loop, which nothing outside can stop.
var (
	subDaily      = matching(`FREQ=(HOURLY|MINUTELY|SECONDLY)`)
	plainDay      = matching(`BYDAY=(.*,)?(MO|TU|WE|TH|FR|SA|SU)`)
	numberedDay   = matching(`BYDAY=[^;]*[0-9]`)
	rruleGoFaults = []rruleGoFault{
		{"endless: a sub-daily period and what it never meets", func(r string) bool {
			return subDaily(r) && (strings.Contains(r, "BYHOUR") || strings.Contains(r, "BYMINUTE") || strings.Contains(r, "BYSECOND") ||
				strings.Contains(r, "BYSETPOS"))
		}},
		{"empty: BYDAY with plain and numbered days", func(r string) bool { return plainDay(r) && numberedDay(r) }},
		{"the first period of WEEKLY with BYSETPOS is cut at the start", func(r string) bool {
			return strings.Contains(r, "FREQ=WEEKLY") && strings.Contains(r, "BYSETPOS")
		}},
		{"week 53, and weeks at the turn of the year", matching(`BYWEEKNO=[^;]*(53|52|\b1\b|-1\b)`)},
		{"BYWEEKNO without BYDAY: all days of the week", func(r string) bool {
			return strings.Contains(r, "BYWEEKNO") && !strings.Contains(r, "BYDAY")
		}},
	}
)

// askRRuleGo gives at most n local times.
func askRRuleGo(rule, start string, n int) (list []string, err error) {
	o, err := rrulego.StrToROption(rule)
	if err != nil {
		return nil, err
	}
	if o.Dtstart, err = time.Parse("2006-01-02T15:04:05", start); err != nil {
		return nil, err
	}
	r, err := rrulego.NewRRule(*o)
	if err != nil {
		return nil, err
	}
	next := r.Iterator()
	for len(list) < n {
		at, ok := next()
		if !ok {
			break
		}
		list = append(list, at.Format("2006-01-02T15:04:05"))
	}
	return list, nil
}

func TestRRuleGo(t *testing.T) {
	random := rand.New(rand.NewPCG(5545, 2))
	compared, faulty := 0, 0
	for range oracles.Rounds(t, 500) {
		c := randomRule(random)
		if slices.ContainsFunc(rruleGoFaults, func(f rruleGoFault) bool { return f.holds(c.RRule) }) {
			faulty++
			continue
		}
		want, err := askRRuleGo(c.RRule, c.Start, c.Count)
		if err != nil {
			t.Errorf("%s: %v", c.RRule, err)
			continue
		}
		compared++
		if got := ours(t, c); !slices.Equal(got, want) {
			t.Errorf("%s from %s:\nrrule-go %v\nthis     %v", c.RRule, c.Start, clipList(want), clipList(got))
		}
	}
	t.Logf("%d rules compared, %d of a class that rrule-go answers wrong", compared, faulty)
	if compared < 5*faulty {
		t.Errorf("only %d rules were compared", compared)
	}
}

// The faults are there: when a version mends one, its class is compared again.
func TestRRuleGosFaults(t *testing.T) {
	for _, c := range []struct{ why, rule, start, want string }{
		{"empty: BYDAY with plain and numbered days", "FREQ=MONTHLY;BYDAY=MO,2TU", "2026-01-01T09:00:00", "2026-01-05T09:00:00"},
		{"the first period of WEEKLY with BYSETPOS is cut at the start", "FREQ=WEEKLY;BYDAY=FR,WE,SA;BYSETPOS=2,3", "2026-01-02T09:00:00",
			"2026-01-02T09:00:00"},
		{"a value twice is a time twice", "FREQ=DAILY;BYHOUR=9,9", "2026-01-01T09:00:00", ""},
	} {
		theirs, err := askRRuleGo(c.rule, c.start, 2)
		if err != nil {
			t.Fatal(err)
		}
		one := 2
		got := ours(t, peerCase{RRule: c.rule, Start: c.start, Count: one})
		if len(got) == 0 || c.want != "" && got[0] != c.want || slices.Equal(got, theirs) {
			t.Errorf("%s: %s: this %v, rrule-go %v", c.why, c.rule, got, theirs)
		}
	}
	for _, rule := range []string{"FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=0", "FREQ=WEEKLY;BYMONTHDAY=1",
		"FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z"} {
		if _, err := askRRuleGo(rule, "2026-01-01T09:00:00", 1); err != nil {
			t.Errorf("%s: rrule-go refuses it now: %v", rule, err)
		}
		if _, err := Expand(Request{Rules: []Rule{{RRule: rule, TZ: "UTC", Start: "2026-01-01T09:00:00"}}}, Full); err == nil {
			t.Errorf("%s is taken", rule)
		}
	}
}

func BenchmarkRRuleGo(b *testing.B) {
	const rule, start, n = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-30T09:00:00", 500
	count := n
	b.Run("this", func(b *testing.B) {
		for b.Loop() {
			expandOne(b, Rule{RRule: rule, TZ: "UTC", Start: start, Count: &count})
		}
	})
	b.Run("rrule-go", func(b *testing.B) {
		for b.Loop() {
			if _, err := askRRuleGo(rule, start, n); err != nil {
				b.Fatal(err)
			}
		}
	})
}
