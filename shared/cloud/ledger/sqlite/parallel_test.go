package sqlite_test

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// parallel runs do with rising numbers in 32 goroutines.
func parallel(b *testing.B, do func(i int) error) {
	var next atomic.Int64
	b.SetParallelism(max(1, 32/runtime.GOMAXPROCS(0)))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := do(int(next.Add(1))); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
