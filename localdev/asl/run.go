package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// The bounds of the service.
const (
	MaxPayload = 256 << 10 // bytes of what is handed from state to state
	MaxHistory = 25_000    // events of an execution of the type STANDARD
)

// Host is what a machine reaches: functions, and objects of buckets. An *Error of Invoke has the name that the service gives it
// (Lambda.TooManyRequestsException), others that of their type. Invoke goes on when its context does not: a function is not told
// that nobody waits for it any more.
type Host struct {
	Invoke func(ctx context.Context, function string, payload json.RawMessage) (json.RawMessage, error)
	Read   func(ctx context.Context, bucket, key string) ([]byte, error)
	Write  func(ctx context.Context, bucket, key string, body []byte) error
}

// Execution is how a run of a machine went.
type Execution struct {
	Output json.RawMessage
	Events int      // of its history, as far as they bound it
	Maps   []MapRun // distributed ones, as they ended
}

// MapRun is how a distributed map went.
type MapRun struct {
	Items, Succeeded, Failed int // children
	Errors                   map[string]int
}

// execution is a run under way: of a machine, or of one child of a distributed map.
type execution struct {
	host    Host
	name    string
	started time.Time
	input   any
	item    map[string]any // $$.Map.Item
	events  atomic.Int64
	express bool
	maps    []MapRun
	runs    int // distributed maps so far
}

// Run runs the machine. An error that no state catches is given as *Error.
func (m *Machine) Run(ctx context.Context, host Host, name string, input json.RawMessage) (*Execution, error) {
	var v any
	if err := json.Unmarshal(input, &v); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	x := &execution{host: host, name: name, started: time.Now(), input: v}
	out, err := x.machine(ctx, m, v)
	e := &Execution{Events: int(x.events.Load()), Maps: x.maps}
	if err != nil {
		return e, named(err)
	}
	e.Output, err = json.Marshal(out)
	return e, err
}

var errTimeout = &Error{"States.Timeout", "the execution took longer than TimeoutSeconds"}

// machine runs the states of a machine from its first.
func (x *execution) machine(ctx context.Context, m *Machine, input any) (any, error) {
	if m.TimeoutSeconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(m.TimeoutSeconds)*time.Second, errTimeout)
		defer cancel()
	}
	for name := m.StartAt; ; {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if err := x.event(); err != nil {
			return nil, err
		}
		s := m.States[name]
		out, next, err := x.state(ctx, name, s, input)
		if cause := context.Cause(ctx); err != nil && cause != nil {
			return nil, cause
		}
		if err != nil {
			e := named(err)
			c := s.caught(e)
			if c == nil {
				return nil, e
			}
			told := map[string]any{"Error": e.Name, "Cause": e.Cause}
			if out, err = placed(input, c.ResultPath, told); err != nil {
				return nil, err
			}
			next = c.Next
		}
		if err := small(out); err != nil {
			return nil, err
		}
		if next == "" {
			return out, nil
		}
		name, input = next, out
	}
}

// event counts what the service writes into the history for a state, or an attempt: some five entries.
func (x *execution) event() error {
	if n := x.events.Add(5); !x.express && n > MaxHistory {
		return &Error{"States.Runtime", fmt.Sprintf("the history has more than %d events", MaxHistory)}
	}
	return nil
}

func small(v any) error {
	b, err := json.Marshal(v)
	if err == nil && len(b) > MaxPayload {
		err = &Error{"States.DataLimitExceeded", fmt.Sprintf("%d bytes are handed on, at most %d", len(b), MaxPayload)}
	}
	return err
}

// placed is the output of a state: the input with the result where ResultPath says, the result alone without one.
func placed(input any, at path, result any) (any, error) {
	switch {
	case !at.given:
		return result, nil
	case at.text == "":
		return input, nil
	}
	return put(input, at.text, result)
}

// selected is a part of a document: without a path the whole, of null nothing.
func (s scope) selected(p path) (any, error) {
	switch {
	case !p.given:
		return s.input, nil
	case p.text == "":
		return map[string]any{}, nil
	}
	return s.get(p.text)
}

// scope of a state.
func (x *execution) scope(state string, input any) scope {
	c := map[string]any{
		"Execution": map[string]any{"Name": x.name, "Input": x.input, "StartTime": x.started.UTC().Format(time.RFC3339)},
		"State":     map[string]any{"Name": state, "EnteredTime": time.Now().UTC().Format(time.RFC3339)},
	}
	if x.item != nil {
		c["Map"] = map[string]any{"Item": x.item}
	}
	return scope{input, c}
}

// state does one state: its output, and the one that follows, "" where it is the last.
func (x *execution) state(ctx context.Context, name string, s *State, raw any) (out any, next string, err error) {
	if s.Type == "Fail" {
		return nil, "", &Error{s.Error, s.Cause}
	}
	in, err := x.scope(name, raw).selected(s.InputPath)
	if err != nil {
		return nil, "", err
	}
	sc := x.scope(name, in)
	out, next = in, s.Next
	switch s.Type {
	case "Choice":
		next, err = s.chosen(sc)
	case "Wait":
		err = s.wait(ctx, sc)
	case "Pass":
		var result any
		if len(s.Result) > 0 {
			err = json.Unmarshal(s.Result, &result)
		} else {
			result, err = sc.fill(s.Parameters)
		}
		if err == nil {
			out, err = placed(raw, s.ResultPath, result)
		}
	case "Task", "Map":
		out, err = x.work(ctx, s, sc, raw)
	}
	if err != nil {
		return nil, "", err
	}
	out, err = scope{out, sc.context}.selected(s.OutputPath)
	return out, next, err
}

// work does a Task or a Map, by its rules of Retry, and places the result.
func (x *execution) work(ctx context.Context, s *State, sc scope, raw any) (any, error) {
	result, err := x.retried(ctx, s, func(ctx context.Context) (any, error) {
		if s.Type == "Map" {
			return x.mapped(ctx, s, sc)
		}
		return x.task(ctx, s, sc)
	})
	if err != nil {
		return nil, err
	}
	if len(s.ResultSelector) > 0 {
		if result, err = (scope{result, sc.context}).fill(s.ResultSelector); err != nil {
			return nil, err
		}
	}
	return placed(raw, s.ResultPath, result)
}

func (s *State) chosen(sc scope) (string, error) {
	for i := range s.Choices {
		is, err := s.Choices[i].holds(sc)
		if err != nil {
			return "", err
		}
		if is {
			return s.Choices[i].Next, nil
		}
	}
	if s.Default == "" {
		return "", &Error{"States.NoChoiceMatched", "no rule holds, and there is no Default"}
	}
	return s.Default, nil
}

func (s *State) wait(ctx context.Context, sc scope) error {
	seconds := 0.0
	if s.Seconds != nil {
		seconds = *s.Seconds
	} else {
		v, err := sc.get(s.SecondsPath)
		if err != nil {
			return err
		}
		n, ok := v.(float64)
		if !ok || n < 0 || math.IsNaN(n) {
			return unknown("SecondsPath %s: want a number of seconds", s.SecondsPath)
		}
		seconds = n
	}
	return pause(ctx, time.Duration(seconds*float64(time.Second)))
}

// answer of a function, on its way.
type answer struct {
	body json.RawMessage
	err  error
}

// task invokes a function and waits at most its time for the answer. The function is not told that nobody waits any more.
func (x *execution) task(ctx context.Context, s *State, sc scope) (any, error) {
	filled, err := sc.fill(s.Parameters)
	if err != nil {
		return nil, err
	}
	p, _ := filled.(map[string]any)
	function, ok := p["FunctionName"].(string)
	if !ok || len(p) > 2 {
		return nil, unknown("want a FunctionName and a Payload alone")
	}
	payload, err := json.Marshal(p["Payload"])
	if err != nil {
		return nil, err
	}
	got := make(chan answer, 1)
	go func() {
		body, err := x.host.Invoke(context.WithoutCancel(ctx), function, payload)
		got <- answer{body, err}
	}()
	var late <-chan time.Time
	if s.TimeoutSeconds > 0 {
		t := time.NewTimer(time.Duration(s.TimeoutSeconds) * time.Second)
		defer t.Stop()
		late = t.C
	}
	select {
	case a := <-got:
		if a.err != nil {
			return nil, named(a.err)
		}
		var v any
		if err := json.Unmarshal(a.body, &v); err != nil {
			return nil, errors.Join(unknown("the answer of %s is no JSON", function), err)
		}
		return map[string]any{"Payload": v, "StatusCode": 200.0, "ExecutedVersion": "$LATEST"}, nil
	case <-late:
		return nil, &Error{"States.Timeout", fmt.Sprintf("%s gave no answer within %d s", function, s.TimeoutSeconds)}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
