//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// memoryOf is the most memory a process has held, in bytes.
func memoryOf(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return u.Maxrss
	}
	return u.Maxrss << 10
}
