// Command soak runs for an hour, or as long as it is told, what the automatic checks run for seconds: every
// fuzz target, the random searches, the property tests, the tests that kill processes and those that ask
// much at once. It writes a table of them and fails when any of them found something.
//
//	go run ./infra/soak -for 1h -out build/soak.txt
//
// What it runs is read from the test files (find.go), so a new test is in without being listed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"mappe/infra/golist"
)

func main() {
	total := flag.Duration("for", time.Hour, "time of all together, compiling not counted")
	out := flag.String("out", "build/soak.txt", "the table")
	workers := flag.Int("parallel", 2, "tests at a time")
	only := flag.String("only", "", "only tests whose package and name contain this text")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *total, *out, *workers, *only); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, total time.Duration, out string, workers int, only string) error {
	packages, err := golist.List(".", golist.Module+"...")
	if err != nil {
		return err
	}
	node, err := golist.List(filepath.Join("localdev", "node"), "./...") // a module of its own
	if err != nil {
		return err
	}
	packages = append(packages, node...)
	var rows []row
	for _, p := range packages {
		found, err := find(p)
		if err != nil {
			return err
		}
		for _, r := range found {
			if strings.Contains(r.name(), only) {
				rows = append(rows, r)
			}
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("no test contains %q", only)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	table, err := os.Create(out)
	if err != nil {
		return err
	}
	defer table.Close()
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s := soak{slice: max(total*time.Duration(workers)/time.Duration(len(rows)), time.Second), folder: folder, table: table}
	fmt.Printf("%d tests, %s each, %d at a time\n", len(rows), s.slice.Round(time.Second), workers)
	return s.run(ctx, rows, workers)
}
