package expander

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/pay"
	"mappe/shared/recurrence"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
)

// gate lets through what it is made to: nil everything, as after a payment that is good.
type gate func(http.Handler) http.Handler

var passed gate

func (g gate) Wrap(next http.Handler) http.Handler {
	if g == nil {
		return next
	}
	return g(next)
}

func (gate) Requirements() pay.Requirements {
	return pay.Requirements{Scheme: "exact", Network: "eip155:84532", Amount: PriceAtomic}
}

func (gate) OpenAPIExtensions() map[string]any { return priceInfo() }

func handler(t testing.TB, d Deps) http.Handler {
	t.Helper()
	h, err := New(d).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// refused is an error as a client reads it.
type refused struct {
	Error, Code string
	Status      int
	Errors      []struct {
		Rule                      *int
		ID, Field, Value, Message string
	}
}

func TestPreviewAndExpandHaveOneShape(t *testing.T) {
	h := handler(t, Deps{Gate: passed})
	const rule = `{"rules":[{"id":"a","rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00","count":%d}]}`
	paid, free := ask(h, "POST", "/v1/expand", fmt.Sprintf(rule, 3)), ask(h, "POST", "/v1/preview", fmt.Sprintf(rule, 3))
	if paid.Code != 200 || free.Code != 200 || !bytes.Equal(paid.Body.Bytes(), free.Body.Bytes()) {
		t.Fatalf("%d %s\n%d %s", paid.Code, paid.Body, free.Code, free.Body)
	}
	var r recurrence.Response
	if err := json.Unmarshal(paid.Body.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	second := r.Results[0].Occurrences[1]
	if r.TotalOccurrences != 3 || second.Local.String() != "2027-03-28T03:30:00" || second.UTC.String() != "2027-03-28T01:30:00Z" ||
		second.Flags[0] != recurrence.NonexistentShifted {
		t.Errorf("got %s", paid.Body)
	}
	if r.Meta != recurrence.Versions() || r.Meta.TZDataVersion == "" {
		t.Errorf("meta %+v", r.Meta)
	}
	cut := ask(h, "POST", "/v1/preview", fmt.Sprintf(rule, 10))
	if err := json.Unmarshal(cut.Body.Bytes(), &r); err != nil || r.TotalOccurrences != 3 || !r.Results[0].Truncated {
		t.Errorf("a preview of ten: %s", cut.Body)
	}
	if w := ask(h, "POST", "/v1/expand", fmt.Sprintf(rule, 500)); w.Code != 200 || strings.Count(w.Body.String(), `"utc":`) != 500 {
		t.Errorf("500 occurrences: %d, %.200s", w.Code, w.Body)
	}
}

// TestBadInput is the list of issue and decisions: 400 with the rule's index, its id, the field, the value and
// what is allowed.
func TestBadInput(t *testing.T) {
	h := handler(t, Deps{Gate: passed})
	many := strings.Repeat(`{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00"},`, 26)
	one := func(members string) string {
		return `{"rules":[{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00"},{"id":"b",` + members + `}]}`
	}
	const rest = `"tz":"Europe/Vienna","start":"2026-01-01T00:00:00"`
	for _, c := range []struct {
		name, body   string
		rule         int // -1: the request itself
		field, value string
		allowed      string
	}{
		{"cron and rrule", one(`"cron":"0 0 * * *","rrule":"FREQ=DAILY",` + rest), 1, "cron", "0 0 * * *", "not both"},
		{"neither", one(rest), 1, "rrule", "", "cron or rrule"},
		{"an unknown zone", one(`"rrule":"FREQ=DAILY","tz":"Europe/Wien","start":"2026-01-01T00:00:00"`), 1, "tz", "Europe/Wien",
			"IANA"},
		{"a start in a gap that is rejected",
			one(`"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2026-03-29T02:30:00","disambiguation":"reject"`), 1, "start",
			"2026-03-29T02:30:00", "03:30"},
		{"a start with an offset", one(`"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2026-01-01T00:00:00+01:00"`), 1, "start",
			"2026-01-01T00:00:00+01:00", "offset"},
		{"a start before 1900", one(`"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"1899-12-31T23:59:59"`), 1, "start",
			"1899-12-31T23:59:59", "1900"},
		{"26 rules", `{"rules":[` + strings.TrimSuffix(many, ",") + `]}`, -1, "rules", "26 rules", "1 to 25"},
		{"no rules", `{"rules":[]}`, -1, "rules", "0 rules", "1 to 25"},
		{"limit 0", `{"limit":0,` + one(`"rrule":"FREQ=DAILY",` + rest)[1:], -1, "limit", "0", "1 to 500"},
		{"limit 501", `{"limit":501,` + one(`"rrule":"FREQ=DAILY",` + rest)[1:], -1, "limit", "501", "1 to 500"},
		{"count 0", one(`"count":0,"rrule":"FREQ=DAILY",` + rest), 1, "count", "0", "1 to 500"},
		{"count 501", one(`"count":501,"rrule":"FREQ=DAILY",` + rest), 1, "count", "501", "1 to 500"},
		{"COUNT=0", one(`"rrule":"FREQ=DAILY;COUNT=0",` + rest), 1, "rrule", "FREQ=DAILY;COUNT=0", "COUNT"},
		{"INTERVAL=0", one(`"rrule":"FREQ=DAILY;INTERVAL=0",` + rest), 1, "rrule", "FREQ=DAILY;INTERVAL=0", "INTERVAL"},
		{"BYDAY=-53MO", one(`"rrule":"FREQ=MONTHLY;BYDAY=-53MO",` + rest), 1, "rrule", "FREQ=MONTHLY;BYDAY=-53MO", "BYDAY"},
		{"UNTIL in another form", one(`"rrule":"FREQ=DAILY;UNTIL=2026-12-31",` + rest), 1, "rrule", "FREQ=DAILY;UNTIL=2026-12-31", "UNTIL"},
		{"a cron of six fields", one(`"cron":"0 0 0 * * *",` + rest), 1, "cron", "0 0 0 * * *", "five fields"},
	} {
		w := ask(h, "POST", "/v1/expand", c.body)
		var got refused
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Errors) == 0 {
			t.Errorf("%s: %d %.300s", c.name, w.Code, w.Body)
			continue
		}
		f := got.Errors[0]
		if w.Code != 400 || got.Status != 400 || got.Code == "" || got.Error == "" || f.Field != c.field ||
			!strings.Contains(f.Message, c.value) || !strings.Contains(f.Message, c.allowed) {
			t.Errorf("%s: want 400 with field %q, %q and %q, got %d %s", c.name, c.field, c.value, c.allowed, w.Code, w.Body)
		}
		if c.rule < 0 && f.Rule != nil || c.rule >= 0 && (f.Rule == nil || *f.Rule != c.rule || f.ID != "b") {
			t.Errorf("%s: want rule %d, got %s", c.name, c.rule, w.Body)
		}
	}
}

func TestWhatIsNoRequest(t *testing.T) {
	h := handler(t, Deps{Gate: passed})
	const good = `{"rules":[{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00","count":1}]}`
	for _, c := range []struct {
		name, method, path, body, contentType string
		status                                int
		code                                  string
	}{
		{"empty", "POST", "/v1/expand", "", "application/json", 400, "invalid_body"},
		{"no JSON", "POST", "/v1/expand", "rules", "application/json", 400, ""},
		{"a number for a text", "POST", "/v1/preview", `{"rules":[{"rrule":1}]}`, "application/json", 400, ""},
		{"an unknown member", "POST", "/v1/preview", `{"rulez":[]}`, "application/json", 400, ""},
		{"two values", "POST", "/v1/preview", good + good, "application/json", 400, ""},
		{"two rules for the preview", "POST", "/v1/preview",
			strings.Replace(good, "]", `,{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00"}]`, 1), "application/json", 400,
			""},
		{"a query", "POST", "/v1/expand?pretty=1", good, "application/json", 400, "unknown_parameter"},
		{"another method", "GET", "/v1/expand", "", "", 405, "method_not_allowed"},
		{"over 64 KiB", "POST", "/v1/expand", strings.Repeat(" ", recurrence.MaxBody) + good, "application/json", 413, "too_large"},
		{"another type", "POST", "/v1/expand", good, "text/plain", 415, "unsupported_media_type"},
		{"a form", "POST", "/v1/preview", good, "application/x-www-form-urlencoded", 415, "unsupported_media_type"},
		{"no such path", "GET", "/v2/expand", "", "", 404, "not_found"},
	} {
		w := ask(h, c.method, c.path, c.body, "Content-Type", c.contentType)
		var got refused
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != c.status || got.Error == "" ||
			c.code != "" && got.Code != c.code {
			t.Errorf("%s: want %d %s, got %d %s", c.name, c.status, c.code, w.Code, w.Body)
		} else if len(got.Errors) == 0 || got.Errors[0].Message == "" {
			t.Errorf("%s: no errors: %s", c.name, w.Body)
		}
	}
	if w := ask(h, "POST", "/v1/preview", good, "Content-Type", ""); w.Code != 200 {
		t.Errorf("a body without Content-Type: %d %s", w.Code, w.Body)
	}
}

func TestWithoutAGateTheRouteIsClosed(t *testing.T) {
	h := handler(t, Deps{})
	w := ask(h, "POST", "/v1/expand", `{"rules":[{"rrule":"FREQ=DAILY","tz":"UTC","start":"2026-01-01T00:00:00"}]}`)
	if w.Code != 503 || strings.Contains(w.Body.String(), "occurrences\":[") ||
		!strings.Contains(w.Body.String(), "payment is not configured") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/health", ""); !strings.Contains(w.Body.String(), `"payments":"closed"`) {
		t.Errorf("health: %s", w.Body)
	}
}

// TestTheGateComesFirst: a probe sees the price before anybody looks at its body.
func TestTheGateComesFirst(t *testing.T) {
	read := false
	unpaid := gate(func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(402) })
	})
	h := handler(t, Deps{Gate: unpaid})
	for _, body := range []string{"", "{", strings.Repeat("x", 1<<17)} {
		r := httptest.NewRequest("POST", "/v1/expand", io.TeeReader(strings.NewReader(body), writer(func() { read = true })))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 402 || read {
			t.Errorf("%.10q: %d, read %v", body, w.Code, read)
		}
	}
}

type writer func()

func (f writer) Write(p []byte) (int, error) { f(); return len(p), nil }

func TestTheSameRequestHasTheSameBytes(t *testing.T) {
	h := handler(t, Deps{Gate: passed})
	body := `{"rules":[` + strings.Repeat(`{"cron":"*/7 * * * *","tz":"Europe/Vienna","start":"2026-03-28T22:00:00","count":500},`, 24) +
		`{"rrule":"FREQ=HOURLY","tz":"America/New_York","start":"2026-10-31T00:00:00","count":500}]}`
	plain := ask(h, "POST", "/v1/expand", body)
	if plain.Code != 200 || !json.Valid(plain.Body.Bytes()) {
		t.Fatalf("%d %.300s", plain.Code, plain.Body)
	}
	for range 3 {
		if w := ask(h, "POST", "/v1/expand", body); !bytes.Equal(w.Body.Bytes(), plain.Body.Bytes()) {
			t.Fatal("two answers differ")
		}
	}
	packed := ask(h, "POST", "/v1/expand", body, "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(packed.Body)
	if err != nil || packed.Header().Get("Content-Encoding") != "gzip" {
		t.Fatal(err, packed.Header())
	}
	if b, err := io.ReadAll(z); err != nil || !bytes.Equal(b, plain.Body.Bytes()) {
		t.Errorf("the packed answer differs: %v", err)
	}
}

func TestIndexForProgramsAndPeople(t *testing.T) {
	h := handler(t, Deps{Gate: passed})
	w := ask(h, "GET", "/", "")
	var index indexBody
	if err := json.Unmarshal(w.Body.Bytes(), &index); err != nil || index.Price.Amount != "0.02" || index.Limits.Expand.Rules != 25 ||
		len(index.Endpoints) < 6 {
		t.Errorf("%v %s", err, w.Body)
	}
	html := ask(h, "GET", "/", "", "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	if got := html.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/html") ||
		!strings.Contains(html.Body.String(), `value="Europe/Vienna"`) {
		t.Errorf("%s %.200s", got, html.Body)
	}
	policy := html.Header().Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || !strings.Contains(policy, htmlpage.Hash(pageJS)) {
		t.Errorf("policy %s", policy)
	}
	if !strings.Contains(html.Body.String(), "<script>"+pageJS+"</script>") ||
		!strings.Contains(html.Body.String(), "<style>"+pageCSS+"</style>") {
		t.Error("the page does not hold what its policy names")
	}
	for _, w := range []*httptest.ResponseRecorder{w, html} {
		if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept") {
			t.Errorf("Vary: %v", w.Header()["Vary"])
		}
	}
}

func TestDiscovery(t *testing.T) {
	for _, c := range []struct{ public, prefix, want string }{
		{"", "", "http://example.com/v1/expand"},
		{"", "/expander", "http://example.com/expander/v1/expand"},
		{"https://api.example/expander/", "/expander", "https://api.example/expander/v1/expand"},
	} {
		h := endpoint.Mount(c.prefix, handler(t, Deps{PublicURL: c.public, Gate: passed}))
		var d discoveryBody
		if w := ask(h, "GET", c.prefix+"/.well-known/x402", "", "X-Forwarded-Proto", "https"); json.Unmarshal(w.Body.Bytes(), &d) != nil ||
			d.Version != 1 || len(d.Resources) != 1 || d.Resources[0] != c.want {
			t.Errorf("want %s, got %s", c.want, w.Body)
		}
		if w := ask(h, "GET", c.prefix+"/.well-known/x402.json", ""); !strings.Contains(w.Body.String(),
			`"resource":"`+c.want+`","type":"http","x402Version":2,`+
				`"accepts":[{"scheme":"exact","network":"eip155:84532","amount":"20000"`) {
			t.Errorf("got %s", w.Body)
		}
	}
}

// Who asks under another name is told the address of the connection.
func TestHostIsNotBelieved(t *testing.T) {
	s := httptest.NewServer(endpoint.Mount("/expander", handler(t, Deps{Gate: passed})))
	defer s.Close()
	for _, path := range []string{"/.well-known/x402", "/.well-known/x402.json"} {
		r, err := http.NewRequest("GET", s.URL+"/expander"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "evil.example"
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if b, err := io.ReadAll(answer.Body); err != nil || strings.Contains(string(b), "evil") ||
			!strings.Contains(string(b), s.URL+"/expander/v1/expand") {
			t.Errorf("%s: %s, %v", path, b, err)
		}
	}
}

func TestPrefix(t *testing.T) {
	for public, want := range map[string]string{"": "/expander", "https://a.example/expander": "/expander",
		"https://a.example/expander/": "/expander", "https://expander.example": "", "https://expander.example/": ""} {
		if got := Prefix(public); got != want {
			t.Errorf("%s: %q", public, got)
		}
	}
}

func TestWhatOpenAPISaysOfThePrice(t *testing.T) {
	b, err := New(Deps{}).OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Info *struct {
				Protocols []map[string]any
				Price     struct{ Mode, Currency, Amount string }
			} `json:"x-payment-info"`
			Responses map[string]any
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	op := doc.Paths["/v1/expand"]["post"]
	if op.Info == nil || op.Info.Price.Mode != "fixed" || op.Info.Price.Currency != "USD" || op.Info.Price.Amount != "0.02" ||
		op.Info.Protocols[0]["x402"] == nil {
		t.Errorf("x-payment-info: %+v", op.Info)
	}
	for _, status := range []string{"200", "400", "402", "409", "413", "415", "502", "503", "504"} {
		if op.Responses[status] == nil {
			t.Errorf("%s is not described", status)
		}
	}
	if doc.Paths["/v1/preview"]["post"].Info != nil {
		t.Error("the preview has a price")
	}
}

func TestMetricsComeFromTheEventLog(t *testing.T) {
	var days []pay.Day
	for i := range 40 {
		days = append(days, pay.Day{Day: fmt.Sprintf("2026-%02d-%02d", 10+i/28, i%28+1),
			Counts: pay.Counts{pay.ProbeUnpaid: 2, pay.Settled: 1, pay.Revenue: 20000}})
	}
	events := func(context.Context) ([]pay.Day, error) { return days, nil }
	w := ask(handler(t, Deps{Gate: passed, Events: events}), "GET", "/v1/metrics", "")
	var got metricsBody
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err, w.Body)
	}
	if got.Payments != "open" || got.Since != "2026-10-01" || got.Totals["probes_unpaid"] != 80 || got.Totals["revenue_atomic"] != 800000 ||
		got.Totals["replays"] != 0 ||
		len(got.Days) != 31 || got.Days[30].Day != "2026-11-12" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%s %v", w.Body, w.Header())
	}
	if w := ask(handler(t, Deps{}), "GET", "/v1/metrics", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"probes_unpaid":0`) {
		t.Errorf("without a log: %d %s", w.Code, w.Body)
	}
	broken := func(context.Context) ([]pay.Day, error) { return nil, io.ErrUnexpectedEOF }
	if w := ask(handler(t, Deps{Events: broken}), "GET", "/v1/metrics", ""); w.Code != 503 || strings.Contains(w.Body.String(), "EOF") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestPreviewsAreBounded(t *testing.T) {
	taken := make(slots, 1)
	done, ok := taken.acquire(t.Context())
	if !ok {
		t.Fatal("no slot although none is taken")
	}
	gone, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, ok := taken.acquire(gone); ok {
		t.Error("two slots of one")
	}
	done()
	if done, ok := taken.acquire(t.Context()); !ok {
		t.Error("a slot that was released is lost")
	} else {
		done()
	}
	e := &expander{slots: make(slots, 1)}
	e.slots <- struct{}{}
	if _, err := e.preview().Serve(gone, nil); err == nil || !strings.Contains(err.Error(), "at most 1 at a time") {
		t.Errorf("got %v", err)
	}
}
