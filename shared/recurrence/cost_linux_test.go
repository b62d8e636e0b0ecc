package recurrence

import (
	"encoding/json"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mappe/shared/recurrence/zones"
)

// What a request may cost at most, whatever it asks: CPU time and all memory it allocates.
const (
	maxCPU    = 250 * time.Millisecond
	maxMemory = 32 << 20
)

// slowness is how much slower the instrumented code of a fuzz run or of the race detector may be.
func slowness() time.Duration {
	factor := time.Duration(1)
	if raced {
		factor = 12
	}
	if f := flag.Lookup("test.fuzz"); f != nil && f.Value.String() != "" {
		factor *= 4
	}
	return factor
}

// cpuTime is what this thread has used.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	const thread = 1 // RUSAGE_THREAD
	var r syscall.Rusage
	if err := syscall.Getrusage(thread, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// cost answers a body from its bytes to the answer's and says what that took.
func cost(t testing.TB, body []byte) (cpu time.Duration, memory uint64) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	started := cpuTime(t)
	if request, err := Decode(body); err == nil {
		if response, err := Expand(request, Full); err == nil {
			response.AppendJSON(nil)
		}
	}
	cpu = cpuTime(t) - started
	runtime.ReadMemStats(&after)
	return cpu, after.TotalAlloc - before.TotalAlloc
}

// fill makes the largest request of one rule, in a zone of its own each time, that a body may hold.
func fill(t testing.TB, rule Rule, zone int) []byte {
	t.Helper()
	var r Request
	for i := range Full.Rules {
		one := rule
		if one.TZ == "" {
			one.TZ = presentZones[(zone+7*i)%len(presentZones)]
		}
		r.Rules = append(r.Rules, one)
	}
	marshal := func() []byte {
		body, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	body := marshal()
	if len(body) > MaxBody {
		r.Rules = r.Rules[:Full.Rules*MaxBody/(len(body)+Full.Rules*100)] // names differ in length
		body = marshal()
	}
	return body
}

var presentZones = func() (names []string) {
	for _, name := range zones.Names() {
		if z, _ := zones.Load(name); z.Canonical == name {
			names = append(names, name)
		}
	}
	return names
}()

// numbers lists low to high without zero.
func numbers(low, high int) string {
	var list []string
	for n := low; n <= high; n++ {
		if n != 0 {
			list = append(list, fmt.Sprint(n))
		}
	}
	return strings.Join(list, ",")
}

// FuzzCost holds that no request of 64 kB is expensive: 25 times one rule, with lists of dates.
func FuzzCost(f *testing.F) {
	clock := "BYHOUR=0," + numbers(1, 23) + ";BYMINUTE=0," + numbers(1, 59) + ";BYSECOND=0," + numbers(1, 59)
	for _, c := range []struct{ rrule, cron, start, until, policy string }{
		{rrule: "FREQ=SECONDLY", start: "2026-03-28T00:00:00", until: "9999-12-31T00:00:00Z"},
		{rrule: "FREQ=SECONDLY", start: "2426-03-28T00:00:00", policy: "reject"},
		{rrule: "FREQ=SECONDLY", start: "2026-10-25T02:00:00", policy: "later"},
		{rrule: "FREQ=SECONDLY", start: "2026-03-29T02:00:00", policy: "compatible"},
		{cron: "* * * * *", start: "2026-03-28T00:00:00"},
		{cron: "59 23 29 2 MON", start: "9000-01-01T00:00:00"},
		{rrule: "FREQ=SECONDLY;INTERVAL=3599;BYHOUR=23;BYMINUTE=58;BYSECOND=59;BYDAY=MO", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=SECONDLY;INTERVAL=61;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1;BYMINUTE=1;BYSECOND=1", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=MINUTELY;INTERVAL=1439;BYHOUR=23;BYMINUTE=59;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", start: "2026-01-01T00:00:00", until: "9999-12-31"},
		{rrule: "FREQ=WEEKLY;BYMONTH=2;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=7", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=MONTHLY;BYMONTH=4,6,9,11;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2;BYSETPOS=61,62", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=MONTHLY;BYDAY=MO;BYMONTH=2;BYMONTHDAY=29;BYHOUR=0," + numbers(1, 23) + ";BYMINUTE=" + numbers(1, 9) + ";BYSETPOS=" +
			numbers(217, 366), start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=YEARLY;BYYEARDAY=" + numbers(1, 200) + ";BYSETPOS=" + numbers(-366, -201), start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYYEARDAY=" + numbers(-300, 300), start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=YEARLY;BYWEEKNO=" + numbers(2, 50) + ";BYYEARDAY=1;BYSETPOS=1", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=YEARLY;" + clock + ";BYSETPOS=" + numbers(-366, 366), start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=YEARLY;INTERVAL=3;BYDAY=53MO", start: "2026-01-01T00:00:00"},
		{rrule: "FREQ=YEARLY;BYDAY=MO,TU,TH,SA;BYSETPOS=210", start: "1971-01-01T00:00:00"},
	} {
		f.Add(c.rrule, c.cron, uint16(33), c.start, c.until, c.policy, "2026-03-28T00:00:00", uint32(86400), uint16(3), false)
		f.Add(c.rrule, c.cron, uint16(3), c.start, "", c.policy, c.start, uint32(3), uint16(1000), true)
	}
	f.Add("FREQ=DAILY", "", uint16(65535), "2026-01-01T00:00:00", "", "", "x", uint32(0), uint16(0), false)
	f.Fuzz(func(t *testing.T, rrule, cron string, zone uint16, start, until, policy, date string, step uint32, dates uint16, add bool) {
		rule := Rule{RRule: rrule, Cron: cron, Start: start, Until: until, End: until, Disambiguation: policy}
		if zone == 65535 {
			rule.TZ = "Amorica/Argentina/Buenos_Airas" // the nearest name is looked for
		}
		if first, err := ParseWall(date); err == nil {
			for i := range min(int(dates), maxDates) {
				text := (first + Wall(i)*Wall(step%(400*secondsPerDay))).String()
				switch {
				case add:
					rule.RDates = append(rule.RDates, text)
				case step%secondsPerDay == 0:
					rule.ExDates = append(rule.ExDates, text[:10])
				default:
					rule.ExDates = append(rule.ExDates, text)
				}
			}
		}
		body := fill(t, rule, int(zone))
		if len(body) > MaxBody {
			return
		}
		var cpu time.Duration
		var memory uint64
		for range 3 { // a busy machine lends its caches to others
			if cpu, memory = cost(t, body); cpu <= maxCPU*slowness() {
				break
			}
		}
		if cpu > maxCPU*slowness() || memory > maxMemory {
			t.Errorf("%v, %d bytes: %.400s", cpu, memory, body)
		}
		t.Logf("%v, %d bytes", cpu, memory)
	})
}

// TestNoZoneIsExpensive answers requests that are the first to ask for the years of each zone.
func TestNoZoneIsExpensive(t *testing.T) {
	for i := 0; i < len(presentZones); i += Full.Rules {
		var r Request
		for _, name := range presentZones[i:min(i+Full.Rules, len(presentZones))] {
			r.Rules = append(r.Rules, Rule{RRule: "FREQ=MONTHLY;INTERVAL=191", TZ: name, Start: "2026-01-01T00:00:00"})
		}
		body, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if cpu, memory := cost(t, body); cpu > maxCPU*slowness() || memory > maxMemory {
			t.Errorf("zones from %s: %v, %d bytes", r.Rules[0].TZ, cpu, memory)
		} else if i == 0 {
			t.Logf("%v, %d bytes", cpu, memory)
		}
	}
}

// What refuses a request is looked at before anything else is computed.
func TestRefusedBeforeTheOthersAreComputed(t *testing.T) {
	dear := Rule{RRule: "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1", TZ: "UTC", Start: "2026-01-01T00:00:00"}
	var r Request
	for range 24 {
		r.Rules = append(r.Rules, dear)
	}
	r.Rules = append(r.Rules, Rule{RRule: "FREQ=DAILY", TZ: "Europe/Vienna", Start: "2026-03-01T02:30:00", Disambiguation: "reject"})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Hour
	for range 5 {
		begun := cpuTime(t)
		if _, err := Expand(r, Full); err == nil {
			t.Fatal("it is not refused")
		}
		least = min(least, cpuTime(t)-begun)
	}
	if least > 5*time.Millisecond*slowness() {
		t.Errorf("a refusal took %s", least)
	}
}
