package feedback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/web/endpoint"
)

type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newLedger(t *testing.T) ledger.Ledger {
	t.Helper()
	l := sqlitetest.Open(t, sqlite.Options{})
	return l
}

// intake is a service over a new ledger with a clock of its own.
func intake(t *testing.T) (http.Handler, *Intake, *clock) {
	t.Helper()
	c := &clock{at: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	in := NewIntake(newLedger(t), "cadastre", c.Now)
	return handler(t, Deps{Intake: in, Now: c.Now}), in, c
}

func handler(t *testing.T, d Deps) http.Handler {
	t.Helper()
	h, err := (&endpoint.Service{System: "cadastre", Title: "Test", Endpoints: New(d)}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// send asks from a client address.
func send(h http.Handler, client, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr = client + ":4711"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestReportsAreTakenAndListed(t *testing.T) {
	h, _, c := intake(t)
	full := `{"title":" <b>Hello</b> ","agent":"me","category":"bug","severity":"high","description":"line 1\nline 2 <script>","endpoint":"/api/v1/query","context":{ "a" : [1, {"b": "}"}] }}`
	w := send(h, "192.0.2.1", "POST", "/api/v1/feedback", full)
	if w.Code != 201 || strings.TrimSpace(w.Body.String()) != `{"status":"created","id":"fb-1","message":"Thank you for the report."}` {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	c.pass(time.Second)
	if w = send(h, "192.0.2.1", "POST", "/api/v1/feedback", full); w.Code != 200 || !strings.Contains(w.Body.String(), `"id":"fb-1"`) {
		t.Errorf("a repeat: want 200 and the same id, got %d %s", w.Code, w.Body)
	}
	if w = send(h, "192.0.2.1", "POST", "/api/v1/feedback", `{"title":"second"}`); w.Code != 201 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	w = send(h, "192.0.2.1", "GET", "/api/v1/feedback?status=open&limit=5", "")
	want := `{"feedback":[` +
		`{"id":"fb-2","agent":"","category":"other","severity":"normal","status":"open","title":"second","description":"","endpoint":"","context":null,"created_at":"2026-11-01T12:00:01Z"},` +
		`{"id":"fb-1","agent":"me","category":"bug","severity":"high","status":"open","title":"<b>Hello</b>","description":"line 1\nline 2 <script>","endpoint":"/api/v1/query","context":{"a":[1,{"b":"}"}]},"created_at":"2026-11-01T12:00:00Z"}],` +
		`"meta":{"open":2,"returned":2,"timestamp":"2026-11-01T12:00:01Z","total":2}}`
	var got, expected any
	if err := errors.Join(json.Unmarshal(w.Body.Bytes(), &got), json.Unmarshal([]byte(want), &expected)); err != nil ||
		fmt.Sprint(got) != fmt.Sprint(expected) {
		t.Errorf("want %s\ngot  %s (%v)", want, w.Body, err)
	}
	if typ := w.Header().Get("Content-Type"); !strings.HasPrefix(typ, "application/json") ||
		w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a listing is text, never a page, and kept by nobody: got %v", w.Header())
	}
	if w = send(h, "192.0.2.1", "GET", "/api/v1/feedback?limit=1", ""); !strings.Contains(w.Body.String(), `"open":2,"returned":1`) {
		t.Errorf("the total is of all reports: %s", w.Body)
	}
}

func TestBadReports(t *testing.T) {
	h, _, _ := intake(t)
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for i, c := range []struct{ name, body, want string }{
		{"no title", `{}`, "parameter title is required: expected a text of 1 to 200 characters"},
		{"blank title", `{"title":"  "}`, "parameter title is required"},
		{"long title", `{"title":"` + strings.Repeat("ä", 201) + `"}`, "at most 200 characters, and not 201"},
		{"two lines of title", `{"title":"a\nb"}`, "without control characters"},
		{"escape sequence", `{"title":"a","description":"\u001b[31m"}`, "parameter description"},
		{"long description", `{"title":"a","description":"` + strings.Repeat("x", 20_001) + `"}`,
			"at most 20000 characters, and not 20001"},
		{"category", `{"title":"a","category":"bugs"}`, "one of bug, feature, improvement, question, other"},
		{"contact without a token", `{"title":"a","contact":"me@example.org"}`, "parameter contact"},
		{"category token is another service's", `{"title":"a","category":"token"}`, "parameter category"},
		{"severity", `{"title":"a","severity":"urgent"}`, "one of critical, high, normal, low"},
		{"context is no object", `{"title":"a","context":[1]}`, "a JSON object"},
		{"large context", `{"title":"a","context":{"a":"` + strings.Repeat("x", 16<<10) + `"}}`, "at most 16384 bytes"},
		{"deep context", `{"title":"a","context":` + deep + `}`, "at most 32 deep"},
		{"unknown member", `{"title":"a","sevrity":"low"}`, "severity"},
		{"no JSON", `title=a`, "not JSON"},
	} {
		w := send(h, fmt.Sprintf("192.0.2.%d", i+1), "POST", "/api/v1/feedback", c.body)
		if w.Code != 400 || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: want 400 with %q, got %d %s", c.name, c.want, w.Code, w.Body)
		}
	}
	if w := send(h, "198.51.100.1", "POST", "/api/v1/feedback", `{"title":"a","description":"`+strings.Repeat("x",
		maxBody)+`"}`); w.Code != 413 {
		t.Errorf("a large body: want 413, got %d", w.Code)
	}
	limits := `{"title":"` + strings.Repeat("ä", 200) + `","description":"` + strings.Repeat(`\ud83d\ude00`,
		20_000) + `","context":{"a":"` + strings.Repeat("x", 16<<10-8) + `"}}`
	if w := send(h, "198.51.100.2", "POST", "/api/v1/feedback", limits); w.Code != 201 {
		t.Errorf("everything at its limit: want 201, got %d %.200s", w.Code, w.Body)
	}
	for _, target := range []string{"/api/v1/feedback?limit=101", "/api/v1/feedback?limit=0", "/api/v1/feedback?status=closed",
		"/api/v1/feedback?state=open"} {
		if w := send(h, "192.0.2.1", "GET", target, ""); w.Code != 400 {
			t.Errorf("%s: want 400, got %d", target, w.Code)
		}
	}
}

// A service that issues tokens takes requests for them: with a contact, which no listing shows and the ledger has.
func TestRequestsForTokens(t *testing.T) {
	c := &clock{at: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	in := NewIntake(newLedger(t), "context", c.Now)
	h := handler(t, Deps{Intake: in, Now: c.Now, Categories: WithToken()})
	const target, contact = "/api/v1/feedback", "observer@example.org"
	for body, want := range map[string]string{
		`{"title":"a token","category":"token"}`:                                                     "parameter contact is required",
		`{"title":"a token","category":"token","contact":" "}`:                                       "parameter contact is required",
		`{"title":"a token","category":"token","contact":"a\nb"}`:                                    "without control characters",
		`{"title":"a token","category":"token","contact":"` + strings.Repeat("x", maxShort+1) + `"}`: "at most 500 characters",
		`{"title":"a token","category":"bug","contact":"` + contact + `"}`:                           "only requests for a token",
	} {
		if w := send(h, "192.0.2.1", "POST", target, body); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: want 400 with %q, got %d %s", body, want, w.Code, w.Body)
		}
	}
	if w := send(h, "192.0.2.1", "POST", target, `{"title":"a token","category":"token","contact":" `+contact+` "}`); w.Code != 201 {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	if w := send(h, "192.0.2.2", "POST", target, `{"title":"a token","category":"token","contact":"other@example.org"}`); w.Code != 201 ||
		!strings.Contains(w.Body.String(), "fb-2") {
		t.Errorf("the same words of somebody else are another request: got %d %s", w.Code, w.Body)
	}
	if w := send(h, "192.0.2.1", "GET", target, ""); !strings.Contains(w.Body.String(), `"category":"token"`) ||
		strings.Contains(w.Body.String(), "example.org") {
		t.Errorf("the listing is public: %s", w.Body)
	}
	kept, err := in.ledger.Get(t.Context(), ledger.Key{Partition: Partition("context"), Sort: sortKey(1)})
	if err != nil || !strings.Contains(string(kept.Value), `"contact":"`+contact+`"`) {
		t.Errorf("the ledger has whom to answer: got %s, %v", kept.Value, err)
	}
}

// A client that floods is refused before its body is read, and nobody else is.
func TestAFlood(t *testing.T) {
	h, _, c := intake(t)
	for i := range 12 {
		w := send(h, "192.0.2.1", "POST", "/api/v1/feedback", fmt.Sprintf(`{"title":"t%d"}`, i))
		if want := map[bool]int{true: 201, false: 429}[i < 10]; w.Code != want {
			t.Fatalf("report %d: want %d, got %d %s", i+1, want, w.Code, w.Body)
		}
		if w.Code == 429 && (w.Header().Get("Retry-After") != "30" || !strings.Contains(w.Body.String(), `"status":429`)) {
			t.Errorf("got %v %s", w.Header(), w.Body)
		}
	}
	if w := send(h, "192.0.2.2", "POST", "/api/v1/feedback", `{"title":"another client"}`); w.Code != 201 {
		t.Errorf("another client: got %d", w.Code)
	}
	c.pass(31 * time.Second)
	if w := send(h, "192.0.2.1", "POST", "/api/v1/feedback", `{"title":"later"}`); w.Code != 201 {
		t.Errorf("half a minute later: got %d", w.Code)
	}
}

// All clients together may send a day's reports, and the next day's when the day is over.
func TestADayIsFull(t *testing.T) {
	_, in, c := intake(t)
	for i := range maxDaily {
		if _, created, err := in.Add(t.Context(), Report{Title: fmt.Sprint(i)}); !created || err != nil {
			t.Fatal(i, created, err)
		}
	}
	if _, _, err := in.Add(t.Context(), Report{Title: "one more"}); !errors.Is(err, errFull) {
		t.Errorf("want the day full, got %v", err)
	}
	c.pass(24 * time.Hour)
	if r, created, err := in.Add(t.Context(), Report{Title: "one more"}); err != nil || !created || r.ID != "fb-1001" {
		t.Errorf("the next day: %v %v %v", r.ID, created, err)
	}
}

// Writers at once get numbers of their own, without gaps.
func TestWritersAtOnce(t *testing.T) {
	_, in, _ := intake(t)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 10 {
				if _, created, err := in.Add(context.Background(), Report{Title: fmt.Sprint(g, "-", i)}); err != nil || !created {
					t.Error(created, err)
				}
			}
		})
	}
	wg.Wait()
	list, n, err := in.List(t.Context(), 100)
	if err != nil || n != 40 || len(list) != 40 {
		t.Fatalf("want 40 reports, got %d of %d, %v", len(list), n, err)
	}
	titles := map[string]bool{}
	for i, r := range list {
		if r.ID != id(40-i) || titles[r.Title] {
			t.Errorf("place %d: %s %q", i, r.ID, r.Title)
		}
		titles[r.Title] = true
	}
}

// failing fails writes: unwritten, or after they were stored.
type failing struct {
	ledger.Ledger
	stored bool
	left   int
}

var errBroken = errors.New("broken")

func (f *failing) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if f.left--; f.left < 0 {
		return f.Ledger.Put(ctx, r, was)
	}
	if f.stored {
		_, _ = f.Ledger.Put(ctx, r, was)
	}
	return 0, errBroken
}

// A write whose answer was lost is repeated by the client, and the report stands once.
func TestALostAnswer(t *testing.T) {
	for _, written := range []bool{false, true} {
		l := &failing{Ledger: newLedger(t), stored: written, left: 1}
		h := handler(t, Deps{Intake: NewIntake(l, "cadastre", nil)})
		body := `{"title":"once"}`
		if w := send(h, "192.0.2.1", "POST", "/api/v1/feedback", body); w.Code != 503 || w.Header().Get("Retry-After") == "" ||
			strings.Contains(w.Body.String(), "broken") {
			t.Errorf("stored %v: want 503 that quotes nothing, got %d %s", written, w.Code, w.Body)
		}
		if w := send(h, "192.0.2.1", "POST", "/api/v1/feedback", body); w.Code/100 != 2 || !strings.Contains(w.Body.String(), `"fb-1"`) {
			t.Errorf("stored %v: the repeat: %d %s", written, w.Code, w.Body)
		}
		if _, n, err := NewIntake(l, "cadastre", nil).List(t.Context(), 10); n != 1 || err != nil {
			t.Errorf("stored %v: %d reports, %v", written, n, err)
		}
	}
}

func TestWithoutALedger(t *testing.T) {
	h := handler(t, Deps{})
	for _, m := range []string{"GET", "POST"} {
		if w := send(h, "192.0.2.1", m, "/api/v1/feedback", `{"title":"a"}`); w.Code != 503 {
			t.Errorf("%s: want 503, got %d", m, w.Code)
		}
	}
}

func FuzzReport(f *testing.F) {
	f.Add(`{"title":"a","context":{"a":"\"}"}}`)
	f.Add(`{"title":"a\u0000","description":"\ud800"}`)
	f.Fuzz(func(t *testing.T, body string) {
		var r Report
		if json.Unmarshal([]byte(body), &r) != nil {
			return
		}
		n, err := r.normal(Categories())
		if err != nil {
			return
		}
		again, err := n.normal(Categories())
		if err != nil || again.digest() != n.digest() {
			t.Errorf("a checked report is not checked the same: %v\n%+v\n%+v", err, n, again)
		}
		if len(n.Context) > maxContext || !json.Valid(n.Context) {
			t.Errorf("context %q", n.Context)
		}
	})
}
