package recurrence

import (
	"errors"
	"fmt"
	"strings"
)

// Wall is a reading of a zone's own clock, in seconds from 1970-01-01T00:00:00 of that clock.
type Wall int64

// Instant is a Unix time in seconds.
type Instant int64

// Offset is a clock's distance from UTC in seconds, east positive.
type Offset int32

func (w Wall) append(dst []byte) []byte {
	day := floorDiv(int64(w), secondsPerDay)
	year, month, dayOfMonth := civil(day)
	s := int64(w) - day*secondsPerDay
	two := func(v int64, sep byte) { dst = append(dst, byte('0'+v/10), byte('0'+v%10), sep) }
	dst = append(dst, byte('0'+year/1000%10), byte('0'+year/100%10))
	two(year%100, '-')
	two(month, '-')
	two(dayOfMonth, 'T')
	two(s/3600, ':')
	two(s/60%60, ':')
	return append(dst, byte('0'+s%60/10), byte('0'+s%10))
}

func (o Offset) append(dst []byte) []byte {
	sign := byte('+')
	if o < 0 {
		sign, o = '-', -o
	}
	two := func(v Offset) { dst = append(dst, byte('0'+v/10), byte('0'+v%10)) }
	dst = append(dst, sign)
	two(o / 3600)
	dst = append(dst, ':')
	two(o / 60 % 60)
	if o%60 != 0 {
		dst = append(dst, ':')
		two(o % 60)
	}
	return dst
}

// String is YYYY-MM-DDTHH:MM:SS.
func (w Wall) String() string { return string(w.append(nil)) }

// String is YYYY-MM-DDTHH:MM:SSZ.
func (i Instant) String() string { return string(append(Wall(i).append(nil), 'Z')) }

// String is +HH:MM, with :SS where an offset has seconds.
func (o Offset) String() string { return string(o.append(nil)) }

func (w Wall) MarshalText() ([]byte, error)    { return w.append(nil), nil }
func (i Instant) MarshalText() ([]byte, error) { return append(Wall(i).append(nil), 'Z'), nil }
func (o Offset) MarshalText() ([]byte, error)  { return o.append(nil), nil }

func (w *Wall) UnmarshalText(b []byte) (err error) {
	*w, err = ParseWall(string(b))
	return err
}

func (i *Instant) UnmarshalText(b []byte) error {
	rest, ok := strings.CutSuffix(string(b), "Z")
	w, err := ParseWall(rest)
	if err == nil && !ok {
		err = errors.New("an instant ends in Z")
	}
	*i = Instant(w)
	return err
}

func (o *Offset) UnmarshalText(b []byte) error {
	var h, m, s int32
	text := string(b)
	if len(text) != 6 && len(text) != 9 || text[0] != '+' && text[0] != '-' {
		return errors.New("an offset is +HH:MM")
	}
	if _, err := fmt.Sscanf(text[1:6], "%02d:%02d", &h, &m); err != nil {
		return err
	}
	if len(text) == 9 {
		if _, err := fmt.Sscanf(text[6:], ":%02d", &s); err != nil {
			return err
		}
	}
	*o = Offset(h*3600 + m*60 + s)
	if text[0] == '-' {
		*o = -*o
	}
	return nil
}

// ParseWall reads YYYY-MM-DDTHH:MM[:SS[.000]] of the years 1 to 9999, without an offset.
func ParseWall(s string) (Wall, error) {
	date, clock, ok := strings.Cut(s, "T")
	if !ok {
		return 0, errors.New("it is written YYYY-MM-DDTHH:MM:SS")
	}
	day, err := parseDate(date, "-")
	if err != nil {
		return 0, err
	}
	if rest, fraction, ok := strings.Cut(clock, "."); ok {
		if fraction == "" || len(fraction) > 9 || strings.Trim(fraction, "0") != "" {
			return 0, errors.New("fractions of a second are not supported")
		}
		if clock = rest; len(clock) != 8 {
			return 0, errors.New("it is written YYYY-MM-DDTHH:MM:SS")
		}
	}
	if strings.ContainsAny(clock, "Z+-") {
		return 0, errors.New("it is a wall time of tz and has no offset")
	}
	if len(clock) == 5 {
		clock += ":00"
	}
	if len(clock) != 8 || clock[2] != ':' || clock[5] != ':' {
		return 0, errors.New("it is written YYYY-MM-DDTHH:MM:SS")
	}
	if clock[6:] == "60" {
		return 0, errors.New("no clock of the zone data shows a leap second")
	}
	seconds, err := parseClock(clock[:2] + clock[3:5] + clock[6:])
	return Wall(day*secondsPerDay + seconds), err
}

// parseDate reads YYYY MM DD with the separator between, into a day number.
func parseDate(s, separator string) (int64, error) {
	n := len(separator)
	if len(s) != 8+2*n || s[4:4+n] != separator || s[6+n:6+2*n] != separator {
		return 0, fmt.Errorf("a date is written YYYY%sMM%sDD", separator, separator)
	}
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[4+n : 6+n])
	day, ok3 := digits(s[6+2*n:])
	if !ok1 || !ok2 || !ok3 {
		return 0, fmt.Errorf("a date is written YYYY%sMM%sDD", separator, separator)
	}
	if year < 1 || month < 1 || month > 12 || day < 1 || day > months(year)[month]-months(year)[month-1] {
		return 0, errors.New("there is no such date")
	}
	return dayNumber(year, month, day), nil
}

// parseClock reads HHMMSS; second 60 is read as 59 (RFC 5545 3.3.12).
func parseClock(s string) (int64, error) {
	if len(s) != 6 {
		return 0, errors.New("a time is written HHMMSS")
	}
	h, ok1 := digits(s[:2])
	m, ok2 := digits(s[2:4])
	sec, ok3 := digits(s[4:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || sec > 60 {
		return 0, errors.New("there is no such time of day")
	}
	return h*3600 + m*60 + min(sec, 59), nil
}

// digits reads decimal digits only, at most nine.
func digits(s string) (n int64, ok bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
