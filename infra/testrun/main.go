// Command testrun runs the tests of the packages it is given: with the race detector where goroutines meet,
// without it elsewhere. It prints what `go test` would, then the slowest packages and tests, the tests that
// were skipped and why, and the packages that took longer than their budget, which is a failure.
//
//	go run ./infra/testrun -budgets .ci/budgets.tsv ./...
//	go run ./infra/testrun -budgets .ci/budgets.tsv -C localdev/node ./...
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.budgets, "budgets", "", "file with the seconds that a package's tests may take; empty: not compared")
	flag.StringVar(&o.race, "race", "auto", "race detector: auto (packages with goroutines or locks), all or none")
	flag.StringVar(&o.vet, "vet", "off", "value of go test's -vet; off because make lint runs go vet")
	flag.DurationVar(&o.timeout, "timeout", 30*time.Minute, "longest time of a package")
	flag.StringVar(&o.folder, "C", ".", "folder of the module whose packages are tested")
	flag.Parse()
	if err := o.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
}

type options struct {
	budgets, race, vet string
	folder             string // of the module
	timeout            time.Duration
}

// run tests the packages of the patterns: those that take longest in a process of their own beside all others, so that
// one package more than there are processors is tested at a time; some wait for clocks, programs and leases. Its error
// says what failed; go test has printed why.
func (o options) run(patterns []string) error {
	limits, err := readBudgets(o.budgets)
	if err != nil {
		return err
	}
	parts, err := o.split(patterns)
	if err != nil {
		return err
	}
	slow := slowness()
	r := newReport(os.Stdout)
	beside, rest := limits.apart(parts[0]) // what takes longest starts programs that are built without the race detector
	parts[0] = rest
	var all sync.WaitGroup
	var failed, failedBeside error
	all.Go(func() { failedBeside = o.test(beside, r, 1) })
	for _, p := range parts {
		limits.longestFirst(p.packages)
		failed = errors.Join(failed, o.test(p, r, runtime.GOMAXPROCS(0)))
	}
	all.Wait()
	failed = errors.Join(failed, failedBeside)
	slow = max(slow, slowness())
	r.slowest(15)
	r.summary()
	return errors.Join(failed, limits.check(os.Stdout, r.packages, slow))
}

// collectRarely is the setting with which compiler, linker and tests collect garbage half as often as they would, unless
// the user has said how often: they end before memory is short. Tests that measure a heap collect before they look.
func collectRarely() []string {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return []string{"GOGC=200"}
}

// test runs the tests of one part, of so many packages at once, and prints how long they took.
func (o options) test(p part, r *report, atOnce int) error {
	if len(p.packages) == 0 {
		return nil
	}
	began := time.Now()
	defer func() {
		r.printf("-- %d packages %s: %.0f s\n", len(p.packages), p.what, time.Since(began).Seconds())
	}()
	args := []string{"test", "-json", "-vet=" + o.vet, "-timeout", o.timeout.String(), "-p", fmt.Sprint(atOnce)}
	cmd := exec.Command("go", append(append(args, p.flags...), p.packages...)...)
	cmd.Env, cmd.Dir = append(append(os.Environ(), collectRarely()...), p.env...), o.folder
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	err = errors.Join(r.read(out), cmd.Wait())
	if err != nil {
		return fmt.Errorf("go test %s: %w", p.what, err)
	}
	return nil
}
