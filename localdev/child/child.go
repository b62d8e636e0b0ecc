// Package child starts programs that end with this one, also when it is killed: the bootstraps of functions and the servers
// that they ask. Elsewhere than on Linux a child has to notice itself that its parent is gone.
package child

import (
	"os/exec"
	"runtime"
	"sync"
)

// starter starts every process from one thread that lives as long as the program: where the system ends
// a child with its parent, the parent is the thread.
var starter = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// Start is cmd.Start for a process that ends with this program.
func Start(cmd *exec.Cmd) error {
	endWithParent(cmd)
	failed := make(chan error)
	starter() <- func() { failed <- cmd.Start() }
	return <-failed
}
