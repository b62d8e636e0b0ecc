package area

import (
	"strings"

	"mappe/shared/spelling"
)

// named are those of n names that are the one asked for: written the same but for capitals, or else folded
// the same. A name that is not known, "", is never the one.
func named(asked string, n int, name func(i int) string) []int {
	var same, like []int
	key := folded(asked)
	for i := range n {
		switch at := name(i); {
		case at == "":
		case strings.EqualFold(at, asked):
			same = append(same, i)
		case folded(at) == key:
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
