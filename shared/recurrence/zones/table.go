package zones

import (
	"math"
	"sort"
	"sync"
	"time"
)

// Interval is a span of instants with one offset: Start <= u < End, in Unix seconds.
type Interval struct {
	Start, End int64
	Offset     int32 // seconds east of UTC
	DST        bool  // tzdata's own flag; Europe/Dublin sets it in winter
}

// Zone is one zone; it is safe for use by many goroutines.
type Zone struct {
	Name      string
	Canonical string // Name itself, or the name it is an alias of

	location  *time.Location
	nearOnce  sync.Once
	near      []Interval // 1969 to nearEnd, as far as rules change in ways of their own
	cycleOnce sync.Once
	cycle     []Interval // nearEnd and 400 years more: from there on everything repeats
}

// From nearEnd on a zone is under its last rule, which names days by month and weekday and so repeats with
// the Gregorian calendar every 400 years (146097 days). A test holds both against time.Location.
const (
	firstInstant = -31622400              // 1968-12-31T00:00:00Z
	nearEnd      = 4102444800             // 2100-01-01T00:00:00Z
	cycleSeconds = 146097 * 86400         // 400 years
	cycleEnd     = nearEnd + cycleSeconds // 2500-01-01T00:00:00Z
	twoYears     = 731 * 86400
	slack        = 26 * 3600                   // no offset and no change of offset is larger
	never        = int64(math.MaxInt64) / 1024 // end of an interval that does not end
)

// Changes says whether the offset changes between two instants.
func (z *Zone) Changes(from, to int64) bool {
	changes := func(from, to int64) bool {
		list, _ := z.Around(from, to)
		for i := 1; i < len(list); i++ {
			if list[i].Offset != list[0].Offset {
				return true
			}
		}
		return false
	}
	if from < nearEnd && changes(from, min(to, nearEnd)) {
		return true
	}
	later := max(from, nearEnd)
	return to > later && changes(later, min(to, later+twoYears))
}

// Around gives the intervals in time order that touch [from, to]; instants before 1969 have none. The
// slice is shared: add shift to Start and End to have instants. From 2100 on a span is at most two years.
func (z *Zone) Around(from, to int64) (intervals []Interval, shift int64) {
	z.nearOnce.Do(func() { z.near = z.walk(firstInstant, nearEnd+2*slack) })
	table := z.near
	if to >= nearEnd {
		if len(table) > 0 && table[len(table)-1].End == never && table[len(table)-1].Start <= from {
			return table[len(table)-1:], 0
		}
		if from >= nearEnd-slack {
			z.cycleOnce.Do(func() { z.cycle = z.walk(nearEnd-2*slack, cycleEnd+2*slack+twoYears) })
			table = z.cycle
			if from >= cycleEnd-slack {
				shift = (from - (nearEnd - slack)) / cycleSeconds * cycleSeconds
			}
			from, to = from-shift, to-shift
		}
	}
	i := sort.Search(len(table), func(i int) bool { return table[i].End > from })
	j := i
	for j < len(table) && table[j].Start <= to {
		j++
	}
	return table[i:j], shift
}

// walk lists the intervals that touch [from, to), neighbours alike in offset and flag united. The last rule
// of a zone ends every interval at the turn of the year, and in leap years a day before it: a bound that is
// not beyond the instant asked for is moved on to the next day.
func (z *Zone) walk(from, to int64) []Interval {
	var list []Interval
	for at := from; at < to; {
		t := time.Unix(at, 0).In(z.location)
		start, end := t.ZoneBounds()
		_, offset := t.Zone()
		v := Interval{Start: -never, End: never, Offset: int32(offset), DST: t.IsDST()}
		if !start.IsZero() {
			v.Start = start.Unix()
		}
		if !end.IsZero() {
			v.End = end.Unix()
		}
		if v.End <= at {
			v.End = at + 86400
		}
		at = v.End
		n := len(list)
		switch {
		case n == 0:
			list = append(list, v)
		case list[n-1].Offset == v.Offset && list[n-1].DST == v.DST:
			list[n-1].End = v.End
		default:
			v.Start = list[n-1].End
			list = append(list, v)
		}
	}
	return list
}
