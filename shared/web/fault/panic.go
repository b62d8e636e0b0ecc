package fault

import (
	"fmt"
	"runtime/debug"
)

// Caught runs f and turns a panic into an error with its stack. It is for goroutines that work for a request: no server
// watches them. The error is no Fault, so the request ends with a 500, as it would have on its own goroutine.
func Caught(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
