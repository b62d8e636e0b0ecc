package recurrence

import (
	"fmt"
	"math/bits"
	"strings"
)

// cronField is one of the five fields of an expression.
type cronField struct {
	name     string
	min, max int64
	names    []string // of min, min+1, ...
}

var cronFields = [5]cronField{
	{name: "minute", max: 59},
	{name: "hour", max: 23},
	{name: "day of month", min: 1, max: 31},
	{name: "month", min: 1, max: 12, names: monthNames},
	{name: "day of week", max: 7, names: weekdayNames},
}

var (
	monthNames   = []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}
	weekdayNames = []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}
)

const maxCronBytes = 1024

// parseCron reads POSIX cron with the steps and names of OCPS 1.0, and says whether it names every hour.
func parseCron(expression string, start Wall) (p *plan, hourly bool, err error) {
	if len(expression) > maxCronBytes {
		return nil, false, fmt.Errorf("at most %d bytes", maxCronBytes)
	}
	cells := strings.FieldsFunc(expression, func(c rune) bool { return c == ' ' || c == '\t' })
	if len(cells) != 5 {
		return nil, false, fmt.Errorf(
			"five fields: minute, hour, day of month, month, day of week (no seconds, years or macros); there are %d", len(cells))
	}
	var sets [5]uint64
	for i, cell := range cells {
		if sets[i], err = cronFields[i].parse(cell); err != nil {
			return nil, false, fmt.Errorf("%w in field %d, %s", err, i+1, cronFields[i].name)
		}
	}
	rule := dayRule{months: uint16(sets[3])}
	if cells[2] != "*" {
		rule.monthDays = sets[2]
	}
	if cells[4] != "*" {
		for day := range 8 {
			if sets[4]>>day&1 != 0 {
				rule.weekdays |= 1 << ((day + 6) % 7)
			}
		}
	}
	rule.either = cells[2] != "*" && cells[4] != "*"
	minute := Wall(floorDiv(int64(start)+59, 60) * 60) // an expression has no seconds: the next whole minute
	return &plan{freq: daily, interval: 1, start: minute, days: dayMasks{rule: rule},
		hours: members(sets[1]), minutes: members(sets[0]), seconds: justZero}, sets[1] == 1<<24-1, nil
}

func members(set uint64) (list []int64) {
	for ; set != 0; set &= set - 1 {
		list = append(list, int64(bits.TrailingZeros64(set)))
	}
	return list
}

// parse reads a list of *, numbers, names and ranges, * and ranges with an optional step.
func (f *cronField) parse(cell string) (set uint64, err error) {
	for item := range strings.SplitSeq(cell, ",") {
		span, step, stepped := strings.Cut(item, "/")
		by := int64(1)
		if stepped {
			var ok bool
			if by, ok = digits(step); !ok || by == 0 {
				return 0, fmt.Errorf("a step of 1 or more after the slash of %q", item)
			}
		}
		low, high := f.min, f.max
		if f.max == 7 {
			high = 6 // * of the weekday is each day once
		}
		if span != "*" {
			first, last, ranged := strings.Cut(span, "-")
			if stepped && !ranged {
				return 0, fmt.Errorf("* or a range before the slash of %q", item)
			}
			if low, err = f.value(first); err != nil {
				return 0, err
			}
			if high = low; ranged {
				if high, err = f.value(last); err != nil {
					return 0, err
				}
			}
			if low > high {
				return 0, fmt.Errorf("a range that does not run backwards, not %q,", span)
			}
		}
		for v := low; v <= high; v += by {
			set |= 1 << v
		}
	}
	return set, nil
}

func (f *cronField) value(s string) (int64, error) {
	if n, ok := digits(s); ok && n >= f.min && n <= f.max {
		return n, nil
	}
	for i, name := range f.names {
		if strings.EqualFold(s, name) {
			return f.min + int64(i), nil
		}
	}
	allowed := fmt.Sprintf("%d to %d", f.min, f.max)
	if f.names != nil {
		allowed += " or " + f.names[0] + " to " + f.names[len(f.names)-1]
	}
	return 0, fmt.Errorf("%s, not %q,", allowed, s[:min(len(s), 40)])
}
