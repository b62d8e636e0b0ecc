// Package glob matches texts with patterns in which * stands for any bytes, none included, and ? for any
// one byte: paths with the cache behaviours of a CDN, parcel numbers with what is searched for.
package glob

import "strings"

// Match says whether a whole text fits a pattern. It goes back to the last star only, so that a hostile pattern
// costs no more than the product of the lengths.
func Match(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*': // before the next case: a text may hold a star too
			star, mark, p = p, t, p+1
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p, t = p+1, t+1
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
