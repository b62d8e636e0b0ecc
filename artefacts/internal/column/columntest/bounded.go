// Package columntest holds readers of foreign bytes to their memory. It is test support.
package columntest

import (
	"runtime"
	"testing"
)

// A reader may allocate that many bytes whatever the file, and that many more for each byte of it. The
// largest honest share is that of vertices that copies stand for: eight a byte, some 30 bytes each.
const (
	free    = 24 << 20
	perByte = 1 << 10
)

// Bounded runs read, which is given size foreign bytes, and fails when it allocates more than bytes of
// that number can ask for.
func Bounded(t testing.TB, size int, read func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(free+perByte*size); got > limit {
		t.Errorf("%d bytes were allocated for a file of %d bytes: at most %d are allowed", got, size, limit)
	}
}
