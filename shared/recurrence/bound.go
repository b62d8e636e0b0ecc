package recurrence

import "strings"

// bound is a moment a request names: a wall time, an instant or a date. Zero is unset.
type bound struct {
	form boundForm
	at   int64 // seconds of a Wall or an Instant; a day number
}

type boundForm uint8

const (
	noBound boundForm = iota
	wallBound
	instantBound
	dateBound
)

// parseBound reads YYYY-MM-DDTHH:MM:SS, the same with Z, or YYYY-MM-DD.
func parseBound(s string) (bound, error) {
	if !strings.Contains(s, "T") {
		day, err := parseDate(s, "-")
		return bound{dateBound, day}, err
	}
	rest, utc := strings.CutSuffix(s, "Z")
	w, err := ParseWall(rest)
	if utc {
		return bound{instantBound, int64(w)}, err
	}
	return bound{wallBound, int64(w)}, err
}

// parseBasicBound reads the forms of RFC 5545: YYYYMMDDTHHMMSS, the same with Z, or YYYYMMDD.
func parseBasicBound(s string) (bound, error) {
	date, clock, ok := strings.Cut(s, "T")
	day, err := parseDate(date, "")
	if err != nil || !ok {
		return bound{dateBound, day}, err
	}
	digits, utc := strings.CutSuffix(clock, "Z")
	second, err := parseClock(digits)
	b := bound{wallBound, day*secondsPerDay + second}
	if utc {
		b.form = instantBound
	}
	return b, err
}

// after says whether a moment lies after the bound: an instant is compared with the instant, a wall time
// and a date with the time that was asked for.
func (b bound) after(m *moment) bool {
	switch b.form {
	case wallBound:
		return int64(m.asked) > b.at
	case instantBound:
		return int64(m.utc) > b.at
	case dateBound:
		return int64(m.asked) >= (b.at+1)*secondsPerDay
	}
	return false
}

// outside says whether a moment is at the end of a window or after it.
func (b bound) outside(m *moment) bool {
	switch b.form {
	case wallBound:
		return int64(m.asked) >= b.at
	case instantBound:
		return int64(m.utc) >= b.at
	case dateBound:
		return int64(m.asked) >= b.at*secondsPerDay
	}
	return false
}

// final says whether no later wall time can lie before a bound that this moment is beyond: instants
// follow wall times but where a clock is put forward.
func (b bound) final(m *moment, policy Disambiguation) bool {
	if b.form != instantBound {
		return true
	}
	return m.kind != nonexistent && (policy != Earlier || int64(m.utc) > b.at+daySlack)
}

// exclusions are the exdates of a rule.
type exclusions struct {
	walls, instants, days map[int64]bool

	day   int64 // the day last asked for and whether it is in days
	isOut bool
	asked bool
}

// any says whether something is left out.
func (e *exclusions) any() bool { return e.walls != nil || e.instants != nil || e.days != nil }

func (e *exclusions) add(b bound) {
	set := map[boundForm]*map[int64]bool{wallBound: &e.walls, instantBound: &e.instants, dateBound: &e.days}[b.form]
	if *set == nil {
		*set = map[int64]bool{}
	}
	(*set)[b.at] = true
}

// has says whether a moment is left out; a wall time means what was asked for or what the clock shows.
func (e *exclusions) has(m *moment) bool {
	if e.instants != nil && e.instants[int64(m.utc)] {
		return true
	}
	if e.walls == nil && e.days == nil {
		return false
	}
	if e.walls != nil && (e.walls[int64(m.asked)] || e.walls[int64(m.shows())]) {
		return true
	}
	if day := floorDiv(int64(m.asked), secondsPerDay); !e.asked || day != e.day {
		e.day, e.isOut, e.asked = day, e.days[day], true
	}
	return e.isOut
}
