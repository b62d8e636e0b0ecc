// Package spelling compares words: how far a mistyped one is from a known one, for the errors that ask "did you
// mean", and the one spelling under which names of places are searched. It knows no words: shared/web/fault,
// shared/recurrence/zones and the searches bring theirs and decide what is near.
package spelling

import "unicode/utf8"

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

// OneError says whether one letter was inserted, left out, replaced or swapped with its neighbour between two
// words, in a time that grows with their length only. A letter is one whatever its bytes are.
func OneError(a, b string) bool {
	if a == b || max(len(a)-len(b), len(b)-len(a)) > utf8.UTFMax {
		return false
	}
	p := 0
	for p < min(len(a), len(b)) && a[p] == b[p] {
		p++
	}
	for p > 0 && (p < len(a) && !utf8.RuneStart(a[p]) || p < len(b) && !utf8.RuneStart(b[p])) {
		p-- // to the beginning of the letter
	}
	a, b = a[p:], b[p:]
	q := 0
	for q < min(len(a), len(b)) && a[len(a)-1-q] == b[len(b)-1-q] {
		q++
	}
	for q > 0 && !utf8.RuneStart(a[len(a)-q]) {
		q--
	}
	x, xRest := letter(a[:len(a)-q])
	y, yRest := letter(b[:len(b)-q])
	return xRest == "" && yRest == "" || x != "" && y != "" && x == yRest && y == xRest
}

// letter cuts the first letter off.
func letter(s string) (first, rest string) {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n], s[n:]
}
