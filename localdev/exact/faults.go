package exact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Faults are what goes wrong on purpose. Shares are of 1, and what is hit is random.
type Faults struct {
	Store    float64       // of the requests for objects: 503 SlowDown
	Ledger   float64       // of the requests for records: throttled
	Lost     float64       // of the writes of both: carried out, and answered with 500
	Kill     float64       // of the requests' invocations: the process is killed in the middle, or has answered before
	KillWork float64       // of the invocations by events and schedules: the same
	Twice    bool          // every asynchronous event is delivered twice, at once
	Cold     bool          // a process has one invocation
	Timeout  time.Duration // of every function, where it is less than the template's; 0: the template's
	MemoryMB int           // of every function, where it is less than the template's; 0: the template's
}

// ParseFaults reads store=0.1,ledger=0.1,lost=0.05,kill=0.1,killwork=0.1,twice,cold,timeout=5s,memory=256.
func ParseFaults(text string) (Faults, error) {
	var f Faults
	shares := map[string]*float64{"store": &f.Store, "ledger": &f.Ledger, "lost": &f.Lost, "kill": &f.Kill, "killwork": &f.KillWork}
	for part := range strings.SplitSeq(text, ",") {
		name, value, given := strings.Cut(part, "=")
		var err error
		switch share := shares[name]; {
		case share != nil:
			*share, err = strconv.ParseFloat(value, 64)
			if err == nil && !(*share >= 0 && *share <= 1) {
				err = errors.New("out of range")
			}
		case part == "twice":
			f.Twice = true
		case part == "cold":
			f.Cold = true
		case name == "timeout" && given:
			if f.Timeout, err = time.ParseDuration(value); err == nil && f.Timeout <= 0 {
				err = errors.New("out of range")
			}
		case name == "memory" && given:
			if f.MemoryMB, err = strconv.Atoi(value); err == nil && f.MemoryMB <= 0 {
				err = errors.New("out of range")
			}
		default:
			err = errors.New("unknown")
		}
		if err != nil {
			return Faults{}, fmt.Errorf("fault %q: want store=, ledger=, lost=, kill= or killwork= with a share from 0 to 1, "+
				"twice, cold, timeout= with a duration or memory= with megabytes (%w)", part, err)
		}
	}
	return f, nil
}

// SetFaults changes what goes wrong from now on. Of what functions ask of Servers nothing does unless Config.Faults was there.
func (e *Edge) SetFaults(f Faults) {
	e.faults.Store(&f)
	if !f.Cold {
		return
	}
	for _, r := range e.all() {
		for p := r.takeIdle(); p != nil; p = r.takeIdle() {
			p.kill("a process has one invocation")
		}
	}
}

// Injected counts the faults so far.
type Injected struct{ Store, Ledger, Lost, Killed, Twice int64 }

// injected is Injected while it grows.
type injected struct{ store, ledger, lost, killed, twice atomic.Int64 }

// Injected counts what went wrong on purpose.
func (e *Edge) Injected() Injected {
	c := &e.injected
	return Injected{c.store.Load(), c.ledger.Load(), c.lost.Load(), c.killed.Load(), c.twice.Load()}
}

// hit says whether a share is hit this time.
func hit(share float64) bool { return share > 0 && rand.Float64() < share }

// inFront starts a server in front of another that does to requests what the faults say.
func (e *Edge) inFront(ctx context.Context, server string, of http.HandlerFunc) (address string, err error) {
	to, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
			r.Out.Host = r.In.Host // it is signed
		},
		ModifyResponse: func(r *http.Response) error {
			if !writes(r.Request) || !hit(e.faults.Load().Lost) {
				return nil
			}
			e.injected.lost.Add(1)
			said := failure(r.Request, "InternalError", "InternalServerError")
			r.Body.Close()
			r.StatusCode, r.Status = http.StatusInternalServerError, "500 Internal Server Error"
			r.Header = http.Header{"Content-Type": r.Header["Content-Type"]}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(said)), int64(len(said))
			return nil
		},
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { // the client has left
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &seenWriter{ResponseWriter: w}
		if of(seen, r); !seen.answered {
			proxy.ServeHTTP(w, r)
		}
	})}
	go s.Serve(l)
	context.AfterFunc(ctx, func() { s.Close() })
	return "http://" + l.Addr().String(), nil
}

// seenWriter notices that something was answered.
type seenWriter struct {
	http.ResponseWriter
	answered bool
}

// WriteHeader implements http.ResponseWriter.
func (w *seenWriter) WriteHeader(status int) {
	w.answered = true
	w.ResponseWriter.WriteHeader(status)
}

// operation is what a request wants of DynamoDB; "" for S3's.
func operation(r *http.Request) string {
	_, name, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	return name
}

// writes says whether a request changes an object or a record.
func writes(r *http.Request) bool {
	if name := operation(r); name != "" {
		return name == "UpdateItem" || name == "PutItem" || name == "DeleteItem"
	}
	return r.Method == http.MethodPut || r.Method == http.MethodPost || r.Method == http.MethodDelete
}

// failure is the body of an error as the server that was asked writes it.
func failure(r *http.Request, s3, dynamo string) []byte {
	if operation(r) != "" {
		return fmt.Appendf(nil, `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"a fault of the exact mode"}`, dynamo)
	}
	return fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>%s</Code><Message>a fault of the exact mode</Message></Error>`, s3)
}

// storeFault answers in the place of S3.
func (e *Edge) storeFault(w http.ResponseWriter, r *http.Request) {
	if hit(e.faults.Load().Store) {
		e.injected.store.Add(1)
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("Connection", "close") // the body was not read
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write(failure(r, "SlowDown", "")) // a client that has left
	}
}

// ledgerFault answers in the place of DynamoDB, whose tables and accounts have limits of their own.
func (e *Edge) ledgerFault(w http.ResponseWriter, r *http.Request) {
	if hit(e.faults.Load().Ledger) {
		n := e.injected.ledger.Add(1)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		kind := []string{"ProvisionedThroughputExceededException", "ThrottlingException"}[n%2]
		_, _ = w.Write(failure(r, "", kind)) // a client that has left
	}
}

// behindFaults puts the faults in front of the servers, as functions know them.
func (e *Edge) behindFaults(ctx context.Context, s Servers) (Servers, error) {
	var err error
	if s.S3, err = e.inFront(ctx, s.S3, e.storeFault); err != nil {
		return s, err
	}
	s.DynamoDB, err = e.inFront(ctx, s.DynamoDB, e.ledgerFault)
	return s, err
}
