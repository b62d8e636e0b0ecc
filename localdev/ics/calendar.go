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
	Err          error // why it cannot be expanded
}

// Options say what a file leaves open.
type Options struct {
	FloatingZone string // the zone of times that have none; "" makes them an error of their event
}

// Parse reads the events of a file in its order. Changed occurrences (RECURRENCE-ID) are events of their
// own, left out of the event they belong to; cancelled ones are only left out.
func Parse(data []byte, o Options) ([]Event, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the file has %d bytes: expected at most %d", len(data), MaxBytes)
	}
	r := reader{zones: map[string]string{}}
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
	zones    map[string]string // TZID to X-LIC-LOCATION
	tzid     string            // of the VTIMEZONE that is open
	location string
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
	case "VTIMEZONE":
		switch l.name {
		case "TZID":
			r.tzid = l.value
		case "X-LIC-LOCATION":
			r.location = l.value
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
		r.tzid, r.location = "", ""
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
	if name == "VTIMEZONE" && r.tzid != "" {
		r.zones[r.tzid] = r.location
	}
	return nil
}

// events reads the raw events and takes changed occurrences out of those they belong to.
func (r *reader) events(o Options) []Event {
	z := naming{files: r.zones, floating: o.FloatingZone}
	var list []Event
	master := map[string]int{} // UID to index in list
	var changes []change
	for _, raw := range r.raw {
		e, instead := raw.read(z)
		if instead != "" {
			changes = append(changes, change{e.UID, instead})
			if e.Cancelled && e.Err == nil {
				continue
			}
		} else if _, twice := master[e.UID]; !twice {
			master[e.UID] = len(list)
		}
		list = append(list, e)
	}
	for _, c := range changes {
		if at, ok := master[c.uid]; ok {
			list[at].Rule.ExDates = append(list[at].Rule.ExDates, c.instead)
		}
	}
	return list
}

// change is an occurrence that stands in place of another, or of nothing where it is cancelled.
type change struct{ uid, instead string }
