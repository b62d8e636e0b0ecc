//go:build race

package recurrence

const raced = true
