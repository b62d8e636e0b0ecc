package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// soak runs tests, each for a slice of the time.
type soak struct {
	slice  time.Duration
	folder string // of the compiled tests

	mu     sync.Mutex
	table  io.Writer
	failed int
}

// outcome is what became of a test.
type outcome struct {
	took       time.Duration
	executions int // of the fuzzed function, rounds of a search, runs of the others
	result     string
	output     []byte // of a failure
}

// run runs all rows and writes the table as they end.
func (s *soak) run(ctx context.Context, rows []row, workers int) error {
	fmt.Fprintf(s.table, "%-10s %-90s %8s %12s  %s\n", "kind", "test", "seconds", "executions", "result")
	queue := make(chan row)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for r := range queue {
				s.note(r, s.one(ctx, r))
			}
		})
	}
	for _, r := range rows {
		if ctx.Err() == nil {
			queue <- r
		}
	}
	close(queue)
	all.Wait()
	if s.failed > 0 {
		return errors.Join(ctx.Err(), fmt.Errorf("%d of %d tests failed", s.failed, len(rows)))
	}
	return ctx.Err()
}

func (s *soak) note(r row, o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.table, "%-10s %-90s %8.0f %12d  %s\n", r.kind, r.name(), o.took.Seconds(), o.executions, o.result)
	fmt.Printf("%s %s: %s, %d executions\n", r.kind, r.name(), o.result, o.executions)
	if o.result == "failed" {
		s.failed++
		fmt.Printf("%.8000s\n", o.output)
	}
}

// one runs a test for its slice. What is soaked with the race detector needs cgo.
func (s *soak) one(ctx context.Context, r row) outcome {
	began := time.Now()
	pattern := "^" + r.test + "$"
	limit := (10*s.slice + 20*time.Minute).String()
	switch r.kind {
	case fuzz:
		return s.command(ctx, r, began, "go", s.fuzzing(r, pattern)...)
	case search:
		return s.command(ctx, r, began, "go", "test", "-vet=off", "-count=1", "-v", "-timeout", limit, "-run", pattern, r.pkg.ImportPath)
	}
	binary := filepath.Join(s.folder, strings.ReplaceAll(r.name(), "/", "-"))
	build := []string{"test", "-vet=off", "-c", "-o", binary, r.pkg.ImportPath}
	if r.kind == load {
		build = append(build[:1:1], append([]string{"-race"}, build[1:]...)...)
	}
	cmd := exec.CommandContext(ctx, "go", build...)
	cmd.Dir = r.pkg.Dir // of the package's module
	if r.kind == load {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return outcome{took: time.Since(began), result: "failed", output: out}
	}
	defer os.Remove(binary)
	return s.repeat(ctx, r, binary, pattern)
}

// minimised is how many executions make an input smaller that reaches new code. The default is a minute: of a target with
// inputs of a kilobyte nothing else was executed in a slice.
const minimised = "100x"

// fuzzing are the arguments that fuzz a target for a slice.
func (s *soak) fuzzing(r row, pattern string) []string {
	return []string{"test", "-vet=off", "-run", "^$", "-fuzz", pattern, "-fuzztime", s.slice.String(),
		"-fuzzminimizetime", minimised, "-parallel", "1", r.pkg.ImportPath}
}

var (
	execs   = regexp.MustCompile(`execs: (\d+)`)
	rounds  = regexp.MustCompile(`(\d+) rounds`)
	skipped = regexp.MustCompile(`skipped: .*`)
)

// command runs a test that keeps the time itself.
func (s *soak) command(ctx context.Context, r row, began time.Time, name string, args ...string) outcome {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.pkg.Dir // of the package's module
	cmd.Env = append(os.Environ(), "MAPPE_SOAK="+s.slice.String())
	out, err := cmd.CombinedOutput()
	o := outcome{took: time.Since(began), result: "passed", output: out, executions: 1}
	for _, said := range []*regexp.Regexp{execs, rounds} {
		if all := said.FindAllSubmatch(out, -1); len(all) > 0 {
			o.executions, _ = strconv.Atoi(string(all[len(all)-1][1])) // digits
		}
	}
	if err != nil {
		o.result = "failed"
	} else if why := skipped.Find(out); why != nil && bytes.Contains(out, []byte("--- SKIP")) {
		o.result, o.executions = string(why), 0
	}
	return o
}

// repeat runs a compiled test until its slice is over.
func (s *soak) repeat(ctx context.Context, r row, binary, pattern string) outcome {
	o := outcome{result: "passed"}
	for began := time.Now(); o.took < s.slice && ctx.Err() == nil; o.took = time.Since(began) {
		cmd := exec.CommandContext(ctx, binary, "-test.run", pattern, "-test.v", "-test.timeout", "20m")
		cmd.Dir = r.pkg.Dir
		out, err := cmd.CombinedOutput()
		o.executions++
		if err != nil {
			o.result, o.output = "failed", out
			o.took = time.Since(began)
			return o
		}
		if why := skipped.Find(out); why != nil && bytes.Contains(out, []byte("--- SKIP")) {
			o.result, o.executions, o.took = string(why), 0, time.Since(began)
			return o
		}
	}
	return o
}
