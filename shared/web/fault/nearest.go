package fault

import "strings"

// Nearest is the known name with the smallest edit distance to name, "" when none is near: at most one
// edit in three letters. Ties go to the name listed first.
func Nearest(name string, known []string) string {
	if len(name) > maxValue || name == "" {
		return ""
	}
	name = strings.ToLower(name)
	best, bestDist := "", 1+max(1, len(name)/3)
	for _, k := range known {
		if d := distance(name, strings.ToLower(k), bestDist); d < bestDist {
			best, bestDist = k, d
		}
	}
	return best
}

// distance is the optimal-string-alignment distance of bytes (insert, delete, replace, swap of
// neighbours), or limit when it is at least limit.
func distance(a, b string, limit int) int {
	if diff := len(a) - len(b); diff >= limit || -diff >= limit {
		return limit
	}
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return min(prev[len(b)], limit)
}
