//go:build !race

package font

const raced = false
