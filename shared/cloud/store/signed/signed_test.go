package signed

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// harness is a signed store behind a server, with a clock that the test moves.
type harness struct {
	*Store
	clock *ledgertest.Clock
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	r := &harness{clock: ledgertest.NewClockAt(time.Unix(1_800_000_000, 0))}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.ServeHTTP(w, q) }))
	t.Cleanup(server.Close)
	var err error
	if r.Store, err = New(mem.New(), server.URL+"/files/", []byte("0123456789abcdef"), r.clock.Now); err != nil {
		t.Fatal(err)
	}
	return r
}

func send(t *testing.T, method, address string, body io.Reader, once bool) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	if once {
		q.Header.Set("If-None-Match", "*")
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, string(b)
}

// TestContract: what every store with addresses does.
func TestContract(t *testing.T) {
	storetest.RunPresigner(t, func(t *testing.T) storetest.Presigning { return newHarness(t) })
}

// TestAPut: an address takes its own bytes once, and nothing else.
func TestAPut(t *testing.T) {
	const body = "a manuscript"
	for name, c := range map[string]struct {
		change func(address string) string
		body   io.Reader
		header bool
		after  time.Duration
		method string
		want   int
	}{
		"as it says":       {body: strings.NewReader(body), header: true, want: 200},
		"a byte too many":  {body: strings.NewReader(body + "!"), header: true, want: 403},
		"a byte too few":   {body: strings.NewReader(body[1:]), header: true, want: 403},
		"no length":        {body: io.MultiReader(strings.NewReader(body)), header: true, want: 411},
		"without its head": {body: strings.NewReader(body), want: 403},
		"too late":         {body: strings.NewReader(body), header: true, after: time.Minute, want: 403},
		"at the last":      {body: strings.NewReader(body), header: true, after: time.Minute - time.Second, want: 200},
		"another key": {change: func(a string) string { return strings.Replace(a, "projects/1", "projects/2", 1) },
			body: strings.NewReader(body), header: true, want: 403},
		"a climbing key": {change: func(a string) string { return strings.Replace(a, "projects/1", "projects/%2e%2e", 1) },
			body: strings.NewReader(body), header: true, want: 403},
		"another size": {change: func(a string) string { return strings.Replace(a, "size=12", "size=13", 1) },
			body: strings.NewReader(body + "!"), header: true, want: 403},
		"a longer life": {change: func(a string) string { return strings.Replace(a, "expires=18", "expires=19", 1) },
			body: strings.NewReader(body), header: true, want: 403},
		"no signature": {change: func(a string) string { return a[:strings.Index(a, "&signature")] }, body: strings.NewReader(body),
			header: true, want: 403},
		"another method": {method: "DELETE", header: true, want: 403},
		"to read":        {method: "GET", want: 403},
	} {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t)
			address, headers, err := r.PresignPut(t.Context(), "projects/1/source", int64(len(body)), time.Minute)
			if err != nil || headers.Get("If-None-Match") != "*" || headers.Get("Content-Length") != strconv.Itoa(len(body)) {
				t.Fatalf("%v, %v", headers, err)
			}
			if c.change != nil {
				address = c.change(address)
			}
			if c.method == "" {
				c.method = "PUT"
			}
			r.clock.Advance(c.after)
			a, text := send(t, c.method, address, c.body, c.header)
			if a.StatusCode != c.want {
				t.Fatalf("want %d, got %d %s", c.want, a.StatusCode, text)
			}
			_, err = r.Head(t.Context(), "projects/1/source")
			if stored := err == nil; stored != (c.want == 200) {
				t.Errorf("stored: %v", stored)
			}
			if c.want == 200 {
				if a, _ := send(t, "PUT", address, strings.NewReader("other bytes."), true); a.StatusCode != 412 {
					t.Errorf("twice: want 412, got %d", a.StatusCode)
				}
				if got := read(t, r, "projects/1/source"); got != body {
					t.Errorf("the object is %q", got)
				}
			}
		})
	}
}

func read(t *testing.T, s store.Store, key string) string {
	t.Helper()
	o, err := s.Get(t.Context(), key, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Body.Close()
	b, err := io.ReadAll(o.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAGet(t *testing.T) {
	r := newHarness(t)
	body := bytes.Repeat([]byte("page "), 1000)
	key := "books/7/Über uns & Co.pdf"
	if _, err := r.Put(t.Context(), key, body, store.PutOptions{Headers: store.Headers{ContentType: "application/pdf"}}); err != nil {
		t.Fatal(err)
	}
	address, err := r.PresignGet(t.Context(), key, "atlas & map.pdf", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	a, got := send(t, "GET", address, nil, false)
	if a.StatusCode != 200 || got != string(body) || a.Header.Get("Content-Type") != "application/pdf" ||
		a.Header.Get("Content-Disposition") != `attachment; filename="atlas & map.pdf"` {
		t.Errorf("%d %v, %d bytes", a.StatusCode, a.Header, len(got))
	}
	if a, got := send(t, "HEAD", address, nil, false); a.StatusCode != 200 || got != "" || a.ContentLength != int64(len(body)) {
		t.Errorf("HEAD: %d %v", a.StatusCode, a.Header)
	}
	if a, _ := send(t, "PUT", address, strings.NewReader(""), true); a.StatusCode != 403 {
		t.Errorf("a PUT by it: %d", a.StatusCode)
	}
	if a, _ := send(t, "GET", strings.Replace(address, "name=atlas", "name=map", 1), nil, false); a.StatusCode != 403 {
		t.Errorf("another name: %d", a.StatusCode)
	}
	missing, err := r.PresignGet(t.Context(), "books/8", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := send(t, "GET", missing, nil, false); a.StatusCode != 404 {
		t.Errorf("a missing one: %d", a.StatusCode)
	}
	r.clock.Advance(time.Minute)
	if a, _ := send(t, "GET", address, nil, false); a.StatusCode != 403 {
		t.Errorf("too late: %d", a.StatusCode)
	}
}

// TestBrowsersMayAsk: the page of another origin sends files here.
func TestBrowsersMayAsk(t *testing.T) {
	r := newHarness(t)
	a, _ := send(t, "OPTIONS", r.base+"/projects/1/source", nil, false)
	if h := a.Header; a.StatusCode != 204 || h.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(h.Get("Access-Control-Allow-Methods"), "PUT") || h.Get("Access-Control-Allow-Headers") != "*" {
		t.Errorf("%d %v", a.StatusCode, h)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct{ base, secret string }{
		{"", "0123456789abcdef"}, {"/files", "0123456789abcdef"}, {"ftp://x/files", "0123456789abcdef"},
		{"http://x/files?a=1", "0123456789abcdef"}, {"http://x/files", "short"},
	} {
		if _, err := New(mem.New(), c.base, []byte(c.secret), nil); err == nil {
			t.Errorf("%q with %q was taken", c.base, c.secret)
		}
	}
	r := newHarness(t)
	if _, err := r.PresignGet(t.Context(), "../etc/passwd", "", time.Minute); err == nil {
		t.Error("a climbing key was signed")
	}
	if _, _, err := r.PresignPut(t.Context(), "a", -1, time.Minute); err == nil {
		t.Error("a negative size was signed")
	}
}

// FuzzRead: an address that was not signed gives no right.
func FuzzRead(f *testing.F) {
	s, err := New(mem.New(), "http://x/files", []byte("0123456789abcdef"), func() time.Time { return time.Unix(1, 0) })
	if err != nil {
		f.Fatal(err)
	}
	f.Add("/files/a", "do=get&expires=2&size=0&name=&signature=00")
	f.Fuzz(func(t *testing.T, path, query string) {
		if r, ok := s.read(&url.URL{Path: path, RawQuery: query}); ok {
			t.Errorf("%q %q gives %+v", path, query, r)
		}
	})
}
