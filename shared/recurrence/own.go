package recurrence

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"mappe/shared/recurrence/zones"
)

// Setting is what a caller within this program may say of a rule beside its members: what calendar files have
// and requests have not. The zero Setting says nothing.
type Setting struct {
	Zone     *zones.Zone // instead of the one that TZ names
	From     *Wall       // times of the rule before it are passed over
	To       *Wall       // and from it on
	Shift    int64       // seconds by which the wall time of every occurrence is moved
	AnyRDate bool        // rdates may lie before the start
	AnyStart bool        // the start may lie before 1900
}

// ExpandRule answers one rule in a setting, with at most so many occurrences.
func ExpandRule(r Rule, s Setting, limit int) (Response, error) {
	return expand(Request{Rules: []Rule{r}, Limit: &limit}, Full, s)
}

// Observance is a span of a zone's clock as iCalendar's STANDARD and DAYLIGHT describe it.
type Observance struct {
	Start    Wall   // first onset, by the clock before it
	RRule    string // of the onsets; "" where Dates has them, or there is one
	Dates    []Wall
	From, To Offset
	DST      bool
}

const (
	maxObservances = 200
	maxOnsets      = 20_000 // of a zone; two a year from 1601 to 2505 are 1,810
)

var errObservances = errors.New("a zone has 1 to 200 observances of at most 20000 onsets")

// NewZone makes a zone of its observances. Before the first onset its clock shows that one's From.
func NewZone(name string, list []Observance) (*zones.Zone, error) {
	if len(list) < 1 || len(list) > maxObservances {
		return nil, errObservances
	}
	type onset struct {
		at int64
		o  *Observance
	}
	var onsets []onset
	repeats := false
	for i := range list {
		o := &list[i]
		if o.From <= -secondsPerDay || o.From >= secondsPerDay || o.To <= -secondsPerDay || o.To >= secondsPerDay {
			return nil, fmt.Errorf("offsets %s to %s: expected less than a day", o.From, o.To)
		}
		walls, open, err := o.onsets()
		if err != nil {
			return nil, err
		}
		repeats = repeats || open
		for _, w := range walls {
			onsets = append(onsets, onset{int64(w) - int64(o.From), o})
		}
		if len(onsets) > maxOnsets {
			return nil, errObservances
		}
	}
	slices.SortStableFunc(onsets, func(a, b onset) int { return cmp.Compare(a.at, b.at) })
	intervals := []zones.Interval{{Start: zones.Forever, End: -zones.Forever, Offset: int32(onsets[0].o.From)}}
	for _, on := range onsets {
		last := &intervals[len(intervals)-1]
		if next := (zones.Interval{Start: on.at, End: -zones.Forever, Offset: int32(on.o.To), DST: on.o.DST}); next.Start == last.Start {
			last.Offset, last.DST = next.Offset, next.DST
		} else if next.Offset != last.Offset || next.DST != last.DST {
			last.End = next.Start
			intervals = append(intervals, next)
		}
	}
	return zones.Own(name, intervals, repeats), nil
}

// onsets lists the wall times of an observance to the year that a zone's table needs; open says that they go on.
func (o *Observance) onsets() (walls []Wall, open bool, err error) {
	walls = append(walls, o.Start)
	for _, w := range o.Dates {
		if w != o.Start {
			walls = append(walls, w)
		}
	}
	if o.RRule == "" {
		return walls, false, nil
	}
	rule, faults := parseRRule(o.RRule)
	if len(faults) > 0 {
		return nil, false, faults[0]
	}
	p := rule.plan(o.Start)
	end := Wall(yearStart(zones.OwnYears) * secondsPerDay)
	n := int64(0)
	w := walker{plan: p, yield: func(at Wall) bool {
		m := moment{asked: at, utc: Instant(int64(at) - int64(o.From))}
		if rule.until.form != noBound && rule.until.after(&m) || n == p.count && n > 0 {
			return false
		}
		if n++; at >= end {
			open = true
			return false
		}
		if at != o.Start {
			walls = append(walls, at)
		}
		return len(walls) <= maxOnsets
	}}
	w.walk()
	return walls, open, nil
}
