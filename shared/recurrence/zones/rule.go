package zones

import (
	"fmt"
	"strconv"
	"strings"
)

// rule is what a zone's clock does year by year after its last listed change: a POSIX TZ string.
type rule struct {
	standard, summer int32 // seconds east of UTC
	changes          bool  // there is summer time
	begin, end       yearly
}

// yearly is a day and a time of each year.
type yearly struct {
	form             byte // 'M' month, week and weekday; 'J' day 1 to 365 without February 29; 0 day 0 to 365
	month, week, day int64
	time             int64 // seconds of the clock before the change, from midnight; may be negative or beyond 24 h
}

// parseRule reads a footer of RFC 9636: "CET-1CEST,M3.5.0,M10.5.0/3".
func parseRule(text string) (r rule, err error) {
	wrong := fmt.Errorf("%q is no POSIX TZ string", text)
	parts := strings.Split(text, ",")
	rest, ok := skipName(parts[0])
	if !ok {
		return r, wrong
	}
	offset, rest, ok := clockTime(rest)
	if !ok {
		return r, wrong
	}
	r.standard = int32(-offset)
	if rest == "" {
		if len(parts) != 1 {
			return r, wrong
		}
		return r, nil
	}
	if rest, ok = skipName(rest); !ok || len(parts) != 3 {
		return r, wrong
	}
	r.changes, r.summer = true, r.standard+3600
	if rest != "" {
		if offset, rest, ok = clockTime(rest); !ok || rest != "" {
			return r, wrong
		}
		r.summer = int32(-offset)
	}
	var ok1, ok2 bool
	r.begin, ok1 = parseYearly(parts[1])
	r.end, ok2 = parseYearly(parts[2])
	if !ok1 || !ok2 {
		return r, wrong
	}
	return r, nil
}

// skipName passes over an abbreviation: three letters or more, or anything within < and >.
func skipName(s string) (rest string, ok bool) {
	if strings.HasPrefix(s, "<") {
		_, rest, ok = strings.Cut(s, ">")
		return rest, ok
	}
	i := 0
	for i < len(s) && (s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z') {
		i++
	}
	return s[i:], i >= 3
}

// clockTime reads [+-]hh[:mm[:ss]] in seconds.
func clockTime(s string) (seconds int64, rest string, ok bool) {
	sign := int64(1)
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	for unit := int64(3600); unit > 0; unit /= 60 {
		i := 0
		for i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		n, err := strconv.ParseInt(s[:i], 10, 64)
		if err != nil || unit < 3600 && n > 59 || n > 167 {
			return 0, s, false
		}
		seconds += n * unit
		if s = s[i:]; s == "" || s[0] != ':' || unit == 1 {
			break
		}
		s = s[1:]
	}
	return sign * seconds, s, true
}

// parseYearly reads Mm.w.d, Jn or n, with /time where it is not 02:00.
func parseYearly(s string) (y yearly, ok bool) {
	date, clock, timed := strings.Cut(s, "/")
	y.time = 2 * 3600
	if timed {
		rest := ""
		if y.time, rest, ok = clockTime(clock); !ok || rest != "" {
			return y, false
		}
	}
	limits := [][2]int64{{0, 365}}
	if date != "" && (date[0] == 'M' || date[0] == 'J') {
		y.form, date = date[0], date[1:]
		limits = [][2]int64{{1, 365}}
	}
	if y.form == 'M' {
		limits = [][2]int64{{1, 12}, {1, 5}, {0, 6}}
	}
	numbers := strings.Split(date, ".")
	if len(numbers) != len(limits) {
		return y, false
	}
	var v [3]int64
	for i, text := range numbers {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < limits[i][0] || n > limits[i][1] {
			return y, false
		}
		v[i] = n
	}
	if y.month, y.week, y.day = v[0], v[1], v[2]; y.form != 'M' {
		y.month, y.day = 0, v[0]
	}
	return y, true
}

// year lists the two changes of a year in the order of their instants.
func (r rule) year(year int64) [2]Interval {
	first := Interval{Start: r.begin.at(year) - int64(r.standard), Offset: r.summer, DST: true}
	second := Interval{Start: r.end.at(year) - int64(r.summer), Offset: r.standard}
	if second.Start < first.Start {
		first, second = second, first
	}
	return [2]Interval{first, second}
}

// at is the change's reading of the clock, in seconds from 1970-01-01T00:00:00 of that clock.
func (y yearly) at(year int64) int64 {
	day := yearStart(year)
	isLeap := yearStart(year+1)-day == 366
	switch y.form {
	case 0:
		day += y.day
	case 'J':
		day += y.day - 1
		if isLeap && y.day >= 60 {
			day++
		}
	default:
		starts := monthStarts
		if isLeap {
			for m := 2; m < len(starts); m++ {
				starts[m]++
			}
		}
		from, to := day+starts[y.month-1], day+starts[y.month]
		weekday := (from + 4) % 7 // 1970-01-01 was a Thursday; Sunday is 0
		day = from + (y.day-weekday+7)%7 + 7*(y.week-1)
		for day >= to {
			day -= 7
		}
	}
	return day*86400 + y.time
}

var monthStarts = [13]int64{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// yearStart is the day number of January 1, from 1970-01-01 = 0; years before 1970 are not asked for.
func yearStart(year int64) int64 {
	y := year - 1
	return y*365 + y/4 - y/100 + y/400 - 719162
}
