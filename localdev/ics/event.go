package ics

import (
	"errors"
	"fmt"
	"strings"

	"mappe/shared/recurrence"
)

// once is the rule of an event that has none: DTSTART alone.
const once = "FREQ=DAILY;COUNT=1"

// read makes a rule of the properties of an event, and says which occurrence it stands for, if it does for one.
func (raw rawEvent) read(z *naming) (e Event, c *change) {
	e.Line = raw.line
	p := properties{z: z}
	for _, l := range raw.lines {
		p.take(&e, l)
	}
	e.Rule.ID = clip(e.UID)
	e.Rule.Disambiguation = string(recurrence.Compatible)
	e.Setting.AnyRDate = true
	e.Err = p.finish(&e)
	if p.recurrenceID != nil {
		c = &change{uid: e.UID, instead: p.instead, future: p.future}
	}
	return e, c
}

// properties gathers what the lines of an event say.
type properties struct {
	z            *naming
	start        *line
	rules        []line
	ex, add      []line
	instead      string
	future       bool // it and all that follow
	recurrenceID *line
	faults       []error
}

func (p *properties) take(e *Event, l line) {
	switch l.name {
	case "UID":
		e.UID = l.value
	case "SUMMARY":
		e.Summary = plainText.Replace(l.value)
	case "STATUS":
		e.Cancelled = strings.EqualFold(strings.TrimSpace(l.value), "CANCELLED")
	case "DTSTART":
		if p.start != nil {
			p.fault(l, "DTSTART stands twice")
		}
		p.start = &l
	case "RRULE":
		p.rules = append(p.rules, l)
	case "EXDATE":
		p.ex = append(p.ex, l)
	case "RDATE":
		p.add = append(p.add, l)
	case "EXRULE":
		p.fault(l, "EXRULE is not supported (RFC 5545 dropped it)")
	case "RECURRENCE-ID":
		p.recurrenceID = &l
		switch r := l.params["RANGE"]; {
		case strings.EqualFold(r, "THISANDFUTURE"):
			p.future = true
		case r != "":
			p.fault(l, fmt.Sprintf("RECURRENCE-ID with RANGE=%.40s: expected THISANDFUTURE", r))
		}
	}
}

func (p *properties) fault(l line, text string) {
	p.faults = append(p.faults, fmt.Errorf("line %d: %s", l.number, text))
}

// finish reads the times, once the event's zone is known.
func (p *properties) finish(e *Event) error {
	if p.start == nil {
		return errors.Join(append(p.faults, errors.New("DTSTART is missing"))...)
	}
	start, err := p.z.one(*p.start)
	if err != nil {
		return errors.Join(append(p.faults, err)...)
	}
	e.AllDay = start.form == aDate
	e.Rule.TZ, e.Rule.Start = start.zone, start.wall()
	e.Setting.Zone, e.Setting.AnyStart = start.own, e.AllDay
	p.rule(e)
	p.dates(e, p.ex, &e.Rule.ExDates, "EXDATE")
	p.dates(e, p.add, &e.Rule.RDates, "RDATE")
	if p.recurrenceID != nil {
		var of []string
		p.dates(e, []line{*p.recurrenceID}, &of, "RECURRENCE-ID")
		if len(of) == 1 {
			p.instead = of[0]
		}
	}
	return errors.Join(p.faults...)
}

// rule reads RRULE. Its UNTIL goes into the request's own member where it is no UTC time.
func (p *properties) rule(e *Event) {
	e.Rule.RRule = once
	if len(p.rules) == 0 {
		return
	}
	if len(p.rules) > 1 {
		p.fault(p.rules[1], "a second RRULE is not supported")
		return
	}
	var parts []string
	for part := range strings.SplitSeq(p.rules[0].value, ";") {
		name, value, _ := strings.Cut(part, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "UNTIL") || strings.HasSuffix(strings.ToUpper(strings.TrimSpace(value)), "Z") {
			parts = append(parts, part)
			continue
		}
		t, err := parseTime(strings.TrimSpace(value))
		if err != nil {
			p.fault(p.rules[0], "UNTIL: "+err.Error())
			return
		}
		if e.Rule.Until = t.wall(); t.form == aDate {
			e.Rule.Until = t.date
		}
	}
	if e.Rule.RRule = strings.Join(parts, ";"); strings.TrimSpace(e.Rule.RRule) == "" {
		p.fault(p.rules[0], "RRULE has no FREQ")
	}
}

// dates reads EXDATE, RDATE and RECURRENCE-ID into members of the request.
func (p *properties) dates(e *Event, lines []line, to *[]string, name string) {
	for _, l := range lines {
		for text := range strings.SplitSeq(l.value, ",") {
			if len(*to) == maxDates {
				p.fault(l, fmt.Sprintf("more than %d values of %s", maxDates, name))
				return
			}
			t, err := p.z.value(l, text, e)
			if err != nil {
				p.faults = append(p.faults, err)
				return
			}
			if e.AllDay && t.form != aDate { // Outlook writes the midnight of the day
				t = moment{form: aDate, date: t.date}
			}
			switch {
			case t.form == aDate && name != "RDATE":
				*to = append(*to, t.date)
			case t.form == aDate && !e.AllDay:
				p.fault(l, "a date among times: expected a time as DTSTART has")
				return
			default:
				*to = append(*to, t.wall())
			}
		}
	}
}

// clip shortens an id to what a request echoes.
func clip(id string) string {
	const most = 200
	return strings.ToValidUTF8(id[:min(len(id), most)], "")
}
