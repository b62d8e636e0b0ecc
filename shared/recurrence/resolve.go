package recurrence

import "mappe/shared/recurrence/zones"

// Disambiguation says which instant a wall time means that a zone's clock shows never or twice. The words
// are those of the Temporal proposal.
type Disambiguation string

const (
	Compatible Disambiguation = "compatible" // RFC 5545: in a gap the offset before it, else the first
	Earlier    Disambiguation = "earlier"
	Later      Disambiguation = "later"
	Reject     Disambiguation = "reject" // such a wall time refuses the request
)

// AllDisambiguations are the words a request may use.
var AllDisambiguations = []Disambiguation{Compatible, Earlier, Later, Reject}

// moment is a resolved wall time.
type moment struct {
	asked  Wall
	utc    Instant
	offset Offset // at utc
	dst    bool
	kind   momentKind
	// Of a gap or an overlap:
	other         Instant // the candidate that was not chosen
	transition    Instant
	before, after Offset
	dstAfter      bool // tzdata's flag with the offset after
}

type momentKind uint8

const (
	plain momentKind = iota
	nonexistent
	ambiguousFirst
	ambiguousSecond
)

// daySlack is more than any offset or change of offset.
const daySlack = 26 * 3600

// clock resolves the wall times of one zone; it remembers where it was, for callers that move forward.
type clock struct {
	zone   *zones.Zone
	policy Disambiguation
	cur    zones.Interval // the interval last used, in instants

	near       []zones.Interval // every interval that could show a wall time of [nearFrom, nearTo)
	nearShift  int64
	nearFrom   int64
	nearTo     int64
	nearLoaded bool
}

// ahead is how many seconds of wall time a look into the zone's table is good for: rules move forward.
const ahead = 40 * secondsPerDay

// resolve follows RFC 5545 3.3.5 with erratum 4271, or the policy that was asked for.
func (c *clock) resolve(w Wall) moment {
	if l := int64(w); c.cur.Start+daySlack <= l && l < c.cur.End-daySlack {
		return moment{asked: w, utc: Instant(l - int64(c.cur.Offset)), offset: Offset(c.cur.Offset), dst: c.cur.DST}
	}
	return c.search(w)
}

// search looks at every interval that could show w.
func (c *clock) search(w Wall) moment {
	l := int64(w)
	if !c.nearLoaded || l < c.nearFrom || l >= c.nearTo {
		c.near, c.nearShift = c.zone.Around(l-daySlack, l+ahead+daySlack)
		c.nearFrom, c.nearTo, c.nearLoaded = l, l+ahead, true
	}
	list, shift := c.near, c.nearShift
	first, last := -1, -1
	for i, v := range list {
		if u := l - int64(v.Offset) - shift; v.Start <= u && u < v.End {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	use := func(i int) zones.Interval {
		c.cur = list[i]
		c.cur.Start, c.cur.End = c.cur.Start+shift, c.cur.End+shift
		return c.cur
	}
	at := func(i int) Instant { return Instant(l - int64(list[i].Offset)) }
	switch {
	case first < 0:
		return c.gap(w, list, shift)
	case first == last:
		v := use(first)
		return moment{asked: w, utc: at(first), offset: Offset(v.Offset), dst: v.DST}
	}
	m := moment{asked: w, kind: ambiguousFirst, utc: at(first), other: at(last), transition: Instant(list[last].Start + shift),
		before: Offset(list[first].Offset), after: Offset(list[last].Offset), dstAfter: list[last].DST}
	v := list[first]
	if c.policy == Later {
		m.kind, m.utc, m.other, v = ambiguousSecond, m.other, m.utc, list[last]
	}
	m.offset, m.dst = Offset(v.Offset), v.DST
	return m
}

// gap resolves a wall time that no interval shows: it lies between the end of one and the start of the next.
func (c *clock) gap(w Wall, list []zones.Interval, shift int64) moment {
	l := int64(w)
	for i := 0; i+1 < len(list); i++ {
		v, next := list[i], list[i+1]
		if v.End+shift+int64(v.Offset) > l || l >= next.Start+shift+int64(next.Offset) {
			continue
		}
		m := moment{asked: w, kind: nonexistent, transition: Instant(next.Start + shift), before: Offset(v.Offset),
			after: Offset(next.Offset)}
		m.utc, m.other = Instant(l-int64(v.Offset)), Instant(l-int64(next.Offset))
		if c.policy == Earlier {
			m.utc, m.other = m.other, m.utc
		}
		for _, shown := range list {
			if u := int64(m.utc) - shift; shown.Start <= u && u < shown.End {
				m.offset, m.dst = Offset(shown.Offset), shown.DST
			}
		}
		return m
	}
	panic("recurrence: " + c.zone.Name + ": no interval shows " + w.String() + " and no gap holds it")
}

// shows is the reading of the clock at the moment's instant.
func (m moment) shows() Wall { return Wall(int64(m.utc) + int64(m.offset)) }
