package recurrence

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

const (
	maxRRuleBytes = 8192 // every list of RFC 5545 written out in full fits
	maxNumber     = math.MaxInt32
)

var frequencies = []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"}
var weekdayCodes = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// numberPart is a BYxxx list of numbers: its bounds, whether negative ones count from the end, and the
// frequencies RFC 5545 3.3.10 forbids it with.
type numberPart struct {
	name      string
	min, max  int64
	negative  bool
	forbidden []frequency
}

var numberParts = []numberPart{
	{name: "BYSECOND", max: 60},
	{name: "BYMINUTE", max: 59},
	{name: "BYHOUR", max: 23},
	{name: "BYMONTHDAY", min: 1, max: 31, negative: true, forbidden: []frequency{weekly}},
	{name: "BYYEARDAY", min: 1, max: 366, negative: true, forbidden: []frequency{daily, weekly, monthly}},
	{name: "BYWEEKNO", min: 1, max: 53, negative: true, forbidden: []frequency{monthly, weekly, daily, hourly, minutely, secondly}},
	{name: "BYMONTH", min: 1, max: 12},
	{name: "BYSETPOS", min: 1, max: 366, negative: true},
}

// rrule is a parsed RECUR value.
type rrule struct {
	freq      frequency
	interval  int64
	count     int64
	until     bound
	weekStart int64
	lists     map[string][]int64 // distinct and sorted; absent parts are nil
	weekdays  uint8
	nth       []nthWeekday
	byDay     bool
	blanks    bool     // between the parts
	private   []string // names of X- parts
}

// parseRRule validates the whole of RFC 5545 3.3.10.
func parseRRule(text string) (*rrule, []error) {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(text) > maxRRuleBytes {
		fault("at most %d bytes", maxRRuleBytes)
		return nil, faults
	}
	tidy := strings.Trim(blanks.ReplaceAllString(text, "$1"), " \t")
	r := &rrule{freq: -1, interval: 1, lists: map[string][]int64{}, blanks: tidy != text}
	text = strings.ToUpper(tidy)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "RRULE:"), ";")
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, ok := strings.Cut(part, "=")
		if strings.HasPrefix(name, "X-") {
			r.private = append(r.private, strings.ToValidUTF8(clip(name), ""))
			continue
		}
		if !ok || value == "" {
			fault("NAME=VALUE parts with ; between, not %q", clip(part))
			continue
		}
		if seen[name] {
			fault("%s once", clip(name))
			continue
		}
		seen[name] = true
		if err := r.part(name, value); err != nil {
			faults = append(faults, err)
		}
		if len(faults) >= 10 {
			return nil, faults
		}
	}
	if !seen["FREQ"] {
		fault("FREQ, which is missing")
	}
	if seen["COUNT"] && seen["UNTIL"] {
		fault("COUNT or UNTIL, not both")
	}
	if r.freq >= 0 {
		faults = append(faults, r.combinations(seen)...)
	}
	return r, faults
}

// blanks are those beside what separates the parts of a rule and their values.
var blanks = regexp.MustCompile(`[ \t]*([:;=,])[ \t]*`)

// notes are the anomalies of the text.
func (r *rrule) notes() (list []Anomaly) {
	if r.blanks {
		list = append(list, Anomaly{Type: BlanksIgnored})
	}
	if len(r.private) > 0 {
		list = append(list, Anomaly{Type: XPartsIgnored, Parts: r.private[:min(len(r.private), 10)]})
	}
	return list
}

func clip(s string) string { return s[:min(len(s), 40)] }

// part reads one NAME=VALUE.
func (r *rrule) part(name, value string) error {
	switch name {
	case "FREQ":
		for i, f := range frequencies {
			if f == value {
				r.freq = frequency(i)
				return nil
			}
		}
		return fmt.Errorf("FREQ one of %s, not %q", strings.Join(frequencies, ", "), clip(value))
	case "INTERVAL", "COUNT":
		n, ok := digits10(value)
		if !ok || n < 1 || n > maxNumber {
			return fmt.Errorf("%s 1 to %d, not %q", name, maxNumber, clip(value))
		}
		if name == "COUNT" {
			r.count = n
		} else {
			r.interval = n
		}
		return nil
	case "UNTIL":
		b, err := parseBasicBound(value)
		if err != nil {
			return fmt.Errorf("UNTIL as YYYYMMDDTHHMMSSZ (UTC), not %q: %w", clip(value), err)
		}
		r.until = b
		return nil
	case "WKST":
		if r.weekStart = weekdayCode(value); r.weekStart < 0 {
			return fmt.Errorf("WKST one of %s, not %q", strings.Join(weekdayCodes, ", "), clip(value))
		}
		return nil
	case "BYDAY":
		return r.parseByDay(value)
	case "RSCALE", "SKIP":
		return fmt.Errorf("the parts of RFC 5545; %s (RFC 7529) is not supported", name)
	}
	for _, p := range numberParts {
		if p.name == name {
			list, err := p.parse(value)
			r.lists[name] = list
			return err
		}
	}
	return fmt.Errorf("FREQ, UNTIL, COUNT, INTERVAL, BYSECOND, BYMINUTE, BYHOUR, BYDAY, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH, BYSETPOS or WKST, not %q", clip(name))
}

// digits10 is digits with room for ten, the length of maxNumber.
func digits10(s string) (int64, bool) {
	s = strings.TrimLeft(s, "0")
	if len(s) == 10 {
		high, ok1 := digits(s[:1])
		low, ok2 := digits(s[1:])
		return high*1_000_000_000 + low, ok1 && ok2
	}
	return digits(s)
}

func (p *numberPart) parse(value string) ([]int64, error) {
	var list []int64
	for item := range strings.SplitSeq(value, ",") {
		unsigned, minus := strings.CutPrefix(item, "-")
		if !minus && p.negative {
			unsigned = strings.TrimPrefix(item, "+")
		}
		n, ok := digits(unsigned)
		if !ok || n < p.min || n > p.max || minus && !p.negative {
			allowed := fmt.Sprintf("%d to %d", p.min, p.max)
			if p.negative {
				allowed += fmt.Sprintf(" or %d to %d", -p.max, -p.min)
			}
			return nil, fmt.Errorf("%s of %s, not %q", p.name, allowed, clip(item))
		}
		if minus {
			n = -n
		}
		if p.name == "BYSECOND" {
			n = min(n, 59) // no clock of the zone data shows a leap second: RFC 5545 3.3.12
		}
		list = append(list, n)
	}
	return sorted(list), nil
}

func weekdayCode(s string) int64 {
	for i, code := range weekdayCodes {
		if code == s {
			return int64(i)
		}
	}
	return -1
}

func (r *rrule) parseByDay(value string) error {
	r.byDay = true
	seen := map[nthWeekday]bool{}
	for item := range strings.SplitSeq(value, ",") {
		wrong := fmt.Errorf("BYDAY of MO to SU, with 1 to 53 or -1 to -53 before where it counts, not %q", clip(item))
		if len(item) < 2 {
			return wrong
		}
		day := weekdayCode(item[len(item)-2:])
		if day < 0 {
			return wrong
		}
		number := item[:len(item)-2]
		if number == "" {
			r.weekdays |= 1 << day
			continue
		}
		unsigned, minus := strings.CutPrefix(number, "-")
		if !minus {
			unsigned = strings.TrimPrefix(number, "+")
		}
		n, ok := digits(unsigned)
		if !ok || n < 1 || n > 53 {
			return wrong
		}
		if minus {
			n = -n
		}
		if w := (nthWeekday{day, n}); !seen[w] {
			seen[w] = true
			r.nth = append(r.nth, w)
		}
	}
	return nil
}

// combinations checks what RFC 5545 forbids of parts together.
func (r *rrule) combinations(seen map[string]bool) (faults []error) {
	for _, p := range numberParts {
		for _, f := range p.forbidden {
			if f == r.freq && seen[p.name] {
				faults = append(faults, fmt.Errorf("no %s with FREQ=%s", p.name, frequencies[r.freq]))
			}
		}
	}
	if len(r.nth) > 0 {
		switch {
		case r.freq != yearly && r.freq != monthly:
			faults = append(faults, fmt.Errorf("BYDAY without numbers with FREQ=%s", frequencies[r.freq]))
		case seen["BYWEEKNO"]:
			faults = append(faults, fmt.Errorf("BYDAY without numbers with BYWEEKNO"))
		case r.freq == monthly || seen["BYMONTH"]:
			for _, w := range r.nth {
				if w.n > 5 || w.n < -5 {
					faults = append(faults, fmt.Errorf("BYDAY numbers of 1 to 5 or -1 to -5 within a month, not %d%s", w.n,
						weekdayCodes[w.weekday]))
				}
			}
		}
	}
	if seen["BYSETPOS"] {
		other := seen["BYDAY"]
		for _, p := range numberParts {
			other = other || p.name != "BYSETPOS" && seen[p.name]
		}
		if !other {
			faults = append(faults, fmt.Errorf("another BY part beside BYSETPOS"))
		}
	}
	return faults
}

// plan fills in from the start what the rule leaves open.
func (r *rrule) plan(start Wall) *plan {
	day := floorDiv(int64(start), secondsPerDay)
	_, month, dayOfMonth := civil(day)
	second := int64(start) - day*secondsPerDay
	p := &plan{freq: r.freq, interval: r.interval, start: start, count: r.count, weekStart: r.weekStart,
		weekNos: r.lists["BYWEEKNO"], positions: r.lists["BYSETPOS"]}
	rule := &p.days.rule
	for _, m := range r.lists["BYMONTH"] {
		rule.months |= 1 << m
	}
	for _, n := range r.lists["BYMONTHDAY"] {
		if n < 0 {
			n = 32 - n
		}
		rule.monthDays |= 1 << n
	}
	for _, n := range r.lists["BYYEARDAY"] {
		rule.yearDays = append(rule.yearDays, int16(n))
	}
	rule.weekdays, rule.nth = r.weekdays, r.nth
	rule.nthMonth = r.freq == monthly || rule.months != 0
	if !r.byDay && rule.monthDays == 0 && rule.yearDays == nil {
		switch {
		case r.freq == weekly || p.weekNos != nil:
			rule.weekdays = 1 << weekday(day)
		case r.freq == yearly:
			if rule.months == 0 {
				rule.months = 1 << month
			}
			rule.monthDays = 1 << dayOfMonth
		case r.freq == monthly:
			rule.monthDays = 1 << dayOfMonth
		}
	}
	p.hours, p.hourSet = timePart(r.lists["BYHOUR"], second/3600, 24)
	p.minutes, p.minuteSet = timePart(r.lists["BYMINUTE"], second/60%60, 60)
	p.seconds, p.secondSet = timePart(r.lists["BYSECOND"], second%60, 60)
	return p
}

// timePart gives the list a longer period expands to and the set a shorter one is limited to.
func timePart(list []int64, ofStart, size int64) ([]int64, uint64) {
	if list == nil {
		return []int64{ofStart}, 1<<size - 1
	}
	var set uint64
	for _, n := range list {
		set |= 1 << n
	}
	return list, set
}
