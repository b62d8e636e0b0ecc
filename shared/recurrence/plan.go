package recurrence

import (
	"math/bits"
	"sort"
)

// frequency is the FREQ of a rule.
type frequency int

const (
	yearly frequency = iota
	monthly
	weekly
	daily
	hourly
	minutely
	secondly
)

// unitsPerDay of the frequencies from daily on.
var unitsPerDay = [...]int64{daily: 1, hourly: 24, minutely: 1440, secondly: 86400}

// plan is a rule that has been found valid: what generation needs and nothing else. A cron expression is
// a daily plan.
type plan struct {
	freq      frequency
	interval  int64
	start     Wall
	days      dayMasks
	weekNos   []int64 // of a yearly plan; then a period is a year of whole weeks
	weekStart int64
	weekDays  int64   // how many weekdays are ever allowed
	hours     []int64 // sorted and distinct; never empty
	minutes   []int64
	seconds   []int64
	positions []int64 // BYSETPOS
	count     int64   // COUNT; 0 = none

	hourSet, minuteSet, secondSet uint64 // what BYHOUR, BYMINUTE, BYSECOND allow of a shorter period
}

// times is a sorted product of hours, minutes and seconds within a period.
type times struct{ h, m, s []int64 }

func (t times) len() int64 { return int64(len(t.h) * len(t.m) * len(t.s)) }

// at is the i-th time in seconds.
func (t times) at(i int64) int64 {
	ns, nm := int64(len(t.s)), int64(len(t.m))
	return t.h[i/ns/nm]*3600 + t.m[i/ns%nm]*60 + t.s[i%ns]
}

var justZero = []int64{0}

// within are the times of a period of this frequency.
func (p *plan) within() times {
	switch p.freq {
	case hourly:
		return times{justZero, p.minutes, p.seconds}
	case minutely:
		return times{justZero, justZero, p.seconds}
	case secondly:
		return times{justZero, justZero, justZero}
	}
	return times{p.hours, p.minutes, p.seconds}
}

// impossible proves, before any iteration, that a rule has no occurrence at all. It does not find every
// such rule: what it leaves ends when its work is done. What it costs is added to work.
func (p *plan) impossible(work *int) bool {
	used := p.days.weekdaysUsed()
	if used == 0 {
		return true
	}
	p.weekDays = int64(bits.OnesCount8(used))
	if len(p.positions) > 0 && len(p.reachablePositions()) == 0 {
		return true
	}
	return p.freq >= daily && !p.congruent(used, work)
}

// reachablePositions are those that a set of this plan can have.
func (p *plan) reachablePositions() []int64 {
	days := int64(1)
	switch {
	case p.freq == yearly && p.weekNos != nil:
		days = 371
	case p.freq == yearly, p.freq == monthly:
		days = p.days.most(p.freq == monthly)
	case p.freq == weekly:
		days = p.weekDays
	}
	largest := days * p.within().len()
	var list []int64
	for _, n := range p.positions {
		if n <= largest && -n <= largest {
			list = append(list, n)
		}
	}
	return list
}

// congruent says whether the units start + k*interval ever fall on an allowed time of an allowed weekday:
// they do so within one week's residues or never.
func (p *plan) congruent(weekdays uint8, work *int) bool {
	perDay := unitsPerDay[p.freq]
	first := p.unit(p.start)
	// reaches leaps from one allowed time to the next over days, of which weekdays says whether they are allowed.
	reaches := func(days int64, weekdays uint8) bool {
		period := days * perDay
		step := gcd(p.interval, period)
		align := func(u int64) int64 { return u + mod(first-u, step) }
		for u := mod(first, step); u < period; {
			*work += 2
			day := u / perDay
			next := (day + 1) * perDay
			if weekdays>>weekday(day)&1 != 0 {
				if next = day*perDay + p.nextTime(u-day*perDay); next == u {
					return true
				}
			}
			u = align(next)
		}
		return false
	}
	const everyDay = 127
	if !reaches(1, everyDay) {
		return false
	}
	// Seven divides no number of units a day: another interval meets every time on every weekday.
	return p.interval%7 != 0 || reaches(7, weekdays)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// unit numbers the periods of a plan from daily on.
func (p *plan) unit(w Wall) int64 { return floorDiv(int64(w), secondsPerDay/unitsPerDay[p.freq]) }

// nextTime is the first allowed unit of a day at u or after; units of the day are its end.
func (p *plan) nextTime(u int64) int64 {
	switch p.freq {
	case hourly:
		return nextIn(p.hourSet, u, 24)
	case minutely:
		return nextPair(p.hourSet, u, 24, 60, func(m int64) int64 { return nextIn(p.minuteSet, m, 60) })
	case secondly:
		return nextPair(p.hourSet, u, 24, 3600, func(r int64) int64 {
			return nextPair(p.minuteSet, r, 60, 60, func(s int64) int64 { return nextIn(p.secondSet, s, 60) })
		})
	}
	return u
}

// nextIn is the first member of set at i or after, or size.
func nextIn(set uint64, i, size int64) int64 {
	if i >= size {
		return size
	}
	return min(i+int64(bits.TrailingZeros64(set>>i)), size)
}

// nextPair finds the next number high*size+low with high < count in set and low = next(low), or count*size.
func nextPair(set uint64, u, count, size int64, next func(int64) int64) int64 {
	high, low := u/size, u%size
	if high < count && set>>high&1 != 0 {
		if n := next(low); n < size {
			return high*size + n
		}
		high++
	}
	if high = nextIn(set, high, count); high == count {
		return count * size
	}
	return high*size + next(0)
}

// sorted sorts a list and drops what stands twice.
func sorted(list []int64) []int64 {
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	out := list[:0]
	for i, v := range list {
		if i == 0 || v != list[i-1] {
			out = append(out, v)
		}
	}
	return out
}
