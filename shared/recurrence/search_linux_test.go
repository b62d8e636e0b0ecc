package recurrence

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/recurrence/zones"
)

// costly is what the search varies: the parts of one rule, which a body holds as often as it can.
type costly struct {
	parts                map[string]string
	cron                 string
	start, until, until2 string
	policy               string
	dates                int // exdates or rdates
	add                  bool
	step                 int64
	first                string
	zone                 int
}

// rule writes it out.
func (c costly) rule() Rule {
	r := Rule{Cron: c.cron, Start: c.start, Until: c.until, End: c.until2, Disambiguation: c.policy}
	if r.Cron == "" {
		var parts []string
		for _, name := range partNames {
			if v := c.parts[name]; v != "" {
				parts = append(parts, name+"="+v)
			}
		}
		r.RRule = strings.Join(parts, ";")
	}
	first, _ := ParseWall(c.first)
	for i := range c.dates {
		text := (first + Wall(int64(i)*c.step)).String()
		switch {
		case c.add:
			r.RDates = append(r.RDates, text)
		case c.step%secondsPerDay == 0:
			r.ExDates = append(r.ExDates, text[:10])
		case i%3 == 0:
			r.ExDates = append(r.ExDates, text+"Z")
		default:
			r.ExDates = append(r.ExDates, text)
		}
	}
	return r
}

var partNames = []string{"FREQ", "INTERVAL", "WKST", "BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE",
	"BYSECOND", "BYSETPOS"}

// vary changes one thing.
func (c costly) vary(random *rand.Rand) costly {
	n := c
	n.parts = map[string]string{}
	for name, v := range c.parts {
		n.parts[name] = v
	}
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	span := func(low, high int) string {
		switch random.IntN(5) {
		case 0:
			return ""
		case 1:
			return strconv.Itoa(low + random.IntN(high-low+1))
		case 2:
			return numbersOf(random, low, high, 1)
		}
		return numbersOf(random, low, high, 1+random.IntN(4))
	}
	switch random.IntN(18) {
	case 0:
		n.parts["FREQ"] = pick(frequencies...)
	case 1, 2:
		n.parts["INTERVAL"] = pick("", "1", "2", "3", "7", "11", "13", "59", "61", "1439", "1441", "3599", "86399", "86401", "604801",
			strconv.Itoa(1+random.IntN(100000)))
	case 3:
		n.parts["BYMONTH"] = span(1, 12)
	case 4:
		n.parts["BYWEEKNO"] = pick("", span(1, 53), span(-53, -1))
	case 5:
		n.parts["BYYEARDAY"] = pick("", span(1, 366), span(-366, -1))
	case 6:
		n.parts["BYMONTHDAY"] = pick("", "29", "31", "30", span(1, 31), span(-31, -1))
	case 7, 8:
		n.parts["BYDAY"] = pick("", "MO", "MO,TU,TH,SA", "MO,TU,WE,TH,FR,SA,SU", "53MO", "5MO,-5TU,SU", "1MO,-1FR")
	case 9:
		n.parts["BYHOUR"] = pick("", "0", "23", span(0, 23))
	case 10:
		n.parts["BYMINUTE"] = pick("", "0", "59", span(0, 59))
	case 11:
		n.parts["BYSECOND"] = pick("", "0", "59", span(0, 59))
	case 12, 13:
		n.parts["BYSETPOS"] = pick("", strconv.Itoa(1+random.IntN(366)), strconv.Itoa(-1-random.IntN(366)), span(1, 366), span(-366, -1),
			numbers(-366, 366))
	case 14:
		n.start = pick("1900-01-01T00:00:00", "1971-01-01T00:00:00", "2026-03-29T02:00:00", "2026-10-25T02:00:00", "2099-12-31T23:59:59",
			"5000-06-01T01:02:03")
	case 15:
		n.dates, n.add = random.IntN(1001), random.IntN(2) == 0
		n.step, n.first = int64(1+random.IntN(200000)), n.start
		if random.IntN(2) == 0 {
			n.step = secondsPerDay * int64(1+random.IntN(9))
		}
	case 16:
		n.until, n.until2 = pick("", "9999-12-31", "9999-12-31T00:00:00Z"), pick("", "9999-12-31", "9999-12-31T00:00:00Z")
		n.policy, n.zone = pick("", "earlier", "later", "reject"), random.IntN(600)
	case 17:
		n.cron = ""
		if random.IntN(3) == 0 {
			n.cron = pick("* * * * *", "*/7 * 29 2 MON", "59 23 29 2 MON", "* * 31 12 *", randomCron(random))
		}
	}
	return n
}

// numbersOf lists every nth number.
func numbersOf(random *rand.Rand, low, high, n int) string {
	var list []string
	for i := low + random.IntN(n); i <= high; i += n {
		if i != 0 {
			list = append(list, strconv.Itoa(i))
		}
	}
	return strings.Join(list, ",")
}

// TestCostliestBodies searches for the costliest request of 64 kB: from the costliest found so far, one thing is
// changed at a time. MAPPE_SOAK says how long; else it takes a few steps from each kept beginning.
func TestCostliestBodies(t *testing.T) {
	if raced {
		t.Log("under the race detector times mean nothing: a few steps only")
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 4))
	until, tries := time.Time{}, 3
	if d := oracles.Soak(t); d > 0 {
		until, tries = time.Now().Add(d), 200
	} else {
		random = rand.New(rand.NewPCG(4, 4))
	}
	beginnings := []string{"FREQ=YEARLY;BYDAY=MO,TU,TH,SA;BYSETPOS=210", "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=31",
		"FREQ=WEEKLY;BYMONTH=2;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=7", "FREQ=SECONDLY", "FREQ=HOURLY;BYMINUTE=0,1,2,3;BYSETPOS=-4,-3",
		"FREQ=DAILY;BYMONTHDAY=29;BYMONTH=2;BYDAY=MO"}
	var worst time.Duration
	for round := 0; round < len(beginnings) || time.Now().Before(until); round++ {
		now := costly{parts: map[string]string{}, start: "1971-01-01T00:00:00", first: "1971-01-01T00:00:00", step: 1}
		for part := range strings.SplitSeq(beginnings[round%len(beginnings)], ";") {
			name, value, _ := strings.Cut(part, "=")
			now.parts[name] = value
		}
		least, still := time.Duration(0), 0
		for still < tries {
			next := now
			for range 1 + random.IntN(2) {
				next = next.vary(random)
			}
			body := fillOrLess(t, next)
			cpu, memory := cost(t, body)
			if cpu > maxCPU*slowness() {
				again, _ := cost(t, body) // a busy machine lends its caches to others
				cpu = min(cpu, again)
			}
			if cpu > maxCPU*slowness() || memory > maxMemory {
				t.Errorf("%v, %d bytes: %.2000s", cpu, memory, body)
			}
			if still++; cpu > least {
				now, least, still = next, cpu, 0
			}
			if worst < cpu {
				worst = cpu
				t.Logf("%v: %.300s", cpu, fmt.Sprintf("%+v", next.rule()))
			}
			if !until.IsZero() && time.Now().After(until) {
				return
			}
		}
	}
}

// fillOrLess makes a body of as many such rules as fit.
func fillOrLess(t *testing.T, c costly) []byte {
	for {
		rule := c.rule()
		if c.zone < len(zones.Names()) && c.zone%5 == 0 {
			rule.TZ = zones.Names()[c.zone]
		}
		body := fill(t, rule, c.zone)
		if len(body) <= MaxBody {
			return body
		}
		c.dates /= 2
		if c.dates == 0 {
			delete(c.parts, "BYSETPOS")
		}
	}
}
