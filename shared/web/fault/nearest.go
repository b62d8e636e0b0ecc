package fault

import (
	"strings"

	"mappe/shared/spelling"
)

// DidYouMean ends a sentence about a wrong name: "; did you mean limit?", or nothing where none is near.
func DidYouMean(name string, known []string) string {
	if n := nearest(name, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

// nearest is the known name with the smallest edit distance to name, "" when none is near: at most one
// edit in three letters. Ties go to the name listed first.
func nearest(name string, known []string) string {
	if len(name) > maxValue || name == "" {
		return ""
	}
	name = strings.ToLower(name)
	best, bestDist := "", 1+max(1, len(name)/3)
	for _, k := range known {
		if d := spelling.Distance(name, strings.ToLower(k), bestDist); d < bestDist {
			best, bestDist = k, d
		}
	}
	return best
}
