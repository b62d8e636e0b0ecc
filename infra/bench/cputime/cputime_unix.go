//go:build unix

// Package cputime tells the processor time of this process, for the benchmarks that hold it against that of others.
package cputime

import (
	"syscall"
	"time"
)

// Used is the processor time of this process so far, its own and the system's for it; 0 where it is not told.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
