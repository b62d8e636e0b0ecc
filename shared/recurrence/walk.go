package recurrence

import (
	"slices"
	"sort"
)

// maxWork bounds the work of one rule. A unit is about ten nanoseconds of one core: what a step of the search
// costs is counted in it, below, so that 25 rules at their bound stay far within a quarter of a second.
// TestCostliestBodies measures it.
const maxWork = 400_000

// What is counted, in units.
const (
	workOfYear     = 1 // a year passed over
	workOfPeriod   = 3 // a month or a week
	workOfWeek     = 2 // a numbered week looked at
	workOfHop      = 5 // from one day, hour, minute or second to the next that may be allowed
	workOfYield    = 8 // a wall time that is generated and resolved
	workOfPosition = 2 // a BYSETPOS position of a period
	workOfExDate   = 8 // looking a generated time up in the dates that are left out
)

// walker generates the wall times of a plan in order.
type walker struct {
	*plan
	work      int
	each      int // of a generated time
	positions []int64
	set       times
	first     int64   // of set
	bases     []int64 // the days or the unit of the current period, in seconds
	chosen    []int64
	yearly    [42][]int64 // by kind of year: its times, or its days where BYSETPOS is not given, in seconds
	made      [42]bool
	yield     func(Wall) bool
	reached   Wall // the end of the search, when it ended by a bound
}

// walk calls yield with each wall time from the start on until it answers false. It answers true when the
// end was the calendar's or that of the work: then reached says how far it looked.
func (w *walker) walk() (bounded bool) {
	if w.impossible(&w.work) {
		return false
	}
	w.each = max(w.each, workOfYield)
	w.set, w.positions = w.within(), w.reachablePositions()
	w.first = w.set.at(0)
	switch w.freq {
	case yearly:
		return w.years()
	case monthly:
		return w.months()
	case weekly:
		return w.weeks()
	}
	return w.units()
}

func (w *walker) spend(n int) bool { w.work += n; return w.work <= maxWork }

func (w *walker) stop(day int64) bool {
	w.reached = Wall(min(day, yearStart(lastYear+1)-1) * secondsPerDay)
	return true
}

func (w *walker) years() bool {
	if w.never() {
		return false
	}
	year := yearOf(w.startDay())
	if w.weekNos != nil && w.interval == 1 {
		year-- // the last week of the year before may reach into this one
	}
	for ; year <= lastYear; year += w.interval {
		if !w.spend(workOfYear) {
			return w.stop(yearStart(year))
		}
		list, first := w.ofYear(year)
		if len(list) > 0 && !w.emitYear(list, first*secondsPerDay) {
			return w.cut(yearStart(year))
		}
	}
	return w.stop(yearStart(lastYear + 1))
}

// never says whether no kind of year has a time of the rule.
func (w *walker) never() bool {
	for year := int64(1999); year < 2400; year++ { // every kind there is
		if list, _ := w.ofYear(year); len(list) > 0 {
			return false
		}
		w.spend(workOfYear)
	}
	return true
}

// ofYear lists the days of a year, or its chosen times where the rule has BYSETPOS, in seconds from its first
// day on: January 1, or the Monday of week 1. Years alike in their weekdays and leap days share a list.
func (w *walker) ofYear(year int64) (list []int64, first int64) {
	first = yearStart(year)
	kind := weekday(first)
	if leap(year) {
		kind += 7
	}
	kind *= 3
	if w.weekNos != nil {
		switch { // the first week may begin in the year before, the last end in the next
		case leap(year - 1):
			kind++
		case leap(year + 1):
			kind += 2
		}
		first = weekOne(year, w.weekStart)
	}
	if w.made[kind] {
		return w.yearly[kind], first
	}
	w.made[kind], w.bases = true, w.bases[:0]
	if w.weekNos != nil {
		w.spend(workOfWeek * w.weeksOf(year))
	} else {
		w.gather(first, yearStart(year+1))
	}
	w.spend(len(w.bases))
	if len(w.plan.positions) > 0 {
		w.choose()
		list = slices.Clone(w.chosen)
	} else {
		list = slices.Clone(w.bases)
	}
	for i := range list {
		list[i] -= first * secondsPerDay
	}
	w.yearly[kind] = list
	return list, first
}

// emitYear yields the times of a year that are not before the start.
func (w *walker) emitYear(list []int64, first int64) bool {
	if len(w.plan.positions) == 0 {
		w.bases = w.bases[:0]
		for _, day := range list {
			w.bases = append(w.bases, first+day)
		}
		return w.emit()
	}
	for _, at := range list {
		if wall := Wall(first + at); wall >= w.start && !(w.spend(w.each) && w.yield(wall)) {
			return false
		}
	}
	return true
}

// weeksOf gathers the days of the numbered weeks of a year of whole weeks (RFC 5545: week 1 is the first
// with four days in the year), and gives how many weeks were looked at.
func (w *walker) weeksOf(year int64) int {
	first, last := weekOne(year, w.weekStart), weekOne(year+1, w.weekStart)
	count := (last - first) / 7
	var numbers [54]bool
	for _, n := range w.weekNos {
		if n < 0 {
			n += count + 1
		}
		if n >= 1 && n <= count {
			numbers[n] = true
		}
	}
	looked := 0
	for n := int64(1); n <= count; n++ {
		if numbers[n] {
			looked++
			w.gather(first+7*(n-1), first+7*n)
		}
	}
	return looked
}

// weekOne is the first day of week 1.
func weekOne(year, weekStart int64) int64 {
	january4 := yearStart(year) + 3
	return january4 - mod(weekday(january4)-weekStart, 7)
}

func (w *walker) months() bool {
	year, month, _ := civil(w.startDay())
	for index := year*12 + month - 1; ; index += w.interval {
		year, month = index/12, index%12+1
		if year > lastYear {
			return w.stop(yearStart(lastYear + 1))
		}
		starts := months(year)
		first := yearStart(year)
		w.bases = w.bases[:0]
		w.gather(first+starts[month-1], first+starts[month])
		if !w.spend(workOfPeriod + len(w.bases)/2) {
			return w.stop(first + starts[month-1])
		}
		if !w.emit() {
			return w.cut(first + starts[month-1])
		}
	}
}

func (w *walker) weeks() bool {
	day := w.startDay()
	end := yearStart(lastYear + 1)
	for day -= mod(weekday(day)-w.weekStart, 7); day < end; day += 7 * w.interval {
		w.bases = w.bases[:0]
		w.gather(day, min(day+7, end))
		if !w.spend(workOfPeriod + len(w.bases)/2) {
			return w.stop(day)
		}
		if !w.emit() {
			return w.cut(day)
		}
	}
	return w.stop(end)
}

// units walks days, hours, minutes or seconds, leaping over what is not allowed.
func (w *walker) units() bool {
	perDay := unitsPerDay[w.freq]
	unitSeconds := secondsPerDay / perDay
	lastDay := yearStart(lastYear+1) - 1
	first := w.unit(w.start)
	// align is the first unit of the rule's grid at u or after.
	align := func(u int64) int64 { return u + mod(first-u, w.interval) }
	for unit := first; ; {
		day := floorDiv(unit, perDay)
		if day > lastDay {
			return w.stop(lastDay + 1)
		}
		found, years, ok := w.days.next(day)
		if !w.spend(workOfHop + (years-1)*workOfYear) {
			return w.stop(day)
		}
		if !ok {
			return w.stop(lastDay + 1)
		}
		next := found * perDay
		if u := unit - day*perDay; found == day {
			next = unit
			if w.freq > daily {
				next += w.nextTime(u) - u
			}
		}
		if next > unit {
			unit = align(next)
			continue
		}
		w.bases = append(w.bases[:0], unit*unitSeconds)
		if !w.emit() {
			return w.cut(day)
		}
		unit += w.interval
	}
}

// cut ends a walk that emit stopped: by its work, or because no more is wanted.
func (w *walker) cut(day int64) bool { return w.work > maxWork && w.stop(day) }

func (w *walker) startDay() int64 { return floorDiv(int64(w.start), secondsPerDay) }

// gather adds the allowed days of [from, to) to the period.
func (w *walker) gather(from, to int64) {
	for day := from; day < to; day++ {
		if !w.days.has(day) {
			next := w.days.mask.next(min(day-w.days.first+1, 383))
			if next < 0 {
				next = max(yearStart(w.days.year+1)-w.days.first, day-w.days.first+1)
			}
			day = w.days.first + next - 1
			continue
		}
		w.bases = append(w.bases, day*secondsPerDay)
	}
}

// emit yields the times of the current period that are not before the start.
func (w *walker) emit() bool {
	if len(w.plan.positions) > 0 {
		return w.emitPositions()
	}
	n := w.set.len()
	if n == 1 {
		for _, base := range w.bases {
			if wall := Wall(base + w.first); wall >= w.start && !(w.spend(w.each) && w.yield(wall)) {
				return false
			}
		}
		return true
	}
	for _, base := range w.bases {
		if base+secondsPerDay <= int64(w.start) {
			continue
		}
		i := int64(0)
		if base < int64(w.start) {
			i = int64(sort.Search(int(n), func(i int) bool { return base+w.set.at(int64(i)) >= int64(w.start) }))
		}
		for ; i < n; i++ {
			if !w.spend(w.each) || !w.yield(Wall(base+w.set.at(i))) {
				return false
			}
		}
	}
	return true
}

// emitPositions yields those times of the period's set that BYSETPOS names.
func (w *walker) emitPositions() bool {
	if !w.choose() {
		return false
	}
	for _, at := range w.chosen {
		if wall := Wall(at); wall >= w.start && !(w.spend(w.each) && w.yield(wall)) {
			return false
		}
	}
	return true
}

// choose makes chosen the times of the period's set that BYSETPOS names, in order.
func (w *walker) choose() bool {
	w.chosen = w.chosen[:0]
	n := w.set.len()
	size := int64(len(w.bases)) * n
	if size == 0 {
		return true
	}
	for _, at := range w.positions {
		if at < 0 {
			at += size + 1
		}
		if at >= 1 && at <= size {
			w.chosen = append(w.chosen, w.bases[(at-1)/n]+w.set.at((at-1)%n))
		}
	}
	slices.Sort(w.chosen)
	w.chosen = slices.Compact(w.chosen)
	return w.spend(len(w.positions) + workOfPosition*len(w.chosen))
}
