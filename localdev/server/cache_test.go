package server

import (
	"math"
	"testing"
)

// Artefacts take an eighth of the memory, within bounds; a limit of the program counts where it is less, and where the system tells
// no memory it counts alone.
func TestCacheOf(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct{ memory, limit, want int64 }{
		{1 * gib, math.MaxInt64, leastCache}, {16 * gib, math.MaxInt64, 2 * gib}, {128 * gib, math.MaxInt64, mostCache},
		{64 * gib, 8 * gib, gib}, {0, 16 * gib, 2 * gib}, {0, math.MaxInt64, leastCache},
	} {
		if got := cacheOf(c.memory, c.limit); got != c.want {
			t.Errorf("%d of memory, a limit of %d: want %d, got %d", c.memory, c.limit, c.want, got)
		}
	}
}
