package asl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"
)

// Error is one that a machine may retry or catch, by its name.
type Error struct{ Name, Cause string }

// Error implements error.
func (e *Error) Error() string { return e.Name + ": " + e.Cause }

// named is an error by the name that a machine knows it by: an error of a function in Go has the name of its type.
func named(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	t := reflect.TypeOf(err)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return &Error{t.Name(), err.Error()}
}

// retrier is a rule of Retry. The zero values stand for the language's defaults.
type retrier struct {
	Comment         string
	ErrorEquals     []string
	IntervalSeconds *float64
	MaxAttempts     *int
	BackoffRate     *float64
	MaxDelaySeconds float64
	JitterStrategy  string
}

type catcher struct {
	Comment     string
	ErrorEquals []string
	ResultPath  path
	Next        string
}

// not are the errors that no wildcard stands for.
var not = []string{"States.DataLimitExceeded", "States.Runtime"}

// matches says whether names stand for an error.
func matches(names []string, e *Error) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		switch n {
		case e.Name:
			return true
		case "States.ALL":
			return !slices.Contains(not, e.Name)
		case "States.TaskFailed":
			return e.Name != "States.Timeout" && !slices.Contains(not, e.Name)
		}
		return false
	})
}

// delay is how long the attempt after so many failures of a rule waits.
func (r *retrier) delay(failures int) time.Duration {
	interval, rate := 1.0, 2.0
	if r.IntervalSeconds != nil {
		interval = *r.IntervalSeconds
	}
	if r.BackoffRate != nil {
		rate = *r.BackoffRate
	}
	for range failures - 1 {
		interval *= rate
	}
	if r.MaxDelaySeconds > 0 {
		interval = min(interval, r.MaxDelaySeconds)
	}
	if r.JitterStrategy == "FULL" {
		interval *= rand.Float64()
	}
	return time.Duration(interval * float64(time.Second))
}

func (r *retrier) most() int {
	if r.MaxAttempts == nil {
		return 3
	}
	return *r.MaxAttempts
}

// retried does a state by its rules until it does not fail, or has failed too often.
func (x *execution) retried(ctx context.Context, s *State, do func(ctx context.Context) (any, error)) (any, error) {
	failures := make([]int, len(s.Retry))
	for {
		v, err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return v, err
		}
		e := named(err)
		i := slices.IndexFunc(s.Retry, func(r retrier) bool { return matches(r.ErrorEquals, e) })
		if i < 0 {
			return nil, e
		}
		if failures[i]++; failures[i] > s.Retry[i].most() {
			return nil, e
		}
		if err := x.event(); err != nil {
			return nil, err
		}
		if err := pause(ctx, s.Retry[i].delay(failures[i])); err != nil {
			return nil, err
		}
	}
}

// caught is where an error leads; nil: nowhere.
func (s *State) caught(e *Error) *catcher {
	i := slices.IndexFunc(s.Catch, func(c catcher) bool { return matches(c.ErrorEquals, e) })
	if i < 0 {
		return nil
	}
	return &s.Catch[i]
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func unknown(format string, args ...any) error {
	return &Error{"States.Runtime", fmt.Sprintf(format, args...)}
}
