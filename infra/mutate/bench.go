package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

// result is what became of a mutant.
type result string

const (
	noticed    result = "noticed"
	unnoticed  result = "unnoticed"
	listedSame result = "equivalent" // listed, not run
	invalid    result = "invalid"    // does not compile; another is drawn
)

// longestQuick is the time of the quick tests of a package above which they are not run for the mutants of
// the packages it imports.
const longestQuick = 15 * time.Second

// bench runs mutants. Workers share the queue, the counts and the table.
type bench struct {
	module module
	known  equivalent
	want   int  // mutants that compile
	alone  bool // the tests of users are not run
	table  io.Writer

	mu     sync.Mutex
	queue  []mutant
	begun  int
	counts map[result]int
	quick  map[string]time.Duration // of the quick tests of a package, unchanged; 0: they fail
}

// run tests the mutants in their order until enough have compiled.
func (b *bench) run(ctx context.Context, draw []mutant, workers int) error {
	b.queue, b.counts, b.quick = draw, map[result]int{}, map[string]time.Duration{}
	if err := b.measure(ctx, draw); err != nil {
		return err
	}
	fmt.Fprintln(b.table, "result\tseconds\tnoticed by\tplace\tpackage\tfunction\texpression\tchange")
	errs := make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() { errs[i] = b.work(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// measure runs the quick tests of all packages that will be asked, unchanged.
func (b *bench) measure(ctx context.Context, draw []mutant) error {
	asked := map[string]bool{}
	for _, m := range draw {
		if asked[m.pkg] {
			continue
		}
		asked[m.pkg] = true
		for _, pkg := range append(b.users(m.pkg), m.pkg) {
			if _, done := b.quick[pkg]; done {
				continue
			}
			began := time.Now()
			out, err := b.test(ctx, "", 10*time.Minute, pkg)
			b.quick[pkg] = time.Since(began)
			if s := reported.FindSubmatch(out); s != nil {
				if d, err := time.ParseDuration(string(s[1])); err == nil {
					b.quick[pkg] = d
				}
			}
			if err != nil && pkg == m.pkg {
				return fmt.Errorf("the quick tests of %s fail unchanged:\n%.4000s", pkg, out)
			}
			if err != nil {
				b.quick[pkg] = longestQuick + 1
			}
		}
	}
	return ctx.Err()
}

// reported is the time in "ok  mappe/shared/geo/region  0.5s".
var reported = regexp.MustCompile(`(?m)^ok\s+\S+\s+(\S+)`)

func (b *bench) work(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for {
		m, ok := b.next()
		if !ok || ctx.Err() != nil {
			return ctx.Err()
		}
		began := time.Now()
		r, by, err := b.try(ctx, m, folder)
		if err != nil {
			return err
		}
		b.note(m, r, by, time.Since(began))
	}
}

// next takes a mutant off the queue.
func (b *bench) next() (mutant, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) > 0 && b.begun < b.want {
		m := b.queue[0]
		b.queue = b.queue[1:]
		if b.known[m.key()] != "" {
			b.begun++
			b.counts[listedSame]++
			fmt.Fprintf(b.table, "%s\t0\t\t\t%s\n", listedSame, m.key())
			continue
		}
		b.begun++
		return m, true
	}
	return mutant{}, false
}

func (b *bench) note(m mutant, r result, by string, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[r]++
	if r == invalid {
		b.begun--
		return
	}
	place := fmt.Sprintf("%s:%d", m.file[strings.LastIndexByte(m.file, '/')+1:], m.line)
	fmt.Fprintf(b.table, "%s\t%.0f\t%s\t%s\t%s\n", r, took.Seconds(), by, place, m.key())
	if r == unnoticed {
		fmt.Printf("unnoticed: %s %s\n", place, strings.ReplaceAll(m.key(), "\t", "  "))
	}
}

// try runs the tests of a mutant's package, then of its users. A change that makes the tests run for ever
// is noticed by their time limit.
func (b *bench) try(ctx context.Context, m mutant, folder string) (result, string, error) {
	overlay, err := m.write(folder)
	if err != nil {
		return "", "", err
	}
	out, err := b.test(ctx, overlay, 10*time.Second+4*b.quick[m.pkg], m.pkg)
	if bytes.Contains(out, []byte("[build failed]")) {
		return invalid, "", nil
	}
	if err != nil {
		return noticed, m.pkg, ctx.Err()
	}
	for _, pkg := range b.users(m.pkg) {
		if b.quick[pkg] > longestQuick {
			continue
		}
		out, err := b.test(ctx, overlay, 10*time.Second+4*b.quick[pkg], pkg)
		if bytes.Contains(out, []byte("[build failed]")) {
			return "", "", fmt.Errorf("%s does not build with %s:\n%s", pkg, m.key(), out)
		}
		if err != nil {
			return noticed, pkg, ctx.Err()
		}
	}
	return unnoticed, "", ctx.Err()
}

// users are the packages whose tests are asked when those of the package itself have noticed nothing.
func (b *bench) users(pkg string) []string {
	if b.alone {
		return nil
	}
	return b.module.users(pkg)
}

// test runs the quick tests of a package.
func (b *bench) test(ctx context.Context, overlay string, limit time.Duration, pkg string) ([]byte, error) {
	args := []string{"test", "-short", "-failfast", "-count=1", "-vet=off", "-p=1", "-timeout", limit.String()}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the tests without the race detector: their objects are there
	defer grouped(cmd)()
	cmd.WaitDelay = time.Second // what is left behind may hold the output open
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrWaitDelay) { // the tests passed
		err = nil
	}
	return out, err
}

// verdict prints the counts; too few noticed mutants are an error.
func (b *bench) verdict(least float64) error {
	run := b.counts[noticed] + b.counts[unnoticed]
	fmt.Printf("%d noticed, %d unnoticed, %d listed as equivalent, %d did not compile\n", b.counts[noticed], b.counts[unnoticed],
		b.counts[listedSame], b.counts[invalid])
	if share := float64(b.counts[noticed]) / float64(max(run, 1)); run > 0 && share < least {
		return fmt.Errorf("the tests notice %.0f %% of the mutants, want at least %.0f %%", 100*share, 100*least)
	}
	return nil
}
