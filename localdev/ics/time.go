package ics

import (
	"fmt"
	"strings"

	"mappe/shared/recurrence"
	"mappe/shared/recurrence/zones"
)

type form uint8

const (
	floating form = iota // a wall time of the event's zone
	inUTC
	aDate
)

// moment is a value of DATE or DATE-TIME.
type moment struct {
	form        form
	date, clock string // YYYY-MM-DD, HH:MM:SS
	zone        string // of DTSTART
}

// wall is the value as a request writes it; a date is its midnight.
func (m moment) wall() string {
	if m.form == aDate {
		return m.date + "T00:00:00"
	}
	s := m.date + "T" + m.clock
	if m.form == inUTC && m.zone == "" {
		s += "Z"
	}
	return s
}

// parseTime reads YYYYMMDD, YYYYMMDDTHHMMSS and the latter with Z. Whether there is such a date is for
// the expander to say.
func parseTime(s string) (moment, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	digits := func(s string, n int) bool {
		return len(s) == n && strings.Trim(s, "0123456789") == ""
	}
	date, clock, timed := strings.Cut(s, "T")
	clock, utc := strings.CutSuffix(clock, "Z")
	if !digits(date, 8) || timed && !digits(clock, 6) || !timed && utc {
		return moment{}, fmt.Errorf("%.40q: expected YYYYMMDD, YYYYMMDDTHHMMSS or YYYYMMDDTHHMMSSZ", s)
	}
	m := moment{form: aDate, date: date[:4] + "-" + date[4:6] + "-" + date[6:]}
	if timed {
		m.form, m.clock = floating, clock[:2]+":"+clock[2:4]+":"+clock[4:]
	}
	if utc {
		m.form = inUTC
	}
	return m, nil
}

// naming knows what the zone names of a file mean.
type naming struct {
	files    map[string]string // TZID to X-LIC-LOCATION
	floating string
}

// zone is the present IANA name of a TZID.
func (n naming) zone(tzid string) (string, error) {
	for _, name := range []string{tzid, suffix(tzid), n.files[tzid], windows[tzid]} {
		if z, ok := zones.Load(name); ok {
			return z.Canonical, nil
		}
	}
	err := fmt.Errorf("TZID %.80q is no zone name of IANA or Windows", tzid)
	if near := zones.Nearest(tzid); near != "" {
		err = fmt.Errorf("%w; nearest is %s", err, near)
	}
	return "", err
}

// suffix is what stands behind the prefix of a globally unique TZID: the last two or three parts of
// /mozilla.org/20050126_1/America/Argentina/Salta.
func suffix(tzid string) string {
	parts := strings.Split(tzid, "/")
	if parts[0] != "" {
		return ""
	}
	for _, n := range []int{3, 2, 1} {
		if len(parts) > n {
			name := strings.Join(parts[len(parts)-n:], "/")
			if _, ok := zones.Load(name); ok {
				return name
			}
		}
	}
	return ""
}

// one reads DTSTART.
func (n naming) one(l line) (moment, error) {
	m, err := parseTime(l.value)
	if err == nil && strings.EqualFold(l.params["VALUE"], "DATE") != (m.form == aDate) && l.params["VALUE"] != "" {
		err = fmt.Errorf("%.40q is no %.20s", l.value, l.params["VALUE"])
	}
	if err != nil {
		return m, fmt.Errorf("line %d: DTSTART: %w", l.number, err)
	}
	tzid := l.params["TZID"]
	switch {
	case m.form == aDate, m.form == inUTC:
		m.zone = "UTC"
	case tzid != "":
		m.zone, err = n.zone(tzid)
	case n.floating == "":
		err = fmt.Errorf("a time without zone: say which with --tz")
	default:
		m.zone, err = n.zone(n.floating)
	}
	if err != nil {
		return m, fmt.Errorf("line %d: DTSTART: %w", l.number, err)
	}
	return m, nil
}

// value reads one value of EXDATE, RDATE or RECURRENCE-ID of an event in a zone. A wall time of another
// zone becomes an instant.
func (n naming) value(l line, text, zone string) (moment, error) {
	text, _, _ = strings.Cut(text, "/") // of a PERIOD the start
	m, err := parseTime(text)
	if err != nil {
		return m, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
	}
	tzid := l.params["TZID"]
	if m.form != floating || tzid == "" {
		return m, nil
	}
	own, err := n.zone(tzid)
	if err != nil {
		return m, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
	}
	if own == zone {
		return m, nil
	}
	utc, err := instant(own, m.wall())
	if err != nil {
		return m, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
	}
	return utc, nil
}

// instant is the UTC time of a wall time, by the expander's own rule.
func instant(zone, wall string) (moment, error) {
	r, err := recurrence.Expand(recurrence.Request{Rules: []recurrence.Rule{{
		RRule: once, TZ: zone, Start: wall, Disambiguation: string(recurrence.Compatible),
	}}}, recurrence.Preview)
	if err != nil {
		return moment{}, err
	}
	if r.TotalOccurrences != 1 {
		return moment{}, fmt.Errorf("%s is no time of %s", wall, zone)
	}
	date, clock, _ := strings.Cut(strings.TrimSuffix(r.Results[0].Occurrences[0].UTC.String(), "Z"), "T")
	return moment{form: inUTC, date: date, clock: clock}, nil
}
