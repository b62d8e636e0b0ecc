package nominatim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const vienna = `[{"place_id":1,"licence":"Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright","osm_type":"way","osm_id":25427674,"lat":"48.2084","lon":"16.3725","category":"highway","type":"pedestrian",
"importance":0.4,"display_name":"Stephansplatz, Innere Stadt, Wien, 1010, Österreich","address":{"road":"Stephansplatz","city":"Wien","postcode":"1010","country_code":"at","municipality":"Wien"},"boundingbox":["48.2080","48.2090","16.3720","16.3731"]}]`

// clock is a time that goes on by sleeping only.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	slept time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.slept = c.at.Add(d), c.slept+d
	return ctx.Err()
}

func (c *clock) pass(d time.Duration) { _ = c.sleep(context.Background(), d) }

// client is one of a stand-in, with a clock of its own.
func client(t *testing.T, h http.HandlerFunc) (*Client, *clock) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := New(server.URL+"/search", "test@example.org")
	if err != nil {
		t.Fatal(err)
	}
	k := &clock{at: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	c.now, c.sleep = k.now, k.sleep
	return c, k
}

// TestWhatIsAsked: one request with all that the rules of public geocoders want, and its places.
func TestWhatIsAsked(t *testing.T) {
	requests := make(chan *http.Request, 1)
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		requests <- r
		fmt.Fprint(w, vienna)
	})
	a, err := c.Search(t.Context(), "  Stephansplatz,\tWien ")
	if err != nil || len(a.Places) != 1 || a.Kept || a.Source != c.Name() {
		t.Fatalf("%+v, %v", a, err)
	}
	got := <-requests
	want := url.Values{"q": {"stephansplatz, wien"}, "format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"10"}, "countrycodes": {"at"},
		"viewbox": {viewbox}, "bounded": {"1"}, "accept-language": {"de"}}
	if got.URL.Path != "/search" || got.URL.RawQuery != want.Encode() || got.UserAgent() != "Mappe (test@example.org)" {
		t.Errorf("%s %s", got.URL, got.UserAgent())
	}
	p := a.Places[0]
	if p.Name != "Stephansplatz, Innere Stadt, Wien, 1010, Österreich" || p.At.X != 163_725_000 || p.At.Y != 482_084_000 ||
		p.OSMType != "way" || p.OSMID != 25427674 || p.Class != "highway" || p.Type != "pedestrian" ||
		p.Road != "Stephansplatz" || p.City != "Wien" || p.Postcode != "1010" || p.Importance != 0.4 ||
		!strings.Contains(p.Licence, "ODbL") || p.Box.MinX != 163_720_000 || p.Box.MaxY != 482_090_000 {
		t.Errorf("%+v", p)
	}
}

// TestThePace: one request a second, whoever asks; who would wait for more than two is turned away, and what was
// answered once is answered from memory for a day.
func TestThePace(t *testing.T) {
	var asked atomic.Int32
	c, k := client(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, vienna)
	})
	start := k.now()
	for i := range 5 {
		if _, err := c.Search(t.Context(), fmt.Sprint("a", i)); err != nil {
			t.Fatal(err)
		}
	}
	if took := k.now().Sub(start); took != 4*time.Second || asked.Load() != 5 {
		t.Errorf("5 questions took %s and %d requests", took, asked.Load())
	}
	if a, err := c.Search(t.Context(), "A0"); err != nil || !a.Kept || asked.Load() != 5 {
		t.Errorf("the same again: %+v, %v, %d requests", a, err, asked.Load())
	}
	k.pass(keep + time.Second)
	if a, err := c.Search(t.Context(), "a0"); err != nil || a.Kept || asked.Load() != 6 {
		t.Errorf("after a day: %+v, %v, %d requests", a, err, asked.Load())
	}
	// A clock that stands: turns are taken, and nobody sleeps.
	c.sleep = func(context.Context, time.Duration) error { return nil }
	k.pass(time.Minute)
	busy := 0
	for i := range 10 {
		if _, err := c.Search(t.Context(), fmt.Sprint("b", i)); errors.Is(err, ErrBusy) {
			busy++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if busy != 7 {
		t.Errorf("%d of 10 at once were turned away, want 7", busy)
	}
}

// TestAtOnce: many goroutines ask for few texts; the pace holds, and all get answers or are turned away.
func TestAtOnce(t *testing.T) {
	var asked atomic.Int32
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, "[]")
	})
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			if a, err := c.Search(t.Context(), fmt.Sprint("q", i%4)); err != nil && !errors.Is(err, ErrBusy) ||
				err == nil && len(a.Places) != 0 {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	group.Wait()
	if n := asked.Load(); n == 0 || n > 64 {
		t.Errorf("%d requests", n)
	}
}

// TestRefusals: after each the geocoder is left alone for as long as it says, or for a while.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		rest   time.Duration
	}{
		{"429 that says how long", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(429)
		}, 120 * time.Second},
		{"429 that says a year", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(429)
		}, maxRest},
		{"429 that says nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }, refused},
		{"403", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, refused},
		{"500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, rest},
		{"503 that says how long", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "20"); w.WriteHeader(503) },
			20 * time.Second},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, refused},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, rest},
		{"null", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "null") }, rest},
		{"an object", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"error":"no"}`) }, rest},
		{"half an answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999")
			fmt.Fprint(w, vienna[:100])
		}, rest},
		{"too much", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "["+strings.Repeat(" ", maxBody)+"]") }, rest},
		{"not UTF-8", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[{\"display_name\":\"\xff\"}]") }, rest},
		{"a header without end", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 64<<10)) }, rest},
		{"nothing", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, rest},
	} {
		var asked atomic.Int32
		up, k := client(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			c.answer(w, r)
		})
		if _, err := up.Search(t.Context(), "a"); !errors.Is(err, ErrFailed) {
			t.Errorf("%s: %v", c.name, err)
		}
		k.pass(c.rest - time.Second)
		if _, err := up.Search(t.Context(), "b"); !errors.Is(err, ErrBusy) || asked.Load() != 1 {
			t.Errorf("%s: %v after %d requests, while it is left alone", c.name, err, asked.Load())
		}
		k.pass(time.Second)
		if _, err := up.Search(t.Context(), "a"); !errors.Is(err, ErrFailed) || asked.Load() != 2 {
			t.Errorf("%s: %v after %d requests: a failure is not remembered, and is tried again", c.name, err, asked.Load())
		}
	}
}

// TestASlowGeocoder: it is given its time and no more, and who leaves waits no longer.
func TestASlowGeocoder(t *testing.T) {
	stop := make(chan struct{})
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	defer close(stop)
	c.http.Timeout = 30 * time.Millisecond
	if _, err := c.Search(t.Context(), "a"); !errors.Is(err, ErrFailed) {
		t.Errorf("%v", err)
	}
	c, _ = client(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := c.Search(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a request that was given up: %v", err)
	}
	if err := pause(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a wait that was given up: %v", err)
	}
}

func TestSettings(t *testing.T) {
	env := func(address, contact string) func(string) string {
		return func(name string) string { return map[string]string{Address: address, Contact: contact}[name] }
	}
	if c, err := FromEnvironment(env("", "")); c != nil || err != nil {
		t.Errorf("nothing set: %v, %v", c, err)
	}
	if c, err := FromEnvironment(env("https://nominatim.example/search", "https://example.org/contact")); c == nil || err != nil ||
		c.Name() != "nominatim.example" {
		t.Errorf("%v, %v", c, err)
	}
	for _, bad := range [][2]string{{"nominatim.example", "a@b"}, {"ftp://a/b", "a@b"}, {"https://", "a@b"},
		{"https://user:word@a/b", "a@b"}, {"https://a/b?key=1", "a@b"}, {"https://a/b", ""}, {"https://a/b", "a\r\nX: y"},
		{"https://a/b", strings.Repeat("a", 201)}} {
		if c, err := FromEnvironment(env(bad[0], bad[1])); err == nil || c != nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestMemory keeps to its budget, and the last used stay.
func TestMemory(t *testing.T) {
	m := newMemory()
	m.budget = 10_000
	now := time.Now()
	a := Answer{Places: []Place{{Name: strings.Repeat("x", 200)}}}
	for i := range 100 {
		m.put(fmt.Sprint(i), a, now)
		if _, ok := m.get("0", now); !ok {
			t.Fatalf("what is used again and again went with the %dth", i)
		}
		if m.bytes > m.budget || len(m.by) != m.order.Len() {
			t.Fatalf("%d bytes of %d, %d and %d entries", m.bytes, m.budget, len(m.by), m.order.Len())
		}
	}
	m.put("0", Answer{}, now)
	if got, ok := m.get("0", now); !ok || got.Places != nil {
		t.Errorf("the newer answer: %v", got)
	}
	if len(m.by) < 10 {
		t.Errorf("%d entries", len(m.by))
	}
	for key := range m.by {
		m.get(key, now.Add(keep))
	}
	if m.bytes != 0 || m.order.Len() != 0 {
		t.Errorf("after a day: %d bytes, %d entries", m.bytes, m.order.Len())
	}
}

// TestHostileAnswers: what cannot be a place is passed over, and no text brings more than a line.
func TestHostileAnswers(t *testing.T) {
	place := func(change string) string {
		return `{"display_name":"Ort","lat":"48.2","lon":"16.3",` + change + `"type":"house"}`
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"empty":   {`[]`, 0},
		"one":     {`[` + place("") + `]`, 1},
		"numbers": {`[{"display_name":"Ort","lat":48.2,"lon":16.3}]`, 1},
		"others":  {`[1,null,"x",[],{},` + place("") + `]`, 1},
		"abroad": {`[` + place(`"address":{"country_code":"de"},`) +
			`,{"display_name":"Berlin","lat":"52.5","lon":"13.4"}]`, 0},
		"no position":   {`[{"display_name":"Ort"},{"display_name":"Ort","lat":"NaN","lon":"16"},{"display_name":"Ort","lat":"1e999","lon":"16"},{"display_name":"Ort","lat":[48],"lon":16}]`, 0},
		"no name":       {`[{"lat":"48.2","lon":"16.3"},{"display_name":" \u0000\u202e ","lat":"48.2","lon":"16.3"}]`, 0},
		"another type":  {`[{"display_name":{"a":1},"lat":"48.2","lon":"16.3"},` + place("") + `]`, 1},
		"invalid boxes": {`[` + place(`"boundingbox":["49","48","17","16"],`) + `,` + place(`"boundingbox":["x"],`) + `]`, 2},
		"too many":      {`[` + strings.TrimSuffix(strings.Repeat(place("")+",", 50), ",") + `]`, MaxPlaces},
		"importance of any size": {`[` + place(`"importance":1e300,`) + `,` + place(`"importance":"-5",`) + `,` +
			place(`"importance":null,`) + `]`, 3},
		"ids of any size": {`[` + place(`"osm_type":"node","osm_id":1e400,`) + `,` + place(`"osm_type":"robot","osm_id":5,`) + `]`,
			2},
	} {
		got, err := Parse([]byte(c.body))
		if err != nil || len(got) != c.want {
			t.Errorf("%s: %d places, want %d: %v %+v", name, len(got), c.want, err, got)
		}
		for _, p := range got {
			checkPlace(t, p)
		}
	}
	long, err := Parse([]byte(`[{"display_name":"` + strings.Repeat("ä\\n<script>", 1000) + `","lat":"48.2","lon":"16.3"}]`))
	if err != nil || len(long) != 1 || len(long[0].Name) > maxText || strings.Contains(long[0].Name, "\n") ||
		long[0].Licence != DefaultLicence {
		t.Errorf("%+v, %v", long, err)
	}
}

// checkPlace holds what every place keeps.
func checkPlace(t *testing.T, p Place) {
	t.Helper()
	if !austria.Contains(p.At) || p.Name == "" || p.Licence == "" || !(p.Importance >= 0 && p.Importance <= 1) || p.Box.Empty() ||
		(p.OSMType == "") != (p.OSMID == 0) || p.OSMID < 0 {
		t.Errorf("%+v", p)
	}
	for _, s := range []string{p.Name, p.Class, p.Type, p.Licence, p.Road, p.HouseNumber, p.City, p.Municipality, p.State, p.Postcode} {
		if len(s) > maxText || strings.ContainsAny(s, "\n\r\x00") {
			t.Errorf("text %q", s)
		}
	}
}

// FuzzParse: any answer gives places that keep the rules, or an error.
func FuzzParse(f *testing.F) {
	for _, s := range []string{vienna, "[]", "null", `[{"lat":"1e309"}]`,
		`[{"display_name":"a","lat":48,"lon":16,"boundingbox":[1,2,3,4],"osm_type":"node","osm_id":"7"}]`, `[[[[[[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		places, err := Parse(body)
		if err != nil && places != nil || len(places) > MaxPlaces {
			t.Errorf("%d places and %v", len(places), err)
		}
		for _, p := range places {
			checkPlace(t, p)
		}
	})
}
