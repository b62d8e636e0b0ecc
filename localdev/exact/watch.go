package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// How often an invocation's memory is looked at, and between which times a process that a fault hits is killed.
const (
	memoryEvery = 10 * time.Millisecond
	killFrom    = time.Millisecond
	killUntil   = 4 * time.Second
)

// timeout of an invocation.
func (r *runner) timeout() time.Duration {
	own := time.Duration(r.TimeoutS) * time.Second
	if fault := r.edge.faults.Load().Timeout; fault > 0 {
		return min(own, fault)
	}
	return own
}

// memory is what a process may have, in bytes.
func (r *runner) memory() int64 {
	own := int64(r.MemoryMB) << 20
	if fault := r.edge.faults.Load().MemoryMB; fault > 0 {
		return min(own, int64(fault)<<20)
	}
	return own
}

// watch ends the process of an invocation as Lambda does: when its time is over or its memory is not enough; and when a fault
// hits it. stop ends the watching.
func (r *runner) watch(p *process, inv *invocation) (stop func()) {
	timer := time.AfterFunc(inv.timeout, func() {
		inv.timedOut.Store(true)
		r.tally(func(s *Stats) { s.TimedOut++ })
		p.say(inv, fmt.Sprintf("Task timed out after %.2f seconds", inv.timeout.Seconds()))
		p.kill("timed out after " + inv.timeout.String())
	})
	killed := time.NewTimer(math.MaxInt64)
	share := r.edge.faults.Load().Kill
	if inv.plain {
		share = r.edge.faults.Load().KillWork
	}
	if hit(share) {
		within := float64(killUntil) / float64(killFrom)
		killed.Reset(time.Duration(float64(killFrom) * math.Pow(within, rand.Float64()))) // as often in each order of magnitude
	}
	stopped := make(chan struct{})
	go func() {
		defer killed.Stop()
		look := time.NewTicker(memoryEvery)
		defer look.Stop()
		for {
			select {
			case <-stopped:
				return
			case <-p.dead:
				return
			case <-killed.C:
				r.edge.injected.killed.Add(1)
				p.exit(inv)
			case <-look.C:
				if p.memory() > r.memory() {
					r.tally(func(s *Stats) { s.OutOfMemory++ })
					p.exit(inv)
				}
			}
		}
	}()
	return sync.OnceFunc(func() {
		timer.Stop()
		close(stopped)
	})
}

// exit kills the process in the middle of an invocation, and says so as Lambda does.
func (p *process) exit(inv *invocation) {
	p.say(inv, "Error: Runtime exited with error: signal: killed Runtime.ExitError")
	p.kill("Runtime exited with error: signal: killed")
	<-p.dead
}

// say writes a line of the platform into the function's log.
func (p *process) say(inv *invocation, text string) {
	p.runner.lines.named(p.runner.Name).line([]byte("RequestId: " + inv.id + " " + text))
}
