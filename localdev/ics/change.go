package ics

import (
	"fmt"
	"strings"

	"mappe/shared/recurrence"
	"mappe/shared/recurrence/zones"
)

// change is an occurrence that stands in place of another, or of nothing where it is cancelled; with future it
// and all that follow.
type change struct {
	uid, instead string
	future       bool
	at           int // of the event in the list; -1: it is cancelled
}

// split ends an event before a change of all that follows. What follows has the event's rule, moved as the change
// moves its first occurrence, unless it brings a rule of its own.
func (c change) split(list []Event, master int) {
	from, err := list[master].wallOf(c.instead)
	if err != nil {
		return // the event's own zone cannot be read: it has an error
	}
	of := list[master]
	list[master].Setting.To = &from
	if c.at < 0 || list[c.at].Rule.RRule != once {
		return
	}
	e := &list[c.at]
	start, err := recurrence.ParseWall(e.Rule.Start)
	if err != nil {
		return // the expander says so
	}
	e.Setting.From, e.Setting.Shift = &from, int64(start-from)
	e.Rule.RRule, e.Rule.Until, e.Rule.Start = of.Rule.RRule, of.Rule.Until, of.Rule.Start
	for _, date := range of.Rule.ExDates {
		e.Rule.ExDates = append(e.Rule.ExDates, shifted(date, e.Setting.Shift))
	}
	for _, date := range of.Rule.RDates {
		if at, err := of.wallOf(date); err == nil && at >= from {
			e.Rule.RDates = append(e.Rule.RDates, shifted(date, e.Setting.Shift))
		}
	}
}

// wallOf is a time or date of a request on the clock of the event.
func (e Event) wallOf(text string) (recurrence.Wall, error) {
	rest, utc := strings.CutSuffix(text, "Z")
	if !strings.Contains(rest, "T") {
		rest += "T00:00:00"
	}
	w, err := recurrence.ParseWall(rest)
	if err != nil || !utc {
		return w, err
	}
	zone := e.Setting.Zone
	if zone == nil {
		zone, _ = zones.Load(e.Rule.TZ) // the name was found in the data, or the event has an error
	}
	if zone == nil {
		return w, fmt.Errorf("%s is no zone", e.Rule.TZ)
	}
	list, _ := zone.Around(int64(w), int64(w))
	return w + recurrence.Wall(list[0].Offset), nil
}

// shifted moves a time or date of a request by some seconds.
func shifted(text string, seconds int64) string {
	rest, utc := strings.CutSuffix(text, "Z")
	if !strings.Contains(rest, "T") {
		w, err := recurrence.ParseWall(rest + "T00:00:00")
		if err != nil {
			return text
		}
		return (w + recurrence.Wall(seconds)).String()[:len(rest)]
	}
	w, err := recurrence.ParseWall(rest)
	if err != nil {
		return text
	}
	if rest = (w + recurrence.Wall(seconds)).String(); utc {
		rest += "Z"
	}
	return rest
}
