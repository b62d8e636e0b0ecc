package directory

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A list is sorted wherever its sorted part ends.
func TestSortTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.IntRange(0, 50)).Draw(t, "list")
		if len(list) > 0 {
			slices.Sort(list[:rapid.IntRange(0, len(list)).Draw(t, "sorted")])
		}
		want := slices.Sorted(slices.Values(list))
		if sortTail(list, func(x, y *int) int { return cmp.Compare(*x, *y) }); !slices.Equal(list, want) {
			t.Fatalf("want %v, got %v", want, list)
		}
	})
}
