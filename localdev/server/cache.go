package server

import (
	"math"
	"runtime/debug"

	"mappe/shared/cloud/memlimit"
)

// The bounds of the memory for artefacts that were read. Below the least a KG is read again and again; the most holds the
// parcels of the country.
const (
	leastCache = 256 << 20
	mostCache  = 4 << 30
)

// cacheBytes is that memory: an eighth of what the machine has, or of GOMEMLIMIT where that is less.
func cacheBytes() int64 { return cacheOf(memlimit.Memory(), debug.SetMemoryLimit(-1)) }

func cacheOf(memory, limit int64) int64 {
	if limit < math.MaxInt64 && (memory <= 0 || limit < memory) {
		memory = limit
	}
	return min(max(memory/8, leastCache), mostCache)
}
