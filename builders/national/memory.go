package national

import (
	"runtime/debug"
	"strconv"
)

// LimitMemory keeps the collector below nine tenths of the function's memory, given in MiB.
func LimitMemory(mib string) {
	if n, err := strconv.ParseInt(mib, 10, 64); err == nil && n >= 128 && n <= 1<<20 {
		debug.SetMemoryLimit(n << 20 / 10 * 9)
	}
}
