// Package spelling compares words: how far a mistyped one is from a known one, for the errors that ask "did you
// mean", and the one spelling under which names of places are searched. It knows no words: shared/web/fault,
// shared/recurrence/zones and the searches bring theirs and decide what is near.
package spelling

// short is the length up to which words are compared without allocating.
const short = 64

// Distance counts the bytes to insert, leave out, replace or swap with their neighbour between two words, no
// byte twice (the optimal string alignment), or gives limit where they are at least so many.
func Distance(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	var space [3 * (short + 1)]int
	rows, n := space[:], len(b)+1
	if n > short+1 {
		rows = make([]int, 3*n)
	}
	older, old, row := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return min(old[len(b)], limit)
}

// OneError says whether Distance between two words is 1, in a time that grows with their length only.
func OneError(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a) > len(b)+1 || a == b {
		return false
	}
	p := 0
	for p < len(b) && a[p] == b[p] {
		p++
	}
	x, y := a[p:], b[p:] // x is no shorter, and begins otherwise
	switch {
	case len(x) > len(y):
		return x[1:] == y
	case x[1:] == y[1:]:
		return true
	}
	return len(x) > 1 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:]
}
