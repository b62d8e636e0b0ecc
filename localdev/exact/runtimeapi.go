package exact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"mappe/shared/cloud/stack"
)

// invocation is one event on its way through a process.
type invocation struct {
	event
	timeout  time.Duration
	timedOut atomic.Bool
	plain    bool         // the answer is a JSON value that nobody reads, not a stream
	outcome  chan outcome // receives once
}

func newInvocation(e event, timeout time.Duration) *invocation {
	return &invocation{event: e, timeout: timeout, outcome: make(chan outcome, 1)}
}

// maxFunctionError bounds what is read of a reported error.
const maxFunctionError = 256 << 10

// runtimeAPI is the Lambda Runtime API, version 2018-06-01, for this process.
func (p *process) runtimeAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", p.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", p.response)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", p.failure)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", p.initFailure)
	return mux
}

// next waits for an invocation and hands it out.
func (p *process) next(w http.ResponseWriter, r *http.Request) {
	select {
	case inv := <-p.jobs:
		p.current.Store(inv)
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Lambda-Runtime-Aws-Request-Id", inv.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(inv.timeout).UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", stack.FunctionARN(p.runner.Name))
		h.Set("Content-Length", strconv.Itoa(len(inv.payload)))
		w.Write(inv.payload)
	case <-p.dead:
	case <-r.Context().Done():
	}
}

// take is the invocation under way, if the id is its.
func (p *process) take(w http.ResponseWriter, r *http.Request) *invocation {
	inv := p.current.Load()
	if inv == nil || inv.id != r.PathValue("id") || !p.current.CompareAndSwap(inv, nil) {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"errorType":"InvalidRequestID","errorMessage":"no such invocation is under way"}`)
		return nil
	}
	return inv
}

// response passes the stream to whoever waits for the outcome and answers when it has been read.
func (p *process) response(w http.ResponseWriter, r *http.Request) {
	inv := p.take(w, r)
	if inv == nil {
		return
	}
	if inv.plain {
		io.Copy(io.Discard, r.Body)
		inv.outcome <- outcome{}
		w.WriteHeader(http.StatusAccepted)
		return
	}
	o, err := newOutcome(r)
	if err != nil {
		inv.outcome <- outcome{err: err}
		io.Copy(io.Discard, r.Body)
	} else {
		inv.outcome <- o
		<-o.done
	}
	w.WriteHeader(http.StatusAccepted)
}

// failure is a function error: the invocation failed, the process lives on.
func (p *process) failure(w http.ResponseWriter, r *http.Request) {
	inv := p.take(w, r)
	if inv == nil {
		return
	}
	inv.outcome <- outcome{err: reported(io.LimitReader(r.Body, maxFunctionError))}
	w.WriteHeader(http.StatusAccepted)
}

func (p *process) initFailure(w http.ResponseWriter, r *http.Request) {
	p.kill(reported(io.LimitReader(r.Body, maxFunctionError)).Error())
	w.WriteHeader(http.StatusAccepted)
}

// reported reads the error document of the Runtime API.
func reported(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("a function error that could not be read: %w", err)
	}
	var e struct {
		ErrorType    string `json:"errorType"`
		ErrorMessage string `json:"errorMessage"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.ErrorType+e.ErrorMessage == "" {
		return fmt.Errorf("function error: %.200s", raw)
	}
	return fmt.Errorf("function error %s: %s", e.ErrorType, e.ErrorMessage)
}

// trailerError is what the stream's trailers say of its end; nil is a good one.
func trailerError(trailer http.Header) error {
	kind := trailer.Get("Lambda-Runtime-Function-Error-Type")
	if kind == "" {
		return nil
	}
	body, err := base64.StdEncoding.DecodeString(trailer.Get("Lambda-Runtime-Function-Error-Body"))
	if err != nil {
		return errors.New("the stream was broken: " + kind)
	}
	return fmt.Errorf("the stream was broken: %s: %.200s", kind, body)
}
