//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuUsed is the CPU time of this process so far.
func cpuUsed() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
