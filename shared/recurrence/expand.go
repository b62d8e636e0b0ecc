package recurrence

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/shared/recurrence/zones"
)

// Expand answers a request. The error is of type Faults: the request is refused and nothing was computed
// that could be sold.
func Expand(r Request, l Limits) (Response, error) {
	tasks, faults := validate(r, l)
	if len(faults) > 0 {
		return Response{}, faults
	}
	response := Response{Results: make([]Result, len(tasks)), Meta: Versions()}
	room := l.Rules * l.Count
	if r.Limit != nil {
		room = min(room, *r.Limit)
	}
	for i := range tasks {
		f := ruleFaults{index: i, id: tasks[i].id}
		response.Results[i], _ = tasks[i].expand(l.Count, room-response.TotalOccurrences, &f)
		if len(f.list) > 0 {
			faults = append(faults, f.list...)
			continue
		}
		response.TotalOccurrences += response.Results[i].Count
	}
	if len(faults) > 0 {
		return Response{}, faults[:min(len(faults), maxFaults)]
	}
	return response, nil
}

// gathering collects the moments of one rule.
type gathering struct {
	*task
	clock    clock
	list     []moment
	want     int
	counted  int64
	started  bool // start is an occurrence of the rule
	any      bool // the rule has an occurrence, be it left out
	bounded  bool // the search ended at its bound
	reached  Wall
	rejected *moment
}

// expand gives at most perRule and at most room occurrences, and the steps it took.
func (t *task) expand(perRule, room int, f *ruleFaults) (Result, int) {
	asked := t.count
	if asked == 0 {
		asked = MaxCount
	}
	give := min(asked, perRule, room)
	g := gathering{task: t, clock: clock{zone: t.zone, policy: t.policy}, want: give}
	if give < asked || t.count == 0 && t.finite {
		g.want++ // one more tells whether the list was cut short
	}
	steps := g.gather()
	g.addDates(f)
	if g.rejected != nil {
		f.add("disambiguation", string(Reject), fmt.Sprintf("rules without times that are in a gap or occur twice in %s, as %s does; or compatible, earlier, later", t.zone.Name, g.rejected.asked))
	}
	if len(f.list) > 0 {
		return Result{}, steps
	}
	result := Result{ID: t.id, TZ: t.zone.Name, Kind: t.kind, Anomalies: g.remarks(give)}
	result.Truncated = len(g.list) > give
	g.list = g.list[:min(len(g.list), give)]
	g.sort()
	g.report(&result)
	return result, steps
}

// gather walks the rule.
func (g *gathering) gather() (steps int) {
	w := walker{plan: g.plan, yield: g.take}
	g.list = make([]moment, 0, g.want)
	g.bounded = w.walk()
	g.reached = w.reached
	return w.steps
}

// take resolves one wall time of the rule; it answers whether more are wanted.
func (g *gathering) take(w Wall) bool {
	m := g.clock.resolve(w)
	if int64(m.utc) >= yearStart(lastYear+1)*secondsPerDay {
		return true
	}
	for _, b := range g.untils {
		if b.after(&m) {
			return !b.final(&m, g.policy)
		}
	}
	g.any = true
	g.started = g.started || w == g.start
	if g.end.outside(&m) {
		return !g.end.final(&m, g.policy)
	}
	g.counted++
	if !g.ex.has(&m) && !g.reject(&m) {
		g.list = append(g.list, m)
	}
	return g.rejected == nil && len(g.list) < g.want && (g.plan.count == 0 || g.counted < g.plan.count)
}

func (g *gathering) reject(m *moment) bool {
	if g.policy == Reject && m.kind != plain {
		rejected := *m
		g.rejected = &rejected
		return true
	}
	return false
}

// addDates adds the rdates that the rule does not give itself.
func (g *gathering) addDates(f *ruleFaults) {
	if len(g.rdates) == 0 {
		return
	}
	ruled := len(g.list)
	has := map[Wall]bool{}
	for _, m := range g.list {
		has[m.asked] = true
	}
	for i, b := range g.rdates {
		m := g.date(b)
		switch {
		case m.shows() < g.start && m.asked < g.start:
			f.add(fmt.Sprintf("rdates[%d]", i), m.utc.String(), "a time not before start")
		case has[m.asked] && b.form == wallBound, g.ex.has(&m), g.end.outside(&m), g.reject(&m):
		case b.form == instantBound && slices.ContainsFunc(g.list, func(o moment) bool { return o.utc == m.utc }):
		default:
			has[m.asked] = true
			g.list = append(g.list, m)
		}
	}
	g.any = g.any || len(g.list) > 0
	if len(g.list) > ruled {
		g.sort()
		g.list = g.list[:min(len(g.list), g.want)]
	}
}

// date is the moment of an rdate.
func (g *gathering) date(b bound) moment {
	if b.form == wallBound {
		return g.clock.resolve(Wall(b.at))
	}
	list, _ := g.zone.Around(b.at, b.at)
	if len(list) == 0 {
		return moment{utc: Instant(b.at), asked: -1}
	}
	at := moment{utc: Instant(b.at), asked: Wall(b.at + int64(list[0].Offset)), offset: Offset(list[0].Offset), dst: list[0].DST}
	m := g.clock.resolve(at.asked)
	if m.utc == at.utc {
		return m
	}
	m.kind, m.other = ambiguousSecond, m.utc
	if at.utc < m.utc {
		m.kind = ambiguousFirst
	}
	m.utc, m.offset, m.dst = at.utc, at.offset, at.dst
	return m
}

// sort puts the moments in the order of their instants; equal ones stay as the rule gave them.
func (g *gathering) sort() {
	byInstant := func(a, b moment) int { return cmp.Compare(a.utc, b.utc) }
	for i := 1; i < len(g.list); i++ {
		if g.list[i].utc < g.list[i-1].utc {
			slices.SortStableFunc(g.list, byInstant)
			return
		}
	}
}

// remarks are the anomalies that concern the rule as a whole.
func (g *gathering) remarks(give int) []Anomaly {
	list := []Anomaly{}
	if g.kind == KindRRule && g.any && !g.started {
		start := g.start
		list = append(list, Anomaly{Type: StartNotInRule, Local: &start})
	}
	if len(g.list) == 0 {
		list = append(list, Anomaly{Type: NoOccurrences})
	}
	if g.bounded && len(g.list) < give {
		reached := g.reached
		list = append(list, Anomaly{Type: HorizonReached, Local: &reached})
	}
	return list
}

// report writes the moments into the result.
func (g *gathering) report(r *Result) {
	r.Count = len(g.list)
	r.Occurrences = make([]Occurrence, r.Count)
	odd := 0
	for i := range g.list {
		if g.list[i].kind != plain {
			odd++
		}
	}
	r.Anomalies = slices.Grow(r.Anomalies, odd)
	for i := range g.list {
		m := &g.list[i]
		repeated := i > 0 && g.list[i-1].utc == m.utc
		r.Occurrences[i] = Occurrence{Local: m.shows(), UTC: m.utc, UTCOffset: m.offset, IsDST: m.dst,
			Flags: flagsOf(m.kind, repeated, m.kind == nonexistent && m.asked == g.start)}
		if m.kind != plain {
			r.Anomalies = append(r.Anomalies, m.anomaly())
		}
		if repeated {
			asked, utc := m.asked, m.utc
			r.Anomalies = append(r.Anomalies, Anomaly{Type: DuplicateInstants, Local: &asked, ChosenUTC: &utc})
		}
	}
	if r.Count > 1 {
		r.CrossesDST = g.zone.Changes(int64(g.list[0].utc), int64(g.list[r.Count-1].utc))
	}
}

func (m *moment) anomaly() Anomaly {
	a := Anomaly{Type: AmbiguousLocalTime, Local: &m.asked, TransitionUTC: &m.transition, OffsetBefore: &m.before,
		OffsetAfter: &m.after, ChosenUTC: &m.utc, Alternatives: []Instant{m.other}}
	if m.kind == nonexistent {
		a.Type = NonexistentLocalTime
	}
	return a
}

var noFlags = []Flag{}

// flagsOf lists the flags in the order of AllFlags.
func flagsOf(kind momentKind, repeated, ofStart bool) []Flag {
	if kind == plain && !repeated {
		return noFlags
	}
	var list []Flag
	switch kind {
	case nonexistent:
		list = append(list, NonexistentShifted)
	case ambiguousFirst:
		list = append(list, AmbiguousEarlier)
	case ambiguousSecond:
		list = append(list, AmbiguousLater)
	}
	if repeated {
		list = append(list, DuplicateInstant)
	}
	if ofStart {
		list = append(list, StartAdjusted)
	}
	return list
}

// Meta says what an answer was computed with.
type Meta struct {
	TZDataVersion string `json:"tzdata_version" doc:"release of the embedded IANA data, as the data itself says"`
	TZDataSHA256  string `json:"tzdata_sha256"`
	RRuleVersion  string `json:"rrule_version" doc:"of the RFC 5545 generator"`
	CronVersion   string `json:"cron_version" doc:"of the cron generator"`
	GoVersion     string `json:"go_version"`
}

// The project's own generators; a change of any answer raises a version.
const (
	RRuleVersion = "mappe-rrule 1.0.0"
	CronVersion  = "mappe-cron 1.0.0"
)

// Versions are those of this program.
func Versions() Meta {
	return Meta{zones.Release(), zones.Digest(), RRuleVersion, CronVersion, goVersion()}
}
