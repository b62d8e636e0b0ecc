//go:build !race

package expander

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mappe/shared/recurrence"
)

// What a request may cost at most over HTTP, whatever it asks: CPU time of server and client together, and
// all memory that both allocate.
const (
	maxCPU    = 250 * time.Millisecond
	maxMemory = 32 << 20
)

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

// worstBodies are the costliest requests known, and bodies that are long or wrong in many places.
func worstBodies() map[string]string {
	all := func(rule string) string {
		n := min(recurrence.Full.Rules, (recurrence.MaxBody-20)/(len(rule)+1))
		return `{"rules":[` + strings.TrimSuffix(strings.Repeat(rule+",", n), ",") + `]}`
	}
	rrule := func(rule, start string) string {
		return all(`{"rrule":"` + rule + `","tz":"Europe/Vienna","start":"` + start + `"}`)
	}
	clock := "BYHOUR=0," + numbers(1, 23) + ";BYMINUTE=0," + numbers(1, 59) + ";BYSECOND=0," + numbers(1, 59)
	dates := func(member, format string) string {
		var list []string
		for i := range 1000 {
			list = append(list, time.Date(2026, 3, 28, 0, 0, i*7919, 0, time.UTC).Format(format))
		}
		return `{"rrule":"FREQ=SECONDLY","tz":"Europe/Vienna","start":"2026-03-28T00:00:00","` + member + `":["` + strings.Join(list,
			`","`) + `"]}`
	}
	return map[string]string{
		"every second": rrule("FREQ=SECONDLY", "2026-03-28T00:00:00"),
		"every second of a gap": all(
			`{"rrule":"FREQ=SECONDLY","tz":"Europe/Vienna","start":"2026-03-29T02:00:00","disambiguation":"compatible"}`),
		"every second of an hour twice": rrule("FREQ=SECONDLY", "2026-10-25T02:00:00"),
		"leap Mondays by minutes": rrule("FREQ=MINUTELY;INTERVAL=1439;BYHOUR=23;BYMINUTE=59;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
			"2026-01-01T00:00:00"),
		"a second of a day": rrule("FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1", "2026-01-01T00:00:00"),
		"a second of a leap day": rrule("FREQ=SECONDLY;INTERVAL=61;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1;BYMINUTE=1;BYSECOND=1",
			"2026-01-01T00:00:00"),
		"a position few years have": rrule("FREQ=YEARLY;BYDAY=MO,TU,TH,SA;BYSETPOS=210", "1971-01-01T00:00:00"),
		"minutes of odd days": rrule("FREQ=MINUTELY;INTERVAL=59;BYMONTH=3,7,11;BYYEARDAY="+numbers(2, 300),
			"1971-01-01T00:00:00"),
		"positions of leap Mondays": rrule(
			"FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=23;BYMINUTE=0;BYSECOND=0,1,2;BYSETPOS=3", "1900-01-01T00:00:00"),
		"the last of them is rejected": `{"rules":[` +
			strings.Repeat(`{"disambiguation":"reject","rrule":"FREQ=SECONDLY;INTERVAL=86399;BYHOUR=9;BYMINUTE=1;BYSECOND=1","tz":"Europe/Vienna","start":"2026-01-01T00:00:00"},`, 24) +
			`{"disambiguation":"reject","rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2026-03-01T02:30:00"}]}`,
		"never":                     rrule("FREQ=HOURLY;INTERVAL=2;BYHOUR=11", "2026-01-01T00:00:00"),
		"30 February":               rrule("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01T00:00:00"),
		"positions in every second": rrule("FREQ=YEARLY;"+clock+";BYSETPOS="+numbers(-366, 366), "2026-01-01T00:00:00"),
		"positions never reached": rrule("FREQ=MONTHLY;BYDAY=MO;BYMONTH=2;BYMONTHDAY=29;BYHOUR=0,"+numbers(1, 23)+";BYMINUTE="+numbers(1,
			9)+";BYSETPOS="+numbers(217, 366), "2026-01-01T00:00:00"),
		"days of years":        rrule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYYEARDAY="+numbers(-300, 300), "2026-01-01T00:00:00"),
		"exdates":              all(dates("exdates", "2006-01-02T15:04:05")),
		"rdates":               all(dates("rdates", "2006-01-02T15:04:05")),
		"exdates as days":      all(dates("exdates", "2006-01-02")),
		"cron on leap Mondays": all(`{"cron":"59 23 29 2 MON","tz":"America/New_York","start":"2026-01-01T00:00:00"}`),
		"unknown zones": all(`{"rrule":"X","cron":"Y","tz":"Amorica/Argentina/Buenos_Airas","start":"x","id":"` +
			strings.Repeat("é", 1200) + `"}`),
		"faults of one rule": all(`{"rrule":"` + strings.TrimSuffix(strings.Repeat("BYDAY=x;", 300),
			";") + `","tz":"UTC","start":"2026-01-01T00:00:00"}`),
		"deep JSON":     strings.Repeat(`{"rules":[`, 6000),
		"many rules":    `{"rules":[` + strings.Repeat("{},", 20000) + `{}]}`,
		"many members":  `{"rules":[` + strings.Repeat(`{"tz":"a"},`, 5000) + `{}]}`,
		"one long text": `{"rules":[{"rrule":"` + strings.Repeat(`A`, 60000) + `","tz":"` + strings.Repeat("a/", 1000) + `"}]}`,
	}
}

func TestNoRequestIsExpensive(t *testing.T) {
	s := httptest.NewServer(handler(t, Deps{Gate: passed}))
	defer s.Close()
	for name, body := range worstBodies() {
		if len(body) > recurrence.MaxBody {
			t.Errorf("%s: %d bytes are no case", name, len(body))
		}
		for _, path := range []string{"/v1/expand", "/v1/preview"} {
			for _, encoding := range []string{"identity", "gzip"} {
				least, memory, status := 10*maxCPU, uint64(1)<<40, 0
				for range 3 { // what else runs in this process counts too: the cheapest of three is the request's own
					cpu, allocated, code := overHTTP(t, s.URL+path, body, encoding)
					least, memory, status = min(least, cpu), min(memory, allocated), code
				}
				if least > maxCPU || memory > maxMemory {
					t.Errorf("%s, %s, %s (%d): %s and %.1f MB, at most %s and %d MB", name, path, encoding, status, least,
						float64(memory)/1e6, maxCPU, maxMemory>>20)
				}
				if least > maxCPU/4 || memory > maxMemory/2 {
					t.Logf("%s, %s, %s (%d): %s, %.1f MB", name, path, encoding, status, least.Round(time.Millisecond), float64(memory)/1e6)
				}
				if status != 200 && status != 400 {
					t.Errorf("%s: status %d", name, status)
				}
			}
		}
	}
}

// overHTTP sends a body and reads the answer to its end.
func overHTTP(t *testing.T, url, body, encoding string) (cpu time.Duration, memory uint64, status int) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	started := processTime(t)
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Encoding", encoding)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
	cpu = processTime(t) - started
	runtime.ReadMemStats(&after)
	return cpu, after.TotalAlloc - before.TotalAlloc, answer.StatusCode
}

// processTime is the CPU time this process has used.
func processTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
