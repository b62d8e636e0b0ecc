// Command overlays measures the build of the artefacts of the place context at the size of Austria, from raw sources in
// their real forms, in a process of its own. The country is the made-up one of infra/bench/context.
//
//	go run ./infra/bench/overlays [--nodes 0] [--memory 1536]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	bench "mappe/infra/bench/context"
	"mappe/shared/cloud/memlimit"
)

func main() {
	nodes := flag.Int("nodes", 0, "nodes in the extract that no feature needs; that of Austria has some 100 million")
	memory := flag.Int("memory", 1536,
		"MiB of the process that builds, as of a function in the cloud, which the collector keeps to; 0: no limit")
	build := flag.String("build", "", "internal: build the sources in this directory")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *build != "" {
		memlimit.Function(strconv.Itoa(*memory))
		err = buildAll(ctx, *build)
	} else {
		err = measure(ctx, *nodes, *memory)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "overlays:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, nodes, memory int) error {
	dir, err := os.MkdirTemp("", "mappe-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeSources(dir, bench.Make(1, bench.National), nodes); err != nil {
		return err
	}
	return buildApart(ctx, dir, memory)
}

// cost is what a process, or a part of its work, took.
type cost struct {
	What        string
	Wall        time.Duration
	CoreSeconds float64
	PeakMB      int64 `json:",omitempty"`
	Bytes       int64 `json:",omitempty"` // of what was written
}

func (c cost) print() {
	fmt.Printf("%-14s %6.1f s, %6.1f core seconds", c.What, c.Wall.Seconds(), c.CoreSeconds)
	if c.PeakMB > 0 {
		fmt.Printf(", peak %d MB so far", c.PeakMB)
	}
	if c.Bytes > 0 {
		fmt.Printf(", %.1f MB", float64(c.Bytes)/1e6)
	}
	fmt.Println()
}

// buildApart runs this program again to build: its memory is then that of the build alone.
func buildApart(ctx context.Context, dir string, memory int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "--memory", strconv.Itoa(memory), "--build", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	for d := json.NewDecoder(out); d.More(); {
		var c cost
		if err := d.Decode(&c); err != nil {
			return errors.Join(err, cmd.Wait())
		}
		c.print()
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("the system does not tell what a process used")
	}
	all := usage(u)
	all.What, all.Wall = "build, whole", time.Since(began)
	all.print()
	return nil
}

// usage reads what the kernel counted; Linux counts memory in KiB.
func usage(u *syscall.Rusage) cost {
	return cost{CoreSeconds: time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds(), PeakMB: u.Maxrss >> 10}
}

// own is what this process has used so far.
func own() cost {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return cost{}
	}
	return usage(&u)
}

// sourceDir and storeDir are the folders of a measurement.
func sourceDir(dir string) string { return filepath.Join(dir, "source") }
func storeDir(dir string) string  { return filepath.Join(dir, "store") }
