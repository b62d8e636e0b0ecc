package repository

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestNewTakesAnAddressThatATokenMayGoTo(t *testing.T) {
	for _, good := range []string{"https://zenodo.org", "https://zenodo.org/", "http://localhost:8080", "http://127.0.0.1",
		"http://127.9.9.9:1", "http://[::1]:80"} {
		if c, err := New(Options{Base: good}); err != nil || c.base.String() != strings.TrimSuffix(good, "/") {
			t.Errorf("%s: want a client, got %v", good, err)
		}
	}
	for _, bad := range []string{"", "zenodo.org", "//zenodo.org", "ftp://zenodo.org", "https://", "https://zenodo.org?q=1",
		"https://a:b@zenodo.org", "https://zenodo.org:x", "http://zenodo.org", "http://127.0.0.1.example.org", "http://127.example.org",
		"http://[2001:db8::1]", "http://10.0.0.1"} {
		if _, err := New(Options{Base: bad}); err == nil {
			t.Errorf("%q: want an error, got a client", bad)
		}
	}
}

// TestAttempts: which answers are final, which are repeated and after which pauses.
func TestAttempts(t *testing.T) {
	get := func(c *Client) error { _, err := c.Get(t.Context(), 7); return err }
	post := func(c *Client) error { _, err := c.Create(t.Context(), Metadata{}); return err }
	put := func(c *Client) error { return c.Describe(t.Context(), 7, Metadata{}) }
	remove := func(c *Client) error { return c.Discard(t.Context(), 7) }
	status := func(codes ...int) (replies []reply) {
		for _, s := range codes {
			replies = append(replies, reply{status: s, body: `{"id":7}`})
		}
		return replies
	}
	limited := func(after string) reply {
		return reply{status: 429, header: map[string]string{"Retry-After": after}}
	}
	const s = time.Second
	doubling := []time.Duration{s, 2 * s, 4 * s, 8 * s}
	for _, tt := range []struct {
		name    string
		call    func(*Client) error
		replies []reply
		want    error
		asked   int
		waits   []time.Duration
	}{
		{"read", get, status(200), nil, 1, nil},
		{"down for ever", get, status(503), ErrUnavailable, 5, doubling},
		{"up at the last attempt", get, status(500, 502, 503, 504, 200), nil, 5, doubling},
		{"the connection breaks", get, status(0, 200), nil, 2, doubling[:1]},
		{"the connection breaks for ever", get, status(0), ErrUnavailable, 5, doubling},
		{"request timeout", get, status(408, 200), nil, 2, doubling[:1]},
		{"conflict", put, status(409, 200), nil, 2, doubling[:1]},
		{"below 500 is final", get, status(499), ErrRefused, 1, nil},
		{"bad request", put, status(400), ErrRefused, 1, nil},
		{"wrong token", get, status(401), ErrRefused, 1, nil},
		{"forbidden", get, status(403), ErrRefused, 1, nil},
		{"not found", get, status(404), ErrNotFound, 1, nil},
		{"gone", get, status(410), ErrNotFound, 1, nil},
		{"another success", get, status(204), ErrAnswer, 1, nil},
		{"not modified", get, status(304), ErrAnswer, 1, nil},
		{"describing again", put, status(502, 0, 200), nil, 3, doubling[:2]},
		{"discarding again", remove, status(500, 204), nil, 2, doubling[:1]},
		{"discarded by the attempt before", remove, status(500, 404), nil, 2, doubling[:1]},
		{"discarding is refused", remove, status(403), ErrRefused, 1, nil},

		{"created", post, status(201), nil, 1, nil},
		{"a POST is not repeated", post, status(500, 201), ErrUnknown, 1, nil},
		{"a POST of which nothing is heard", post, status(0, 201), ErrUnknown, 1, nil},
		{"a POST with another success", post, status(200), ErrUnknown, 1, nil},
		{"a POST that leads elsewhere", post, status(300), ErrAnswer, 1, nil},
		{"a POST in conflict", post, status(409, 201), ErrUnavailable, 1, nil},
		{"a POST that came too slowly", post, status(408, 201), ErrUnavailable, 1, nil},
		{"a refused POST", post, status(400, 201), ErrRefused, 1, nil},

		{"a POST waits for the limit", post, []reply{limited("7"), {status: 201, body: `{"id":7}`}}, nil, 2, []time.Duration{7 * s}},
		{"the limit is over at once", get, []reply{limited("0"), ok(`{"id":7}`)}, nil, 2, doubling[:1]},
		{"limited for ever", get, []reply{limited("3")}, ErrUnavailable, 5, []time.Duration{3 * s, 3 * s, 3 * s, 3 * s}},
		{"as long as is waited", get, []reply{limited("300"), ok(`{"id":7}`)}, nil, 2, []time.Duration{300 * s}},
		{"longer than is waited", get, []reply{limited("301"), ok(`{"id":7}`)}, ErrUnavailable, 1, nil},
		{"pauses double after a limit too", get, []reply{{status: 500}, limited("9"), {status: 500}, ok(`{"id":7}`)}, nil, 4,
			[]time.Duration{s, 9 * s, 2 * s}},
	} {
		r := newHarness(t, inTurn(tt.replies...))
		err := tt.call(r.Client)
		is(t, tt.name, err, tt.want)
		if len(r.requests()) != tt.asked || !slices.Equal(r.waits, tt.waits) {
			t.Errorf("%s: want %d requests and the pauses %v, got %d and %v", tt.name, tt.asked, tt.waits, len(r.requests()), r.waits)
		}
	}
}

// TestUsedUp: the answer before says that no request is left until a moment.
func TestUsedUp(t *testing.T) {
	r := newHarness(t, inTurn(reply{status: 200, body: `{"id":7}`,
		header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1790000012"}}, ok(`{"id":7}`)))
	for range 3 {
		if _, err := r.Get(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
	}
	if want := []time.Duration{12 * time.Second}; !slices.Equal(r.waits, want) {
		t.Errorf("want one pause until 1790000012, %v, got %v", want, r.waits)
	}
}

func TestAContextThatEndsEndsTheAttempts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := newHarness(t, func(http.ResponseWriter, *http.Request) { cancel(); panic(http.ErrAbortHandler) })
	if _, err := r.Get(ctx, 7); err == nil || len(r.requests()) != 1 || r.waits != nil {
		t.Errorf("want an error after one request without a pause, got %v after %d with %v", err, len(r.requests()), r.waits)
	}
	r = newHarness(t, inTurn(reply{status: 503}))
	stopped := errors.New("stopped while it waited")
	r.pause = func(context.Context, time.Duration) error { return stopped }
	if _, err := r.Get(t.Context(), 7); !errors.Is(err, stopped) || len(r.requests()) != 1 {
		t.Errorf("want the error of the pause after one request, got %v after %d", err, len(r.requests()))
	}
	r = newHarness(t, inTurn(reply{status: 429, header: map[string]string{"Retry-After": "5"}}))
	r.pause = func(context.Context, time.Duration) error { return stopped }
	if _, err := r.Get(t.Context(), 7); !errors.Is(err, stopped) || len(r.requests()) != 1 {
		t.Errorf("want the error of the pause for the limit after one request, got %v after %d", err, len(r.requests()))
	}
}

// silent answers nothing until the request is given up.
type silent struct{}

func (silent) RoundTrip(q *http.Request) (*http.Response, error) {
	<-q.Context().Done()
	return nil, q.Context().Err()
}

// TestNoAnswerInTime: 90 s for the answer and 5 min for limits; a file has a minute instead of the 90 s, and a second for
// each whole MiB.
func TestNoAnswerInTime(t *testing.T) {
	upload := func(size int64) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error {
			var d Deposit
			d.Links.Bucket = "https://repository.example/api/files/b"
			_, err := c.Upload(ctx, d, Source{Name: "a", Bytes: size, Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader("")), nil
			}})
			return err
		}
	}
	for _, tt := range []struct {
		name string
		call func(context.Context, *Client) error
		took time.Duration
		want error
	}{
		{"GET", func(ctx context.Context, c *Client) error { _, err := c.Get(ctx, 7); return err }, 390 * time.Second, ErrUnavailable},
		{"POST", func(ctx context.Context, c *Client) error { _, err := c.Publish(ctx, 7); return err }, 390 * time.Second, ErrUnknown},
		{"empty file", upload(0), 360 * time.Second, ErrUnavailable},
		{"2 MiB less a byte", upload(2<<20 - 1), 361 * time.Second, ErrUnavailable},
		{"2 MiB", upload(2 << 20), 362 * time.Second, ErrUnavailable},
		{"a GiB", upload(1 << 30), 1384 * time.Second, ErrUnavailable},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, err := New(Options{Base: "https://repository.example", HTTP: &http.Client{Transport: silent{}}})
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			err = tt.call(t.Context(), c)
			is(t, tt.name, err, tt.want)
			if took := time.Since(began); took != tt.took || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: want no answer in %s, got %v after %s", tt.name, tt.took, err, took)
			}
		})
	}
}

// TestALimitBeyondTheDeadline: who has no time to wait hears so at once.
func TestALimitBeyondTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l limit
		l.note(http.Header{"Retry-After": {"20"}}, 429, time.Now())
		began := time.Now()
		late := func(ctx context.Context, d time.Duration) error { time.Sleep(d); return nil }
		ctx, cancel := context.WithTimeout(t.Context(), 19*time.Second)
		defer cancel()
		err := l.wait(ctx, time.Now, late)
		is(t, "19 s for 20", err, ErrUnavailable)
		if took := time.Since(began); took != 0 {
			t.Errorf("19 s for 20: want an answer at once, it took %s", took)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 21*time.Second)
		defer cancel()
		if err := l.wait(ctx, time.Now, late); err != nil || time.Since(began) != 20*time.Second {
			t.Errorf("21 s for 20: want a wait of 20 s, got %v after %s", err, time.Since(began))
		}
	})
}

// TestWhatIsSent: the headers of a request with and without a body and a token.
func TestWhatIsSent(t *testing.T) {
	var seen http.Header
	var length int64
	var body string
	r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		text, _ := io.ReadAll(q.Body) // a short one shows below
		seen, length, body = q.Header, q.ContentLength, string(text)
		w.WriteHeader(map[string]int{"GET": 200, "POST": 202, "PUT": 200}[q.Method])
		io.WriteString(w, `{"id":7,"submitted":true}`)
	})
	expect := func(name string, size int64, want map[string]string) {
		t.Helper()
		for header, value := range want {
			if got := seen.Get(header); got != value {
				t.Errorf("%s: want %s %q, got %q", name, header, value, got)
			}
		}
		if length != size || int64(len(body)) != size {
			t.Errorf("%s: want a body of %d bytes, got %d, %q", name, size, length, body)
		}
	}
	if _, err := r.Get(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	expect("read", 0, map[string]string{"Authorization": "Bearer " + theToken, "Accept": "application/json", "Content-Type": ""})
	if _, err := r.Publish(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	expect("published", 0, map[string]string{"Authorization": "Bearer " + theToken, "Content-Type": ""})
	if err := r.Describe(t.Context(), 7, Metadata{Title: "T", Creators: []Creator{{Name: "M"}}}); err != nil {
		t.Fatal(err)
	}
	want := `{"metadata":{"title":"T","upload_type":"","description":"","creators":[{"name":"M"}],"license":"","publication_date":""}}`
	if body != want {
		t.Errorf("described: want %s, got %s", want, body)
	}
	expect("described", int64(len(want)), map[string]string{"Authorization": "Bearer " + theToken, "Content-Type": "application/json"})
	r.open(t, Options{})
	if _, err := r.Get(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	if _, there := seen["Authorization"]; there {
		t.Errorf("without a token: want no Authorization, got %q", seen["Authorization"])
	}
}

// TestATokenThatCannotBeRead: nothing was sent, so that a POST has no unknown outcome, and no file stays open.
func TestATokenThatCannotBeRead(t *testing.T) {
	r := newHarness(t, inTurn(reply{status: 201, body: `{"id":7}`}))
	missing := errors.New("no such secret")
	r.open(t, Options{Token: func(context.Context) (string, error) { return "", missing }})
	_, err := r.Create(t.Context(), Metadata{})
	is(t, "POST", err, ErrUnavailable)
	f := file{name: "a", body: []byte("abc")}
	var d Deposit
	d.Links.Bucket = r.base + "/bucket"
	_, err = r.Upload(t.Context(), d, f.source())
	is(t, "PUT", err, ErrUnavailable)
	if !errors.Is(err, missing) || f.opened != f.closed || len(r.requests()) != 0 {
		t.Errorf("want %v, no request and no open file; got %v, %q, %d opened and %d closed",
			missing, err, r.requests(), f.opened, f.closed)
	}
}

// TestNoTokenInErrors: whatever a repository or a proxy before it answers.
func TestNoTokenInErrors(t *testing.T) {
	shown := func(q *http.Request) string { return q.Header.Get("Authorization") }
	for _, tt := range []struct {
		name, says string
		answer     http.HandlerFunc
		post       bool
	}{
		{"an error page that shows the request", "you sent", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(403)
			fmt.Fprintf(w, "you sent %s and %s", shown(q), shown(q))
		}, false},
		{"one that is repeated", "you sent", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(502)
			fmt.Fprintf(w, "you sent \xff %s", shown(q))
		}, false},
		{"a token at the end of what is quoted", "xxx", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(400)
			io.WriteString(w, strings.Repeat("x", 290)+theToken)
		}, false},
		{"a redirect that is not followed", "302 Found", func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Location", "gopher://"+strings.TrimPrefix(q.Host, "/")+"/?access_token="+theToken)
			w.WriteHeader(302)
		}, false},
		{"a redirect to no address", "", func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Location", "http://[/?access_token="+theToken)
			w.WriteHeader(302)
		}, false},
		{"a link to elsewhere", "elsewhere.example", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(201)
			fmt.Fprintf(w, `{"id":8,"links":{"latest_draft":"https://elsewhere.example/8?access_token=%s"}}`, theToken)
		}, true},
		{"a link that is no address", "no address", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(201)
			fmt.Fprintf(w, `{"id":8,"links":{"latest_draft":"http://[%s"}}`, theToken)
		}, true},
	} {
		r := newHarness(t, tt.answer)
		_, err := r.Get(t.Context(), 7)
		if tt.post {
			_, err = r.NewVersion(t.Context(), 7)
		}
		if err == nil || strings.Contains(err.Error(), theToken[:6]) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: want an error with %q and without the token, got %v", tt.name, tt.says, err)
		}
	}
	// A client without a token has nothing to hide, least of all the empty text between letters.
	r := newHarness(t, inTurn(reply{status: 400, body: "plain words"}))
	r.open(t, Options{})
	if _, err := r.Get(t.Context(), 7); err == nil || !strings.HasSuffix(err.Error(), "400 Bad Request: plain words") {
		t.Errorf("want the words of the answer, got %v", err)
	}
}

// TestRedirects: the token and what changes something go to the repository alone.
func TestRedirects(t *testing.T) {
	var asked atomic.Int32
	var shown atomic.Value
	elsewhere := func(w http.ResponseWriter, q *http.Request) {
		asked.Add(1)
		shown.Store(q.Header.Get("Authorization"))
		w.WriteHeader(200)
		io.WriteString(w, `{"id":7}`)
	}
	plain, secure := httptest.NewServer(http.HandlerFunc(elsewhere)), httptest.NewTLSServer(http.HandlerFunc(elsewhere))
	defer plain.Close()
	defer secure.Close()
	for _, tt := range []struct {
		name   string
		tls    bool // the repository is asked by https
		to     string
		status int
		method string
		want   error
		asked  int32 // requests that came elsewhere
	}{
		{"another port", false, plain.URL, 302, "GET", nil, 1},
		{"from http to https", false, secure.URL, 302, "GET", nil, 1},
		{"from https to https", true, secure.URL, 307, "GET", nil, 1},
		{"from https to http", true, plain.URL, 302, "GET", ErrAnswer, 0},
		{"metadata", false, plain.URL, 307, "PUT", ErrAnswer, 0},
		{"a new deposit", false, plain.URL, 308, "POST", ErrAnswer, 0},
		{"a name and a password", false, strings.Replace(plain.URL, "//", "//a:b@", 1), 302, "GET", nil, 1},
	} {
		asked.Store(0)
		shown.Store("")
		home := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Location", tt.to+"/elsewhere")
			w.WriteHeader(tt.status)
		})
		server := httptest.NewServer(home)
		if tt.tls {
			server.Close()
			server = httptest.NewTLSServer(home)
		}
		c, err := New(Options{Base: server.URL, HTTP: secure.Client(),
			Token: func(context.Context) (string, error) { return theToken, nil }})
		if err != nil {
			t.Fatal(err)
		}
		switch tt.method {
		case "GET":
			_, err = c.Get(t.Context(), 7)
		case "PUT":
			err = c.Describe(t.Context(), 7, Metadata{})
		case "POST":
			_, err = c.Create(t.Context(), Metadata{})
		}
		server.Close()
		is(t, tt.name, err, tt.want)
		if asked.Load() != tt.asked || strings.Contains(shown.Load().(string), theToken) {
			t.Errorf("%s: want %d requests elsewhere without the token, got %d with %q", tt.name, tt.asked, asked.Load(), shown.Load())
		}
	}
}

func TestRedirectsWithinTheRepository(t *testing.T) {
	r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/moved" && q.Header.Get("Authorization") == "Bearer "+theToken {
			io.WriteString(w, `{"id":7}`)
			return
		}
		w.Header().Set("Location", "/moved")
		w.WriteHeader(307)
	})
	if _, err := r.Get(t.Context(), 7); err != nil {
		t.Errorf("want the token where the repository leads to within itself, got %v", err)
	}
	r = newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Location", "/again")
		w.WriteHeader(302)
	})
	_, err := r.Get(t.Context(), 7)
	is(t, "in a circle", err, ErrUnavailable)
	if len(r.requests()) != 50 {
		t.Errorf("in a circle: want five attempts of ten requests, got %d requests", len(r.requests()))
	}
}

// TestBrokenAnswers: after a GET nothing has happened; after a POST something has, and nobody knows what.
func TestBrokenAnswers(t *testing.T) {
	for _, tt := range []struct{ name, body string }{
		{"no JSON", "<html>"},
		{"nothing", ""},
		{"half of it", `{"id":7,"sub`},
		{"of another shape", `[7]`},
		{"too long", `{"id":7}` + strings.Repeat(" ", maxAnswer+1-8)},
		{"broken off", "-"},
	} {
		answer := func(w http.ResponseWriter, q *http.Request) {
			if tt.body == "-" {
				w.Header().Set("Content-Length", "100")
			}
			w.WriteHeader(map[string]int{"GET": 200, "POST": 202}[q.Method])
			io.WriteString(w, tt.body)
		}
		r := newHarness(t, answer)
		_, err := r.Get(t.Context(), 7)
		is(t, tt.name+", GET", err, ErrAnswer)
		_, err = r.Publish(t.Context(), 7)
		is(t, tt.name+", POST", err, ErrUnknown)
	}
	r := newHarness(t, inTurn(ok(`{"id":7}`+strings.Repeat(" ", maxAnswer-8))))
	if _, err := r.Get(t.Context(), 7); err != nil {
		t.Errorf("as long as is allowed: want the deposit, got %v", err)
	}
}

// TestAnAnswerOf200MB is left after 8 MB; what lies in the buffers of the connection comes on top.
func TestAnAnswerOf200MB(t *testing.T) {
	chunk := []byte(strings.Repeat(" ", 1<<20))
	for _, status := range []int{200, 400} {
		var written atomic.Int64
		done := make(chan struct{})
		r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
			defer close(done)
			w.WriteHeader(status)
			for range 200 {
				n, err := w.Write(chunk)
				if written.Add(int64(n)); err != nil {
					return
				}
			}
		})
		_, err := r.Get(t.Context(), 7)
		is(t, fmt.Sprint(status), err, map[int]error{200: ErrAnswer, 400: ErrRefused}[status])
		<-done
		if n := written.Load(); n > 64<<20 || len(err.Error()) > 1000 {
			t.Errorf("%d: want some 8 MB read and a short error, the server wrote %d bytes, the error has %d", status, n, len(err.Error()))
		}
	}
}

func TestLinks(t *testing.T) {
	c, err := New(Options{Base: "https://zenodo.org"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		link string
		good bool
	}{
		{"https://zenodo.org/api/files/1-2", true},
		{"http://zenodo.org/api/files/1-2", false},
		{"https://zenodo.org:444/api/files/1-2", false},
		{"https://zenodo.org@example.org/", false},
		{"https://a:b@zenodo.org/", false},
		{"https://sub.zenodo.org/", false},
		{"https://zenodo.org.example.org/", false},
		{"//zenodo.org/api", false},
		{"/api/files/1-2", false},
		{"", false},
		{"https://zenodo.org/%zz", false},
	} {
		got, err := c.own(tt.link)
		if tt.good && (err != nil || got != tt.link) || !tt.good && !errors.Is(err, ErrAnswer) {
			t.Errorf("%q: want it to lead to the repository: %v, got %q, %v", tt.link, tt.good, got, err)
		}
	}
}
