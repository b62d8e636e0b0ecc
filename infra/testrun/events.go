package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"mappe/infra/golist"
)

// event is a line of `go test -json` (go doc test2json).
type event struct {
	Action, Package, Test, Output, ImportPath string

	Elapsed float64 // seconds
}

// test names a test; one without a name is the package's own output.
type test struct{ pkg, name string }

// report prints the events of runs as `go test` would and keeps the skips and the times. Two runs at once may tell it
// their events, of packages that differ.
type report struct {
	mu       sync.Mutex
	w        io.Writer
	output   map[test][]string // of what has not ended yet
	order    map[string][]test // the tests of a package that has not ended, as they began
	reasons  map[string][]string
	packages map[string]time.Duration // of all parts that tested them
	tests    map[test]time.Duration   // a test's parts are within its time
}

func newReport(w io.Writer) *report {
	return &report{
		w: w, output: map[test][]string{}, order: map[string][]test{}, reasons: map[string][]string{},
		packages: map[string]time.Duration{}, tests: map[test]time.Duration{},
	}
}

// read takes the events to their end. Any other line is printed as it is: what a program says that was
// not told of -json.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil {
				r.printf("%s", line)
			} else {
				r.event(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) printf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.w, format, args...)
}

func (r *report) event(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.w, e.Output)
	case "output":
		if strings.HasPrefix(e.Output, "=== ") { // the steps of -v, which -json brings
			return
		}
		if _, begun := r.output[t]; !begun {
			r.order[e.Package] = append(r.order[e.Package], t)
		}
		r.output[t] = append(r.output[t], e.Output)
	case "pass", "skip", "fail":
		r.took(t, time.Duration(e.Elapsed*float64(time.Second)))
		if e.Test == "" {
			r.ended(e)
			return
		}
		if e.Action == "skip" {
			reason := reasonOf(r.output[t])
			r.reasons[reason] = append(r.reasons[reason], strings.TrimPrefix(e.Package, golist.Module)+" "+e.Test)
		}
		if _, begun := r.output[t]; begun && e.Action != "fail" {
			r.output[t] = nil
		}
	}
}

// took keeps the time of a package or of a whole test.
func (r *report) took(t test, d time.Duration) {
	switch {
	case t.name == "":
		r.packages[t.pkg] += d
	case !strings.Contains(t.name, "/"):
		r.tests[t] += d
	}
}

// ended prints a package: the line of one that passed, all that was said by the tests of one that did not.
func (r *report) ended(e event) {
	for _, t := range r.order[e.Package] {
		for _, text := range r.output[t] {
			if e.Action == "fail" || strings.HasPrefix(text, "ok ") || strings.HasPrefix(text, "? ") {
				fmt.Fprint(r.w, text)
			}
		}
		delete(r.output, t)
	}
	delete(r.order, e.Package)
}

// reasonOf is what a skipped test said: "    x_test.go:12: skipped: no such program" gives its end.
func reasonOf(output []string) string {
	for _, text := range output {
		if _, reason, ok := strings.Cut(text, "skipped: "); ok {
			return strings.TrimSpace(reason)
		}
	}
	return "no reason is given"
}

// slowest lists the n packages and the n tests that took longest.
func (r *report) slowest(n int) {
	fmt.Fprintln(r.w, "the slowest packages, in seconds")
	for _, p := range longest(r.packages, n) {
		fmt.Fprintf(r.w, "%8.1f %s\n", r.packages[p].Seconds(), strings.TrimPrefix(p, golist.Module))
	}
	fmt.Fprintln(r.w, "the slowest tests, in seconds")
	for _, t := range longest(r.tests, n) {
		fmt.Fprintf(r.w, "%8.1f %s %s\n", r.tests[t].Seconds(), strings.TrimPrefix(t.pkg, golist.Module), t.name)
	}
}

// longest are the keys of the n longest times, the longest first.
func longest[K comparable](took map[K]time.Duration, n int) []K {
	keys := slices.Collect(maps.Keys(took))
	slices.SortFunc(keys, func(a, b K) int {
		return cmp.Or(cmp.Compare(took[b], took[a]), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	return keys[:min(n, len(keys))]
}

// summary lists the skipped tests by reason, the one of most tests first.
func (r *report) summary() {
	if len(r.reasons) == 0 {
		fmt.Fprintln(r.w, "no test was skipped")
		return
	}
	reasons := slices.SortedFunc(maps.Keys(r.reasons), func(a, b string) int {
		if n := len(r.reasons[b]) - len(r.reasons[a]); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for _, reason := range reasons {
		slices.Sort(r.reasons[reason])
		fmt.Fprintf(r.w, "%d skipped: %s\n", len(r.reasons[reason]), reason)
		for _, name := range r.reasons[reason] {
			fmt.Fprintln(r.w, "   ", name)
		}
	}
}
