package zones

// Own makes a zone of intervals that somebody else knows: in time order without holes, the first from the
// beginning of time. Where repeats is set they reach to the year 2505 and go on as they do 400 years before.
func Own(name string, list []Interval, repeats bool) *Zone {
	z := &Zone{Name: name, Canonical: name, near: list, cycle: list}
	z.last.changes = repeats
	z.nearOnce.Do(func() {})
	z.cycleOnce.Do(func() {})
	return z
}

// Forever is the beginning of a first interval, and minus it the end of a last one.
const Forever = -never

// OwnYears is the year to which the intervals of Own have to reach where they repeat.
const OwnYears = cycleYears
