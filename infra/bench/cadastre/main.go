// Command cadastre measures the served cadastre beside PostGIS in one run: the same parcels, the same
// points, the same machine, each through its own network protocol on 127.0.0.1. It starts and ends
// both servers itself and prints ratios, because absolute times of a shared machine mean little.
//
//	go run ./infra/bench/cadastre [--parcels 20000] [--seconds 5]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	parcels := flag.Int("parcels", 20000, "parcels of the synthetic Katastralgemeinde")
	seconds := flag.Int("seconds", 5, "seconds each load runs")
	only := flag.String("only", "", "run only the loads whose name holds this text")
	serve := flag.String("serve", "", "internal: serve a data directory on a free port and print the address")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	var err error
	if *serve != "" {
		err = serveData(ctx, *serve)
	} else {
		err = compare(ctx, *parcels, time.Duration(*seconds)*time.Second, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cadastre:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, parcels int, d time.Duration, only string) error {
	dir, err := os.MkdirTemp("", "mappe-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	harness, err := startHarness(ctx, dir, parcels)
	if err != nil {
		return err
	}
	defer harness.stop()
	fmt.Printf("%s, %d processors, %s; %d parcels, %s a load\n", runtime.Version(), runtime.NumCPU(), runtime.GOARCH,
		len(harness.snap.Parcels), d)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "load\tPostGIS mean\tMappe mean\tp50\tp99\tPostGIS /s\tMappe /s\tratio\tbytes\t")
	for _, w := range harness.workloads() {
		if !strings.Contains(w.name, only) {
			continue
		}
		// The two are measured in turn, twice, and the better of each is kept: a burst of the
		// machine's other tenants then does not decide the ratio.
		ours, theirs, err := w.run(ctx, d)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.0f\t%.0f\t%.1f\t%d\t\n", w.name, short(theirs.Mean), short(ours.Mean), short(ours.P50),
			short(ours.P99),
			theirs.PerSecond, ours.PerSecond, float64(theirs.Mean)/float64(ours.Mean), ours.Bytes)
	}
	if err := t.Flush(); err != nil || only != "" {
		return err
	}
	if err := coldStarts(ctx, dir, filepath.Join(dir, "artefacts"), 9); err != nil {
		return err
	}
	return streamRows(ctx, dir)
}

func short(d time.Duration) string { return d.Round(time.Microsecond).String() }
