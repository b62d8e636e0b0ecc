package recurrence

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"mappe/shared/recurrence/zones"
)

const maxIDBytes = 200

// task is a valid rule, ready to be expanded.
type task struct {
	id     string
	kind   RuleKind
	zone   *zones.Zone
	start  Wall
	plan   *plan
	count  int // 0 = none given
	finite bool
	policy Disambiguation

	untils []bound // UNTIL and until
	end    bound
	ex     exclusions
	rdates []bound

	setting     Setting
	byClock     bool // an hourly cron expression without a stated disambiguation
	startMoment moment
	notBefore   Instant
	notes       []Anomaly // about the text of the rule
}

// validate turns a request into tasks, or says everything that is wrong with it.
func validate(r Request, l Limits, s Setting) ([]task, Faults) {
	var faults Faults
	if r.Limit != nil && (*r.Limit < 1 || *r.Limit > MaxLimit) {
		faults = append(faults, newFault("limit", fmt.Sprint(*r.Limit), fmt.Sprintf("1 to %d", MaxLimit)))
	}
	if len(r.Rules) < 1 || len(r.Rules) > l.Rules {
		allowed := fmt.Sprintf("1 to %d rules", l.Rules)
		if l.Rules == 1 {
			allowed = "1 rule"
		}
		return nil, append(faults, newFault("rules", fmt.Sprintf("%d rules", len(r.Rules)), allowed))
	}
	tasks := make([]task, len(r.Rules))
	for i := range r.Rules {
		f := ruleFaults{index: i, id: r.Rules[i].ID}
		if len(f.id) > maxIDBytes {
			f.id = strings.ToValidUTF8(f.id[:maxIDBytes], "")
		}
		tasks[i] = r.Rules[i].task(s, &f)
		if faults = append(faults, f.list...); len(faults) >= maxFaults {
			return nil, faults[:maxFaults]
		}
	}
	return tasks, faults
}

func (r *Rule) task(s Setting, f *ruleFaults) task {
	t := task{id: r.ID, policy: Compatible, setting: s}
	if len(r.ID) > maxIDBytes || !utf8.ValidString(r.ID) {
		f.add("id", r.ID, fmt.Sprintf("at most %d bytes of UTF-8", maxIDBytes))
	}
	r.place(&t, f)
	start, err := ParseWall(r.Start)
	if err == nil && start < firstStart && !s.AnyStart {
		err = fmt.Errorf("it lies before 1900")
	}
	if err != nil {
		f.add("start", r.Start, "a wall time without offset from 1900-01-01T00:00:00 to 9999-12-31T23:59:59 ("+err.Error()+")")
		start = 0
	}
	t.start = start
	if r.Count != nil {
		if t.count = *r.Count; t.count < 1 || t.count > MaxCount {
			f.add("count", fmt.Sprint(t.count), fmt.Sprintf("1 to %d", MaxCount))
		}
	}
	r.options(&t, f)
	if err == nil {
		r.startInGap(&t, f)
	}
	r.source(&t, f)
	r.checkDates(&t, f)
	return t
}

// firstStart is 1900-01-01T00:00:00: before it most zones have the mean time of one city, at best.
var firstStart = Wall(yearStart(1900) * secondsPerDay)

// place loads the zone, by any name the zone database has.
func (r *Rule) place(t *task, f *ruleFaults) {
	if t.zone = t.setting.Zone; t.zone != nil {
		return
	}
	var ok bool
	if t.zone, ok = zones.Load(r.TZ); ok {
		return
	}
	allowed := "an IANA zone name such as Europe/Vienna"
	if near := zones.Nearest(r.TZ); near != "" {
		allowed = "an IANA zone name; nearest is " + near
	}
	f.add("tz", r.TZ, allowed)
}

// startInGap resolves the start, and refuses one that the zone's clock never shows where the rule rejects such
// times.
func (r *Rule) startInGap(t *task, f *ruleFaults) {
	if t.zone == nil {
		return
	}
	policy := t.policy
	if policy == Reject || policy == "" {
		policy = Compatible
	}
	m := (&clock{zone: t.zone, policy: policy}).resolve(t.start)
	t.startMoment = m
	if m.kind != nonexistent || t.policy != Reject {
		return
	}
	change := func(o Offset) Wall { return Wall(int64(m.transition) + int64(o)) }
	before, after := moment{utc: m.other, offset: m.before}, moment{utc: m.utc, offset: m.after}
	f.add("start", r.Start, fmt.Sprintf(
		"a time that the clock of %s shows: it goes from %s to %s at %s; write %s, which is %s, or %s, which is %s, or another disambiguation than reject",
		t.zone.Name, change(m.before), change(m.after), m.transition, before.shows(), before.utc, after.shows(), after.utc))
}

// localUntil takes an UNTIL that is no UTC time as one of the rule's zone; a date is its whole day.
func (t *task) localUntil(until bound) {
	if t.zone == nil {
		return
	}
	w := Wall(until.at)
	if until.form == dateBound {
		w = Wall((until.at+1)*secondsPerDay - 1)
	}
	policy := t.policy
	if policy == Reject || policy == "" {
		policy = Compatible
	}
	utc := min((&clock{zone: t.zone, policy: policy}).resolve(w).utc, Instant(yearStart(lastYear+1)*secondsPerDay-1))
	t.notes = append(t.notes, Anomaly{Type: UntilLocal, Local: &w, ChosenUTC: &utc})
}

// checkDates refuses rdates before the start.
func (r *Rule) checkDates(t *task, f *ruleFaults) {
	if t.zone == nil || len(t.rdates) == 0 || t.setting.AnyRDate {
		return
	}
	c := clock{zone: t.zone, policy: Compatible}
	for i, b := range t.rdates {
		if b.form == noBound {
			continue
		}
		if m := c.date(b); m.shows() < t.start && m.asked < t.start {
			f.add(fmt.Sprintf("rdates[%d]", i), r.RDates[i], "a time not before start")
		}
	}
}

// source reads the one of cron and rrule that is given.
func (r *Rule) source(t *task, f *ruleFaults) {
	switch {
	case r.Cron != "" && r.RRule != "":
		f.add("cron", r.Cron, "cron or rrule, not both")
	case r.Cron != "":
		t.kind = KindCron
		var err error
		var hourly bool
		if t.plan, hourly, err = parseCron(r.Cron, t.start); err != nil {
			f.add("cron", r.Cron, err.Error())
		}
		if t.byClock = hourly && r.Disambiguation == "" && t.zone != nil; t.byClock && err == nil {
			t.followClock()
		}
	case r.RRule != "":
		t.kind = KindRRule
		rule, errs := parseRRule(r.RRule)
		for _, err := range errs {
			f.add("rrule", r.RRule, err.Error())
		}
		if len(errs) > 0 {
			return
		}
		t.notes = append(t.notes, rule.notes()...)
		if form := rule.until.form; form == wallBound || form == dateBound {
			t.localUntil(rule.until)
		}
		t.plan = rule.plan(t.start)
		t.finite = t.finite || rule.count > 0
		if rule.until.form != noBound {
			t.untils, t.finite = append(t.untils, rule.until), true
		}
	default:
		f.add("rrule", "", "cron or rrule: one of them is required")
	}
}

// followClock begins an hourly expression at the instant of the start: where that is in an hour that occurs twice,
// the second pass of the minutes before it belongs to the rule.
func (t *task) followClock() {
	m := t.startMoment
	t.notBefore = m.utc
	if m.kind == ambiguousFirst {
		t.plan.start = min(t.plan.start, Wall(floorDiv(int64(m.transition)+int64(m.after)+59, 60)*60))
	}
}

// options reads the members beyond the written ones.
func (r *Rule) options(t *task, f *ruleFaults) {
	if r.Disambiguation != "" {
		t.policy = ""
		for _, d := range AllDisambiguations {
			if string(d) == r.Disambiguation {
				t.policy = d
			}
		}
		if t.policy == "" {
			f.add("disambiguation", r.Disambiguation, "compatible, earlier, later or reject")
		}
	}
	const forms = "YYYY-MM-DDTHH:MM:SS (wall time of tz), the same with Z (UTC), or YYYY-MM-DD"
	read := func(field, text string) bound {
		b, err := parseBound(text)
		if err != nil {
			f.add(field, text, forms+" ("+err.Error()+")")
			return bound{}
		}
		return b
	}
	if r.Until != "" {
		t.untils, t.finite = append(t.untils, read("until", r.Until)), true
	}
	if r.End != "" {
		t.end, t.finite = read("end", r.End), true
	}
	if len(r.ExDates) > maxDates {
		f.add("exdates", fmt.Sprintf("%d of them", len(r.ExDates)), fmt.Sprintf("at most %d", maxDates))
		return
	}
	if len(r.RDates) > maxDates {
		f.add("rdates", fmt.Sprintf("%d of them", len(r.RDates)), fmt.Sprintf("at most %d", maxDates))
		return
	}
	for i, text := range r.ExDates {
		if b := read(fmt.Sprintf("exdates[%d]", i), text); b.form != noBound {
			t.ex.add(b)
		}
	}
	for i, text := range r.RDates {
		field := fmt.Sprintf("rdates[%d]", i)
		b := read(field, text)
		if b.form == dateBound {
			f.add(field, text, "a wall time of tz, or a UTC instant with Z")
			b = bound{}
		}
		t.rdates = append(t.rdates, b)
	}
}
