//go:build race

package font

// raced: the race detector makes shaping twenty times slower.
const raced = true
