package recurrence

import (
	"slices"
	"testing"
)

// The positions of BYSETPOS count within a set; those beyond the largest set that a rule can have are never
// reached, from its beginning or from its end.
func TestReachablePositions(t *testing.T) {
	start, err := ParseWall("2026-01-05T09:00:00")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule string
		want []int64
	}{
		{"FREQ=YEARLY;BYMONTH=2;BYDAY=MO;BYSETPOS=-6,-5,1,5,6", []int64{-5, 1, 5}}, // a February has 5 Mondays at most
		{"FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366", []int64{366}},
		{"FREQ=YEARLY;BYWEEKNO=1,2;BYDAY=MO;BYSETPOS=1,2", []int64{1, 2}},
		{"FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-11,-10,10,11", []int64{-10, 10}}, // 5 and 5
		{"FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYHOUR=8,9;BYSETPOS=6,7", []int64{6}},
		{"FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=3,4", []int64{3}},
		{"FREQ=DAILY;BYHOUR=8,9,10;BYSETPOS=-3,3,4", []int64{-3, 3}},
	} {
		r, faults := parseRRule(c.rule)
		if len(faults) > 0 {
			t.Fatalf("%s: %v", c.rule, faults)
		}
		p := r.plan(start)
		work := 0
		p.impossible(&work) // counts the weekdays
		got := p.reachablePositions()
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: want %v, got %v", c.rule, c.want, got)
		}
	}
}
