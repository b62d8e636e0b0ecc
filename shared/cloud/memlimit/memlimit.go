// Package memlimit gives the garbage collector a soft limit: near it the collector works more often instead of letting
// the heap grow to twice what is in use. A program that needs more takes more. Within a limit what serves requests may collect
// more rarely. Where the user has set GOMEMLIMIT or GOGC, that stands.
package memlimit

import (
	"cmp"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// variable is the runtime's own setting; "off" is a setting too.
const variable = "GOMEMLIMIT"

// percentVariable is the runtime's setting of how far the heap grows between collections.
const percentVariable = "GOGC"

// Function keeps a function below nine tenths of its memory, which the environment gives in MiB
// (AWS_LAMBDA_FUNCTION_MEMORY_SIZE), and gives that memory in bytes; 0: it is not known, and nothing was limited.
func Function(mib string) int64 {
	n, err := strconv.ParseInt(mib, 10, 64)
	if err != nil || n < 64 || n > 1<<20 {
		return 0
	}
	if os.Getenv(variable) == "" {
		debug.SetMemoryLimit(n << 20 / 10 * 9)
	}
	return n << 20
}

// By how many percent of what is in use the heap grows before it is collected, as long as the limit leaves room: a program that keeps
// what it has read collects it over and over at the usual 100, and a process that has just begun most of all.
const (
	functionPercent = 300 // of a function, whose memory is its own
	serverPercent   = 200 // of a server beside other programs
	buildPercent    = 300
)

// Serving is Function for a function that serves requests.
func Serving(mib string) int64 {
	n := Function(mib)
	if n > 0 {
		collect(functionPercent)
	}
	return n
}

// Server keeps a server of this machine below nine tenths of the machine's memory. undo gives back what was before.
func Server() (undo func()) {
	n := Memory()
	if n <= 0 {
		return func() {}
	}
	limit := int64(-1)
	if os.Getenv(variable) == "" {
		limit = n / 10 * 9
	}
	before, percent := debug.SetMemoryLimit(limit), collect(serverPercent) // a negative limit only asks
	return func() { debug.SetMemoryLimit(before); percent() }
}

// collect has garbage collected when the heap has grown by so many hundredths of what is in use.
func collect(percent int) (undo func()) {
	if os.Getenv(percentVariable) != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// Machine limits a program of this machine to so many bytes, or to three quarters of the machine's memory where that is
// less. Below the limit the collector works less often than it does by default, unless the user has set GOGC. undo gives back
// what was before.
func Machine(most int64) (undo func()) {
	limit := choose(most, memory(os.DirFS("/")), os.Getenv(variable))
	before := debug.SetMemoryLimit(limit) // a negative one only asks
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		return func() { debug.SetMemoryLimit(before) }
	}
	percent := collect(buildPercent)
	return func() { debug.SetMemoryLimit(before); percent() }
}

// Memory is what the machine has, or the container on it is given, in bytes; 0 where the system does not tell.
func Memory() int64 { return memory(os.DirFS("/")) }

// choose is the limit in bytes; -1: none is set. memory is 0 where the system does not tell.
func choose(most, memory int64, set string) int64 {
	switch {
	case set != "":
		return -1
	case memory <= 0:
		return most
	}
	return min(most, memory/4*3)
}

// memory is Memory of a file system.
func memory(root fs.FS) int64 {
	least := total(root)
	for _, file := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		b, err := fs.ReadFile(root, file)
		if err != nil {
			continue
		}
		// "max", or the largest number of pages, is no limit.
		if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && n > 0 {
			least = min(cmp.Or(least, n), n)
		}
	}
	return least
}

// total is the memory of the machine by Linux's own figures.
func total(root fs.FS) int64 {
	b, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			n, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil || n <= 0 || n > 1<<40 {
				return 0
			}
			return n << 10
		}
	}
	return 0
}
