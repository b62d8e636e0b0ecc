package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/infra/bench/load"
)

// streamRows asks a server for one answer of 100,000 rows and watches its resident memory meanwhile.
func streamRows(ctx context.Context, tmp string) error {
	kg := kgtest.Large
	kg.Parcels = 100_000
	r := &harness{snap: kgtest.Snapshot(kg)}
	box := r.snap.KG.Box
	defer r.stop()
	if err := r.serve(ctx, filepath.Join(tmp, "rows")); err != nil {
		return err
	}
	r.snap = nil
	c, err := load.Dial(r.host)
	if err != nil {
		return err
	}
	defer c.Close()
	_, path, _ := r.box(box)(0)
	if _, err := c.Do("GET", r.host, strings.Replace(path, "limit=100000", "limit=1", 1), nil); err != nil {
		return err // the KG is loaded now
	}
	before := residentMB(r.child.Process.Pid)
	top, done := before, make(chan struct{})
	watched := make(chan float64)
	go func() {
		for {
			top = max(top, residentMB(r.child.Process.Pid))
			select {
			case <-done:
				watched <- top
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	start := time.Now()
	n, err := c.Do("GET", r.host, path, nil)
	took := time.Since(start)
	close(done)
	peak := <-watched
	if err != nil {
		return err
	}
	fmt.Printf("100,000 rows of GeoJSON in one answer: %.1f MB in %s; resident memory %.0f MB before, %.0f MB at most, grown by %.0f MB\n",
		float64(n)/1e6, took.Round(time.Millisecond), before, peak, peak-before)
	return nil
}

// residentMB is a process's resident memory on Linux, 0 elsewhere.
func residentMB(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(b), "\n") {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %f kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}
