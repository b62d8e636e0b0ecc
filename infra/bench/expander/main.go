// Command expander measures the recurrence expander end to end: requests of 25 rules of 500 occurrences
// over HTTP on 127.0.0.1, from the first byte sent to the last byte read, the server on one processor.
// Beside it, in the same run, servers of the same kind answer with other libraries, where Node.js and the
// packages of package.json are installed.
//
//	go run ./infra/bench/expander [--seconds 3] [--rounds 3]
//
// A peer gets what it is good at and does no more than it can: rrule-rust gives wall times without
// instants (with luxon a caller finds them), cron-parser instants without wall times. Payment is no part of
// the figures. The last column compares CPU time, which other tenants of the machine disturb less.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	seconds := flag.Float64("seconds", 3, "seconds each load runs in a round")
	rounds := flag.Int("rounds", 3, "rounds; the best of each counts")
	serve := flag.Bool("serve", false, "internal: serve the expander on a free port and print it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *serve {
		err = serveExpander(ctx)
	} else {
		err = compare(ctx, time.Duration(*seconds*float64(time.Second)), *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// load is one row: a body that a server answers.
type load struct {
	name, path string
	body       []byte
	peer       bool
	best       figures
}

func compare(ctx context.Context, d time.Duration, rounds int) error {
	own, err := startOwn(ctx)
	if err != nil {
		return err
	}
	defer own.stop()
	rules, cron := request(func(int) bool { return false }), request(func(int) bool { return true })
	mixed := request(func(i int) bool { return i%2 == 1 })
	const path = "/v1/expand"
	loads := []*load{
		{name: "Mappe, 13 rules and 12 crons", path: path, body: mixed},
		{name: "Mappe, 25 rules", path: path, body: rules},
		{name: "rrule-temporal, 25 rules", path: "/rrule-temporal", body: rules, peer: true},
		{name: "rrule-rust, wall times only", path: "/rrule-rust", body: rules, peer: true},
		{name: "rrule-rust, instants by luxon", path: "/rrule-rust-instants", body: rules, peer: true},
		{name: "Mappe, 25 crons", path: path, body: cron},
		{name: "cron-parser, 25 crons", path: "/cron-parser", body: cron, peer: true},
	}
	peers, err := startPeers(ctx)
	if err != nil {
		fmt.Println("peers are left out:", err)
	} else {
		defer peers.stop()
		if err := agree(own, peers, loads); err != nil {
			return err
		}
	}
	for range rounds {
		for _, l := range loads {
			at := own
			if l.peer {
				at = peers
			}
			if at == nil {
				continue
			}
			f, err := at.measure(ctx, l, d)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			if l.best.requests == 0 || f.mean < l.best.mean {
				l.best = f
			}
		}
	}
	return print(loads)
}

func print(loads []*load) error {
	fmt.Printf("%s, %d processors, %s; 25 rules of 500 occurrences a request, one client, one processor a server\n", runtime.Version(),
		runtime.NumCPU(), runtime.GOARCH)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "server\tmean\tp50\tp99\tCPU\tbytes\tfaster by\tby CPU\t")
	var ours *load
	for _, l := range loads {
		if l.best.requests == 0 {
			continue
		}
		ratio, ratioCPU := "", ""
		if !l.peer {
			ours = l
		} else {
			ratio = fmt.Sprintf("%.1f", float64(l.best.mean)/float64(ours.best.mean))
			ratioCPU = fmt.Sprintf("%.1f", float64(l.best.cpu)/float64(ours.best.cpu))
		}
		f := l.best
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t\n", l.name, short(f.mean), short(f.p50), short(f.p99), short(f.cpu), f.bytes,
			ratio, ratioCPU)
	}
	return w.Flush()
}

func short(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }
