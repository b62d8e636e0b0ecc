package recurrence

import "math/bits"

// dayRule says which days of a year a rule allows: every part that is given has to agree.
type dayRule struct {
	months    uint16 // bit 1..12; 0 = any
	monthDays uint64 // bit 1..31, and 32+n for the n-th from the end; 0 = any
	yearDays  []int16
	weekdays  uint8 // bit 0 = Monday, every such day
	nth       []nthWeekday
	nthMonth  bool // nth counts within the month, else within the year
	either    bool // cron: monthDays and weekdays are both given and one suffices
}

// nthWeekday is the n-th of a weekday, from the end where n is negative.
type nthWeekday struct{ weekday, n int64 }

// dayMask has bit i for day i of a year, January 1 = 0.
type dayMask [6]uint64

func (m *dayMask) set(i int64)      { m[i>>6] |= 1 << (i & 63) }
func (m *dayMask) has(i int64) bool { return m[i>>6]>>(i&63)&1 != 0 }

// next is the first set bit at i or after, or -1.
func (m *dayMask) next(i int64) int64 {
	for w := i >> 6; w < int64(len(m)); w++ {
		v := m[w]
		if w == i>>6 {
			v &= ^uint64(0) << (i & 63)
		}
		if v != 0 {
			return w<<6 + int64(bits.TrailingZeros64(v))
		}
	}
	return -1
}

// dayMasks holds the masks of the 14 years there are: leap or not, beginning on each weekday.
type dayMasks struct {
	rule  dayRule
	masks [14]dayMask
	made  [14]bool
	year  int64 // the year that first and mask are of; 0 = none
	first int64
	mask  *dayMask
}

// use makes a year the current one.
func (d *dayMasks) use(year int64) *dayMask {
	if d.year != year || d.mask == nil {
		d.year, d.first = year, yearStart(year)
		kind := weekday(d.first)
		isLeap := leap(year)
		if isLeap {
			kind += 7
		}
		if !d.made[kind] {
			d.masks[kind] = d.rule.mask(isLeap, kind%7)
			d.made[kind] = true
		}
		d.mask = &d.masks[kind]
	}
	return d.mask
}

// has says whether a day is allowed.
func (d *dayMasks) has(day int64) bool {
	if n := day - d.first; d.mask != nil && n >= 0 && n < 365 {
		return d.mask.has(n)
	}
	m := d.use(yearOf(day))
	return m.has(day - d.first)
}

// next is the first allowed day at or after day, and the number of years looked at; false beyond lastYear.
func (d *dayMasks) next(day int64) (found int64, years int, ok bool) {
	n := day - d.first
	if d.mask == nil || n < 0 || n >= 365 {
		d.use(yearOf(day))
		n = day - d.first
	}
	for years = 1; d.year <= lastYear; years++ {
		if i := d.mask.next(n); i >= 0 {
			return d.first + i, years, true
		}
		d.use(d.year + 1)
		n = 0
	}
	return 0, years, false
}

// weekdaysUsed is the union of the weekdays of all days that are ever allowed.
func (d *dayMasks) weekdaysUsed() (set uint8) {
	for kind := range int64(14) {
		m := d.rule.mask(kind >= 7, kind%7)
		for i := m.next(0); i >= 0 && set != 127; i = m.next(i + 1) {
			set |= 1 << ((kind + i) % 7)
		}
	}
	return set
}

// mask computes the days of a year that begins on the given weekday.
func (r *dayRule) mask(isLeap bool, january1 int64) (m dayMask) {
	starts := &monthStarts[0]
	if isLeap {
		starts = &monthStarts[1]
	}
	numbered := r.numbered(starts, january1)
	for month := int64(1); month <= 12; month++ {
		if r.months != 0 && r.months>>month&1 == 0 {
			continue
		}
		for i := starts[month-1]; i < starts[month]; i++ {
			byMonthDay := r.monthDays == 0 ||
				r.monthDays>>(i-starts[month-1]+1)&1 != 0 || r.monthDays>>(32+starts[month]-i)&1 != 0
			byWeekday := r.weekdays == 0 && len(r.nth) == 0 ||
				r.weekdays>>((january1+i)%7)&1 != 0 || numbered.has(i)
			agreed := byMonthDay && byWeekday
			if r.either {
				agreed = byMonthDay || byWeekday
			}
			if agreed && r.yearDay(i, starts[12]) {
				m.set(i)
			}
		}
	}
	return m
}

func (r *dayRule) yearDay(i, length int64) bool {
	if len(r.yearDays) == 0 {
		return true
	}
	for _, n := range r.yearDays {
		if int64(n) == i+1 || int64(n) == i-length {
			return true
		}
	}
	return false
}

// numbered marks the n-th weekdays of the year, or of each of its months.
func (r *dayRule) numbered(starts *[13]int64, january1 int64) (m dayMask) {
	mark := func(from, to int64) {
		for _, w := range r.nth {
			i := from + mod(w.weekday-january1-from, 7) + 7*(w.n-1)
			if w.n < 0 {
				i = to - 1 - mod(january1+to-1-w.weekday, 7) + 7*(w.n+1)
			}
			if i >= from && i < to {
				m.set(i)
			}
		}
	}
	if !r.nthMonth {
		mark(0, starts[12])
		return m
	}
	for month := range 12 {
		mark(starts[month], starts[month+1])
	}
	return m
}
