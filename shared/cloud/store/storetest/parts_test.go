package storetest

import (
	"fmt"
	"testing"
)

// A part of the pattern is the same wherever it begins, and no other place that is as aligned as parts are, nor another
// seed, has its bytes.
func TestPattern(t *testing.T) {
	at := func(seed, from int64, length int) string {
		b := make([]byte, length)
		if n, err := (pattern{seed}).ReadAt(b, from); n != length || err != nil {
			t.Fatalf("%d bytes at %d: %d, %v", length, from, n, err)
		}
		return string(b)
	}
	const size = 200_000
	whole := at(1, 0, size)
	for _, from := range []int64{0, 1, 7, 57_617, 57_618, 57_619, 123_155, size - 40} { // 57,618: where the noise begins again
		for length := range 40 {
			if got, want := at(1, from, length), whole[from:from+int64(length)]; got != want {
				t.Fatalf("%d bytes at %d: %x, want %x", length, from, got, want)
			}
		}
	}
	seen := map[string]string{}
	for seed := range int64(8) {
		for part := range int64(40) {
			here, place := at(seed, part<<20, 8), fmt.Sprintf("MiB %d of seed %d", part, seed)
			if other, known := seen[here]; known {
				t.Errorf("%s is %s", place, other)
			}
			seen[here] = place
		}
	}
}
