package recurrence

import "sort"

// maxSteps bounds the work of one rule. A step is one period, one BYSETPOS position, one year looked at
// for an allowed day, or one occurrence: none takes more than some hundred nanoseconds.
const maxSteps = 100_000

// walker generates the wall times of a plan in order.
type walker struct {
	*plan
	steps     int
	positions []int64
	set       times
	first     int64   // of set
	bases     []int64 // the days or the unit of the current period, in seconds
	yield     func(Wall) bool
	reached   Wall // the end of the search, when it ended by a bound
}

// walk calls yield with each wall time from the start on until it answers false. It answers true when the
// end was the calendar's or the step bound: then reached says how far it looked.
func (w *walker) walk() (bounded bool) {
	if w.impossible() {
		return false
	}
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

func (w *walker) spend(n int) bool { w.steps += n; return w.steps <= maxSteps }

func (w *walker) stop(day int64) bool {
	w.reached = Wall(min(day, yearStart(lastYear+1)-1) * secondsPerDay)
	return true
}

func (w *walker) years() bool {
	year := yearOf(w.startDay())
	if w.weekNos != nil && w.interval == 1 {
		year-- // the last week of the year before may reach into this one
	}
	for ; year <= lastYear; year += w.interval {
		w.bases = w.bases[:0]
		if w.weekNos != nil {
			w.spend(w.weeksOf(year))
		} else {
			w.gather(yearStart(year), yearStart(year+1))
		}
		if !w.spend(1) {
			return w.stop(yearStart(year))
		}
		if !w.emit() {
			return w.cut(yearStart(year))
		}
	}
	return w.stop(yearStart(lastYear + 1))
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
		if !w.spend(1) {
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
		if !w.spend(1) {
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
		if !w.spend(years - 1) { // the year of an occurrence is its own step
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
			if unit = align(next); !w.spend(1) {
				return w.stop(day)
			}
			continue
		}
		w.bases = append(w.bases[:0], unit*unitSeconds)
		if !w.emit() {
			return w.cut(day)
		}
		unit += w.interval
	}
}

// cut ends a walk that emit stopped: by the step bound, or because no more is wanted.
func (w *walker) cut(day int64) bool { return w.steps > maxSteps && w.stop(day) }

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
	n := w.set.len()
	if len(w.plan.positions) > 0 {
		return w.emitPositions(n)
	}
	if n == 1 {
		for _, base := range w.bases {
			if wall := Wall(base + w.first); wall >= w.start && (!w.spend(1) || !w.yield(wall)) {
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
			if !w.spend(1) || !w.yield(Wall(base+w.set.at(i))) {
				return false
			}
		}
	}
	return true
}

// emitPositions yields those times of the period's set that BYSETPOS names.
func (w *walker) emitPositions(n int64) bool {
	size := int64(len(w.bases)) * n
	if size == 0 {
		return true
	}
	var chosen []int64
	for _, at := range w.positions {
		if at < 0 {
			at += size + 1
		}
		if at >= 1 && at <= size {
			chosen = append(chosen, at-1)
		}
	}
	if !w.spend(len(w.positions)) {
		return false
	}
	for _, i := range sorted(chosen) {
		wall := Wall(w.bases[i/n] + w.set.at(i%n))
		if wall >= w.start && (!w.spend(1) || !w.yield(wall)) {
			return false
		}
	}
	return true
}
