package main

import (
	"crypto/sha256"
	"runtime"
	"slices"
	"sync"
	"time"
)

// reference is the time that sample takes on the machine for which the budgets are written.
const reference = 180 * time.Millisecond

// slowness is how many times slower than the reference machine this one is now, at least 1: the middle of
// five samples on all processors at once, so that what else runs is counted.
func slowness() float64 {
	var took [5]time.Duration
	for i := range took {
		began := time.Now()
		var all sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			all.Go(sample)
		}
		all.Wait()
		took[i] = time.Since(began)
	}
	slices.Sort(took[:])
	return max(1, float64(took[len(took)/2])/float64(reference))
}

// sample does what tests do: it hashes, sorts, allocates and looks up.
func sample() {
	sum := sha256.Sum256(nil)
	seen := map[[32]byte]int{}
	var keys [][]byte
	for i := range 100_000 {
		sum = sha256.Sum256(sum[:])
		seen[sum] = i
		keys = append(keys, append([]byte(nil), sum[:]...))
	}
	slices.SortFunc(keys, func(a, b []byte) int { return seen[[32]byte(a)]%7 - seen[[32]byte(b)]%7 })
}
