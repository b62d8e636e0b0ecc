package recurrence

// Days are numbered from 1970-01-01 = 0 in the proleptic Gregorian calendar; weekdays from Monday = 0.

const (
	secondsPerDay = 86400
	lastYear      = 9999 // the last a four-digit year can write
)

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func mod(a, b int64) int64 { return a - floorDiv(a, b)*b }

func leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// yearStart is the day number of January 1.
func yearStart(year int64) int64 {
	y := year - 1
	return y*365 + floorDiv(y, 4) - floorDiv(y, 100) + floorDiv(y, 400) - 719162
}

func yearOf(day int64) int64 {
	year := 1970 + floorDiv(day*400, 146097) // at most one off
	if start := yearStart(year); start > day {
		return year - 1
	} else if day-start >= 365 && yearStart(year+1) <= day {
		return year + 1
	}
	return year
}

func weekday(day int64) int64 { return mod(day+3, 7) }

var monthStarts = [2][13]int64{
	{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
	{0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
}

func months(year int64) *[13]int64 {
	if leap(year) {
		return &monthStarts[1]
	}
	return &monthStarts[0]
}

// civil is year, month 1..12 and day 1..31 of a day number.
func civil(day int64) (year, month, dayOfMonth int64) {
	year = yearOf(day)
	n := day - yearStart(year)
	starts := months(year)
	for month = n/31 + 1; starts[month] <= n; month++ {
	}
	return year, month, n - starts[month-1] + 1
}

// dayNumber is the inverse of civil; the month's length is not checked.
func dayNumber(year, month, dayOfMonth int64) int64 {
	return yearStart(year) + months(year)[month-1] + dayOfMonth - 1
}
