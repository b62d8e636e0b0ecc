package recurrence

import "math/bits"

// dayRule says which days of a year a rule allows: every part that is given has to agree.
type dayRule struct {
	months    uint16  // bit 1..12; 0 = any
	monthDays uint64  // bit 1..31, and 32+n for the n-th from the end; 0 = any
	yearDays  []int16 // 1..366, negative from the end; empty = any
	weekdays  uint8   // bit 0 = Monday, every such day
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

// span sets the days of [from, to).
func (m *dayMask) span(from, to int64) {
	for from < to {
		n := min(to-from, 64-from&63)
		m[from>>6] |= ^uint64(0) >> (64 - n) << (from & 63)
		from += n
	}
}

func (m *dayMask) and(o *dayMask) {
	for w := range m {
		m[w] &= o[w]
	}
}

func (m *dayMask) or(o *dayMask) {
	for w := range m {
		m[w] |= o[w]
	}
}

// meets says whether the masks have a day in common.
func (m *dayMask) meets(o *dayMask) bool {
	for w := range m {
		if m[w]&o[w] != 0 {
			return true
		}
	}
	return false
}

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
		if leap(year) {
			kind += 7
		}
		d.mask = d.of(kind)
	}
	return d.mask
}

// of is the mask of a kind of year: the weekday of January 1, and 7 more in leap years.
func (d *dayMasks) of(kind int64) *dayMask {
	if !d.made[kind] {
		d.masks[kind] = d.rule.mask(kind >= 7, kind%7)
		d.made[kind] = true
	}
	return &d.masks[kind]
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
		m := d.of(kind)
		for i := range int64(7) {
			if m.meets(&everySeventh[i]) {
				set |= 1 << ((kind + i) % 7)
			}
		}
		if set == 127 {
			break
		}
	}
	return set
}

// most is how many days are allowed in the year that has most, or in the month.
func (d *dayMasks) most(ofMonth bool) (n int64) {
	for kind := range int64(14) {
		m, starts := d.of(kind), &monthStarts[kind/7]
		days, month := int64(0), 0
		for i := m.next(0); i >= 0; i = m.next(i + 1) {
			for ofMonth && i >= starts[month+1] {
				month, days = month+1, 0
			}
			days++
			n = max(n, days)
		}
	}
	return n
}

// everySeventh has the days i, i+7, i+14...
var everySeventh = func() (masks [7]dayMask) {
	for i := range int64(366) {
		masks[i%7].set(i)
	}
	return masks
}()

// mask computes the days of a year that begins on the given weekday.
func (r *dayRule) mask(isLeap bool, january1 int64) dayMask {
	starts := &monthStarts[0]
	if isLeap {
		starts = &monthStarts[1]
	}
	var m, monthDays dayMask
	for month := range int64(12) {
		if r.months != 0 && r.months>>(month+1)&1 == 0 {
			continue
		}
		from, to := starts[month], starts[month+1]
		m.span(from, to)
		for days := r.monthDays & (1<<32 - 1); days != 0; days &= days - 1 {
			if i := from + int64(bits.TrailingZeros64(days)) - 1; i < to {
				monthDays.set(i)
			}
		}
		for days := r.monthDays >> 32; days != 0; days &= days - 1 {
			if i := to - int64(bits.TrailingZeros64(days)); i >= from {
				monthDays.set(i)
			}
		}
	}
	byWeekday, byMonthDay := r.weekdays != 0 || len(r.nth) > 0, r.monthDays != 0
	var weekdays dayMask
	if byWeekday {
		weekdays = r.numbered(starts, january1)
		for i := range int64(7) {
			if r.weekdays>>((january1+i)%7)&1 != 0 {
				weekdays.or(&everySeventh[i])
			}
		}
	}
	switch {
	case r.either:
		weekdays.or(&monthDays)
		m.and(&weekdays)
	case byWeekday && byMonthDay:
		m.and(&weekdays)
		m.and(&monthDays)
	case byWeekday:
		m.and(&weekdays)
	case byMonthDay:
		m.and(&monthDays)
	}
	if len(r.yearDays) > 0 {
		var yearDays dayMask
		for _, n := range r.yearDays {
			i := int64(n) - 1
			if n < 0 {
				i = starts[12] + int64(n)
			}
			if i >= 0 && i < starts[12] {
				yearDays.set(i)
			}
		}
		m.and(&yearDays)
	}
	return m
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
