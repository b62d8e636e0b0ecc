package repository

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// theToken goes to the repository and stands in no error.
const theToken = "s3cr3t-t0ken"

// outcomes are all errors that callers tell apart.
var outcomes = []error{ErrNotFound, ErrRefused, ErrUnknown, ErrUnavailable, ErrChecksum, ErrAnswer}

// is fails unless an error is exactly one of the outcomes; want nil: no error.
func is(t *testing.T, name string, err, want error) {
	t.Helper()
	if want == nil && err != nil || want != nil && !errors.Is(err, want) {
		t.Errorf("%s: want the error %v, got %v", name, want, err)
		return
	}
	for _, other := range outcomes {
		if other != want && errors.Is(err, other) {
			t.Errorf("%s: want the error %v alone, got %v", name, want, err)
		}
	}
}

// harness is a client and a server that plays the repository. Its clock stands still but for pauses.
type harness struct {
	*Client
	base   string
	server *httptest.Server

	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
	asked []string // method and path with the query
}

func (r *harness) clock() time.Time { r.mu.Lock(); defer r.mu.Unlock(); return r.now }

// requests are those that have come.
func (r *harness) requests() []string { r.mu.Lock(); defer r.mu.Unlock(); return slices.Clone(r.asked) }

func (r *harness) wait(ctx context.Context, d time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
	r.waits = append(r.waits, d)
	return ctx.Err()
}

func newHarness(t testing.TB, answer http.HandlerFunc) *harness {
	t.Helper()
	r := &harness{now: time.Unix(1_790_000_000, 0)}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		r.asked = append(r.asked, q.Method+" "+q.URL.RequestURI())
		r.mu.Unlock()
		answer(w, q)
	}))
	t.Cleanup(r.server.Close)
	r.base = r.server.URL
	r.open(t, Options{Token: func(context.Context) (string, error) { return theToken, nil }})
	return r
}

// open makes the client anew.
func (r *harness) open(t testing.TB, o Options) {
	t.Helper()
	o.Base, o.Now, o.Pause = r.base, r.clock, r.wait
	var err error
	if r.Client, err = New(o); err != nil {
		t.Fatal(err)
	}
}

// reply is one answer of a server; a status of 0 breaks the connection off.
type reply struct {
	status int
	header map[string]string
	body   string
}

func (a reply) send(w http.ResponseWriter) {
	if a.status == 0 {
		panic(http.ErrAbortHandler)
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	io.WriteString(w, a.body) // who does not read it has seen enough
}

// inTurn gives the replies one after the other, and the last one for ever.
func inTurn(replies ...reply) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		a := replies[min(n, len(replies)-1)]
		n++
		mu.Unlock()
		a.send(w)
	}
}

// ok is an answer with a body.
func ok(body string) reply { return reply{status: 200, body: body} }

// file is a source of bytes that counts how often it was opened and closed.
type file struct {
	name   string
	body   []byte
	mu     sync.Mutex
	opened int
	closed int
}

func (f *file) source() Source {
	return Source{Name: f.name, Bytes: int64(len(f.body)), Open: func(context.Context) (io.ReadCloser, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.opened++
		return &open{Reader: bytes.NewReader(f.body), file: f}, nil
	}}
}

type open struct {
	io.Reader
	file *file
	once sync.Once
}

func (o *open) Close() error {
	o.once.Do(func() { o.file.mu.Lock(); o.file.closed++; o.file.mu.Unlock() })
	return nil
}
