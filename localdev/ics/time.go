package ics

import (
	"fmt"
	"strings"
	"unicode"

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
	date, clock string      // YYYY-MM-DD, HH:MM:SS
	zone        string      // of DTSTART
	own         *zones.Zone // of DTSTART, where the file describes it
}

// clockOr is the time of day, or what a date is to have.
func (m moment) clockOr(midnight string) string {
	if m.form == aDate {
		return midnight
	}
	return m.clock
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
		if clock[4:] == "60" { // a leap second is the second before it (RFC 5545 3.3.12)
			clock = clock[:4] + "59"
		}
		m.form, m.clock = floating, clock[:2]+":"+clock[2:4]+":"+clock[4:]
	}
	if utc {
		m.form = inUTC
	}
	return m, nil
}

// naming knows what the zone names of a file mean.
type naming struct {
	files    map[string]zoneText // by TZID
	made     map[string]made
	floating string
}

// made is what became of a VTIMEZONE.
type made struct {
	zone *zones.Zone
	err  error
}

// zone is the IANA name of a TZID, or the zone that the file describes under it.
func (n *naming) zone(tzid string) (string, *zones.Zone, error) {
	for _, name := range []string{tzid, suffix(tzid), n.files[tzid].location, windows[tzid], shownByWindows[places(tzid)]} {
		if _, ok := zones.Load(name); ok {
			return name, nil, nil
		}
	}
	if text, ok := n.files[tzid]; ok {
		m, made := n.made[tzid]
		if !made {
			if m.zone, m.err = text.zone(); m.err != nil {
				m.err = fmt.Errorf("the VTIMEZONE of %.80q cannot be used: %w", tzid, m.err)
			}
			n.made[tzid] = m
		}
		return tzid, m.zone, m.err
	}
	err := fmt.Errorf("TZID %.80q is no zone name of IANA or Windows, and the file does not describe it", tzid)
	if near := zones.Nearest(tzid); near != "" {
		err = fmt.Errorf("%w; nearest is %s", err, near)
	}
	return "", nil, err
}

// places are the places of a zone as Exchange names it, "(UTC+01:00) Amsterdam, Berlin, ...", in letters and digits.
func places(tzid string) string {
	if !strings.HasPrefix(tzid, "(") {
		return ""
	}
	_, text, _ := strings.Cut(tzid, ")")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
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
func (n *naming) one(l line) (moment, error) {
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
		m.zone, m.own, err = n.zone(tzid)
	case n.floating == "":
		err = fmt.Errorf("a time without zone: say which with --tz")
	default:
		m.zone, m.own, err = n.zone(n.floating)
	}
	if err != nil {
		return m, fmt.Errorf("line %d: DTSTART: %w", l.number, err)
	}
	return m, nil
}

// value reads one value of EXDATE, RDATE or RECURRENCE-ID of an event. A wall time of another zone becomes an
// instant.
func (n *naming) value(l line, text string, e *Event) (moment, error) {
	text, _, _ = strings.Cut(text, "/") // of a PERIOD the start
	m, err := parseTime(text)
	if err != nil {
		return m, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
	}
	tzid := l.params["TZID"]
	if m.form != floating || tzid == "" || e.AllDay {
		return m, nil
	}
	name, own, err := n.zone(tzid)
	if err != nil {
		return m, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
	}
	if name == e.Rule.TZ {
		return m, nil
	}
	utc, err := instant(name, own, m.wall())
	if err != nil {
		return m, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
	}
	return utc, nil
}

// instant is the UTC time of a wall time, by the expander's own rule.
func instant(zone string, own *zones.Zone, wall string) (moment, error) {
	r, err := recurrence.ExpandRule(recurrence.Rule{RRule: once, TZ: zone, Start: wall, Disambiguation: string(recurrence.Compatible)},
		recurrence.Setting{Zone: own}, 1)
	if err != nil {
		return moment{}, err
	}
	if r.TotalOccurrences != 1 {
		return moment{}, fmt.Errorf("%s is no time of %s", wall, zone)
	}
	date, clock, _ := strings.Cut(strings.TrimSuffix(r.Results[0].Occurrences[0].UTC.String(), "Z"), "T")
	return moment{form: inUTC, date: date, clock: clock}, nil
}
