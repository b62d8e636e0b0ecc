package zones

import (
	"math"
	"sort"
	"sync"
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

	changes   []Interval // as listed; the last has no end
	last      rule       // holds after the last change
	nearOnce  sync.Once
	near      []Interval // up to nearEnd, as far as changes have ways of their own
	cycleOnce sync.Once
	cycle     []Interval // nearEnd and 400 years more: from there on everything repeats
}

// From nearEnd on a zone is under its last rule, which names days by month and weekday and so repeats with
// the Gregorian calendar every 400 years (146097 days).
const (
	nearEnd      = 4102444800 // 2100-01-01T00:00:00Z
	nearYears    = 2101       // the rule is written out up to this year in near
	cycleFrom    = 2099       // ... and from here to cycleYears in cycle
	cycleYears   = 2505
	cycleSeconds = 146097 * 86400         // 400 years
	cycleEnd     = nearEnd + cycleSeconds // 2500-01-01T00:00:00Z
	twoYears     = 731 * 86400
	slack        = 26 * 3600                   // no offset and no change of offset is larger, from 1900 on
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

// Around gives the intervals in time order that touch [from, to]. The slice is shared: add shift to Start and
// End to have instants. From 2100 on a span is at most two years.
func (z *Zone) Around(from, to int64) (intervals []Interval, shift int64) {
	z.nearOnce.Do(func() { z.near = z.follow(z.changes, lastYearOf(z.changes), nearYears) })
	table := z.near
	if to >= nearEnd {
		if table[len(table)-1].Start <= from && !z.last.changes {
			return table[len(table)-1:], 0
		}
		if from >= nearEnd-slack {
			z.cycleOnce.Do(func() {
				from := z.last.year(cycleFrom)[0]
				from.End = never
				z.cycle = z.follow([]Interval{from}, cycleFrom, cycleYears)
			})
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

// lastYearOf is the year of the last change, or the one before it: none that follows is in an earlier one.
func lastYearOf(list []Interval) int64 {
	year := int64(1970)
	if at := list[len(list)-1].Start; at > 0 {
		year += at / (366 * 86400)
	}
	return year
}

// follow adds to a list of intervals what the zone's last rule says up to a year.
func (z *Zone) follow(list []Interval, from, to int64) []Interval {
	list = append([]Interval(nil), list...)
	if !z.last.changes {
		return list
	}
	after := list[len(list)-1].Start
	for year := from; year <= to; year++ {
		for _, v := range z.last.year(year) {
			if v.Start > after {
				v.End = never
				list = join(list, v)
			}
		}
	}
	return list
}
