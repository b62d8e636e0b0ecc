package ics

import (
	"errors"
	"fmt"
	"strings"

	"mappe/shared/recurrence"
)

// Event is a VEVENT.
type Event struct {
	Line         int // of its BEGIN, from 1
	UID, Summary string
	AllDay       bool // its times are dates; Rule counts them in UTC
	Cancelled    bool // STATUS:CANCELLED of the whole event
	Rule         recurrence.Rule
	Setting      recurrence.Setting // what the file has beyond a request: recurrence.ExpandRule takes it
	Err          error              // why it cannot be expanded
}

// Options say what a file leaves open.
type Options struct {
	FloatingZone string // the zone of times that have none; "" makes them an error of their event
}

// Parse reads the events of a file in its order. Changed occurrences (RECURRENCE-ID) are events of their
// own, left out of the event they belong to; cancelled ones are only left out. Where one changes all that
// follow (RANGE=THISANDFUTURE), the event ends before it and goes on as an event of its own. A changed
// occurrence that cannot be read has an error, and the event keeps the occurrence as it was.
func Parse(data []byte, o Options) ([]Event, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the file has %d bytes: expected at most %d", len(data), MaxBytes)
	}
	r := reader{zones: map[string]zoneText{}}
	if err := unfold(data, r.take); err != nil {
		return nil, err
	}
	if len(r.path) > 0 {
		return nil, fmt.Errorf("the file ends within %s", r.path[len(r.path)-1])
	}
	if !r.calendar {
		return nil, errors.New("the file holds no BEGIN:VCALENDAR")
	}
	return r.events(o), nil
}

// reader follows the components of a file.
type reader struct {
	path     []string
	calendar bool
	raw      []rawEvent
	zones    map[string]zoneText // by TZID
	zone     *zoneText           // the VTIMEZONE that is open
}

type rawEvent struct {
	line  int
	lines []line
}

func (r *reader) take(number int, text string) error {
	l, err := parseLine(number, text)
	if err != nil {
		return err
	}
	value := strings.ToUpper(strings.TrimSpace(l.value))
	switch l.name {
	case "BEGIN":
		return r.begin(number, value)
	case "END":
		return r.end(number, value)
	}
	switch r.within() {
	case "VEVENT":
		last := &r.raw[len(r.raw)-1]
		last.lines = append(last.lines, l)
	case "VTIMEZONE", "STANDARD", "DAYLIGHT":
		if r.zone != nil {
			r.zone.take(r.within(), l)
		}
	}
	return nil
}

func (r *reader) within() string {
	if len(r.path) == 0 {
		return ""
	}
	return r.path[len(r.path)-1]
}

func (r *reader) begin(number int, name string) error {
	if len(r.path) == maxDepth {
		return fmt.Errorf("line %d: components are nested deeper than %d", number, maxDepth)
	}
	switch outer := r.within(); name {
	case "VCALENDAR":
		r.calendar = true
	case "VTIMEZONE":
		r.zone = &zoneText{}
	case "STANDARD", "DAYLIGHT":
		if r.zone != nil && outer == "VTIMEZONE" {
			r.zone.parts = append(r.zone.parts, observanceText{dst: name == "DAYLIGHT"})
		}
	case "VEVENT":
		if outer != "VCALENDAR" {
			return fmt.Errorf("line %d: VEVENT stands outside of VCALENDAR", number)
		}
		if len(r.raw) == MaxEvents {
			return fmt.Errorf("line %d: the file holds more than %d events", number, MaxEvents)
		}
		r.raw = append(r.raw, rawEvent{line: number})
	}
	r.path = append(r.path, name)
	return nil
}

func (r *reader) end(number int, name string) error {
	if r.within() != name || name == "" {
		return fmt.Errorf("line %d: END:%.40s closes nothing that is open", number, name)
	}
	r.path = r.path[:len(r.path)-1]
	if name == "VTIMEZONE" && r.zone != nil {
		if r.zone.tzid != "" {
			r.zones[r.zone.tzid] = *r.zone
		}
		r.zone = nil
	}
	return nil
}

// events reads the raw events and takes changed occurrences out of those they belong to.
func (r *reader) events(o Options) []Event {
	z := &naming{files: r.zones, made: map[string]made{}, floating: o.FloatingZone}
	var list []Event
	masters := map[string]int{} // UID to index in list
	var changes []change
	for _, raw := range r.raw {
		e, c := raw.read(z)
		switch {
		case c == nil:
			if _, twice := masters[e.UID]; !twice {
				masters[e.UID] = len(list)
			}
		case e.Err == nil:
			c.at = len(list)
			if changes = append(changes, *c); e.Cancelled {
				changes[len(changes)-1].at = -1
				continue
			}
		}
		list = append(list, e)
	}
	for _, c := range changes {
		if at, ok := masters[c.uid]; ok && c.future {
			c.split(list, at)
		}
	}
	for _, c := range changes {
		if at, ok := masters[c.uid]; ok && !c.future {
			list[at].Rule.ExDates = append(list[at].Rule.ExDates, c.instead)
			for _, f := range changes { // it is named by the time it had before all of them were moved
				if f.future && f.uid == c.uid && f.at >= 0 && list[f.at].Setting.From != nil {
					list[f.at].Rule.ExDates = append(list[f.at].Rule.ExDates, shifted(c.instead, list[f.at].Setting.Shift))
				}
			}
		}
	}
	return list
}
