package expander

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fullBody is a request of the largest answer: 25 rules of 500 occurrences in five zones.
func fullBody(rules ...string) string {
	zones := []string{"Europe/Vienna", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo"}
	var list []string
	for i := range 25 {
		list = append(list, `{`+rules[i%len(rules)]+`,"tz":"`+zones[i/5]+`","start":"2026-01-15T09:00:00","count":500}`)
	}
	return `{"rules":[` + strings.Join(list, ",") + `]}`
}

// discard is an answer that is thrown away.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkExpand is a request without the network: 12,500 occurrences.
func BenchmarkExpand(b *testing.B) {
	h := handler(b, Deps{Gate: passed})
	for name, body := range map[string]string{
		"rules": fullBody(`"rrule":"FREQ=DAILY"`, `"rrule":"FREQ=WEEKLY;BYDAY=MO,WE,FR"`, `"rrule":"FREQ=MONTHLY;BYDAY=2TU"`,
			`"rrule":"FREQ=MONTHLY;BYMONTHDAY=-1"`, `"rrule":"FREQ=DAILY;INTERVAL=3;BYHOUR=9,14;BYMINUTE=30"`),
		"crons": fullBody(`"cron":"*/15 * * * *"`, `"cron":"0 9 * * 1-5"`, `"cron":"30 2 * * *"`, `"cron":"0 0 1 * *"`,
			`"cron":"15 6,18 * * SUN"`),
	} {
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
			b.Run(name+"/"+encoding, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r := httptest.NewRequest("POST", "/v1/expand", bytes.NewReader([]byte(body)))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("Accept-Encoding", encoding)
					h.ServeHTTP(&discard{http.Header{}}, r)
				}
			})
		}
	}
}
