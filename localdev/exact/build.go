package exact

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mappe/shared/cloud/stack"
)

// BuildFlags make a bootstrap small, reproducible and able to stream. The build ID stays: it follows from
// the sources, and validators are made of it. What a debugger reads is left out by the compiler already.
var BuildFlags = []string{"-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false", "-ldflags", "-s -w", "-tags", "lambda.norpc"}

// Bootstraps is where the bootstraps of a template are built for this machine, below its folder: whoever builds them
// again, after a change or for another directory of data, has only those linked that changed.
func Bootstraps(template string) string {
	return filepath.Join(filepath.Dir(template), "build", "bootstraps")
}

// Fresh gives the path of a file to build anew what is to stand at binary: it is what stands there now, where something
// does, which go build takes over when nothing changed. The old file may be running, and is never written to.
func Fresh(binary string) string {
	fresh := fmt.Sprintf("%s-%d", binary, os.Getpid())
	_ = os.Remove(fresh)       // of a process of this number that was killed
	_ = os.Link(binary, fresh) // without it everything is linked
	return fresh
}

// Building is a bootstrap that is being built.
type Building struct {
	Function string // the first that runs it
	N, Of    int    // of the functions that are run
	Packages int    // compiled so far; 0 where all were compiled before
	Took     time.Duration
	Done     bool
}

// build makes the bootstrap of a function, unless it is known to be there.
func (c Config) build(ctx context.Context, f stack.Function, binary string, n, of int) error {
	if _, err := os.Stat(binary); c.Built && err == nil {
		return nil
	}
	return build(ctx, f.Main, binary, c.Progress, Building{Function: f.Name, N: n, Of: of})
}

// build makes a bootstrap for this machine and tells about it.
func build(ctx context.Context, dir, binary string, tell func(Building), b Building) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("the function's program: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return err
	}
	fresh := Fresh(binary)
	args := append([]string{"build", "-v", "-o", fresh}, BuildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	said := &compiling{}
	cmd.Stdout, cmd.Stderr = said, said
	began := time.Now()
	tell(b)
	done, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		for every := time.Tick(time.Second); ; {
			select {
			case <-every:
				b.Packages, b.Took = said.count(), time.Since(began)
				tell(b)
			case <-done:
				return
			}
		}
	}()
	err := cmd.Run()
	close(done)
	<-told
	if err != nil {
		os.Remove(fresh)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("go build %s: %w\n%s", dir, err, said.rest())
	}
	b.Packages, b.Took, b.Done = said.count(), time.Since(began), true
	tell(b)
	return os.Rename(fresh, binary)
}

// compiling is what go build -v writes: a line with each package it compiles, and what is wrong.
type compiling struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (c *compiling) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = append(c.text, p...)
	return len(p), nil
}

func (c *compiling) lines(packages bool) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for line := range strings.Lines(string(c.text)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && packages == !strings.ContainsAny(line, " \t:") {
			out = append(out, line)
		}
	}
	return out
}

func (c *compiling) count() int   { return len(c.lines(true)) }
func (c *compiling) rest() string { return strings.Join(c.lines(false), "\n") }
