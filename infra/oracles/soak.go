package oracles

import (
	"os"
	"testing"
	"time"
)

// Soak says how long a random search runs: MAPPE_SOAK holds a Go duration ("10m"). Without it the search
// runs its short form, which Rounds bounds.
func Soak(t testing.TB) time.Duration {
	t.Helper()
	v := os.Getenv("MAPPE_SOAK")
	if v == "" {
		return 0
	}
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		t.Fatalf("MAPPE_SOAK is %q: expected a duration above zero, for example 10m", v)
	}
	return d
}

// Rounds yields the numbers of a random search from 0: as many as short says, or for as long as MAPPE_SOAK
// says. It logs how many those were; infra/soak reads it.
func Rounds(t testing.TB, short int) func(yield func(uint64) bool) {
	end := time.Now().Add(Soak(t))
	return func(yield func(uint64) bool) {
		i := uint64(0)
		for ; i < uint64(short) || time.Now().Before(end); i++ {
			if !yield(i) {
				return
			}
		}
		t.Logf("%d rounds", i)
	}
}
