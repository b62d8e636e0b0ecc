package recurrence

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/shared/recurrence/zones"
)

// Expand answers a request. The error is of type Faults: the request is refused and nothing was computed
// that could be sold.
func Expand(r Request, l Limits) (Response, error) { return expand(r, l, Setting{}) }

func expand(r Request, l Limits, s Setting) (Response, error) {
	tasks, faults := validate(r, l, s)
	if len(faults) > 0 {
		return Response{}, faults
	}
	room := l.Rules * l.Count
	if r.Limit != nil {
		room = min(room, *r.Limit)
	}
	// What may refuse the request comes first: nothing else is computed for one that is refused.
	done := make([]*gathering, len(tasks))
	for i := range tasks {
		if tasks[i].policy == Reject {
			done[i] = tasks[i].gather(min(l.Count, room))
			faults = append(faults, done[i].refused(i)...)
		}
	}
	if len(faults) > 0 {
		return Response{}, faults[:min(len(faults), maxFaults)]
	}
	response := Response{Results: make([]Result, len(tasks)), Meta: Versions()}
	for i := range tasks {
		left := min(l.Count, room-response.TotalOccurrences)
		if done[i] == nil {
			done[i] = tasks[i].gather(left)
		}
		response.Results[i] = done[i].result(left)
		response.TotalOccurrences += response.Results[i].Count
	}
	return response, nil
}

// gathering collects the moments of one rule.
type gathering struct {
	*task
	clock    clock
	list     []moment
	second   []moment // second passes of times that occur twice, kept until the clock gets there
	skipped  []moment // times that the clock never shows and that are not moved
	want     int
	counted  int64
	started  bool // start is an occurrence of the rule
	any      bool // the rule has an occurrence, be it left out
	bounded  bool // the search ended at its bound
	reached  Wall
	work     int
	rejected *moment
}

// asked is how many occurrences the rule asks for.
func (t *task) asked() int {
	if t.count == 0 {
		return MaxCount
	}
	return t.count
}

// gather finds the moments of a rule, as many as are asked for and at most so many, and one more where that
// tells whether the list was cut short.
func (t *task) gather(most int) *gathering {
	give := min(t.asked(), most)
	g := &gathering{task: t, clock: clock{zone: t.zone, policy: t.policy}, want: give}
	if give < t.asked() || t.count == 0 && t.finite {
		g.want++
	}
	w := walker{plan: g.plan, yield: g.take}
	if t.ex.any() {
		w.each = workOfYield + workOfExDate
	}
	g.list = make([]moment, 0, g.want)
	g.bounded = w.walk()
	g.takeSecond(nil)
	g.reached, g.work = w.reached, w.work
	g.addDates()
	return g
}

// refused is the fault of a rule that rejects what no clock or two clocks show, and met it.
func (g *gathering) refused(index int) Faults {
	if g.rejected == nil {
		return nil
	}
	f := ruleFaults{index: index, id: g.id}
	f.add("disambiguation", string(Reject),
		fmt.Sprintf("rules without times that are in a gap or occur twice in %s, as %s does; or compatible, earlier, later", g.zone.Name,
			g.rejected.asked))
	return f.list
}

// result is the answer with at most so many occurrences.
func (g *gathering) result(most int) Result {
	give := min(g.asked(), most)
	result := Result{ID: g.id, TZ: g.zone.Name, TZCanonical: g.zone.Canonical, Kind: g.kind, Anomalies: g.remarks(give)}
	result.Truncated = len(g.list) > give
	g.list = g.list[:min(len(g.list), give)]
	g.report(&result)
	return result
}

// take resolves one wall time of the rule; it answers whether more are wanted.
func (g *gathering) take(w Wall) bool {
	if g.setting.From != nil && w < *g.setting.From {
		g.counted++
		return g.plan.count == 0 || g.counted < g.plan.count
	}
	if g.setting.To != nil && w >= *g.setting.To {
		return false
	}
	w += Wall(g.setting.Shift)
	m := g.clock.resolve(w)
	if g.byClock && m.kind != plain {
		return g.takeByClock(m)
	}
	return g.takeSecond(&m) && g.consider(&m)
}

// takeByClock takes a time of an hourly cron expression as a running clock meets it: what it never shows is
// passed over, for the same minute of the hour after it is an occurrence of its own, and what it shows twice
// occurs twice.
func (g *gathering) takeByClock(m moment) bool {
	if m.kind == nonexistent {
		if len(g.skipped) < MaxCount && m.asked >= g.start && !g.isOutside(&m) {
			g.skipped = append(g.skipped, m)
		}
		return true
	}
	again := m
	again.kind, again.utc, again.other = ambiguousSecond, m.other, m.utc
	again.offset, again.dst = m.after, m.dstAfter
	if len(g.second) > 0 && g.second[0].transition != m.transition && !g.takeSecond(nil) {
		return false
	}
	g.second = append(g.second, again)
	return g.consider(&m)
}

// takeSecond takes what was kept of an hour that occurs twice, once the clock is behind it.
func (g *gathering) takeSecond(next *moment) bool {
	for len(g.second) > 0 {
		m := g.second[0]
		g.second = g.second[1:]
		if len(g.list) < g.want && !g.consider(&m) {
			g.second = nil
			return false
		}
	}
	return true
}

// isOutside says whether a moment is beyond what the rule or its window has.
func (g *gathering) isOutside(m *moment) bool {
	for _, b := range g.untils {
		if b.after(m) {
			return true
		}
	}
	return g.end.outside(m)
}

// consider adds a moment unless it is left out; it answers whether more are wanted.
func (g *gathering) consider(m *moment) bool {
	if int64(m.utc) >= yearStart(lastYear+1)*secondsPerDay || g.byClock && m.utc < g.notBefore {
		return true
	}
	for _, b := range g.untils {
		if b.after(m) {
			return !b.final(m, g.policy)
		}
	}
	g.any = true
	g.started = g.started || m.asked == g.start
	if g.end.outside(m) {
		return !g.end.final(m, g.policy)
	}
	g.counted++
	if !g.ex.has(m) && !g.reject(m) {
		g.list = append(g.list, *m)
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

// addDates adds the rdates that the rule does not give itself, in the order of their wall times.
func (g *gathering) addDates() {
	if len(g.rdates) == 0 {
		return
	}
	ruled := len(g.list)
	has, at := map[Wall]bool{}, map[Instant]bool{}
	for _, m := range g.list {
		has[m.asked], at[m.utc] = true, true
	}
	for _, b := range g.rdates {
		m := g.clock.date(b)
		switch {
		case g.setting.To != nil && m.asked >= *g.setting.To:
		case has[m.asked] && b.form == wallBound, at[m.utc] && b.form == instantBound, g.ex.has(&m), g.end.outside(&m), g.reject(&m):
		default:
			has[m.asked], at[m.utc] = true, true
			g.list = append(g.list, m)
		}
	}
	g.any = g.any || len(g.list) > 0
	if len(g.list) > ruled {
		slices.SortStableFunc(g.list, func(a, b moment) int { return cmp.Or(cmp.Compare(a.asked, b.asked), cmp.Compare(a.utc, b.utc)) })
		g.list = g.list[:min(len(g.list), g.want)]
	}
}

// date is the moment of an rdate.
func (c *clock) date(b bound) moment {
	if b.form == wallBound {
		return c.resolve(Wall(b.at))
	}
	list, _ := c.zone.Around(b.at, b.at)
	at := moment{utc: Instant(b.at), asked: Wall(b.at + int64(list[0].Offset)), offset: Offset(list[0].Offset), dst: list[0].DST}
	m := c.resolve(at.asked)
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

// remarks are the anomalies that concern the rule as a whole.
func (g *gathering) remarks(give int) []Anomaly {
	list := slices.Clip(g.notes)
	if list == nil {
		list = []Anomaly{}
	}
	start := g.start
	if g.startMoment.kind == nonexistent {
		adjusted := g.startMoment.anomaly()
		adjusted.Type = StartIsAdjusted
		list = append(list, adjusted)
	}
	if g.start < 0 {
		list = append(list, Anomaly{Type: Before1970, Local: &start})
	}
	if g.kind == KindRRule && g.any && !g.started && g.setting.From == nil {
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
	first, last := Instant(never), Instant(-never)
	for i := range g.list {
		m := &g.list[i]
		first, last = min(first, m.utc), max(last, m.utc)
		if m.kind != plain {
			odd++
		}
	}
	var before map[Instant]bool
	if odd > 0 { // else every occurrence is later than the one before it
		before = make(map[Instant]bool, r.Count)
	}
	r.Anomalies = slices.Grow(r.Anomalies, odd)
	for i := range g.list {
		m := &g.list[i]
		repeated := before[m.utc]
		if odd > 0 {
			before[m.utc] = true
		}
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
	g.reportSkipped(r)
	if r.Count > 1 {
		r.CrossesDST = g.zone.Changes(int64(first), int64(last))
	}
}

const never = int64(1) << 60

// reportSkipped names the times of an hourly cron expression that the clock never shows, as far as the list goes.
func (g *gathering) reportSkipped(r *Result) {
	for i := range g.skipped {
		m := &g.skipped[i]
		if r.Truncated && (r.Count == 0 || m.utc > r.Occurrences[r.Count-1].UTC) {
			return
		}
		a := m.anomaly()
		a.ChosenUTC, a.Alternatives = nil, nil
		r.Anomalies = append(r.Anomalies, a)
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
	RRuleVersion = "mappe-rrule 2.0.0"
	CronVersion  = "mappe-cron 2.0.0"
)

// Versions are those of this program.
func Versions() Meta {
	return Meta{zones.Release(), zones.Digest(), RRuleVersion, CronVersion, goVersion()}
}
