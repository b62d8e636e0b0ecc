package area

import (
	"strings"

	"mappe/shared/spelling"
)

// named are those of n names that are the one asked for: written the same but for capitals, or else folded
// the same.
func named(asked string, n int, name func(i int) string) []int {
	var same, like []int
	key := folded(asked)
	for i := range n {
		switch {
		case strings.EqualFold(name(i), strings.TrimSpace(asked)):
			same = append(same, i)
		case key != "" && folded(name(i)) == key:
			like = append(like, i)
		}
	}
	if same != nil {
		return same
	}
	return like
}

// folded is a name without what its spellings differ in: Sankt Pölten, St. Poelten and ST.PÖLTEN are one.
func folded(name string) string { return spelling.Compact(spelling.Fold(name)) }
