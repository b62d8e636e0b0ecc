package ics

import (
	"fmt"
	"strings"

	"mappe/shared/recurrence"
	"mappe/shared/recurrence/zones"
)

// zoneText is a VTIMEZONE as it stands.
type zoneText struct {
	tzid, location string // TZID and X-LIC-LOCATION
	parts          []observanceText
}

// observanceText is a STANDARD or DAYLIGHT.
type observanceText struct {
	dst   bool
	lines []line
}

// take keeps what a line within a VTIMEZONE says.
func (z *zoneText) take(within string, l line) {
	switch {
	case within != "VTIMEZONE":
		if n := len(z.parts); n > 0 && len(z.parts[n-1].lines) < maxDates {
			z.parts[n-1].lines = append(z.parts[n-1].lines, l)
		}
	case l.name == "TZID":
		z.tzid = l.value
	case l.name == "X-LIC-LOCATION":
		z.location = l.value
	}
}

// zone makes the zone that the VTIMEZONE describes.
func (z zoneText) zone() (*zones.Zone, error) {
	var list []recurrence.Observance
	for _, part := range z.parts {
		o, err := part.observance()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return recurrence.NewZone(z.tzid, list)
}

func (t observanceText) observance() (o recurrence.Observance, err error) {
	o.DST = t.dst
	started, from, to := false, false, false
	for _, l := range t.lines {
		switch l.name {
		case "DTSTART":
			o.Start, err = wallTime(l.value)
			started = true
		case "TZOFFSETFROM":
			o.From, err = offset(l.value)
			from = true
		case "TZOFFSETTO":
			o.To, err = offset(l.value)
			to = true
		case "RRULE":
			o.RRule = l.value
		case "RDATE":
			for text := range strings.SplitSeq(l.value, ",") {
				var w recurrence.Wall
				if w, err = wallTime(text); err != nil {
					break
				}
				o.Dates = append(o.Dates, w)
			}
		}
		if err != nil {
			return o, fmt.Errorf("line %d: %s: %w", l.number, l.name, err)
		}
	}
	if !started || !from || !to {
		return o, fmt.Errorf("a part of the VTIMEZONE lacks DTSTART, TZOFFSETFROM or TZOFFSETTO")
	}
	return o, nil
}

// wallTime reads a time without zone.
func wallTime(text string) (recurrence.Wall, error) {
	m, err := parseTime(text)
	if err != nil {
		return 0, err
	}
	return recurrence.ParseWall(m.date + "T" + m.clockOr("00:00:00"))
}

// offset reads +HHMM, with SS where it has seconds.
func offset(text string) (recurrence.Offset, error) {
	text = strings.TrimSpace(text)
	if len(text) != 5 && len(text) != 7 {
		return 0, fmt.Errorf("%.20q: expected +HHMM or +HHMMSS", text)
	}
	written := text[:3] + ":" + text[3:5]
	if len(text) == 7 {
		written += ":" + text[5:]
	}
	var o recurrence.Offset
	if err := o.UnmarshalText([]byte(written)); err != nil || strings.Trim(text[1:], "0123456789") != "" {
		return 0, fmt.Errorf("%.20q: expected +HHMM or +HHMMSS", text)
	}
	return o, nil
}
